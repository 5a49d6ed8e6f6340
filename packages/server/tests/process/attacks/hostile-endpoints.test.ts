import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { until } from '../../../../../tests/harness/until.ts';
import type { WebhookResponse } from '../../../core/ports/webhook-client.ts';
import { newWebhookSecret } from '../../../core/values/webhook-signature.ts';
import { makeGuardedFetch } from '../../../net/guarded-fetch.ts';
import { HttpWebhookClient } from '../../../net/webhook.ts';

// Endpoints of webhooks, of pushes and of pages, as ones that mean harm: what they answer costs no memory and no turn.
const KiB = 1024;
const MS = 1_500;
const NEVER = new AbortController().signal;
const resolve = async () => [{ address: '127.0.0.1', family: 4 as const, trusted: true }];

/** An endpoint that writes what it likes to each client, and counts what the client took. */
async function endpoint(answers: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  let taken = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      taken += socket.bytesWritten;
      sockets.delete(socket);
    });
    socket.once('data', () => answers(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://hook.test:${(server.address() as AddressInfo).port}/`,
    sockets,
    taken: () => taken,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Writes `start`, and then `chunk` for as long as the other side reads. */
const endless = (start: string | Buffer, chunk: string | Buffer) => (socket: Socket) => {
  socket.write(start);
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
};
const head = (...lines: readonly string[]): string => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
const chunked = (data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);

/** A stored block of deflate without a byte, as often as fits. */
const NOTHING = Buffer.from('000000ffff'.repeat(13_000), 'hex');
const GZIP_HEAD = Buffer.from('1f8b0800000000000003', 'hex');
/** Members of gzip without a byte. */
const EMPTY_MEMBERS = Buffer.concat(Array.from({ length: 3_000 }, () => gzipSync('')));
const ONES = Buffer.concat(Array.from({ length: 10_000 }, () => chunked(Buffer.from('x'))));

const ANSWERS: readonly (readonly [string, (socket: Socket) => void])[] = [
  ['gzip of nothing', endless(Buffer.concat([Buffer.from(head('content-encoding: gzip')), GZIP_HEAD]), NOTHING)],
  ['members of gzip without content', endless(head('content-encoding: gzip'), EMPTY_MEMBERS)],
  [
    'deflate of nothing in chunks',
    endless(head('content-encoding: deflate', 'transfer-encoding: chunked'), chunked(NOTHING)),
  ],
  ['chunks of one byte', endless(head('transfer-encoding: chunked'), ONES)],
];

test('an answer of nothing without end, compressed or byte by byte, is read no further than what may be read', async () => {
  const get = makeGuardedFetch({ resolve, ms: MS, bytes: 1024 * KiB });
  for (const [name, answers] of ANSWERS) {
    await using hostile = await endpoint(answers);
    const result = await get(hostile.url, { accept: '*/*', signal: NEVER }).catch((error: Error) => error.message);
    await using hook = await endpoint(answers);
    await using client = new HttpWebhookClient({ resolve, clock: Date.now, user_agent: 'x', ms: MS });
    const response: WebhookResponse = await client.post(
      { url: hook.url, id: 'evt_1', body: '{}', secrets: [newWebhookSecret()] },
      NEVER,
    );
    await client[Symbol.asyncDispose]();
    const open = async (): Promise<number> => hostile.sockets.size + hook.sockets.size;
    await until(20_000, open, (count) => count === 0);
    assert.ok(
      hostile.taken() < 8 * 1024 * KiB,
      `${name}: ${hostile.taken()} bytes, ${JSON.stringify(result).slice(0, 200)}`,
    );
    assert.ok(
      hook.taken() < 8 * 1024 * KiB,
      `${name}: ${hook.taken()} bytes, ${JSON.stringify(response).slice(0, 200)}`,
    );
  }
});
