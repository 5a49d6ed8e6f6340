import ipaddr from 'ipaddr.js';
import { type DkimKey, dkimRecord } from './dkim.ts';
import { type DnsResolver, isAbsent, mxRecords, texts, txtRecords } from './dns.ts';
import { type DnsRecord, type MailDomain, mailRecords, stsFile } from './records.ts';

/** What DNS says of one record, or of something that mail needs beside the records. */
export interface RecordCheck {
  readonly about: DnsRecord['about'] | 'host' | 'reverse';
  readonly name: string;
  readonly type: DnsRecord['type'] | 'A' | 'PTR' | 'HTTPS';
  /** `unknown`: DNS did not answer. */
  readonly status: 'ok' | 'missing' | 'wrong' | 'unknown';
  readonly expected: string;
  readonly found: readonly string[];
  /** What it means and how to fix it, in one sentence; '' when it is right. */
  readonly explanation: string;
}

/** Gets a text by HTTPS; rejects when it cannot be had. */
export type FetchText = (url: string) => Promise<string>;

type Verdict = Pick<RecordCheck, 'status' | 'found' | 'explanation'>;
const ok = (found: readonly string[]): Verdict => ({ status: 'ok', found, explanation: '' });
const wrong = (found: readonly string[], explanation: string): Verdict => ({ status: 'wrong', found, explanation });
const missing = (explanation: string): Verdict => ({ status: 'missing', found: [], explanation });

/** A name below the domain that no namespace has, with which the record for all of them is looked up. */
const PROBE = 'mailroom--check';

/**
 * Compares what DNS says with the records to publish, and the names and addresses of the host with each other; `fetch`
 * also the policy of MTA-STS. One result for each, in the order of `mailRecords`. Never rejects.
 */
export async function checkRecords(
  domain: MailDomain,
  resolve: DnsResolver,
  fetch?: FetchText,
): Promise<readonly RecordCheck[]> {
  return [
    ...(await hostChecks(domain, resolve)),
    ...(await checkPublished(domain, resolve)),
    ...(await policyCheck(domain, fetch)),
  ];
}

/** As `checkRecords`, of the records alone. */
export function checkPublished(domain: MailDomain, resolve: DnsResolver): Promise<readonly RecordCheck[]> {
  return Promise.all(
    mailRecords(domain).map(async (record): Promise<RecordCheck> => {
      const { about, name, type, value: expected } = record;
      return { about, name, type, expected, ...(await guarded(() => verdictOn(record, domain, resolve))) };
    }),
  );
}

async function guarded(verdict: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await verdict();
  } catch (error) {
    const { code = 'no answer' } = error as { readonly code?: string };
    return { status: 'unknown', found: [], explanation: `DNS did not answer (${code}); try again later.` };
  }
}

function verdictOn(record: DnsRecord, domain: MailDomain, resolve: DnsResolver): Promise<Verdict> {
  const name = record.name.replace(/^\*/, PROBE);
  switch (record.about) {
    case 'mx':
      return mxVerdict(name, domain, resolve);
    case 'spf':
      return spfVerdict(name, domain, resolve);
    case 'dkim':
      return dkimVerdict(name, record, resolve);
    case 'dmarc':
      return dmarcVerdict(record.name.startsWith('*') ? `_dmarc.${name}` : name, domain, resolve);
    case 'tls-rpt':
      return reportVerdict(name, record, resolve);
    case 'mta-sts':
      return record.type === 'TXT' ? stsVerdict(name, record, resolve) : policyHostVerdict(name, resolve);
  }
}

async function mxVerdict(name: string, { host }: MailDomain, resolve: DnsResolver): Promise<Verdict> {
  const found = await mxRecords(resolve, name).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  if (found.length === 0) return missing('Without an MX record no mail arrives.');
  const exchanges = found.map(({ exchange, priority }) => `${priority} ${exchange}`);
  const first = Math.min(...found.map(({ priority }) => priority));
  const own = found.find(({ exchange }) => exchange === host.toLowerCase());
  if (own === undefined) return wrong(exchanges, `Mail goes to other servers and never to ${host}.`);
  if (own.priority > first)
    return wrong(exchanges, `Mail goes to other servers first; give ${host} the lowest number.`);
  return ok(exchanges);
}

