// Other programs: swaks, msmtp, Python, OpenDKIM, dkimpy, NeoMutt, Mutt.
// Programs that other people wrote send mail to the service, verify what it sends and read it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newCertificate } from '../../../../tests/harness/certificate.ts';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { lacks } from '../../../../tests/harness/install.ts';
import { mailText, smtpClient } from '../../../../tests/harness/mail.ts';
import { runProgram } from '../../../../tests/harness/program.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { type Arrived, startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import { type Envelope, MAIL_DOMAIN, type Page } from '../../../../tests/harness/wire.ts';
import { dkimRecord } from '../../mail/writing/dkim.ts';
import { dkimKeys } from '../../mail/writing/dkim-keys.ts';

const WAIT_MS = 60_000;
const needs = {
  swaks: lacks('swaks', 'swaks', 'libnet-ssleay-perl'),
  msmtp: lacks('msmtp'),
  python: lacks('python3'),
  opendkim: lacks('opendkim'),
  dkimpy: lacks('dkimverify', 'python3-dkim'),
  neomutt: lacks('neomutt') || lacks('script', 'bsdutils'),
  mutt: lacks('mutt') || lacks('script', 'bsdutils'),
};

const folder = newFolder();
const { cert, key } = newCertificate(folder, ['localhost']);
const sink = await startSmtp();
const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0', SMTP_TLS_CERT: cert, SMTP_TLS_KEY: key, SMTP_URL: sink.url },
});
const home = await inside.client.newNamespace();
const port = inside.smtp?.port ?? 0;
after(async () => {
  await sink[Symbol.asyncDispose]();
  removeFolder(folder);
});

const person = (): string => `${unique('ada')}@example.com`;
const received = async (address: string): Promise<readonly Envelope[]> =>
  (await inside.client.api<Page<Envelope>>('GET', `/mailboxes/${address}/messages`, { key: home.key })).body.items;
/** The answers that left for this address, once there are that many. */
const answersTo = async (address: string, count = 1): Promise<readonly Arrived[]> => {
  const look = async (): Promise<Arrived[]> => sink.arrived.filter(({ to }) => to[0] === address);
  return (await until(WAIT_MS, look, (found) => found.length >= count)).seen;
};
const proofread = () => inside.client.newMailbox(home, { behavior: { name: 'proofread' } });
const answerTo = async (address: string): Promise<Arrived> => (await answersTo(address))[0] ?? assert.fail();

test('swaks sends over STARTTLS, and is answered', { skip: needs.swaks }, async () => {
  const { address } = await proofread();
  const from = person();
  const { code, stdout } = await runProgram('swaks', [
    ...['--server', '127.0.0.1', '--port', String(port), '--tls', '--tls-verify', '--tls-ca-path', cert],
    ...['--from', from, '--to', address, '--header', 'Subject: From swaks', '--body', 'She have two cat.'],
  ]);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /=== TLS started with cipher TLSv1\.[23]/);
  assert.match(stdout, /<~ +250 2\.0\.0 Received as msg_/);
  assert.match((await answerTo(from)).mail.text ?? '', /She has two cats\./);
});

test('swaks is told why an address is refused, and pipelines what it says', { skip: needs.swaks }, async () => {
  const { address } = await proofread();
  const { code, stdout } = await runProgram('swaks', [
    ...['--server', '127.0.0.1', '--port', String(port), '--pipeline', '--from', person()],
    ...['--to', `${address},missing@${home.name}.${MAIL_DOMAIN}`, '--body', 'Hello'],
  ]);
  assert.equal(code, 0, 'one recipient is enough for swaks');
  assert.match(stdout, /<\*\* 550 5\.1\.1 /);
  assert.equal((await received(address)).length, 1);
});

test('msmtp sends with verified TLS', { skip: needs.msmtp }, async () => {
  const { address } = await proofread();
  const from = person();
  const { code, stderr } = await runProgram(
    'msmtp',
    [
      ...['--file=/dev/null', '--host=localhost', `--port=${port}`, '--tls=on', `--tls-trust-file=${cert}`],
      ...['--tls-starttls=on', `--from=${from}`, address],
    ],
    { input: `From: ${from}\nTo: ${address}\nSubject: From msmtp\n\nHe go home.\n` },
  );
  assert.equal(code, 0, stderr);
  const { mail } = await answerTo(from);
  assert.equal(mail.subject, 'Re: From msmtp');
  assert.match(mail.text ?? '', /He goes home\./);
});

