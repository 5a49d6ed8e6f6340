import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import PostalMime from 'postal-mime';
import { answer, startSmtp } from '../../../../../tests/harness/smtp.ts';
import { readConfig } from '../../../config.ts';
import type { Mail } from '../../../core/outgoing/service-mail.ts';
import type { DeliveryResult } from '../../../core/ports/delivery.ts';
import { serviceMailBy } from '../../../mail/writing/service-mail.ts';
import type { Patience } from '../../../mail/writing/session.ts';
import { type MailOut, outboxMail, relayMail } from '../../../mail/writing/transport.ts';
import { MailWriter } from '../../../mail/writing/writer.ts';

const FROM = { name: 'Anmeldung für alle', address: 'sign-in@mailroom.test' };
const NEVER = new AbortController().signal;
const CODE = 'CDFH-3467';
const mailOf = (fields: Partial<Mail> = {}): Mail => ({
  id: newId('mail', Date.now()),
  to: 'ada@outside.example',
  subject: 'Sign in to Bücher & Co',
  text: `Your code: ${CODE}\n`,
  html: `<p>Your code: <b>${CODE}</b></p>`,
  expires_at: Date.now() + 600_000,
  from_mailbox_id: 'mbx_0d8m3xk2q5v7w9y1a3c0',
  note: 'A code was here.',
  ...fields,
});

