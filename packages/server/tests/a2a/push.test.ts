import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { a2aClient, request, rpc, says, sendTask } from '../../../../tests/harness/a2a.ts';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { until } from '../../../../tests/harness/until.ts';

const service = await serveInside({ env: { WEBHOOK_NETWORKS: '127.0.0.1' } });
const { api, newKey, newNamespace, newMailbox } = connect(service.url);

interface Notified {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly task: { readonly id: string; readonly status: { readonly state: string } } };
}
const notified: Notified[] = [];
const receiver = createServer(async (asked, answer) => {
  const body = JSON.parse(Buffer.concat(await asked.toArray()).toString());
  notified.push({ path: asked.url ?? '', headers: asked.headers, body });
  answer.writeHead(asked.url?.startsWith('/gone') ? 410 : 204).end();
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
after(() => receiver.close());
const urlAt = (path: string): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;
const statesAt = (path: string): string[] =>
  notified.filter((one) => one.path === path).map(({ body }) => body.task.status.state);

const config = (taskId: string, url: string, more: object = {}) => ({
  tenant: '',
  id: 'mine',
  taskId,
  url,
  token: '',
  authentication: undefined,
  ...more,
});
const waiting = async (binding: 'JSONRPC' | 'HTTP+JSON' = 'JSONRPC') => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } });
  const client = await a2aClient(service, address, { key: home.key, binding });
  const task = await sendTask(client, says('Wait'), { returnImmediately: true });
  const answer = (body: object) => api('POST', `/mail/messages/${task.id}/answer`, { key: home.key, body });
  return { home, address, client, task, answer };
};

for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
  test(`${binding}: a task's end is told to its push configuration, with its token and credentials, once`, async () => {
    const { client, task, answer } = await waiting(binding);
    const path = `/${unique()}`;
    const made = await client.createTaskPushNotificationConfig(
      config(task.id, urlAt(path), { token: 'secret', authentication: { scheme: 'Bearer', credentials: 'abc' } }),
    );
    assert.equal(made.id, 'mine');
    const of = { tenant: '', taskId: task.id };
    assert.equal((await client.getTaskPushNotificationConfig({ ...of, id: 'mine' })).url, urlAt(path));
    const { configs } = await client.listTaskPushNotificationConfig({ ...of, pageSize: 0, pageToken: '' });
    assert.equal(configs.length, 1);
    await answer({ body: 'For how many?', status: 'input_required' });
    await until(
      60_000,
      async () => statesAt(path),
      (states) => states.includes('TASK_STATE_INPUT_REQUIRED'),
    );
    await client.cancelTask({ tenant: '', id: task.id, metadata: undefined });
    await until(
      60_000,
      async () => statesAt(path),
      (states) => states.includes('TASK_STATE_CANCELED'),
    );
    assert.deepEqual(statesAt(path), ['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_CANCELED']);
    const [first] = notified.filter((one) => one.path === path);
    assert.equal(first?.body.task.id, task.id);
    assert.equal(first?.headers.authorization, 'Bearer abc');
    assert.equal(first?.headers['x-a2a-notification-token'], 'secret');
    assert.equal(first?.headers['content-type'], 'application/a2a+json');
  });
}

test('a send that names a push configuration tells it of the end, though the answer came at once', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  const client = await a2aClient(service, address, { key: home.key });
  const path = `/${unique()}`;
  const { id } = await sendTask(client, says('Who are you?'), { taskPushNotificationConfig: config('', urlAt(path)) });
  await until(
    60_000,
    async () => notified.filter((one) => one.path === path),
    (all) => all.length > 0,
  );
  assert.equal(notified.find((one) => one.path === path)?.body.task.id, id);
  assert.deepEqual(statesAt(path), ['TASK_STATE_COMPLETED']);
});

test('a deleted configuration is told nothing, and one whose endpoint is gone is forgotten', async () => {
  const { client, task, answer } = await waiting();
  const [deleted, gone] = [`/${unique()}`, `/gone-${unique()}`];
  const target = { tenant: '', taskId: task.id };
  await client.createTaskPushNotificationConfig(config(task.id, urlAt(deleted)));
  await client.createTaskPushNotificationConfig(config(task.id, urlAt(gone), { id: 'gone' }));
  await client.deleteTaskPushNotificationConfig({ ...target, id: 'mine' });
  await client.deleteTaskPushNotificationConfig({ ...target, id: 'mine' });
  await answer({ body: 'Done' });
  await until(
    60_000,
    () => client.listTaskPushNotificationConfig({ ...target, pageSize: 0, pageToken: '' }),
    ({ configs }) => configs.length === 0,
  );
  assert.deepEqual(statesAt(deleted), []);
});

test('a revoked key gets no more push notifications', async () => {
  const { home, address, client, task, answer } = await waiting();
  const other = await newKey(home, { scopes: ['mail:send', 'messages:read'] });
  const revoked = await a2aClient(service, address, { key: other.secret });
  const [kept, ended] = [`/${unique()}`, `/${unique()}`];
  await revoked.createTaskPushNotificationConfig(config(task.id, urlAt(ended), { id: 'a' }));
  await client.createTaskPushNotificationConfig(config(task.id, urlAt(kept), { id: 'b' }));
  await api('DELETE', `/keys/${other.id}`, { key: home.key });
  await answer({ body: 'Done' });
  await until(
    60_000,
    async () => statesAt(kept),
    (states) => states.length > 0,
  );
  assert.deepEqual(statesAt(ended), []);
});

test('what cannot be a push configuration is refused, and a send with it stores nothing', async () => {
  const { home, address, client, task } = await waiting();
  const urls = [
    'http://10.0.0.1/hook',
    'http://169.254.169.254/',
    'https://[::1]/',
    'ftp://example.com/',
    'nonsense',
    '',
  ];
  for (const url of urls) {
    await assert.rejects(client.createTaskPushNotificationConfig(config(task.id, url)), url);
    const sent = request(says('Not stored'), { taskPushNotificationConfig: config('', url) });
    await assert.rejects(client.sendMessage(sent), url);
  }
  for (const more of [{ token: 'a\nb' }, { id: 'a b' }, { authentication: { scheme: 'x y', credentials: '' } }])
    await assert.rejects(client.createTaskPushNotificationConfig(config(task.id, urlAt('/x'), more)));
  const { body } = await api<{ items: unknown[] }>('GET', `/mailboxes/${address}/messages`, { key: home.key });
  assert.equal(body.items.length, 1);
  const other = await newNamespace();
  const stranger = await a2aClient(service, address, { key: other.key });
  await assert.rejects(stranger.createTaskPushNotificationConfig(config(task.id, urlAt('/x'))), /no task/);
  const guest = await rpc(service, address, {
    jsonrpc: '2.0',
    id: 1,
    method: 'CreateTaskPushNotificationConfig',
    params: { taskId: task.id, url: urlAt('/x') },
  });
  assert.equal(guest.status, 401);
  for (let n = 0; n < 5; n++)
    await client.createTaskPushNotificationConfig(config(task.id, urlAt('/x'), { id: `c${n}` }));
  await assert.rejects(
    client.createTaskPushNotificationConfig(config(task.id, urlAt('/x'), { id: 'six' })),
    /at most 5/,
  );
});
