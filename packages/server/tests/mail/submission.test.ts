// Other programs: swaks, msmtp.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newCertificate } from '../../../../tests/harness/certificate.ts';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { lacks } from '../../../../tests/harness/install.ts';
import { leftFor, mailText, type SmtpClient, smtpClient } from '../../../../tests/harness/mail.ts';
import { runProgram } from '../../../../tests/harness/program.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import { type Envelope, MAIL_DOMAIN, type Mailbox, type Page } from '../../../../tests/harness/wire.ts';
import { readConfig } from '../../config.ts';

const folder = newFolder();
after(() => removeFolder(folder));
const { cert, key: certKey } = newCertificate(folder, ['localhost']);
const TLS = { SMTP_TLS_CERT: cert, SMTP_TLS_KEY: certKey };
const inside = await startInside({ env: { ...TLS, SUBMISSION_LISTEN: '127.0.0.1:0, smtps://127.0.0.1:0' } });
const { client } = inside;
const [port = 0, tlsPort = 0] = inside.submission.map((one) => one.port);
const home = await client.newNamespace();
const sender = await client.newMailbox(home, { display_name: 'Ada' });

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const plain = (user: string, key: string): string => `AUTH PLAIN ${base64(`\0${user}\0${key}`)}`;
/** A client over TLS that said EHLO. */
async function secured(): Promise<SmtpClient> {
  const smtp = await smtpClient(port);
  await smtp.say('EHLO client.example');
  await smtp.secure(cert);
  await smtp.say('EHLO client.example');
  return smtp;
}
/** A client that logged in. */
async function loggedIn(user: string = sender.address, key: string = home.key): Promise<SmtpClient> {
  const smtp = await secured();
  assert.match(await smtp.say(plain(user, key)), /^235 /);
  return smtp;
}
const mail = (to: string, body: string, more: Readonly<Record<string, string>> = {}): string =>
  mailText(
    { From: `Ada <${sender.address}>`, To: to, Subject: 'From a program', 'Message-ID': `<${unique()}@ada>`, ...more },
    body,
  );
/** Sends a mail; gives the reply to its end, or to what was refused before. */
async function sent(smtp: SmtpClient, to: readonly string[], text: string, from = sender.address): Promise<string> {
  for (const command of [`MAIL FROM:<${from}>`, ...to.map((one) => `RCPT TO:<${one}>`)]) {
    const reply = await smtp.say(command);
    if (!reply.startsWith('250')) return reply;
  }
  await smtp.say('DATA');
  return smtp.say(`${text}\r\n.`);
}
const idIn = (reply: string): string => /\b(msg_[0-9a-z]{20})\b/.exec(reply)?.[1] ?? assert.fail(reply);
const read = async (id: string): Promise<Envelope> => (await client.read(home.key, id, '?wait=60')).body;
const received = async ({ address }: Mailbox, { key }: Home = home): Promise<readonly Envelope[]> =>
  (await client.api<Page<Envelope>>('GET', `/mailboxes/${address}/messages`, { key })).body.items;

test('SUBMISSION_LISTEN is one address or several, and wants a certificate', () => {
  const read = (SUBMISSION_LISTEN: string) => readConfig({ ...TLS, SUBMISSION_LISTEN }).SUBMISSION_LISTEN;
  assert.deepEqual(read('0.0.0.0:587, smtps://[::]:465'), [
    { host: '0.0.0.0', port: 587, tls: false },
    { host: '::', port: 465, tls: true },
  ]);
  assert.deepEqual([read('off'), read('')], [[], []]);
  for (const wrong of ['587', 'smtp://0.0.0.0:587', '0.0.0.0:587,', 'off,0.0.0.0:587'])
    assert.throws(() => read(wrong), /SUBMISSION_LISTEN must be HOST:PORT/, wrong);
  assert.throws(() => readConfig({ SUBMISSION_LISTEN: '0.0.0.0:587' }), /SUBMISSION_LISTEN needs SMTP_TLS_CERT/);
});

test('a login is offered over TLS alone, and nothing is taken without one', async () => {
  await using smtp = await smtpClient(port);
  assert.doesNotMatch(await smtp.say('EHLO client.example'), /AUTH/);
  assert.match(await smtp.say(plain(sender.address, home.key)), /^538 5\.7\.0 /);
  assert.match(await smtp.say(`MAIL FROM:<${sender.address}>`), /^530 5\.7\.0 /);
  await smtp.secure(cert);
  assert.match(await smtp.say('EHLO client.example'), /AUTH PLAIN LOGIN\r\n/);
  assert.match(await smtp.say(`MAIL FROM:<${sender.address}>`), /^530 5\.7\.0 /);
  assert.match(await smtp.say('AUTH CRAM-MD5'), /^504 /);
});

