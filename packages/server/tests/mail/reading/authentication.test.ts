import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { authenticate, dkimSign, sealMessage } from 'mailauth';
import type { Zone } from '../../../../../tests/harness/dns.ts';
import { MailReader } from '../../../mail/reading/reader.ts';
import { type Reading, startReading, startReadingHere } from './harness.ts';

/** Keys of `s._domainkey` of any domain. */
const KEYS = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ed25519: generateKeyPairSync('ed25519'),
  small: generateKeyPairSync('rsa', { modulusLength: 512 }),
};
type KeyName = keyof typeof KEYS;
const pem = (name: KeyName): string => KEYS[name].privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const keyRecord = (name: KeyName) => {
  const der = KEYS[name].publicKey.export({ type: 'spki', format: 'der' });
  const kind = name === 'ed25519' ? 'ed25519' : 'rsa';
  return { TXT: [`v=DKIM1; k=${kind}; p=${(name === 'ed25519' ? der.subarray(-32) : der).toString('base64')}`] };
};
const ZONE: Zone = {
  'rsa._domainkey.example.com': keyRecord('rsa'),
  'ed25519._domainkey.example.com': keyRecord('ed25519'),
  'small._domainkey.example.com': keyRecord('small'),
  'rsa._domainkey.evil.example': keyRecord('rsa'),
  'rsa._domainkey.nopolicy.example': keyRecord('rsa'),
  'rsa._domainkey.forwarder.example': keyRecord('rsa'),
  'rsa._domainkey.xn--mller-kva.example': keyRecord('rsa'),
  '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] },
  '_dmarc.quarantine.example': { TXT: ['v=DMARC1; p=quarantine'] },
  '_dmarc.xn--mller-kva.example': { TXT: ['v=DMARC1; p=reject'] },
  '_dmarc.broken.example': 'SERVFAIL',
  '_dmarc.evil.example': { TXT: ['v=DMARC1; p=none'] },
  'example.com': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
  'nopolicy.example': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
  'evil.example': { TXT: ['v=spf1 ip4:192.0.2.66 -all'] },
};

let reading: Reading;
before(async () => {
  reading = await startReading(ZONE, { trusted: ['127.0.0.0/8', '10.1.0.0/16', '::1'] });
});
after(() => reading[Symbol.asyncDispose]());

const mailOf = (from: string, body = 'She have two cat.\r\n'): string =>
  `${from}\r\nTo: proofread@ns.example.net\r\nSubject: Text\r\nMessage-ID: <1@example.com>\r\nDate: Mon, 13 May 2024 10:00:00 +0200\r\n\r\n${body}`;
const FROM = 'From: Anna <anna@example.com>';

async function signed(mail: string, domain = 'example.com', key: KeyName = 'rsa', maxBodyLength?: number) {
  const signature = { signingDomain: domain, selector: key, privateKey: pem(key) };
  const { signatures, errors } = await dkimSign(mail, {
    ...signature,
    canonicalization: 'relaxed/relaxed',
    signatureData: [{ ...signature, ...(maxBodyLength !== undefined && { maxBodyLength }) }],
  });
  assert.deepEqual(errors, []);
  return signatures + mail;
}

const elsewhere = { ip: '192.0.2.99', from: 'bounce@other.example' };

test('a mail that its domain signed, or sent from its host, is verified by DMARC', async () => {
  for (const key of ['rsa', 'ed25519'] as const) {
    const mail = await reading.read(await signed(mailOf(FROM), 'example.com', key), elsewhere);
    assert.deepEqual(mail.authentication, {
      spf: 'none',
      dkim: 'pass',
      dmarc: 'pass',
      arc: 'none',
      verified: true,
      verified_by: 'dmarc',
    });
    assert.equal(mail.policy, null);
  }
  const sent = await reading.read(mailOf(FROM));
  assert.deepEqual(sent.authentication, {
    spf: 'pass',
    dkim: 'none',
    dmarc: 'pass',
    arc: 'none',
    verified: true,
    verified_by: 'dmarc',
  });
});

test('a mail that was changed, or sent from elsewhere, has the policy of its domain', async () => {
  const changed = (await signed(mailOf(FROM))).replace('two cat', 'ten cat');
  const mail = await reading.read(changed, elsewhere);
  assert.deepEqual(
    [mail.authentication.dkim, mail.authentication.dmarc, mail.authentication.verified, mail.policy],
    ['neutral', 'fail', false, 'reject'],
  );
  const quarantined = await reading.read(mailOf('From: a@quarantine.example'), elsewhere);
  assert.equal(quarantined.policy, 'quarantine');
  const unknown = await reading.read(mailOf('From: a@broken.example'), elsewhere);
  assert.deepEqual(
    [unknown.authentication.dmarc, unknown.authentication.verified, unknown.policy],
    ['temperror', false, 'none'],
  );
});

