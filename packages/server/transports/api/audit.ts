import { type Clock, rfc3339 } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import { type Caller, requireOwn } from '../../core/access/caller.ts';
import type { Registry } from '../../core/access/registry.ts';
import { auditView } from '../../core/entities/audit.ts';
import { AuditEntryView, AuditExportLine } from '../../core/entities/audit-view.ts';
import type { Namespace } from '../../core/entities/namespace.ts';
import type { Store } from '../../core/ports/store.ts';
import { auditLines } from '../../core/reports/audit-lines.ts';
import { PageOf, scopedCursor } from '../../core/values/page.ts';
import { JSON_LINES, operation, type Route } from '../../http/route.ts';
import { NamespaceParam, onePage, pageAnswer, pageQuery, pageSize, QueryOf } from './parts.ts';

const PATH = '/api/v1/namespaces/{name}/audit';
const OF = { tag: 'Namespaces', access: 'owner', params: NamespaceParam } as const;
const PROBLEMS = ['namespace_not_found', 'namespace_gone', 'access_denied'] as const;

interface AuditParts {
  readonly registry: Pick<Registry, 'namespace'>;
  readonly store: Pick<Store, 'audit'>;
  readonly clock: Clock;
}

/** Who changed what in a namespace. */
export function auditRoutes({ registry, store, clock }: AuditParts): readonly Route[] {
  async function owned(caller: Caller, name: string): Promise<Namespace> {
    const namespace = await registry.namespace(name);
    requireOwn(caller, namespace, 'owner');
    return namespace;
  }

  return [
    operation('GET', PATH, 'listAudit', {
      ...OF,
      summary: 'Who changed what, and read what',
      description:
        'An entry for each change of keys, members, settings, policies, webhooks, domains and services, each decision on a review or a plan, take-over, deletion, export, sign-in and read of a raw mail, newest first. Each is written with its change, and holds the hash of the entry before it. Kept for `AUDIT_DAYS` days (400 unless the operator set another number).',
      query: QueryOf({
        ...pageQuery,
        action: Type.Optional(
          Type.String({ maxLength: 100, description: 'Only this action.', examples: ['key.created'] }),
        ),
        actor: Type.Optional(
          Type.String({ maxLength: 100, description: 'Only what the member or the key with this id did.' }),
        ),
      }),
      answers: onePage('A page of entries.', PageOf(AuditEntryView, 'AuditPage')),
      problems: PROBLEMS,
      async handle({ caller, params, query }) {
        const { id, name } = await owned(caller, params.name);
        const { action, actor, cursor } = query;
        const places = scopedCursor(`audit ${id} ${action ?? ''} ${actor ?? ''}`);
        const before = cursor === undefined ? null : places.read(cursor);
        const page = await store.audit.page({ namespace_id: id, action, actor }, before, pageSize(query));
        return pageAnswer(page, auditView, PATH.replace('{name}', name), query, places.write);
      },
    }),
    operation('GET', `${PATH}/export`, 'exportAudit', {
      ...OF,
      summary: 'Take the audit log with you',
      description:
        'JSON Lines: what precedes the first entry, each entry, oldest first, and how many there are. `mailroom audit verify FILE` finds each entry that was changed, left out or moved since.',
      answers: {
        200: {
          description: 'One JSON object per line, without a limit, not compressed.',
          schema: AuditExportLine,
          type: JSON_LINES,
          headers: ['Content-Disposition'],
        },
      },
      problems: PROBLEMS,
      async handle({ caller, params }) {
        const namespace = await owned(caller, params.name);
        const { id, name } = namespace;
        const target = { kind: 'namespace', id, name };
        await store.audit.add({ namespace_id: id, action: 'audit.exported', target });
        return {
          status: 200,
          body: auditLines({ store, clock }, namespace),
          headers: {
            'content-type': `${JSON_LINES}; charset=utf-8`,
            'content-disposition': `attachment; filename="${name}-audit-${rfc3339(clock()).slice(0, 10)}.jsonl"`,
          },
        };
      },
    }),
  ];
}
