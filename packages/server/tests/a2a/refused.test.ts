import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rpc } from '../../../../tests/harness/a2a.ts';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { sharedService } from '../../../../tests/harness/service.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newKey } = connect(service.url);
const home = await newNamespace();
const { key } = home;
const { address } = await newMailbox(home);

const message = (more: object = {}) => ({
  messageId: unique('m'),
  role: 'ROLE_USER',
  parts: [{ text: 'Hello' }],
  ...more,
});
const call = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const sending = (more: object = {}, params: object = {}) => call('SendMessage', { message: message(more), ...params });
const received = async (): Promise<number> =>
  (await api<{ items: unknown[] }>('GET', `/mailboxes/${address}/messages`, { key })).body.items.length;

test('what is no request is refused with the code of JSON-RPC, and nothing is stored', async () => {
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  const cases: readonly (readonly [string, unknown, number, number])[] = [
    ['no JSON', '{', -32700, 200],
    ['nothing', ' ', -32700, 200],
    ['a batch', [sending(), sending()], -32600, 200],
    ['an empty batch', [], -32600, 200],
    ['a text', '"SendMessage"', -32600, 200],
    ['another version of JSON-RPC', { ...sending(), jsonrpc: '1.0' }, -32600, 200],
    ['no method', { jsonrpc: '2.0', id: 1 }, -32600, 200],
    ['an unknown method', call('DeleteEverything', {}), -32601, 200],
    ['an unknown method without params', { jsonrpc: '2.0', id: 1, method: 'DeleteEverything' }, -32601, 200],
    ['a method of 0.3', call('message/send', {}), -32601, 200],
    ['no params', call('SendMessage'), -32602, 200],
    ['a list of params', call('SendMessage', []), -32602, 200],
    ['no message', call('SendMessage', {}), -32602, 200],
    ['no parts', sending({ parts: [] }), -32602, 200],
    ['a part without content', sending({ parts: [{}] }), -32602, 200],
    ['a part with two contents', sending({ parts: [{ text: 'x', data: { a: 1 } }] }), -32602, 200],
    ['an empty text', sending({ parts: [{ text: '' }] }), -32602, 200],
    ['no messageId', sending({ messageId: '' }), -32602, 200],
    ['a messageId that is no text', sending({ messageId: { a: 1 } }), -32602, 200],
    ['a long messageId', sending({ messageId: 'm'.repeat(256) }), -32602, 200],
    ['the role of an agent', sending({ role: 'ROLE_AGENT' }), -32602, 200],
    ['no base64', sending({ parts: [{ raw: '%%%', filename: 'x' }] }), -32602, 200],
    ['no media type', sending({ parts: [{ raw: 'eA==', mediaType: 'nonsense' }] }), -32602, 200],
    ['a text of another type', sending({ parts: [{ text: 'x', mediaType: 'video/mp4' }] }), -32005, 200],
    ['a file behind a url', sending({ parts: [{ url: 'http://127.0.0.1/x' }] }), -32005, 200],
    ['an unknown task', sending({ taskId: 'msg_00000000000000000000' }), -32001, 200],
    ['a task that cannot be', sending({ taskId: '../../etc' }), -32001, 200],
    ['a context with a space', sending({ contextId: 'my own' }), -32602, 200],
    ['a context of nobody', sending({ contextId: 'thr_00000000000000000000' }), -32602, 200],
    ['a name twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"SendMessage","params":{}}', -32602, 200],
    ['deep nesting', `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${deep}}`, -32602, 200],
    ['a large text', sending({ parts: [{ text: 'x'.repeat(300_000) }] }), -32602, 413],
    ['a huge body', sending({ parts: [{ text: 'x'.repeat(3_000_000) }] }), -32602, 413],
    ['U+0000', sending({ parts: [{ text: 'a\0b' }] }), -32602, 200],
    ['a history below none', call('GetTask', { id: 'x', historyLength: -1 }), -32602, 200],
    ['a part of a history', call('GetTask', { id: 'x', historyLength: 1.5 }), -32602, 200],
    ['a page that is none', call('ListTasks', { pageSize: '5' }), -32602, 200],
    [
      'a token that is no text',
      sending({}, { configuration: { taskPushNotificationConfig: { url: 5 } } }),
      -32602,
      200,
    ],
    ...['GetTask', 'CancelTask', 'SubscribeToTask'].flatMap((method) =>
      [{}, { id: '' }, { id: null }, { id: 5 }, { id: ['x'] }].map(
        (params) => [`${method} ${JSON.stringify(params)}`, call(method, params), -32602, 200] as const,
      ),
    ),
    ...['CreateTaskPush', 'GetTaskPush', 'ListTaskPush', 'DeleteTaskPush'].flatMap((begin) =>
      [{}, { id: 'x' }, { id: 'x', taskId: { a: 1 } }].map((params) => {
        const method = `${begin}NotificationConfig${begin.startsWith('List') ? 's' : ''}`;
        return [`${method} ${JSON.stringify(params)}`, call(method, params), -32602, 200] as const;
      }),
    ),
    ['a push without a url', call('CreateTaskPushNotificationConfig', { taskId: 'x' }), -32602, 200],
    ['a push that names none', call('GetTaskPushNotificationConfig', { taskId: 'x' }), -32602, 200],
  ];
  const countBefore = await received();
  for (const [what, body, code, status] of cases) {
    const answer = await rpc(service, address, body, { key });
    assert.equal(answer.body.error?.code, code, `${what}: ${answer.text.slice(0, 300)}`);
    assert.equal(answer.status, status, `${what}: ${answer.text.slice(0, 300)}`);
    assert.equal(answer.body.jsonrpc, '2.0', what);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  }
  assert.equal(await received(), countBefore);
});

