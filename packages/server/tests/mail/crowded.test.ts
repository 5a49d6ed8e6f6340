import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { AppError } from '@mailroom/behavior/values/error';
import { type SmtpClient, sendMail, smtpClient } from '../../../../tests/harness/mail.ts';
import { HeldBytes } from '../../core/limits/held-bytes.ts';
import { LocalLimiter } from '../../core/values/limits.ts';
import { networkOf } from '../../http/authenticate.ts';
import type { SmtpOptions } from '../../transports/smtp/options.ts';
import { SmtpServer } from '../../transports/smtp/server.ts';

const MAX_BYTES = 100_000;
const MAX_HELD = 8 * MAX_BYTES;

const unused = async (): Promise<never> => assert.fail('not used here');

interface Served extends AsyncDisposable {
  readonly port: number;
  readonly taken: number;
}

/** A server of mail with one mailbox, and none whose name begins with `missing`. */
async function serve(
  options: Partial<SmtpOptions> = {},
  { quota, share }: { readonly quota?: number; readonly share?: number } = {},
): Promise<Served> {
  let taken = 0;
  const limiter = (name: string) =>
    new LocalLimiter(
      { name, what: name, quota: quota ?? 1, burst: quota ?? 1, window_ms: 3_600_000, kind: 'bucket' },
      Date.now,
    );
  const smtp = new SmtpServer(
    {
      incoming: {
        async recipient(address: string) {
          if (address.startsWith('missing')) throw new AppError('mailbox_not_found', 'There is no such mailbox.');
          return { address };
        },
        accept: async () => ({ id: `msg_${++taken}` }),
      } as never,
      approvals: { recipient: async () => undefined, refused: async () => {}, answer: unused },
      read: async () => ({ email: {}, bounces: [], complaint: null }) as never,
      deliveryOf: () => undefined,
      onBounce: unused,
      onComplaint: unused,
      takesReports: () => false,
      networkOf,
      limits:
        quota === undefined
          ? undefined
          : {
              networks: new LocalLimiter(
                { name: 'networks', what: 'mails', quota: 1_000, burst: 1_000, window_ms: 3_600_000, kind: 'bucket' },
                Date.now,
              ),
              senders: limiter('senders'),
              recipients: new LocalLimiter(
                { name: 'all', what: 'recipients', quota: 500, burst: 500, window_ms: 3_600_000, kind: 'bucket' },
                Date.now,
              ),
              unknown: limiter('unknown'),
            },
      held: new HeldBytes(MAX_HELD, share),
      onError: (error) => assert.fail(String(error)),
    },
    {
      protocol: 'smtp',
      name: 'mail.test',
      max_bytes: MAX_BYTES,
      tls: undefined,
      max_connections: 1_000,
      max_connections_of_network: 100,
      ...options,
    },
  );
  const server = createServer({ allowHalfOpen: true }, (socket) => smtp.accept(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async (): Promise<void> => {
    await smtp[Symbol.asyncDispose]();
    server.close();
  };
  after(stop);
  return {
    port: (server.address() as AddressInfo).port,
    get taken() {
      return taken;
    },
    [Symbol.asyncDispose]: stop,
  };
}

const HELLO = { smtp: 'EHLO client.example', lmtp: 'LHLO client.example' };
const NETWORK = '127.0.0.7';
const text = (bytes: number): string => `Subject: x\r\n\r\n${`${'x'.repeat(76)}\r\n`.repeat(Math.floor(bytes / 78))}`;

/** Begins a mail and sends this many bytes of it, without its end. */
async function begun(
  port: number,
  bytes: number,
  network = NETWORK,
  protocol: keyof typeof HELLO = 'smtp',
): Promise<SmtpClient> {
  const client = await smtpClient(port, network);
  await client.all(HELLO[protocol], 'MAIL FROM:<eve@evil.example>', 'RCPT TO:<ada@mail.test>');
  assert.match(await client.say('DATA'), /^354/);
  client.write(text(bytes));
  return client;
}
/** What a mail of another network is answered. */
async function sent(port: number, network = '127.0.0.8', protocol: keyof typeof HELLO = 'smtp'): Promise<string> {
  await using client = await smtpClient(port, network);
  await client.all(HELLO[protocol], 'MAIL FROM:<ada@good.example>', 'RCPT TO:<ada@mail.test>');
  if (!(await client.say('DATA')).startsWith('354')) return 'no data';
  return await client.say(`${text(9_000)}.`);
}

for (const protocol of ['smtp', 'lmtp'] as const)
  test(`by ${protocol.toUpperCase()}, mails of one network that never end keep none of another one out`, async () => {
    const served = await serve({ protocol }, protocol === 'lmtp' ? { share: 1 } : {});
    const clients = await Promise.all(
      Array.from({ length: 12 }, () => begun(served.port, MAX_BYTES - 1_000, NETWORK, protocol)),
    );
    for (let n = 0; n < 3; n++)
      assert.match(await sent(served.port, `127.0.0.${20 + n}`, protocol), /^250 2\.0\.0 Received/);
    const replies = await Promise.all(clients.map((client) => client.say('\r\n.')));
    const whole = replies.filter((reply) => reply.startsWith('250')).length;
    assert.ok(whole >= 2 && whole <= (protocol === 'lmtp' ? 8 : 2), replies.join('\n'));
    assert.ok(
      replies.every((reply) => /^(250|452 4\.3\.1) /.test(reply)),
      replies.join('\n'),
    );
    for (const client of clients) await client[Symbol.asyncDispose]();
  });

test('mails of many networks that never end make way for one of another network', async () => {
  const served = await serve();
  const clients = await Promise.all(
    Array.from({ length: 16 }, (_, n) => begun(served.port, MAX_BYTES - 1_000, `127.0.0.${30 + (n % 8)}`)),
  );
  assert.match(await sent(served.port), /^250 2\.0\.0 Received/);
  for (const client of clients) await client[Symbol.asyncDispose]();
});

test('a mail that fails gives its room back before its client has sent all of it', async () => {
  const served = await serve({}, { share: 1 });
  const clients = await Promise.all(Array.from({ length: 8 }, () => begun(served.port, MAX_BYTES - 1_000)));
  for (const client of clients) client.write(text(5_000));
  assert.match(await sent(served.port, NETWORK), /^250 2\.0\.0 Received/);
  for (const client of clients) await client[Symbol.asyncDispose]();
});

test('a mail that arrives too slowly ends with its connection', async () => {
  const served = await serve({ min_speed: { bytes: 100, ms: 200 } });
  await using client = await begun(served.port, 5_000);
  const timer = setInterval(() => client.write('x'), 20);
  assert.match(await client.say(), /^421 4\.4\.2 This mail arrives too slowly/);
  clearInterval(timer);
});

test('where all connections are idle, the longest idle one makes way, and one that sends a mail does not', async () => {
  const served = await serve({ max_connections: 20, max_connections_of_network: 2 });
  const sending = await begun(served.port, 1_000, '127.0.0.40');
  const idle: SmtpClient[] = [];
  for (let n = 0; n < 19; n++) idle.push(await smtpClient(served.port, `127.0.0.${41 + Math.floor(n / 2)}`));
  const [first, second] = idle as [SmtpClient, SmtpClient];
  // Bytes are progress of a mail, commands are none.
  await first.say('EHLO client.example');
  sending.write(text(1_000));
  assert.match(await second.say('NOOP'), /^250/);
  assert.match(await sent(served.port), /^250 2\.0\.0 Received/);
  assert.match(await first.say(), /^421 4\.7\.0 Others wait/);
  assert.match(await second.say('NOOP'), /^250/);
  assert.match(await sending.say('\r\n.'), /^250 2\.0\.0 Received/);
  for (const client of [...idle, sending]) await client[Symbol.asyncDispose]();
});

test('one network has so many connections, and is told so', async () => {
  const served = await serve({ max_connections_of_network: 2 });
  const idle = [await smtpClient(served.port, NETWORK), await smtpClient(served.port, NETWORK)];
  await using more = await smtpClient(served.port, NETWORK);
  assert.match(more.greeting, /^421 4\.7\.0 Too many connections/);
  assert.match(await sent(served.port), /^250/);
  for (const client of idle) await client[Symbol.asyncDispose]();
});

test('connections too many are told so late, and reset where as many of their network wait for that', async () => {
  const served = await serve({ max_connections_of_network: 2 });
  const idle = [await smtpClient(served.port, NETWORK), await smtpClient(served.port, NETWORK)];
  const ends: string[] = [];
  const dial = (): Socket =>
    connect({ port: served.port, host: '127.0.0.1', localAddress: NETWORK })
      .on('error', ({ message }) => void ends.push(message))
      .on('data', (reply) => void ends.push(String(reply)));
  const late = [dial(), dial()];
  await Promise.all(late.map((socket) => once(socket, 'connect')));
  const reset = Array.from({ length: 4 }, dial);
  await Promise.all([...late, ...reset].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  assert.ok(
    ends.slice(0, 4).every((end) => end.includes('ECONNRESET')),
    ends.join('\n'),
  );
  assert.match(ends.slice(4).join(''), /^(421 4\.7\.0 Too many connections.*\r\n){2}$/);
  await using other = await smtpClient(served.port, '127.0.0.8');
  assert.match(other.greeting, /^220/);
  for (const client of idle) await client[Symbol.asyncDispose]();
});

test('commands count as no mails, and the mails of a sender count for the network that sends them', async () => {
  const served = await serve({}, { quota: 3 });
  await using client = await smtpClient(served.port, NETWORK);
  await client.say('EHLO client.example');
  for (let n = 0; n < 10; n++) {
    assert.match(await client.say('MAIL FROM:<boss@corp.example>'), /^250/);
    await client.say('RSET');
  }
  const mail = { from: 'boss@corp.example', to: ['ada@mail.test'], text: 'Subject: x\r\n\r\nx' };
  for (let n = 0; n < 3; n++) assert.match(await sendMail(served.port, mail, NETWORK), /^250/);
  // The first one too many is known by its end, the next by their beginning.
  for (let n = 0; n < 2; n++) assert.match(await sendMail(served.port, mail, NETWORK), /^450 4\.7\.1/);
  assert.match(await client.say('MAIL FROM:<Boss@Corp.example>'), /^450 4\.7\.1/);
  assert.match(await client.say('MAIL FROM:<other@corp.example>'), /^250/);
  assert.match(await sendMail(served.port, mail, '127.0.0.8'), /^250/);
  assert.equal(served.taken, 4);
});

test('a network may name so many addresses that do not exist, and then learns of none for a while', async () => {
  const served = await serve({}, { quota: 5 });
  const rcpt = async (name: string, network = NETWORK): Promise<string> => {
    await using client = await smtpClient(served.port, network);
    return await client.all('EHLO client.example', 'MAIL FROM:<a@b.example>', `RCPT TO:<${name}@mail.test>`);
  };
  for (let n = 0; n < 5; n++) assert.match(await rcpt(`missing${n}`), /^550 5\.1\.1/);
  for (const name of ['missing9', 'ada']) assert.match(await rcpt(name), /^421 4\.7\.0/);
  assert.match(await rcpt('ada', '127.0.0.8'), /^250/);
});

test('a network may name so many recipients', async () => {
  const served = await serve({}, { quota: 5 });
  await using client = await smtpClient(served.port, NETWORK);
  await client.say('EHLO client.example');
  const replies: string[] = [];
  for (let n = 0; n < 600; n++) {
    await client.say('MAIL FROM:<a@b.example>');
    const reply = await client.say('RCPT TO:<ada@mail.test>');
    if (!reply.startsWith('250')) {
      replies.push(reply);
      break;
    }
    await client.say('RSET');
  }
  assert.match(replies[0] ?? '', /^421 4\.7\.0 Too many recipients/);
});

test('a client that sends many commands without a recipient is told to come back with a mail', async () => {
  const served = await serve();
  await using client = await smtpClient(served.port, NETWORK);
  const more: string[] = [];
  for (let n = 0; n < 101; n++) {
    const reply = await client.say(n === 0 ? 'EHLO client.example' : 'NOOP');
    if (!reply.startsWith('250')) more.push(reply);
  }
  assert.match(more.join('\n'), /^421 4\.7\.0 Too many commands without a recipient/);
  await using busy = await smtpClient(served.port, NETWORK);
  await busy.say('EHLO client.example');
  for (let n = 0; n < 101; n++)
    assert.match(await busy.all('MAIL FROM:<a@b.example>', 'RCPT TO:<ada@mail.test>', 'RSET'), /^250/);
});

test('pipelined commands of one network run over as many turns of the loop as they need, and others between', async () => {
  const served = await serve();
  const flooding = await Promise.all(Array.from({ length: 20 }, () => smtpClient(served.port, NETWORK)));
  let turns = 0;
  let over = false;
  const turn = (): void => {
    turns++;
    if (!over) setImmediate(turn);
  };
  for (const client of flooding) await client.say('EHLO client.example');
  turn();
  const before = turns;
  for (const client of flooding) client.write('NOOP\r\n'.repeat(80));
  const replies = flooding.map(async (client) => {
    for (let n = 0; n < 80; n++) assert.match(await client.say(), /^250/);
  });
  await Promise.all(replies);
  over = true;
  assert.ok(turns - before >= (20 * 80) / 16, `${turns - before} turns`);
  for (const client of flooding) await client[Symbol.asyncDispose]();
});
