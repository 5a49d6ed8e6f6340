import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import { type Account, MAX_PASSKEYS } from '../../core/entities/account.ts';
import { MAX_MEMBERSHIPS } from '../../core/entities/member.ts';
import type { Store } from '../../core/ports/store.ts';
import { mailboxOf, purgeAll, T, type World, world } from './made.ts';
import { accountOf, own, passkeyOf, settleIn, statesLeft } from './signed-in.ts';

const MANY = 100;
const many = <R>(act: (at: number) => Promise<R>): Promise<R[]> =>
  Promise.all(Array.from({ length: MANY }, (_, at) => act(at)));

/** Tests of accounts, passkeys and ownerships. */
export function accountsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: accounts`, () => {
    let store: Store;
    let alice: World;
    let ada: Account;
    beforeEach(async () => {
      store = await open();
      alice = await world(store);
      ada = await store.accounts.getOrPut(accountOf('ada'));
    });
    afterEach(() => store[Symbol.asyncDispose]());

    test(`of ${MANY} who come with one address at once, one becomes its account`, async () => {
      const address = 'grace@example.org';
      const made = await many((at) => store.accounts.getOrPut({ ...accountOf('grace'), address, created_at: T + at }));
      const [first] = made as [Account];
      for (const account of made) assert.deepEqual(account, first);
      assert.deepEqual(await store.accounts.byId(first.id), first);
      assert.equal(await store.accounts.byId(newId('acc', T)), undefined);
    });

    test('a namespace knows an account by one subject, another namespace by another, and each leads back', async () => {
      const bob = await world(store);
      const subjects = await many((at) => store.accounts.subject(alice.namespace.id, ada.id, `sub-${at}`));
      const [here] = subjects as [string];
      assert.deepEqual([...new Set(subjects)], [here]);
      const there = await store.accounts.subject(bob.namespace.id, ada.id, 'other');
      assert.equal(there, 'other');
      assert.equal(await store.accounts.ofSubject(alice.namespace.id, here), ada.id);
      assert.equal(await store.accounts.ofSubject(bob.namespace.id, there), ada.id);
      assert.equal(await store.accounts.ofSubject(bob.namespace.id, here), undefined);
      const all = await store.accounts.subjects(ada.id);
      assert.deepEqual(
        new Set(all.map(({ namespace_id, subject }) => `${namespace_id} ${subject}`)),
        new Set([`${alice.namespace.id} ${here}`, `${bob.namespace.id} ${there}`]),
      );
    });

    test('a subject that is somebody’s is given to nobody else', async () => {
      const grace = await store.accounts.getOrPut(accountOf('grace'));
      await store.accounts.subject(alice.namespace.id, ada.id, 'mine');
      await assert.rejects(store.accounts.subject(alice.namespace.id, grace.id, 'mine'));
      assert.equal(await store.accounts.ofSubject(alice.namespace.id, 'mine'), ada.id);
      assert.equal(await store.accounts.subject(alice.namespace.id, grace.id, 'hers'), 'hers');
    });

    test('nobody who is no more gets a subject', async () => {
      const { id } = alice.namespace;
      const gone = mailboxOf(alice.namespace, 'gone');
      await store.mailboxes.create(gone);
      await store.mailboxes.delete(gone.id, T);
      for (const account of [gone.id, newId('acc', T), newId('mbx', T)]) {
        await assert.rejects(store.accounts.subject(id, account, 'x'), { code: 'not_found' });
      }
      await store.namespaces.delete(id, T);
      await assert.rejects(store.accounts.subject(id, ada.id, 'x'), { code: 'not_found' });
    });

    describe('passkeys', () => {
      test('one is kept whole, and those of an account are listed as they were made', async () => {
        const second = passkeyOf(ada.id, { created_at: T + 2, backed_up: false, used_at: T + 3, counter: 2 ** 32 - 1 });
        const first = passkeyOf(ada.id, { created_at: T + 1 });
        const hosted = passkeyOf(alice.mailbox.id);
        for (const one of [second, first, hosted]) assert.equal(await store.accounts.addPasskey(one), 'added');
        assert.deepEqual(await store.accounts.passkeys(ada.id), [first, second]);
        assert.deepEqual(await store.accounts.passkeys(alice.mailbox.id), [hosted]);
        assert.deepEqual(await store.accounts.passkey(second.id), second);
        assert.equal(await store.accounts.passkey('unknown'), undefined);
      });

      test('one is somebody’s once, and only of an account that is there', async () => {
        const passkey = passkeyOf(ada.id);
        await store.accounts.addPasskey(passkey);
        assert.equal(await store.accounts.addPasskey(passkey), 'taken');
        assert.equal(await store.accounts.addPasskey({ ...passkey, account_id: alice.mailbox.id }), 'taken');
        assert.deepEqual(await store.accounts.passkey(passkey.id), passkey);
        assert.equal(await store.accounts.addPasskey(passkeyOf(newId('acc', T))), 'gone');
      });

      test(`of ${MANY} that are added at once an account has ${MAX_PASSKEYS}, and one that goes makes room`, async () => {
        for (const account of [ada.id, alice.mailbox.id]) {
          const results = await many(() => store.accounts.addPasskey(passkeyOf(account)));
          assert.equal(results.filter((one) => one === 'added').length, MAX_PASSKEYS);
          assert.equal(results.filter((one) => one === 'full').length, MANY - MAX_PASSKEYS);
          const [first] = await store.accounts.passkeys(account);
          assert.equal(await store.accounts.removePasskey(first?.id as string, account), true);
          assert.equal(await store.accounts.addPasskey(passkeyOf(account)), 'added');
          assert.equal(await store.accounts.addPasskey(passkeyOf(account)), 'full');
        }
      });

      test(`of ${MANY} that are one and the same one is added`, async () => {
        const passkey = passkeyOf(ada.id);
        const results = await many(() => store.accounts.addPasskey(passkey));
        assert.equal(results.filter((one) => one === 'added').length, 1);
        assert.equal(results.filter((one) => one === 'taken').length, MANY - 1);
      });

      test('its counter only grows, once a value however many come with it, and one that does not count is let be', async () => {
        const passkey = passkeyOf(ada.id);
        await store.accounts.addPasskey(passkey);
        for (const at of [T + 1, T + 2]) {
          assert.equal(await store.accounts.usedPasskey(passkey.id, 0, false, at), true);
        }
        const results = await many((at) => store.accounts.usedPasskey(passkey.id, 7, true, T + at));
        assert.equal(results.filter(Boolean).length, 1);
        for (const counter of [0, 6, 7]) {
          assert.equal(await store.accounts.usedPasskey(passkey.id, counter, false, T + 900), false);
        }
        assert.equal(await store.accounts.usedPasskey(passkey.id, 8, false, T + 1000), true);
        const left = { ...passkey, counter: 8, backed_up: false, used_at: T + 1000 };
        assert.deepEqual(await store.accounts.passkey(passkey.id), left);
        assert.equal(await store.accounts.usedPasskey('unknown', 1, true, T), false);
      });

      test('it is renamed and removed by its own account alone', async () => {
        const passkey = passkeyOf(ada.id);
        await store.accounts.addPasskey(passkey);
        assert.equal(await store.accounts.renamePasskey(passkey.id, alice.mailbox.id, 'Mine'), false);
        assert.equal(await store.accounts.removePasskey(passkey.id, alice.mailbox.id), false);
        assert.equal(await store.accounts.renamePasskey(passkey.id, ada.id, 'Phone'), true);
        assert.deepEqual(await store.accounts.passkey(passkey.id), { ...passkey, name: 'Phone' });
        assert.equal(await store.accounts.removePasskey(passkey.id, ada.id), true);
        assert.equal(await store.accounts.removePasskey(passkey.id, ada.id), false);
        assert.equal(await store.accounts.usedPasskey(passkey.id, 1, true, T), false);
      });
    });

    describe('owners of a namespace', () => {
      const revoked = async (keyId: string) => (await store.keys.byId(keyId))?.revoked_at != null;

      test('those whose key works own it, in the order they came', async () => {
        const { namespace } = alice;
        const bob = await world(store);
        const second = (await own(store, namespace, alice.mailbox.id, { created_at: T + 2 })).ownership;
        const first = (await own(store, namespace, ada.id, { created_at: T + 1 })).ownership;
        const elsewhere = (await own(store, bob.namespace, ada.id, { created_at: T + 3 })).ownership;
        const ends = (await own(store, namespace, bob.mailbox.id, { expires_at: T + 10 })).ownership;
        assert.deepEqual(await store.accounts.ownersOf(namespace.id, T + 9), [ends, first, second]);
        assert.deepEqual(await store.accounts.ownersOf(namespace.id, T + 10), [first, second]);
        assert.deepEqual(await store.accounts.membershipsOf(ada.id, T), [first, elsewhere]);
        await store.keys.revoke(first.key_id, namespace.id, T);
        assert.deepEqual(await store.accounts.ownersOf(namespace.id, T), [ends, second]);
        assert.deepEqual(await store.accounts.membershipsOf(ada.id, T), [elsewhere]);
        await store.namespaces.delete(bob.namespace.id, T);
        assert.deepEqual(await store.accounts.membershipsOf(ada.id, T), []);
        assert.deepEqual(await store.accounts.ownersOf(bob.namespace.id, T), []);
      });

      test('who comes again owns it by the new key, and the one before works no more', async () => {
        const before = (await own(store, alice.namespace, ada.id)).ownership;
        const { ownership } = await own(store, alice.namespace, ada.id, { created_at: T + 5 });
        const [now, ...others] = await store.accounts.ownersOf(alice.namespace.id, T);
        assert.deepEqual([now?.key_id, others], [ownership.key_id, []]);
        assert.deepEqual([await revoked(before.key_id), await revoked(ownership.key_id)], [true, false]);
      });

      test('of one account that comes many times at once one key is left that works', async () => {
        const results = await Promise.all(Array.from({ length: 50 }, () => own(store, alice.namespace, ada.id)));
        assert.deepEqual(new Set(results.map((one) => one.result)), new Set(['joined']));
        const [owner, ...others] = await store.accounts.ownersOf(alice.namespace.id, T);
        assert.equal(others.length, 0);
        const works = [];
        for (const { ownership } of results) if (!(await revoked(ownership.key_id))) works.push(ownership.key_id);
        assert.deepEqual(works, [owner?.key_id]);
      });

      test(`of many who come at once ${MAX_MEMBERSHIPS} own it; one whose key ended leaves its place`, async () => {
        const more = 15;
        const accounts = (await many(() => store.accounts.getOrPut(accountOf('one')))).slice(0, MAX_MEMBERSHIPS + more);
        const results = await Promise.all(accounts.map(({ id }) => own(store, alice.namespace, id)));
        assert.equal(results.filter((one) => one.result === 'joined').length, MAX_MEMBERSHIPS);
        assert.equal(results.filter((one) => one.result === 'full').length, more);
        const owned = results.find((one) => one.result === 'joined');
        const again = await own(store, alice.namespace, owned?.ownership.account_id as string);
        assert.equal(again.result, 'joined', 'who owns it already takes no other place');
        assert.equal((await own(store, alice.namespace, ada.id)).result, 'full');
        await store.keys.revoke(again.ownership.key_id, alice.namespace.id, T);
        assert.equal((await own(store, alice.namespace, ada.id)).result, 'joined');
        assert.equal((await store.accounts.ownersOf(alice.namespace.id, T)).length, MAX_MEMBERSHIPS);
      });

      test(`an account owns ${MAX_MEMBERSHIPS} namespaces and no more`, async () => {
        for (let at = 0; at < MAX_MEMBERSHIPS; at++) {
          assert.equal((await own(store, (await world(store)).namespace, ada.id)).result, 'joined');
        }
        assert.equal((await own(store, alice.namespace, ada.id)).result, 'full');
        assert.equal((await store.accounts.membershipsOf(ada.id, T)).length, MAX_MEMBERSHIPS);
      });

      test('nobody owns by a key that is not of the namespace or does not work, or owns what is gone', async () => {
        const bob = await world(store);
        const kept = (await own(store, alice.namespace, ada.id)).ownership;
        for (const key_id of [newId('key', T), bob.key.id]) {
          assert.equal(await store.accounts.join({ ...kept, key_id }), 'gone');
        }
        assert.equal((await own(store, alice.namespace, ada.id, { revoked_at: T })).result, 'gone');
        assert.equal((await own(store, alice.namespace, newId('acc', T))).result, 'gone');
        assert.deepEqual(await store.accounts.ownersOf(alice.namespace.id, T), [kept]);
        await store.namespaces.delete(bob.namespace.id, T);
        assert.equal((await own(store, bob.namespace, ada.id)).result, 'gone');
        assert.equal((await own(store, alice.namespace, bob.mailbox.id)).result, 'gone');
      });
    });

    describe('an account that goes', () => {
      test('takes with it what it signs in with, what it is known by, where it is signed in, and its keys', async () => {
        const grace = await store.accounts.getOrPut(accountOf('grace'));
        const [hers, others] = [await settleIn(store, ada.id, alice), await settleIn(store, grace.id, alice)];
        assert.equal(await store.accounts.remove(ada.id), true);
        assert.equal(await store.accounts.remove(ada.id), false);
        assert.equal(await store.accounts.byId(ada.id), undefined);
        assert.equal(await store.accounts.passkey(hers.passkey.id), undefined);
        assert.equal(await store.accounts.ofSubject(alice.namespace.id, hers.subject), undefined);
        assert.equal(await statesLeft(store, hers), 0);
        assert.notEqual((await store.keys.byId(hers.ownership.key_id))?.revoked_at, null);
        assert.deepEqual(await store.accounts.ownersOf(alice.namespace.id, T), [others.ownership]);
        assert.deepEqual(await store.accounts.passkeys(grace.id), [others.passkey]);
        assert.equal(await statesLeft(store, others), 2);
        const recreated = await store.accounts.getOrPut({ ...ada, id: newId('acc', T) });
        assert.notEqual(recreated.id, ada.id);
        assert.deepEqual(await store.accounts.subjects(recreated.id), []);
      });

      test('a mailbox is not removed as an account outside is', async () => {
        const settled = await settleIn(store, alice.mailbox.id, alice);
        assert.equal(await store.accounts.remove(alice.mailbox.id), false);
        assert.deepEqual(await store.accounts.passkey(settled.passkey.id), settled.passkey);
        assert.equal(await statesLeft(store, settled), 2);
      });

      for (const [what, deleted] of [
        ['mailbox', (by: World) => store.mailboxes.delete(by.mailbox.id, T + 1)],
        ['namespace', (by: World) => store.namespaces.delete(by.namespace.id, T + 1)],
      ] as const) {
        test(`a deleted ${what}'s account signs in nowhere from that moment, and its purge takes the rest`, async () => {
          const bob = await world(store);
          const gone = await settleIn(store, bob.mailbox.id, alice);
          const kept = await settleIn(store, alice.mailbox.id, alice);
          assert.equal(await deleted(bob), true);
          const nothing = async () => {
            assert.equal(await store.accounts.passkey(gone.passkey.id), undefined);
            assert.deepEqual(await store.accounts.passkeys(gone.account_id), []);
            assert.equal(await store.accounts.usedPasskey(gone.passkey.id, 1, true, T), false);
            assert.equal(await store.accounts.renamePasskey(gone.passkey.id, gone.account_id, 'x'), false);
            assert.equal(await store.accounts.ofSubject(alice.namespace.id, gone.subject), undefined);
            assert.deepEqual(await store.accounts.subjects(gone.account_id), []);
            assert.deepEqual(await store.accounts.ownersOf(alice.namespace.id, T), [kept.ownership]);
            assert.deepEqual(await store.accounts.membershipsOf(gone.account_id, T), []);
            assert.equal((await store.keys.byId(gone.ownership.key_id))?.revoked_at, T + 1);
            assert.equal(await store.accounts.addPasskey(passkeyOf(gone.account_id)), 'gone');
          };
          await nothing();
          await purgeAll(store, T + 1);
          await nothing();
          assert.equal(await statesLeft(store, gone), 0);
          assert.equal(await store.accounts.addPasskey({ ...gone.passkey, account_id: ada.id }), 'added');
          assert.equal(await store.accounts.ofSubject(alice.namespace.id, kept.subject), kept.account_id);
          assert.deepEqual(await store.accounts.passkeys(kept.account_id), [kept.passkey]);
          assert.equal(await statesLeft(store, kept), 2);
        });
      }
    });
  });
}
