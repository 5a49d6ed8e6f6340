import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { listenShared } from '../../net/shared-port.ts';

const CONNECTIONS = 60;
const listening =
  (server: Server) =>
  async (options: ListenOptions): Promise<void> => {
    server.listen(options);
    await once(server, 'listening');
  };
const elsewhere = process.platform !== 'linux' && 'the system has no shared ports';

test('many connections that wait at once are accepted in few turns of the event loop', {
  skip: elsewhere,
}, async () => {
  const accepted: Socket[] = [];
  const server = createServer((socket) => void accepted.push(socket));
  const shared = await listenShared(server, { host: '127.0.0.1', port: 0 }, listening(server));
  const { port } = server.address() as AddressInfo;
  const clients = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'));
  let turns = 0;
  for (; accepted.length < CONNECTIONS; turns++) await turn();
  // Of one socket each takes a turn of its own.
  assert.ok(turns < CONNECTIONS / 2, `It took ${turns} turns.`);
  for (const socket of [...clients, ...accepted]) socket.destroy();
  server.close();
  await shared[Symbol.asyncDispose]();
});

test('a port that another program listens on, or another server in the same way, is taken', async () => {
  const any = { host: '127.0.0.1', port: 0 };
  const [program, other, server] = [createServer(), createServer(), createServer()];
  await listening(program)(any);
  const shared = await listenShared(other, any, listening(other));
  for (const taken of [program, other]) {
    const { port } = taken.address() as AddressInfo;
    await assert.rejects(listenShared(server, { ...any, port }, listening(server)), { code: 'EADDRINUSE' });
  }
  for (const one of [program, other]) one.close();
  await shared[Symbol.asyncDispose]();
});

test('once all are closed the port is free again', async () => {
  const server = createServer();
  const shared = await listenShared(server, { host: '127.0.0.1', port: 0 }, listening(server));
  const { port } = server.address() as AddressInfo;
  server.close();
  await shared[Symbol.asyncDispose]();
  const alone = createServer();
  await listening(alone)({ host: '127.0.0.1', port });
  alone.close();
});
