import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Claim } from '../../core/ports/claim.ts';
import type { Store } from '../../core/ports/store.ts';
import {
  held,
  home,
  newFile,
  openFile,
  openHouse,
  reply,
  settledOf,
  submission,
  T,
  TestClock,
  until,
  waiting,
} from './house.ts';

const withJobs = (store: Store, jobs: Partial<Store['jobs']>, handlings: Partial<Store['handlings']> = {}): Store => ({
  ...store,
  jobs: { ...store.jobs, ...jobs },
  handlings: { ...store.handlings, ...handlings },
  [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
});

describe('cancel', () => {
  test('a message that waits in line is never handled', async () => {
    await using house = await openHouse({ dispatch: { max: 1 } });
    const alice = await home(house);
    const slow = held();
    house.handle = slow.handle;
    const { message: running } = await house.post.send(submission(alice, alice));
    const { message: queued } = await house.post.send(submission(alice, alice));
    await slow.begun;
    const waits = house.post.settled(queued.id, waiting());
    const canceled = await house.post.cancel(queued);
    assert.deepEqual([canceled.status, canceled.settled_at, canceled.reply], ['canceled', T, null]);
    assert.equal((await waits)?.status, 'canceled');
    slow.release();
    await settledOf(house, running.id);
    await until(() => house.dispatch.idle);
    assert.equal(house.handled, 1);
  });

  test('a running one is aborted, who waits is woken, its late outcome is not kept', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const slow = held(reply('Too late.'));
    house.handle = slow.handle;
    const sent = house.post.send(submission(alice, alice), waiting());
    const { id } = await slow.begun;
    await until(async () => (await house.store.messages.byId(id))?.status === 'working' && house.bus.size === 1);
    const message = await house.store.messages.byId(id);
    assert.ok(message);
    const canceled = await house.post.cancel(message);
    assert.equal(canceled.status, 'canceled');
    assert.ok(slow.signal().aborted);
    assert.equal((await sent).message.status, 'canceled');
    slow.release();
    await until(() => house.dispatch.running === 0);
    assert.deepEqual({ ...(await house.store.messages.byId(id)) }, { ...canceled });
  });

  test('frees the place of a run that does not heed its signal', async () => {
    await using house = await openHouse({ dispatch: { max: 1 } });
    const alice = await home(house);
    const slow = held();
    house.handle = slow.handle;
    const { message } = await house.post.send(submission(alice, alice));
    await slow.begun;
    await house.post.cancel(message);
    house.handle = () => reply('Next.');
    const next = await house.post.send(submission(alice, alice));
    assert.equal((await settledOf(house, next.message.id)).reply?.body, 'Next.');
  });

  test('a settled message stays as it is', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const { message } = await house.post.send(submission(alice, alice), waiting());
    house.clock.pass(1000);
    assert.deepEqual({ ...(await house.post.cancel(message)) }, { ...message });
    // The caller read it before it settled.
    assert.deepEqual({ ...(await house.post.cancel({ ...message, status: 'working' })) }, { ...message });
  });

  test('of many cancels and one settlement at once exactly one wins', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    for (let i = 0; i < 20; i++) {
      const slow = held();
      house.handle = slow.handle;
      const { message } = await house.post.send(submission(alice, alice));
      await slow.begun;
      if (i % 2 === 0) slow.release();
      const answers = await Promise.all(Array.from({ length: 5 }, () => house.post.cancel(message)));
      slow.release();
      await until(() => house.dispatch.running === 0);
      const last = await house.store.messages.byId(message.id);
      assert.ok(last?.settled_at !== null);
      for (const answer of answers) assert.equal(answer.status, last?.status);
    }
  });
});

describe('a lease', () => {
  test('is renewed as long as its run goes on', async () => {
    await using house = await openHouse({ dispatch: { lease_ms: 60 } });
    const alice = await home(house);
    const slow = held(reply('In the end.'));
    house.handle = slow.handle;
    const { message } = await house.post.send(submission(alice, alice));
    await slow.begun;
    for (let i = 0; i < 5; i++) {
      const due = await house.store.handlings.nextDue();
      house.clock.pass(30);
      await until(async () => ((await house.store.handlings.nextDue()) ?? 0) > (due ?? 0));
    }
    assert.equal(house.clock.now, T + 150);
    house.dispatch.checkDue();
    await until(() => house.dispatch.idle);
    slow.release();
    assert.equal((await settledOf(house, message.id)).reply?.body, 'In the end.');
    assert.equal(house.handled, 1);
  });

  test('that another took ends the run, whose outcome is not kept', async () => {
    const clock = new TestClock();
    const store = await openFile(newFile(), clock);
    await using _ = store;
    await using house = await openHouse({ store, clock, dispatch: { lease_ms: 60, poll_ms: 100_000 } });
    const alice = await home(house);
    const slow = held(reply('The first’s.'));
    house.handle = slow.handle;
    const { message } = await house.post.send(submission(alice, alice));
    await slow.begun;
    // The event loop was blocked for so long that another node took over.
    clock.pass(60);
    const [taken] = (await store.handlings.claim(1, clock.now, 100_000)) as [Claim];
    assert.deepEqual([taken.id, taken.fence, taken.attempt], [message.id, 2, 2]);
    await until(() => slow.signal().aborted);
    slow.release();
    await until(() => house.dispatch.running === 0);
    assert.equal((await store.messages.byId(message.id))?.status, 'working');
    const settlement = { error_code: null, error_message: null, settled_at: clock.now };
    assert.ok(
      await store.messages.settle(taken, {
        ...settlement,
        status: 'completed',
        reply: { body: 'The other’s.', data: null },
      }),
    );
    assert.equal((await store.messages.byId(message.id))?.reply?.body, 'The other’s.');
  });

  test('that ran out here is taken anew here: the older run is aborted, the newer one kept and renewed', async () => {
    let renews = true;
    await using house = await openHouse({
      dispatch: { lease_ms: 60, poll_ms: 1 },
      wrap: (store) =>
        withJobs(
          store,
          {},
          {
            renew: async (claims, until) =>
              renews ? store.handlings.renew(claims, until) : claims.map(({ id }) => id),
          },
        ),
    });
    const alice = await home(house);
    const [first, second] = [held(reply('First.')), held(reply('Second.'))];
    house.handle = (message, context) => (house.handled === 1 ? first : second).handle(message, context);
    const { message } = await house.post.send(submission(alice, alice));
    await first.begun;
    // The renewals do not reach the store for longer than the lease.
    renews = false;
    house.clock.pass(61);
    await second.begun;
    renews = true;
    assert.ok(first.signal().aborted);
    first.release();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(house.dispatch.running, 1);
    for (let i = 0; i < 4; i++) {
      const due = await house.store.handlings.nextDue();
      house.clock.pass(30);
      await until(async () => ((await house.store.handlings.nextDue()) ?? 0) > (due ?? 0));
    }
    second.release();
    assert.equal((await settledOf(house, message.id)).reply?.body, 'Second.');
    assert.equal(house.handled, 2);
  });
});
