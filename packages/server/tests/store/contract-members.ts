import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { sha256 } from '@mailroom/behavior/values/hash';
import { newId } from '@mailroom/behavior/values/ids';
import type { Account } from '../../core/entities/account.ts';
import type { Key } from '../../core/entities/key.ts';
import { INVITATION_MS, type Invitation, type Member } from '../../core/entities/member.ts';
import type { Store } from '../../core/ports/store.ts';
import { webhookOf } from './contract-webhooks.ts';
import { keyOf, mailboxOf, T, type World, world } from './made.ts';
import { accountOf, own } from './signed-in.ts';

/** Tests of members whose role changes, who are invited, and who go. */
export function membersContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: members`, () => {
    let store: Store;
    let home: World;
    let ada: Account;
    let bob: Account;
    beforeEach(async () => {
      store = await open();
      home = await world(store);
      ada = await store.accounts.getOrPut(accountOf('ada'));
      bob = await store.accounts.getOrPut(accountOf('bob'));
    });
    afterEach(() => store[Symbol.asyncDispose]());

    const owner = async ({ id }: Account): Promise<Member> => (await own(store, home.namespace, id)).ownership;
    const keysOf = ({ id }: Account) => store.accounts.keysOf(home.namespace.id, id, T);
    const of = ({ id }: Account) => ({ namespace_id: home.namespace.id, account_id: id });
    const member = ({ id }: Account) => store.accounts.member(home.namespace.id, id, T);
    const invitationOf = (by: Member, fields: Partial<Invitation> = {}): Invitation => ({
      id: newId('inv', T),
      namespace_id: home.namespace.id,
      address: bob.address,
      role: 'reader',
      mailbox_ids: null,
      name: 'bob',
      sha256: sha256(String(Math.random())),
      key_id: by.key_id,
      created_at: T,
      expires_at: T + INVITATION_MS,
      ...fields,
    });
    const accept = (invitation: Invitation, { id }: Account, now = T) => {
      const key = keyOf(home.namespace, { account_id: id, scopes: ['messages:read'], created_at: now });
      const { role, mailbox_ids, name: called } = invitation;
      const joins = { ...of({ id } as Account), key_id: key.id, created_at: now, role, mailbox_ids, name: called };
      return store.invitations.accept(invitation.id, key, joins);
    };

    const newest = async (size: number) => {
      const { items } = await store.audit.page({ namespace_id: home.namespace.id }, null, size);
      return items.map(({ action, target }) => `${action} ${target.id}`).toSorted();
    };

    test('what ends or passes on with a member has an entry each, and a new role one for each key', async () => {
      await owner(ada);
      const left = await owner(bob);
      const made = keyOf(home.namespace, { account_id: bob.id, scopes: ['messages:read'] });
      await store.keys.create(made);
      const webhook = webhookOf(home, { key_id: left.key_id });
      await store.webhooks.create(webhook, 10);
      const { id: invited } = invitationOf(left);
      assert.equal(await store.invitations.create({ ...invitationOf(left), id: invited }, 5), 'created');
      const role = { role: 'owner', mailbox_ids: null, name: 'Bob' } as const;
      assert.equal(await store.accounts.changeMember(of(bob), role, await keysOf(bob), T), 'changed');
      assert.deepEqual(await newest(1), [`member.updated ${bob.id}`]);
      const narrow = (await keysOf(bob)).map((key) => ({ ...key, scopes: ['messages:read' as const] }));
      assert.equal(await store.accounts.changeMember(of(bob), { ...role, role: 'reader' }, narrow, T), 'changed');
      const changed = [`key.updated ${left.key_id}`, `member.updated ${bob.id}`, `webhook.disabled ${webhook.id}`];
      assert.deepEqual(await newest(3), changed);
      assert.equal(await store.accounts.removeMember(of(bob), undefined, T), 'removed');
      const ends = [`key.revoked ${left.key_id}`, `key.revoked ${made.id}`];
      assert.deepEqual(
        await newest(4),
        [...ends, `invitation.removed ${invited}`, `member.removed ${bob.id}`].toSorted(),
      );
    });

    test('what passes to another member has an entry each, and so has each key of a deleted account', async () => {
      const heir = await owner(ada);
      const left = await owner(bob);
      const made = keyOf(home.namespace, { account_id: bob.id });
      await store.keys.create(made);
      const webhook = webhookOf(home, { key_id: left.key_id });
      await store.webhooks.create(webhook, 10);
      const to = { id: heir.key_id, account_id: ada.id };
      assert.equal(await store.accounts.removeMember(of(bob), to, T), 'removed');
      assert.deepEqual(
        await newest(4),
        [
          `key.revoked ${left.key_id}`,
          `key.updated ${made.id}`,
          `member.removed ${bob.id}`,
          `webhook.updated ${webhook.id}`,
        ].toSorted(),
      );
      assert.equal(await store.accounts.remove(ada.id), true);
      const revoked = [`key.revoked ${heir.key_id}`, `key.revoked ${made.id}`];
      const removed = [`account.removed ${ada.id}`, ...revoked, `webhook.disabled ${webhook.id}`];
      assert.deepEqual(await newest(4), removed.toSorted());
    });

    test('a change of a role is a change of all their keys, and one of which nothing is left works no more', async () => {
      await owner(ada);
      await owner(bob);
      const made = keyOf(home.namespace, { account_id: bob.id, scopes: ['keys:write'] });
      await store.keys.create(made);
      const other = mailboxOf(home.namespace, 'other');
      await store.mailboxes.create(other);
      const keys = await keysOf(bob);
      assert.equal(keys.length, 2);
      const lowered = keys.map((key): Key => {
        const bound = { mailbox_id: home.mailbox.id, mailbox: 'hello', also: [other.id] };
        return key.id === made.id ? { ...key, scopes: [] } : { ...key, scopes: ['messages:read'], ...bound };
      });
      const to = { role: 'reader', mailbox_ids: [home.mailbox.id, other.id], name: 'Bob' } as const;
      assert.equal(await store.accounts.changeMember(of(bob), to, lowered, T), 'changed');
      assert.deepEqual({ ...(await member(bob)), ...to }, await member(bob));
      const [left, ...others] = await keysOf(bob);
      assert.deepEqual(
        [left?.scopes, left?.mailbox_id, left?.also, others],
        [['messages:read'], home.mailbox.id, [other.id], []],
      );
      assert.deepEqual(
        (await store.accounts.ownersOf(home.namespace.id, T)).map((one) => one.account_id),
        [ada.id],
      );
    });

    test('a change that does not know all their keys changes nothing', async () => {
      await owner(ada);
      await owner(bob);
      const keys = await keysOf(bob);
      await store.keys.create(keyOf(home.namespace, { account_id: bob.id }));
      const to = { role: 'reader', mailbox_ids: null, name: 'bob' } as const;
      const lowered = keys.map((key): Key => ({ ...key, scopes: ['messages:read'] }));
      assert.equal(await store.accounts.changeMember(of(bob), to, lowered, T), 'raced');
      assert.deepEqual(
        (await keysOf(bob)).flatMap(({ scopes }) => scopes),
        ['owner', 'owner'],
      );
    });

    test('of two owners who remove or lower each other at once one is left', async () => {
      for (let round = 0; round < 10; round++) {
        home = await world(store);
        const owners = [await owner(ada), await owner(bob)];
        const to = { role: 'reader', mailbox_ids: null, name: 'x' } as const;
        const lower = async (one: Account): Promise<string> =>
          store.accounts.changeMember(
            of(one),
            to,
            (await keysOf(one)).map((key) => ({ ...key, scopes: ['messages:read'] })),
            T,
          );
        const results = await Promise.all([
          round % 2 === 0 ? lower(ada) : store.accounts.removeMember(of(ada), undefined, T),
          store.accounts.removeMember(of(bob), undefined, T),
        ]);
        assert.equal(results.filter((one) => one === 'last').length, 1, results.join());
        assert.equal((await store.accounts.ownersOf(home.namespace.id, T)).length, 1);
        assert.equal(owners.length, 2);
      }
    });

    test('what a member made stops when they go', async () => {
      await owner(ada);
      const { key_id } = await owner(bob);
      const made = keyOf(home.namespace, { account_id: bob.id });
      await store.keys.create(made);
      assert.equal(await store.accounts.removeMember(of(bob), undefined, T), 'removed');
      for (const id of [key_id, made.id]) {
        const key = await store.keys.byId(id);
        assert.deepEqual([key?.revoked_at, key?.scopes], [T, []]);
      }
      assert.equal(await member(bob), undefined);
      assert.equal(await store.accounts.removeMember(of(bob), undefined, T), 'gone');
    });

    test('or passes to an owner, and only the key they acted by ends', async () => {
      const heir = (await store.keys.byId((await owner(ada)).key_id)) as Key;
      const { key_id } = await owner(bob);
      const made = keyOf(home.namespace, { account_id: bob.id });
      await store.keys.create(made);
      assert.equal(await store.accounts.removeMember(of(bob), heir, T), 'removed');
      assert.equal((await store.keys.byId(key_id))?.revoked_at, T);
      const passed = await store.keys.byId(made.id);
      assert.deepEqual([passed?.revoked_at, passed?.account_id], [null, ada.id]);
    });

    test('an invitation is accepted once, by one of many at once, and not after its time', async () => {
      const by = await owner(ada);
      const invitation = invitationOf(by);
      assert.equal(await store.invitations.create(invitation, 2), 'created');
      assert.equal(await store.invitations.create(invitationOf(by), 2), 'invited');
      assert.deepEqual(await store.invitations.of(home.namespace.id, T), [invitation]);
      assert.deepEqual(await store.invitations.bySha256(invitation.sha256, T), invitation);
      assert.equal(await store.invitations.bySha256(invitation.sha256, T + INVITATION_MS), undefined);
      assert.equal(await accept(invitation, bob, T + INVITATION_MS), 'gone');
      const results = await Promise.all(Array.from({ length: 10 }, () => accept(invitation, bob)));
      assert.equal(results.filter((one) => one === 'joined').length, 1, results.join());
      assert.deepEqual(
        (await keysOf(bob)).map(({ scopes }) => scopes),
        [['messages:read']],
      );
      assert.equal(await accept(invitation, ada), 'member');
      assert.deepEqual(await store.invitations.of(home.namespace.id, T), []);
    });

    test('invitations are bounded, are taken back, and end with the owner who wrote them', async () => {
      await owner(bob);
      const by = await owner(ada);
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          store.invitations.create(invitationOf(by, { address: `${at}@example.org` }), 3),
        ),
      );
      assert.equal(results.filter((one) => one === 'created').length, 3);
      assert.equal(results.filter((one) => one === 'full').length, 7);
      const [first] = await store.invitations.of(home.namespace.id, T);
      assert.equal(await store.invitations.remove(first?.id ?? '', home.namespace.id), true);
      assert.equal(await store.invitations.remove(first?.id ?? '', home.namespace.id), false);
      assert.equal(await store.accounts.removeMember(of(ada), undefined, T), 'removed');
      assert.deepEqual(await store.invitations.of(home.namespace.id, T), []);
    });

    test('a key makes no other that may do more than it may by then', async () => {
      const maker = keyOf(home.namespace, { scopes: ['keys:write', 'messages:read'] });
      await store.keys.create(maker);
      const create = (fields: Partial<Key>) =>
        store.keys.create(keyOf(home.namespace, fields), undefined, 50, maker.id);
      assert.deepEqual(await create({ scopes: ['messages:read'] }), { kind: 'created' });
      assert.deepEqual(await create({ scopes: ['owner'] }), { kind: 'full' });
      await store.keys.revoke(maker.id, home.namespace.id, T);
      assert.deepEqual(await create({ scopes: ['messages:read'] }), { kind: 'full' });
    });
  });
}
