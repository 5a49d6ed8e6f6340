import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { newCertificate } from '../../../../tests/harness/certificate.ts';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailText, sendMail, smtpClient } from '../../../../tests/harness/mail.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';

const folder = newFolder();
after(() => removeFolder(folder));
const { cert, key: certKey } = newCertificate(folder, ['localhost']);
const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0', SMTP_TLS_CERT: cert, SMTP_TLS_KEY: certKey, LIMIT_MAIL: '100000' },
});
const { client } = inside;
const port = inside.smtp?.port ?? 0;
const home = await client.newNamespace();
const { address } = await client.newMailbox(home);
const [local, domain] = address.split('@') as [string, string];
const WAIT_MS = 60_000;

const mail = (to: string, from = 'ada@example.com'): string =>
  mailText({ From: from, To: to, Subject: 'Hi', 'Message-ID': `<${unique()}@example.com>` }, 'Hello?');
const messageIn = async (
  reply: string,
): Promise<Envelope & { readonly data: { readonly email: { readonly to: string } } }> => {
  const id = /\b(msg_[0-9a-z]{20})\b/.exec(reply)?.[1] ?? assert.fail(reply);
  return (await client.read(home.key, id, '?wait=60')).body as never;
};
/** Sends bytes as they are, and gives all that came back when the server closes, or when it matches. */
async function raw(text: string, ends: RegExp): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1').on('error', () => {});
  let got = '';
  socket.on('data', (chunk: string) => {
    got += chunk;
  });
  await until(
    WAIT_MS,
    async () => got,
    (seen) => /^220 /.test(seen),
  );
  socket.write(text, 'latin1');
  const { seen } = await until(
    WAIT_MS,
    async () => `${got}${socket.closed ? 'closed' : ''}`,
    (all) => ends.test(all),
  );
  socket.destroy();
  return seen;
}

for (const [what, to, known] of [
  ['a tag', `${local}+news@${domain}`, `${local}+news@${domain}`],
  ['capital letters', address.toUpperCase(), address],
  ['a dot at its end', `${address}.`, address],
  ['a source route', `@relay.example,@other.example:${address}`, address],
  ['quotes', `"${local}"@${domain}`, address],
] as const)
  test(`an address with ${what} reaches its mailbox, and data.email.to says how it was written`, async () => {
    const message = await messageIn(await sendMail(port, { from: 'ada@example.com', to: [to], text: mail(to) }));
    assert.deepEqual([message.to.replace('+news', ''), message.data.email.to], [address, known]);
  });

for (const from of [
  'ada.@docomo.example',
  'a..b@docomo.example',
  'иван@пример.example',
  '"a"@example.com',
  "o'neil+x@example.com",
])
  test(`a mail from ${from} is taken`, async () => {
    const text = mail(address, from.includes('"') ? 'ada@example.com' : from);
    await using smtp = await smtpClient(port);
    await smtp.say('EHLO client.example');
    assert.match(await smtp.say(`MAIL FROM:<${from}> SMTPUTF8`), /^250 /);
    assert.match(await smtp.all(`RCPT TO:<${address}>`, 'DATA'), /^354 /);
    assert.match(await smtp.say(`${text}\r\n.`), /^250 /);
  });

test('what is no address is refused as such, and the next one is taken', async () => {
  await using smtp = await smtpClient(port);
  await smtp.all('EHLO client.example', 'MAIL FROM:<>');
  for (const to of [
    '',
    '@',
    'a@b@c',
    `${local} @${domain}`,
    `${'a'.repeat(5_000)}@${domain}`,
    '../../etc/passwd',
    `<${address}>`,
  ])
    assert.match(await smtp.say(`RCPT TO:<${to}>`), /^(?:501|550|553) /, to);
  assert.match(await smtp.say(`RCPT TO:<${address}>`), /^250 /);
});

test('postmaster without a domain, and at that of the service, reaches the operator', async () => {
  await using smtp = await smtpClient(port);
  await smtp.all('EHLO client.example', 'MAIL FROM:<ada@example.com>');
  for (const to of ['Postmaster', 'postmaster@mailroom.localhost', 'Postmaster@Mailroom.Localhost.'])
    assert.match(await smtp.say(`RCPT TO:<${to}>`), /^250 /, to);
});

