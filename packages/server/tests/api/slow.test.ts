import assert from 'node:assert/strict';
import { connect as connectSocket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { request, wire } from '../../../../tests/harness/raw.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { amount } from '../../../../tests/soak/length.ts';

const service = await serveInside({ env: { REQUEST_SECONDS: '2' } });
const { api, newNamespace, newMailbox, send, read, all } = connect(service.url);
const home = await newNamespace();
const { address: to } = await newMailbox(home);
const json = { Authorization: `Bearer ${home.key}`, 'Content-Type': 'application/json' };

test('a body that does not come is given up', async () => {
  const answer = await wire(service.port, {
    chunks: [request('POST', '/api/v1/mail/send', { ...json, 'Content-Length': '100' }), '{"to":'],
    patience_ms: 20_000,
  });
  isProblem(answer, 'request_timeout');
});

/** A send of which each quarter of a second brings so many bytes. */
async function* slowSend(bytes: number): AsyncGenerator<string> {
  const body = JSON.stringify({ to, body: 'Hi', sync: true }).padEnd(20 * bytes);
  yield request('POST', '/api/v1/mail/send', { ...json, 'Content-Length': String(body.length) });
  for (let sent = 0; sent < body.length; sent += bytes) {
    await pause(250);
    yield body.slice(sent, sent + bytes);
  }
}

test('a body that keeps arriving may take longer, and one that only trickles may not', async () => {
  const [slow, trickling] = await Promise.all(
    [20_000, 200].map((bytes) => wire(service.port, { chunks: slowSend(bytes), patience_ms: 20_000 })),
  );
  assert.equal(slow?.status, 200, slow?.text ?? '');
  assert.equal(trickling?.status, 408, trickling?.text ?? '');
});

test('a body that does not end after its request was answered closes the connection without a second answer', async () => {
  const socket = connectSocket({ port: service.port, host: '127.0.0.1' });
  socket.write(request('POST', '/api/v1/nothing', { ...json, 'Content-Length': '50000' }));
  let text = '';
  for await (const bytes of socket) text += bytes;
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 404']);
});

test('a head that does not end is given up', async () => {
  const answer = await wire(service.port, {
    chunks: ['POST /api/v1/mail/send HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    patience_ms: 20_000,
  });
  isProblem(answer, 'request_timeout');
});

test('those who hang cost only themselves', async () => {
  const hanging = Array.from({ length: amount(40, 200) }, (_, i) =>
    wire(service.port, {
      chunks: [
        i % 2 === 0 ? 'GET /livez HT' : request('POST', '/api/v1/mail/send', { ...json, 'Content-Length': '100' }),
      ],
      patience_ms: 20_000,
    }),
  );
  const stored = (await all('/mail/messages', home.key)).length;
  for (let i = 0; i < 50; i++) {
    const began = performance.now();
    assert.equal((await send(home.key, { to, body: 'Hi', sync: true })).status, 200);
    await assertSoon(performance.now() - began, 1_000, 'a send');
  }
  for (const answer of await Promise.all(hanging)) assert.equal(answer.status, 408, answer.text);
  assert.equal((await all('/mail/messages', home.key)).length, stored + 50);
});

test('a long answer is not a slow request', async () => {
  await api('PATCH', `/mailboxes/${to}`, { key: home.key, body: { status: 'paused' } });
  const { id } = (await send(home.key, { to, body: 'Held' })).body;
  const answer = await read(home.key, id, '?wait=4');
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.status, 'submitted');
});

test('who is gone before being heard is no error of the service', async () => {
  const plain = await serveInside({ env: { LOG_LEVEL: 'error' } });
  const { api, newNamespace, newMailbox, send } = connect(plain.url);
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  const body = JSON.stringify({ to: address, body: 'Hi', sync: true });
  const text = request('POST', '/api/v1/mail/send', { ...json, Authorization: `Bearer ${home.key}` }, body);
  const vanish = (i: number): Promise<void> =>
    new Promise((resolve) => {
      const socket = connectSocket({ port: plain.port, host: '127.0.0.1' }, () => {
        socket.write(text, () => (i % 2 === 0 ? socket.resetAndDestroy() : socket.destroy()));
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve());
    });
  for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 100 }, (_, i) => vanish(i)));
  assert.equal((await send(home.key, { to: address, body: 'Hi', sync: true })).status, 200);
  assert.equal((await api('GET', '//readyz')).status, 200);
  await plain[Symbol.asyncDispose]();
  assert.equal(plain.logs(), '');
});
