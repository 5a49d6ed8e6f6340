import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { after, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { newCertificate } from '../../../../tests/harness/certificate.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import { everyNth } from '../../../../tests/soak/length.ts';
import { PacedReads } from '../../net/paced-reads.ts';

const MIB = 1024 * 1024;
const SENDERS = 40;
const BYTES = MIB;
/** What a reader takes for each MiB, in which more arrives. */
const READ_MS = 16;
const WAIT_MS = 10_000;
const folder = newFolder();
after(() => removeFolder(folder));
const { cert, key } = newCertificate(folder, ['localhost']);
const CERTIFICATE = { cert: readFileSync(cert), key: readFileSync(key) };

/** Takes less at a time than is read, as the parser of SMTP does, so that a pipe to it pauses and resumes its socket. */
const parserOf = (onData: (bytes: Buffer) => void): Writable =>
  new Writable({
    highWaterMark: 16 * 1024,
    write(bytes: Buffer, _, done) {
      onData(bytes);
      done();
    },
  });

/** Senders on loopback that send 1 MiB each as fast as they can, and what a server reads of them in each turn. */
async function read(watch: (socket: Socket, at: number) => void, { secure = false, piped = false } = {}) {
  const turns: number[] = [];
  let [turn, got] = [0, 0];
  const [connected, whole] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const onData = (bytes: Buffer): void => {
    if (turn === 0) {
      setImmediate(() => {
        turns.push(turn);
        turn = 0;
      });
    }
    for (const until = performance.now() + (READ_MS * bytes.length) / MIB; performance.now() < until; );
    turn += bytes.length;
    got += bytes.length;
    if (got === SENDERS * BYTES) whole.resolve();
  };
  const sockets: Socket[] = [];
  const onSocket = (socket: Socket): void => {
    watch(socket, sockets.push(socket.on('error', () => {})) - 1);
    if (sockets.length === SENDERS) connected.resolve();
  };
  const server = secure ? createTlsServer(CERTIFICATE, onSocket) : createServer({ pauseOnConnect: true }, onSocket);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const workerData = { port, secure, senders: SENDERS, bytes: BYTES };
  const senders = new Worker(new URL('./senders.ts', import.meta.url), { workerData });
  await Promise.all([once(senders, 'message'), connected.promise]);
  for (const socket of sockets) {
    if (piped) socket.pipe(parserOf(onData));
    else socket.on('data', onData).resume();
  }
  await whole.promise;
  await senders.terminate();
  for (const socket of sockets) socket.destroy();
  server.close();
  return turns.map((bytes) => bytes / MIB);
}

const KINDS = [{}, { piped: true }, { secure: true }, { secure: true, piped: true }];
for (const kind of everyNth(KINDS, 3)) {
  const how = Object.keys(kind).join(', ') || 'plain';
  test(`all that is sent arrives, and of many who send at once little is read in a turn: ${how}`, async () => {
    const reads = new PacedReads();
    const turns = await read((socket, at) => reads.watch(socket, `network ${at % 3}`), kind);
    // Each socket is read once when its bytes arrive, and sixteen of them again in the same turn.
    assert.ok(Math.max(...turns) <= ((SENDERS + 16) * 64 * 1024) / MIB, `${Math.max(...turns)} MiB in a turn`);
    const later = Math.max(...turns.slice(1));
    // TLS hands over what it has decrypted, of which a read may leave a part for the next one.
    assert.ok(later <= (16 * 80 * 1024) / MIB, `${later} MiB in a later turn`);
    // Those that were closed leave in the turns after.
    await until(
      WAIT_MS,
      async () => reads.waiting,
      (waiting) => waiting === 0,
    );
  });
}

test('a network that sends by many connections leaves the turns of one that has one', async () => {
  const reads = new PacedReads();
  const seen: number[] = [];
  await read((socket, at) => {
    reads.watch(socket, at === SENDERS - 1 ? 'lone' : 'crowd');
    let got = 0;
    socket.on('data', (bytes: Buffer) => {
      got += bytes.length;
      if (got === BYTES) seen.push(at);
    });
  });
  assert.ok(seen.indexOf(SENDERS - 1) < SENDERS / 2, `it was whole after ${seen.indexOf(SENDERS - 1)} others`);
});