async function spfVerdict(name: string, domain: MailDomain, resolve: DnsResolver): Promise<Verdict> {
  const found = (await txtRecords(resolve, name)).filter((text) => /^v=spf1(?: |$)/i.test(text));
  if (found.length === 0) return missing('Without SPF many servers put the mail into spam.');
  if (found.length > 1) return wrong(found, 'Of several SPF records none counts; merge them into one.');
  const [record = ''] = found;
  if (/\s\+?all\b/i.test(record)) return wrong(found, 'It lets every machine of the world send; end it with -all.');
  if (domain.relay !== undefined) {
    const lacking = domain.relay.includes.filter(
      (one) => !record.toLowerCase().includes(`include:${one.toLowerCase()}`),
    );
    return lacking.length === 0
      ? ok(found)
      : wrong(found, `The servers that send the mail are not allowed to: add include:${lacking[0]}.`);
  }
  const { spf } = await import('mailauth/lib/spf/index.js');
  const sender = name === domain.host ? `postmaster@${name}` : `bounces@${name}`;
  for (const ip of await addressesOf(domain.host, resolve)) {
    const resolver = resolve as NonNullable<Parameters<typeof spf>[0]['resolver']>;
    const { result } = (await spf({ sender, ip, helo: domain.host, mta: domain.host, resolver })).status;
    if (result === 'temperror') throw Object.assign(new Error(result), { code: result });
    if (result !== 'pass') return wrong(found, `Mail from ${ip}, an address of ${domain.host}, gets “${result}”.`);
  }
  return ok(found);
}

const addressesOf = async (host: string, resolve: DnsResolver): Promise<readonly string[]> =>
  (await Promise.all([texts(resolve, host, 'A'), texts(resolve, host, 'AAAA')])).flat();

/** The tags of a record, such as `p` of `v=DKIM1; p=…`, without white space. */
/** The tags of a record (RFC 6376, section 3.2). */
export const tagsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(';').map((tag) => {
      const at = tag.indexOf('=');
      return [tag.slice(0, Math.max(0, at)).trim().toLowerCase(), tag.slice(at + 1).replace(/\s+/g, '')];
    }),
  );

/** Whether DNS has the record of a key for this domain. Rejects when that is unknown. */
export async function isPublished(key: DkimKey, domain: string, resolve: DnsResolver): Promise<boolean> {
  const { name, value } = dkimRecord(key);
  const found = await txtRecords(resolve, `${name}.${domain}`);
  return found.some((text) => tagsOf(text).get('p') === tagsOf(value).get('p'));
}

async function dkimVerdict(name: string, { value }: DnsRecord, resolve: DnsResolver): Promise<Verdict> {
  // A record for all names below the domain may be found in place of a missing key.
  const found = (await txtRecords(resolve, name)).filter((text) => /^\s*(?:v\s*=\s*DKIM1\b|[^v\s])/i.test(text));
  if (found.length === 0) return missing('Without the key the signatures of the mail count as broken.');
  if (found.length > 1) return wrong(found, 'Of several records servers may read any; leave one.');
  const [published, expected] = [tagsOf(found[0] ?? ''), tagsOf(value)];
  if (published.get('p') === '') return wrong(found, 'The record revokes the key: p= is empty.');
  if (published.get('p') !== expected.get('p')) return wrong(found, 'It is another key than the one that signs.');
  if ((published.get('k') ?? 'rsa') !== expected.get('k'))
    return wrong(found, `The type of the key must be k=${expected.get('k')}.`);
  if (published.get('t')?.split(':').includes('y'))
    return wrong(found, 't=y says that the key is only tested; remove it.');
  if (published.get('t')?.split(':').includes('s')) return wrong(found, 't=s excludes the domains below; remove it.');
  return ok(found);
}

async function dmarcVerdict(name: string, { namespaces, reports }: MailDomain, resolve: DnsResolver): Promise<Verdict> {
  const found = (await txtRecords(resolve, name)).filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/i.test(text));
  if (found.length === 0) return missing('Without DMARC others can write in the name of the addresses.');
  if (found.length > 1) return wrong(found, 'Of several DMARC records none counts; leave one.');
  const tags = tagsOf(found[0] ?? '');
  const policy = tags.get('p')?.toLowerCase();
  if (policy !== 'reject' && policy !== 'quarantine')
    return wrong(found, `p=${policy ?? ''} lets forged mail pass; use p=reject.`);
  if (namespaces && tags.get('adkim') === 's')
    return wrong(found, 'adkim=s refuses the signatures of the mail domain; use adkim=r.');
  if (namespaces && tags.get('sp') === 'none')
    return wrong(found, 'sp=none lets forged mail of the namespaces pass; remove it.');
  if (reports !== undefined && !tags.has('rua'))
    return wrong(found, `No reports are asked for; add rua=mailto:${reports}.`);
  return ok(found);
}

