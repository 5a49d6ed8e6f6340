import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { crash } from './crash.ts';

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 30);
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);

test(`killed at ${ROUNDS} random moments, it keeps its word on every message`, async (t) => {
  const report = await crash({ rounds: ROUNDS, seed: SEED });
  t.diagnostic(
    `${report.acknowledged} messages acknowledged in ${report.rounds} rounds, ${report.cut} cut off (CRASH_SEED=${SEED})`,
  );
  assert.deepEqual(report.broken, []);
  assert.ok(report.acknowledged > 20 * ROUNDS, `too little was tried: ${report.acknowledged}`);
  assert.ok(report.cut > ROUNDS, `it was killed while nothing was on its way: ${report.cut}`);
});

test('a service that acknowledges before it commits is found out', async (t) => {
  const main = join(import.meta.dirname, 'early-main.ts');
  const report = await crash({ rounds: 10, seed: SEED, main, untilBroken: true });
  t.diagnostic(`${report.broken.length} broken promises in round ${report.rounds}: ${report.broken[0]}`);
  assert.ok(
    report.broken.some((text) => /was acknowledged and is lost/.test(text)),
    report.broken.join('\n'),
  );
});
