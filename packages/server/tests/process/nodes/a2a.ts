import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { TaskState } from '@a2a-js/sdk';
import { a2aClient, eventsOf, says, sendTask, textsOf } from '../../../../../tests/harness/a2a.ts';
import type { Node } from '../../../../../tests/harness/nodes.ts';
import { until } from '../../../../../tests/harness/until.ts';
import { a, b, home, nodes } from './shared.ts';

type A2aClient = Awaited<ReturnType<typeof a2aClient>>;
let address = '';
/** The SDK's client of each node, by both bindings. */
let onA: A2aClient;
let onB: A2aClient;
before(async () => {
  address = (await a.client.newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } })).address;
  onA = await a2aClient(a.client, address, { key: home.key });
  onB = await a2aClient(b.client, address, { key: home.key, binding: 'HTTP+JSON' });
});
const answer = (node: Node, id: string, body: object) =>
  node.client.api('POST', `/mail/messages/${id}/answer`, { key: home.key, body });
const begin = () => sendTask(onA, says('Wait'), { returnImmediately: true });

for (const [way, clients] of [
  ['the first node, followed on the second', () => [onA, onB] as const],
  ['the second node, followed on the first', () => [onB, onA] as const],
] as const) {
  test(`a task that is begun on ${way}, ends for both, whichever node answers`, async () => {
    const [from, to] = clients();
    for (const node of [a, b]) {
      const { id } = await sendTask(from, says('Wait'), { returnImmediately: true });
      const stream = to.resubscribeTask({ tenant: '', id });
      assert.equal((await stream.next()).value?.payload?.$case, 'task');
      assert.equal((await answer(node, id, { body: 'Done.' })).status, 200);
      const last = (await eventsOf(stream)).at(-1);
      assert.ok(last?.$case === 'statusUpdate', JSON.stringify(last));
      assert.equal(last.value.status?.state, TaskState.TASK_STATE_COMPLETED);
      for (const client of [from, to]) assert.deepEqual(textsOf(await client.getTask({ tenant: '', id })), ['Done.']);
    }
  });

  test(`a task that is begun on ${way}, is canceled there, and its stream here ends`, async () => {
    const [from, to] = clients();
    const stream = from.sendMessageStream({
      tenant: '',
      message: says('Wait'),
      metadata: undefined,
      configuration: undefined,
    });
    const first = (await stream.next()).value?.payload;
    assert.ok(first?.$case === 'task', JSON.stringify(first));
    const rest = eventsOf(stream);
    const canceled = await to.cancelTask({ tenant: '', id: first.value.id, metadata: undefined });
    assert.equal(canceled.status?.state, TaskState.TASK_STATE_CANCELED);
    const last = (await rest).at(-1);
    assert.ok(last?.$case === 'statusUpdate', JSON.stringify(last));
    assert.equal(last.value.status?.state, TaskState.TASK_STATE_CANCELED);
  });
}

test('a send that waits on one node is answered on the other', async () => {
  const sent = sendTask(onA, says('Answer me elsewhere'));
  const { seen } = await until(
    30_000,
    () =>
      b.client.api<{ items: { id: string; body: string }[] }>('GET', `/mailboxes/${address}/messages`, {
        key: home.key,
      }),
    ({ body }) => body.items.some((one) => one.body === 'Answer me elsewhere'),
  );
  const { id } = seen.body.items.find((one) => one.body === 'Answer me elsewhere') as { id: string };
  assert.equal((await answer(b, id, { body: 'Here.' })).status, 200);
  const task = await sent;
  assert.deepEqual([task.id, task.status?.state, textsOf(task)], [id, TaskState.TASK_STATE_COMPLETED, ['Here.']]);
});

test('a question that is asked on one node is answered on the other, and both see one task', async () => {
  const { id, contextId } = await begin();
  await answer(a, id, { body: 'For how many?', status: 'input_required' });
  const stream = onA.resubscribeTask({ tenant: '', id });
  assert.equal((await stream.next()).value?.payload?.$case, 'task');
  const following = eventsOf(stream);
  const more = await sendTask(onB, says('For two', { taskId: id }), { returnImmediately: true });
  assert.deepEqual([more.id, more.contextId], [id, contextId]);
  const thread = await b.client.all<{ id: string; body: string }>(`/mail/threads/${contextId}`, home.key);
  const second = thread.find(({ body }) => body === 'For two');
  await answer(b, second?.id ?? '', { body: 'Booked.' });
  const last = (await following).at(-1);
  assert.ok(last?.$case === 'statusUpdate', JSON.stringify(last));
  assert.deepEqual([last.value.taskId, last.value.status?.state], [id, TaskState.TASK_STATE_COMPLETED]);
});

test('a message that both nodes get at once under one id is one task', async () => {
  const { address: hello } = await a.client.newMailbox(home);
  const clients = [
    await a2aClient(a.client, hello, { key: home.key }),
    await a2aClient(b.client, hello, { key: home.key, binding: 'HTTP+JSON' }),
  ];
  for (let n = 0; n < 5; n++) {
    const message = says(`Who are you? ${n}`, { contextId: crypto.randomUUID() });
    const tasks = await Promise.all(clients.map((client) => sendTask(client, message)));
    assert.equal(tasks[0]?.id, tasks[1]?.id);
    assert.equal(tasks[0]?.contextId, message.contextId);
    assert.equal(tasks[1]?.contextId, message.contextId);
    assert.equal((await nodes.sql(`select id from messages where body = 'Who are you? ${n}'`)).length, 1);
  }
});

test('a conversation that one node knows by its client’s name goes on at the other', async () => {
  const { address: hello } = await a.client.newMailbox(home);
  const contextId = crypto.randomUUID();
  const ids: string[] = [];
  for (const { client } of [a, b, a]) {
    const own = await a2aClient(client, hello, { key: home.key });
    ids.push((await sendTask(own, says('Hello', { contextId }))).id);
  }
  const threads = await Promise.all(ids.map(async (id) => (await b.client.read(home.key, id)).body.thread_id));
  assert.equal(new Set(threads).size, 1);
});

test('a push configuration of one node is told of an end on the other', async () => {
  const states: string[] = [];
  const receiver = createServer(async (asked, response) => {
    states.push(JSON.parse(Buffer.concat(await asked.toArray()).toString()).task.status.state);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  after(() => receiver.close());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const { id } = await begin();
  const config = { tenant: '', id: 'mine', taskId: id, url, token: '', authentication: undefined };
  await onA.createTaskPushNotificationConfig(config);
  await answer(b, id, { body: 'Done.' });
  await until(
    60_000,
    async () => states,
    (seen) => seen.length > 0,
  );
  assert.deepEqual(states, ['TASK_STATE_COMPLETED']);
});
