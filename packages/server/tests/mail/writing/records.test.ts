import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newDkimKey } from '../../../mail/writing/dkim.ts';
import type { DnsResolver } from '../../../mail/writing/dns.ts';
import { type MailDomain, mailRecords, stsFile, zoneText } from '../../../mail/writing/records.ts';
import { checkRecords } from '../../../mail/writing/records-check.ts';

const keys = [await newDkimKey('rsa-sha256', 'r2026'), await newDkimKey('ed25519-sha256', 'e2026')];
const MAIL: MailDomain = {
  domain: 'mail.test',
  namespaces: true,
  host: 'mx.mail-host.test',
  keys,
  reports: 'postmaster@agents.mail.test',
  sts: 'enforce',
};
const V4_NAME = '25.2.0.192.in-addr.arpa';
const V6_NAME = '5.2.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa';
const ADDRESSES = { A: ['192.0.2.25'], AAAA: ['2001:db8::25'] };

/** The records of a name by type; a text in their place is the code of an error. */
type Records = Record<string, readonly unknown[] | string>;
type Zone = Record<string, Records>;

/** The zone that the records make, with the host's own names, wildcards included. */
function zoneOf(of: MailDomain): Zone {
  const zone: Zone = {
    [of.host]: ADDRESSES,
    [V4_NAME]: { PTR: [`${of.host}.`] },
    [V6_NAME]: { PTR: [of.host.toUpperCase()] },
  };
  for (const { name, type, value } of mailRecords(of)) {
    const all: Records = { ...zone[name] };
    const others = Array.isArray(all.TXT) ? (all.TXT as readonly unknown[]) : [];
    const [preference, exchange] = value.split(' ');
    if (type === 'MX') all.MX = [{ exchange: `${exchange}.`, priority: Number(preference) }];
    else if (type === 'TXT') all.TXT = [...others, [value.slice(0, 200), value.slice(200)]];
    else Object.assign(all, ADDRESSES);
    zone[name] = all;
  }
  return zone;
}

const dns =
  (zone: Zone): DnsResolver =>
  async (name, type) => {
    const labels = name.split('.');
    const wild = labels.map((_, at) => `*.${labels.slice(at + 1).join('.')}`).find((one) => zone[one] !== undefined);
    const found = zone[name] ?? (wild === undefined ? undefined : zone[wild]);
    const answer = found === undefined ? 'ENOTFOUND' : (found[type] ?? 'ENODATA');
    if (typeof answer === 'string') throw Object.assign(new Error(answer), { code: answer });
    return answer;
  };

const problems = async (of: MailDomain, zone: Zone): Promise<readonly string[]> =>
  (await checkRecords(of, dns(zone)))
    .filter(({ status }) => status !== 'ok')
    .map(({ about, status, explanation }) => `${about} ${status}: ${explanation}`);

test('all records of a mail domain are there: for its namespaces, for both keys, and for notices of failure', () => {
  const list = mailRecords(MAIL).map(
    ({ name, type, value }) => `${name} ${type} ${value.replace(/p=[\w+/=]{40,}/, 'p=KEY')}`,
  );
  assert.deepEqual(
    list.map((line) => line.replace(/id=[0-9a-f]{20}/, 'id=ID')),
    [
      '*.mail.test MX 10 mx.mail-host.test',
      'mail.test MX 10 mx.mail-host.test',
      'mail.test TXT v=spf1 a:mx.mail-host.test -all',
      'mx.mail-host.test TXT v=spf1 a -all',
      'r2026._domainkey.mail.test TXT v=DKIM1; k=rsa; p=KEY',
      'e2026._domainkey.mail.test TXT v=DKIM1; k=ed25519; p=KEY',
      '_dmarc.mail.test TXT v=DMARC1; p=reject; adkim=r; aspf=r; rua=mailto:postmaster@agents.mail.test',
      '*.mail.test TXT v=DMARC1; p=reject; adkim=r; aspf=r; rua=mailto:postmaster@agents.mail.test',
      '_mta-sts.mail.test TXT v=STSv1; id=ID',
      'mta-sts.mail.test CNAME mx.mail-host.test',
      '_smtp._tls.mail.test TXT v=TLSRPTv1; rua=mailto:postmaster@agents.mail.test',
    ],
  );
  const { reports: _, ...records } = { ...MAIL, domain: 'mail.example.test', namespaces: false, sts: 'off' as const };
  assert.deepEqual(
    mailRecords({ ...records, relay: { includes: ['_spf.relay.test'] } }).map(({ name, type }) => `${name} ${type}`),
    ['mail.example.test MX', 'mail.example.test TXT'].concat(
      ...keys.map(({ selector }) => `${selector}._domainkey.mail.example.test TXT`),
      '_dmarc.mail.example.test TXT',
    ),
  );
  assert.equal(stsFile(records), undefined);
  assert.match(
    stsFile(MAIL)?.text ?? '',
    /^version: STSv1\r\nmode: enforce\r\nmx: mx\.mail-host\.test\r\nmax_age: \d+\r\n$/,
  );
});

