import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Zone } from '../../../../../tests/harness/dns.ts';
import type { MailSource } from '../../../mail/reading/reader.ts';
import { type Reading, startReadingHere } from './harness.ts';
import { KEY, signed } from './signing.ts';

// What the records of a domain, and the forms of an envelope, prove of the address in From, and what they do not.
let reading: Omit<Reading, 'reader'>;
const zone: Record<string, Zone[string]> = {};
let count = 0;
before(async () => {
  reading = await startReadingHere(zone);
});
after(() => reading[Symbol.asyncDispose]());

const [RECORD = ''] = KEY.TXT;
const P = RECORD.slice(RECORD.indexOf('p='));
const NAMES = 'from to subject date message-id'.split(' ');
const mailOf = (from: string): string =>
  [`From: ${from}`, 'To: do@ns.example.net', 'Subject: Hi', 'Date: Mon, 13 May 2024 10:00:00 +0200', '', 'Hi', ''].join(
    '\r\n',
  );
const elsewhere = { ip: '192.0.2.99', from: 'bounce@other.example' };

interface Tried {
  /** Records, of names below a new domain: `@` is that itself. */
  readonly records: Zone;
  /** The domain of From, that of the signature, and more of its tags; `@` stands for the new one. */
  readonly from?: string;
  readonly by?: string | null;
  readonly tags?: readonly string[];
  readonly source?: Partial<MailSource>;
}

/** Whether a mail is verified, with records of a domain that no other one has used. */
async function isVerified({ records, from = '@', by = '@', tags = [], source = elsewhere }: Tried): Promise<boolean> {
  count += 1;
  const domain = `d${count}.example`;
  const named = (text: string): string => text.replaceAll('@', domain);
  for (const [name, record] of Object.entries(records)) zone[named(name)] = JSON.parse(named(JSON.stringify(record)));
  reading.dns.zone = { ...zone };
  const mail = mailOf(`ada@${named(from)}`);
  const whole =
    by === null
      ? mail
      : signed(mail, { names: NAMES, domain: named(by), tags: tags.map((tag) => tag.replace('%', domain)) });
  const found = await reading.read(whole, {
    ...source,
    ...(source.from !== undefined && { from: source.from.replace('%', domain) }),
    ...(source.helo !== undefined && { helo: source.helo.replace('%', domain) }),
  });
  return found.authentication.verified;
}

const REJECT = { TXT: ['v=DMARC1; p=reject'] };
const key = (...texts: readonly string[]): Zone => ({ 's._domainkey.@': { TXT: texts }, '_dmarc.@': REJECT });

test('a key proves a domain as its record says, and not once it is revoked or of another use', async () => {
  const cases: readonly (readonly [string, boolean, Tried])[] = [
    ['a plain key', true, { records: key(`v=DKIM1; ${P}`) }],
    ['no version', true, { records: key(P) }],
    ['another version', false, { records: key(`v=DKIM2; ${P}`) }],
    ['revoked', false, { records: key('v=DKIM1; p=') }],
    ['revoked, with its notes', false, { records: key(`v=DKIM1; n=${P.slice(2)}; p=`) }],
    ['no key', false, { records: key('v=DKIM1; k=rsa') }],
    ['no record', false, { records: { '_dmarc.@': REJECT } }],
    ['for SHA-1 alone', false, { records: key(`v=DKIM1; h=sha1; ${P}`) }],
    ['for SHA-256 too', true, { records: key(`v=DKIM1; h=sha1:sha256; ${P}`) }],
    ['for another service', false, { records: key(`v=DKIM1; s=tlsrpt; ${P}`) }],
    ['for all services', true, { records: key(`v=DKIM1; s=*; ${P}`) }],
    ['of another kind', false, { records: key(`v=DKIM1; k=ed25519; ${P}`) }],
    ['of no known kind', false, { records: key(`v=DKIM1; k=x; ${P}`) }],
    ['for the domain itself', true, { records: key(`v=DKIM1; t=s; ${P}`) }],
    ['for the domain itself, not one below', false, { records: key(`v=DKIM1; t=s; ${P}`), tags: ['i=x@sub.%'] }],
    ['in the name of another', false, { records: key(`v=DKIM1; ${P}`), tags: ['i=x@evil.example'] }],
    ['a name server that fails', false, { records: { 's._domainkey.@': 'SERVFAIL', '_dmarc.@': REJECT } }],
  ];
  for (const [what, verified, tried] of cases) assert.equal(await isVerified(tried), verified, what);
});

