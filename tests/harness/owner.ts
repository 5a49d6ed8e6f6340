import assert from 'node:assert/strict';
import { addressOf } from '@mailroom/behavior/mailbox';
import { newId } from '@mailroom/behavior/values/ids';
import { newSecret } from '@mailroom/server/core/entities/key';
import type { Role } from '@mailroom/server/core/entities/member';
import type { Store } from '@mailroom/server/core/ports/store';
import { memberKey } from '@mailroom/server/core/sign-in/member-keys';
import type { Home } from './client.ts';
import type { Inside } from './inside.ts';

/** Makes an address outside the owner of a namespace, as signing in with it and claiming does. */
export async function ownedBy({ store }: Pick<Inside, 'store'>, home: Home, address: string): Promise<void> {
  const now = Date.now();
  const { id: account_id } = await store.accounts.getOrPut({ id: newId('acc', now), address, created_at: now });
  const member = { namespace_id: home.id, account_id, key_id: home.keyId, created_at: now, name: 'owner' };
  assert.equal(await store.accounts.join({ ...member, role: 'owner', mailbox_ids: null }), 'joined');
}

/** A member, with the secret of the key by which they act, which members do not get to know. */
export interface JoinedMember {
  readonly id: string;
  readonly key_id: string;
  readonly secret: string;
  readonly address: string;
}

export interface Joins {
  /** An address outside; of a mailbox here with its id as `account_id`. */
  readonly address: string;
  readonly account_id?: string;
  readonly role: Role;
  /** Their addresses; the whole namespace when left out. */
  readonly mailboxes?: readonly string[];
}

/** Makes an account a member. */
export async function joinAs(
  store: Store,
  home: Pick<Home, 'id' | 'name'>,
  { address, account_id, role, mailboxes }: Joins,
): Promise<JoinedMember> {
  const now = Date.now();
  const outside = { id: newId('acc', now), address, created_at: now };
  const id = account_id ?? (await store.accounts.getOrPut(outside)).id;
  const boundTo = async (one: string) => {
    const mailbox = await store.mailboxes.byAddress(one.split('@')[0] ?? '', home.name);
    return { id: mailbox?.id ?? '', address: mailbox === undefined ? '' : addressOf(mailbox) };
  };
  const bound = mailboxes === undefined ? null : await Promise.all(mailboxes.map(boundTo));
  const { secret, prefix, sha256 } = newSecret();
  const key = { ...memberKey(home, { account_id: id, role }, { address, mailboxes: bound, now }), prefix, sha256 };
  await store.keys.create(key);
  const mailbox_ids = bound?.map((one) => one.id) ?? null;
  const [name = ''] = address.split('@');
  const member = { namespace_id: home.id, account_id: id, key_id: key.id, created_at: now, role, mailbox_ids, name };
  assert.equal(await store.accounts.join(member), 'joined');
  return { id, key_id: key.id, secret, address };
}
