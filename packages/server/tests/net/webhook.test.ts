import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createPlain } from 'node:net';
import { test } from 'node:test';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { startHttps } from '../../../../tests/harness/https.ts';
import { verifyWebhook } from '../../../client/src/webhook.ts';
import type { WebhookRequest } from '../../core/ports/webhook-client.ts';
import { newWebhookSecret, signatureHeaders } from '../../core/values/webhook-signature.ts';
import type { Resolver } from '../../net/guarded-connect.ts';
import { HttpWebhookClient, type WebhookClientOptions } from '../../net/webhook.ts';
import { LOOPBACK, PRIVATE } from './private-spellings.ts';

const never = new AbortController().signal;
/** Names that end in .test are servers of this test, and public.example is on the internet. */
const trusting: Resolver = async (hostname) => {
  if (hostname.endsWith('.test')) return [{ address: '127.0.0.1', family: 4, trusted: true }];
  return hostname === 'public.example' ? [{ address: '8.8.8.8', family: 4 }] : [];
};
const open = (options: Partial<WebhookClientOptions> = {}): HttpWebhookClient =>
  new HttpWebhookClient({
    resolve: trusting,
    clock: Date.now,
    user_agent: 'Mailroom (+https://mail.example)',
    ...options,
  });
const secret = newWebhookSecret();
const requestTo = (url: string, more: Partial<WebhookRequest> = {}): WebhookRequest => ({
  url,
  id: 'evt_1',
  body: '{"type":"x"}',
  secrets: [secret],
  ...more,
});