test('a mail to an address here is a message of the mailbox, answered as any other', async () => {
  const { address } = await client.newMailbox(home, { behavior: { name: 'proofread' } });
  await using smtp = await loggedIn();
  const message = await read(idIn(await sent(smtp, [address], mail(address, 'She have two cat.'))));
  assert.deepEqual(
    [message.sender?.kind, message.from, message.channel, message.subject, message.status],
    ['mailbox', sender.address, 'smtp', 'From a program', 'completed'],
  );
  assert.match(message.reply?.body ?? '', /She has two cats\./);
});

test('LOGIN does as PLAIN, and TLS from the first byte as STARTTLS', {
  skip: lacks('swaks', 'swaks', 'libnet-ssleay-perl'),
}, async () => {
  const to = await client.newMailbox(home);
  const login = [
    '--auth-user',
    sender.address,
    '--auth-password',
    home.key,
    '--from',
    sender.address,
    '--to',
    to.address,
  ];
  for (const [method, how] of [
    ['PLAIN', ['--port', String(port), '--tls']],
    ['LOGIN', ['--port', String(port), '--tls']],
    ['LOGIN', ['--port', String(tlsPort), '--tls-on-connect']],
  ] as const) {
    const args = ['--server', '127.0.0.1', '--tls-verify', '--tls-ca-path', cert, ...how, '--auth', method, ...login];
    const { code, stdout } = await runProgram('swaks', args);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /<~ +235 /);
    assert.match(stdout, /<~ +250 2\.0\.0 Sent as msg_/);
  }
  assert.equal((await received(to)).length, 3);
});

