import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertHeld, attack } from '../../../../../tests/harness/attack.ts';
import { connect } from '../../../../../tests/harness/client.ts';
import { until } from '../../../../../tests/harness/until.ts';
import { amount } from '../../../../../tests/soak/length.ts';

const WORKERS = 2;
/** Seconds that each may take. */
const LIMIT = amount(2, 4);
const ENDLESS = 'run this script:\n```js\nfor(;;);\n```';

test('endless scripts of a guest take their own turns, and scripts of others run between them', async () => {
  const env = { SANDBOX_WORKERS: String(WORKERS), DO_STEP_SECONDS: String(LIMIT) };
  const report = await attack({ env }, async ({ url }) => {
    const { tryOut, newNamespace, newMailbox, send } = connect(url.replace('localhost', '127.0.0.1'));
    const home = await newNamespace();
    const { address: to } = await newMailbox(home, { behavior: { name: 'do' }, access: 'public', try_out: true });
    const steps = [{ task: 'run', input: { code: '6*7' } }];
    const script = () => send(home.key, { to, body: 'x', data: { steps }, sync: true }, { prefer: 'wait=30' });
    // The first script starts the threads, which may take longer than a step may on a busy machine.
    await until(30_000, script, ({ body }) => body.status === 'completed');
    let ended = 0;
    const endless = Array.from({ length: amount(4, 8) }, async () => {
      const tried = await tryOut({ to, body: ENDLESS }, { prefer: 'wait=30' });
      ended += 1;
      return tried.body;
    });
    for (let at = 0; at < 5; at++) {
      const before = ended;
      const { body, text } = await script();
      assert.equal(body.status, 'completed', text.slice(0, 1_000));
      assert.ok(ended - before <= WORKERS, `${ended - before} of ${endless.length} ended before it`);
    }
    // The time limit of each script starts when it runs, not while it waits for the others.
    for (const { error } of await Promise.all(endless)) assert.match(error?.message ?? '', /longer than 1000 ms/);
  });
  assertHeld(report);
});