async function reportVerdict(name: string, { value }: DnsRecord, resolve: DnsResolver): Promise<Verdict> {
  const found = (await txtRecords(resolve, name)).filter((text) => /^v\s*=\s*TLSRPTv1\s*(?:;|$)/.test(text));
  if (found.length === 0) return missing('Failures of TLS are not reported.');
  if (found.length > 1) return wrong(found, 'Of several records none counts; leave one.');
  if (!tagsOf(found[0] ?? '').get('rua')) return wrong(found, `It names nowhere to report to; it must be ${value}.`);
  return ok(found);
}

async function stsVerdict(name: string, { value }: DnsRecord, resolve: DnsResolver): Promise<Verdict> {
  const found = (await txtRecords(resolve, name)).filter((text) => /^v=STSv1\s*;/.test(text));
  if (found.length === 0) return missing('Other servers do not know that there is a policy.');
  if (found.length > 1) return wrong(found, 'Of several records none counts; leave one.');
  if (tagsOf(found[0] ?? '').get('id') !== tagsOf(value).get('id')) {
    return wrong(found, 'The id is that of another policy, so servers that know it do not read the current one.');
  }
  return ok(found);
}

async function policyHostVerdict(name: string, resolve: DnsResolver): Promise<Verdict> {
  const found = await addressesOf(name, resolve);
  return found.length > 0 ? ok(found) : missing('Other servers cannot fetch the policy.');
}

async function policyCheck(of: MailDomain, fetch: FetchText | undefined): Promise<readonly RecordCheck[]> {
  const file = stsFile(of);
  if (file === undefined || fetch === undefined) return [];
  const lines = (text: string): string => text.trim().replaceAll('\r\n', '\n');
  const verdict = await fetch(file.url).then(
    (text): Verdict => {
      const found = [lines(text).slice(0, 1_000)];
      return lines(text) === lines(file.text)
        ? ok(found)
        : wrong(found, 'It is another policy than the one of this service.');
    },
    () => missing('It could not be fetched; the name needs a valid certificate.'),
  );
  return [{ about: 'mta-sts', name: file.url, type: 'HTTPS', expected: lines(file.text), ...verdict }];
}

/** The name of an address for a reverse look-up (RFC 1035, section 3.5; RFC 3596, section 2.5). */
function reverseName(address: string): string {
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return `${parsed.toByteArray().reverse().join('.')}.in-addr.arpa`;
  const digits = parsed
    .toByteArray()
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return `${digits.split('').reverse().join('.')}.ip6.arpa`;
}

async function hostChecks({ host, relay }: MailDomain, resolve: DnsResolver): Promise<readonly RecordCheck[]> {
  let addresses: readonly string[] = [];
  const named = await guarded(async () => {
    // RFC 5321, section 5.1: an MX record may not name an alias.
    const alias = await resolve(host, 'CNAME').catch(() => []);
    addresses = await addressesOf(host, resolve);
    if (addresses.length === 0) return missing('Without an address of the host nothing reaches it.');
    if (!Array.isArray(alias) || alias.length === 0) return ok(addresses);
    return wrong([...addresses], 'The host is an alias (CNAME), which an MX record must not name; give it addresses.');
  });
  const expected = 'the public addresses of this machine';
  const checks: RecordCheck[] = [{ about: 'host', name: host, type: 'A', expected, ...named }];
  if (relay !== undefined) return checks;
  for (const address of addresses) {
    const name = reverseName(address);
    const verdict = await guarded(async () => {
      const found = (await texts(resolve, name, 'PTR')).map((one) => one.toLowerCase().replace(/\.$/, ''));
      if (found.length === 0)
        return missing(`Many servers refuse mail from ${address} until it has a name; its provider sets it.`);
      if (!found.includes(host.toLowerCase()))
        return wrong(found, `The name of ${address} should be ${host}; its provider sets it.`);
      return ok(found);
    });
    checks.push({ about: 'reverse', name, type: 'PTR', expected: host, ...verdict });
  }
  return checks;
}
