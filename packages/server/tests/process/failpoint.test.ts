import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { everyDatabase, sqlite } from '../../../../tests/harness/database.ts';
import { LONG, LONG_ONLY } from '../../../../tests/soak/length.ts';
import { failpoint } from './failpoint.ts';
import type { Write } from './proof/fail-at.ts';

const SEED = Number(process.env.FAILPOINT_SEED ?? Date.now() % 1_000_000);

/**
 * The first occurrence of each write at which the process dies: late enough that all kinds of requests are in flight,
 * early enough to be quick.
 */
const PLACES: Readonly<Record<Write, number>> = {
  'accept-settled': 25,
  'accept-leased': 6,
  'accept-waiting': 10,
  'accept-held': 8,
  claim: 4,
  renew: 2,
  later: 3,
  settle: 6,
  cancel: 4,
  remember: 4,
  resume: 3,
  delete: 2,
  purge: 2,
};

/** How many failpoints are tried in turn on one database, which is checked at the end. */
const CONCURRENT = 7;

/** Right after the write, and right before the next of its kind: `npm test` dies at one of the two for each write. */
const deathsOf = ([write, nth]: [Write, number], at: number): readonly string[] => {
  const both = [`${write}:${nth}`, `before:${write}:${LONG ? 1 : nth}`];
  return LONG ? both : [both[at % 2] as string];
};

for (const database of LONG ? await everyDatabase() : [sqlite]) {
  describe(`on ${database.name}, it keeps its word on every message`, { concurrency: 2 }, () => {
    const all = Object.entries(PLACES) as [Write, number][];
    // `npm test` dies at every third of them, beginning at one of the first three by chance.
    const places = LONG ? all : all.filter((_, at) => at % 3 === SEED % 3);
    for (let at = 0; at < places.length; at += CONCURRENT) {
      const some = places.slice(at, at + CONCURRENT);
      const deaths = some.flatMap((place, index) => deathsOf(place, at + index + (SEED >> 1)));
      test(`killed at each of ${deaths.join(', ')}`, async (t) => {
        const report = await failpoint({ database, deaths, seed: SEED });
        const { acknowledged, cut, broken, died } = report;
        t.diagnostic(`${acknowledged} messages acknowledged, ${cut} requests cut off (FAILPOINT_SEED=${SEED})`);
        assert.deepEqual(broken, []);
        assert.equal(died, deaths.length);
        assert.ok(acknowledged > 5 * deaths.length, `too little was tried: ${acknowledged}`);
        assert.ok(cut > 5 * deaths.length, `it died while nothing was on its way: ${cut}`);
      });
    }
  });
  test(
    `killed so, a service that acknowledges before it commits is found out, on ${database.name}`,
    LONG_ONLY,
    async () => {
      const deaths = [`accept-waiting:${PLACES['accept-waiting']}`];
      const { broken } = await failpoint({ database, deaths, seed: SEED, env: { DEFECT: 'early' } });
      assert.ok(
        broken.some((text) => /was acknowledged and is lost/.test(text)),
        broken.join('\n'),
      );
    },
  );
}
