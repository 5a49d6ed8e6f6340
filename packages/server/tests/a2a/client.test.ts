import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskState } from '@a2a-js/sdk';
import {
  a2aClient,
  type Binding,
  eventsOf,
  part,
  request,
  says,
  sendTask,
  textsOf,
} from '../../../../tests/harness/a2a.ts';
import { connect } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newPaused, read, send } = connect(service.url);

const BY_HAND = { name: 'agent', settings: { by_hand: true } };

for (const binding of ['JSONRPC', 'HTTP+JSON'] as const satisfies readonly Binding[]) {
  test(`${binding}: the SDK's client gets the reply of an address as a completed task`, async () => {
    const home = await newNamespace();
    const { address } = await newMailbox(home);
    const client = await a2aClient(service, address, { key: home.key, binding });
    const task = await sendTask(client, says('Who are you?', { metadata: { subject: 'Hello' } }));
    assert.equal(task.status?.state, TaskState.TASK_STATE_COMPLETED);
    assert.match(textsOf(task).join(), /I write programs/);
    assert.equal(task.history.length, 1);
    const stored = await read(home.key, task.id);
    assert.equal(stored.body.id, task.id);
    assert.equal(stored.body.thread_id, task.contextId);
    assert.equal(stored.body.channel, 'a2a');
    assert.equal(stored.body.subject, 'Hello');
    assert.equal(stored.body.body, 'Who are you?');
    assert.equal(stored.body.reply?.body, textsOf(task)[0]);
    const again = await client.getTask({ tenant: '', id: task.id, historyLength: 0 });
    assert.deepEqual(again.artifacts, task.artifacts);
    assert.deepEqual(again.history, []);
  });

  test(`${binding}: a repeated messageId is the same task, and another text under it is refused`, async () => {
    const home = await newNamespace();
    const { address } = await newMailbox(home);
    const client = await a2aClient(service, address, { key: home.key, binding });
    const message = says('Who are you?');
    const [one, two] = await Promise.all([sendTask(client, message), sendTask(client, message)]);
    assert.equal(one.id, two.id);
    await assert.rejects(sendTask(client, { ...message, parts: says('Another').parts }), /idempotency|was used for/i);
  });

  test(`${binding}: a stream begins with the task, and ends with its artifact and its state`, async () => {
    const home = await newNamespace();
    const { address } = await newMailbox(home);
    const client = await a2aClient(service, address, { key: home.key, binding });
    const events = await eventsOf(client.sendMessageStream(request(says('Who are you?'))));
    const first = events[0];
    assert.ok(first?.$case === 'task', JSON.stringify(events));
    const [whole, last] = events.slice(-2);
    assert.ok(whole?.$case === 'artifactUpdate' && whole.value.lastChunk, JSON.stringify(events));
    assert.match(textsOf({ artifacts: [whole.value.artifact as never] }).join(), /I write programs/);
    assert.ok(last?.$case === 'statusUpdate', JSON.stringify(events));
    assert.equal(last.value.status?.state, TaskState.TASK_STATE_COMPLETED);
    assert.equal(last.value.taskId, first.value.id);
  });

  test(`${binding}: a question is answered under the same task id, and its stream continues to the end`, async () => {
    const home = await newNamespace();
    const { address } = await newMailbox(home, { behavior: BY_HAND });
    const client = await a2aClient(service, address, { key: home.key, binding });
    const begun = await sendTask(client, says('Book a table'), { returnImmediately: true });
    assert.equal(begun.status?.state, TaskState.TASK_STATE_SUBMITTED);
    await api('POST', `/mail/messages/${begun.id}/answer`, {
      key: home.key,
      body: { body: 'For how many?', status: 'input_required' },
    });
    const asked = await client.getTask({ tenant: '', id: begun.id });
    assert.equal(asked.status?.state, TaskState.TASK_STATE_INPUT_REQUIRED);
    assert.deepEqual(asked.status.message?.parts[0]?.content, { $case: 'text', value: 'For how many?' });
    assert.deepEqual(asked.artifacts, []);

    const stream = client.resubscribeTask({ tenant: '', id: begun.id });
    assert.equal((await stream.next()).value?.payload?.$case, 'task');
    const following = eventsOf(stream);
    const more = says('For two', { taskId: begun.id });
    const goesOn = await sendTask(client, more, { returnImmediately: true });
    assert.equal(goesOn.id, begun.id);
    assert.equal(goesOn.contextId, begun.contextId);
    const { body: inbox } = await api<{ items: { id: string; body: string }[] }>(
      'GET',
      `/mailboxes/${address}/messages`,
      { key: home.key },
    );
    const answer = inbox.items.find(({ body }) => body === 'For two');
    assert.ok(answer, JSON.stringify(inbox));
    await api('POST', `/mail/messages/${answer.id}/answer`, { key: home.key, body: { body: 'Booked.' } });
    const done = await client.getTask({ tenant: '', id: begun.id });
    assert.equal(done.status?.state, TaskState.TASK_STATE_COMPLETED);
    assert.deepEqual(textsOf(done), ['Booked.']);
    assert.equal(done.history.length, 3);
    const last = (await following).at(-1);
    assert.ok(last?.$case === 'statusUpdate');
    assert.equal(last.value.status?.state, TaskState.TASK_STATE_COMPLETED);
    assert.equal(last.value.taskId, begun.id);
    assert.equal((await sendTask(client, more)).id, begun.id, 'a repeated answer is the same task');
    await assert.rejects(sendTask(client, says('More', { taskId: begun.id })), /takes no message/);
    const next = await sendTask(client, says('Another', { contextId: begun.contextId }), { returnImmediately: true });
    assert.equal(next.contextId, begun.contextId);
    assert.notEqual(next.id, begun.id);
  });

  test(`${binding}: who follows a task that asked learns at once of an answer by the API`, async () => {
    const home = await newNamespace();
    const { address } = await newMailbox(home, { behavior: BY_HAND });
    const client = await a2aClient(service, address, { key: home.key, binding });
    const { id, contextId } = await sendTask(client, says('Book a table'), { returnImmediately: true });
    const answer = (of: string, body: object) => api('POST', `/mail/messages/${of}/answer`, { key: home.key, body });
    await answer(id, { body: 'For how many?', status: 'input_required' });
    const headers = { 'a2a-version': '1.0', authorization: `Bearer ${home.key}` };
    const response = await fetch(`${service.url}/a2a/${address}/v1/tasks/${id}:subscribe`, { method: 'POST', headers });
    const text = response.text();
    const { body } = await send(home.key, { to: address, body: 'For two', thread_id: contextId });
    await answer(body.id, { body: 'Booked.' });
    assert.match(await text, /TASK_STATE_COMPLETED/);
    // A comment is sent when nothing happened for a while.
    assert.doesNotMatch(await text, /^:/m);
  });

  test(`${binding}: a task is canceled once, and its subscribers see it`, async () => {
    const home = await newNamespace();
    const { address } = await newMailbox(home, { behavior: BY_HAND });
    const client = await a2aClient(service, address, { key: home.key, binding });
    const { id } = await sendTask(client, says('Wait'), { returnImmediately: true });
    const stream = client.resubscribeTask({ tenant: '', id });
    assert.equal((await stream.next()).value?.payload?.$case, 'task');
    const canceled = await client.cancelTask({ tenant: '', id, metadata: undefined });
    assert.equal(canceled.status?.state, TaskState.TASK_STATE_CANCELED);
    const last = (await eventsOf(stream)).at(-1);
    assert.ok(last?.$case === 'statusUpdate' && last.value.status?.state === TaskState.TASK_STATE_CANCELED);
    assert.equal(
      (await client.cancelTask({ tenant: '', id, metadata: undefined })).status?.state,
      canceled.status?.state,
    );
    await assert.rejects(eventsOf(client.resubscribeTask({ tenant: '', id })), /does not change any more/);
    const { body } = await read(home.key, id);
    assert.equal(body.status, 'canceled');
  });

  test(`${binding}: a question is taken back by canceling the task, once`, async () => {
    const home = await newNamespace();
    const { address } = await newMailbox(home, { behavior: BY_HAND });
    const client = await a2aClient(service, address, { key: home.key, binding });
    const { id, contextId } = await sendTask(client, says('Book a table'), { returnImmediately: true });
    await api('POST', `/mail/messages/${id}/answer`, {
      key: home.key,
      body: { body: 'For how many?', status: 'input_required' },
    });
    const cancel = () => client.cancelTask({ tenant: '', id, metadata: undefined });
    const both = await Promise.all([cancel(), cancel()]);
    for (const task of both) assert.equal(task.status?.state, TaskState.TASK_STATE_CANCELED);
    const read = await client.getTask({ tenant: '', id });
    assert.equal(read.status?.state, TaskState.TASK_STATE_CANCELED);
    const { body } = await api<{ items: unknown[] }>('GET', `/mail/threads/${contextId}`, { key: home.key });
    assert.equal(body.items.length, 3, JSON.stringify(body.items));
  });

  test(`${binding}: a conversation keeps the contextId that its client gave it, for that client alone`, async () => {
    const home = await newNamespace();
    const { address } = await newMailbox(home);
    const client = await a2aClient(service, address, { key: home.key, binding });
    const contextId = crypto.randomUUID();
    const first = await sendTask(client, says('One', { contextId }));
    const two = await sendTask(client, says('Two', { contextId }));
    assert.equal(first.contextId, contextId);
    assert.equal((await client.getTask({ tenant: '', id: two.id })).contextId, contextId);
    const threads = await Promise.all([first, two].map(async ({ id }) => (await read(home.key, id)).body.thread_id));
    assert.equal(threads[0], threads[1]);
    const stranger = await newNamespace();
    const other = await a2aClient(service, address, { key: stranger.key, binding });
    const theirs = await sendTask(other, says('Theirs', { contextId }));
    assert.notEqual((await read(stranger.key, theirs.id)).body.thread_id, threads[0]);
    await assert.rejects(sendTask(other, says('x', { contextId: threads[0] as string })), /thread|contextId/);
  });

  test(`${binding}: files and data arrive as attachments and data, and come back the same way`, async () => {
    const home = await newNamespace();
    const { address } = await newMailbox(home, { behavior: BY_HAND });
    const client = await a2aClient(service, address, { key: home.key, binding });
    const message = says('See the file', {
      parts: [
        part({ $case: 'text', value: 'See the file' }),
        part({ $case: 'data', value: { rows: [1, 2] } }),
        part({ $case: 'raw', value: Buffer.from('a,b\n1,2\n') }, 'prices.csv', 'text/csv'),
      ],
    });
    const { id } = await sendTask(client, message, { returnImmediately: true });
    const { body } = await read(home.key, id);
    assert.deepEqual(body.data, { rows: [1, 2] });
    assert.deepEqual(
      body.attachments.map(({ filename, content_type, size }) => ({ filename, content_type, size })),
      [{ filename: 'prices.csv', content_type: 'text/csv', size: 8 }],
    );
    const files = [
      { filename: 'small.txt', content_type: 'text/plain', content: Buffer.from('small').toString('base64') },
      { filename: 'large.bin', content: Buffer.alloc(100_000, 7).toString('base64') },
    ];
    await api('POST', `/mail/messages/${id}/answer`, {
      key: home.key,
      body: { body: 'Here', data: { ok: true }, attachments: files },
    });
    const [artifact] = (await client.getTask({ tenant: '', id })).artifacts;
    const [said, data, small, large] = artifact?.parts ?? [];
    assert.deepEqual(said?.content, { $case: 'text', value: 'Here' });
    assert.deepEqual(data?.content, { $case: 'data', value: { ok: true } });
    assert.ok(small?.content?.$case === 'raw' && small.content.value.toString() === 'small', JSON.stringify(small));
    assert.equal(small.filename, 'small.txt');
    assert.ok(large?.content?.$case === 'url', JSON.stringify(large));
    const bytes = await fetch(new URL(new URL(large.content.value).pathname, service.url), {
      headers: { authorization: `Bearer ${home.key}` },
    });
    assert.equal((await bytes.arrayBuffer()).byteLength, 100_000);
  });

  test(`${binding}: a sender lists its own tasks of one address, by state and conversation, page by page`, async () => {
    const home = await newNamespace();
    const other = await newNamespace();
    const { address } = await newMailbox(home);
    const elsewhere = await newMailbox(home, { local_part: 'elsewhere' });
    const client = await a2aClient(service, address, { key: other.key, binding });
    const tasks = [];
    for (const text of ['One', 'Two', 'Three']) tasks.push(await sendTask(client, says(text)));
    await send(other.key, { to: elsewhere.address, body: 'Not here', sync: true });
    await send(home.key, { to: address, body: 'Of another', sync: true });
    const list = (more = {}) =>
      client.listTasks({
        tenant: '',
        contextId: '',
        status: TaskState.TASK_STATE_UNSPECIFIED,
        pageSize: 2,
        pageToken: '',
        statusTimestampAfter: undefined,
        ...more,
      });
    const page = await list();
    assert.equal(page.totalSize, 3);
    assert.equal(page.tasks.length, 2);
    assert.deepEqual(page.tasks[0]?.artifacts, []);
    const rest = await list({ pageToken: page.nextPageToken, includeArtifacts: true });
    assert.equal(rest.nextPageToken, '');
    assert.match(textsOf(rest.tasks[0] as never).join(), /I write/);
    assert.deepEqual([...page.tasks, ...rest.tasks].map(({ id }) => id).sort(), tasks.map(({ id }) => id).sort());
    const first = await list({ contextId: tasks[0]?.contextId });
    assert.deepEqual(
      first.tasks.map(({ id }) => id),
      [tasks[0]?.id],
    );
    assert.deepEqual((await list({ status: TaskState.TASK_STATE_FAILED })).tasks, []);
    await assert.rejects(list({ pageSize: 0 }), /pageSize/);
    await assert.rejects(list({ pageToken: 'x' }), /pageToken/);
  });
}

