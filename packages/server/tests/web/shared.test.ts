import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Shared } from '../../transports/web/console/shared.ts';

/** A factory of distinct values that takes time on a simulated clock. */
function bench(life_ms: number) {
  let now = 1_000;
  let count = 0;
  const shared = new Shared<number>(life_ms, () => now);
  const pass = (ms: number): void => {
    now += ms;
  };
  const make = (ms: number) => async (): Promise<number> => {
    await Promise.resolve();
    pass(ms);
    return ++count;
  };
  return { shared, pass, make };
}

test('what many ask for is made once, anew when its life is over, and at once when it could not be made', async () => {
  const { shared, pass, make } = bench(40);
  const all = await Promise.all(Array.from({ length: 20 }, () => shared.get('a', make(1))));
  assert.deepEqual(new Set(all.map(({ value }) => value)), new Set([1]));
  assert.equal(all[0]?.begun, 1_000);
  assert.equal((await shared.get('b', make(1))).value, 2);
  pass(38);
  assert.equal((await shared.get('a', make(1))).value, 1);
  pass(1);
  assert.equal((await shared.get('a', make(1))).value, 3);
  const broken = (): Promise<number> => Promise.reject(new Error('not now'));
  await assert.rejects(shared.get('c', broken), /not now/);
  assert.equal((await shared.get('c', make(1))).value, 4);
});

test('what was slow to make lives longer, ten times as long as that took', async () => {
  const { shared, pass, make } = bench(0);
  await shared.get('a', make(30));
  pass(299);
  assert.equal((await shared.get('a', make(30))).value, 1);
  pass(1);
  assert.equal((await shared.get('a', make(30))).value, 2);
});
