import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE, SECOND } from '@mailroom/behavior/values/clock';
import fc from 'fast-check';
import { SteadyClock } from '../../core/values/steady-clock.ts';

const START = Date.parse('2026-11-20T08:00:00.000Z');

/** A machine whose clock the test sets, and which it lets run and sleep. */
function machine() {
  let running = 5 * SECOND;
  let slept = 0;
  let set = 0;
  const reference = (): number => START + running + slept + set;
  const counting = { running: () => running, asleep: () => Math.floor((running + slept) / SECOND) * SECOND };
  const clock = new SteadyClock(reference(), counting);
  const read = (): number => {
    clock.observe(reference());
    return clock.now();
  };
  return {
    read,
    reference,
    run(ms: number) {
      running += ms;
      return read();
    },
    sleep: (ms: number) => {
      slept += ms;
    },
    set: (ms: number) => {
      set += ms;
    },
  };
}

for (const by of [2 * HOUR, -2 * HOUR])
  test(`a clock that is set by ${by / HOUR} hours and back within five seconds changes nothing`, () => {
    const { read, run, set, reference } = machine();
    const from = read();
    set(by);
    assert.equal(run(0), from);
    assert.equal(run(4 * SECOND), from + 4 * SECOND);
    set(-by);
    assert.equal(run(SECOND), from + 5 * SECOND);
    assert.equal(read(), reference());
  });

for (const by of [2 * HOUR, -2 * HOUR])
  test(`a clock that is set by ${by / HOUR} hours for good is followed after five seconds`, () => {
    const { run, set, reference } = machine();
    set(by);
    run(1);
    run(4 * SECOND);
    assert.equal(run(0), reference() - by);
    assert.equal(run(SECOND), reference());
  });

test('a machine that slept has the time at once when it wakes', () => {
  const { run, sleep, reference } = machine();
  run(MINUTE);
  sleep(8 * HOUR);
  assert.equal(run(1), reference());
});

test('a clock that is corrected by less than a second at a time is that clock', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: HOUR }), fc.integer({ min: -999, max: 999 }))), (steps) => {
      const { run, set, reference } = machine();
      for (const [ms, by] of steps) {
        set(by);
        assert.equal(run(ms), reference());
      }
    }),
  );
});

test('a clock that is set again and again while in doubt goes on steadily', () => {
  const { read, run, set } = machine();
  const from = read();
  for (let count = 1; count <= 20; count++) {
    set(count % 2 ? HOUR : -HOUR * 3);
    assert.equal(run(4 * SECOND), from + count * 4 * SECOND);
  }
});
