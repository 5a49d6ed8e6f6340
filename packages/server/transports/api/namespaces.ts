import { RESERVED_NAMESPACES } from '@mailroom/behavior/values/address';
import type { Clock } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import { namespaceOf } from '../../core/access/caller.ts';
import type { Registry } from '../../core/access/registry.ts';
import { KeyWithSecret, keyView } from '../../core/entities/key.ts';
import { MailboxView, mailboxView } from '../../core/entities/mailbox.ts';
import { NamespaceChange, NamespaceView, NewNamespace, namespaceView } from '../../core/entities/namespace.ts';
import type { Store } from '../../core/ports/store.ts';
import { PAGE_DEFAULT } from '../../core/values/page.ts';
import { idempotencyOf } from '../../http/idempotency.ts';
import type { Limiters } from '../../http/limits.ts';
import { operation, type Route } from '../../http/route.ts';
import { created, createdAnswer, NamespaceParam, noContent } from './parts.ts';

const Created = Type.Object({ namespace: NamespaceView, key: KeyWithSecret }, { $id: 'NamespaceCreated' });
const NamespaceWithMailboxes = Type.Object(
  {
    ...NamespaceView.properties,
    mailboxes: Type.Array(MailboxView, { description: `The first ${PAGE_DEFAULT} listed ones.` }),
  },
  { $id: 'NamespaceWithMailboxes' },
);

interface NamespaceParts {
  readonly registry: Registry;
  readonly store: Pick<Store, 'mailboxes'>;
  readonly clock: Clock;
  readonly limiters: Pick<Limiters, 'namespaces' | 'localNamespaces'>;
  readonly mailDomain: string;
}

export const namespaceRoutes = ({ registry, store, clock, limiters, mailDomain }: NamespaceParts): readonly Route[] => [
  operation('POST', '/api/v1/namespaces', 'createNamespace', {
    tag: 'Namespaces',
    summary: 'Create a namespace',
    description: `No account is needed. The owner key is shown only in this answer. Repeating the request with the same Idempotency-Key while the key is unused returns a new secret, so that a lost answer does not cost you the name; use a random UUID, which no one can guess. Reserved names: ${[...RESERVED_NAMESPACES].sort().join(', ')}.`,
    access: 'public',
    limits: [limiters.namespaces],
    local_limits: [limiters.localNamespaces],
    challenge: true,
    counts: 'successes',
    body: NewNamespace,
    max_body: 16 * 1024,
    idempotency: true,
    answers: created('The namespace and its owner key.', Created),
    problems: ['namespace_taken', 'namespace_gone', 'idempotency_mismatch', 'storage_full'],
    async handle(call) {
      const idempotency = idempotencyOf(call, 'POST /api/v1/namespaces', clock);
      const creation = await registry.createNamespace(call.body, idempotency, { network: call.caller.network });
      const namespace = namespaceView(creation.namespace);
      const key = { ...keyView(creation.key, mailDomain), secret: creation.secret };
      return createdAnswer(`/api/v1/namespaces/${namespace.name}`, { namespace, key }, creation.replayed);
    },
  }),
  operation('GET', '/api/v1/namespaces/{name}', 'getNamespace', {
    tag: 'Namespaces',
    summary: 'Get a namespace',
    access: 'public',
    params: NamespaceParam,
    answers: { 200: { description: 'The namespace with its first listed mailboxes.', schema: NamespaceWithMailboxes } },
    problems: ['namespace_not_found', 'namespace_gone'],
    async handle({ caller, params }) {
      const namespace = await registry.namespace(params.name);
      const of = { namespace_id: namespace.id, listed: true, seen_by: namespaceOf(caller) };
      const listed = await store.mailboxes.page(of, null, PAGE_DEFAULT);
      const mailboxes = listed.items.map((mailbox) => mailboxView(mailbox, mailDomain));
      return { status: 200, body: { ...namespaceView(namespace), mailboxes } };
    },
  }),
  operation('PATCH', '/api/v1/namespaces/{name}', 'updateNamespace', {
    tag: 'Namespaces',
    summary: 'Change a namespace',
    access: 'owner',
    params: NamespaceParam,
    body: NamespaceChange,
    answers: { 200: { description: 'The namespace as it is now.', schema: NamespaceView } },
    problems: ['namespace_not_found', 'namespace_gone', 'access_denied'],
    async handle({ caller, params, body }) {
      const namespace = await registry.renameNamespace(caller, params.name, body.display_name ?? null);
      return { status: 200, body: namespaceView(namespace) };
    },
  }),
  operation('DELETE', '/api/v1/namespaces/{name}', 'deleteNamespace', {
    tag: 'Namespaces',
    summary: 'Delete a namespace',
    description:
      'Its keys stop working at once. Its mailboxes are deleted with everything they received and answered. Messages it sent to others stay with them, without the sender. The name stays taken.',
    access: 'owner',
    params: NamespaceParam,
    answers: { 204: noContent },
    problems: ['namespace_not_found', 'namespace_gone', 'access_denied'],
    async handle({ caller, params }) {
      await registry.deleteNamespace(caller, params.name);
      return { status: 204 };
    },
  }),
];
