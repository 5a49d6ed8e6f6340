import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyDatabase, sqlite } from '../../../../tests/harness/database.ts';
import { PROOF_MAIN } from '../../../../tests/harness/service.ts';
import { amount, LONG, LONG_ONLY } from '../../../../tests/soak/length.ts';
import { crash } from './crash.ts';

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? amount(1, 5));
const DEFECTS = [
  ['early', 'acknowledges before it commits', /was acknowledged and is lost/],
  ['no-dedupe', 'forgets idempotency keys', /^round \d+: once-\w+ made \d+ messages/],
] as const;
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);

for (const database of LONG ? await everyDatabase() : [sqlite]) {
  test(`killed at ${ROUNDS} random moments, it keeps its word on every message, on ${database.name}`, async (t) => {
    const report = await crash({ database, rounds: ROUNDS, seed: SEED });
    t.diagnostic(
      `${report.acknowledged} messages acknowledged in ${report.rounds} rounds, ${report.cut} cut off (CRASH_SEED=${SEED})`,
    );
    assert.deepEqual(report.broken, []);
    assert.ok(report.acknowledged > 5 * ROUNDS, `too little was tried: ${report.acknowledged}`);
    assert.ok(report.cut > ROUNDS, `it was killed while nothing was on its way: ${report.cut}`);
  });

  for (const [DEFECT, what, found] of DEFECTS) {
    test(`a service that ${what} is found out, on ${database.name}`, LONG_ONLY, async (t) => {
      const defective = { main: PROOF_MAIN, env: { DEFECT }, untilBroken: true };
      const report = await crash({ database, rounds: 10, seed: SEED, ...defective });
      t.diagnostic(`${report.broken.length} broken promises in round ${report.rounds}: ${report.broken[0]}`);
      assert.ok(
        report.broken.some((text) => found.test(text)),
        report.broken.join('\n'),
      );
    });
  }
}
