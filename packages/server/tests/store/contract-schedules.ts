import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Effect } from '@mailroom/behavior/effect';
import type { Claim } from '../../core/ports/claim.ts';
import type { Store } from '../../core/ports/store.ts';
import { acts } from './acts.ts';
import { accept, fromMailbox, mailboxOf, opened, purgeAll, settlementOf, T, type World, waitingOf } from './made.ts';

/** Tests of schedules. */
export function schedulesContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: schedules`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    beforeEach(async () => {
      ({ store, alice, bob } = await opened(open));
    });
    afterEach(() => store[Symbol.asyncDispose]());
    const { aliceAtBob, working, settle, scheduleOf, plan, wake } = acts(() => ({ store, alice, bob }));

    test('what is planned is told as it was planned, the next due first', async () => {
      const later = await plan(scheduleOf({ next_at: T + 2000, from_mailbox_id: alice.mailbox.id }));
      const idempotency = await plan(scheduleOf({ rule: null, data: null }));
      assert.deepEqual(await store.schedules.byId(later.id), later);
      assert.deepEqual(await store.schedules.of(aliceAtBob(), 10), [idempotency, later]);
      assert.deepEqual(await store.schedules.of(aliceAtBob(), 1), [idempotency]);
      assert.equal(await store.schedules.count(aliceAtBob()), 2);
      assert.equal(await store.jobs.nextDue(), T + 1000);
      assert.deepEqual(await store.jobs.claim(10, T + 999, 1000), []);
    });

    test('a schedule is the settled message’s sender’s, whatever it says itself', async () => {
      const { id } = scheduleOf();
      await plan(scheduleOf({ id, owner: `key:${bob.key.id}`, mailbox_id: alice.mailbox.id }));
      assert.deepEqual(await store.schedules.byId(id), {
        ...scheduleOf(),
        ...(await store.schedules.byId(id)),
        ...aliceAtBob(),
      });
      assert.equal(await store.schedules.count(aliceAtBob()), 1);
    });

    test('of two nodes that claim a due schedule one gets it', async () => {
      const { id } = await plan(scheduleOf());
      const claims = (await Promise.all([1, 2, 3].map(() => store.jobs.claim(4, T + 1000, 1000)))).flat();
      assert.deepEqual(claims, [{ id, kind: 'schedule', fence: 1, attempt: 1, subject: id }]);
    });

    test('a schedule that ran is due at its next time, as if for the first time', async () => {
      const schedule = await plan(scheduleOf());
      const first = await wake(T + 1000);
      assert.equal(await store.schedules.ran(first, T + 9000, T + 1001), true);
      assert.deepEqual(await store.schedules.byId(schedule.id), {
        ...schedule,
        next_at: T + 9000,
        last_at: T + 1001,
      });
      assert.equal(await store.jobs.nextDue(), T + 9000);
      assert.equal(await store.schedules.ran(first, T + 99_000, T + 1002), false, 'twice');
      assert.equal((await store.schedules.byId(schedule.id))?.next_at, T + 9000);
      const second = await wake(T + 9000);
      assert.deepEqual([second.attempt, second.fence], [1, 2]);
    });

    test('a schedule that ran for the last time is gone with its job', async () => {
      const { id } = await plan(scheduleOf());
      const claim = await wake(T + 1000);
      assert.equal(await store.schedules.ran(claim, null, T + 1001), true);
      assert.equal(await store.schedules.byId(id), undefined);
      assert.equal(await store.schedules.count(aliceAtBob()), 0);
      assert.equal(await store.jobs.nextDue(), undefined);
      assert.equal(await store.schedules.ran(claim, null, T + 1001), false);
    });

    test('who lost the claim of a schedule changes nothing of it', async () => {
      const schedule = await plan(scheduleOf());
      const lost = await wake(T + 1000);
      const held = await wake(T + 2000);
      assert.equal(await store.schedules.ran(lost, null, T + 2001), false);
      assert.equal(await store.schedules.ran(lost, T + 9000, T + 2001), false);
      assert.deepEqual(await store.schedules.byId(schedule.id), schedule);
      assert.equal(await store.schedules.ran(held, T + 5000, T + 2001), true);
    });

    test('a schedule that breaks is due again later, and a lease that runs out too', async () => {
      await plan(scheduleOf());
      assert.equal(await store.jobs.later(await wake(T + 1000), T + 3000), true);
      assert.deepEqual(await store.jobs.claim(1, T + 2999, 1000), []);
      assert.equal((await wake(T + 3000)).attempt, 2);
      assert.equal((await wake(T + 4000)).attempt, 3);
    });

    test('only its owner removes a schedule, in the mailbox where it is', async () => {
      const { id } = await plan(scheduleOf());
      const unschedule: Effect = { kind: 'unschedule', id };
      assert.equal(await settle([unschedule], {}, bob), true);
      assert.equal(await settle([unschedule], fromMailbox(alice)), true);
      const other = mailboxOf(bob.namespace, 'other');
      await store.mailboxes.create(other);
      const elsewhere = await working(alice, { ...bob, mailbox: other });
      assert.equal(await store.messages.settle({ id: elsewhere.id, fence: 1 }, settlementOf(), [unschedule]), true);
      assert.equal(await store.jobs.nextDue(), T + 1000);
      assert.equal(await store.schedules.count(aliceAtBob()), 1);
      const claim = await wake(T + 1000);
      assert.equal(await settle([unschedule]), true);
      assert.equal(await store.schedules.count(aliceAtBob()), 0);
      assert.equal(await store.schedules.ran(claim, T + 9000, T + 1001), false, 'gone while it ran');
      assert.equal(await store.jobs.nextDue(), undefined);
    });

    test('an effect that names a message’s job removes nothing of it', async () => {
      const waits = waitingOf(alice, bob);
      await accept(store, waits);
      await settle([{ kind: 'unschedule', id: waits.id }]);
      assert.equal(await store.handlings.nextDue(), T);
    });

    test('a paused mailbox’s schedules go on, and count for nothing that waits in it', async () => {
      await plan(scheduleOf());
      await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T + 1);
      await store.mailboxes.change(bob.mailbox.id, { status: 'online' }, T + 2);
      assert.equal(await store.jobs.nextDue(), T + 1000);
      assert.equal((await accept(store, waitingOf(alice, bob), { max_waiting: 1 })).kind, 'accepted');
    });

    test('a deleted mailbox’s schedules never wake: nobody finds them, and the purge takes them with their jobs', async () => {
      const { id } = await plan(scheduleOf());
      await plan(scheduleOf({ next_at: T + 1001 }));
      await store.mailboxes.delete(bob.mailbox.id, T + 1);
      assert.equal(await store.schedules.byId(id), undefined);
      await purgeAll(store, T + 1);
      assert.equal(await store.schedules.count(aliceAtBob()), 0);
      assert.equal(await store.jobs.nextDue(), undefined);
    });

    test('what a deleted namespace planned is found by nobody', async () => {
      const { id } = await plan(scheduleOf());
      await store.namespaces.delete(alice.namespace.id, T + 1);
      assert.equal(await store.schedules.byId(id), undefined);
      const claim = (await store.jobs.claim(10, T + 1000, 1000)).find(({ kind }) => kind === 'schedule') as Claim;
      assert.equal(await store.schedules.ran(claim, null, T + 1001), true);
      assert.equal(await store.schedules.count(aliceAtBob()), 0);
    });
  });
}
