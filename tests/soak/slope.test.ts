import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance } from '../harness/chance.ts';
import { fit, growth } from './slope.ts';

const MB = 1e6;
/** Fifteen minutes of a heap that garbage collection shrinks every 40 s, sampled every 5 s, with x in hours. */
const heap = (seed: number, leak_mb_an_hour: number) => {
  const random = chance(seed);
  return Array.from({ length: 180 }, (_, i) => {
    const x = (i * 5) / 3600;
    return { x, y: (40 + leak_mb_an_hour * x + 15 * ((i % 8) / 8) + 2 * random()) * MB };
  });
};

test('the line through points on a line is that line', () => {
  const line = fit([1, 2, 3, 4].map((x) => ({ x, y: 7 - 2 * x })));
  assert.ok(Math.abs(line.slope + 2) < 1e-9 && line.error < 1e-9, JSON.stringify(line));
});

test('a heap that only breathes does not grow, whatever the chance', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const found = growth(heap(seed, 0));
    assert.ok(!found.clear, `seed ${seed}: ${JSON.stringify(found)}`);
    assert.ok(Math.abs(found.slope) < 10 * MB, `seed ${seed}: ${JSON.stringify(found)}`);
  }
});

test('a leak of 20 MB an hour under that breathing is found, and its size', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const found = growth(heap(seed, 20));
    assert.ok(found.clear, `seed ${seed}: ${JSON.stringify(found)}`);
    assert.ok(Math.abs(found.slope - 20 * MB) < 10 * MB, `seed ${seed}: ${JSON.stringify(found)}`);
  }
});
