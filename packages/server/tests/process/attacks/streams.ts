import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as dial, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { assertHeld } from '../../../../../tests/harness/attack.ts';
import { connect, HELLO } from '../../../../../tests/harness/client.ts';
import { request } from '../../../../../tests/harness/raw.ts';
import { attack } from './shared.ts';

/** Opens a connection, sends this, and resolves with the status of the first answer; the connection stays open. */
async function ask(port: number, text: string): Promise<{ readonly socket: Socket; readonly status: number }> {
  const socket = dial({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.write(text);
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return { socket, status: Number(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString('latin1'))?.[1]) };
}

const times = (count: number, port: number, text: string) =>
  Promise.all(Array.from({ length: count }, () => ask(port, text)));
const opened = (asked: readonly { readonly status: number }[]) => asked.filter(({ status }) => status === 200).length;
const closeAll = (asked: readonly { readonly socket: Socket }[]) => {
  for (const { socket } of asked) socket.destroy();
};

test('a key and a guest have so many streams open and no more, and what they close makes room', async () => {
  const report = await attack(async ({ url, port, ownerKey }) => {
    const { newMailbox, newNamespace, tryOut, api } = connect(url);
    const home = await newNamespace();
    const { address } = await newMailbox(home, { behavior: HELLO });
    const paused = { status: 'paused' };
    await api('PATCH', `/mailboxes/${encodeURIComponent(address)}`, { key: home.key, body: paused });
    const tried = await tryOut({ to: address, body: 'Hello' });
    const { id, thread_token } = tried.body as unknown as { id: string; thread_token: string };
    const stream = { Accept: 'text/event-stream' };
    const events = request('GET', '/api/v1/events', { ...stream, Authorization: `Bearer ${home.key}` });
    const message = request('GET', `/api/v1/mail/messages/${id}`, {
      ...stream,
      Authorization: `Bearer ${thread_token}`,
    });
    const all = await times(200, port, events);
    assert.equal(opened(all), 50);
    assert.ok(all.every(({ status }) => status === 200 || status === 429));
    const other = request('GET', '/api/v1/events', { ...stream, Authorization: `Bearer ${ownerKey}` });
    assert.equal(opened(await times(1, port, other)), 1, 'another key is not concerned');
    const guests = await times(50, port, message);
    assert.equal(opened(guests), 5);
    closeAll([...all, ...guests]);
    for (let left = 0; left < 5; ) {
      // The service notices a closed connection only after a while.
      const again = await times(5, port, message);
      left = opened(again);
      closeAll(again);
      await pause(50);
    }
    const polls = request('GET', `/api/v1/mail/messages/${id}?wait=60`, { Authorization: `Bearer ${thread_token}` });
    const waiting = Array.from({ length: 80 }, () => dial({ port, host: '127.0.0.1' }));
    for (const socket of waiting) {
      socket.on('error', () => undefined);
      socket.write(polls);
    }
    const refused = await Promise.race(waiting.map((socket) => once(socket, 'data')));
    assert.match(String(refused[0]), /^HTTP\/1\.1 429 .*rate_limited/s);
    for (const socket of waiting) socket.destroy();
  });
  assertHeld(report);
});
