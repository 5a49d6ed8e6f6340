import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

// Ways in which a running plan ends or does not.
const service = await sharedService();
const { api, newNamespace, newMailbox, newKey, send, read } = connect(service.url);
const home = await newNamespace();
const { address: to } = await newMailbox(home, { behavior: { name: 'do' } });
const brief = (value: unknown): string => JSON.stringify(value).slice(0, 1_500);
const step = (task: string, input: unknown) => ({ task, input });
const sendSync = async (fields: Record<string, unknown>): Promise<Envelope> =>
  (await send(home.key, { to, body: 'x', sync: true, ...fields }, { prefer: 'wait=20' })).body;

test('a message that is out of time says what had been done, with its receipt, and what it noted is kept', async () => {
  const { url } = await serveInside({ env: { RUN_SECONDS: '4', DO_STEP_SECONDS: '60' } });
  const hurried = connect(url);
  const own = await hurried.newNamespace();
  const { address } = await hurried.newMailbox(own, { behavior: { name: 'do' } });
  const ask = async (fields: Record<string, unknown>): Promise<Envelope> =>
    (await hurried.send(own.key, { to: address, body: 'x', sync: true, ...fields }, { prefer: 'wait=60' })).body;
  // Starts the threads, which the time of the next message should not include.
  await ask({ data: { steps: [step('run', { code: '1' })] } });
  const remember = step('remember', { name: 'door', text: 'blue' });
  const ended = await ask({ data: { steps: [remember, step('run', { code: 'for (;;);' }), remember] } });
  assert.equal(ended.status, 'failed', brief(ended));
  assert.match(ended.error?.message ?? '', /^Step 2 \(run\): The message took longer than the limit of 4 s/);
  const { steps, jws } = (ended.reply?.data ?? {}) as { steps: readonly { status: string }[]; jws: string };
  assert.equal(jws.split('.').length, 3);
  assert.deepEqual(
    steps.map(({ status }) => status),
    ['completed', 'failed', 'skipped'],
  );
  assert.match(ended.reply?.body ?? '', /not done/);
  const recalled = await ask({ body: 'recall door' });
  assert.match(recalled.reply?.body ?? '', /blue/, brief(recalled));
});

test('of two answers to one question at once, one has its plan with effects carried out', async () => {
  for (let round = 0; round < 4; round++) {
    const { address: target } = await newMailbox(home);
    const { thread_id, status } = await sendSync({ body: `send "hello" to ${target}\nfrobnicate the gadget` });
    assert.equal(status, 'input_required');
    const both = await Promise.all(
      [1, 2].map((one) => sendSync({ body: `calculate ${one}+1`, thread_id, sync: round % 2 === 0 })),
    );
    const ended = await Promise.all(both.map(async ({ id }) => (await read(home.key, id, '?wait=60')).body));
    const page = await api<{ items: Envelope[] }>('GET', `/mailboxes/${target}/messages?limit=100`, { key: home.key });
    assert.equal(page.body.items.length, 1, brief(ended));
    assert.ok(ended.some((one) => one.status === 'completed'));
    const other = ended.find((one) => one.status === 'rejected');
    if (other !== undefined) assert.match(other.error?.message ?? '', /Another answer/);
  }
});

test('what was sent by a key that is revoked since is done to its end, as it was accepted', async () => {
  const key = await newKey(home, { scopes: ['mail:send'] });
  const slow = step('run', { code: 'const from = Date.now(); while (Date.now() - from < 900); return 1' });
  const steps = [step('remember', { name: 'key', text: 'revoked' }), slow, step('calculate', { expression: '6*7' })];
  const sent = await send(key.secret, { to, body: 'x', data: { steps } });
  assert.equal((await api('DELETE', `/keys/${key.id}`, { key: home.key })).status, 204);
  const ended = (await read(home.key, sent.body.id, '?wait=60')).body;
  assert.equal(ended.status, 'completed', brief(ended));
});
