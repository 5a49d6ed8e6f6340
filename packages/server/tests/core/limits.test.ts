import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE } from '@mailroom/behavior/values/clock';
import fc from 'fast-check';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { LocalLimiter, type Policy } from '../../core/values/limits.ts';
import { T, TestClock } from './house.ts';

const SENDS: Policy = {
  name: 'sends',
  what: 'sends',
  quota: 600,
  window_ms: MINUTE,
  burst: 100,
  kind: 'bucket',
};
const DAILY: Policy = {
  name: 'daily',
  what: 'daily',
  quota: 100,
  window_ms: DAY,
  burst: 100,
  kind: 'day',
};

const taken = (limiter: LocalLimiter, caller: string, max = 1_000_000): number => {
  let count = 0;
  while (count < max && limiter.take(caller).allowed) count++;
  return count;
};

test('a burst is allowed at once and no more', () => {
  const limiter = new LocalLimiter(SENDS, () => T);
  assert.deepEqual(limiter.take('a'), { policy: SENDS, allowed: true, remaining: 99, reset_ms: 100 });
  assert.equal(taken(limiter, 'a'), 99);
  assert.deepEqual(limiter.take('a'), { policy: SENDS, allowed: false, remaining: 0, reset_ms: 100 });
});

test('callers do not count against one another', () => {
  const limiter = new LocalLimiter(SENDS, () => T);
  assert.equal(taken(limiter, 'a'), 100);
  assert.equal(taken(limiter, 'b'), 100);
});

test('it refills steadily, up to the burst', () => {
  const clock = new TestClock();
  const limiter = new LocalLimiter(SENDS, clock.read);
  taken(limiter, 'a');
  clock.pass(1000);
  assert.equal(taken(limiter, 'a'), 10);
  clock.pass(DAY);
  assert.equal(taken(limiter, 'a'), 100);
});

test('being refused costs nothing', () => {
  const clock = new TestClock();
  const limiter = new LocalLimiter(SENDS, clock.read);
  taken(limiter, 'a');
  for (let i = 0; i < 1000; i++) assert.ok(!limiter.take('a').allowed);
  clock.pass(100);
  assert.ok(limiter.take('a').allowed);
});

test('in the long run the quota holds, however it is asked for', () => {
  const clock = new TestClock();
  const limiter = new LocalLimiter(SENDS, clock.read);
  let allowed = 0;
  for (let ms = 0; ms < HOUR; ms += 7) {
    if (limiter.take('a').allowed) allowed++;
    clock.pass(7);
  }
  assert.ok(Math.abs(allowed - (60 * 600 + 100)) <= 1, String(allowed));
});

test('who waits as long as a refusal says is allowed then, and not a millisecond before', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.constantFrom(1000, MINUTE, HOUR),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 40 }),
      (quota, window_ms, burst, pauses) => {
        const clock = new TestClock();
        const limiter = new LocalLimiter(
          { name: 'any', what: 'any', quota, window_ms, burst, kind: 'bucket' },
          clock.read,
        );
        for (const pause of pauses) {
          limiter.take('a');
          clock.pass(pause);
        }
        taken(limiter, 'a');
        const { allowed, reset_ms } = limiter.take('a');
        assert.ok(!allowed && reset_ms >= 1);
        clock.pass(reset_ms - 1);
        assert.ok(!limiter.take('a').allowed);
        clock.pass(1);
        assert.ok(limiter.take('a').allowed);
      },
    ),
    { numRuns: amount(300, 2_000) },
  );
});

test('a day starts anew at 00:00 UTC', () => {
  const clock = new TestClock();
  clock.now = Date.parse('2026-11-20T23:59:59.999Z');
  const limiter = new LocalLimiter(DAILY, clock.read);
  assert.equal(taken(limiter, 'a'), 100);
  assert.deepEqual(limiter.take('a'), { policy: DAILY, allowed: false, remaining: 0, reset_ms: 1 });
  clock.pass(1);
  assert.equal(taken(limiter, 'a'), 100);
  clock.pass(DAY - 1);
  assert.ok(!limiter.take('a').allowed);
  clock.pass(1);
  assert.equal(taken(limiter, 'a'), 100);
});

test('what is given back is there again, never beyond the burst', () => {
  for (const policy of [SENDS, DAILY]) {
    const limiter = new LocalLimiter(policy, () => T);
    limiter.refund('never came');
    taken(limiter, 'a');
    limiter.refund('a');
    assert.equal(taken(limiter, 'a'), 1);
    for (let i = 0; i < 500; i++) limiter.refund('a');
    assert.equal(taken(limiter, 'a'), policy.burst);
  }
});

test('a clock that is set back locks nobody out', () => {
  const clock = new TestClock();
  const limiter = new LocalLimiter(SENDS, clock.read);
  limiter.take('a');
  clock.pass(-HOUR);
  assert.equal(taken(limiter, 'a'), 99);
  clock.pass(1000);
  assert.equal(taken(limiter, 'a'), 10);
});

const MANY = amount(200_000, 1_000_000);
test('of very many callers a bounded number is kept, the newest among them, each as quickly as the first', async () => {
  const limiter = new LocalLimiter({ ...SENDS, burst: 1 }, () => T);
  // A million take half a second; removing callers one at a time took more than a minute.
  await assertEffort(MANY / 1_000, `${MANY} callers`, () => {
    for (let i = 0; i < MANY; i++) limiter.take(`caller ${i}`);
  });
  for (let i = MANY - 1; i > MANY - 40_000; i--) assert.ok(!limiter.take(`caller ${i}`).allowed);
  // The first caller was dropped, so it counts as new.
  assert.ok(limiter.take('caller 0').allowed);
});

test('who keeps coming is not forgotten for the many who come once', () => {
  const limiter = new LocalLimiter({ ...SENDS, burst: 1 }, () => T);
  limiter.take('regular');
  for (let i = 0; i < MANY / 2; i++) {
    limiter.take(`caller ${i}`);
    if (i % 1000 === 0) assert.ok(!limiter.take('regular').allowed);
  }
});