test('without a DMARC record a signature of the domain, or its own host, verifies; others do not', async () => {
  const mail = mailOf('From: a@nopolicy.example');
  const bySignature = await reading.read(await signed(mail, 'nopolicy.example'), elsewhere);
  assert.deepEqual([bySignature.authentication.verified_by, bySignature.policy], ['dkim', null]);
  const byHost = await reading.read(mail, { from: 'a@nopolicy.example' });
  assert.equal(byHost.authentication.verified_by, 'spf');
  const byOther = await reading.read(await signed(mail, 'evil.example'), { ip: '192.0.2.66', from: 'x@evil.example' });
  assert.deepEqual(
    [byOther.authentication.dkim, byOther.authentication.spf, byOther.authentication.verified],
    ['pass', 'pass', false],
  );
  assert.equal(byOther.policy, 'none');
});

test('no form of From lets one domain prove another', async () => {
  const evil = { ip: '192.0.2.66', from: 'x@evil.example' };
  const forged = [
    'From: Anna <anna@example.com>\r\nFrom: x@evil.example',
    'From: x@evil.example\r\nFrom: Anna <anna@example.com>',
    'From: x@evil.example\r\nFrom : Anna <anna@example.com>',
    'From: anna@example.com, x@evil.example',
    'From: x@evil.example, anna@example.com',
    'From: <anna@example.com> <x@evil.example>',
    'From: <anna@example.com>, <x@evil.example>',
    'From: Team: anna@example.com, x@evil.example;',
    'From: Team: anna@example.com;',
    'From: anna@example.com@evil.example',
    'From: "anna@example.com x@evil.example',
    'From: anna@example.com (x@evil.example',
    'From: =?utf-8?q?=3Canna=40example=2Ecom=3E?= <x@evil.example>, y@evil.example',
    'From: =?utf-8?q?Anna_=3Canna=40example=2Ecom=3E?=',
    'From: Anna',
    'From:',
    'From: anna@example.com\r\n\t, x@evil.example',
    'From: anna@[192.0.2.66]',
    'From: anna@example.com\0@evil.example',
    'Sender: x@evil.example\r\nFrom: anna@example.com',
    'Resent-From: x@evil.example\r\nFrom: anna@example.com',
    'X: y',
  ];
  for (const from of forged) {
    const mail = await reading.read(from === 'X: y' ? mailOf(from) : await signed(mailOf(from), 'evil.example'), evil);
    assert.equal(mail.authentication.verified, false, from);
    if (/example\.com/.test(from) && mail.from?.address.endsWith('example.com') && mail.warnings.length === 0)
      assert.equal(mail.policy, 'reject', from);
  }
  // The name of a sender is no address, whatever it says.
  const named = await reading.read(
    await signed(mailOf('From: "anna@example.com" <x@evil.example>'), 'evil.example'),
    evil,
  );
  assert.deepEqual(named.from, { name: 'anna@example.com', address: 'x@evil.example' });
  assert.equal(named.authentication.verified, true);
  const commented = await reading.read(
    await signed(mailOf('From: x@evil.example (anna@example.com)'), 'evil.example'),
    evil,
  );
  assert.equal(commented.from?.address, 'x@evil.example');
});

test('several authors are never verified, also of one domain or a trusted network, and ask for quarantine', async () => {
  const two = await signed(mailOf('From: anna@example.com, carl@example.com'));
  const mail = await reading.read(two, elsewhere);
  assert.deepEqual([mail.authentication.verified, mail.warnings], [false, ['several_from']]);
  const fields = await reading.read(mailOf('From: a@example.com\r\nFrom: b@evil.example'), elsewhere);
  assert.deepEqual([fields.policy, fields.warnings], ['quarantine', ['several_from']]);
  const trusted = await reading.read(two, { ip: '127.0.0.1' });
  assert.deepEqual([trusted.authentication.verified, trusted.policy], [false, null]);
});

test('a trusted network needs no proof and no name server', async () => {
  const countBefore = reading.dns.asked.length;
  for (const ip of ['127.0.0.1', '10.1.2.3', '::1', '::ffff:127.0.0.1']) {
    const mail = await reading.read(mailOf(FROM), { ip });
    assert.deepEqual(mail.authentication, {
      spf: 'none',
      dkim: 'none',
      dmarc: 'none',
      arc: 'none',
      verified: true,
      verified_by: 'network',
    });
    assert.equal(mail.policy, null);
  }
  assert.equal(reading.dns.asked.length, countBefore);
  assert.equal((await reading.read(mailOf(FROM), { ip: '10.2.0.1' })).authentication.verified, false);
  const wrong = { mta: 'mx.example.net', trusted: ['loopback'], ours: () => false };
  assert.throws(() => new MailReader(wrong), /"loopback" is not a network/);
});

