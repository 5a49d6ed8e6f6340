import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { rpc } from '../../../../tests/harness/a2a.ts';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { until } from '../../../../tests/harness/until.ts';

const SIZE = 64 * 1024;
const service = await startInside({
  env: { WEBHOOK_NETWORKS: '127.0.0.1', LIMIT_STORAGE_UNCLAIMED: String(SIZE), LIMIT_CHANGES_PER_MINUTE: '40' },
});
const limited = await startInside({
  env: { WEBHOOK_NETWORKS: '127.0.0.1', RATE_LIMITS: 'on', LIMIT_CHANGES_PER_MINUTE: '8' },
});

const notified: { readonly path: string; readonly secrets: string }[] = [];
const receiver = createServer((asked, answer) => {
  const { authorization, 'x-a2a-notification-token': token } = asked.headers;
  notified.push({ path: asked.url ?? '', secrets: `${authorization} ${String(token)}` });
  asked.resume();
  answer.writeHead(204).end();
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
after(() => receiver.close());
const urlAt = (path: string): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;

/** A task of one namespace at an address of another, which waits for an answer. */
async function newTask({ url, client }: typeof service) {
  const { newNamespace, newMailbox, newKey } = client;
  const [owner, sender] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(owner, { behavior: { name: 'agent', settings: { by_hand: true } } });
  const call = async (key: string, method: string, params: object, version = '1.0') =>
    rpc({ url }, address, { jsonrpc: '2.0', id: 1, method, params }, { key, version });
  const send = async (key: string, configuration: object = {}) =>
    call(key, 'SendMessage', {
      message: { messageId: unique('m'), role: 'ROLE_USER', parts: [{ text: 'Wait' }] },
      configuration: { returnImmediately: true, ...configuration },
    });
  const taskId: string = (await send(sender.key)).body.result.task.id;
  return { owner, sender, address, call, send, taskId, newKey };
}

/** Secrets that only the URL may get. */
const SECRET = unique('secret');
const secretsOf = (path: string) => ({
  url: urlAt(`${path}?key=${SECRET}-query`),
  token: `${SECRET}-token`,
  authentication: { scheme: 'Bearer', credentials: `${SECRET}-credentials` },
});

/** Each way to see, replace or delete a configuration: what it answers. */
type Task = Awaited<ReturnType<typeof newTask>>;
const WAYS: Readonly<Record<string, (task: Task, key: string, id: string) => Promise<string>>> = {
  'the list': async ({ call, taskId }, key) => (await call(key, 'ListTaskPushNotificationConfigs', { taskId })).text,
  'a read': async ({ call, taskId }, key, id) =>
    (await call(key, 'GetTaskPushNotificationConfig', { taskId, id })).text,
  'the list of 0.3': async ({ call, taskId }, key) =>
    (await call(key, 'tasks/pushNotificationConfig/list', { id: taskId }, '0.3')).text,
  'a read of 0.3': async ({ call, taskId }, key, id) =>
    (await call(key, 'tasks/pushNotificationConfig/get', { id: taskId, pushNotificationConfigId: id }, '0.3')).text,
  'the list of HTTP+JSON': async ({ address, taskId }, key) => overHttp(`${address}/v1/tasks/${taskId}`, key),
  'a read of HTTP+JSON': async ({ address, taskId }, key, id) =>
    overHttp(`${address}/v1/tasks/${taskId}`, key, `/${id}`),
};
async function overHttp(task: string, key: string, below = ''): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'a2a-version': '1.0' };
  const response = await fetch(`${service.url}/a2a/${task}/pushNotificationConfigs${below}`, { headers });
  return response.text();
}

