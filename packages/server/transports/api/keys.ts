import type { Clock } from '@mailroom/behavior/values/clock';
import type { KeyRegistry } from '../../core/access/key-registry.ts';
import type { Registry } from '../../core/access/registry.ts';
import { KeyView, KeyWithSecret, keyView, NewKey } from '../../core/entities/key.ts';
import { Me } from '../../core/entities/me.ts';
import { namespaceView } from '../../core/entities/namespace.ts';
import type { Store } from '../../core/ports/store.ts';
import { PageOf } from '../../core/values/page.ts';
import { idempotencyOf } from '../../http/idempotency.ts';
import { operation, type Route } from '../../http/route.ts';
import { created, createdAnswer, IdParam, noContent, onePage, PageQuery, pageAnswer, readPage } from './parts.ts';
import { keyOf } from './send.ts';

interface KeyParts {
  readonly registry: Pick<Registry, 'namespace'>;
  readonly keys: Pick<KeyRegistry, 'create' | 'revoke'>;
  readonly store: Pick<Store, 'keys' | 'namespaces'>;
  readonly clock: Clock;
  readonly mailDomain: string;
}

export const keyRoutes = ({ registry, keys, store, clock, mailDomain }: KeyParts): readonly Route[] => [
  operation('GET', '/api/v1/keys', 'listKeys', {
    tag: 'Keys',
    summary: "The namespace's keys, without their secrets",
    access: 'keys:write',
    query: PageQuery,
    answers: onePage('A page of keys that are not revoked.', PageOf(KeyView, 'KeyPage')),
    problems: [],
    async handle({ caller, query }) {
      const key = keyOf({ caller });
      const { after, size } = readPage(query);
      const page = await store.keys.page(
        { namespace_id: key.namespace_id, ...(key.mailbox_id === null ? {} : { mailbox_id: key.mailbox_id }) },
        after,
        size,
      );
      return pageAnswer(page, (item) => keyView(item, mailDomain), '/api/v1/keys', query);
    },
  }),
  operation('POST', '/api/v1/keys', 'createKey', {
    tag: 'Keys',
    summary: 'Make a key',
    description: 'It cannot do more than the key that creates it. The secret is shown only in this answer.',
    access: 'keys:write',
    body: NewKey,
    idempotency: true,
    answers: created('The key with its secret.', KeyWithSecret),
    problems: ['idempotency_mismatch', 'not_found', 'mailbox_not_found', 'storage_full'],
    async handle(call) {
      const idempotency = idempotencyOf(call, 'POST /api/v1/keys', clock);
      const { key, secret, replayed } = await keys.create(keyOf(call), call.body, idempotency);
      return createdAnswer(`/api/v1/keys/${key.id}`, { ...keyView(key, mailDomain), secret }, replayed);
    },
  }),
  operation('DELETE', '/api/v1/keys/{id}', 'revokeKey', {
    tag: 'Keys',
    summary: 'Revoke a key',
    description: 'It stops working at once.',
    access: 'keys:write',
    params: IdParam,
    answers: { 204: noContent },
    problems: ['not_found'],
    async handle({ caller, params }) {
      await keys.revoke(keyOf({ caller }), params.id);
      return { status: 204 };
    },
  }),
  operation('GET', '/api/v1/me', 'getMe', {
    tag: 'Keys',
    summary: 'The key in use, its namespace and scopes',
    access: 'key',
    answers: { 200: { description: 'Who you are here.', schema: Me } },
    problems: [],
    async handle({ caller }) {
      const key = keyOf({ caller });
      const namespace = await registry.namespace(key.namespace);
      return {
        status: 200,
        body: {
          key: keyView(key, mailDomain),
          namespace: namespaceView(namespace),
          scopes: key.scopes,
          claimed: await store.namespaces.isClaimed(namespace.id),
        },
      };
    },
  }),
];
