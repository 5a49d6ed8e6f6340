import { once } from 'node:events';
import { connect as dial, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { assertHeld } from '../../../../../tests/harness/attack.ts';
import { connect, HELLO } from '../../../../../tests/harness/client.ts';
import { request } from '../../../../../tests/harness/raw.ts';
import type { Service } from '../../../../../tests/harness/service.ts';
import { amount, LONG_ONLY } from '../../../../../tests/soak/length.ts';
import { attack } from './shared.ts';

const UNREAD_MS = amount(3_000, 4_000);
const OPENAPI = request('GET', '/api/v1/openapi.json');

/** Opens a connection, sends all this, and reads no answers. */
async function deaf(port: number, text: string): Promise<Socket> {
  const socket = dial({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.pause();
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

async function unread({ port }: Service, connections: number, text: string, ms: number): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => deaf(port, text)));
  await pause(ms);
  for (const socket of sockets) socket.destroy();
}

/** Requests for a list of 20 messages of 200 KB. */
async function fatList({ url }: Service): Promise<string> {
  const { newMailbox, newNamespace, send } = connect(url);
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: HELLO });
  for (let i = 0; i < 20; i++) await send(home.key, { to: address, body: 'x'.repeat(200_000) });
  const path = `/api/v1/mailboxes/${encodeURIComponent(address)}/messages?limit=200`;
  return request('GET', path, { Authorization: `Bearer ${home.key}` });
}

test('connections that ask without end for what is large, small, refused or compressed and read nothing hold little', async () => {
  const floods = [
    request('GET', '/nothing/here'),
    request('HEAD', '/docs'),
    request('OPTIONS', '/api/v1/mail/send'),
    request('GET', '/docs', { 'Accept-Encoding': 'gzip' }),
    request('POST', '/api/v1/mail/send', { 'Content-Type': 'application/json' }, '{}'),
    request('GET', '/api/v1/me', { Authorization: 'Bearer mr_live_wrong' }),
    request('POST', '/api/v1/namespaces', { Expect: '100-continue', 'Content-Type': 'application/json' }, '{}'),
  ];
  const report = await attack(async (service) => {
    await unread(service, 9, OPENAPI.repeat(1_300), UNREAD_MS);
    await Promise.all(floods.map((text) => unread(service, 3, text.repeat(3_000), UNREAD_MS)));
  });
  assertHeld(report);
});

test('lists of large messages that nobody reads hold little', LONG_ONLY, async () => {
  const report = await attack(async (service) => {
    const list = await fatList(service);
    await unread(service, 80, list.repeat(150), 3_000);
  });
  assertHeld(report);
});