test('RSET, NOOP and HELP are answered, VRFY says nothing about who is here, EXPN and BDAT are not known', async () => {
  await using smtp = await smtpClient(port);
  const offered = await smtp.say('EHLO client.example');
  assert.doesNotMatch(offered, /CHUNKING|BINARYMIME|DSN|VRFY|AUTH/);
  for (const word of ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES', 'SIZE 100000', 'STARTTLS'])
    assert.match(offered, new RegExp(`^250[- ]${word}\r?$`, 'm'));
  await smtp.say('MAIL FROM:<ada@example.com>');
  for (const [command, reply] of [
    ['NOOP', /^250 /],
    ['HELP', /^214 /],
    ['RSET', /^250 /],
    [`RCPT TO:<${address}>`, /^503 /],
    [`VRFY ${address}`, /^252 2\.\d\.\d Addresses are not verified here/],
    ['VRFY nobody', /^252 2\.\d\.\d Addresses are not verified here/],
    ['WIZ', /^50[02] 5\.5\.[12] Error: command not recognized/],
    ['EXPN all', /^500 |^502 /],
    ['BDAT 5 LAST', /^500 |^502 /],
  ] as const)
    assert.match(await smtp.say(command), reply, command);
});

test('parameters of extensions that are not offered are refused: of DSN, since no such notice would be sent, and others', async () => {
  await using smtp = await smtpClient(port);
  await smtp.say('EHLO client.example');
  assert.match(await smtp.say('MAIL FROM:<ada@example.com> FOO=bar'), /^555 5\.5\.4 FOO /);
  assert.match(await smtp.say('MAIL FROM:<ada@example.com> MT-PRIORITY=3 SIZE=10'), /^555 5\.5\.4 MT-PRIORITY /);
  assert.match(await smtp.say('MAIL FROM:<ada@example.com> RET=HDRS ENVID=abc'), /^(?:501|504|555) /);
  await smtp.say('MAIL FROM:<ada@example.com>');
  assert.match(await smtp.say(`RCPT TO:<${address}> NOTIFY=SUCCESS`), /^(?:501|504|555) /);
  assert.match(await smtp.say(`RCPT TO:<${address}> RRVS=2020-01-01T00:00:00Z`), /^555 5\.5\.4 RRVS /);
});

test('a mail that no recipient can ever get is refused for good, however many they are', async () => {
  const text = 'Subject: Hi\r\n\r\nFrom none.';
  for (const to of [[address], [address, `${local}+again@${domain}`, `postmaster@${domain}`]])
    assert.match(await sendMail(port, { from: 'ada@example.com', to, text }), /^550 5\.7\.1 /, to.join(' '));
});

test('an endless command line, pipelined garbage and HTTP end their own connection alone', async () => {
  await using beside = await smtpClient(port);
  await beside.say('EHLO client.example');
  assert.match(await raw('A'.repeat(200_000), /closed/), /^220 [^\n]*\n421 /);
  assert.match(await raw('\0\u00ff garbage\r\n'.repeat(1_000), /closed/), /\n421 /);
  assert.match(await raw('POST / HTTP/1.1\r\nHost: x\r\n\r\n', /closed/), /\n421 /);
  assert.match(await beside.say('NOOP'), /^250 /);
});

const RECIPIENTS = amount(1_000, 10_000);

test(`${RECIPIENTS} recipients are refused beyond 100, and the mail reaches the others`, async () => {
  await using smtp = await smtpClient(port);
  await smtp.say('EHLO client.example');
  const recipients = Array.from({ length: RECIPIENTS }, (_, at) => `RCPT TO:<${local}+${at}@${domain}>\r\n`).join('');
  const got = await raw(
    `EHLO client.example\r\nMAIL FROM:<ada@example.com>\r\n${recipients}RSET\r\nQUIT\r\n`,
    /\n221 |closed/,
  );
  assert.equal(got.match(/^250 2\.1\.5 /gm)?.length, 100);
  assert.equal(got.match(/^452 4\.5\.3 /gm)?.length, RECIPIENTS - 100);
  assert.match(await smtp.say('NOOP'), /^250 /);
});

test('a header line without end, and data without end, are refused at the limit and not held', async () => {
  const before = `EHLO client.example\r\nMAIL FROM:<ada@example.com>\r\nRCPT TO:<${address}>\r\nDATA\r\n`;
  for (const flood of ['Subject: ', 'From: ada@example.com\r\n\r\n'])
    assert.match(
      await raw(`${before}${flood}${'a'.repeat(2_000_000)}\r\n.\r\nQUIT\r\n`, /\n221 |closed/),
      /\n552 5\.3\.4 /,
    );
});

test('50 connections of a network are served, the next is told to wait, and one that ends makes room', async () => {
  const held = await Promise.all(Array.from({ length: 50 }, () => smtpClient(port)));
  await using more = await smtpClient(port);
  assert.match(more.greeting, /^421 4\.7\.0 /);
  assert.equal((await fetch(`http://127.0.0.1:${new URL(inside.url).port}/livez`)).status, 200);
  for (const one of held) await one[Symbol.asyncDispose]();
  const greeting = async (): Promise<string> => {
    await using one = await smtpClient(port);
    return one.greeting;
  };
  await until(WAIT_MS, greeting, (said) => said.startsWith('220 '));
});

test('what happened to mail is counted at /metrics', async () => {
  await sendMail(port, { from: 'ada@example.com', to: [address], text: mail(address) });
  await sendMail(port, { from: 'ada@example.com', to: ['none@example.org'], text: mail(address) });
  const response = await fetch(`http://127.0.0.1:${new URL(inside.url).port}/metrics`);
  const text = await response.text();
  for (const line of [
    /^mailroom_mail_replies_total\{command="DATA",code="250"\} [1-9]/m,
    /^mailroom_mail_replies_total\{command="DATA",code="552"\} [1-9]/m,
    /^mailroom_mail_replies_total\{command="RCPT",code="550"\} [1-9]/m,
    /^mailroom_mail_accepted_total\{not_answered="none"\} [1-9]/m,
    /^mailroom_mail_authentication_total\{method="verified",result="true"\} [1-9]/m,
    /^mailroom_mail_read_duration_seconds_count\{outcome="read"\} [1-9]/m,
  ])
    assert.match(text, line);
});