test('a request of 0.3 with values of another kind is refused, and nothing is stored', async () => {
  const old = (more: object) => ({
    message: { messageId: unique('m'), role: 'user', parts: [{ kind: 'text', text: 'Hello' }], ...more },
  });
  const file = (of: object) => old({ parts: [{ kind: 'file', file: { bytes: 'eA==', name: 'x', ...of } }] });
  const push = (of: object) => ({ taskId: 'x', pushNotificationConfig: { url: 'https://example.com/', ...of } });
  const values: readonly unknown[] = [9, true, {}, [], [[]]];
  const cases: readonly (readonly [string, unknown])[] = [
    ...['messageId', 'role', 'contextId', 'taskId', 'parts', 'metadata', 'extensions'].flatMap((name) =>
      values
        .filter((value) => !(name === 'metadata' && JSON.stringify(value) === '{}'))
        .filter((value) => !(name === 'extensions' && JSON.stringify(value) === '[]'))
        .map((value) => ['message/send', old({ [name]: value })] as const),
    ),
    ...['bytes', 'name', 'mimeType', 'uri'].flatMap((name) =>
      values.map((value) => ['message/send', file({ [name]: value })] as const),
    ),
    ...values.map((value) => ['message/send', old({ parts: [{ kind: 'text', text: value }] })] as const),
    ['message/send', file({ bytes: '***' })],
    ['message/send', old({ role: 'agent' })],
    ['message/send', old({ parts: [{ kind: 'data', data: 5 }] })],
    ['message/send', old({ messageId: 'm'.repeat(256) })],
    ['message/send', { ...old({}), configuration: { historyLength: '5' } }],
    ['message/send', { ...old({}), configuration: { pushNotificationConfig: { url: {} } } }],
    ...['id', 'url', 'token', 'authentication'].map(
      (name) => ['tasks/pushNotificationConfig/set', push({ [name]: 5 })] as const,
    ),
    ...['tasks/get', 'tasks/cancel', 'tasks/pushNotificationConfig/list', 'tasks/pushNotificationConfig/get'].flatMap(
      (method) => values.map((id) => [method, { id }] as const),
    ),
  ];
  const countBefore = await received();
  for (const [method, params] of cases) {
    const { status, body, text } = await rpc(service, address, call(method, params), { key, version: null });
    const what = `${method} ${JSON.stringify(params).slice(0, 200)}: ${text.slice(0, 300)}`;
    assert.equal(status, 200, what);
    assert.equal(body.error?.code, -32602, what);
  }
  assert.equal(await received(), countBefore);
  const sent = await rpc(service, address, call('message/send', old({ contextId: null })), { key, version: null });
  assert.equal(sent.body.error, undefined, sent.text);
});

