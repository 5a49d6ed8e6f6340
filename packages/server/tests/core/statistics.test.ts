import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR } from '@mailroom/behavior/values/clock';
import { Statistics } from '../../core/reports/statistics.ts';
import { Histogram } from '../../core/values/histogram.ts';
import { accept, mailboxOf, messageOf, settlementOf, waitingOf, world } from '../store/made.ts';
import { newFile, openFile, T, TestClock } from './house.ts';

async function open() {
  const clock = new TestClock();
  const store = await openFile(newFile(), clock);
  return { clock, store, one: await world(store), statistics: new Statistics({ store, clock: clock.read }) };
}

test('quantiles are exact for small numbers and within a hundredth for large ones', () => {
  const histogram = new Histogram();
  for (let i = 1; i <= 100; i++) histogram.add(i);
  assert.deepEqual([histogram.quantile(0.5), histogram.quantile(0.95), histogram.count], [50, 95, 100]);
  for (const value of [0, 127, 128, 129, 255, 256, 1_000, 65_537, 3_600_000, 2 ** 40]) {
    const one = new Histogram();
    one.add(value, 3);
    const found = one.quantile(0.5) as number;
    assert.ok(Math.abs(found - value) <= value / 100, `${value} → ${found}`);
  }
  assert.equal(new Histogram().quantile(0.5), null);
});

test('hours and days hold what arrived, what failed and how long answers took', async () => {
  const { clock, store, one, statistics } = await open();
  await using _store = store;
  const now = T + 30 * 60_000;
  clock.now = now;
  const settledAgo = (ago: number, took: number) => ({ created_at: now - ago - took, settled_at: now - ago });
  for (const took of [10, 20, 30]) await accept(store, messageOf(one, one, settledAgo(60_000, took)));
  await accept(store, messageOf(one, one, { ...settledAgo(2 * HOUR, 5), status: 'failed', reply: null }));
  await accept(store, messageOf(one, one, settledAgo(3 * DAY, 40)));
  await accept(store, messageOf(one, one, settledAgo(40 * DAY, 40)));
  const waits = waitingOf(one, one, { created_at: now - 50 });
  await accept(store, waits, { leased_until: now + HOUR });
  await store.messages.settle({ id: waits.id, fence: 1 }, settlementOf({ settled_at: now, status: 'input_required' }));
  const id = one.namespace.id;
  const day = await statistics.of(id, '24h');
  assert.equal(day.buckets.length, 24);
  assert.deepEqual(day.buckets.at(-1), {
    from: T,
    to: T + HOUR,
    arrived: 4,
    failed: 0,
    answered: 4,
    median_ms: 20,
    p95_ms: 50,
  });
  assert.deepEqual(day.buckets.at(-3), { ...day.buckets.at(-3), arrived: 1, failed: 1, answered: 0, median_ms: null });
  assert.deepEqual(day.total, { arrived: 5, failed: 1, answered: 4, median_ms: 20, p95_ms: 50 });
  assert.deepEqual(day.mailboxes, [{ mailbox_id: one.mailbox.id, ...day.total }]);
  const month = await statistics.of(id, '30d');
  assert.equal(month.buckets.length, 30);
  assert.equal(month.buckets[0]?.from, Math.floor(now / DAY) * DAY - 29 * DAY);
  assert.deepEqual([month.total.arrived, month.buckets.at(-4)?.arrived], [6, 1]);
});

test('what comes later is counted once, the span moves on, and of a deleted mailbox nothing is left', async () => {
  const { clock, store, one, statistics } = await open();
  await using _store = store;
  const second = mailboxOf(one.namespace, 'second');
  await store.mailboxes.create(second);
  const id = one.namespace.id;
  const arrived = async (mailboxId?: string) =>
    (await statistics.of(id, '24h', mailboxId === undefined ? undefined : [mailboxId])).total.arrived;
  assert.equal(await arrived(), 0);
  for (let i = 0; i < 20; i++) await accept(store, messageOf(one, i % 4 ? one : { ...one, mailbox: second }));
  assert.deepEqual(await Promise.all([arrived(), arrived(second.id), arrived()]), [20, 5, 20]);
  await accept(store, messageOf(one, one));
  assert.equal(await arrived(), 21);
  await store.mailboxes.delete(second.id, T);
  assert.equal(await arrived(), 16);
  clock.pass(DAY - HOUR);
  assert.equal(await arrived(), 16);
  clock.pass(2 * HOUR);
  assert.equal(await arrived(), 0);
});
