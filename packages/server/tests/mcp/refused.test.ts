import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import type { Page } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox } = connect(service.url);
const home = await newNamespace();
const address = (await newMailbox(home, { behavior: { name: 'hello' } })).address;

interface Rpc {
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: object;
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function post(path: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}/mcp${path}`, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, rpc: (text === '' ? {} : lastJson(text)) as Rpc };
}

/** The JSON of an answer, or of the last event of a stream. */
const lastJson = (text: string): unknown =>
  JSON.parse(text.startsWith('{') || text.startsWith('[') ? text : (text.trim().split('data: ').at(-1) ?? '{}'));

const call = (params: object, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });

test('what is no request of the protocol is refused in its own words, and nothing is stored', async () => {
  const auth = { authorization: `Bearer ${home.key}` };
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  for (const [body, codes] of [
    ['{', [-32700]],
    ['', [-32700]],
    ['null', [-32600, -32700]],
    ['"ask"', [-32600, -32700]],
    [deep, [-32600, -32700]],
    [
      `[${call({ name: 'ask', arguments: { message: 'one' } })},${call({ name: 'ask', arguments: { message: 'two' } }, 2)}]`,
      [-32600],
    ],
    [JSON.stringify({ jsonrpc: '1.0', id: 1, method: 'tools/list' }), [-32600, -32700]],
    [JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/nope' }), [-32601]],
    [call({ name: 'nope', arguments: {} }), [-32602]],
    [call({ arguments: {} }), [-32602, -32603]],
    [call({ name: 'ask', arguments: 'hello' }), [-32602, -32603]],
    [JSON.stringify({ jsonrpc: '2.0', id: { a: 1 }, method: 'tools/list' }), [-32600, -32700]],
  ] as const) {
    const { status, rpc, text } = await post(`/${address}`, body, auth);
    assert.ok(status < 500, `${body.slice(0, 60)}: ${status} ${text.slice(0, 200)}`);
    assert.ok(
      (codes as readonly number[]).includes(rpc.error?.code ?? 0),
      `${body.slice(0, 60)}: ${text.slice(0, 200)}`,
    );
  }
  const { body } = await api<Page<object>>('GET', `/mailboxes/${address}/messages`, { key: home.key });
  assert.deepEqual(body.items, []);
});

test('an argument that is wrong is a result for the model, and nothing is stored', async () => {
  const auth = { authorization: `Bearer ${home.key}` };
  for (const given of [
    {},
    { message: '' },
    { message: 1 },
    { message: 'x', nope: 1 },
    { message: 'x', wait: -1 },
    { message: 'x', wait: 0.5 },
    { message: 'x', wait: '5' },
    { message: 'x', wait: 61 },
    { message: 'x', idempotency_key: 5 },
    { message: 'x', thread_id: {} },
    { message: 'x'.repeat(300_000) },
  ]) {
    const { status, rpc, text } = await post(`/${address}`, call({ name: 'ask', arguments: given }), auth);
    assert.deepEqual(
      [status, (rpc.result as { isError?: boolean } | undefined)?.isError],
      [200, true],
      text.slice(0, 200),
    );
    // By the names that the tool has, not by those of the API.
    if (given.message === 1) assert.match(text, /\/message: This must be a string/);
  }
  for (const given of [
    { message: 'x', idempotency_key: 'k' },
    { message: 'x', wait: 0 },
  ]) {
    const { rpc, text } = await post(`/${address}`, call({ name: 'ask', arguments: given }));
    assert.equal((rpc.result as { isError?: boolean } | undefined)?.isError, true, text.slice(0, 200));
  }
  const { body } = await api<Page<object>>('GET', `/mailboxes/${address}/messages`, { key: home.key });
  assert.deepEqual(body.items, []);
});

test('an unknown, foreign or closed address is refused before anything is read', async () => {
  const closed = (await newMailbox(home, { access: 'key', try_out: false })).address;
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  assert.equal((await post('/nobody@nowhere.mailroom.localhost', list)).status, 404);
  assert.equal((await post('/not-an-address', list)).status, 404);
  const { key } = await newNamespace();
  assert.equal((await post(`/${closed}`, list, { authorization: `Bearer ${key}` })).status, 404);
  const shut = (await newMailbox(home, { try_out: false })).address;
  const guest = await post(`/${shut}`, list);
  assert.deepEqual([guest.status, guest.headers.get('www-authenticate')], [401, 'Bearer']);
});

test('the server of a namespace wants a key', async () => {
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  for (const headers of [{}, { authorization: 'Bearer nonsense' }, { authorization: `Bearer ${home.key}x` }]) {
    const { status, headers: given } = await post('', list, headers as Record<string, string>);
    assert.equal(status, 401);
    assert.match(given.get('www-authenticate') ?? '', /^Bearer resource_metadata="[^"]+\/mcp"/);
  }
});

test('sessions of the old protocol are not offered, and said so', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await fetch(`${service.url}/mcp/${address}`, { method, headers: HEADERS });
    assert.equal(response.status, 405, method);
    await response.arrayBuffer();
  }
  const { status } = await post(`/${address}`, 'x', { 'content-type': 'text/plain' });
  assert.equal(status, 415);
});

test('a client that accepts anything, JSON alone, or says nothing is answered with JSON', async () => {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
  const ask = call({ name: 'ask', arguments: { message: 'Hi' }, _meta: { progressToken: 1 } });
  for (const accept of ['*/*', 'application/json', 'application/*', undefined])
    for (const body of [initialize, list, ask]) {
      const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
        const headers = { 'content-type': 'application/json', ...(accept !== undefined && { accept }) };
        const sent = request(`${service.url}/mcp/${address}`, { method: 'POST', headers }, async (response) => {
          resolve({ status: response.statusCode ?? 0, text: (await response.setEncoding('utf8').toArray()).join('') });
        });
        sent.on('error', reject).end(body);
      });
      assert.equal(answer.status, 200, `${accept}: ${answer.text}`);
      assert.ok('result' in JSON.parse(answer.text), answer.text);
    }
  const got = await fetch(`${service.url}/mcp`, { headers: { accept: 'text/event-stream' } });
  assert.deepEqual([got.status, got.headers.get('allow')], [405, 'OPTIONS, POST']);
  const preflight = await fetch(`${service.url}/mcp`, { method: 'OPTIONS' });
  assert.deepEqual(
    ['origin', 'methods', 'headers'].map((name) => preflight.headers.get(`access-control-allow-${name}`)),
    [null, null, null],
  );
});

test('a page of another site, and a name that was pointed here, are refused', async () => {
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  assert.equal((await post(`/${address}`, list, { origin: 'https://evil.example' })).status, 403);
  assert.notEqual((await post(`/${address}`, list, { origin: service.url })).status, 403);
  const { port, hostname } = new URL(service.url);
  for (const origin of [
    ...[
      'http://1.2.3.4',
      'http://10.0.0.1:8080',
      `http://192.168.1.5:${port}`,
      'http://[2001:db8::1]',
      'http://0.0.0.0',
    ],
    ...[
      `http://[::1]:${port}`,
      `http://127.0.0.2:${port}`,
      'http://2130706433.example',
      `http://${hostname}.evil.example`,
    ],
    ...['null', '', 'file://', `http://evil.example@${hostname}.example`, 'chrome-extension://abcdef'],
  ])
    assert.equal((await post(`/${address}`, list, { origin })).status, 403, origin);
  // Another program of this machine, by the name that the service has there.
  assert.notEqual((await post(`/${address}`, list, { origin: `http://${hostname}:1234` })).status, 403);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { ...HEADERS, host: 'evil.example' };
    const sent = request({ port, host: '127.0.0.1', path: `/mcp/${address}`, method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end(list);
  });
  assert.equal(status, 403);
});

