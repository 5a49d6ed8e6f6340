import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Claim, Store } from '../../src/core/ports/store.ts';
import type { World } from './made.ts';
import {
  accept,
  freshName,
  idempotencyOf,
  keyOf,
  mailboxOf,
  messageOf,
  namespaceOf,
  purgeAll,
  settlementOf,
  T,
  waitingOf,
  world,
} from './made.ts';

export function jobsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: jobs`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    beforeEach(async () => {
      store = await open();
      alice = await world(store);
      bob = await world(store);
    });
    afterEach(() => store[Symbol.asyncDispose]());

    const send = async (at = T, to = bob) => {
      const message = waitingOf(alice, to, { created_at: at });
      await accept(store, message);
      return message;
    };
    const claimOne = async (now: number, lease = 1000): Promise<Claim> => {
      const [claim] = await store.jobs.claim(1, now, lease);
      assert.ok(claim);
      return claim;
    };

    test('the longest due is claimed first, so many and no more, and nobody else gets it', async () => {
      const late = await send(T + 2);
      const early = await send(T + 1);
      await send(T + 100);
      const [{ message, ...first } = {} as Claim] = await store.jobs.claim(1, T + 10, 1000);
      // The message may come with the claim.
      if (message !== undefined) assert.deepEqual(message, await store.messages.byId(early.id));
      assert.deepEqual(first, { id: early.id, kind: 'handle', fence: 1, attempt: 1, subject: early.id });
      const rest = await store.jobs.claim(10, T + 10, 1000);
      assert.deepEqual(
        rest.map(({ id }) => id),
        [late.id],
      );
      assert.deepEqual(await store.jobs.claim(10, T + 10, 1000), []);
      assert.equal((await store.messages.byId(early.id))?.status, 'working');
    });

    test('two who claim at once share nothing', async () => {
      for (let i = 0; i < 10; i++) await send();
      const claims = (await Promise.all([1, 2, 3].map(() => store.jobs.claim(4, T, 1000)))).flat();
      assert.equal(claims.length, 10);
      assert.equal(new Set(claims.map(({ id }) => id)).size, 10);
    });

    test('an expired lease is claimed again, with a higher fence', async () => {
      const { id } = await send();
      const first = await claimOne(T);
      assert.equal(await store.jobs.nextDue(), T + 1000);
      assert.deepEqual(await store.jobs.claim(1, T + 999, 1000), []);
      const second = await claimOne(T + 1000);
      assert.deepEqual(second, { ...first, id, fence: 2, attempt: 2 });
      assert.equal(await store.jobs.later(first, T + 1001), false);
      assert.deepEqual(await store.jobs.renew([first], T + 9000), []);
    });

    test('a renewed lease holds on; what was lost is not among those still held', async () => {
      await send();
      await send();
      const [kept, lost] = (await store.jobs.claim(2, T, 1000)) as [Claim, Claim];
      await store.messages.cancel(lost.id, T);
      assert.deepEqual(await store.jobs.renew([kept, lost], T + 5000), [kept.id]);
      assert.deepEqual(await store.jobs.claim(2, T + 4999, 1000), []);
      assert.deepEqual(await store.jobs.renew([], T), []);
    });

    test('what is given back is due at its time, and shows as submitted until then', async () => {
      const { id } = await send();
      const claim = await claimOne(T);
      assert.equal(await store.jobs.later(claim, T + 500), true);
      assert.equal(await store.jobs.later(claim, T + 500), false);
      assert.equal((await store.messages.byId(id))?.status, 'submitted');
      assert.equal(await store.jobs.nextDue(), T + 500);
      assert.deepEqual(await store.jobs.claim(1, T + 499, 1000), []);
      assert.equal((await claimOne(T + 500)).attempt, 2);
    });

    test('pausing holds what waits and not what is worked on; resuming lets it go', async () => {
      const working = await send(T);
      await claimOne(T);
      const waiting = await send(T + 1);
      await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T + 2);
      assert.deepEqual(await store.jobs.claim(10, T + 10, 1000), []);
      assert.equal(await store.messages.settle({ id: working.id, fence: 1 }, settlementOf()), true);
      assert.equal(await store.jobs.nextDue(), undefined);
      await store.mailboxes.change(bob.mailbox.id, { status: 'online' }, T + 20);
      assert.equal(await store.jobs.nextDue(), T + 20);
      assert.equal((await claimOne(T + 20)).id, waiting.id);
    });

    test('what is given back, or whose lease runs out, while its mailbox is paused is held', async () => {
      await send();
      await send();
      const [back] = (await store.jobs.claim(2, T, 1000)) as [Claim];
      await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T);
      assert.equal(await store.jobs.later(back, T + 1), true);
      assert.deepEqual(await store.jobs.claim(10, T + 5000, 1000), []);
      assert.equal(await store.jobs.nextDue(), undefined);
      assert.equal(await store.jobs.depth(), 0);
      await store.mailboxes.change(bob.mailbox.id, { status: 'online' }, T + 6000);
      assert.equal((await store.jobs.claim(10, T + 6000, 1000)).length, 2);
    });

    test('the depth counts what is due or claimed, not what is held or for later', async () => {
      await send();
      await send();
      await send();
      const claim = await claimOne(T);
      assert.equal(await store.jobs.depth(), 3);
      await store.jobs.later(claim, T + 1e12);
      assert.equal(await store.jobs.depth(), 2);
      await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T);
      assert.equal(await store.jobs.depth(), 0);
    });

    test('jobs of a deleted mailbox are never claimed again, however many, and stand in nobody’s way', async () => {
      await Promise.all(Array.from({ length: 1200 }, () => send(T)));
      const other = mailboxOf(alice.namespace, 'other');
      await store.mailboxes.create(other);
      const living = await send(T + 1, { ...alice, mailbox: other });
      await store.namespaces.delete(bob.namespace.id, T + 2);
      const claims: Claim[] = [];
      for (let i = 0; i < 5; i++) claims.push(...(await store.jobs.claim(1, T + 2, 1000)));
      assert.deepEqual(
        claims.map(({ kind, subject }) => [kind, subject]),
        [
          ['handle', living.id],
          ['purge', `mailbox:${bob.mailbox.id}`],
          ['purge', `sender:${bob.namespace.id}`],
        ],
      );
    });

    test('a purge goes in bites until nothing is left, and a lost claim bites nothing', async () => {
      await Promise.all(Array.from({ length: 1100 }, () => accept(store, messageOf(alice, bob))));
      await store.mailboxes.delete(bob.mailbox.id, T);
      const claims = await store.jobs.claim(10, T, 1000);
      const claim = claims.find(({ subject }) => subject === `mailbox:${bob.mailbox.id}`) as Claim;
      assert.equal(claim.kind, 'purge');
      assert.equal(await store.jobs.purge({ ...claim, fence: 0 }), 'lost');
      const batches = [];
      for (let i = 0; i < 4; i++) batches.push(await store.jobs.purge(claim));
      assert.deepEqual(batches, ['more', 'more', 'done', 'lost']);
    });

    test('large messages go in smaller bites', async () => {
      const body = 'x'.repeat(500_000);
      for (let i = 0; i < 10; i++) await accept(store, messageOf(alice, bob, { body }));
      await store.namespaces.delete(bob.namespace.id, T);
      const claims = await store.jobs.claim(10, T, 1000);
      const claim = claims.find(({ subject }) => subject === `mailbox:${bob.mailbox.id}`) as Claim;
      const batches = [];
      for (let batch = ''; batch !== 'done'; batches.push(batch)) batch = await store.jobs.purge(claim);
      assert.ok(batches.length > 2 && batches.length <= 10, batches.join());
    });

    test('of a mailbox that was purged its address is left, and nothing that was said of it', async () => {
      const { namespace } = alice;
      const settings = { name: 'Ada' };
      const mailbox = mailboxOf(namespace, 'gone', { display_name: 'Ada', description: 'Her mailbox', settings });
      await store.mailboxes.create(mailbox);
      await store.mailboxes.change(mailbox.id, { behavior: 'do', settings: { a: 'b'.repeat(100) } }, T);
      await store.mailboxes.change(mailbox.id, { behavior: 'auth', settings }, T);
      const total = async () => (await store.storage.totals([namespace.id]))[0]?.bytes ?? 0;
      const counted = await total();
      await store.mailboxes.delete(mailbox.id, T + 1);
      assert.equal((await store.mailboxes.keptSettings(mailbox.id)).size, 0);
      await purgeAll(store, T + 1);
      const size = (one: object): number => Buffer.byteLength(JSON.stringify(one));
      const freed = 2 * size(settings) + size({ a: 'b'.repeat(100) });
      assert.equal(await total(), counted - freed, 'kept settings are given back too');
      const left = {
        ...mailbox,
        behavior: 'auth',
        display_name: null,
        description: '',
        settings: {},
        updated_at: T + 1,
        deleted_at: T + 1,
      };
      assert.deepEqual(await store.mailboxes.byAddress('gone', namespace.name), left);
      const successor = mailboxOf(namespace, 'gone', { description: 'Another' });
      assert.deepEqual(await store.mailboxes.create(successor), { kind: 'created' });
      assert.equal(await purgeAll(store, T + 2), 0);
      assert.deepEqual(await store.mailboxes.byId(successor.id), successor);
    });

    test('of a namespace that was purged its name is left, taken, and nothing else that anyone wrote', async () => {
      const namespace = namespaceOf(freshName(), { display_name: 'Ada' });
      const key = keyOf(namespace, { name: 'first' });
      const before = mailboxOf(namespace, 'before');
      const mailbox = mailboxOf(namespace, 'ada', { display_name: 'Ada', description: 'Hers', settings: { a: 'b' } });
      await store.namespaces.create({ namespace, key, mailboxes: [before, mailbox] });
      await store.keys.create(keyOf(namespace));
      const gone: World = { namespace, key, mailbox };
      await accept(store, messageOf(gone, bob), { idempotency: idempotencyOf(key.id, 'order-1') });
      await accept(store, messageOf(alice, bob), { idempotency: idempotencyOf(alice.key.id, 'order-1') });
      await store.mailboxes.delete(before.id, T);
      await purgeAll(store, T);
      await store.namespaces.delete(namespace.id, T + 1);
      await purgeAll(store, T + 1);
      const left = { ...namespace, display_name: null, deleted_at: T + 1 };
      assert.deepEqual(await store.namespaces.byName(namespace.name), left);
      assert.deepEqual(await store.keys.page({ namespace_id: namespace.id, revoked: true }, null, 10), {
        items: [],
        next: null,
      });
      assert.equal(await store.keys.bySha256(key.sha256), undefined);
      assert.equal(await store.idempotency(key.id, 'order-1', T), undefined);
      assert.notEqual(await store.idempotency(alice.key.id, 'order-1', T), undefined);
      for (const one of [before, mailbox]) {
        assert.equal(await store.mailboxes.byAddress(one.local_part, namespace.name), undefined);
        const { local_part, display_name, description, settings } =
          (await store.mailboxes.byId(one.id)) ?? assert.fail();
        assert.deepEqual([local_part, display_name, description, settings], ['', null, '', {}]);
      }
    });

    test('what a mailbox sent among much else is blanked in bites', async () => {
      const as = {
        sender_kind: 'mailbox',
        sender_id: alice.mailbox.id,
        from: `hello@${alice.namespace.name}`,
      } as const;
      const sent = Array.from({ length: 1100 }, (_, i) => messageOf(alice, bob, i % 100 === 99 ? as : {}));
      await Promise.all(
        sent.map((message, i) => accept(store, message, { from_mailbox_id: i % 100 === 99 ? alice.mailbox.id : null })),
      );
      await store.mailboxes.delete(alice.mailbox.id, T);
      const claims = await store.jobs.claim(10, T, 1000);
      const claim = claims.find(({ subject }) => subject === `from:${alice.mailbox.id}`) as Claim;
      const batches = [];
      for (let i = 0; i < 3; i++) batches.push(await store.jobs.purge(claim));
      assert.deepEqual(batches, ['more', 'more', 'done']);
      const last = await store.messages.byId(sent[1099]?.id as string);
      assert.deepEqual([last?.from, last?.sender_id, last?.key_id], [null, null, alice.key.id]);
      assert.equal((await store.messages.byId(sent[0]?.id as string))?.sender_id, alice.key.id);
    });

    describe('work of kind mail', () => {
      const mail = (id: string, due_at = T) =>
        store.jobs.add({ id, kind: 'mail', checkpoint: `{"id":"${id}"}`, due_at });

      test('is claimed when it is due, with what it was made with, and is gone when it is done', async () => {
        await mail('mail_1', T + 10);
        assert.equal(await store.jobs.nextDue(), T + 10);
        assert.deepEqual(await store.jobs.claim(10, T + 9, 1000), []);
        const claim = await claimOne(T + 10);
        assert.deepEqual(claim, { id: 'mail_1', kind: 'mail', fence: 1, attempt: 1, subject: 'mail_1' });
        const kept = await store.jobs.kept('mail_1');
        assert.deepEqual(kept, { checkpoint: '{"id":"mail_1"}', plan: null, decides: 'recipient', approved: false });
        assert.deepEqual([await store.jobs.done(claim), await store.jobs.done(claim)], [true, false]);
        assert.equal(await store.jobs.kept('mail_1'), undefined);
        assert.equal(await store.jobs.nextDue(), undefined);
      });

      test('of many who make it with one id at once, one is made, and is as it was', async () => {
        await Promise.all(Array.from({ length: 100 }, () => mail('mail_1')));
        await store.jobs.add({ id: 'mail_1', kind: 'mail', checkpoint: '"other"', due_at: T + 5 });
        assert.equal((await store.jobs.claim(10, T, 1000)).length, 1);
        assert.equal((await store.jobs.kept('mail_1'))?.checkpoint, '{"id":"mail_1"}');
      });

      test('is given back with what it has kept, and counts how often it was tried', async () => {
        await mail('mail_1');
        const first = await claimOne(T);
        assert.equal(await store.jobs.save(first, '{"tried":1}'), true);
        assert.equal(await store.jobs.later(first, T + 500), true);
        assert.equal(await store.jobs.done(first), false, 'it is nobody’s');
        const second = await claimOne(T + 500);
        assert.deepEqual([second.fence, second.attempt], [2, 2]);
        assert.equal((await store.jobs.kept('mail_1'))?.checkpoint, '{"tried":1}');
      });

      test('whose lease ran out is another’s, and only that one is done with it', async () => {
        await mail('mail_1');
        const lost = await claimOne(T, 10);
        const held = await claimOne(T + 10);
        assert.equal(await store.jobs.done(lost), false);
        assert.deepEqual(await store.jobs.renew([lost, held], T + 9000), ['mail_1']);
        assert.equal(await store.jobs.done(held), true);
      });

      test('is of no mailbox: it counts for none, and no pause or deletion is in its way', async () => {
        await mail('mail_1');
        assert.equal((await accept(store, waitingOf(alice, bob), { max_waiting: 1 })).kind, 'accepted');
        await store.mailboxes.change(alice.mailbox.id, { status: 'paused' }, T);
        await store.namespaces.delete(bob.namespace.id, T);
        await purgeAll(store, T - 1);
        const claims = await store.jobs.claim(10, T, 1000);
        assert.deepEqual(
          claims.filter(({ kind }) => kind === 'mail').map(({ id }) => id),
          ['mail_1'],
        );
      });

      test('nothing else is done in its way: a message is settled, not done', async () => {
        const { id } = await send();
        const claim = await claimOne(T);
        assert.equal(await store.jobs.done(claim), false);
        assert.equal((await store.messages.byId(id))?.status, 'working');
        assert.equal(await store.messages.settle(claim, settlementOf()), true);
      });
    });
  });
}
