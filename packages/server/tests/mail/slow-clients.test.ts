import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newCertificate } from '../../../../tests/harness/certificate.ts';
import { smtpClient } from '../../../../tests/harness/mail.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { HeldBytes } from '../../core/limits/held-bytes.ts';
import { networkOf } from '../../http/authenticate.ts';
import type { SmtpOptions } from '../../transports/smtp/options.ts';
import { SmtpServer } from '../../transports/smtp/server.ts';

const DRIP_MS = 50;
const LIMITS = { silence_ms: 700, first_silence_ms: 700, first_mail_ms: 2_000, connection_ms: 2_000 };
const OPTIONS: SmtpOptions = {
  protocol: 'smtp',
  name: 'mail.test',
  max_bytes: 100_000,
  tls: undefined,
  max_connections: 10,
  max_connections_of_network: 10,
  ...LIMITS,
};

const unused = async (): Promise<never> => assert.fail('no mail was whole');
let read = 0;
const PARTS: ConstructorParameters<typeof SmtpServer>[0] = {
  // A mailbox that has no other use than to let the client say DATA.
  incoming: { recipient: async (address: string) => ({ address }), accept: unused } as never,
  approvals: { recipient: async () => undefined, refused: async () => {}, answer: unused },
  read: () => {
    read++;
    return unused();
  },
  deliveryOf: () => undefined,
  onBounce: unused,
  onComplaint: unused,
  takesReports: () => false,
  networkOf,
  limits: undefined,
  held: new HeldBytes(8 * OPTIONS.max_bytes),
  onError: (error) => assert.fail(String(error)),
};
const smtp = new SmtpServer(PARTS, OPTIONS);
const server = createServer((socket) => smtp.accept(socket)).listen(0, '127.0.0.1');
await once(server, 'listening');
after(async () => {
  await smtp[Symbol.asyncDispose]();
  server.close();
});

interface Slow {
  readonly socket: Socket;
  readonly said: () => string;
  readonly closed: Promise<void>;
}

/** Connects and says these commands, each once the one before was answered. */
async function client(...commands: readonly string[]): Promise<Slow> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  let transcript = '';
  let answered = (): void => {};
  socket.setEncoding('utf8').on('data', (text: string) => {
    transcript += text;
    if (/^\d{3} .*\r\n$/m.test(text)) answered();
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  for (const command of ['', ...commands]) {
    const reply = Promise.withResolvers<void>();
    answered = reply.resolve;
    if (command !== '') socket.write(`${command}\r\n`);
    await reply.promise;
  }
  return { socket, said: () => transcript, closed };
}

/** Writes a byte at a time until the server closes; gives the milliseconds. */
async function drips({ socket, closed }: Slow, byte: string): Promise<number> {
  const from = performance.now();
  const timer = setInterval(() => socket.writable && socket.write(byte), DRIP_MS);
  await closed;
  clearInterval(timer);
  return performance.now() - from;
}

test('a client that says nothing is sent away', async () => {
  const slow = await client();
  await slow.closed;
  assert.match(slow.said(), /\r\n421 4\.4\.2 /);
});

test('a client that sends a byte at a time is sent away when its connection has lasted long enough, in a command as in a mail', async () => {
  const commands = await client('EHLO slow.example');
  const mail = await client('EHLO slow.example', 'MAIL FROM:<a@b.example>', 'RCPT TO:<c@d.example>', 'DATA');
  const lasted = await Promise.all([drips(commands, 'x'), drips(mail, 'y')]);
  for (const ms of lasted) assert.ok(ms > LIMITS.silence_ms, `${ms} ms: bytes are no silence`);
  assert.match(commands.said(), /\r\n421 4\.4\.2 Connect when you have mail\./);
  assert.match(mail.said(), /\r\n421 4\.4\.2 This connection took too long\./);
  assert.equal(read, 0);
  const next = await client('EHLO next.example');
  assert.match(next.said(), /\r\n250 /);
  next.socket.destroy();
});

test('clients that leave before they are served cost nothing, however many they are', async () => {
  // What is thrown outside of any promise would end the service.
  const thrown: unknown[] = [];
  const note = (error: unknown): void => void thrown.push(error);
  process.on('uncaughtExceptionMonitor', note);
  // As port scanners and the health checks of load balancers do; `closed` is known here before it is served.
  for (const leave of ['destroy', 'resetAndDestroy', 'closed'] as const) {
    for (let n = 0; n <= OPTIONS.max_connections_of_network; n++) {
      const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
      const [socket] = (await once(server, 'connection')) as [Socket];
      const closed = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
      if (leave === 'closed') client.destroy();
      else client[leave]();
      await closed;
      if (leave === 'closed') smtp.accept(socket);
    }
  }
  const next = await client('EHLO client.example');
  assert.match(next.said(), /^250 /m);
  next.socket.destroy();
  process.off('uncaughtExceptionMonitor', note);
  assert.deepEqual(thrown, []);
});

test('a certificate that is renewed is that of the next connections, and one without its key changes nothing', async () => {
  const folder = newFolder();
  const filesOf = (name: string) => {
    mkdirSync(join(folder, name));
    return newCertificate(join(folder, name), ['localhost']);
  };
  const [first, next] = [filesOf('first'), filesOf('next')];
  const read = (cert: string, key: string) => ({ cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') });
  const secured = new SmtpServer(PARTS, { ...OPTIONS, tls: read(first.cert, first.key) });
  const listening = createServer((socket) => secured.accept(socket)).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const begin = async (cert: string): Promise<string> => {
    await using one = await smtpClient((listening.address() as AddressInfo).port);
    await one.say('EHLO client.example');
    await one.secure(cert);
    return await one.say('EHLO client.example');
  };
  try {
    assert.match(await begin(first.cert), /^250-/);
    assert.throws(() => secured.renew(read(next.cert, first.key)), /mismatch/);
    assert.match(await begin(first.cert), /^250-/);
    secured.renew(read(next.cert, next.key));
    assert.match(await begin(next.cert), /^250-/);
    await assert.rejects(begin(first.cert), /self-signed/);
  } finally {
    await secured[Symbol.asyncDispose]();
    listening.close();
    removeFolder(folder);
  }
});
