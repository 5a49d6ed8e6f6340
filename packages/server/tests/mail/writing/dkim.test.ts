// Other programs: OpenDKIM.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DKIMVerifyResult } from 'mailauth';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { composeMail } from '../../../mail/writing/compose.ts';
import { type DkimKey, dkimRecord, newDkimKey, signMail } from '../../../mail/writing/dkim.ts';

const DOMAIN = 'mail.test';
const folder = mkdtempSync(join(tmpdir(), 'mailroom-dkim-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const keys: readonly DkimKey[] = [await newDkimKey('rsa-sha256', 'r1'), await newDkimKey('ed25519-sha256', 'e1')];
const records = new Map(
  keys.map((key) => {
    const { name, value } = dkimRecord(key);
    return [`${name}.${DOMAIN}` as string, value] as const;
  }),
);
const resolver = async (name: string, type: string): Promise<string[][]> => {
  const value = records.get(name);
  if (type === 'TXT' && value !== undefined) return [[value]];
  throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
};

const written = (
  markdown = 'Grüße, **Ada**.\n\n.\nFrom the start  \n',
  subject = 'Bücher\u2003und mehr',
): Promise<Buffer> =>
  composeMail({
    id: '<dlv_0d8m3xk2q5v7w9y1a3c0@agents.mail.test>',
    from: { name: 'Prüf, Leser', address: `proofread@agents.${DOMAIN}` },
    to: 'ada@outside.example',
    subject,
    in_reply_to: `<${'q'.repeat(120)}@outside.example>`,
    references: Array.from({ length: 12 }, (_, at) => `<${at}-${'r'.repeat(60)}@outside.example>`),
    markdown,
    automatic: 'auto-replied',
    date: new Date('2026-11-23T10:00:00Z'),
  });

/** The results of mailauth for each signature. */
const resultsOf = async (message: Buffer): Promise<readonly string[]> => {
  const { results }: DKIMVerifyResult = await dkimVerify(message, { resolver, strict: true });
  return results.map(({ selector, algo, status }) => `${selector} ${algo} ${status.result}`);
};

const BOTH = ['r1 rsa-sha256 pass', 'e1 ed25519-sha256 pass'];

test('a mail is signed with every key, and mailauth verifies each by the record we publish', async () => {
  for (const markdown of ['Hi', '', `${'long line '.repeat(400)}\n\n\n\n`, '東京\r\n\r\n'.repeat(50)]) {
    const message = await signMail(await written(markdown), { domain: DOMAIN, keys });
    assert.deepEqual([...(await resultsOf(message))].sort(), [...BOTH].sort());
    assert.ok(
      message
        .toString('latin1')
        .split('\r\n')
        .every((line) => line.length <= 998),
    );
    assert.doesNotMatch(message.toString('latin1'), /(?<!\r)\n/);
  }
});

test('the signature covers what a reader sees and what programs act on, and From twice', async () => {
  const message = await signMail(await written(), { domain: DOMAIN, keys });
  const signatures = message.toString('latin1').match(/^DKIM-Signature:.*(?:\r\n[ \t].*)*/gm) ?? [];
  assert.equal(signatures.length, 2);
  for (const one of signatures) {
    const tags = one.replace(/\r\n/g, '').replace(/\s+/g, '');
    const names = (/;h=([^;]*);/.exec(tags)?.[1] ?? '').toLowerCase().split(':');
    const count = (name: string): number => names.filter((other) => other === name).length;
    for (const name of ['from', 'to', 'subject', 'date', 'content-type'])
      assert.equal(count(name), 2, `${name} in ${names}`);
    for (const name of ['message-id', 'in-reply-to', 'references', 'auto-submitted', 'mime-version']) {
      assert.equal(count(name), 1, `${name} in ${names}`);
    }
    // Neither may be added on the way.
    for (const name of ['cc', 'reply-to']) assert.equal(count(name), 1, `${name} in ${names}`);
    assert.match(tags, /;d=mail\.test;/);
    assert.doesNotMatch(tags, /;[lx]=/);
  }
});

test('a signature breaks when a header is added or changed, or the body', async () => {
  const message = (await signMail(await written(), { domain: DOMAIN, keys })).toString('latin1');
  const changes: readonly string[] = [
    message.replace('\r\nFrom:', '\r\nFrom: Eve <eve@evil.example>\r\nFrom:'),
    `From: Eve <eve@evil.example>\r\n${message}`,
    `Subject: Free\r\n${message}`,
    `Reply-To: eve@evil.example\r\n${message}`,
    message.replace('auto-replied', 'no'),
    message.replace('10:00:00', '10:00:01'),
    message.replace('<dlv_0d8m', '<dlv_0d8n'),
    `${message}<p>more</p>`,
  ];
  for (const [at, changed] of changes.entries()) {
    assert.notEqual(changed, message);
    const results = await resultsOf(Buffer.from(changed, 'latin1'));
    assert.ok(results.length === 2 && results.every((one) => !one.endsWith('pass')), `change ${at}: ${results}`);
  }
  // White space that servers on the way change breaks nothing.
  const refolded = message.replace(/\r\n[ \t]+/g, '\r\n      ').replace(/\r\n$/, '\r\n\r\n\r\n');
  assert.deepEqual([...(await resultsOf(Buffer.from(refolded, 'latin1')))].sort(), [...BOTH].sort());
});

test('a program that nobody here wrote verifies both signatures', async (t) => {
  const script = `
import dkim, json, sys
message = sys.stdin.buffer.read()
records = json.loads(sys.argv[1])
def txt(name, timeout=5):
    found = records.get(name.decode().rstrip('.'))
    return None if found is None else found.encode()
verifier = dkim.DKIM(message)
print(json.dumps([verifier.verify(idx=at, dnsfunc=txt) for at in range(2)]))
`;
  // Packages of the system belong to its own Python, whichever comes first in PATH.
  const python = ['/usr/bin/python3', 'python3'].find(
    (one) => spawnSync(one, ['-c', 'import dkim, nacl']).status === 0,
  );
  if (python === undefined) return t.skip('python3-dkim is not installed');
  const message = await signMail(await written(), { domain: DOMAIN, keys });
  const run = (input: Buffer) =>
    JSON.parse(
      spawnSync(python, ['-c', script, JSON.stringify(Object.fromEntries(records))], { input }).stdout.toString(),
    );
  assert.deepEqual(run(message), [true, true]);
  assert.deepEqual(run(Buffer.from(message.toString('latin1').replace('auto-replied', 'no'), 'latin1')), [
    false,
    false,
  ]);
});

test('opendkim verifies the RSA signature', async (t) => {
  const has = spawnSync('opendkim', ['-V'], { encoding: 'utf8' });
  if (has.error !== undefined) return t.skip('opendkim is not installed');
  const [rsa] = keys as readonly [DkimKey];
  const message = await signMail(await written(), { domain: DOMAIN, keys: [rsa] });
  const file = join(folder, 'signed.eml');
  writeFileSync(file, message);
  const { name, value } = dkimRecord(rsa);
  const data = join(folder, 'keys');
  writeFileSync(data, `${name}.${DOMAIN} ${value}\n`);
  const config = join(folder, 'opendkim.conf');
  writeFileSync(config, `TestPublicKeys ${data}\n`);
  const run = spawnSync('opendkim', ['-x', config, '-t', file, '-v'], { encoding: 'utf8' });
  assert.match(`${run.stdout}${run.stderr}`, /verification \(s=r1, d=mail\.test, 2048-bit key\) succeeded/);
});

test('a key that cannot sign is an error that names it, and no mail leaves with fewer signatures than keys', async () => {
  const wrong: DkimKey = { selector: 'w1', algorithm: 'ed25519-sha256', private_key: keys[0]?.private_key ?? '' };
  for (const bad of [wrong, { ...wrong, private_key: 'no key' }, { ...wrong, selector: 'a b;c' }]) {
    await assert.rejects(
      signMail(await written(), { domain: DOMAIN, keys: [...keys, bad] }),
      (error: Error) => error.name === 'NotSigned' && error.message.includes(bad.selector),
    );
  }
});
