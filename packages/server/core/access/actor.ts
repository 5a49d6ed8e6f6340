import type { Clock } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import type { Key } from '../entities/key.ts';
import type { Store } from '../ports/store.ts';

/** Who did something: a member, also by a key that was made in their session, or a key of no member. */
export const Actor = Type.Object(
  {
    kind: Type.Enum(['member', 'key']),
    id: Type.String({ description: 'The id of the member, or of the key.' }),
    name: Type.Union([Type.String(), Type.Null()], { description: 'The name of the member, or of the key.' }),
  },
  { $id: 'Actor', description: 'A member, or a key of no member.' },
);
export type Actor = Type.Static<typeof Actor>;

export type ActorOf = (key: Pick<Key, 'id' | 'name' | 'namespace_id' | 'account_id'>) => Promise<Actor>;

/** Says who acts by a key. */
export const makeActorOf =
  ({ store, clock }: { readonly store: Pick<Store, 'accounts'>; readonly clock: Clock }): ActorOf =>
  async ({ id, name, namespace_id, account_id }) => {
    const member = account_id === null ? undefined : await store.accounts.member(namespace_id, account_id, clock());
    return member === undefined
      ? { kind: 'key', id, name }
      : { kind: 'member', id: member.account_id, name: member.name };
  };
