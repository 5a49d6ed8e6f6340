import assert from 'node:assert/strict';
import { connect as connectSocket } from 'node:net';
import { test } from 'node:test';
import { connect } from '../harness/client.ts';
import { serveInside } from '../harness/inside.ts';
import { isProblem } from '../harness/problem.ts';
import { request, wire } from '../harness/raw.ts';
import { startService } from '../harness/service.ts';
import { assertSoon } from '../harness/soon.ts';

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

test('a head that does not end is given up', async () => {
  const answer = await wire(service.port, {
    chunks: ['POST /api/v1/mail/send HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    patience_ms: 20_000,
  });
  isProblem(answer, 'request_timeout');
});

test('those who hang cost only themselves', async () => {
  const hanging = Array.from({ length: 200 }, (_, i) =>
    wire(service.port, {
      chunks: [
        i % 2 === 0 ? 'GET /livez HT' : request('POST', '/api/v1/mail/send', { ...json, 'Content-Length': '100' }),
      ],
      patience_ms: 20_000,
    }),
  );
  for (let i = 0; i < 50; i++) {
    const began = performance.now();
    assert.equal((await send(home.key, { to, body: 'Hi', sync: true })).status, 200);
    await assertSoon(performance.now() - began, 1_000, 'a send');
  }
  for (const answer of await Promise.all(hanging)) assert.equal(answer.status, 408, answer.text);
  assert.equal((await all('/mail/messages', home.key)).length, 50);
});

test('a long answer is not a slow request', async () => {
  await api('PATCH', `/mailboxes/${to}`, { key: home.key, body: { status: 'paused' } });
  const { id } = (await send(home.key, { to, body: 'Held' })).body;
  const answer = await read(home.key, id, '?wait=4');
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.status, 'submitted');
});

test('who is gone before being heard is no error of the service', async () => {
  const plain = await startService({ env: { LOG_LEVEL: 'error' } });
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
  assert.deepEqual(await plain.stop(), { code: 0, signal: null });
  assert.equal(plain.logs(), '');
});