test('the zone file says the same: names end with a dot, long texts are strings of at most 255 octets', () => {
  const lines = zoneText(mailRecords(MAIL)).trimEnd().split('\n');
  const records = lines.filter((line) => !line.startsWith(';'));
  assert.equal(records.length, mailRecords(MAIL).length);
  for (const [at, { name, type, value }] of mailRecords(MAIL).entries()) {
    const line = records[at] ?? '';
    assert.ok(line.startsWith(`${name}. 3600 IN ${type} `), line);
    const rest = line.slice(`${name}. 3600 IN ${type} `.length);
    if (type !== 'TXT') {
      assert.equal(rest, `${value}.`);
      continue;
    }
    const strings = [...rest.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text);
    assert.equal(strings.join(''), value);
    assert.ok(strings.every((text) => text.length <= 255));
  }
});

test('a zone with exactly these records has no difference, with and without namespaces, directly and by a relay', async () => {
  for (const entry of [
    MAIL,
    { ...MAIL, namespaces: false },
    { ...MAIL, host: 'mail.test' },
    { ...MAIL, sts: 'testing' as const },
    { ...MAIL, relay: { includes: ['_spf.relay.test'] } },
  ]) {
    assert.deepEqual(await problems(entry, zoneOf(entry)), []);
  }
});

