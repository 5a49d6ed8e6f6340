import { accessSync, constants } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { DOMAIN, KiB, networks, oneOf, type Setting, whole } from './parse.ts';

/** `HOST:PORT`, the host in brackets where it is an IPv6 address. */
const listen = (value: string) => {
  if (value === 'off') return { value: undefined };
  const [, host = '', port = ''] = /^(\[[0-9a-f:.]+\]|[0-9a-z._-]+):(\d{1,5})$/i.exec(value) ?? [];
  return host !== '' && Number(port) <= 65_535
    ? { value: { host: host.replace(/^\[|\]$/g, ''), port: Number(port) } }
    : { must: 'must be HOST:PORT, such as 0.0.0.0:25 or [::]:25, or off' };
};

/** Addresses to listen on, separated by commas, each with `smtps://` where connections begin with TLS. */
const submission = (value: string) => {
  if (value === 'off') return { value: [] };
  const all = value.split(',').map((part) => {
    const [, scheme, rest = ''] = /^(smtps:\/\/)?(.*)$/i.exec(part.trim()) ?? [];
    const read = listen(rest);
    return 'value' in read && read.value !== undefined ? { ...read.value, tls: scheme !== undefined } : undefined;
  });
  const several = all.filter((one) => one !== undefined);
  return several.length === all.length
    ? { value: several }
    : { must: 'must be HOST:PORT, such as 0.0.0.0:587, or smtps://0.0.0.0:465, or both with a comma, or off' };
};

const file = (value: string) => {
  try {
    accessSync(value, constants.R_OK);
    return { value };
  } catch {
    return { must: 'must be a file that can be read' };
  }
};

const dnsServers = (value: string) => {
  const parts = value.split(',').map((part) => part.trim());
  return parts.every((part) => /^(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|\[[0-9a-f:.]+\](?::\d{1,5})?)$/i.test(part))
    ? { value: parts }
    : { must: 'must be IP addresses with or without a port, such as 9.9.9.9 or 127.0.0.1:5353, separated by commas' };
};

/** Host, port and credentials of a server; other parts of the URL would have no meaning. */
const smtp = (value: string) => {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const plain =
    parsed !== undefined &&
    /^smtps?:$/.test(parsed.protocol) &&
    parsed.hostname !== '' &&
    /^\/?$/.test(parsed.pathname) &&
    parsed.search === '' &&
    parsed.hash === '' &&
    (parsed.username === '') === (parsed.password === '') &&
    isDecodable(parsed.username + parsed.password);
  return plain ? { value } : { must: 'must be smtp://HOST:PORT or smtps://HOST:PORT, with USER:PASSWORD@ before HOST' };
};

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Where a server is reached; credentials and a query would have no meaning. */
const http = (value: string) => {
  const url = URL.parse(value);
  const plain =
    url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
  return plain ? { value } : { must: 'must be http://HOST:PORT or https://HOST:PORT' };
};

/**
 * `address` or `name <address>` (RFC 5322, section 3.4); the name in any script, without characters that would end a
 * header.
 */
const mailFrom = (value: string) => {
  const [, name = '', long, short] = /^(?:"?([^\p{C}<>"]*?)"?\s*<([^<>]*)>|([^<>]*))$/u.exec(value) ?? [];
  const address = long ?? short ?? '';
  const [local = '', domain = '', ...more] = address.split('@');
  return more.length === 0 && /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}$/.test(local) && DOMAIN.test(domain)
    ? { value: { name: name.trim(), address } }
    : { must: 'must be an address, or a name and an address: Sign-in <sign-in@example.org>' };
};

