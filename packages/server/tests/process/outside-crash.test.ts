import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromJsonSchema } from '@modelcontextprotocol/server';
import { connect } from '../../../../tests/harness/client.ts';
import { openModelServer } from '../../../../tests/harness/model-server.ts';
import { byTurn, calls, receiptOf } from '../../../../tests/harness/model-service.ts';
import { AgentEvent, agentSays, openA2aRemote, openMcpRemote, textPart } from '../../../../tests/harness/remotes.ts';
import { newFolder, removeFolder, startService } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

// A process is killed while servers and agents of others are called; the next one says what may have happened.

const SUM = { type: 'object' as const, properties: { sum: { type: 'integer' } }, required: ['sum'] };
const called: string[] = [];
let hangs = true;
/** Hangs until the service was killed. */
async function work(name: string): Promise<void> {
  called.push(name);
  if (hangs) await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
}
const bank = await openMcpRemote((server) => {
  for (const [name, annotations] of [
    ['pay', {}],
    ['order', {}],
    ['set', { idempotentHint: true }],
    ['balance', { readOnlyHint: true }],
  ] as const)
    server.registerTool(name, { description: name, inputSchema: fromJsonSchema(SUM), annotations }, async (input) => {
      await work(`${name} ${(input as { sum: number }).sum}`);
      return { content: [{ type: 'text', text: 'Done.' }] };
    });
});
const helper = await openA2aRemote(async (_context, bus) => {
  await work('ask');
  bus.publish(AgentEvent.message(agentSays([textPart('Done.')])));
  bus.finished();
});

test('after a kill during calls of others, only what may be repeated is, and receipts say what may have happened', async () => {
  await using model = await openModelServer(byTurn(calls(['bank__order', { sum: 7 }]), { text: 'Ordered.' }));
  const folder = newFolder();
  const env = {
    OUTSIDE_NETWORKS: '127.0.0.1',
    MODEL_BASE_URL: model.url,
    MODEL_NAME: 'tiny',
    LEASE_SECONDS: '2',
    SANDBOX_WORKERS: '1',
    DO_STEP_SECONDS: '120',
  };
  const killed = await startService({ folder, env });
  const firstClient = connect(killed.url);
  const home = await firstClient.newNamespace();
  const outside = [
    { name: 'bank', kind: 'mcp', url: `${bank.url}/mcp`, approval: 'never' },
    { name: 'helper', kind: 'a2a', url: helper.url, approval: 'never' },
  ];
  const doing = await firstClient.newMailbox(home, { behavior: { name: 'do', settings: { outside } } });
  const assistant = await firstClient.newMailbox(home, { behavior: { name: 'assistant', settings: { outside } } });
  const step = (task: string, input: unknown) => ({ task, input });
  const ids = new Map<string, string>();
  const send = async (name: string, to: string, more: object): Promise<void> => {
    const sent = await firstClient.send(home.key, { to, body: name, ...more });
    assert.equal(sent.status, 202, sent.text);
    ids.set(name, sent.body.id);
  };
  const plan = (...steps: unknown[]) => ({ data: { steps } });
  const two = step('calculate', { expression: '1 + 1' });
  await send('pay', doing.address, plan(two, step('bank.pay', { sum: '{{1}}' }), step('bank.pay', { sum: 3 })));
  await send('set', doing.address, plan(step('bank.set', { sum: 4 })));
  await send('balance', doing.address, plan(step('bank.balance', { sum: 5 })));
  await send('ask', doing.address, plan(step('helper.ask', { body: 'Order bread.' })));
  await send('order', assistant.address, { body: 'Order 7.' });
  const path = `/mail/messages/${ids.get('order')}`;
  const { api } = firstClient;
  const waiting = async (): Promise<Envelope> => (await api<Envelope>('GET', path, { key: home.key })).body;
  await until(20_000, waiting, ({ waiting_for }) => waiting_for === 'approval');
  assert.equal((await api('POST', `${path}/approve`, { key: home.key, body: {} })).status, 200);
  await until(
    20_000,
    async () => called,
    ({ length }) => length === 5,
  );
  await killed.kill();
  hangs = false;

  await using service = await startService({ folder, env });
  const client = connect(service.url);
  const ended = async (name: string): Promise<Envelope> =>
    (
      await until(
        30_000,
        async () =>
          (
            await client.api<Envelope>('GET', `/mail/messages/${ids.get(name)}?wait=5`, { key: home.key })
          ).body,
        ({ settled_at }) => settled_at !== null,
      )
    ).seen;
  const [pay, set, balance, ask, order] = await Promise.all(['pay', 'set', 'balance', 'ask', 'order'].map(ended));
  removeFolder(folder);
  assert.ok(pay && set && balance && ask && order);
  assert.deepEqual(called.toSorted(), ['ask', 'balance 5', 'balance 5', 'order 7', 'pay 2', 'set 4', 'set 4']);
  for (const message of [set, balance]) assert.equal(message.status, 'completed', JSON.stringify(message));
  for (const [message, at, input] of [
    [pay, 1, { sum: 2 }],
    [ask, 0, { body: 'Order bread.' }],
    [order, 0, { sum: 7 }],
  ] as const) {
    assert.equal(message.status, 'failed', JSON.stringify(message));
    const { steps } = receiptOf(message);
    assert.equal(steps[at]?.status, 'unknown');
    assert.deepEqual(steps[at]?.input, input);
    assert.match(steps[at]?.error ?? '', /may have taken effect/);
    for (const { status } of steps.slice(at + 1)) assert.equal(status, 'skipped');
  }
});
