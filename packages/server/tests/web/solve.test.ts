// Other programs: Chromium.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openBrowser } from '../../../../tests/harness/browser.ts';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { MAIL_DOMAIN } from '../../../../tests/harness/wire.ts';

const service = await serveInside({ env: { RATE_LIMITS: 'on', LIMIT_TRIES_PER_MINUTE: '1', CHALLENGE_COST: '40' } });
const { tryOut } = connect(service.url);
const submission = { to: `hello@agents.${MAIL_DOMAIN}`, body: 'Hi' };

/** Runs in the page, under its Content-Security-Policy. */
const solving = (extra = ''): string => `(async () => {
  const { solve } = await import('/static/solve.js');
  const challenge = await (await fetch('/api/v1/challenges', { method: 'POST' })).json();
  let progress = 0;
  const payload = await solve(challenge, { worker: '/static/solve-worker.js', onProgress: () => progress++, ${extra} });
  return { payload, progress };
})()`;

test('a browser solves a challenge in workers, under the policy of our pages, and the service takes it', async () => {
  const { page, wrongs } = await (await openBrowser()).open(service.url);
  const { payload, progress } = (await page.evaluate(solving())) as { payload: string; progress: number };
  assert.ok(progress >= 1, 'it tells how far it is');
  assert.equal((await tryOut(submission)).status, 200);
  assert.equal((await tryOut(submission)).status, 429);
  const paid = await tryOut(submission, { altcha: payload });
  assert.equal(paid.status, 200, paid.text);
  assert.equal((await tryOut(submission, { altcha: payload })).status, 422);

  const stopped = await page.evaluate(`${solving("signal: AbortSignal.abort('enough')")}.catch(String)`);
  assert.equal(stopped, 'enough');
  const broken = await page.evaluate(
    `import('/static/solve.js').then(({ solve }) => solve({ parameters: {} }, { worker: '/static/solve-worker.js' })).catch(String)`,
  );
  assert.match(broken as string, /Error/);
  assert.deepEqual(wrongs, []);
});

test('each of the two files is under 2 KB', () => {
  for (const name of ['solve.js', 'solve-worker.js']) {
    const file = new URL(`../../transports/web/assets/${name}`, import.meta.url);
    assert.ok(readFileSync(file).length < 2_048, name);
  }
});