/** Each with its default, its meaning and its parser. */
export const emailSettings = {
  MAIL_DOMAIN: {
    default: 'mailroom.localhost',
    meaning: 'the right-most part of every address; not stored, so it can change',
    parse: (value) => (DOMAIN.test(value) ? { value: value.toLowerCase() } : { must: 'must be a domain name' }),
  },
  SMTP_LISTEN: {
    default: '127.0.0.1:2525',
    meaning: 'where mail is received by SMTP, such as 0.0.0.0:25; off: nowhere. A busy port is a warning',
    parse: listen,
  },
  SMTP_PROTOCOL: {
    default: 'smtp',
    meaning: 'smtp, or lmtp behind another mail server',
    parse: oneOf('smtp', 'lmtp'),
  },
  SMTP_TLS_CERT: {
    default: undefined,
    meaning: 'the file with the certificate chain (PEM) for STARTTLS; without it mail is received unencrypted',
    parse: file,
  },
  SMTP_TLS_KEY: { default: undefined, meaning: 'the file with its private key (PEM)', parse: file },
  SMTP_TRUSTED: {
    default: undefined,
    meaning:
      'addresses or networks (comma-separated) whose mail counts as verified without proof, or none (default: this machine while MAIL_DOMAIN ends in .localhost)',
    parse: (value) => (value === 'none' ? { value: [] } : networks(value)),
  },
  SUBMISSION_LISTEN: {
    default: 'off',
    meaning:
      'where mail programs send, such as 0.0.0.0:587 (with STARTTLS) or smtps://0.0.0.0:465 (with TLS from the beginning); needs SMTP_TLS_CERT',
    parse: submission,
  },
  SMTP_URL: {
    default: undefined,
    meaning:
      'the server that takes mail to the outside: smtp://USER:PASSWORD@HOST:PORT (with STARTTLS) or smtps://…; without it mail goes to OUTBOX and standard output',
    parse: smtp,
  },
  MAIL_OUT: {
    default: undefined,
    meaning: 'mx sends mail to the servers of its recipients, where there is no SMTP_URL',
    parse: oneOf('mx'),
  },
  MTA_STS: {
    default: 'off',
    meaning: 'enforce or testing: the policy for servers that send here (RFC 8461), served at mta-sts.MAIL_DOMAIN',
    parse: oneOf('enforce', 'testing', 'off'),
  },
  MAIL_FROM: {
    default: undefined,
    meaning: 'who mail is from: an address, or NAME <ADDRESS> (default sign-in@MAIL_DOMAIN)',
    parse: mailFrom,
  },
  OUTBOX: {
    default: undefined,
    meaning: 'the folder for mail while there is no SMTP_URL (default `outbox` beside the SQLite file, or data/outbox)',
    parse: (value) => ({ value }),
  },
  DNS_SERVERS: {
    default: undefined,
    meaning: 'name servers (comma-separated) that are asked about mail domains (default: those of the system)',
    parse: dnsServers,
  },
  RSPAMD_URL: {
    default: undefined,
    meaning:
      'the normal worker of an rspamd that judges mail from outside, such as http://127.0.0.1:11333; without it no mail is spam',
    parse: http,
  },
  LIMIT_MAIL: {
    default: String(25 * KiB * KiB),
    meaning: 'bytes of a mail that is received',
    parse: whole(KiB, 256 * KiB * KiB),
  },
  LIMIT_MAIL_CONNECTIONS: {
    default: '2000',
    meaning:
      'connections that each port for mail has open; beyond it the one without a mail for longest makes way. 50 of one IP address (per /64 for IPv6)',
    parse: whole(1, 1e6),
  },
  LIMIT_MAIL_STORAGE: {
    default: String(KiB ** 3),
    meaning:
      'bytes of mails of strangers from one IP address (per /64 for IPv6), and of one domain that is proven, per UTC day; at most half of what a namespace may store is theirs, and half of that of one of them a day',
    parse: whole(KiB, 1e15),
  },
  LIMIT_ANSWERS_PER_HOUR: {
    default: '60',
    meaning: 'automatic answers by mail to one address from one mailbox per hour',
    parse: whole(1, 1e6),
  },
  LIMIT_MAILS_PER_DAY: {
    default: '100',
    meaning: 'mails of a namespace to addresses outside per UTC day, answers to mail not counted',
    parse: whole(1, 1e6),
  },
} satisfies Readonly<Record<string, Setting<unknown>>>;

/** The name for EHLO and in what is written about a mail: the host of BASE_URL, else of this machine. */
export const mailHost = ({
  BASE_URL,
  MAIL_DOMAIN,
}: {
  readonly BASE_URL: string | undefined;
  readonly MAIL_DOMAIN: string;
}): string =>
  BASE_URL === undefined ? (MAIL_DOMAIN.endsWith('.localhost') ? 'localhost' : hostname()) : new URL(BASE_URL).hostname;

const LOOPBACK = ['127.0.0.0/8', '::1'];

/** The networks whose senders need no proof. */
export const trustedSenders = ({
  SMTP_TRUSTED,
  MAIL_DOMAIN,
}: {
  readonly SMTP_TRUSTED: readonly string[] | undefined;
  readonly MAIL_DOMAIN: string;
}): readonly string[] =>
  SMTP_TRUSTED ?? (MAIL_DOMAIN.endsWith('.localhost') || MAIL_DOMAIN === 'localhost' ? LOOPBACK : []);

/** The folder of the SQLite file; with PostgreSQL, that of files which the service keeps on its own machine. */
export const dataFolder = (databaseUrl: string): string =>
  databaseUrl.startsWith('sqlite:') ? dirname(databaseUrl.slice('sqlite:'.length)) : 'data';

/** The file that a backup of the SQLite file writes, so that its age is known; undefined with PostgreSQL. */
export const backupMark = (databaseUrl: string): string | undefined =>
  databaseUrl.startsWith('sqlite:') ? `${databaseUrl.slice('sqlite:'.length)}.backed-up` : undefined;
