import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../harness/client.ts';
import { serve } from '../harness/service.ts';

const service = await serve();
const { newNamespace, newMailbox, send } = connect(service.url);
const home = await newNamespace();
const { address: to } = await newMailbox(home, { behavior: { name: 'do' } });

test('a script in every form may take as long as a step may: a second of work is done', async () => {
  for (const code of [
    'const t = Date.now(); while (Date.now() - t < 1000); 7',
    'const t = Date.now(); while (Date.now() - t < 1000); return 7',
    '(() => { const t = Date.now(); while (Date.now() - t < 1000); return 7 })()',
    'const t = Date.now(); await null; while (Date.now() - t < 1000); return 7',
  ]) {
    const done = await send(home.key, {
      to,
      body: 'x',
      data: { steps: [{ task: 'run', input: { code } }] },
      sync: true,
    });
    assert.equal(done.body.status, 'completed', `${code}: ${JSON.stringify(done.body.error)}`);
    assert.match(done.body.reply?.body ?? '', /7/);
  }
});
