import { Type } from 'typebox';
import { missingScope } from '../../core/access/caller.ts';
import type { Registry } from '../../core/access/registry.ts';
import type { Sessions } from '../../core/access/sessions.ts';
import { hasScope } from '../../core/entities/key.ts';
import type { Claims } from '../../core/sign-in/claims.ts';
import { NewOwner, Owners, ownerView, SessionView, sessionView } from '../../core/sign-in/session-views.ts';
import { PageOf } from '../../core/values/page.ts';
import { type Call, operation, type Route } from '../../http/route.ts';
import { IdParam, noContent } from './parts.ts';
import { keyOf } from './send.ts';

const OF = { tag: 'Sessions', access: 'session', problems: [] } as const;

/** The key of an owner's session. AppError `insufficient_scope`. */
function ownerOf(call: Call) {
  const key = keyOf(call);
  if (!hasScope(key, 'owner')) throw missingScope('owner');
  return key;
}

interface SessionParts {
  readonly registry: Pick<Registry, 'namespace'>;
  readonly sessions: Pick<Sessions, 'list' | 'end' | 'endAll'>;
  readonly claims: Claims;
}

/**
 * What only who signed in to the console may do: a key that leaked must not make its finder an owner. They are called
 * within this process, and neither served over HTTP nor described.
 */
export function sessionRoutes({ registry, sessions, claims }: SessionParts): readonly Route[] {
  /** All sessions for an owner, and for any other member their own. */
  const seenBy = async (call: Call) => {
    const key = keyOf(call);
    const found = await sessions.list(key.namespace_id);
    return hasScope(key, 'owner') ? found : found.filter(({ key_id }) => key_id === key.id);
  };
  return [
    operation('GET', '/api/v1/owners', 'listOwners', {
      ...OF,
      summary: 'The accounts that own the namespace, and the keys that open its console',
      answers: { 200: { description: 'All of them.', schema: Owners } },
      async handle(call) {
        const { namespace_id } = ownerOf(call);
        const [owners, ways] = await Promise.all([claims.ownersOf(namespace_id), claims.waysIn(namespace_id)]);
        return { status: 200, body: { items: owners.map(ownerView), ways_in: [...ways] } };
      },
    }),
    operation('POST', '/api/v1/owners', 'addOwner', {
      ...OF,
      summary: 'Make an account an owner of the namespace',
      body: NewOwner,
      answers: { 204: noContent },
      async handle(call) {
        const key = ownerOf(call);
        await claims.claim(key, await registry.namespace(key.namespace), call.body.account_id);
        return { status: 204 };
      },
    }),
    operation('GET', '/api/v1/owned', 'listOtherNames', {
      ...OF,
      summary: 'The other namespaces of the account that is signed in',
      answers: { 200: { description: 'Their names.', schema: Type.Array(Type.String()) } },
      async handle(call) {
        return { status: 200, body: await claims.othersOf(keyOf(call)) };
      },
    }),
    operation('GET', '/api/v1/sessions', 'listSessions', {
      ...OF,
      summary: 'Who is signed in to the console of the namespace',
      answers: { 200: { description: 'All of them, newest first.', schema: PageOf(SessionView, 'SessionPage') } },
      async handle(call) {
        const found = await seenBy(call);
        return { status: 200, body: { items: found.map(sessionView), next_cursor: null } };
      },
    }),
    operation('DELETE', '/api/v1/sessions', 'endSessions', {
      ...OF,
      summary: 'End every session of the namespace',
      answers: { 204: noContent },
      async handle(call) {
        const key = keyOf(call);
        if (hasScope(key, 'owner')) await sessions.endAll(key.namespace_id);
        else for (const { hash } of await seenBy(call)) await sessions.end(hash);
        return { status: 204 };
      },
    }),
    operation('DELETE', '/api/v1/sessions/{id}', 'endSession', {
      ...OF,
      summary: 'End a session of the namespace, if there is one with this id',
      params: IdParam,
      answers: { 204: noContent },
      async handle(call) {
        const found = await seenBy(call);
        if (found.some(({ hash }) => hash === call.params.id)) await sessions.end(call.params.id);
        return { status: 204 };
      },
    }),
  ];
}
