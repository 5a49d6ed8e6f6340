import { createHash } from 'node:crypto';
import { type DkimKey, dkimRecord } from './dkim.ts';

/** A domain whose mail is handled here. */
export interface MailDomain {
  readonly domain: string;
  /** Whether addresses are in the domains below it, as those of namespaces are. */
  readonly namespaces: boolean;
  /** The name of the machine that takes the mail, and sends it unless a relay does. */
  readonly host: string;
  readonly keys: readonly DkimKey[];
  /** Whether mail leaves through a relay, and the names for `include:` in SPF that its operator documents. */
  readonly relay?: { readonly includes: readonly string[] };
  /** Where reports of other servers go (DMARC, TLS); without it none are asked for. */
  readonly reports?: string;
  /** How other servers are to treat a missing or wrong certificate (MTA-STS); `off` while there is none. */
  readonly sts: 'enforce' | 'testing' | 'off';
}

export interface DnsRecord {
  /** What it is about, as checks and people name it. */
  readonly about: 'mx' | 'spf' | 'dkim' | 'dmarc' | 'mta-sts' | 'tls-rpt';
  /** The whole name, without a final dot. */
  readonly name: string;
  readonly type: 'MX' | 'TXT' | 'CNAME';
  /** Of an MX record `PREFERENCE HOST`; of a TXT record the text without quotes. */
  readonly value: string;
  /** One sentence for people. */
  readonly purpose: string;
}

/** The policy of MTA-STS as HTTPS serves it. */
export interface StsFile {
  readonly url: string;
  readonly text: string;
}

const PREFERENCE = 10;
const TTL = 3_600;
/** A week, in seconds: RFC 8461, section 3.2 recommends weeks or more. */
const STS_MAX_AGE = 604_800;
/** The longest string of a TXT record (RFC 1035, section 3.3.14). */
const MAX_STRING = 255;

/** The policy file of MTA-STS (RFC 8461, section 3.2), which is served at `url`; undefined while it is off. */
export function stsFile({ domain, host, sts }: Pick<MailDomain, 'domain' | 'host' | 'sts'>): StsFile | undefined {
  if (sts === 'off') return undefined;
  return {
    url: `https://mta-sts.${domain}/.well-known/mta-sts.txt`,
    text: `version: STSv1\r\nmode: ${sts}\r\nmx: ${host}\r\nmax_age: ${STS_MAX_AGE}\r\n`,
  };
}

/** The records to publish for a domain: MX, SPF, DKIM, DMARC, MTA-STS and TLS-RPT. */
export const mailRecords = (domain: MailDomain): readonly DnsRecord[] => [
  ...mxRecordsOf(domain),
  ...spfRecords(domain),
  ...domain.keys.map((key) => dkim(domain.domain, key)),
  ...dmarcRecords(domain),
  ...stsRecords(domain),
  ...reportRecords(domain),
];

const below = ({ domain }: MailDomain): string => `*.${domain}`;

const mxRecordsOf = (domain: MailDomain): DnsRecord[] => {
  const mx = { about: 'mx', type: 'MX', value: `${PREFERENCE} ${domain.host}` } as const;
  if (!domain.namespaces)
    return [{ ...mx, name: domain.domain, purpose: 'Mail to the addresses comes to this machine.' }];
  return [
    { ...mx, name: below(domain), purpose: 'Mail to the addresses of every namespace comes to this machine.' },
    { ...mx, name: domain.domain, purpose: 'Notices of mail that could not be delivered come to this machine.' },
  ];
};

function spfRecords({ domain, host, relay }: MailDomain): DnsRecord[] {
  const senders = relay === undefined ? [`a:${host}`] : relay.includes.map((name) => `include:${name}`);
  const spf = {
    about: 'spf',
    type: 'TXT',
    name: domain,
    value: `v=spf1 ${[...senders, relay !== undefined && senders.length === 0 ? '~all' : '-all'].join(' ')}`,
    purpose:
      relay === undefined
        ? 'Mail of the domain comes from this machine and no other (SPF).'
        : 'Mail of the domain comes from the relay (SPF); its operator says which name to include.',
  } as const;
  const hostSpf = {
    ...spf,
    name: host,
    value: 'v=spf1 a -all',
    purpose: 'The name by which this machine greets other servers is its own (SPF).',
  };
  return relay === undefined && host !== domain ? [spf, hostSpf] : [spf];
}

function dkim(domain: string, key: DkimKey): DnsRecord {
  const { name, value } = dkimRecord(key);
  const kind = key.algorithm === 'rsa-sha256' ? 'RSA' : 'Ed25519';
  return {
    about: 'dkim',
    name: `${name}.${domain}`,
    type: 'TXT',
    value,
    purpose: `The key that verifies the signatures of ${key.selector} (DKIM, ${kind}).`,
  };
}

function dmarcRecords(domain: MailDomain): DnsRecord[] {
  const rua = domain.reports === undefined ? '' : `; rua=mailto:${domain.reports}`;
  const dmarc = { about: 'dmarc', type: 'TXT', value: `v=DMARC1; p=reject; adkim=r; aspf=r${rua}` } as const;
  const all = {
    ...dmarc,
    name: `_dmarc.${domain.domain}`,
    purpose: 'Mail that claims to be of the domain and is not signed by it is refused (DMARC).',
  };
  if (!domain.namespaces) return [all];
  return [
    all,
    // Matches `_dmarc` below every namespace; receivers that follow RFC 7489 do not look at the domains in between.
    { ...dmarc, name: below(domain), purpose: 'The same for the domains of all namespaces.' },
  ];
}

function stsRecords(domain: MailDomain): DnsRecord[] {
  const file = stsFile(domain);
  if (file === undefined) return [];
  const id = createHash('sha256').update(file.text).digest('hex').slice(0, 20);
  const about = 'mta-sts';
  return [
    {
      ...{ about, type: 'TXT', name: `_mta-sts.${domain.domain}`, value: `v=STSv1; id=${id}` },
      purpose: 'Other servers send to this machine over verified TLS only (MTA-STS); the id changes with the policy.',
    },
    {
      ...{ about, type: 'CNAME', name: `mta-sts.${domain.domain}`, value: domain.host },
      purpose: `The policy is served at ${file.url}, with a certificate of that name.`,
    },
  ];
}

const reportRecords = ({ domain, reports }: MailDomain): DnsRecord[] =>
  reports === undefined
    ? []
    : [
        {
          ...{ about: 'tls-rpt', type: 'TXT', name: `_smtp._tls.${domain}` },
          value: `v=TLSRPTv1; rua=mailto:${reports}`,
          purpose: 'Other servers report when TLS to this machine fails (TLS-RPT).',
        },
      ];

/** The records as lines of a zone file (RFC 1035, section 5), each after a comment with its purpose. */
export const zoneText = (records: readonly DnsRecord[]): string =>
  records
    .map(({ name, type, value, purpose }) => `; ${purpose}\n${name}. ${TTL} IN ${type} ${zoneValue(type, value)}\n`)
    .join('');

function zoneValue(type: DnsRecord['type'], value: string): string {
  if (type !== 'TXT') return `${value}.`;
  const strings: string[] = [];
  for (let at = 0; at < value.length; at += MAX_STRING) strings.push(value.slice(at, at + MAX_STRING));
  return strings.map((string) => `"${string.replace(/["\\]/g, '\\$&')}"`).join(' ');
}
