import { Type } from 'typebox';
import { type Caller, isOwn, requireOwn } from '../../core/access/caller.ts';
import type { Registry } from '../../core/access/registry.ts';
import { boundTo, type Key } from '../../core/entities/key.ts';
import { Activity, Overview, type Overviews } from '../../core/reports/overview.ts';
import { operation, type Route } from '../../http/route.ts';
import { NamespaceParam, QueryOf } from './parts.ts';

const OF = { tag: 'Namespaces', access: 'messages:read', params: NamespaceParam } as const;
const PROBLEMS = ['namespace_not_found', 'namespace_gone', 'access_denied'] as const;

interface OverviewParts {
  readonly registry: Registry;
  readonly overviews: Overviews;
}

/** A namespace at a glance, and what arrived in it. */
export function overviewRoutes({ registry, overviews }: OverviewParts): readonly Route[] {
  /** A key of the namespace that is not bound to a mailbox; in a session, that of any member who reads. */
  async function ownKey(caller: Caller, name: string): Promise<Key> {
    const namespace = await registry.namespace(name);
    const isMember = caller.kind === 'key' && caller.session !== undefined && isOwn(caller, namespace.id);
    return isMember ? caller.key : requireOwn(caller, namespace, 'messages:read');
  }

  return [
    operation('GET', '/api/v1/namespaces/{name}/overview', 'getOverview', {
      ...OF,
      summary: 'A namespace at a glance',
      description:
        'Its mailboxes with their unread conversations, its labels, what waits for approval, and how much it stores.',
      answers: { 200: { description: 'The namespace as it is now.', schema: Overview } },
      problems: PROBLEMS,
      async handle({ caller, params }) {
        const key = await ownKey(caller, params.name);
        return { status: 200, body: await overviews.of(key.namespace_id, boundTo(key)) };
      },
    }),
    operation('GET', '/api/v1/namespaces/{name}/activity', 'getActivity', {
      ...OF,
      summary: 'What arrived in a namespace, and how it ended',
      description: 'Messages that arrived, were answered and failed, and how long the answers took.',
      query: QueryOf({
        span: Type.Optional(
          Type.Enum(['24h', '30d'], { description: 'The last 24 hours, the default, or the last 30 days.' }),
        ),
        mailbox: Type.Optional(
          Type.String({ minLength: 1, maxLength: 400, description: 'Only this mailbox of the namespace.' }),
        ),
      }),
      answers: { 200: { description: 'The figures.', schema: Activity } },
      problems: [...PROBLEMS, 'mailbox_not_found', 'mailbox_gone'],
      async handle({ caller, params, query }) {
        const key = await ownKey(caller, params.name);
        const mailbox =
          query.mailbox === undefined ? undefined : await registry.mailboxFor(caller, query.mailbox, 'messages:read');
        const only = mailbox === undefined ? (boundTo(key) ?? undefined) : [mailbox.id];
        return { status: 200, body: await overviews.activity(key.namespace_id, query.span ?? '24h', only) };
      },
    }),
  ];
}
