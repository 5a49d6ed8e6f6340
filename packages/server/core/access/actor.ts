import type { Clock } from '@mailroom/behavior/values/clock';
import type { Actor } from '../entities/actor.ts';
import type { Key } from '../entities/key.ts';
import type { Store } from '../ports/store.ts';

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
