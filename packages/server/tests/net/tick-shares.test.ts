import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type TickShare, TickShares } from '../../net/tick-shares.ts';

/** Waits for a turn in which `value` changes, or longer than is left to others after a turn. */
async function changeOf(value: () => number): Promise<void> {
  const before = value();
  for (const until = performance.now() + 30; value() === before && performance.now() < until; ) await nextTurn();
}

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
  for (let turn = 0; turn < 20; turn++) await changeOf(() => now);
  const rare = newNetwork();
  for (let turn = 0; turn < 80; turn++) {
    const from = now;
    await changeOf(() => now);
    assert.ok(now - from <= 80, `a turn took ${now - from} ms`);
    if (turn % 10 === 0) assert.ok(shares.take(rare), 'the other network waits');
  }
  for (const one of floods) one.over = true;
  const begun = floods.map((one) => one.begun);
  assert.ok(Math.max(...begun) - Math.min(...begun) <= 16, begun.join(' '));
});

test('the first burst of many networks is spread over turns, though every turn before it was short', async () => {
  let now = 0;
  const shares = new TickShares(() => now);
  const networks = Array.from({ length: 4 }, newNetwork);
  const waiting: TickShare[] = [];
  for (let request = 0; request < 16; request++)
    for (const network of networks)
      if (shares.take(network)) now += 1;
      else waiting.push(network);
  assert.ok(now <= 12, `The first turn took ${now} ms.`);
  let begun = 64 - waiting.length;
  const go = (network: TickShare) => () => {
    if (!shares.take(network)) return shares.later(network, go(network));
    now += 1;
    begun++;
  };
  for (const network of waiting) shares.later(network, go(network));
  for (let turn = 0; turn < 40 && begun < 64; turn++) {
    const from = now;
    await changeOf(() => now);
    assert.ok(now - from <= 13, `A later turn took ${now - from} ms.`);
  }
  assert.equal(begun, 64);
});

test('beside one that asks rarely, floods leave half of the time to it, and none when they are alone', async () => {
  let busy = 0;
  // What requests take is added to the time that passes.
  const now = (): number => performance.now() + busy;
  const shares = new TickShares(now);
  const floods = Array.from({ length: 4 }, () =>
    flood(shares, () => {
      busy += 1;
    }),
  );
  const run = async (each: () => void): Promise<number> => {
    const [from, before] = [now(), busy];
    for (const until = performance.now() + 200; performance.now() < until; ) {
      await nextTurn();
      each();
    }
    return (busy - before) / (now() - from);
  };
  const rare = newNetwork();
  let askedAt = 0;
  const beside = await run(() => {
    if (now() - askedAt < 20) return;
    askedAt = now();
    assert.ok(shares.take(rare), 'it waits');
  });
  busy += 1_000;
  const alone = await run(() => undefined);
  for (const one of floods) one.over = true;
  assert.ok(beside > 0.1 && alone > 1.25 * beside, `${beside} beside another, ${alone} alone`);
});

test('one that asked rarely and then floods leaves no time to itself', async () => {
  let now = 0;
  const shares = new TickShares(() => now);
  const network = newNetwork();
  let begun = 0;
  const ask = (): void => {
    if (shares.take(network)) {
      begun++;
      now += 1;
    }
    if (begun < 100) shares.later(network, ask);
  };
  ask();
  let turns = 0;
  for (; begun < 100 && turns < 200; turns++) await nextTurn();
  assert.equal(begun, 100, `${begun} in ${turns} turns`);
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
  for (let turn = 0; turn < 20; turn++) await changeOf(() => now);
  now += 1_000;
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
    await changeOf(() => now);
    assert.ok(now - began <= 40, `A turn took ${now - began} ms.`);
  }
  assert.deepEqual([bodies.map(({ left }) => left), longest <= 10], [bodies.map(() => 0), true]);
});

test('what a request does once it has begun decides whether the next one that waited begins in the same turn', async () => {
  let now = 0;
  const shares = new TickShares(() => now);
  const network = newNetwork();
  let begun = 0;
  for (let request = 0; request < 40; request++) {
    const go = (): void => {
      if (!shares.take(network)) {
        shares.later(network, go);
        return;
      }
      begun++;
      // As a handler that waits for what is there already.
      void Promise.resolve().then(() => {
        now += 2;
      });
    };
    shares.later(network, go);
  }
  let most = 0;
  for (let turn = 0; turn < 60 && begun < 40; turn++) {
    const from = begun;
    await changeOf(() => begun);
    most = Math.max(most, begun - from);
  }
  assert.equal(begun, 40);
  assert.ok(most <= 3, `${most} requests of 2 ms began in a turn`);
});