const SMTPLIB = `
import smtplib, ssl, sys
from email.message import EmailMessage
port, cert, sender, *to = sys.argv[1:]
mail = EmailMessage()
mail['From'], mail['To'], mail['Subject'] = 'Adä Lövelace <%s>' % sender, ', '.join(to), 'Grüße 👋'
mail.set_content('Thank you for you’re help.\\n.\\nHe go home. 👋\\n')
mail.add_attachment(b'\\0\\1\\2' * 1000, maintype='application', subtype='octet-stream', filename='bytes of Adä.bin')
with smtplib.SMTP('localhost', int(port)) as server:
    server.starttls(context=ssl.create_default_context(cafile=cert))
    server.ehlo()
    print(sorted(server.esmtp_features))
    print(server.send_message(mail))
`;

test('Python sends to several over verified TLS, with a file, and each answers', { skip: needs.python }, async () => {
  const [one, two] = [await proofread(), await inside.client.newMailbox(home)];
  const from = person();
  const args = ['-c', SMTPLIB, String(port), cert, from, one.address, two.address];
  const { code, stdout, stderr } = await runProgram('python3', args);
  assert.equal(code, 0, stderr);
  const [features = '', failures] = stdout.trim().split('\n');
  for (const feature of ['8bitmime', 'enhancedstatuscodes', 'pipelining', 'size', 'smtputf8'])
    assert.ok(features.includes(`'${feature}'`), `${feature} in ${features}`);
  for (const feature of ['auth', 'dsn', 'starttls']) assert.ok(!features.includes(`'${feature}'`), feature);
  assert.equal(failures, '{}');
  assert.equal((await answersTo(from, 2)).length, 2);
  const [message] = await received(one.address);
  assert.deepEqual([message?.subject, message?.body.trim().split('\n')[1]], ['Grüße 👋', '.']);
  assert.deepEqual(
    message?.attachments?.map(({ filename, size }) => [filename, size]),
    [['bytes of Adä.bin', 3000]],
  );
});

test('without a certificate STARTTLS is not offered, and nothing is accepted as if it were', async () => {
  const plain = await startInside({ env: { SMTP_LISTEN: '127.0.0.1:0' } });
  await using smtp = await smtpClient(plain.smtp?.port ?? 0);
  assert.doesNotMatch(await smtp.say('EHLO client.example'), /STARTTLS/);
  assert.match(await smtp.say('STARTTLS'), /^5/);
  await plain.stop();
});

test('a command that was sent before the handshake of TLS is not carried out after it', async () => {
  await using smtp = await smtpClient(port);
  assert.match(await smtp.say('EHLO client.example'), /STARTTLS/);
  // What follows in the same packet could be of someone in between (CVE-2011-0411).
  await smtp.secure(cert, 'NOOP');
  assert.match(await smtp.say('EHLO client.example'), /^250-[^\r\n]*\r\n250-/);
});

const LMTPLIB = `
import smtplib, sys
port, sender, *to = sys.argv[1:]
server = smtplib.LMTP('127.0.0.1', int(port))
server.ehlo('mx.example.net')
server.mail(sender)
for one in to:
    print(server.rcpt(one)[0])
server.putcmd('data')
print(server.getreply()[0])
server.send(b'From: %s\\r\\nTo: all\\r\\nSubject: LMTP\\r\\n\\r\\nHello\\r\\n.\\r\\n' % sender.encode())
for one in to[:-1]:
    print(server.getreply())
server.quit()
`;

