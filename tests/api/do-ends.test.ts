import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../harness/client.ts';
import { serve } from '../harness/service.ts';
import type { Envelope } from '../harness/wire.ts';

// What ends a plan that runs, or does not.
const service = await serve({ env: { RUN_SECONDS: '2', DO_STEP_SECONDS: '10' } });
const { newNamespace, newMailbox, send } = connect(service.url);
const home = await newNamespace();
const { address: to } = await newMailbox(home, { behavior: { name: 'do' } });
const told = (value: unknown): string => JSON.stringify(value).slice(0, 1_500);
const step = (task: string, input: unknown) => ({ task, input });
const SLOW = step('run', { code: 'const from = Date.now(); while (Date.now() - from < 900); return 1' });
const tell = async (fields: Record<string, unknown>): Promise<Envelope> =>
  (await send(home.key, { to, body: 'x', sync: true, ...fields }, { prefer: 'wait=20' })).body;

test('a message that is out of time says what had been done, with its receipt, and what it noted is kept', async () => {
  const remember = step('remember', { name: 'door', text: 'blue' });
  const ended = await tell({ data: { steps: [remember, SLOW, SLOW, SLOW, SLOW, remember] } });
  assert.equal(ended.status, 'failed', told(ended));
  assert.match(ended.error?.message ?? '', /^Step \d \(run\): The message took longer than 2 s/);
  const { steps, jws } = (ended.reply?.data ?? {}) as { steps: readonly { status: string }[]; jws: string };
  assert.equal(jws.split('.').length, 3);
  assert.deepEqual([steps[0]?.status, steps.at(-1)?.status], ['completed', 'skipped']);
  assert.match(ended.reply?.body ?? '', /not done/);
  const recalled = await tell({ body: 'recall door' });
  assert.match(recalled.reply?.body ?? '', /blue/, told(recalled));
});
