import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import type { WebhookResponse } from '../../core/ports/webhook-client.ts';
import { newWebhookSecret } from '../../core/values/webhook-signature.ts';
import { explained } from '../../net/guarded-connect.ts';
import { HttpWebhookClient } from '../../net/webhook.ts';

type Answers = (socket: Socket) => void;

const KiB = 1024;
const never = new AbortController().signal;
const head = (...lines: readonly string[]): string => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
const open = (ms?: number): HttpWebhookClient =>
  new HttpWebhookClient({
    resolve: async () => [{ address: '127.0.0.1', family: 4, trusted: true }],
    clock: Date.now,
    user_agent: 'Mailroom (+https://mail.example)',
    ...(ms !== undefined && { ms }),
  });

/** An endpoint that writes what it likes to each client that sends something. */
async function endpoint(answers: Answers) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => answers(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    sockets,
    url: `http://hook.test:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const post = (client: HttpWebhookClient, url: string, max_bytes = KiB): Promise<WebhookResponse> =>
  client.post({ url, id: 'evt_1', body: '{}', secrets: [newWebhookSecret()], max_bytes }, never);
const shown = (result: WebhookResponse): string =>
  result.kind === 'failed' ? result.reason.replace(/:\d+/, '') : `${result.status} ${result.text.slice(0, 20)}`;

/** Writes `start`, and then `chunk` until the other side has enough. */
const endless = (chunk: string, start: string) => (socket: Socket) => {
  socket.write(start);
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
};

const NO_SERVER = 'hook.test does not answer as a web server does.';
const CLOSED = 'hook.test closed the connection before its answer was complete.';
const UNREADABLE = 'hook.test did not answer in a way that can be read.';
const CASES: readonly (readonly [string, Answers, string])[] = [
  ['HTTP/1.0', (socket) => socket.end('HTTP/1.0 200 OK\r\ncontent-type: text/plain\r\n\r\nhello'), '200 hello'],
  ['HTTP/0.9', (socket) => socket.end('hello'), UNREADABLE],
  ['an endless body', endless('x'.repeat(KiB), head()), `200 ${'x'.repeat(20)}`],
  ['an endless header', endless('x'.repeat(KiB), 'HTTP/1.1 200 OK\r\nx: '), NO_SERVER],
  [
    'headers of 1 MB',
    (socket) => socket.end(head(...Array.from({ length: 1000 }, (_, at) => `x${at}: ${'y'.repeat(KiB)}`))),
    NO_SERVER,
  ],
  [
    '100 Continue, which was not asked for',
    (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'),
    NO_SERVER,
  ],
  [
    '101 Switching Protocols',
    (socket) => socket.write('HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    NO_SERVER,
  ],
  [
    'a reset in the middle',
    (socket) => socket.write(`${head('content-length: 100')}abc`, () => socket.resetAndDestroy()),
    CLOSED,
  ],
  ['an end in the middle', (socket) => socket.end(`${head('content-length: 100')}abc`), CLOSED],
  ['two lengths', (socket) => socket.end(`${head('content-length: 3', 'content-length: 30')}abc`), UNREADABLE],
  [
    'a length and chunks',
    (socket) => socket.end(`${head('content-length: 3', 'transfer-encoding: chunked')}3\r\nabc\r\n0\r\n\r\n`),
    UNREADABLE,
  ],
  [
    'a chunk without a size',
    (socket) => socket.end(`${head('transfer-encoding: chunked')}zz\r\nabc\r\n0\r\n\r\n`),
    UNREADABLE,
  ],
  [
    'no gzip',
    (socket) => socket.write(`${head('content-encoding: gzip', 'content-length: 3')}abc`),
    'hook.test answered with a damaged body.',
  ],
];

for (const [name, answers, expected] of CASES)
  test(`an endpoint that answers with ${name} costs one attempt`, async () => {
    await using hostile = await endpoint(answers);
    await using client = open();
    assert.equal(shown(await post(client, hostile.url)), expected);
  });

test('an owner reads what is wrong with the TLS of an endpoint', async () => {
  await using plain = await endpoint((socket) => socket.end(head()));
  await using client = open();
  assert.equal(shown(await post(client, plain.url.replace('http:', 'https:'))), 'hook.test speaks no TLS.');
  for (const [code, says] of [
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /self-signed/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /self-signed or of a private authority/],
    ['CERT_HAS_EXPIRED', /has expired/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /is for another name/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /without those that lead to a known authority/],
    ['CERT_REVOKED', /is not valid/],
  ] as const)
    assert.match(explained(Object.assign(new Error('x'), { code }), 'hook.test'), says, code);
});

test('what an endpoint sends after its answer is not taken for the next one', async () => {
  let nth = 0;
  await using hostile = await endpoint((socket) => {
    nth += 1;
    const answer = (text: string): string => `${head(`content-length: ${text.length}`)}${text}`;
    socket.write(nth === 1 ? `${answer('first')}${answer('forged')}` : answer(`${nth}`));
  });
  await using client = open();
  assert.equal(shown(await post(client, hostile.url)), '200 first');
  assert.equal(shown(await post(client, hostile.url)), '200 2');
});

test('an answer in a coding that is not known ends its connection', async () => {
  await using hostile = await endpoint((socket) => void socket.write(`${head('content-encoding: gzip, gzip')}abc`));
  await using client = open();
  assert.equal(shown(await post(client, hostile.url)), 'hook.test answered in a coding that cannot be read here.');
  const [socket] = hostile.sockets;
  assert.ok(socket !== undefined);
  if (!socket.closed) await once(socket, 'close');
});

test('a bomb of zeros is cut, and each zero replaced', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * KiB * KiB));
  await using hostile = await endpoint((socket) => {
    socket.write(head('content-encoding: gzip', `content-length: ${bomb.length}`));
    socket.write(bomb);
  });
  await using client = open();
  const result = await post(client, hostile.url, KiB * KiB);
  assert.ok(result.kind === 'response' && result.cut);
  assert.equal(result.text, '\ufffd'.repeat(KiB * KiB));
});

test('status lines and chunks that never end cost the time limit of their attempt', async () => {
  const starts = ['HTTP/1.1 200 ', `${head('transfer-encoding: chunked')}1;`];
  await using client = open(500);
  for (const start of starts) {
    await using hostile = await endpoint(endless('x'.repeat(KiB), start));
    assert.match(shown(await post(client, hostile.url)), /did not answer within 1 s/);
  }
});

test('some hints before an answer are passed over, and hints or trailers without end are no answer', async () => {
  const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
  await using client = open(60_000);
  await using few = await endpoint((socket) => void socket.write(`${hint.repeat(5)}${head('content-length: 2')}ok`));
  assert.equal(shown(await post(client, few.url)), '200 ok');
  for (const [chunk, start] of [
    [hint, hint],
    ['a: b\r\n'.repeat(KiB), `${head('transfer-encoding: chunked')}0\r\n`],
  ] as const) {
    await using hostile = await endpoint(endless(chunk, start));
    assert.equal(shown(await post(client, hostile.url)), NO_SERVER);
  }
});

test('of many endpoints that send as fast as they can little is read in a turn', async () => {
  const [count, ms] = [24, 1_500];
  const sockets: Socket[] = [];
  const onConnected = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
  subscribe('undici:client:connected', onConnected);
  const workerData = { text: `${head('transfer-encoding: chunked')}1;`, more: 'x'.repeat(64 * KiB) };
  const hostile = new Worker(new URL('./endless-answers.ts', import.meta.url), { workerData });
  const [port] = (await once(hostile, 'message')) as [number];
  await using client = open(ms);
  let [before, longest] = [0, 0];
  let turns: NodeJS.Immediate | undefined;
  const look = (): void => {
    const read = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    [longest, before] = [Math.max(longest, read - before), read];
    turns = setImmediate(look);
  };
  look();
  await Promise.all(Array.from({ length: count }, () => post(client, `http://hook.test:${port}/`)));
  clearImmediate(turns);
  unsubscribe('undici:client:connected', onConnected);
  await hostile.terminate();
  assert.equal(sockets.length, count);
  // Each socket is read once as its bytes arrive, and sixteen of them again in the same turn.
  assert.ok(longest <= (count + 16) * 64 * KiB, `${longest} bytes in a turn`);
  assert.ok(before > 64 * KiB, `${before} bytes`);
});