test('the settings for msmtp work as the documentation has them', { skip: lacks('msmtp') }, async () => {
  const { address } = await client.newMailbox(home);
  const docs = readFileSync(join(import.meta.dirname, '../../../../docs/email.md'), 'utf8');
  const [, shown = ''] = /```text\n(account mailroom\n[^`]*)```/.exec(docs) ?? [];
  const settings = shown
    .replaceAll('hello@acme.mail.example.com', sender.address)
    .replace('host mail.example.com', 'host localhost')
    .replace('port 587', `port ${port}`)
    .replace('mr_live_…', home.key)
    .replace('tls on', `tls on\ntls_trust_file ${cert}`);
  const file = join(folder, 'msmtprc');
  writeFileSync(file, settings, { mode: 0o600 });
  const input = `From: ${sender.address}\nTo: ${address}\nSubject: From msmtp\n\nHello\n`;
  const { code, stderr } = await runProgram('msmtp', [`--file=${file}`, '-t'], { input });
  assert.equal(code, 0, stderr);
  const wrong = await runProgram('msmtp', [`--file=${file}`, '-t'], { input: input.replace(sender.address, address) });
  assert.notEqual(wrong.code, 0);
  assert.match(wrong.stderr, /550 5\.7\.1/);
});

test('a wrong key, a wrong address and a key without the right are refused, each login on its own', async () => {
  const other = await client.newMailbox(home);
  const stranger = await client.newNamespace();
  const reads = await client.newKey(home, { scopes: ['messages:read'] });
  const bound = await client.newKey(home, { scopes: ['mail:send'], mailbox: other.address });
  for (const [user, key] of [
    [sender.address, `${home.key.slice(0, -4)}0000`],
    [sender.address, 'secret'],
    [sender.address, ''],
    [sender.address, stranger.key],
    [`missing@${home.name}.${MAIL_DOMAIN}`, home.key],
    ['ada@example.com', home.key],
    ['', home.key],
    [sender.address, reads.secret],
    [sender.address, bound.secret],
  ] as const) {
    await using smtp = await secured();
    assert.match(await smtp.say(plain(user, key)), /^535 5\.7\.8 /, `${user} ${key}`);
    assert.match(await smtp.say(`MAIL FROM:<${sender.address}>`), /^530 5\.7\.0 /);
  }
  await using smtp = await loggedIn(other.address, bound.secret);
  assert.match(await smtp.say(`MAIL FROM:<${other.address}>`), /^250 /);
  await using acting = await secured();
  const asOther = `AUTH PLAIN ${base64(`${other.address}\0${sender.address}\0${home.key}`)}`;
  assert.match(await acting.say(asOther), /^535 5\.7\.8 /);
});

test('a key that is revoked sends nothing more, also not on a connection that logged in before', async () => {
  const to = await client.newMailbox(home);
  const key = await client.newKey(home, { scopes: ['mail:send'] });
  await using before = await loggedIn(sender.address, key.secret);
  await using within = await loggedIn(sender.address, key.secret);
  await within.all(`MAIL FROM:<${sender.address}>`, `RCPT TO:<${to.address}>`, 'DATA');
  await client.api('DELETE', `/keys/${key.id}`, { key: home.key });
  assert.match(await within.say(`${mail(to.address, 'Too late')}\r\n.`), /^535 5\.7\.8 /);
  assert.match(await before.say(`MAIL FROM:<${sender.address}>`), /^535 5\.7\.8 /);
  await using again = await secured();
  assert.match(await again.say(plain(sender.address, key.secret)), /^535 5\.7\.8 /);
  assert.deepEqual(await received(to), []);
});

test('a mail is from the address that logged in, in the envelope and in From', async () => {
  const to = await client.newMailbox(home);
  await using smtp = await loggedIn();
  const text = mail(to.address, 'Hello');
  for (const from of ['', to.address, 'ada@example.com'])
    assert.match(await sent(smtp, [to.address], text, from), /^550 5\.7\.1 .*You logged in as/, from);
  const { address } = sender;
  for (const From of [to.address, 'ada@example.com', `${address}, ${to.address}`, `"${address}" <${to.address}>`, ''])
    assert.match(await sent(smtp, [to.address], mail(to.address, 'Hello', { From })), /^550 5\.7\.1 /, From);
  assert.deepEqual(await received(to), []);
  assert.match(await sent(smtp, [to.address], text, address.toUpperCase()), /^250 /);
});

test('an unknown recipient and one outside are refused before the data', async () => {
  await using smtp = await loggedIn();
  await smtp.say(`MAIL FROM:<${sender.address}>`);
  assert.match(await smtp.say(`RCPT TO:<missing@${home.name}.${MAIL_DOMAIN}>`), /^550 5\.1\.1 /);
  assert.match(await smtp.say('RCPT TO:<ada@example.com>'), /^550 5\.1\.1 .*verified owner/);
  const closed = await client.newMailbox(await client.newNamespace(), { access: 'key' });
  assert.match(await smtp.say(`RCPT TO:<${closed.address}>`), /^550 5\.1\.1 /);
  const own = await client.newMailbox(home, { access: 'key' });
  assert.match(await smtp.say(`RCPT TO:<${own.address}>`), /^250 /);
});

test('each recipient gets a message of its own, which tells none of those that no header names', async () => {
  const [one, two, hidden] = [
    await client.newMailbox(home),
    await client.newMailbox(home),
    await client.newMailbox(home),
  ];
  await using smtp = await loggedIn();
  const to = [one.address, two.address, hidden.address];
  const text = mail(`${one.address}, ${two.address}`, 'Hello, all!');
  const [first, again] = [await sent(smtp, to, text), await sent(smtp, to, text)];
  assert.equal(idIn(again), idIn(first));
  for (const mailbox of [one, two, hidden]) {
    const messages = await received(mailbox);
    assert.equal(messages.length, 1);
    const [local = ''] = hidden.address.split('@');
    assert.equal(JSON.stringify(messages).includes(local), mailbox === hidden);
  }
});

test('a mail to addresses outside leaves to each, and tells neither of one that no header names', async () => {
  const namespace = await client.newNamespace();
  await inside.store.namespaces.claim(namespace.id, inside.now());
  const { address } = await client.newMailbox(namespace);
  const [named, hidden] = [`${unique('ada')}@example.com`, `${unique('bob')}@example.com`];
  await using smtp = await loggedIn(address, namespace.key);
  const text = mail(named, 'Good day', { From: address });
  assert.match(await sent(smtp, [named, hidden], text, address), /^250 2\.0\.0 Sent as msg_/);
  const mails = await leftFor(inside.outbox, named, 2);
  assert.equal(mails.length, 2);
  for (const left of mails) {
    assert.equal(left.from?.address, address);
    assert.match(left.text ?? '', /^Good day/);
    assert.ok(!JSON.stringify(left).includes(hidden));
  }
});

test('a further mail of the program goes on with the thread at each recipient', async () => {
  const [one, two] = [await client.newMailbox(home), await client.newMailbox(home)];
  await using smtp = await loggedIn();
  const to = [one.address, two.address];
  const id = `<${unique()}@ada>`;
  await sent(smtp, to, mail(to.join(), 'One', { 'Message-ID': id }));
  await sent(smtp, to, mail(to.join(), 'Two', { 'In-Reply-To': id, References: id }));
  const stranger = await client.newMailbox(home);
  await using other = await loggedIn(stranger.address);
  const foreign = mail(to.join(), 'Three', { From: stranger.address, References: id });
  assert.match(await sent(other, to, foreign, stranger.address), /^250 /);
  for (const mailbox of [one, two]) {
    const threads = (await received(mailbox)).toReversed().map(({ body, thread_id }) => [body.trim(), thread_id]);
    assert.deepEqual(
      threads.map(([body]) => body),
      ['One', 'Two', 'Three'],
    );
    assert.equal(threads[1]?.[1], threads[0]?.[1]);
    assert.notEqual(threads[2]?.[1], threads[0]?.[1]);
  }
});

test('clients that leave within or after the handshake of TLS take no connection from the next', async () => {
  const leave = async (to: number, before: 'handshake' | 'end', said = ''): Promise<void> => {
    const socket = connect({ port: to, host: '127.0.0.1' });
    await once(socket, 'connect');
    if (said !== '') await once(socket, 'data');
    for (const line of said.split('|').filter(Boolean)) {
      socket.write(`${line}\r\n`);
      await once(socket, 'data');
    }
    if (before === 'end') socket.write('GET / HTTP/1.0\r\n\r\n');
    socket.destroy();
    await once(socket, 'close');
  };
  // More than one network may have at a time.
  for (let at = 0; at < 60; at++) {
    await leave(port, at % 2 ? 'handshake' : 'end', 'EHLO client.example|STARTTLS');
    await leave(tlsPort, at % 2 ? 'handshake' : 'end');
    await using smtp = await smtpClient(port);
    await smtp.say('EHLO client.example');
    await smtp.secure(cert);
  }
  await until(
    20_000,
    async () => {
      await using smtp = await smtpClient(port);
      return smtp.greeting;
    },
    (greeting) => greeting.startsWith('220'),
  );
});

test('a network whose logins fail has to wait, with right keys too, and others have not', async () => {
  const limited = await startInside({
    env: { ...TLS, SUBMISSION_LISTEN: '127.0.0.1:0', RATE_LIMITS: 'on', LIMIT_NAMESPACES_PER_HOUR: '100' },
  });
  const namespace = await limited.client.newNamespace();
  const { address } = await limited.client.newMailbox(namespace);
  const login = async (key: string): Promise<string> => {
    await using smtp = await smtpClient(limited.submission[0]?.port ?? 0);
    await smtp.say('EHLO client.example');
    await smtp.secure(cert);
    await smtp.say('EHLO client.example');
    return await smtp.say(plain(address, key));
  };
  for (let at = 0; at < 32; at++)
    assert.match(await login(namespace.key), /^235 /, 'a login that succeeds costs nothing');
  let failures = 0;
  const tried = async (): Promise<string> => {
    for (; (await login('wrong')).startsWith('535'); failures++);
    return login(namespace.key);
  };
  // While a slow machine tries, another login becomes possible.
  await until(60_000, tried, (reply) => reply.startsWith('421 4.7.0 '));
  assert.ok(failures >= 30, String(failures));
  limited.pass(60_000);
  assert.match(await login(namespace.key), /^235 /);
  await limited.stop();
});

test('a mail to several is one message: its recipients see each other, and no Bcc', async () => {
  const [to, cc, bcc] = [await client.newMailbox(home), await client.newMailbox(home), await client.newMailbox(home)];
  const smtp = await loggedIn();
  const text = mail(to.address, 'To all of you', { Cc: `Cc <${cc.address}>` });
  const reply = await sent(smtp, [to.address, cc.address, bcc.address], text);
  const [, id = ''] = /^250 2\.0\.0 Sent as (msg_\w+)/.exec(reply) ?? assert.fail(reply);
  const { body } = await client.read(home.key, id);
  assert.deepEqual(body.recipients, { to: [to.address], cc: [cc.address], bcc: [bcc.address] });
  assert.deepEqual(
    body.copies?.map((copy) => copy.to),
    [to.address, cc.address, bcc.address],
  );
  for (const { address } of [to, cc, bcc]) {
    const [copy, ...more] = await client.all<Envelope>(`/mailboxes/${address}/messages`, home.key);
    assert.deepEqual(more, []);
    assert.deepEqual(copy?.recipients, { to: [to.address], cc: [cc.address] });
    assert.equal(copy?.thread_id, body.thread_id);
  }
  assert.match(await sent(smtp, [to.address, cc.address, bcc.address], text), new RegExp(`Sent as ${id}`));
});
