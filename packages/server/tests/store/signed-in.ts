import assert from 'node:assert/strict';
import { newId } from '@mailroom/behavior/values/ids';
import type { Account, Passkey } from '../../core/entities/account.ts';
import type { Allowance, Client } from '../../core/entities/client.ts';
import type { Key } from '../../core/entities/key.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Member } from '../../core/entities/member.ts';
import type { Namespace } from '../../core/entities/namespace.ts';
import type { Store } from '../../core/ports/store.ts';
import { keyOf, T, type World } from './made.ts';

export const accountOf = (local: string): Account => {
  const id = newId('acc', T);
  return { id, address: `${local}-${id}@example.org`, created_at: T };
};

let passkeys = 0;
export const passkeyOf = (account_id: string, fields: Partial<Passkey> = {}): Passkey => ({
  id: `passkey-${++passkeys}`,
  account_id,
  name: 'Laptop',
  public_key: 'pQECAyYgASFYIA',
  counter: 0,
  transports: '["internal","hybrid"]',
  backed_up: true,
  created_at: T + passkeys,
  used_at: null,
  ...fields,
});

export const clientOf = ({ id, namespace_id }: Mailbox, fields: Partial<Client> = {}): Client => ({
  id: newId('cli', T),
  namespace_id,
  mailbox_id: id,
  source: 'owner',
  name: 'Shop',
  metadata: '{"redirect_uris":["https://shop.example/callback"]}',
  secret: 'f'.repeat(64),
  created_at: T,
  updated_at: T,
  ...fields,
});

export const allowanceOf = (agent: Mailbox, issuer: Namespace, client_id: string, at = T): Allowance => ({
  mailbox_id: agent.id,
  issuer_id: issuer.id,
  client_id,
  name: 'Shop',
  created_at: at,
});

/** Makes the account an owner of the namespace, with a key created for it. */
export async function own(
  store: Store,
  namespace: Namespace,
  account_id: string,
  fields: Partial<Key> = {},
): Promise<{ readonly result: string; readonly ownership: Member }> {
  const key = keyOf(namespace, fields);
  await store.keys.create(key);
  const ids = { namespace_id: namespace.id, account_id, key_id: key.id, created_at: key.created_at };
  const ownership: Member = { ...ids, role: 'owner', mailbox_ids: null, name: 'ada' };
  return { result: await store.accounts.join(ownership), ownership };
}

/** Gives an account a subject with a session, a passkey, a state of its own, and `namespace`. */
export async function settleIn(store: Store, account_id: string, { namespace }: Pick<World, 'namespace'>) {
  const subject = await store.accounts.subject(namespace.id, account_id, `sub-of-${account_id}`);
  const passkey = passkeyOf(account_id);
  assert.equal(await store.accounts.addPasskey(passkey), 'added');
  const { result, ownership } = await own(store, namespace, account_id);
  assert.equal(result, 'joined');
  const states = [
    { kind: 'oidc:Session', id: `session ${account_id}`, subject, value: '{}', expires_at: T + 1e9 },
    { kind: 'account', id: `account ${account_id}`, subject: account_id, value: '{}', expires_at: T + 1e9 },
  ];
  for (const state of states) assert.equal(await store.states.put(state, T), true);
  return { account_id, subject, passkey, ownership, states };
}
export type SettledIn = Awaited<ReturnType<typeof settleIn>>;

/** Runs `act` for each item, with as many at once as a busy machine handles. */
export async function inWaves<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < all.length; at += WAVE) done.push(...(await Promise.all(all.slice(at, at + WAVE).map(act))));
  return done;
}
const WAVE = 50;

/** How many of its states exist. */
export async function statesLeft(store: Store, { states }: SettledIn): Promise<number> {
  const found = await Promise.all(states.map(({ kind, id }) => store.states.get(kind, id, T)));
  return found.filter((state) => state !== undefined).length;
}

/** The tables with data for signing in; `states` holds other data too. */
export const SIGN_IN_TABLES = ['accounts', 'subjects', 'passkeys', 'members', 'clients', 'allowances', 'states'];

/**
 * Fills the tables with the data of a mailbox as an account, an agent and an `auth` mailbox, of its namespace as an
 * issuer, and of an external account; more than one batch of a purge removes.
 */
export async function fillSignIn(store: Store, gone: World, stays: World): Promise<{ readonly account: Account }> {
  const account = await store.accounts.getOrPut(accountOf('ada'));
  await settleIn(store, gone.mailbox.id, gone);
  await own(store, stays.namespace, gone.mailbox.id);
  await store.accounts.subject(stays.namespace.id, gone.mailbox.id, 'of-gone-at-stays');
  const client = clientOf(gone.mailbox);
  assert.equal(await store.clients.create(client), 'created');
  for (const agent of [gone, stays]) {
    const allowance = allowanceOf(agent.mailbox, gone.namespace, client.id);
    assert.equal(await store.allowances.allow(allowance), 'allowed');
  }
  const { result } = await own(store, gone.namespace, account.id);
  assert.equal(result, 'joined');
  await store.accounts.subject(gone.namespace.id, account.id, 'of-account');
  await store.accounts.subject(stays.namespace.id, account.id, 'of-account-at-stays');
  const state = { kind: 'oidc:Session', value: '{}', expires_at: T + 1e9 };
  await store.states.put({ ...state, id: 'at stays', subject: 'of-account-at-stays' }, T);
  await store.states.put({ ...state, id: 'of the namespace', subject: gone.namespace.id }, T);
  const sessions = Array.from({ length: 1100 }, (_, at) => ({ ...state, id: `session ${at}`, subject: 'of-account' }));
  await inWaves(sessions, (session) => store.states.set(session));
  return { account };
}

/** The rows that remain in each table after `gone` was deleted with its namespace and purged. */
export const SIGN_IN_LEFT = {
  accounts: 1,
  subjects: 1,
  passkeys: 0,
  members: 0,
  clients: 0,
  allowances: 0,
  states: 1,
};