test('a push configuration is its key’s alone: no other key sees, replaces or deletes it', async () => {
  const task = await newTask(service);
  const { owner, sender, call, taskId, newKey, address } = task;
  const path = `/${unique()}`;
  const created = await call(sender.key, 'CreateTaskPushNotificationConfig', {
    taskId,
    id: 'mine',
    ...secretsOf(path),
  });
  assert.equal(created.body.result.id, 'mine', created.text);
  const bound = await newKey(owner, { scopes: ['messages:read'], mailbox: address });
  const second = await newKey(sender, { scopes: ['owner'] });
  const others = [owner.key, bound.secret, second.secret];
  for (const key of others) {
    for (const [way, ask] of Object.entries(WAYS))
      assert.doesNotMatch(await ask(task, key, 'mine'), new RegExp(`mine.*url|url|${path}|${SECRET}`), way);
    const replaced = urlAt(`/evil-${unique()}`);
    const made = await call(key, 'CreateTaskPushNotificationConfig', { taskId, id: 'mine', url: replaced });
    assert.equal(made.body.result.url, replaced);
    const { result } = (await call(key, 'ListTaskPushNotificationConfigs', { taskId })).body;
    assert.deepEqual([result.configs.length, result.configs[0].url], [1, replaced]);
    await call(key, 'DeleteTaskPushNotificationConfig', { taskId, id: 'mine' });
    await call(key, 'tasks/pushNotificationConfig/delete', { id: taskId, pushNotificationConfigId: 'mine' }, '0.3');
  }
  const { result } = (await call(sender.key, 'ListTaskPushNotificationConfigs', { taskId })).body;
  assert.deepEqual([result.configs.length, result.configs[0].url], [1, urlAt(`${path}?***`)]);
  await service.client.api('POST', `/mail/messages/${taskId}/answer`, { key: owner.key, body: { body: 'Done' } });
  await until(60_000, async () => notified.some((one) => one.path.startsWith(path)), Boolean);
  assert.deepEqual(
    notified.filter((one) => /evil/.test(one.path) || one.path.startsWith(path)),
    [{ path: `${path}?key=${SECRET}-query`, secrets: `Bearer ${SECRET}-credentials ${SECRET}-token` }],
  );
});

test('secrets of a push configuration are shown to no one, not even to its key, and stand nowhere in the clear', async () => {
  const task = await newTask(service);
  const { sender, call, send, taskId } = task;
  const config = { id: 'mine', ...secretsOf('/never') };
  const created = await call(sender.key, 'CreateTaskPushNotificationConfig', { taskId, ...config });
  const legacy = { ...config, authentication: { schemes: ['Bearer'], credentials: `${SECRET}-credentials` } };
  const set = await call(
    sender.key,
    'tasks/pushNotificationConfig/set',
    { taskId, pushNotificationConfig: { ...legacy, id: 'old' } },
    '0.3',
  );
  const sent = await send(sender.key, { taskPushNotificationConfig: config });
  for (const { text } of [created, set, sent]) assert.doesNotMatch(text, new RegExp(SECRET));
  assert.match(created.text, /"scheme":"Bearer"/);
  for (const [way, ask] of Object.entries(WAYS)) {
    const shown = await ask(task, sender.key, 'mine');
    assert.match(shown, /\/never/, way);
    assert.doesNotMatch(shown, new RegExp(SECRET), way);
  }
  const stored = await service.store.pushConfigs.list({ task_id: taskId }, service.now());
  assert.deepEqual(
    stored.map(({ id, sealed }) => [id, sealed.startsWith('sealed:')]),
    [
      ['mine', true],
      ['old', true],
    ],
  );
  const files = readdirSync(service.folder).filter((file) => /\.db/.test(file));
  for (const file of files) assert.ok(!readFileSync(`${service.folder}/${file}`, 'latin1').includes(SECRET), file);
  assert.ok(!service.lines.some((line) => line.includes(SECRET)));
});

test('a configuration that stands in the row of another task, key or id is worth nothing', async () => {
  const [task, other] = [await newTask(service), await newTask(service)];
  const { sender, call, taskId } = task;
  await call(sender.key, 'CreateTaskPushNotificationConfig', { taskId, id: 'mine', url: urlAt('/moved') });
  const [row] = await service.store.pushConfigs.list({ task_id: taskId }, service.now());
  assert.ok(row);
  for (const moved of [{ id: 'moved' }, { task_id: other.taskId }, { key_id: other.sender.keyId }])
    await service.store.pushConfigs.set({ ...row, ...moved }, 5);
  const listed = await call(sender.key, 'ListTaskPushNotificationConfigs', { taskId });
  assert.equal(listed.body.result.configs.length, 1);
  const theirs = await other.call(other.sender.key, 'ListTaskPushNotificationConfigs', { taskId: other.taskId });
  assert.doesNotMatch(theirs.text, /moved/);
});

