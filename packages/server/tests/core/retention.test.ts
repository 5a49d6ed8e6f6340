import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '@mailroom/behavior/values/clock';
import { retainDeliveries, retainMessages } from '../../core/maintenance/retention.ts';
import type { Store } from '../../core/ports/store.ts';
import type { BatchJob } from '../../core/values/batch-job.ts';
import { deliveryOf } from '../store/contract-deliveries.ts';
import { accept, messageOf, settlementOf, type World, waitingOf, world } from '../store/made.ts';
import { newFile, openFile, T, TestClock } from './house.ts';

const KEPT = 30 * DAY;

async function open(): Promise<
  AsyncDisposable & { store: Store; clock: TestClock; alice: World; retention: BatchJob }
> {
  const clock = new TestClock();
  const store = await openFile(newFile(), clock);
  const retention = retainMessages({ store, clock: clock.read }, KEPT);
  const alice = await world(store);
  return {
    store,
    clock,
    alice,
    retention,
    async [Symbol.asyncDispose]() {
      await retention[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

const idsOf = (store: Store, { mailbox }: World): Promise<readonly string[]> =>
  store.messages.idsOf({ mailbox_id: mailbox.id }, '', '~', 1000);

test('what settled longer ago than it is kept goes, also when there is much of it, and the rest stays', async () => {
  await using house = await open();
  const { store, clock, alice, retention } = house;
  const timeOf = (i: number): number => T + i * 1000;
  const sent = Array.from({ length: 350 }, (_, i) =>
    messageOf(alice, alice, { created_at: timeOf(i), settled_at: timeOf(i) }),
  );
  await Promise.all(sent.map((message) => accept(store, message)));
  clock.now = timeOf(250) + KEPT;
  await retention.run();
  assert.deepEqual(
    await idsOf(store, alice),
    sent.slice(250).map(({ id }) => id),
  );
  clock.now = timeOf(300) + KEPT;
  await retention.run();
  assert.equal((await idsOf(store, alice)).length, 50);
});

test('what waited for long and settled late goes when its own time has come, and not before', async () => {
  await using house = await open();
  const { store, clock, alice, retention } = house;
  const held = waitingOf(alice, alice);
  const forever = waitingOf(alice, alice);
  await accept(store, held, { leased_until: T + 1e12 });
  await accept(store, forever);
  const settled = messageOf(alice, alice, { created_at: T + DAY, settled_at: T + DAY });
  await accept(store, settled);
  clock.now = T + KEPT + 2 * DAY;
  await retention.run();
  assert.deepEqual(await idsOf(store, alice), [held.id, forever.id]);
  await store.messages.settle({ id: held.id, fence: 1 }, settlementOf({ settled_at: clock.now }));
  clock.pass(KEPT);
  await retention.run();
  assert.deepEqual(await idsOf(store, alice), [held.id, forever.id]);
  clock.pass(1);
  await retention.run();
  // Within the day it continues after the last id; the next day it examines everything again.
  clock.pass(DAY);
  await retention.run();
  assert.deepEqual(await idsOf(store, alice), [forever.id]);
});

test('what still waits is looked at once a day, however often there is something to do', async () => {
  await using house = await open();
  const { store, clock, alice } = house;
  for (let i = 0; i < 150; i++) await accept(store, waitingOf(alice, alice));
  let batches = 0;
  const counted: Store = {
    ...store,
    messages: {
      ...store.messages,
      retire: (...args) => {
        batches++;
        return store.messages.retire(...args);
      },
    },
  };
  await using retention = retainMessages({ store: counted, clock: clock.read }, KEPT);
  clock.now = T + KEPT + DAY;
  await retention.run();
  const first = batches;
  assert.ok(first > 1);
  for (let i = 0; i < 10; i++) {
    clock.pass(1000);
    await retention.run();
  }
  assert.equal(batches, first + 10, 'one bite each, that finds nothing more');
  clock.pass(DAY);
  await retention.run();
  assert.equal(batches, first + 10 + first);
});

test('one bite at a time: who asks meanwhile is not in its way, and a stop waits for the bite alone', async () => {
  await using house = await open();
  const { store, clock, alice } = house;
  for (let i = 0; i < 500; i++) await accept(store, messageOf(alice, alice));
  let under = 0;
  let max = 0;
  const watched: Store = {
    ...store,
    messages: {
      ...store.messages,
      async retire(...args) {
        max = Math.max(max, ++under);
        const done = await store.messages.retire(...args);
        under--;
        return done;
      },
    },
  };
  const retention = retainMessages({ store: watched, clock: clock.read }, KEPT);
  clock.now = T + KEPT + DAY;
  const running = retention.run();
  await Promise.all([retention.run(), retention.run()]);
  assert.equal((await idsOf(store, alice)).length, 500, 'they did not wait');
  await retention[Symbol.asyncDispose]();
  await running;
  assert.deepEqual([max, under], [1, 0]);
  const left = (await idsOf(store, alice)).length;
  assert.ok(left > 0 && left < 500, `${left}`);
  await retention.run();
  assert.equal((await idsOf(store, alice)).length, left);
});

test('deliveries that ended go when their time has come, also when there are many, and those that wait stay', async () => {
  await using house = await open();
  const { store, clock } = house;
  const deliveries = Array.from({ length: 250 }, () => deliveryOf());
  for (const delivery of deliveries) await store.deliveries.add(delivery);
  const claims = await store.deliveries.claim(
    deliveries.slice(0, 240).map(({ id }) => id),
    T,
    1000,
  );
  for (const claim of claims) await store.deliveries.sent(claim, T);
  await using retention = retainDeliveries({ store, clock: clock.read }, KEPT);
  const remaining = async () => {
    const found = await Promise.all(deliveries.map(({ id }) => store.deliveries.byId(id)));
    return found.filter((one) => one !== undefined).map(({ status }) => status);
  };
  clock.now = T + KEPT;
  await retention.run();
  assert.equal((await remaining()).length, 250);
  clock.pass(1);
  await retention.run();
  assert.deepEqual(
    await remaining(),
    Array.from({ length: 10 }, () => 'queued'),
  );
});