async function serve(handle: RequestListener) {
  let connections = 0;
  const server = createServer(handle);
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    at: (path = '/', host = 'hook.test') => `http://${host}:${port}${path}`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const textOf = async (request: IncomingMessage): Promise<string> => Buffer.concat(await request.toArray()).toString();

test('the package standardwebhooks verifies a signature by either secret, and no other', () => {
  const old = newWebhookSecret();
  const body = '{"type":"message.received","data":"é🙂\\n"}';
  const headers = signatureHeaders({ id: 'msg_1', at: Date.now(), body }, [secret, old]);
  for (const one of [secret, old]) assert.deepEqual(new Webhook(one).verify(body, headers), JSON.parse(body));
  assert.throws(() => new Webhook(newWebhookSecret()).verify(body, headers), /No matching signature/);
  assert.throws(() => new Webhook(secret).verify(body.replace('é', 'e'), headers), /No matching signature/);
});

test('a webhook arrives as JSON, signed by each secret, and its response is returned', async () => {
  const old = newWebhookSecret();
  const received: { readonly headers: IncomingMessage['headers']; readonly body: string }[] = [];
  await using server = await serve(async (request, response) => {
    received.push({ headers: request.headers, body: await textOf(request) });
    response.writeHead(503, { 'content-type': 'Text/Markdown; charset=utf-8', 'retry-after': '7' });
    response.end('später');
  });
  await using client = open();
  const body = '{"type":"message.received","data":"é\\n"}';
  const result = await client.post(requestTo(server.at('/in?a=1'), { body, secrets: [secret, old] }), never);
  assert.deepEqual(result, {
    kind: 'response',
    status: 503,
    media_type: 'text/markdown',
    text: 'später',
    cut: false,
    retry_after_ms: 7000,
  });
  const [one] = received;
  assert.ok(one !== undefined);
  assert.equal(one.headers['content-type'], 'application/json');
  assert.equal(one.headers['user-agent'], 'Mailroom (+https://mail.example)');
  assert.equal(one.headers['webhook-id'], 'evt_1');
  for (const each of [secret, old]) {
    assert.deepEqual(await verifyWebhook({ headers: one.headers, body: one.body }, each), JSON.parse(body));
  }
  const other = verifyWebhook({ headers: one.headers, body: one.body }, newWebhookSecret());
  await assert.rejects(other, { code: 'invalid_signature' });
});

test('a connection is used again for the next webhook', async () => {
  await using server = await serve((request, response) => request.resume().on('end', () => response.end('ok')));
  await using client = open();
  for (let i = 0; i < 8; i += 1) await client.post(requestTo(server.at()), never);
  assert.ok(server.connections() < 5);
});

test('URLs that cannot be webhooks are refused with what to do', async () => {
  await using client = open({ trusts: (address) => address === '10.1.2.3' });
  for (const [url, why] of [
    ['example.com/hook', /complete URL/],
    ['', /complete URL/],
    [' https://public.example/', /complete URL/],
    [`https://public.example/${'x'.repeat(2048)}`, /complete URL/],
    ['ftp://public.example/', /begins with https:/],
    ['file:///etc/passwd', /begins with https:/],
    ['javascript:alert(1)', /begins with https:/],
    ['https://ada:secret@public.example/', /password/],
    ['https://ada@public.example/', /user name/],
    ['https://public.example/#part', /fragment/],
    ['https://public.example/..%2f..', /percent-encoding/],
    ['https://public.example/#', /fragment/],
    ['https://public.example:25/', /Port 25/],
    ['http://public.example/', /https:\/\//],
    ['http://nowhere.example/', /https:\/\//],
    ['https://10.1.2.4/', /not a public address/],
    ['https:///hook', /complete URL/],
    ['https://intern/', /not the complete name/],
  ] as const) {
    assert.match((await client.urlError(url)) ?? 'none', why, url);
  }
  for (const url of [
    'https://public.example/hook?a=b',
    'https://public.example:8443/',
    // It may be set up later.
    'https://nowhere.example/',
    // Trusted by the operator.
    'http://10.1.2.3:8080/',
    'https://10.1.2.3/',
    'http://hook.test/',
  ]) {
    assert.equal(await client.urlError(url), undefined, url);
  }
});

test('no spelling of a private address is accepted or sent to', async () => {
  await using server = await serve((request, response) => request.resume().on('end', () => response.end('ok')));
  await using client = open();
  for (const host of [...LOOPBACK, ...PRIVATE]) {
    for (const url of [`http://${host}:${server.port}/`, `https://${host}:${server.port}/`]) {
      assert.notEqual(await client.urlError(url), undefined, url);
      assert.equal((await client.post(requestTo(url), never)).kind, 'failed', url);
    }
  }
  assert.equal(server.connections(), 0);
  // Shows that the check can fail.
  assert.equal((await client.post(requestTo(server.at()), never)).kind, 'response');
});

test('a name that leads to a private address after it was accepted is not connected to', async () => {
  await using server = await serve((request, response) => request.resume().on('end', () => response.end('ok')));
  let address = '8.8.8.8';
  await using client = open({ resolve: async () => [{ address, family: 4 }] });
  const url = `https://turn.example:${server.port}/`;
  assert.equal(await client.urlError(url), undefined);
  address = '127.0.0.1';
  const result = await client.post(requestTo(url), never);
  assert.match(result.kind === 'failed' ? result.reason : '', /not a public address/);
  assert.equal(server.connections(), 0);
});

test('a redirect is a response, and is not followed', async () => {
  const paths: string[] = [];
  await using server = await serve((request, response) => {
    paths.push(request.url ?? '');
    request.resume();
    response.writeHead(307, { location: '/other' }).end();
  });
  await using client = open();
  const result = await client.post(requestTo(server.at('/first')), never);
  assert.equal(result.kind === 'response' && result.status, 307);
  assert.deepEqual(paths, ['/first']);
});

test('of a body no more than the limit is read, however it is compressed', async () => {
  const big = Buffer.alloc(10 * 1024 * 1024, 'a');
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  const codings = { identity: big, gzip: gzipSync(big), br: brotliCompressSync(big, quality) };
  await using server = await serve((request, response) => {
    request.resume();
    response.on('error', () => undefined);
    const coding = (request.url ?? '').slice(1) as keyof typeof codings;
    response.setHeader('content-encoding', coding);
    response.end(codings[coding]);
  });
  await using client = open();
  for (const coding of Object.keys(codings)) {
    const result = await client.post(requestTo(server.at(`/${coding}`), { max_bytes: 1000 }), never);
    assert.ok(result.kind === 'response' && result.cut, coding);
    assert.equal(result.text, 'a'.repeat(1000));
  }
});

test('an endpoint that never comes to an end costs its own time limit', async () => {
  const timers: NodeJS.Timeout[] = [];
  await using server = await serve((request, response) => {
    request.resume();
    response.on('error', () => undefined);
    if (request.url === '/silent') return;
    if (request.url === '/drip') {
      response.writeHead(200, { 'content-type': 'text/plain' });
      timers.push(setInterval(() => response.write('.'), 20));
    } else response.end('ok');
  });
  await using slow = open({ ms: 1_000 });
  const ends = ['/silent', '/drip'].map((path) => slow.post(requestTo(server.at(path)), never));
  await using client = open();
  assert.equal((await client.post(requestTo(server.at('/quick')), never)).kind, 'response');
  for (const result of await Promise.all(ends)) {
    assert.match(result.kind === 'failed' ? result.reason : '', /hook\.test:\d+ did not answer within 1 s/);
  }
  for (const timer of timers) clearInterval(timer);
});

test('a connection that breaks, and one that speaks no HTTP, fail with a sentence that names the host', async () => {
  const listeners = [
    createPlain((socket) => socket.once('data', () => socket.destroy())),
    createPlain((socket) => socket.once('data', () => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'))),
    createPlain((socket) =>
      socket.once('data', () => void socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`)),
    ),
    createPlain((socket) =>
      socket.once('data', () => void socket.end('HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\n\r\nxx')),
    ),
  ];
  await using client = open();
  for (const listener of listeners) {
    listener.on('connection', (socket) => socket.on('error', () => undefined));
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as AddressInfo;
    const result = await client.post(requestTo(`http://hook.test:${port}/`), never);
    assert.match(result.kind === 'failed' ? result.reason : '', /^hook\.test:\d+ .*\.$/);
    await new Promise((resolve) => listener.close(resolve));
  }
});

test('a certificate of another name fails the attempt, and that of its own does not', async () => {
  await using server = await startHttps(['hook.test'], (request, response) => {
    request.resume();
    response.end('ok');
  });
  await using client = open();
  const right = await client.post(requestTo(`https://hook.test:${server.port}/`), never);
  assert.equal(right.kind === 'response' && right.text, 'ok');
  const wrong = await client.post(requestTo(`https://other.test:${server.port}/`), never);
  assert.match(wrong.kind === 'failed' ? wrong.reason : '', /The certificate of other\.test/);
  const plain = await client.post(requestTo(`http://hook.test:${server.port}/`), never);
  assert.notEqual(plain.kind === 'response' && plain.status, 200);
});

test('a date in Retry-After counts from now, and one that says nothing is left out', async () => {
  const now = Date.parse('2026-11-20T08:00:00Z');
  const values = ['Fri, 20 Nov 2026 08:01:00 GMT', 'Fri, 20 Nov 2026 07:00:00 GMT', 'soon', '-5'];
  await using server = await serve((request, response) => {
    request.resume();
    response.setHeader('retry-after', values[Number((request.url ?? '').slice(1))] as string);
    response.writeHead(429).end();
  });
  await using client = open({ clock: () => now });
  const pauses: unknown[] = [];
  for (const at of values.keys()) {
    const result = await client.post(requestTo(server.at(`/${at}`)), never);
    pauses.push(result.kind === 'response' ? result.retry_after_ms : result.reason);
  }
  assert.deepEqual(pauses, [60_000, 0, undefined, undefined]);
});

test('a stop ends an attempt at once', async () => {
  await using server = await serve((request) => void request.resume());
  await using client = open();
  const stop = new AbortController();
  const attempt = client.post(requestTo(server.at()), stop.signal);
  stop.abort(new Error('the service stops'));
  await assert.rejects(attempt, /the service stops/);
});