test('a key that does not read messages for good makes no push configuration, and a send with one stores nothing', async () => {
  const { sender, call, send, taskId, newKey } = await newTask(service);
  const expires_at = new Date(service.now() + 3_600_000).toISOString();
  for (const [fields, reason] of [
    [{ scopes: ['mail:send'] }, 'INSUFFICIENT_SCOPE'],
    [{ scopes: ['mail:send', 'webhooks:write', 'mailboxes:write'] }, 'INSUFFICIENT_SCOPE'],
    [{ scopes: ['mail:send', 'messages:read'], expires_at }, 'ACCESS_DENIED'],
    [{ scopes: ['owner'], expires_at }, 'ACCESS_DENIED'],
  ] as const) {
    const { secret } = await newKey(sender, fields);
    const config = { id: 'mine', url: urlAt('/x') };
    for (const { status, text } of [
      await call(secret, 'CreateTaskPushNotificationConfig', { taskId, ...config }),
      await send(secret, { taskPushNotificationConfig: config }),
    ])
      assert.ok(status === 403 && text.includes(reason), text);
    assert.equal((await send(secret)).status, 200, 'it may still send');
  }
  assert.deepEqual(await service.store.pushConfigs.list({ task_id: taskId }, service.now()), []);
  const { text } = await service.client.api('GET', '/mail/messages', { key: sender.key });
  assert.equal(text.match(/"id":"msg_[^"]+","thread_id"/g)?.length ?? 0, 5, text);
});

test('each key has five for a task, and those of others take none of them', async () => {
  const { owner, sender, call, send, taskId } = await newTask(service);
  for (const key of [sender.key, owner.key]) {
    const newConfig = async (id: string) =>
      (await call(key, 'CreateTaskPushNotificationConfig', { taskId, id, url: urlAt('/x') })).text;
    for (let nth = 0; nth < 5; nth++) assert.match(await newConfig(`c${nth}`), /"url"/);
    assert.match(await newConfig('six'), /at most 5/);
    assert.match(await newConfig('c4'), /"url"/);
  }
  // A message that continues the task is not sent when its configuration has no room.
  const answered = await service.client.api('POST', `/mail/messages/${taskId}/answer`, {
    key: owner.key,
    body: { body: 'Which?', status: 'input_required' },
  });
  assert.equal(answered.status, 200);
  const continued = await call(sender.key, 'SendMessage', {
    message: { messageId: unique('m'), role: 'ROLE_USER', taskId, parts: [{ text: 'This one' }] },
    configuration: { returnImmediately: true, taskPushNotificationConfig: { id: 'six', url: urlAt('/x') } },
  });
  assert.match(continued.text, /at most 5/);
  const { status } = (await call(sender.key, 'GetTask', { id: taskId })).body.result;
  assert.equal(status.state, 'TASK_STATE_INPUT_REQUIRED');
  assert.match(
    (await send(sender.key, { taskPushNotificationConfig: { id: 'six', url: urlAt('/x') } })).text,
    /"task"/,
  );
});

test('push configurations count as storage of who makes them, and give it back', async () => {
  const { sender, call, send, taskId } = await newTask(service);
  const url = urlAt(`/${'x'.repeat(1_500)}`);
  const token = 't'.repeat(1_000);
  let count = 0;
  let refused = '';
  for (; count < 60 && refused === ''; count++) {
    const task = (await send(sender.key)).body.result?.task?.id;
    const config = { taskId: task ?? taskId, id: `c${count % 5}`, url, token };
    const { text } = await call(sender.key, 'CreateTaskPushNotificationConfig', config);
    if (/error/.test(text)) refused = text;
  }
  assert.match(refused, /has stored 64 KiB/);
  assert.ok(count > 4 && count < 30, String(count));
  const sent = await send(sender.key, { taskPushNotificationConfig: { id: 'big', url, token } });
  assert.match(sent.text, /has stored 64 KiB/);
  const total = async () => (await service.store.storage.totals([sender.id]))[0]?.bytes ?? 0;
  await until(10_000, total, (bytes) => bytes > SIZE - 10_000);
  const { items } = (
    await service.client.api<{ items: { id: string }[] }>('GET', '/mail/messages', { key: sender.key })
  ).body;
  for (const { id } of items)
    for (let nth = 0; nth < 5; nth++)
      await call(sender.key, 'DeleteTaskPushNotificationConfig', { taskId: id, id: `c${nth}` });
  await until(10_000, total, (bytes) => bytes < SIZE / 2);
});

test('push configurations count as changes of a namespace, also those of a send', async () => {
  const { sender, call, send, taskId } = await newTask(limited);
  let refused = 0;
  for (let nth = 0; nth < 12; nth++) {
    const { status } =
      nth % 2 === 0
        ? await call(sender.key, 'CreateTaskPushNotificationConfig', { taskId, id: 'mine', url: urlAt('/x') })
        : await send(sender.key, { taskPushNotificationConfig: { id: 'mine', url: urlAt('/x') } });
    if (status === 429) refused++;
  }
  // On slow machines the limit refills a little meanwhile.
  assert.ok(refused >= 2, String(refused));
  const { text } = await call(sender.key, 'DeleteTaskPushNotificationConfig', { taskId, id: 'mine' });
  assert.match(text, /changes|"result"/);
  assert.equal((await send(sender.key)).status, 200);
});