test('the id of a request is in its answer, and null where there is none', async () => {
  for (const id of ['abc', 7, null])
    assert.equal((await rpc(service, address, call('GetTask', { id: 'x' }, id), { key })).body.id, id);
  assert.equal((await rpc(service, address, '{', { key })).body.id, null);
  // The last one would come back as another number.
  for (const id of [{ a: 1 }, 1.5, true, 2 ** 53])
    assert.equal((await rpc(service, address, call('GetTask', {}, id), { key })).body.error.code, -32600);
});

test('ProtoJSON: fields are taken by the names of the proto file too, and checked the same', async () => {
  const ownMessage = {
    message_id: unique('m'),
    role: 'ROLE_USER',
    context_id: unique('c'),
    parts: [{ text: 'Hello' }],
  };
  const configuration = { return_immediately: true, history_length: 0 };
  const sent = await rpc(service, address, call('SendMessage', { message: ownMessage, configuration }), { key });
  assert.equal(sent.body.error, undefined, sent.text);
  const { id: task_id, contextId, history = [] } = sent.body.result.task;
  assert.deepEqual([contextId, history], [ownMessage.context_id, []]);
  const list = await rpc(service, address, call('ListTaskPushNotificationConfigs', { task_id }), { key });
  assert.equal(list.body.error, undefined, list.text);
  const countBefore = await received();
  for (const wrong of [
    { message_id: 5 },
    { context_id: {} },
    { task_id: [] },
    { parts: [{ text: 'x', media_type: 5 }] },
  ]) {
    const refused = await rpc(service, address, call('SendMessage', { message: { ...ownMessage, ...wrong } }), { key });
    assert.equal(refused.body.error?.code, -32602, JSON.stringify(wrong));
  }
  assert.equal(await received(), countBefore);
});