test('by LMTP each recipient has a result of its own', { skip: needs.python }, async () => {
  const lmtp = await startInside({ env: { SMTP_LISTEN: '127.0.0.1:0', SMTP_PROTOCOL: 'lmtp' } });
  const own = await lmtp.client.newNamespace();
  const open = await lmtp.client.newMailbox(own);
  const closed = await lmtp.client.newMailbox(own, { senders: { allow: [], block: ['*@example.com'] } });
  const missing = `missing@${own.name}.${MAIL_DOMAIN}`;
  const args = ['-c', LMTPLIB, String(lmtp.smtp?.port), 'ada@example.com', open.address, closed.address, missing];
  const { code, stdout, stderr } = await runProgram('python3', args);
  assert.equal(code, 0, stderr);
  const [first, second, third, data, ...results] = stdout.trim().split('\n');
  assert.deepEqual([first, second, third, data], ['250', '250', '550', '354']);
  assert.match(results[0] ?? '', /^\(250, b'2\.0\.0 Received as msg_/);
  assert.match(results[1] ?? '', /^\(550, b'5\.7\.1 /);
  assert.equal(results.length, 2);
  await lmtp.stop();
});

test('the server in front may send as many mails by LMTP as it likes', async () => {
  const lmtp = await startInside({ env: { SMTP_LISTEN: '127.0.0.1:0', SMTP_PROTOCOL: 'lmtp', RATE_LIMITS: 'on' } });
  await using smtp = await smtpClient(lmtp.smtp?.port ?? 0);
  await smtp.say('LHLO mx.example.net');
  for (let at = 0; at < 620; at++) {
    assert.match(await smtp.say(`MAIL FROM:<ada${at}@example.com>`), /^250 /, String(at));
    await smtp.say('RSET');
  }
  await lmtp.stop();
});

test('swaks speaks LMTP, and EHLO is refused where LHLO is meant', { skip: needs.swaks }, async () => {
  const lmtp = await startInside({ env: { SMTP_LISTEN: '127.0.0.1:0', SMTP_PROTOCOL: 'lmtp' } });
  const { address } = await lmtp.client.newMailbox(await lmtp.client.newNamespace());
  const to = ['--server', '127.0.0.1', '--port', String(lmtp.smtp?.port), '--from', person(), '--to', address];
  const said = await runProgram('swaks', ['--protocol', 'LMTP', ...to]);
  assert.equal(said.code, 0, said.stdout);
  assert.match(said.stdout, /<- +250 2\.0\.0 Received as msg_/);
  assert.notEqual((await runProgram('swaks', to)).code, 0);
  await lmtp.stop();
});

/** An answer as it left, and a changed copy of it, as files; and the records of its keys. */
async function signedAnswer() {
  const { address } = await proofread();
  const from = person();
  const text = mailText({ From: from, To: address, Subject: 'Grüße' }, 'She have two cat. 👋');
  await using smtp = await smtpClient(port);
  await smtp.all('EHLO client.example', `MAIL FROM:<${from}> BODY=8BITMIME`, `RCPT TO:<${address}>`, 'DATA');
  assert.match(await smtp.say(`${text}\r\n.`), /^250 /);
  const { raw } = await answerTo(from);
  const [good, bad] = [join(folder, `${unique()}.eml`), join(folder, `${unique()}.eml`)];
  writeFileSync(good, raw, 'latin1');
  writeFileSync(bad, raw.replace(/^Subject: .*/m, 'Subject: Another one'), 'latin1');
  const records = (await dkimKeys(inside.store.secrets)).flat().map(dkimRecord);
  return { good, bad, records: records.map(({ name, value }) => [`${name}.${MAIL_DOMAIN}`, value] as const) };
}

test('opendkim verifies both signatures of an answer, and no changed one', { skip: needs.opendkim }, async () => {
  const { good, bad, records } = await signedAnswer();
  const [config, data] = [join(folder, 'opendkim.conf'), join(folder, 'opendkim.txt')];
  writeFileSync(data, records.map((record) => `${record.join(' ')}\n`).join(''));
  writeFileSync(config, `Mode v\nSocket local:${folder}/opendkim\nSyslog no\nTestDNSData file:${data}\n`);
  const results = async (file: string): Promise<readonly string[]> => {
    const { stdout } = await runProgram('opendkim', ['-x', config, '-t', file, '-vvv']);
    return [...stdout.matchAll(/dkim=(\w+) .*header\.a=(\S+)/g)].map(
      ([, result, algorithm]) => `${algorithm} ${result}`,
    );
  };
  assert.deepEqual(await results(good), ['rsa-sha256 pass', 'ed25519-sha256 pass']);
  assert.deepEqual(await results(bad), ['rsa-sha256 fail', 'ed25519-sha256 fail']);
});

const DKIMPY = `
import dkim, json, sys
records = dict(json.loads(sys.argv[1]))
mail = dkim.DKIM(open(sys.argv[2], 'rb').read())
found = lambda name, timeout=5: records.get(name.decode().rstrip('.'), '').encode()
try:
    import nacl
    signatures = (0, 1)
except ImportError:
    signatures = (0,)
for at in signatures:
    print(mail.verify(at, dnsfunc=found), mail.signed_headers and 'subject' in [name.decode().lower() for name, _ in mail.signed_headers])
`;

test('dkimpy verifies the signatures of an answer, and no changed one', { skip: needs.dkimpy }, async () => {
  const { good, bad, records } = await signedAnswer();
  // Not the first Python of the path: the package is for that of the system.
  const verify = (file: string) => runProgram('/usr/bin/python3', ['-c', DKIMPY, JSON.stringify(records), file]);
  const verified = await verify(good);
  assert.match(verified.stdout, /^(?:True True\n){1,2}$/, verified.stderr);
  assert.match((await verify(bad)).stdout, /^False/);
});

/** One mail of an mbox (RFC 4155). */
const inBox = (mail: string): string =>
  `From MAILER Mon Nov 23 10:00:00 2026\n${mail
    .replaceAll('\r\n', '\n')
    .replace(/^From /gm, '>From ')
    .trimEnd()}\n\n`;

for (const program of ['neomutt', 'mutt'] as const)
  test(`${program} shows the answers below the mail that they answer, with umlauts`, {
    skip: needs[program],
  }, async () => {
    const { address } = await inside.client.newMailbox(home, { behavior: { name: 'agent' } });
    const from = person();
    const id = `<${unique()}@example.com>`;
    const fields = { From: `Ada <${from}>`, To: address, Subject: 'Is it done?', 'Message-ID': id };
    const question = mailText({ ...fields, Date: 'Mon, 23 Nov 2026 10:00:00 +0000' }, 'Is it done?');
    await using smtp = await smtpClient(port);
    await smtp.all('EHLO client.example', `MAIL FROM:<${from}>`, `RCPT TO:<${address}>`, 'DATA');
    const [, message = ''] = /(msg_\w{20})/.exec(await smtp.say(`${question}\r\n.`)) ?? [];
    for (const body of ['Grüße, not **yet**.', 'Now it is. 👋'])
      await inside.client.api('POST', `/mail/messages/${message}/answer`, { key: home.key, body: { body } });
    const answers = await answersTo(from, 2);
    const other = mailText({ From: from, To: address, Subject: 'Re: Is it done?', 'Message-ID': '<x@y>' }, 'Elsewhere');
    const [box, settings, out] = ['box', 'rc', 'shown'].map((name) => join(folder, `${program}-${name}`)) as [
      string,
      string,
      string,
    ];
    writeFileSync(box, [question, other, ...answers.map(({ raw }) => raw)].map(inBox).join(''), 'latin1');
    // Every mail of the thread that has the first one, as the program shows it; a subject alone makes no thread.
    writeFileSync(
      settings,
      `set folder="${folder}" header_cache="" sort=threads strict_threads=yes
set wait_key=no pipe_decode=yes quit=yes mark_old=no
push "<limit>~(~i ${id.slice(1, -1)})<enter><tag-pattern>~A<enter><tag-prefix><pipe-message>cat > ${out}<enter><exit>"
`,
    );
    const command = `${program} -n -F ${settings} -R -f ${box}`;
    const { code, stdout } = await runProgram('script', ['-qec', command, '/dev/null'], { home: folder });
    assert.equal(code, 0, stdout);
    const output = readFileSync(out, 'utf8');
    assert.equal([...output.matchAll(/^Message-ID: /gim)].length, 3, output);
    assert.match(output, /Grüße, not yet\./);
    assert.match(output, /Now it is\. 👋/);
    assert.doesNotMatch(output, /Elsewhere/);
  });

for (const program of ['neomutt', 'mutt'] as const)
  test(`${program} sends over STARTTLS with umlauts and a file, and is answered`, {
    skip: needs[program],
  }, async () => {
    const { address } = await proofread();
    const [from, settings, file] = [person(), join(folder, `${program}-sends`), join(folder, 'Grüße.txt')];
    writeFileSync(file, 'He go home.\n');
    writeFileSync(
      settings,
      `set folder="${folder}" record="" from="${from}" use_from=yes realname="Ada Müller" charset=utf-8
set smtp_url="smtp://127.0.0.1:${port}" ssl_starttls=yes ssl_force_tls=yes ssl_verify_host=no certificate_file="${cert}"
`,
    );
    const command = `printf 'She have two cat.\\nGrüße\\n' | ${program} -n -F ${settings} -s 'Grüße' -a ${file} -- ${address}`;
    const { code, stdout } = await runProgram('script', ['-qec', command, '/dev/null'], { home: folder });
    assert.equal(code, 0, stdout);
    const { mail } = await answerTo(from);
    assert.match(mail.text ?? '', /She has two cats\./);
    assert.equal(mail.subject, 'Re: Grüße');
    assert.deepEqual(
      mail.attachments.map(({ filename }) => filename),
      ['Grüße.txt'],
    );
  });
