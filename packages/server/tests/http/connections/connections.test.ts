import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { USUAL } from '../../../../../tests/harness/connections.ts';
import { request } from '../../../../../tests/harness/raw.ts';
import { until as untilFits } from '../../../../../tests/harness/until.ts';
import { Connections } from '../../../http/connections/connections.ts';
import { inSlices } from '../../../http/connections/unread.ts';

const until = (fits: () => boolean) => untilFits(5_000, async () => undefined, fits);

type Handler = (asked: IncomingMessage, answer: ServerResponse, connections: Connections) => void;
const MIB = 1024 * 1024;

async function serving(limits: Partial<typeof USUAL>, handler: Handler) {
  const connections: Connections = new Connections(
    {
      ...USUAL,
      ...limits,
      stall_ms: 30_000,
      onGivenUp: () => undefined,
      onLate: () => undefined,
      networkOf: (address) => address,
    },
    (asked, answer) => handler(asked, answer, connections),
  );
  const server = createServer({ requireHostHeader: false });
  connections.watch(server, (socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const dial = async (localAddress = '127.0.0.1'): Promise<Socket> => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  return {
    connections,
    dial,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends `bytes` as the kernel does, counted until they are read. */
function answerWith(bytes: Buffer, { shared = false } = {}): Handler {
  return async (_asked, answer, connections) => {
    await connections.handOver(answer, bytes.length, shared);
    inSlices(bytes).pipe(answer);
  };
}

test('no more requests of a connection are in flight than the limit, and each is answered in order', async () => {
  const held: ServerResponse[] = [];
  let max = 0;
  await using service = await serving({ max_in_flight: 3 }, (asked, answer) => {
    answer.setHeader('x-path', asked.url ?? '');
    asked.resume();
    held.push(answer);
    max = Math.max(max, held.length);
  });
  const socket = await service.dial();
  let text = '';
  socket.setEncoding('latin1').on('data', (more: string) => {
    text += more;
  });
  for (let i = 0; i < 100; i++) socket.write(request('POST', `/${i}`, {}, 'x'.repeat(i * 37)));
  let answered = 0;
  while (answered < 100) {
    await until(() => held.length > 0);
    held.shift()?.end('done');
    answered++;
  }
  await until(() => text.split('done').length === 101);
  const paths = [...text.matchAll(/x-path: \/(\d+)/g)].map(([, path]) => Number(path));
  assert.deepEqual(
    paths,
    Array.from({ length: 100 }, (_, i) => i),
  );
  assert.equal(max, 3);
});

test('a pipelined read is begun when the answer before it was read', async () => {
  let begun = 0;
  const document = Buffer.alloc(8 * MIB, 'x');
  await using service = await serving({}, (asked, answer, connections) => {
    begun++;
    answerWith(document, { shared: true })(asked, answer, connections);
  });
  const socket = await service.dial();
  socket.pause();
  socket.write(request('GET', '/').repeat(50));
  await until(() => begun === 1 && service.connections.size === 1);
  let read = 0;
  socket.on('data', (bytes: Buffer) => {
    read += bytes.length;
  });
  socket.resume();
  await until(() => read > 50 * document.length);
  assert.equal(begun, 50);
});

test('who leaves more than the limit unread for ten seconds is closed, who reads slowly is not', async () => {
  // More than the buffers of the system, about 36 MiB, can take before and after what is read.
  await using service = await serving(
    { max_unread_total: 256 * MIB, max_per_second: Infinity },
    answerWith(Buffer.alloc(96 * MIB, 'x')),
  );
  const [deaf, slow] = [await service.dial(), await service.dial()];
  for (const socket of [deaf, slow]) {
    socket.pause();
    socket.write(request('GET', '/'));
  }
  await until(() => service.connections.held === 192 * MIB);
  const now = performance.now();
  service.connections.look(now);
  service.connections.look(now + 9_000);
  assert.equal(service.connections.held, 192 * MIB);
  let read = 0;
  let paused = false;
  slow.on('data', (bytes: Buffer) => {
    read += bytes.length;
    if (read > 40 * MIB && !paused) {
      paused = true;
      slow.pause();
    }
  });
  slow.resume();
  await until(() => read > 40 * MIB);
  service.connections.look(now + 11_000);
  assert.equal(service.connections.held, 96 * MIB);
  await until(() => service.connections.size === 1);
  slow.resume();
  await until(() => read > 95 * MIB);
});

test('unread answers of all connections together stay within the limit, and who reads is answered', async () => {
  await using service = await serving(
    { max_unread_total: 32 * MIB, max_per_second: Infinity },
    answerWith(Buffer.alloc(12 * MIB, 'x')),
  );
  const deaf = await Promise.all(Array.from({ length: 20 }, () => service.dial()));
  for (const socket of deaf) {
    socket.pause();
    socket.write(request('GET', '/'));
  }
  await until(() => service.connections.held > 20 * MIB);
  const reader = await service.dial();
  let read = 0;
  reader.on('data', (bytes: Buffer) => {
    read += bytes.length;
    assert.ok(service.connections.held <= 32 * MIB);
  });
  reader.write(request('GET', '/'));
  await until(() => read > 12 * MIB);
  for (const socket of deaf) socket.destroy();
  await until(() => service.connections.held === 0);
});

test('networks that read in drops leave room for the answers of others', async () => {
  const answer = Buffer.alloc(16 * MIB, 'x');
  await using service = await serving({ max_unread_total: 76 * MIB }, answerWith(answer));
  let over = 0;
  for (const network of ['127.0.0.2', '127.0.0.2', '127.0.0.3', '127.0.0.3']) {
    const socket = await service.dial(network);
    let read = 0;
    socket.on('data', (bytes) => {
      read += bytes.length;
      if (read >= answer.length) over++;
      socket.pause();
      setTimeout(() => socket.resume(), 150);
    });
    socket.write(request('GET', '/'));
  }
  await until(() => service.connections.held === 4 * answer.length);
  const other = await service.dial('127.0.0.4');
  let read = 0;
  other.on('data', (bytes) => {
    read += bytes.length;
  });
  other.write(request('GET', '/'));
  await untilFits(
    20_000,
    async () => undefined,
    () => read >= answer.length || over > 0,
  );
  assert.equal(over, 0);
});

test('a network has no more connections than the limit', async () => {
  await using service = await serving({ max_of_network: 3 }, (_asked, answer) => void answer.end('hello'));
  const held = [await service.dial(), await service.dial(), await service.dial()];
  await until(() => service.connections.size === 3);
  const refused = await service.dial();
  await once(refused, 'close');
  held[0]?.destroy();
  await until(() => service.connections.size === 2);
  const next = await service.dial();
  next.write(request('GET', '/'));
  await once(next, 'data');
});

test('bodies that never end hold no more than the limit, and what they leave goes to the next', async () => {
  let whole = 0;
  const limits = { max_receiving: 8 * MIB, max_body: MIB };
  await using service = await serving(limits, (asked, answer) => {
    asked.on('error', () => undefined);
    asked
      .on('data', () => undefined)
      .on('end', () => {
        whole++;
        answer.end('done');
      });
  });
  const { connections } = service;
  const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${MIB}\r\n\r\n`;
  const half = async () => {
    const socket = await service.dial();
    socket.write(head + 'x'.repeat(MIB / 2));
    return socket;
  };
  const slow = await Promise.all(Array.from({ length: 20 }, half));
  await until(() => connections.receiving === 2 * MIB);
  // A small answer does not wait for memory.
  const small = await service.dial();
  small.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n${'x'.repeat(5_000)}`);
  await until(() => whole === 1);
  assert.equal(connections.receiving, 2 * MIB);
  for (const socket of slow) socket.write('x'.repeat(MIB / 2));
  await until(() => whole === 21);
  await until(() => connections.receiving === 0);
  // Nothing stays reserved for clients that disconnect midway.
  for (const socket of await Promise.all(Array.from({ length: 20 }, half))) socket.destroy();
  await until(() => connections.size === 21 && connections.receiving === 0);
});

/** How many requests of two networks began, which are told apart by their paths. */
function beginnings() {
  const begun = { flood: 0, other: 0 };
  const handler: Handler = (asked, answer) => {
    begun[asked.url === '/flood' ? 'flood' : 'other']++;
    asked.resume();
    answer.end('done');
  };
  return { begun, handler };
}

test('a network begins so many requests a second, its others wait, and those of another network do not', async () => {
  const { begun, handler } = beginnings();
  await using service = await serving({ max_per_second: 50 }, handler);
  const sockets = await Promise.all(Array.from({ length: 5 }, () => service.dial('127.0.0.3')));
  for (const socket of sockets) socket.write(request('GET', '/flood').repeat(20));
  const other = await service.dial('127.0.0.4');
  for (let n = 0; n < 20; n++) {
    other.write(request('GET', '/other'));
    await once(other, 'data');
  }
  assert.ok(begun.flood < 100, `${begun.flood} began beside 20 of the other`);
  await until(() => begun.flood === 100);
  assert.equal(begun.other, 20);
});

test('a network does not begin more by connecting again', async () => {
  const { begun, handler } = beginnings();
  await using service = await serving({ max_per_second: 10 }, handler);
  const from = performance.now();
  for (let n = 0; n < 15; n++) {
    const socket = await service.dial('127.0.0.3');
    socket.write(request('GET', '/flood'));
    await once(socket, 'data');
    socket.destroy();
    await until(() => service.connections.size === 0);
  }
  // Each connection counts as a request.
  assert.ok(performance.now() - from >= ((2 * 15 - 1 - 10) / 10) * 1_000, `${begun.flood} too early`);
});

const KIB = 'a'.repeat(1_024);
const TINY_CHUNKS = `Transfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(5_000)}0\r\n\r\n`;
const LARGE_CHUNK = `Transfer-Encoding: chunked\r\n\r\n7530\r\n${'a'.repeat(0x7530)}\r\n0\r\n\r\n`;
const lengthOf = (kib: number): string => `Content-Length: ${kib * 1_024}\r\n\r\n${KIB.repeat(kib)}`;
test('a long body is read, and what comes after it begins, as slowly as many requests', async () => {
  const { handler } = beginnings();
  await using service = await serving({ max_per_second: 20 }, handler);
  const from = performance.now();
  const sender = await service.dial('127.0.0.3');
  sender.write(`POST /body HTTP/1.1\r\nHost: localhost\r\n${lengthOf(1_280)}${request('GET', '/flood')}`);
  for (let text = ''; text.split('done').length < 3; ) text += String((await once(sender, 'data'))[0]);
  // The connection, the two requests, and one for each 32 KiB, of which two begin at once.
  assert.ok(performance.now() - from >= ((1 + 2 + 10 - 1 - 2) / 20) * 1_000, 'too early');
});

for (const { what, body, answer_kib = 0, slow } of [
  { what: 'a body in tiny chunks counts as many requests', body: TINY_CHUNKS, slow: true },
  { what: 'a body in large chunks counts as one request', body: LARGE_CHUNK, slow: false },
  { what: 'a short body counts as one request', body: lengthOf(16), slow: false },
  { what: 'a long answer counts as many requests', body: lengthOf(1), answer_kib: 1_280, slow: true },
])
  test(what, async () => {
    const { begun, handler } = beginnings();
    const handle: Handler = async (asked, answer, connections) => {
      if (answer_kib > 0 && asked.url === '/body') await connections.handOver(answer, answer_kib * 1_024, false);
      handler(asked, answer, connections);
    };
    await using service = await serving({ max_per_second: 20 }, handle);
    const sender = await service.dial('127.0.0.3');
    sender.write(`POST /body HTTP/1.1\r\nHost: localhost\r\n${body}`);
    await once(sender, 'data');
    const next = await service.dial('127.0.0.3');
    next.write(request('GET', '/flood').repeat(4));
    const other = await service.dial('127.0.0.4');
    for (let n = 0; n < 10; n++) {
      other.write(request('GET', '/other'));
      await once(other, 'data');
    }
    // One may begin before the first of the body is counted.
    assert.ok(slow ? begun.flood <= 1 : begun.flood === 4, `${begun.flood} began`);
    await until(() => begun.flood === 4);
  });
