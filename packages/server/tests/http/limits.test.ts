import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE } from '@mailroom/behavior/values/clock';
import { LocalLimiter, type Policy } from '../../core/values/limits.ts';
import { count } from '../../http/limits.ts';
import { T, TestClock } from '../core/house.ts';

const MINUTELY: Policy = { name: 'tries', what: 'try-outs', quota: 10, window_ms: MINUTE, burst: 10, kind: 'bucket' };
const DAILY: Policy = { name: 'daily-tries', what: 'try-outs', quota: 12, window_ms: DAY, burst: 12, kind: 'day' };

test('the headers tell policy and state of each limit in whole seconds', () => {
  const limiters = [MINUTELY, DAILY].map((policy) => new LocalLimiter(policy, () => T));
  assert.deepEqual(count(limiters, 'a'), {
    headers: {
      'ratelimit-policy': '"tries";q=10;w=60, "daily-tries";q=12;w=86400',
      // T is at 08:00 UTC, so 16 hours of the day are left.
      ratelimit: '"tries";r=9;t=6, "daily-tries";r=11;t=57600',
    },
  });
});

test('a refusal says which limit, until when, and takes nothing from its fellows', () => {
  const clock = new TestClock();
  const limiters = [MINUTELY, DAILY].map((policy) => new LocalLimiter(policy, clock.read));
  for (let i = 0; i < 10; i++) assert.equal(count(limiters, 'a').refused, undefined);
  for (let i = 0; i < 5; i++) {
    const { headers, refused } = count(limiters, 'a');
    assert.equal(refused?.code, 'rate_limited');
    assert.equal(refused?.retry_after_ms, 6000);
    assert.equal(refused?.message, '10 try-outs a minute are allowed. Try again in 6 s.');
    // Two requests are left today, before this request and after it.
    assert.equal(headers.ratelimit, '"tries";r=0;t=6, "daily-tries";r=2;t=57600');
  }
  clock.pass(HOUR);
  assert.equal(count(limiters, 'a').refused, undefined);
  assert.equal(count(limiters, 'a').refused, undefined);
  const { refused } = count(limiters, 'a');
  assert.equal(refused?.message, '12 try-outs a day are allowed. Try again at 00:00 UTC.');
  assert.equal(refused?.retry_after_ms, 15 * HOUR);
});

test('of two limits that refuse the longer one is told', () => {
  const limiters = [
    { ...MINUTELY, burst: 1 },
    { ...DAILY, burst: 1 },
  ].map((policy) => new LocalLimiter(policy, () => T));
  count(limiters, 'a');
  assert.equal(count(limiters, 'a').refused?.retry_after_ms, 16 * HOUR);
});