test('what is refused before the protocol reads it has the id of its request, and the headers of its problem', async () => {
  const closed = await newMailbox(home, { local_part: 'closed', try_out: false });
  const gone = await newMailbox(home, { local_part: 'gone' });
  await api('DELETE', `/mailboxes/${gone.address}`, { key });
  for (const [to, status] of [
    [closed.address, 401],
    [gone.address, 410],
    ['nobody@agents.mailroom.localhost', 404],
  ] as const) {
    const refused = await rpc(service, to, sending());
    assert.deepEqual([refused.status, refused.body.id], [status, 1], refused.text);
    assert.equal(refused.headers.get('www-authenticate'), status === 401 ? 'Bearer' : null, to);
  }
  const http = await fetch(`${service.url}/a2a/${closed.address}/v1/message:send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ message: message() }),
  });
  assert.deepEqual([http.status, http.headers.get('www-authenticate')], [401, 'Bearer']);
});

test('a request without an id is done and not answered, whatever becomes of it', async () => {
  const by = async (body: unknown, of: { readonly key?: string; readonly version?: string } = { key }) => {
    const response = await fetch(`${service.url}/a2a/${address}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'a2a-version': of.version ?? '1.0',
        ...(of.key && { authorization: `Bearer ${of.key}` }),
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };
  const { id: _, ...note } = sending({ metadata: { subject: unique('Note ') } });
  const { id: _s, ...streamed } = { ...sending(), method: 'SendStreamingMessage' };
  const { id: _o, ...old } = call('message/send', {
    message: { messageId: unique('m'), role: 'user', parts: [{ kind: 'text', text: 'Hello' }] },
  });
  const countBefore = await received();
  assert.deepEqual(await by(note), { status: 204, text: '' });
  assert.deepEqual(await by(streamed), { status: 204, text: '' });
  assert.deepEqual(await by(old, { key, version: '0.3' }), { status: 204, text: '' });
  assert.equal(await received(), countBefore + 3);
  for (const [what, request] of Object.entries({
    'an unknown method': { method: 'DeleteEverything' },
    'wrong parameters': { method: 'SendMessage', params: {} },
    'an unknown task': { method: 'GetTask', params: { id: 'msg_00000000000000000000' } },
    'a stream of none': { method: 'SubscribeToTask', params: { id: 'msg_00000000000000000000' } },
  }))
    assert.deepEqual(await by({ jsonrpc: '2.0', ...request }), { status: 204, text: '' }, what);
  const reader = await newKey(home, { scopes: ['messages:read'] });
  assert.deepEqual(await by(note, { key: reader.secret }), { status: 403, text: '' });
  assert.equal(await received(), countBefore + 3);
  // What is no request at all is answered, because nothing says that it has no id.
  assert.match((await by({ method: 'SendMessage' })).text, /"id":null,"error":\{"code":-32600/);
});

test('a notification is not waited for', async () => {
  const slow = await newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } });
  const { id: _, ...note } = sending();
  const response = await fetch(`${service.url}/a2a/${slow.address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0', authorization: `Bearer ${key}` },
    body: JSON.stringify(note),
    signal: AbortSignal.timeout(10_000),
  });
  assert.equal(response.status, 204);
});

test('a version other than 1.0 and 0.3 is refused, and a request without one is of 0.3', async () => {
  for (const version of ['99.0', '2.0', '1', 'x']) {
    const answer = await rpc(service, address, sending(), { key, version });
    assert.equal(answer.body.error.code, -32009, version);
  }
  for (const version of [null, '', '0.3']) {
    const answer = await rpc(service, address, sending(), { key, version });
    assert.equal(answer.body.error.code, -32009, JSON.stringify(version));
    const legacy = { kind: 'message', messageId: unique('m'), role: 'user', parts: [{ kind: 'text', text: 'Hello' }] };
    const old = await rpc(service, address, call('message/send', { message: legacy }), { key, version });
    assert.equal(old.body.result?.status.state, 'completed', old.text);
  }
  assert.equal((await rpc(service, address, sending(), { key, version: '1.0.1' })).body.error, undefined);
  const byQuery = await rpc(service, `${address}/?A2A-Version=1.0`, sending(), { key, version: null });
  assert.equal(byQuery.body.error, undefined, byQuery.text);
  const http = await fetch(`${service.url}/a2a/${address}/v1/message:send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '99.0' },
    body: '{}',
  });
  assert.equal(http.status, 400);
  assert.match(await http.text(), /VERSION_NOT_SUPPORTED/);
});

test('a wrong key, another namespace and a key without the scope are refused as by the API', async () => {
  const wrong = await rpc(service, address, sending(), { key: `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}` });
  assert.equal(wrong.status, 401);
  assert.equal(wrong.headers.get('www-authenticate'), 'Bearer');
  assert.equal(wrong.body.error.data[0].reason, 'INVALID_KEY');
  const reader = await newKey(home, { scopes: ['messages:read'] });
  const forbidden = await rpc(service, address, sending(), { key: reader.secret });
  assert.equal(forbidden.status, 403);
  const sent = await rpc(service, address, sending(), { key });
  const { id } = sent.body.result.task;
  assert.equal((await rpc(service, address, call('GetTask', { id }), { key: reader.secret })).body.result.id, id);
  const stranger = await newNamespace();
  for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask']) {
    assert.equal((await rpc(service, address, call(method, { id }), { key: stranger.key })).body.error.code, -32001);
    assert.equal((await rpc(service, address, call(method, { id }))).body.error.code, -32001);
  }
  const other = await newMailbox(home, { local_part: 'other' });
  assert.equal((await rpc(service, other.address, call('GetTask', { id }), { key })).body.error.code, -32001);
});

