import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { PacedReads } from '../../net/paced-reads.ts';

const MIB = 1024 * 1024;
const SENDERS = 40;
const CHUNK = Buffer.alloc(4 * MIB, 'x');

/** Senders on loopback that send 4 MiB each as fast as they can, and what a server reads of them in each turn. */
async function read(watch: (socket: Socket, at: number) => void) {
  const turns: number[] = [];
  let [turn, got, at] = [0, 0, 0];
  const whole = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    watch(socket, at++);
    socket.on('data', (bytes: Buffer) => {
      if (turn === 0) {
        setImmediate(() => {
          turns.push(turn);
          turn = 0;
        });
      }
      turn += bytes.length;
      got += bytes.length;
      if (got === SENDERS * CHUNK.length) whole.resolve();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: SENDERS }, () => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write(CHUNK);
    return socket;
  });
  await whole.promise;
  for (const socket of sockets) socket.destroy();
  server.close();
  return turns.map((bytes) => bytes / MIB);
}

test('all that is sent arrives, and of many who send at once little is read in a turn', async () => {
  const reads = new PacedReads();
  const turns = await read((socket, at) => reads.watch(socket, `network ${at % 3}`));
  // Each socket is read once when its bytes arrive, and sixteen of them again in the same turn.
  assert.ok(Math.max(...turns) <= ((SENDERS + 16) * 64 * 1024) / MIB, `${Math.max(...turns)} MiB in a turn`);
  assert.equal(reads.waiting, 0);
});

test('a network that sends by many connections leaves the turns of one that has one', async () => {
  const reads = new PacedReads();
  const seen: number[] = [];
  await read((socket, at) => {
    reads.watch(socket, at === SENDERS - 1 ? 'lone' : 'crowd');
    let got = 0;
    socket.on('data', (bytes: Buffer) => {
      got += bytes.length;
      if (got === CHUNK.length) seen.push(at);
    });
  });
  assert.ok(seen.indexOf(SENDERS - 1) < SENDERS / 2, `it was whole after ${seen.indexOf(SENDERS - 1)} others`);
});
