import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { DAY, HOUR, MINUTE } from '@mailroom/behavior/values/clock';
import { type Allowance, LocalLimiter, type Policy } from '../../core/values/limits.ts';
import { type Counters, limiterOf } from '../../core/values/shared-limits.ts';

const START = Date.parse('2026-11-20T08:00:00.000Z');
const SENDS: Policy = { name: 'sends', what: 'sends', quota: 600, window_ms: MINUTE, burst: 100, kind: 'bucket' };
const TRIES: Policy = { name: 'day', what: 'try-outs', quota: 100, window_ms: DAY, burst: 100, kind: 'day' };

/** Several nodes that share a bucket per caller, at a time that the test sets; the bucket answers a turn later. */
function nodes(count: number, policy: Policy) {
  let now = START;
  const clock = (): number => now;
  const bucket = new LocalLimiter(policy, clock);
  const held = (caller: string): number => {
    const { allowed, remaining } = bucket.take(caller);
    if (allowed) bucket.refund(caller);
    return allowed ? remaining + 1 : 0;
  };
  let requestCount = 0;
  let broken = false;
  const counters: Counters = {
    async take(_policy, caller, tokens) {
      requestCount++;
      await turn();
      if (broken) throw new Error('out of reach');
      let granted = 0;
      while (granted < tokens && bucket.take(caller).allowed) granted++;
      return { granted, level: held(caller) * policy.window_ms };
    },
    async refund(_policy, caller) {
      bucket.refund(caller);
    },
  };
  const all = Array.from({ length: count }, () => limiterOf(policy, clock, counters));
  return {
    all,
    held,
    asked: () => requestCount,
    after: (ms: number): void => {
      now += ms;
    },
    breakOff: (): void => {
      broken = true;
    },
  };
}

const allowed = (all: readonly Allowance[]): number => all.filter((one) => one.allowed).length;

test('many at once on one node spend the whole bucket and not one more', async () => {
  for (const many of [20, 100, 130]) {
    const { all } = nodes(1, SENDS);
    const answers = await Promise.all(Array.from({ length: many }, async () => all[0]?.take('ada') as Allowance));
    assert.equal(allowed(answers), Math.min(many, 100));
    for (const { allowed: one, remaining } of answers) assert.ok(one || remaining === 0, 'what is left is not refused');
  }
});

test('many at once on one node leave the others all but a twentieth of what they did not spend', async () => {
  const { all, held } = nodes(3, SENDS);
  const answers = await Promise.all(Array.from({ length: 40 }, async () => all[0]?.take('ada') as Allowance));
  assert.equal(allowed(answers), 40);
  assert.ok(held('ada') >= 100 - 40 - 5, `${held('ada')} are left`);
});

test('who comes now and then has the whole of a day, on however many nodes', async () => {
  const { all, after } = nodes(3, TRIES);
  let count = 0;
  for (let i = 0; i < 150; i++) {
    if ((await all[i % 3]?.take('ada'))?.allowed) count++;
    after(10 * MINUTE - HOUR / 12);
  }
  assert.equal(count, 100);
});

test('who keeps a little below the quota is never refused, on however many nodes', async () => {
  for (const count of [1, 3, 5]) {
    const { all, after } = nodes(count, SENDS);
    let refused = 0;
    for (let i = 0; i < 3000; i++) {
      if (!(await all[i % count]?.take('ada'))?.allowed) refused++;
      after(125);
    }
    assert.equal(refused, 0, `${count} nodes`);
  }
});

test('who is quick makes a node ask once for several', async () => {
  const { all, asked, after } = nodes(1, SENDS);
  for (let i = 0; i < 90; i++) {
    assert.ok((await all[0]?.take('ada'))?.allowed);
    after(2);
  }
  assert.ok(asked() <= 25, `${asked()} times for 90`);
});

test('a caller who was refused before the clock went back is allowed when the bucket has filled up', async () => {
  const { all, after } = nodes(1, SENDS);
  const [node] = all;
  after(2 * HOUR);
  for (let i = 0; i < 100; i++) await node?.take('ada');
  assert.equal((await node?.take('ada'))?.allowed, false);
  after(-2 * HOUR);
  await node?.take('ada');
  after(SENDS.window_ms);
  assert.equal((await node?.take('ada'))?.allowed, true);
});

test('while counters cannot be reached everyone who waits for them is told, and the next one asks again', async () => {
  const { all, breakOff, asked } = nodes(1, SENDS);
  breakOff();
  const answers = await Promise.allSettled(Array.from({ length: 5 }, async () => all[0]?.take('ada')));
  assert.deepEqual(new Set(answers.map((one) => one.status)), new Set(['rejected']));
  const before = asked();
  await assert.rejects(async () => all[0]?.take('ada'), /out of reach/);
  assert.equal(asked(), before + 1);
});