test('a signature of a part of the text, or by a short or old key, proves nothing', async () => {
  const partly = `${await signed(mailOf(FROM), 'example.com', 'rsa', 5)}and more\r\n`;
  const mail = await reading.read(partly, elsewhere);
  assert.deepEqual(
    [mail.authentication.dkim, mail.authentication.verified, mail.warnings],
    ['pass', false, ['partly_signed']],
  );
  const short = await reading.read(await signed(mailOf(FROM), 'example.com', 'small'), elsewhere);
  assert.deepEqual([short.authentication.dkim, short.authentication.verified], ['policy', false]);
});

test('an author of an international domain is verified, however its name is written', async () => {
  for (const domain of ['müller.example', 'MÜLLER.example', 'xn--mller-kva.example']) {
    const mail = await reading.read(
      await signed(mailOf(`From: Jörg <joerg@${domain}>`), 'xn--mller-kva.example'),
      elsewhere,
    );
    assert.equal(mail.from?.address, 'joerg@xn--mller-kva.example');
    assert.equal(mail.authentication.verified_by, 'dmarc', domain);
  }
});

test('a seal counts only when every forwarder is trusted', async () => {
  const resolver = async (name: string, type: string) => {
    const records = (ZONE[name] as Record<string, string[]> | undefined)?.[type];
    if (records === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
    return records.map((text) => [text]);
  };
  const original = await signed(mailOf(FROM));
  const seen = await authenticate(original, {
    ip: '192.0.2.1',
    helo: 'x',
    sender: 'anna@example.com',
    mta: 'forwarder.example',
    resolver,
    disableBimi: true,
  });
  const changed = original.replace('Subject: Text', 'Subject: [List] Text');
  const authResults = (seen.headers.match(/^Authentication-Results: ([\s\S]*?)\r\n(?!\s)/m) ?? [])[1] as string;
  const seal = await sealMessage(changed, {
    signingDomain: 'forwarder.example',
    selector: 'rsa',
    privateKey: pem('rsa'),
    cv: 'none',
    authResults,
  });
  const sealed = `${seal.toString()}${changed}`;
  for (const [arc_sealers, verified_by] of [
    [['forwarder.example'], 'arc'],
    [['other.example'], undefined],
    [[], undefined],
  ] as const) {
    await using reading = await startReadingHere(ZONE, { arc_sealers });
    const mail = await reading.read(sealed, elsewhere);
    assert.deepEqual(
      [mail.authentication.arc, mail.authentication.dmarc, mail.authentication.verified_by],
      ['pass', 'fail', verified_by],
    );
    assert.equal(mail.policy, verified_by === undefined ? 'reject' : null);
  }
});

test('answers of name servers are kept, and one that is silent delays a mail but fails no other', async () => {
  await using reading = await startReadingHere(
    { ...ZONE, 'silent.example': 'TIMEOUT', '_dmarc.silent.example': 'TIMEOUT' },
    { dns_timeout_ms: 1_000 },
  );
  const mail = await signed(mailOf(FROM));
  await reading.read(mail);
  const first = reading.dns.asked.length;
  await reading.read(mail);
  assert.equal(reading.dns.asked.length, first);
  const silent = await reading.read(mailOf('From: a@silent.example'), { from: 'a@silent.example' });
  assert.deepEqual(
    [silent.authentication.spf, silent.authentication.dmarc, silent.authentication.verified],
    ['temperror', 'temperror', false],
  );
  assert.equal((await reading.read(mail)).authentication.verified, true);
});

test('mail that another server took before has no SPF of that server', async () => {
  const mail = await reading.read(await signed(mailOf(FROM)), { ip: null });
  assert.deepEqual([mail.authentication.spf, mail.authentication.verified_by], ['none', 'dmarc']);
});

const PYTHON = '/usr/bin/python3';
const hasDkimPy = (() => {
  try {
    execFileSync(PYTHON, ['-c', 'import dkim'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test('a signature by dkimpy is verified', { skip: !hasDkimPy && 'python3-dkim is not installed' }, async () => {
  const program = [
    'import sys, dkim',
    'mail = open(0, "rb").read()',
    'sys.stdout.buffer.write(dkim.sign(mail, b"rsa", b"example.com", open(3, "rb").read()) + mail)',
  ].join('\n');
  const rsa = KEYS.rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const python = promisify(execFile)('sh', ['-c', `exec ${PYTHON} -c "$PROGRAM" 3<<END\n${rsa}END`], {
    env: { PROGRAM: program },
    encoding: 'buffer',
  });
  python.child.stdin?.end(mailOf(FROM));
  const { stdout } = await python;
  const mail = await reading.read(stdout, elsewhere);
  assert.equal(mail.authentication.verified_by, 'dmarc');
});