test('too large a request is refused, and the service goes on', async () => {
  const { status } = await post(`/${address}`, call({ name: 'ask', arguments: { message: 'x'.repeat(9_000_000) } }));
  assert.equal(status, 413);
  assert.equal((await post(`/${address}`, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }))).status, 200);
});

const MODERN = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'ask' };
const metaOf = (version: string) => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
});

test('versions that are not spoken or contradict each other are refused with those that are', async () => {
  const auth = { authorization: `Bearer ${home.key}` };
  const ask = { name: 'ask', arguments: { message: 'Which version?' } };
  const pageBefore = await api<Page<object>>('GET', `/mailboxes/${address}/messages`, { key: home.key });
  for (const [params, headers, code] of [
    [{ ...ask, _meta: metaOf('2099-01-01') }, { ...MODERN, 'mcp-protocol-version': '2099-01-01' }, -32_022],
    [{ ...ask, _meta: metaOf('2026-07-28') }, { ...MODERN, 'mcp-protocol-version': '2025-11-25' }, -32_020],
    [{ ...ask, _meta: metaOf('2026-07-28') }, { ...MODERN, 'mcp-name': 'read' }, -32_020],
    [{ ...ask, _meta: metaOf('2026-07-28') }, { ...MODERN, 'mcp-method': 'tools/list' }, -32_020],
    [ask, { 'mcp-protocol-version': '1999-01-01' }, -32_000],
  ] as const) {
    const { status, rpc, text } = await post(`/${address}`, call(params), { ...auth, ...headers });
    assert.deepEqual([status, rpc.error?.code], [400, code], text.slice(0, 300));
  }
  const after = await api<Page<object>>('GET', `/mailboxes/${address}/messages`, { key: home.key });
  assert.equal(after.body.items.length, pageBefore.body.items.length);
});

test('megabytes of nesting and repeated names are refused, and equal ids of two requests are no matter', async () => {
  const auth = { authorization: `Bearer ${home.key}` };
  const deep = 900_000;
  for (const given of [
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{"message":${'['.repeat(deep)}${']'.repeat(deep)}}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(deep / 5)}1${'}'.repeat(deep / 5)}}`,
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","name":"read","arguments":{}}}',
  ]) {
    const { status, rpc, text } = await post(`/${address}`, given, auth);
    assert.equal(status, 400, text.slice(0, 200));
    assert.ok(rpc.error?.code === -32_600 || rpc.error?.code === -32_700, text.slice(0, 200));
  }
  const ask = call({ name: 'ask', arguments: { message: 'Hello' } }, 7);
  const both = await Promise.all([1, 2].map(() => post(`/${address}`, ask, auth)));
  const ids = both.map(({ rpc }) => (rpc.result as { structuredContent: { id: string } }).structuredContent.id);
  assert.notEqual(ids[0], ids[1]);
});

test('streams that their callers leave hold nothing', async () => {
  const listen = {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, _meta: metaOf('2026-07-28') },
  };
  const headers = { ...HEADERS, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
  // More than may be open at a time.
  for (let round = 0; round < 6; round++) {
    const opened = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const departure = new AbortController();
        const given = { method: 'POST', headers, body: JSON.stringify(listen), signal: departure.signal };
        const response = await fetch(`${service.url}/mcp/${address}`, given);
        assert.equal(response.status, 200);
        const { value } = (await response.body?.getReader().read()) ?? {};
        return { left: departure, first: Buffer.from(value ?? []).toString() };
      }),
    );
    for (const { left, first } of opened) {
      assert.doesNotMatch(first, /limit reached/i);
      left.abort();
    }
  }
  assert.equal((await post(`/${address}`, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }))).status, 200);
});