test('each difference is found, and explained by what to do', async () => {
  const without =
    (name: string): ((zone: Zone) => void) =>
    (zone) =>
      void delete zone[name];
  const set =
    (name: string, fields: Zone[string]): ((zone: Zone) => void) =>
    (zone) => {
      zone[name] = { ...zone[name], ...fields };
    };
  const txt = (name: string, ...values: readonly string[]) => set(name, { TXT: values.map((value) => [value]) });
  const [own, other] = [
    { exchange: MAIL.host, priority: 10 },
    { exchange: 'other.test', priority: 1 },
  ];
  const rsa = mailRecords(MAIL).find(({ about }) => about === 'dkim')?.value ?? '';
  const cases: readonly (readonly [change: (zone: Zone) => void, problem: RegExp])[] = [
    [without('*.mail.test'), /^mx missing/],
    [set('mail.test', { MX: [other] }), /^mx wrong: .*never to mx/],
    [set('mail.test', { MX: [other, own] }), /^mx wrong: .*lowest number/],
    [set('mail.test', { MX: 'ESERVFAIL' }), /^mx unknown: .*ESERVFAIL/],
    [txt('mail.test'), /^spf missing/],
    [txt('mail.test', 'v=spf1 -all', 'v=spf1 a -all'), /^spf wrong: .*merge/],
    [txt('mail.test', 'v=spf1 ip4:198.51.100.1 -all'), /^spf wrong: .*192\.0\.2\.25.*fail/],
    [txt('mail.test', 'v=spf1 ip4:192.0.2.25 -all'), /^spf wrong: .*2001:db8::25.*fail/],
    [txt('mail.test', 'v=spf1 +all'), /^spf wrong: .*every machine/],
    [txt('mail.test', 'v=spf1 nonsense:x -all'), /^spf wrong: .*permerror/],
    [without('r2026._domainkey.mail.test'), /^dkim missing/],
    [txt('r2026._domainkey.mail.test', 'v=DKIM1; k=rsa; p='), /^dkim wrong: .*revokes/],
    [txt('r2026._domainkey.mail.test', 'v=DKIM1; k=rsa; p=MIIB'), /^dkim wrong: .*another key/],
    [txt('e2026._domainkey.mail.test', rsa), /^dkim wrong: .*another key/],
    [txt('r2026._domainkey.mail.test', rsa, rsa), /^dkim wrong: .*leave one/],
    [txt('r2026._domainkey.mail.test', `${rsa}; t=y`), /^dkim wrong: .*t=y/],
    [txt('r2026._domainkey.mail.test', `${rsa}; t=s`), /^dkim wrong: .*t=s/],
    [txt('_dmarc.mail.test'), /^dmarc missing/],
    [txt('_dmarc.mail.test', 'v=DMARC1; p=none; rua=mailto:a@b.test'), /^dmarc wrong: p=none/],
    [txt('_dmarc.mail.test', 'v=DMARC1; p=reject; adkim=s; rua=mailto:a@b.test'), /^dmarc wrong: .*adkim=r/],
    [txt('_dmarc.mail.test', 'v=DMARC1; p=reject; sp=none; rua=mailto:a@b.test'), /^dmarc wrong: .*sp=none/],
    [txt('_dmarc.mail.test', 'v=DMARC1; p=reject'), /^dmarc wrong: .*rua=/],
    [txt('*.mail.test'), /^dmarc missing/],
    [txt('_mta-sts.mail.test', 'v=STSv1; id=1'), /^mta-sts wrong: .*id/],
    [without('_mta-sts.mail.test'), /^mta-sts missing/],
    [without('_smtp._tls.mail.test'), /^tls-rpt missing/],
    [set('mta-sts.mail.test', { A: 'ENODATA', AAAA: 'ENODATA' }), /^mta-sts missing: .*fetch/],
    [without(V4_NAME), /^reverse missing: .*192\.0\.2\.25/],
    [set(V6_NAME, { PTR: ['x.isp.test'] }), /^reverse wrong: .*mx\.mail-host\.test/],
    [set(MAIL.host, { CNAME: ['x.test'] }), /^host wrong: .*CNAME/],
    [set(MAIL.host, { A: [], AAAA: [] }), /^host missing/],
  ];
  for (const [change, problem] of cases) {
    const zone = zoneOf(MAIL);
    change(zone);
    const found = await problems(MAIL, zone);
    assert.ok(
      found.some((one) => problem.test(one)),
      `${problem} in ${JSON.stringify(found)}`,
    );
  }
});

test('the policy of MTA-STS is compared with what HTTPS serves', async () => {
  const check = async (fetch: (url: string) => Promise<string>) =>
    (await checkRecords(MAIL, dns(zoneOf(MAIL)), fetch))
      .filter(({ type }) => type === 'HTTPS')
      .map(({ status }) => status);
  const requests: string[] = [];
  const serve = async (url: string): Promise<string> => {
    requests.push(url);
    return (stsFile(MAIL)?.text ?? '').replaceAll('\r\n', '\n');
  };
  assert.deepEqual(await check(serve), ['ok']);
  assert.deepEqual(requests, ['https://mta-sts.mail.test/.well-known/mta-sts.txt']);
  assert.deepEqual(await check(async () => 'version: STSv1\nmode: none\nmax_age: 1\n'), ['wrong']);
  assert.deepEqual(await check(() => Promise.reject(new Error('no certificate'))), ['missing']);
});

test('a DNS that answers nothing makes no check fail, and says so', async () => {
  const silent: DnsResolver = () => Promise.reject(Object.assign(new Error('no answer'), { code: 'ETIMEOUT' }));
  const checks = await checkRecords(MAIL, silent);
  assert.equal(checks.length, mailRecords(MAIL).length + 1);
  assert.ok(checks.every(({ status, explanation }) => status === 'unknown' && explanation.includes('ETIMEOUT')));
});
