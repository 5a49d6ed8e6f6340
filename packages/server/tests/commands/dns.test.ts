import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startDns } from '../../../../tests/harness/dns.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const folder = mkdtempSync(join(tmpdir(), 'mailroom-dns-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** What `npm test` sets so that a process starts quickly. */
const { NODE_OPTIONS = '', NODE_COMPILE_CACHE = '' } = process.env;

/** Runs the command as the operator of `mail.test`. */
async function dns(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [join(ROOT, 'packages/server/commands/dns.ts'), ...args], {
    env: {
      ...{ PATH: process.env.PATH, DATABASE_URL: `sqlite:${join(folder, 'db')}`, MAIL_DOMAIN: 'mail.test' },
      ...{ BASE_URL: 'https://mx.mail.test', NODE_OPTIONS, NODE_COMPILE_CACHE, ...env },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
}

test('prints the records of the mail domain, with the same keys each time', async () => {
  const first = await dns(['--reports', 'postmaster@agents.mail.test', '--sts', 'testing']);
  assert.deepEqual([first.code, first.err], [0, '']);
  for (const part of [
    '*.mail.test. 3600 IN MX 10 mx.mail.test.',
    'mail.test. 3600 IN TXT "v=spf1 a:mx.mail.test -all"',
    'mailroom-rsa._domainkey.mail.test. 3600 IN TXT "v=DKIM1; k=rsa; p=MIIB',
    'mailroom-ed25519._domainkey.mail.test. 3600 IN TXT "v=DKIM1; k=ed25519; p=',
    '_dmarc.mail.test. 3600 IN TXT "v=DMARC1; p=reject; adkim=r; aspf=r; rua=mailto:postmaster@agents.mail.test"',
    '_mta-sts.mail.test. 3600 IN TXT "v=STSv1; id=',
    ';   mode: testing',
  ]) {
    assert.ok(first.out.includes(part), `${part} in\n${first.out}`);
  }
  assert.ok(first.out.split('\n').every((line) => line === '' || line.startsWith(';') || line.includes(' IN ')));
  assert.equal((await dns(['--reports', 'postmaster@agents.mail.test', '--sts', 'testing'])).out, first.out);
  const relayed = await dns(['--include', '_spf.relay.test'], { SMTP_URL: 'smtps://a:b@relay.test' });
  assert.ok(
    relayed.out.includes('"v=spf1 include:_spf.relay.test -all"') && !relayed.out.includes('mta-sts'),
    relayed.out,
  );
  const here = await dns(['--sts', 'testing'], { SMTP_URL: 'smtp://127.0.0.1:25' });
  assert.match(
    here.out,
    /^mail\.test\. 3600 IN TXT "v=spf1 a:[^ ]+ -all"$/m,
    'a mail server on this machine is the machine',
  );
});

test('an option that is unknown, or without effect, is refused in one line', async () => {
  const unknown = await dns(['--foo']);
  assert.deepEqual([unknown.code, unknown.out], [1, '']);
  assert.match(unknown.err, /^dns: [^\n]*'--foo'[^\n]* --help lists the options\.\n$/);
  const direct = await dns(['--include', '_spf.relay.test']);
  assert.deepEqual([direct.code, direct.out], [1, '']);
  assert.match(direct.err, /^dns: --include [^\n]* SMTP_URL[^\n]*\n$/);
});

test('a check names each record that DNS does not have, what it should be, and ends with 1', async () => {
  // Every name is unknown to this server: it answers the question with NXDOMAIN (RFC 1035, section 4.1.1).
  const server = createSocket('udp4');
  server.on('message', (question, from) => {
    const answer = Buffer.from(question);
    answer.writeUInt16BE(0x8183, 2);
    // Without the EDNS record of the question.
    answer.writeUInt16BE(0, 10);
    const end = answer.indexOf(0, 12) + 5;
    server.send(answer.subarray(0, end), from.port, from.address);
  });
  await new Promise<void>((resolve) => void server.bind(0, '127.0.0.1', resolve));
  try {
    const { code, out, err } = await dns(['--check'], { DNS_SERVERS: `127.0.0.1:${server.address().port}` });
    assert.deepEqual([code, err], [1, '']);
    assert.match(
      out,
      /^missing {2}MX {4}\*\.mail\.test\n {9}Without an MX record no mail arrives\.\n {9}expected: 10 mx\.mail\.test$/m,
    );
    assert.match(out, /\n(\d+) of \1 differ\.\n$/);
    assert.doesNotMatch(out, /^(?:ok|unknown)/m);
  } finally {
    server.close();
  }
});

test('a check prints what DNS has without what it could do to a terminal', async () => {
  const hostile = '\u001b[2J\u001b]0;owned\u0007\r\nok       TXT   mail.test';
  await using server = await startDns({
    'mail.test': { TXT: [`v=spf1 +all ${hostile}`], MX: [[1, 'mx.evil.example']] },
    '_dmarc.mail.test': { TXT: [`v=DMARC1; p=none; ${hostile}`] },
  });
  const { code, out } = await dns(['--check'], { DNS_SERVERS: server.address });
  assert.equal(code, 1);
  assert.match(out, /^ {9}found: {4}v=spf1 /m);
  assert.match(out, /^ {9}found: {4}v=DMARC1; p=none; /m);
  assert.doesNotMatch(out.replaceAll('\n', ''), /\p{Cc}/u);
  assert.doesNotMatch(out, /^ok {7}TXT {3}mail\.test/m);
});

test('--rotate adds keys once, and --retire removes the old ones, both with the newest in DNS alone', async () => {
  const store = { DATABASE_URL: `sqlite:${join(folder, 'rotated')}` };
  await using server = await startDns();
  const env = { ...store, DNS_SERVERS: server.address };
  const keysOf = (out: string) =>
    [...out.matchAll(/^(mailroom-\S+)\. 3600 IN TXT (.*)$/gm)].map(([, name = '', text = '']): [string, string] => [
      name,
      text.replace(/^"|"$|" "/g, ''),
    ]);
  const first = keysOf((await dns([], env)).out);
  const rotated = await dns(['--rotate'], env);
  assert.equal(rotated.code, 0, rotated.err);
  const both = keysOf(rotated.out);
  assert.equal(both.length, 4);
  assert.deepEqual(both.slice(2), first, 'the old records stay');
  for (const option of ['--rotate', '--retire']) {
    const early = await dns([option], env);
    assert.deepEqual([early.code, early.out], [1, '']);
    assert.match(early.err, /DNS does not show the newest keys, mailroom-rsa-2 and mailroom-ed25519-2\./);
  }
  server.zone = Object.fromEntries(both.map(([name, text]) => [name, { TXT: [text] }]));
  const retired = await dns(['--retire'], env);
  assert.match(retired.out, /^; Removed: mailroom-rsa\. Delete its record in a week\.$/m);
  assert.deepEqual(keysOf(retired.out), both.slice(0, 2));
});

test('a wrong option is an error that says what may stand there', async () => {
  const here = await dns([], { MAIL_DOMAIN: 'agents.mailroom.localhost' });
  assert.deepEqual([here.code, here.out], [1, '']);
  assert.match(here.err, /^dns: MAIL_DOMAIN is agents\.mailroom\.localhost, which is this machine/);
  const wrong = await dns(['--sts', 'always']);
  assert.deepEqual([wrong.code, wrong.err], [1, 'dns: --sts must be one of enforce, testing, off.\n']);
  const help = await dns(['--help']);
  assert.deepEqual([help.code, help.out.includes('--check')], [0, true]);
});
