import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Health } from '../../core/reports/health.ts';

const DAY = 86_400_000;
const storage = () => Promise.reject(new Error('away'));

test('many who ask within a second cost one write', async () => {
  let writes = 0;
  const health = new Health({
    damaged: () => false,
    storage,
    clock: Date.now,
    waiting: async () => [],
    probe: async () => {
      writes++;
    },
  });
  const checks = await Promise.all([health.check(), health.check(), health.check()]);
  await health.check();
  assert.equal(writes, 1);
  assert.ok(checks.every((check) => check.writes));
});

test('a write that fails is no write, and is remembered for a day', async () => {
  let now = DAY * 20_000;
  const health = new Health({
    damaged: () => false,
    storage,
    clock: () => now,
    waiting: () => Promise.reject(new Error('away')),
    probe: () => Promise.reject(new Error('away')),
  });
  assert.deepEqual(await health.check(), { writes: false, damaged: false, checked_at: now });
  assert.equal(await health.waiting(), undefined);
  assert.equal(await health.storage(), undefined);
  health.note('background');
  health.note('background');
  assert.deepEqual(health.recent(), [
    { kind: 'write', count: 1, last_at: now },
    { kind: 'background', count: 2, last_at: now },
  ]);
  now += DAY;
  assert.deepEqual(health.recent(), []);
});

test('what waits to leave is read once however many ask within a second', async () => {
  let reads = 0;
  const backlog = { kind: 'mail', count: 2, oldest_at: DAY } as const;
  const health = new Health({
    damaged: () => false,
    storage,
    clock: Date.now,
    probe: async () => {},
    waiting: async () => {
      reads++;
      return [backlog];
    },
  });
  assert.deepEqual(await Promise.all([health.waiting(), health.waiting()]), [[backlog], [backlog]]);
  await health.waiting();
  assert.equal(reads, 1);
});
