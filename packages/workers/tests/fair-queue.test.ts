import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue } from '../fair-queue.ts';

const all = <T>(queue: FairQueue<T>): T[] => {
  const taken: T[] = [];
  for (let one = queue.shift(); one !== undefined; one = queue.shift()) taken.push(one);
  return taken;
};

test('callers take turns, however much one has waiting, each in its own order', () => {
  const queue = new FairQueue<string>();
  for (let at = 1; at <= 4; at++) queue.push('a', `a${at}`);
  queue.push('b', 'b1');
  queue.push('c', 'c1');
  queue.push('b', 'b2');
  assert.equal(queue.size, 7);
  assert.deepEqual(all(queue), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  assert.equal(queue.size, 0);
});

test('a caller that may not is passed over, and keeps its turn', () => {
  const queue = new FairQueue<string>();
  for (const one of ['a1', 'a2', 'b1', 'b2']) queue.push(one.charAt(0), one);
  assert.equal(
    queue.shift((caller) => caller !== 'a'),
    'b1',
  );
  assert.equal(
    queue.shift(() => false),
    undefined,
  );
  assert.deepEqual(all(queue), ['a1', 'b2', 'a2']);
});

test('what is removed waits no more, and an order holds within one caller', () => {
  const queue = new FairQueue<number>((one, other) => one < other);
  for (const one of [3, 1, 2, 1]) queue.push('a', one);
  assert.equal(queue.remove('a', 2), true);
  assert.equal(queue.remove('a', 2), false);
  assert.equal(queue.remove('b', 1), false);
  assert.equal(queue.sizeOf('a'), 3);
  assert.deepEqual(all(queue), [1, 1, 3]);
});

test('however many callers have long items, one with short items goes before them, until they have waited', () => {
  let now = 0;
  const queue = new FairQueue<string>(undefined, () => now);
  const long = Array.from({ length: 9 }, (_, at) => `l${at}`);
  for (const caller of long) queue.charge(caller, 5_000);
  for (const caller of long) queue.push(caller, caller);
  queue.served('s');
  queue.push('s', 's1');
  assert.equal(queue.shift(), 's1');
  queue.charge('s', 20);
  queue.push('s', 's2');
  assert.equal(queue.shift(), 's2');
  queue.push('s', 's3');
  now += 5 * 60_000;
  assert.deepEqual(all(queue), [...long, 's3']);
});
