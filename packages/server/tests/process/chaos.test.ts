import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sharedPostgres, startPostgres } from '../../../../tests/harness/postgres.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { LONG, LONG_ONLY } from '../../../../tests/soak/length.ts';
import { chaos } from './chaos.ts';

const KILLS = Number(process.env.CHAOS_KILLS ?? 3);
const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);
const RESUMED_MS = 10_000;

/** Shorter, `npm test` kills nodes at random in the test of crashes, and stops PostgreSQL under load in `nodes-outage`. */
const postgres = await (LONG ? startPostgres() : sharedPostgres());
after(() => postgres[Symbol.asyncDispose]());
const skip = LONG_ONLY.skip || (!postgres.ours && 'the server of TEST_DATABASE_URL is not ours to stop');

test(`three nodes keep their word through ${KILLS} kills, nodes that hang, and a crash of PostgreSQL`, {
  skip,
}, async (t) => {
  const report = await chaos({
    postgres,
    kills: KILLS,
    kills_per_freeze: KILLS,
    period_ms: 2_000,
    seed: SEED,
  });
  const { broken, ...figures } = report;
  t.diagnostic(`${JSON.stringify(figures)} (CHAOS_SEED=${SEED})`);
  assert.deepEqual(broken, []);
  assert.equal(report.outages, 1);
  assert.ok(report.acknowledged > 50 * KILLS, `too little was tried: ${report.acknowledged}`);
  assert.ok(report.freezes > 0);
  assert.ok(report.cut > 0, 'they were killed while nothing was on its way');
  for (const [kind, ms] of Object.entries(report.resumed_ms)) {
    await assertSoon(ms, RESUMED_MS, `a send that succeeded after a ${kind}`);
  }
});

const DEFECTS = [
  ['early', 2, /was acknowledged and is lost|message_not_found/],
  ['no-dedupe', 0, /made [23] messages/],
] as const;
// The test of crashes finds the same defects by the same promises, sooner.
for (const [defect, kills, sign] of LONG ? DEFECTS : []) {
  test(`nodes with the defect ${defect} are found out`, async (t) => {
    const report = await chaos({ postgres, kills, outages: 0, seed: SEED, env: { DEFECT: defect } });
    t.diagnostic(`${report.broken.length} broken promises: ${report.broken[0]}`);
    assert.ok(
      report.broken.some((text) => sign.test(text)),
      report.broken.slice(0, 20).join('\n'),
    );
  });
}
