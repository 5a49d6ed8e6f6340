import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { connect } from '../harness/client.ts';
import { sharedService } from '../harness/service.ts';
import type { Page } from '../harness/wire.ts';

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
    { message: 'x'.repeat(300_000) },
  ]) {
    const { status, rpc, text } = await post(`/${address}`, call({ name: 'ask', arguments: given }), auth);
    assert.deepEqual(
      [status, (rpc.result as { isError?: boolean } | undefined)?.isError],
      [200, true],
      text.slice(0, 200),
    );
  }
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

test('a page of another site, and a name that was pointed here, are refused', async () => {
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  assert.equal((await post(`/${address}`, list, { origin: 'https://evil.example' })).status, 403);
  assert.notEqual((await post(`/${address}`, list, { origin: service.url })).status, 403);
  const { port } = new URL(service.url);
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
