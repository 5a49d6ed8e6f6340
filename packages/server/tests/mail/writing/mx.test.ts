import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { newCertificate } from '../../../../../tests/harness/certificate.ts';
import { answer, type Smtp, startSmtp } from '../../../../../tests/harness/smtp.ts';
import type { DeliveryResult } from '../../../core/ports/delivery.ts';
import type { DnsResolver } from '../../../mail/writing/dns.ts';
import { type StsCache, type StsPolicy, stsMemory } from '../../../mail/writing/mta-sts.ts';
import { type MxOptions, mxDelivery, mxHosts } from '../../../mail/writing/mx.ts';
import type { OutgoingMail } from '../../../mail/writing/session.ts';

const folder = mkdtempSync(join(tmpdir(), 'mailroom-mx-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const files = newCertificate(folder, ['mx1.outside.example']);
const certificate = { cert: readFileSync(files.cert), key: readFileSync(files.key) };

const NEVER = new AbortController().signal;
const RETURN_PATH = 'bounces+dlv_0d8m3xk2q5v7w9y1a3c0.0123456789abcdef@mail.test';
const mailOf = (fields: Partial<OutgoingMail> = {}): OutgoingMail => ({
  id: 'dlv_0d8m3xk2q5v7w9y1a3c0',
  return_path: RETURN_PATH,
  to: 'ada@outside.example',
  message: Buffer.from('From: a@agents.mail.test\r\nSubject: Hi\r\n\r\n.\r\n..\r\nHello\r\n'),
  subject: 'Hi',
  text: 'Hello',
  ...fields,
});

type Zone = Readonly<Record<string, Readonly<Record<string, readonly unknown[] | string>>>>;

/** Answers from a zone: a text in place of records is the code of an error. */
const dns =
  (zone: Zone): DnsResolver =>
  async (name, type) => {
    const found = zone[name]?.[type];
    const code = zone[name] === undefined ? 'ENOTFOUND' : (found ?? 'ENODATA');
    if (typeof code === 'string') throw Object.assign(new Error(code), { code });
    return code;
  };
const mx = (...hosts: readonly string[]) => hosts.map((exchange, at) => ({ exchange, priority: 10 * (at + 1) }));

/** Each server listens on the same port of an address of its own, as mail servers do. */
const OUTSIDE: Zone = {
  'outside.example': { MX: mx('mx1.outside.example', 'mx2.outside.example') },
  'mx1.outside.example': { A: ['127.0.0.1'] },
  'mx2.outside.example': { A: ['127.0.0.2'] },
};
const loopback = (address: string): boolean => address.startsWith('127.') || address === '::1';

const deliver = (
  options: Partial<MxOptions> & { readonly port: number },
  mail: Partial<OutgoingMail> = {},
  signal: AbortSignal = NEVER,
): Promise<DeliveryResult> =>
  mxDelivery({ resolve: dns(OUTSIDE), name: 'mail.test', trusts: loopback, ...options })(mailOf(mail), signal);

const failedFor = (result: DeliveryResult): { readonly permanent: boolean; readonly reason: string } => {
  assert.ok(result.kind === 'failed', JSON.stringify(result));
  assert.doesNotMatch(result.reason, /ada|outside|@/);
  return { permanent: result.permanent, reason: result.reason };
};

const secured = { disabledCommands: [], ...certificate };

/** A server that speaks by hand. */
async function byHand(
  talk: (socket: Socket) => unknown,
): Promise<Server & AsyncDisposable & { readonly port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    talk(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return Object.assign(server, {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  });
}

describe('the servers of a domain', () => {
  const hosts = (zone: Zone) => mxHosts('outside.example', 'mail.test', dns(zone));

  test('come in the order of preference, equal ones in any order, each without the final dot', async () => {
    const records = [
      { exchange: 'C.outside.example.', priority: 20 },
      { exchange: 'a.outside.example', priority: 10 },
      { exchange: 'b.outside.example', priority: 10 },
    ];
    const seen = new Set<string>();
    for (let i = 0; i < 200; i++) seen.add(((await hosts({ 'outside.example': { MX: records } })) as string[]).join());
    assert.deepEqual([...seen].sort(), [
      'a.outside.example,b.outside.example,c.outside.example',
      'b.outside.example,a.outside.example,c.outside.example',
    ]);
  });

  test('are the domain itself when it has an address and no MX record', async () => {
    for (const address of [{ A: ['192.0.2.1'] }, { AAAA: ['2001:db8::1'] }]) {
      assert.deepEqual(await hosts({ 'outside.example': address }), ['outside.example']);
    }
  });

  test('are none, for good, when the domain does not exist, has no address, or says that it takes no mail', async () => {
    const cases: readonly (readonly [zone: Zone, reason: RegExp])[] = [
      [{}, /^ENOTFOUND MX 5\.1\.2$/],
      [{ 'outside.example': { TXT: [] } }, /5\.1\.2$/],
      [{ 'outside.example': { MX: [{ exchange: '', priority: 0 }] } }, /^null MX 5\.1\.10$/],
      [{ 'outside.example': { MX: mx('mail.test', 'mx1.outside.example') } }, /5\.4\.6$/],
    ];
    for (const [zone, reason] of cases) {
      const found = failedFor((await hosts(zone)) as DeliveryResult);
      assert.equal(found.permanent, true);
      assert.match(found.reason, reason);
    }
    // A backup goes to the better ones only.
    const backup = { 'outside.example': { MX: mx('mx1.outside.example', 'MAIL.test.', 'mx3.outside.example') } };
    assert.deepEqual(await hosts(backup), ['mx1.outside.example']);
  });

  test('are unknown for now when DNS does not answer', async () => {
    for (const [zone, reason] of [
      [{ 'outside.example': { MX: 'ESERVFAIL' } }, 'ESERVFAIL MX'],
      [{ 'outside.example': { MX: 'ETIMEOUT' } }, 'ETIMEOUT MX'],
      [{ 'outside.example': { A: 'ESERVFAIL' } }, 'ESERVFAIL A'],
    ] as const) {
      assert.deepEqual(failedFor((await hosts(zone)) as DeliveryResult), { permanent: false, reason });
    }
  });
});

describe('mail to the servers of a domain', () => {
  test('arrives at the first server, with its return path, byte for byte, over TLS where that is offered', async () => {
    for (const [options, secure] of [
      [{}, false],
      [secured, true],
    ] as const) {
      await using smtp = await startSmtp(options);
      assert.deepEqual(await deliver({ port: smtp.port }), { kind: 'sent' });
      const [one] = await smtp.has(1);
      assert.deepEqual([one?.from, one?.to, one?.secure], [RETURN_PATH, ['ada@outside.example'], secure]);
      assert.equal(one?.raw, mailOf().message.toString('latin1'));
    }
  });

  test('of a notice has the null return path', async () => {
    await using smtp = await startSmtp();
    assert.deepEqual(await deliver({ port: smtp.port }, { return_path: '' }), { kind: 'sent' });
    assert.equal((await smtp.has(1))[0]?.from, '');
  });

  test('goes to the next server when the first is down, refuses connections, or only says later', async () => {
    await using second = await startSmtp({ host: '127.0.0.2' });
    const { port } = second;
    assert.deepEqual(await deliver({ port }), { kind: 'sent' });
    for (const options of [
      { onConnect: (_s: unknown, done: (error?: Error) => void) => done(answer(554, 'no service')) },
      { onRcptTo: (_a: unknown, _s: unknown, done: (error?: Error) => void) => done(answer(451, '4.7.1 greylisted')) },
      { data: () => answer(452, 'full') },
    ]) {
      await using first = await startSmtp({ ...options, port });
      assert.deepEqual(await deliver({ port }), { kind: 'sent' });
      assert.equal(first.connections, 1);
      assert.equal(first.arrived.length, 0);
    }
    assert.equal(second.arrived.length, 4);
  });

  test('is refused for good by one server and offered to no other', async () => {
    await using second = await startSmtp({ host: '127.0.0.2' });
    const { port } = second;
    for (const [options, reason] of [
      [
        { onMailFrom: (_a: unknown, _s: unknown, done: (e: Error) => void) => done(answer(550, 'no')) },
        '550 MAIL FROM',
      ],
      [
        {
          onRcptTo: (a: { address: string }, _s: unknown, done: (e: Error) => void) =>
            done(answer(550, `5.1.1 ${a.address}`)),
        },
        '550 RCPT TO 5.1.1',
      ],
      [{ data: () => answer(554, '5.7.1 spam of ada') }, '554 DATA 5.7.1'],
    ] as const) {
      await using _first = await startSmtp({ ...options, port } as Parameters<typeof startSmtp>[0]);
      const result = failedFor(await deliver({ port }));
      assert.equal(result.permanent, true);
      assert.ok(result.reason.endsWith(reason), result.reason);
    }
    assert.equal(second.connections, 0);
  });

  test('is tried again later when every server says so', async () => {
    await using smtp = await startSmtp({ onRcptTo: (_a, _s, done) => done(answer(451, '4.7.1 greylisted')) });
    const later = failedFor(
      await deliver({ port: smtp.port, resolve: dns({ ...OUTSIDE, 'mx2.outside.example': {} }) }),
    );
    assert.deepEqual([later.permanent, smtp.connections], [false, 1]);
  });

  test('is tried again when a server breaks off, never greets, or drips', async () => {
    const patience = { connect: 300, silence: 300, mail: 30_000 };
    const resolve = dns({ ...OUTSIDE, 'outside.example': { MX: mx('mx1.outside.example') } });
    const talks: readonly ((socket: Socket) => unknown)[] = [
      (socket) => socket.destroy(),
      (socket) => socket.end('220 here\r\n'),
      (socket) => socket.write('220 here\r\n'),
      () => {},
      (socket) => {
        socket.write('220 here\r\n');
        socket.on('data', (said) => {
          if (/^EHLO/.test(String(said))) socket.write('250-here\r\n250 SIZE 1000000\r\n');
          if (/^MAIL/.test(String(said))) socket.destroy();
        });
      },
      (socket) => {
        socket.write('220 here\r\n');
        socket.on('data', (said) => {
          if (/^EHLO/.test(String(said))) socket.write('250 here\r\n');
          else if (/^(?:MAIL|RCPT)/.test(String(said))) socket.write('250 yes\r\n');
          else if (/^DATA/.test(String(said))) socket.write('354 go\r\n');
          else socket.destroy();
        });
      },
      (socket) => socket.write(`220-${'x'.repeat(200_000)}`),
    ];
    for (const talk of talks) {
      await using server = await byHand(talk);
      assert.equal(failedFor(await deliver({ port: server.port, patience, resolve })).permanent, false);
    }
    await using dripping = await byHand((socket) => {
      const drops = setInterval(() => socket.write('220-x\r\n'), 20);
      socket.on('close', () => clearInterval(drops));
    });
    const slow = { connect: 60_000, silence: 60_000, mail: 500 };
    assert.deepEqual(failedFor(await deliver({ port: dripping.port, patience: slow, resolve })), {
      permanent: false,
      reason: 'EABORT',
    });
    const stop = new AbortController();
    const aborted = deliver({ port: dripping.port, resolve }, {}, stop.signal);
    stop.abort();
    assert.equal(failedFor(await aborted).reason, 'EABORT');
  });

  test('never goes to an address that is not public, by whatever name or record', async () => {
    await using smtp = await startSmtp();
    const zones: readonly Zone[] = [
      OUTSIDE,
      { 'outside.example': { A: ['127.0.0.1'] } },
      { 'outside.example': { MX: mx('127.0.0.1') } },
      {
        'outside.example': { MX: mx('mx1.outside.example') },
        'mx1.outside.example': { A: ['192.0.2.1', '127.0.0.1'] },
      },
      {
        'outside.example': { MX: mx('mx1.outside.example') },
        'mx1.outside.example': { AAAA: ['::ffff:127.0.0.1', '::1'] },
      },
      { 'outside.example': { MX: mx('mx1.outside.example') }, 'mx1.outside.example': { A: ['169.254.169.254'] } },
    ];
    for (const zone of zones) {
      const result = failedFor(await deliver({ port: smtp.port, resolve: dns(zone), trusts: () => false }));
      assert.deepEqual(result, { permanent: true, reason: 'ENOTPUBLIC MX 5.4.4' });
    }
    assert.equal(smtp.connections, 0);
  });

  test('that is too large, or needs SMTPUTF8, is not offered to a server that cannot take it', async () => {
    await using small = await startSmtp({ size: 100 });
    const message = Buffer.alloc(2_000, 'x\r\n');
    assert.deepEqual(failedFor(await deliver({ port: small.port }, { message })), {
      permanent: true,
      reason: 'ESIZE MAIL FROM',
    });
    await using plain = await startSmtp({ hideSMTPUTF8: true } as Parameters<typeof startSmtp>[0]);
    assert.deepEqual(failedFor(await deliver({ port: plain.port }, { to: 'jörg@outside.example' })), {
      permanent: true,
      reason: 'ESMTPUTF8 MAIL FROM',
    });
    assert.deepEqual([small.arrived, plain.arrived], [[], []]);
    await using able = await startSmtp();
    const to = 'jörg@outside.example';
    assert.deepEqual(await deliver({ port: able.port }, { to, message: Buffer.from(`To: ${to}\r\n\r\nHi\r\n`) }), {
      kind: 'sent',
    });
    assert.deepEqual((await able.has(1))[0]?.to, [to]);
    assert.deepEqual(failedFor(await deliver({ port: able.port }, { to: 'not an address' })).permanent, true);
  });

  test('goes on without TLS when a server offers it and fails at it, unless its domain demands it', async () => {
    let tries = 0;
    await using broken = await byHand((socket) => {
      tries++;
      socket.write('220 here\r\n');
      socket.on('data', (said) => {
        if (/^EHLO/.test(String(said))) socket.write('250-here\r\n250 STARTTLS\r\n');
        else if (/^STARTTLS/.test(String(said))) socket.write('220 go\r\n', () => socket.write('this is not TLS\r\n'));
        else if (/^DATA/.test(String(said))) socket.write('354 go\r\n');
        else if (/^QUIT/.test(String(said))) socket.end('221 bye\r\n');
        else if (/^(?:MAIL|RCPT)|\r\n\.\r\n$/.test(String(said))) socket.write('250 yes\r\n');
      });
    });
    const resolve = dns({ ...OUTSIDE, ...STS });
    assert.deepEqual(await deliver({ port: broken.port }), { kind: 'sent' });
    assert.equal(tries, 2);
    const result = failedFor(await deliver({ port: broken.port, resolve, policies: policies('enforce') }));
    assert.equal(result.permanent, false);
    assert.match(result.reason, / STARTTLS 5\.7\.10$/);
  });
});

const STS: Zone = { '_mta-sts.outside.example': { TXT: [['v=STSv1; id=1;']] } };

/** What was fetched before, and has the id that DNS still names. */
function policies(mode: StsPolicy['mode'], names: readonly string[] = ['mx1.outside.example']): StsCache {
  const cache = stsMemory();
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  void cache.set('outside.example', { id: '1', version: 'STSv1', mode, maxAge: 3_600, mx: [...names], expires });
  return cache;
}

describe('a domain with a policy of MTA-STS', () => {
  const resolve = dns({ ...OUTSIDE, ...STS, 'mx2.outside.example': {} });
  const send = (smtp: Smtp, options: Partial<MxOptions>) => deliver({ port: smtp.port, resolve, ...options });

  test('that enforces gets mail over TLS with a certificate of the server that it names', async () => {
    await using smtp = await startSmtp(secured);
    assert.deepEqual(await send(smtp, { policies: policies('enforce'), ca: certificate.cert }), { kind: 'sent' });
    assert.equal((await smtp.has(1))[0]?.secure, true);
  });

  test('that enforces gets none by a wrong certificate, without TLS, or by a server that it does not name', async () => {
    await using self = await startSmtp(secured);
    const untrusted = failedFor(await send(self, { policies: policies('enforce') }));
    assert.deepEqual([untrusted.permanent, / STARTTLS 5\.7\.10$/.test(untrusted.reason)], [false, true]);
    // The certificate is trusted, but names another server.
    const other = dns({
      ...STS,
      'outside.example': { MX: mx('mx9.outside.example') },
      'mx9.outside.example': { A: ['127.0.0.1'] },
    });
    const named = policies('enforce', ['*.outside.example']);
    assert.equal(
      failedFor(await send(self, { policies: named, ca: certificate.cert, resolve: other })).permanent,
      false,
    );
    await using plain = await startSmtp();
    assert.equal(failedFor(await send(plain, { policies: policies('enforce') })).permanent, false);
    const elsewhere = failedFor(await send(plain, { policies: policies('enforce', ['mx7.outside.example']) }));
    assert.deepEqual(elsewhere, { permanent: false, reason: 'EMTASTS 5.7.10' });
    assert.deepEqual([self.arrived, plain.arrived], [[], []]);
  });

  test('that only tests gets its mail, and so does one whose policy cannot be had', async () => {
    await using smtp = await startSmtp();
    assert.deepEqual(await send(smtp, { policies: policies('testing', ['mx7.outside.example']) }), { kind: 'sent' });
    assert.deepEqual(await send(smtp, {}), { kind: 'sent' });
    const silent = dns({ ...OUTSIDE, '_mta-sts.outside.example': { TXT: 'ESERVFAIL' } });
    assert.deepEqual(await send(smtp, { resolve: silent }), { kind: 'sent' });
    // The one that was fetched before holds until it expires, also while its record is hidden.
    const enforced = failedFor(await send(smtp, { resolve: silent, policies: policies('enforce') }));
    assert.equal(enforced.permanent, false);
  });

  test('has it fetched from public addresses only', async () => {
    const requests: string[] = [];
    const cache = stsMemory();
    await using smtp = await startSmtp();
    const inside = dns({ ...OUTSIDE, ...STS, 'mta-sts.outside.example': { A: ['10.0.0.1', '169.254.169.254'] } });
    const counting: DnsResolver = (name, type) => {
      requests.push(`${name} ${type}`);
      return inside(name, type);
    };
    assert.deepEqual(await send(smtp, { resolve: counting, policies: cache }), { kind: 'sent' });
    assert.ok(requests.includes('mta-sts.outside.example A'));
    assert.equal(await cache.get('outside.example'), undefined);
  });
});