test('alignment follows the records of DMARC, those of public suffixes and subdomains too', async () => {
  const signs = (name: string): Zone => ({ [`s._domainkey.${name}`]: KEY });
  const dmarc = (name: string, ...texts: readonly string[]): Zone => ({ [`_dmarc.${name}`]: { TXT: texts } });
  const cases: readonly (readonly [string, boolean, Tried])[] = [
    ['a domain below', true, { records: { ...signs('a.@'), ...dmarc('@', 'v=DMARC1; p=reject') }, by: 'a.@' }],
    ['a domain above', true, { records: { ...signs('@'), ...dmarc('@', 'v=DMARC1; p=reject') }, from: 'a.@' }],
    [
      'a domain beside',
      true,
      { records: { ...signs('b.@'), ...dmarc('@', 'v=DMARC1; p=reject') }, from: 'a.@', by: 'b.@' },
    ],
    ['strict', false, { records: { ...signs('a.@'), ...dmarc('@', 'v=DMARC1; p=reject; adkim=s') }, by: 'a.@' }],
    [
      'two customers of a public suffix',
      false,
      { records: { ...signs('b.@'), ...dmarc('@', 'v=DMARC1; p=reject; psd=y') }, from: 'a.@', by: 'b.@' },
    ],
    [
      'a part that stands for itself',
      false,
      {
        records: { ...signs('@'), ...dmarc('a.@', 'v=DMARC1; p=reject; psd=n'), ...dmarc('@', 'v=DMARC1; p=reject') },
        from: 'a.@',
      },
    ],
    [
      'another domain',
      false,
      { records: { ...signs('evil.example'), ...dmarc('@', 'v=DMARC1; p=none') }, by: 'evil.example' },
    ],
    ['another domain, without a policy', false, { records: signs('evil.example'), by: 'evil.example' }],
    ['a longer name', false, { records: signs('evil@'), by: 'evil@' }],
    ['the suffix alone', false, { records: signs('example'), by: 'example' }],
    ['two policies', true, { records: { ...signs('@'), ...dmarc('@', 'v=DMARC1; p=none', 'v=DMARC1; p=reject') } }],
    ['a policy that fails', false, { records: { ...signs('@'), '_dmarc.@': 'SERVFAIL' } }],
  ];
  for (const [what, verified, tried] of cases) assert.equal(await isVerified(tried), verified, what);
});

test('a host proves the domain of From by its envelope alone, in whatever form that is', async () => {
  const spf = (text: string): Zone => ({
    '@': { TXT: [text] },
    'evil.example': { TXT: ['v=spf1 ip4:192.0.2.66 -all'] },
  });
  const record = 'v=spf1 ip4:192.0.2.1 -all';
  const host = { ip: '192.0.2.1', from: 'ada@%', helo: 'mail.%' };
  const evil = { ip: '192.0.2.66', helo: 'evil.example' };
  for (const policy of [{ '_dmarc.@': REJECT }, {}] as Zone[]) {
    const cases: readonly (readonly [string, boolean, Zone, Partial<MailSource>])[] = [
      ['its own host', true, spf(record), host],
      ['capitals', true, spf(record), { ...host, from: 'Ada@%'.toUpperCase().replace('ADA', 'Ada') }],
      ['another host', false, spf(record), { ...evil, from: 'ada@%' }],
      ['the envelope of another', false, spf(record), { ...evil, from: 'x@evil.example' }],
      ['no envelope, the name of another', false, spf(record), { ...evil, from: '' }],
      ['no envelope, a name that is claimed', false, spf(record), { ...evil, from: '', helo: '%' }],
      ['no envelope, its own name', true, spf(record), { ...host, from: '', helo: '%' }],
      ['an address in quotes', false, spf(record), { ...evil, from: '"ada@%"@evil.example' }],
      ['two signs', false, spf(record), { ...evil, from: 'ada@%@evil.example' }],
      ['a softer word', false, spf('v=spf1 ip4:192.0.2.1 ~all'), { ...evil, from: 'ada@%' }],
      ['no word', false, spf('v=spf1 ip4:192.0.2.1 ?all'), { ...evil, from: 'ada@%' }],
      ['records of another', true, { ...spf('v=spf1 redirect=_spf.@'), '_spf.@': { TXT: [record] } }, host],
      ['a macro', true, { ...spf('v=spf1 exists:%{i}._spf.@ -all'), '192.0.2.1._spf.@': { A: ['127.0.0.2'] } }, host],
      [
        'a macro of another',
        false,
        { ...spf('v=spf1 exists:%{i}._spf.@ -all'), '192.0.2.1._spf.@': { A: ['127.0.0.2'] } },
        { ...evil, from: 'ada@%' },
      ],
      ['two records', false, { '@': { TXT: [record, 'v=spf1 +all'] } }, host],
      ['a client that is unknown', false, spf(record), { ...host, ip: null }],
    ];
    for (const [what, verified, records, source] of cases)
      assert.equal(
        await isVerified({ records: { ...policy, ...records }, by: null, source }),
        verified,
        `${what} ${JSON.stringify(policy)}`,
      );
  }
});
