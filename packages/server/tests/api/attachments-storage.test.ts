import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect as dial } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Home } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { wire } from '../../../../tests/harness/raw.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { bytesOf, type File, file, firstOf, MiB, openAttaching } from './attaching.ts';

const { service, api, send, key, to, post, formOf, sendForm, download } = await openAttaching();

/** The head of a form whose message is whole, and the first `size` bytes of a file of 5 MiB. */
function half(size: number): readonly Uint8Array[] {
  const message = `--b\r\nContent-Disposition: form-data; name="message"\r\n\r\n${JSON.stringify({ to, body: 'Half.' })}\r\n`;
  const head =
    'POST /api/v1/mail/send HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n' +
    `Authorization: Bearer ${key}\r\nContent-Length: ${5 * MiB}\r\n\r\n`;
  const part = '--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n';
  return [Buffer.from(head + message + part), randomBytes(size)];
}

test('half an upload stores no message, and the service goes on', async () => {
  const idBefore = (await api<{ items: Envelope[] }>('GET', '/mail/messages?limit=1', { key })).body.items[0]?.id;
  for (const size of [10, 100_000, 600_000, 2 * MiB]) {
    const socket = dial(service.port, '127.0.0.1');
    await once(socket, 'connect');
    for (const chunk of half(size)) socket.write(chunk);
    await sleep(100);
    socket.destroy();
    const answer = await wire(service.port, { chunks: half(size), end: true, patience_ms: 3_000 });
    assert.ok(answer.status === 0 || answer.status === 400, String(answer.status));
  }
  const after = (await api<{ items: Envelope[] }>('GET', '/mail/messages?limit=1', { key })).body.items[0]?.id;
  assert.equal(after, idBefore);
  assert.equal((await sendForm({ to, body: 'Hi' }, [file('x')])).status, 202);
  assert.doesNotMatch(service.logs(), /"level":(50|60)/, 'nothing of it is an error of the service');
});
const fillers = (count: number): File[] =>
  Array.from({ length: count }, (_, at) => ({ filename: `${at}.bin`, bytes: randomBytes(amount(2, 8) * MiB) }));
/** A service with little room, for tests that fill it. */
const small = await serveInside({
  env: {
    LIMIT_STORAGE_UNCLAIMED: String(amount(15, 60) * MiB),
    LIMIT_STORAGE_NETWORK: String(1024 * MiB),
    RATE_LIMITS: 'off',
  },
});
const inSmall = connect(small.url);
const sendThere = (message: unknown, files: readonly File[], secret: string) =>
  post(formOf(message, files), {}, secret, small.url);

test('the same bytes many times are stored once', async () => {
  const ann = await inSmall.newNamespace();
  const box = await inSmall.newMailbox(ann);
  const bytes = randomBytes(amount(125_000, 500_000));
  const files = Array.from({ length: 20 }, (_, at) => ({ filename: `${at}.bin`, bytes }));
  for (let round = 0; round < 7; round++) {
    const sent = await sendThere({ to: box.address, body: 'Hi' }, files, ann.key);
    assert.equal(sent.status, 202, `${round}: ${sent.text}`);
  }
  // More was sent than a namespace may store: 70 MB with 60 MiB of room, in short a quarter of both.
  assert.equal((await sendThere({ to: box.address, body: 'Hi' }, fillers(3), ann.key)).status, 202);
});
/** Sends two fifths of the room at a time until refused. */
async function fill(ann: Home, address: string): Promise<number> {
  for (let taken = 0; taken < 10; taken++) {
    const sent = await sendThere({ to: address, body: 'Hi' }, fillers(3), ann.key);
    if (sent.status !== 202) {
      isProblem(sent, 'storage_full');
      return taken;
    }
  }
  throw new Error('It is never full.');
}

test('full storage refuses files, and what is deleted makes room again', async () => {
  const ann = await inSmall.newNamespace();
  const box = await inSmall.newMailbox(ann);
  assert.equal(await fill(ann, box.address), 2);
  isProblem(await sendThere({ to: box.address, body: '' }, fillers(3), ann.key), 'validation_error', '/body');
  assert.equal(
    (await sendThere({ to: box.address, body: 'Hi' }, [file('small')], ann.key)).status,
    202,
    'there is room for little',
  );
  await inSmall.api('DELETE', `/mailboxes/${box.address}`, { key: ann.key });
  const other = await inSmall.newMailbox(ann);
  const more = fillers(3);
  await until(
    40_000,
    async () => (await sendThere({ to: other.address, body: 'Hi' }, more, ann.key)).status,
    (status) => status === 202,
  );
});

test('a download that is read a byte a second delays no other', async () => {
  const bytes = randomBytes(9 * MiB);
  const { id } = firstOf(await sendForm({ to, body: 'Hi' }, [{ filename: 'x', bytes }]));
  const sockets = await Promise.all(
    Array.from({ length: amount(5, 20) }, async () => {
      const socket = dial(service.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(`GET /api/v1/mail/attachments/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      await once(socket, 'readable');
      assert.ok(socket.read(1));
      return socket;
    }),
  );
  const began = performance.now();
  for (let second = 0; second < 3; second++) {
    for (const socket of sockets) socket.read(1);
    assert.equal((await send(key, { to, body: 'Hi', sync: true })).status, 200);
    assert.deepEqual(await bytesOf(await download(id)), bytes);
    await sleep(300);
  }
  assert.ok(performance.now() - began < 20_000);
  for (const socket of sockets) socket.destroy();
});
