import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type TickShare, TickShares } from '../../net/tick-shares.ts';

const newNetwork = (): TickShare => ({ turn: 0, begun: 0, max_begun: 16 });

/** Begins requests of a network in each turn, as many as may, until it is `over`; `pass` is called with each. */
function flood(shares: TickShares, pass: () => void) {
  const network = newNetwork();
  const seen = { begun: 0, over: false };
  const ask = (): void => {
    if (seen.over) return;
    if (shares.take(network)) {
      seen.begun++;
      pass();
    }
    shares.later(network, ask);
  };
  ask();
  return seen;
}

test('while requests take long, few begin in a turn, network by network, and one that asks rarely begins at once', async () => {
  let now = 0;
  const shares = new TickShares(() => now);
  const floods = Array.from({ length: 8 }, () =>
    flood(shares, () => {
      now += 40;
    }),
  );
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  const rare = newNetwork();
  for (let turn = 0; turn < 80; turn++) {
    const from = now;
    await nextTurn();
    assert.ok(now - from <= 80, `a turn took ${now - from} ms`);
    if (turn % 10 === 0) assert.ok(shares.take(rare), 'the other network waits');
  }
  for (const one of floods) one.over = true;
  const begun = floods.map((one) => one.begun);
  assert.ok(Math.max(...begun) - Math.min(...begun) <= 16, begun.join(' '));
});

test('when requests are quick again, as many begin in a turn as before', async () => {
  let now = 0;
  let takes = 40;
  const shares = new TickShares(() => now);
  const seen = Array.from({ length: 4 }, () =>
    flood(shares, () => {
      now += takes;
    }),
  );
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  takes = 0;
  for (let turn = 0; turn < 40; turn++) await nextTurn();
  const network = newNetwork();
  for (const one of seen) one.over = true;
  let begun = 0;
  while (shares.take(network)) begun++;
  assert.equal(begun, 16);
  assert.ok(seen.every((one) => one.begun > 0));
});

test('bodies whose bytes take long to parse are read a little in each turn, and all of them to their end', async () => {
  let now = 0;
  const shares = new TickShares(() => now);
  let turns = 0;
  let longest = 0;
  const bodies = Array.from({ length: 8 }, () => {
    const network = newNetwork();
    const body = { left: 40 };
    const read = (): void => {
      const began = now;
      while (body.left > 0 && shares.hasTime(network, read)) {
        body.left--;
        now += 2;
      }
      longest = Math.max(longest, now - began);
    };
    read();
    return body;
  });
  for (; bodies.some(({ left }) => left > 0) && turns < 1_000; turns++) {
    const began = now;
    await nextTurn();
    assert.ok(now - began <= 40, `A turn took ${now - began} ms.`);
  }
  assert.deepEqual([bodies.map(({ left }) => left), longest <= 10], [bodies.map(() => 0), true]);
});