test('a guest writes, goes on and reads where the try-out is open, and nowhere else', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  const guest = await a2aClient(service, address);
  const task = await sendTask(guest, says('Who are you?'));
  assert.equal(task.status?.state, TaskState.TASK_STATE_COMPLETED);
  const next = await sendTask(guest, says('And now?', { contextId: task.contextId }));
  assert.equal(next.contextId, task.contextId);
  await assert.rejects(guest.getTask({ tenant: '', id: task.id }), /no task/);
  const known = await a2aClient(service, address, { key: task.contextId });
  assert.equal((await known.getTask({ tenant: '', id: task.id })).id, task.id);
  const { body } = await read(home.key, task.id);
  assert.equal(body.sender.kind, 'guest');
  const closed = await newMailbox(home, { local_part: 'closed', try_out: false });
  const refused = await a2aClient(service, closed.address);
  await assert.rejects(sendTask(refused, says('Hello')), /no try-out/);
  const file = says('A file', { parts: [part({ $case: 'raw', value: Buffer.from('x') }, 'x.txt', 'text/plain')] });
  await assert.rejects(sendTask(guest, file), /Without an API key/);
});

test('a blocking send to a paused address answers at once with a task that waits', async () => {
  const home = await newNamespace();
  const { address } = await newPaused(home);
  const client = await a2aClient(service, address, { key: home.key });
  const task = await sendTask(client, says('Later'));
  assert.equal(task.status?.state, TaskState.TASK_STATE_SUBMITTED);
  await api('PATCH', `/mailboxes/${address}`, { key: home.key, body: { status: 'online' } });
  await until(
    60_000,
    () => client.getTask({ tenant: '', id: task.id }),
    ({ status }) => status?.state === TaskState.TASK_STATE_COMPLETED,
  );
});

test('a task that waits for approval requires authorization, and its stream goes on once it is given', async () => {
  const home = await newNamespace();
  const { address: target } = await newPaused(home);
  const behavior = { name: 'do', settings: { approval: ['send'] } };
  const { address } = await newMailbox(home, { behavior });
  const client = await a2aClient(service, address, { key: home.key });
  const task = await sendTask(client, says(`send ${target}: approved`));
  assert.equal(task.status?.state, TaskState.TASK_STATE_AUTH_REQUIRED, JSON.stringify(task));
  const stream = client.resubscribeTask({ tenant: '', id: task.id });
  assert.equal((await stream.next()).value?.payload?.$case, 'task');
  const approved = await api('POST', `/mail/messages/${task.id}/approve`, { key: home.key });
  assert.equal(approved.status, 200, approved.text);
  const last = (await eventsOf(stream)).at(-1);
  assert.ok(last?.$case === 'statusUpdate', JSON.stringify(last));
  assert.ok([TaskState.TASK_STATE_COMPLETED, TaskState.TASK_STATE_FAILED].includes(last.value.status?.state as never));
});