const folder = mkdtempSync(join(tmpdir(), 'mailroom-mail-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const writer = new MailWriter();
after(() => writer[Symbol.asyncDispose]());

/** Mail of the service by this way out. */
const serviceMail = (out: MailOut, from = FROM) => ({
  deliver: serviceMailBy(out, from),
  [Symbol.dispose]: () => out[Symbol.dispose](),
});

/** Sends it with a connection of its own. */
async function send(url: string, mail: Mail, patience?: Patience): Promise<DeliveryResult> {
  using out = serviceMail(relayMail(url, patience));
  // The connection is closed only after the delivery.
  return await out.deliver(mail, NEVER);
}

const failedFor = (delivery: DeliveryResult): { readonly permanent: boolean; readonly reason: string } => {
  assert.ok(delivery.kind === 'failed', JSON.stringify(delivery));
  return delivery;
};

describe('mail by SMTP', () => {
  test('arrives as it was written, as text and as HTML: any script, long lines, lines of a dot, empty ones', async () => {
    await using smtp = await startSmtp();
    const text = [
      'Grüße aus Zürich, 東京 and 🦊',
      '.',
      '..two dots',
      '. a dot',
      '',
      `https://mailroom.test/oidc/agents/sign-in/${'x'.repeat(2_000)}#${CODE}`,
      'From the beginning of a line',
      '-- ',
      'Ende',
      '',
    ].join('\n');
    const html = `<p>${'wörter '.repeat(500)}</p>\n.\n<p>Ende</p>`;
    assert.deepEqual(await send(smtp.url, mailOf({ text, html })), { kind: 'sent' });
    const [one] = await smtp.has(1);
    assert.equal(one?.mail.text?.replaceAll('\r\n', '\n').trimEnd(), text.trimEnd());
    assert.equal(one?.mail.html?.replaceAll('\r\n', '\n').trimEnd(), html);
    assert.match(one.raw, /^Content-Type: multipart\/alternative/m);
    assert.ok(
      one.raw.split('\r\n').every((line) => line.length <= 998),
      'a line is longer than RFC 5322 lets it be',
    );
  });

  test('says who it is from and to, when, that a machine wrote it, and by its id which mail it is', async () => {
    await using smtp = await startSmtp();
    const mail = mailOf();
    const startedAt = Math.floor(Date.now() / 1000) * 1000;
    await send(smtp.url, mail);
    const [one] = await smtp.has(1);
    assert.ok(one);
    assert.deepEqual([one.from, one.to], [FROM.address, [mail.to]]);
    assert.deepEqual([one.mail.from?.name, one.mail.from?.address], [FROM.name, FROM.address]);
    assert.deepEqual(
      one.mail.to?.map((to) => to.address),
      [mail.to],
    );
    assert.equal(one.mail.subject, mail.subject);
    assert.equal(one.mail.messageId, `<${mail.id}@mailroom.test>`);
    const header = (key: string) => one.mail.headers.filter((it) => it.key === key).map((it) => it.value);
    assert.deepEqual(header('auto-submitted'), ['auto-generated']);
    assert.deepEqual([header('reply-to'), header('cc'), header('bcc'), header('x-mailer')], [[], [], [], []]);
    const date = Date.parse(header('date')[0] ?? '');
    assert.ok(date >= startedAt && date <= Date.now(), `its date is ${header('date')[0]}`);
  });

  test('holds no header and no recipient but its own, whatever stands in its subject and address', async () => {
    await using smtp = await startSmtp();
    const breaks = ['\r\n', '\n', '\r', '\u0085', '\u2028', '\0', '\v', '\r\n\r\n', '\r\n.\r\n', '=?utf-8?Q?=0D=0A?='];
    for (const position of breaks) {
      const { name } = FROM;
      assert.equal((await send(smtp.url, mailOf({ subject: `Hi${position}Bcc: eve@evil.example` }))).kind, 'sent');
      const out = serviceMail(relayMail(smtp.url), { ...FROM, name: `${name}${position}Bcc: eve@evil.example` });
      assert.equal((await out.deliver(mailOf(), NEVER)).kind, 'sent');
      out[Symbol.dispose]();
      for (const to of [
        `ada@outside.example${position}Bcc: eve@evil.example`,
        `ada@outside.example>${position}RCPT TO:<eve@evil.example`,
        `${position}eve@evil.example, ada@outside.example`,
        `"${position}"@evil.example`,
      ]) {
        assert.equal(failedFor(await send(smtp.url, mailOf({ to }))).permanent, true);
      }
    }
    assert.ok(smtp.arrived.length >= 2 * breaks.length);
    for (const { mail, to, raw } of smtp.arrived) {
      assert.equal(mail.bcc, undefined, raw);
      assert.ok(!mail.headers.some(({ key }) => /bcc/i.test(key)), raw);
      assert.deepEqual(to, ['ada@outside.example']);
      assert.ok(mail.text?.includes(CODE), raw);
    }
  });

  test('is tried again after what passes, and not after what was refused for good', async () => {
    const cases: [name: string, options: Parameters<typeof startSmtp>[0], permanent: boolean, reason: RegExp][] = [
      ['421 to the connection', { onConnect: (_s, done) => done(answer(421, 'busy')) }, false, /421/],
      ['554 to the connection', { onConnect: (_s, done) => done(answer(554, 'no mail here')) }, false, /554/],
      ['450 to the sender', { onMailFrom: (_a, _s, done) => done(answer(450, 'later')) }, false, /450 MAIL FROM/],
      ['550 to the sender', { onMailFrom: (_a, _s, done) => done(answer(550, 'not you')) }, true, /550 MAIL FROM/],
      ['451 to the recipient', { onRcptTo: (_a, _s, done) => done(answer(451, 'greylisted')) }, false, /451 RCPT TO/],
      ['550 to the recipient', { onRcptTo: (a, _s, done) => done(answer(550, a.address)) }, true, /550 RCPT TO/],
      ['452 to the message', { data: () => answer(452, 'full') }, false, /452 DATA/],
      ['554 to the message', { data: ({ raw }) => answer(554, `spam: ${raw.slice(-80)}`) }, true, /554 DATA/],
    ];
    for (const [name, options, permanent, reason] of cases) {
      await using smtp = await startSmtp(options);
      const deliveryFailure = failedFor(await send(smtp.url, mailOf()));
      assert.equal(deliveryFailure.permanent, permanent, name);
      assert.match(deliveryFailure.reason, reason, name);
      assert.ok(
        !deliveryFailure.reason.includes('ada') && !deliveryFailure.reason.includes('CDFH'),
        `${name}: ${deliveryFailure.reason}`,
      );
      assert.equal(smtp.arrived.length, 0);
    }
  });

  test('is tried again when the server is down, hangs or breaks off', async (t) => {
    const patience = { connect: 200, silence: 200, mail: 2_000 };
    const server = createServer();
    t.after(() => server.close());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
    // It accepts the connection and never greets.
    const silent = failedFor(await send(url, mailOf(), patience));
    assert.deepEqual([silent.permanent, silent.reason], [false, 'ETIMEDOUT CONN']);
    // It greets one character at a time, which no limit on silence ends.
    server.on('connection', (socket) => {
      socket.on('error', () => {});
      socket.write('220-');
      const dripping = setInterval(() => socket.write('x'), 50);
      socket.on('close', () => clearInterval(dripping));
    });
    const trickling = failedFor(await send(url, mailOf(), { connect: 60_000, silence: 200, mail: 400 }));
    assert.deepEqual([trickling.permanent, trickling.reason], [false, 'EABORT']);
    await new Promise<void>((resolve) => void server.close(() => resolve()));
    const down = failedFor(await send(url, mailOf(), patience));
    assert.deepEqual([down.permanent, down.reason], [false, 'ECONNREFUSED CONN']);
    const torn = createServer((socket) => socket.end('220 here\r\n'));
    t.after(() => torn.close());
    await new Promise<void>((resolve) => void torn.listen(0, '127.0.0.1', resolve));
    const broken = failedFor(
      await send(`smtp://127.0.0.1:${(torn.address() as AddressInfo).port}`, mailOf(), patience),
    );
    assert.equal(broken.permanent, false);
  });

  test('goes on when the server is back, with the same connections', async () => {
    let busy = true;
    await using smtp = await startSmtp({ data: () => (busy ? answer(451, 'later') : undefined) });
    using out = serviceMail(relayMail(smtp.url));
    assert.equal((await out.deliver(mailOf(), NEVER)).kind, 'failed');
    busy = false;
    for (let i = 0; i < 20; i++) assert.equal((await out.deliver(mailOf(), NEVER)).kind, 'sent');
    assert.equal((await smtp.has(20)).length, 20);
    assert.ok(smtp.connections <= 2, `${smtp.connections} connections`);
  });

  test('shows user and password as they are meant, and neither in what is told of a failure', async () => {
    const seen: string[] = [];
    const onAuth: NonNullable<Parameters<typeof startSmtp>[0]>['onAuth'] = (auth, _session, done) => {
      seen.push(`${auth.username}:${auth.password}`);
      if (auth.password === 'p@ss:w/ö rd') done(null, { user: auth.username });
      else done(answer(535, `no such ${auth.username}`));
    };
    await using smtp = await startSmtp({ authOptional: false, onAuth, allowInsecureAuth: true });
    const url = (password: string): string =>
      `smtp://mail%40room:${encodeURIComponent(password)}@127.0.0.1:${smtp.port}`;
    assert.equal((await send(url('p@ss:w/ö rd'), mailOf())).kind, 'sent');
    assert.deepEqual(seen, ['mail@room:p@ss:w/ö rd']);
    assert.equal(smtp.arrived[0]?.user, 'mail@room');
    const deliveryFailure = failedFor(await send(url('wr0ng'), mailOf()));
    // The operator will fix it: the mail itself is fine.
    assert.deepEqual([deliveryFailure.permanent, deliveryFailure.reason], [false, 'EAUTH 535 AUTH PLAIN']);
  });

  test('leaves this machine over TLS with a certificate that holds, or not at all', async () => {
    await using plain = await startSmtp();
    // By this name it is the same server, but not known to be on this machine.
    const stripped = failedFor(await send(`smtp://0.0.0.0:${plain.port}`, mailOf()));
    assert.match(stripped.reason, /STARTTLS/);
    await using offering = await startSmtp({ disabledCommands: [] });
    const unknown = failedFor(await send(`smtp://0.0.0.0:${offering.port}`, mailOf()));
    assert.match(unknown.reason, /CERT/);
    assert.deepEqual([plain.arrived, offering.arrived], [[], []]);
    assert.equal((await send(offering.url, mailOf())).kind, 'sent');
    assert.equal(offering.arrived[0]?.secure, true);
  });
});

describe('mail without a server', () => {
  let outboxes = 0;
  const newOutbox = (): string => join(folder, `deep/outbox${++outboxes}`);

  test('is a file that its owner alone may read, as a mail program opens it', async () => {
    const outbox = newOutbox();
    const mail = mailOf();
    assert.deepEqual(outboxMail(outbox, () => {}, writer).place, { kind: 'outbox', folder: outbox });
    using out = serviceMail(outboxMail(outbox, () => {}, writer));
    assert.deepEqual(await out.deliver(mail, NEVER), { kind: 'sent' });
    assert.deepEqual(readdirSync(outbox), [`${mail.id}.eml`]);
    const path = join(outbox, `${mail.id}.eml`);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(outbox).mode & 0o777, 0o700);
    const read = await PostalMime.parse(readFileSync(path));
    assert.deepEqual(
      [read.subject, read.to?.[0]?.address, read.text?.trim()],
      [mail.subject, mail.to, mail.text.trim()],
    );
  });

  test('is one file when it is handed on twice, also after a start that was killed while it wrote', async () => {
    const outbox = newOutbox();
    const mail = mailOf();
    using out = serviceMail(outboxMail(outbox, () => {}, writer));
    await out.deliver(mail, NEVER);
    writeFileSync(join(outbox, `${mail.id}.eml.part`), 'torn');
    await out.deliver(mail, NEVER);
    assert.deepEqual(readdirSync(outbox), [`${mail.id}.eml`]);
  });

  test('is said on the terminal with all that is needed to go on, and steers it in no way', async () => {
    const printed: string[] = [];
    const outbox = newOutbox();
    using out = serviceMail(outboxMail(outbox, (text) => printed.push(text), writer));
    const mail = mailOf({ text: `To sign in to https://\u001b[2Jevil.example\u0007\u009b31m\u202e type\n\n${CODE}\n` });
    await out.deliver(mail, NEVER);
    const said = printed.join('');
    assert.ok(said.includes(mail.to) && said.includes(CODE) && said.includes(`${mail.id}.eml`), said);
    assert.doesNotMatch(said, /(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  });

  test('waits for a folder that cannot be written', async () => {
    const blocked = join(folder, 'a-file');
    writeFileSync(blocked, '');
    using out = serviceMail(outboxMail(join(blocked, 'outbox'), () => {}, writer));
    const deliveryFailure = failedFor(await out.deliver(mailOf(), NEVER));
    assert.deepEqual([deliveryFailure.permanent, deliveryFailure.reason], [false, 'ENOTDIR']);
  });
});

test('settings of mail are read as they are meant, and nothing of SMTP_URL stands in what is wrong with it', () => {
  assert.deepEqual(
    ['SMTP_URL', 'MAIL_FROM', 'OUTBOX'].map((name) => readConfig({})[name as 'OUTBOX']),
    [undefined, undefined, undefined],
  );
  for (const url of ['smtp://mail.example.org', 'smtps://a%40b:p%3Aw@mail.example.org:465/', 'smtp://[::1]:25']) {
    assert.equal(readConfig({ SMTP_URL: url }).SMTP_URL, url);
  }
  for (const [text, name, address] of [
    ['sign-in@example.org', '', 'sign-in@example.org'],
    ['Anmeldung für alle <sign-in@example.org>', 'Anmeldung für alle', 'sign-in@example.org'],
    ['"Shop, Inc." <a+b@example.org>', 'Shop, Inc.', 'a+b@example.org'],
    ['<a@example.org>', '', 'a@example.org'],
  ]) {
    assert.deepEqual(readConfig({ MAIL_FROM: text }).MAIL_FROM, { name, address });
  }
  for (const wrong of [
    'me:s3cret@host:25',
    'http://me:s3cret@host',
    'smtp://me:s3cret@host/path',
    'smtp://me:s3cret@host?tls=off',
    'smtp://me:s3cret%@host',
    'smtp://s3cret@host',
    'smtp://',
  ]) {
    assert.throws(
      () => readConfig({ SMTP_URL: wrong }),
      (error: Error) => /^SMTP_URL must be [^\n]*$/.test(error.message) && !error.message.includes('s3cret'),
      wrong,
    );
  }
  for (const wrong of [
    'nobody',
    'a@b@c',
    'a b@example.org',
    'A\r\nBcc: b@c <a@b>',
    'A <a@b',
    '<>',
    'a@-b-',
    'a@b>, c@d',
  ]) {
    assert.throws(() => readConfig({ MAIL_FROM: wrong }), /^ConfigError: MAIL_FROM must be [^\n]*/, wrong);
  }
});
