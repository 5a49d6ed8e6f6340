import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyDatabase, sqlite } from '../../../../tests/harness/database.ts';
import { amount, LONG, LONG_ONLY } from '../../../../tests/soak/length.ts';
import { agents } from './agents.ts';

// Long form of: crash.test.ts, nodes.test.ts.

const KILLS = Number(process.env.AGENTS_KILLS ?? amount(1, 30));
const SEED = Number(process.env.AGENTS_SEED ?? Date.now() % 1_000_000);

for (const database of LONG ? await everyDatabase() : [sqlite]) {
  const nodes = database.name === 'SQLite' ? 1 : 3;
  test(`programs and nodes are killed ${KILLS} times, and each message has one settling answer, on ${database.name}`, async (t) => {
    const { broken, ...figures } = await agents({ database, nodes, kills: KILLS, seed: SEED });
    t.diagnostic(`${JSON.stringify(figures)} (AGENTS_SEED=${SEED})`);
    assert.deepEqual(broken, []);
    assert.ok(figures.acknowledged > 5 * KILLS, `too little was tried: ${figures.acknowledged}`);
  });
}

const DEFECTS = [
  ['no-answer', 0, 'forgets answers', /was settled by clm_\w+ and (by|shows) /],
  ['no-lease', 1, 'gives a message to two programs at once', /went to clm_\w+ \d+ ms before clm_\w+ ended/],
] as const;
for (const [DEFECT, kills, what, found] of DEFECTS) {
  test(`a service that ${what} is found out`, LONG_ONLY, async (t) => {
    const { broken } = await agents({ database: sqlite, nodes: 1, kills, seed: SEED, env: { DEFECT } });
    t.diagnostic(`${broken.length} broken promises: ${broken[0]}`);
    assert.ok(
      broken.some((text) => found.test(text)),
      broken.join('\n'),
    );
  });
}