test('HTTP+JSON refuses with the status and the reason of the protocol, with and without a slash at the end', async () => {
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.url}/a2a/${address}/v1${path}`, {
      method,
      headers: {
        'a2a-version': '1.0',
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/a2a+json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: text === '' ? {} : JSON.parse(text),
    };
  };
  const sent = await ask('POST', '/message:send/', { message: message() });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  assert.match(sent.type ?? '', /^application\/a2a\+json/);
  const { id } = sent.body.task;
  assert.equal((await ask('GET', `/tasks/${id}/`)).body.id, id);
  const cases: readonly (readonly [string, string, unknown, number, string])[] = [
    ['GET', '/tasks/msg_00000000000000000000', undefined, 404, 'TASK_NOT_FOUND'],
    ['POST', `/tasks/${id}:cancel`, undefined, 400, 'TASK_NOT_CANCELABLE'],
    ['POST', `/tasks/${id}:subscribe`, undefined, 400, 'UNSUPPORTED_OPERATION'],
    ['POST', `/tasks/${id}:explode`, undefined, 404, 'NOT_FOUND'],
    ['POST', '/message:explode', {}, 404, 'NOT_FOUND'],
    ['POST', '/message:send', '{', 400, 'MALFORMED_JSON'],
    ['POST', '/message:send', {}, 400, 'VALIDATION_ERROR'],
    ['GET', '/tasks?pageSize=x', undefined, 400, 'VALIDATION_ERROR'],
    ['GET', '/tasks?pageSize=101', undefined, 400, 'INVALID_PARAMS'],
    ['GET', '/tasks?status=nonsense', undefined, 400, 'INVALID_PARAMS'],
    ['GET', `/tasks/${id}?historyLength=x`, undefined, 400, 'VALIDATION_ERROR'],
    ['GET', '/tasks?historyLength=-1', undefined, 400, 'VALIDATION_ERROR'],
  ];
  for (const [method, path, body, status, reason] of cases) {
    const answer = await ask(method, path, body);
    assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(answer.body)}`);
    assert.equal(answer.body.error.details[0].reason, reason, `${method} ${path} ${JSON.stringify(answer.body)}`);
    assert.equal(answer.body.error.code, status);
  }
  const typed = await ask('POST', '/message:send', '{}', { 'content-type': 'text/plain' });
  assert.equal(typed.body.error.details[0].reason, 'CONTENT_TYPE_NOT_SUPPORTED');
});

test('sends by A2A count as sends, and guests as those of the try-out', async () => {
  const limited = await serveInside({
    env: { RATE_LIMITS: 'on', LIMIT_SENDS_PER_MINUTE: '2', LIMIT_SENDS_BURST: '2', LIMIT_TRIES_PER_MINUTE: '1' },
  });
  const to = 'hello@agents.mailroom.localhost';
  const statuses = async (options: object) => {
    const seen: number[] = [];
    for (let n = 0; n < 3; n++) seen.push((await rpc(limited, to, sending(), options)).status);
    return seen;
  };
  assert.deepEqual(await statuses({ key: limited.ownerKey }), [200, 200, 429]);
  assert.deepEqual(await statuses({}), [200, 429, 429]);
  const refused = await rpc(limited, to, sending(), { key: limited.ownerKey });
  assert.equal(refused.body.error.data[0].reason, 'RATE_LIMITED');
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
});

test('a stream that its reader leaves frees its place', async () => {
  const few = await serveInside({ env: { LIMIT_STREAMS: '1' } });
  const own = connect(few.url);
  const namespaceAt = await own.newNamespace();
  const { address: to } = await own.newMailbox(namespaceAt, {
    behavior: { name: 'agent', settings: { by_hand: true } },
  });
  for (let n = 0; n < 4; n++) {
    const leaving = new AbortController();
    for (;;) {
      const response = await fetch(`${few.url}/a2a/${to}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'a2a-version': '1.0',
          authorization: `Bearer ${namespaceAt.key}`,
        },
        body: JSON.stringify(call('SendStreamingMessage', { message: message() })),
        signal: leaving.signal,
      });
      // The place is free once the service has seen that the reader before is gone.
      if (response.status === 429) {
        await response.arrayBuffer();
        continue;
      }
      assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
      await response.body?.getReader().read();
      break;
    }
    leaving.abort();
  }
});
