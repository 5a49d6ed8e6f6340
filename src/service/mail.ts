import { Resolver } from 'node:dns/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { MailTarget } from '../core/delivery/service-mail.ts';
import type { Store } from '../core/ports/store.ts';
import type { Clock } from '../core/values/clock.ts';
import { html } from '../http/html.ts';
import type { SignOptions } from '../mail/writing/dkim.ts';
import type { DnsResolver } from '../mail/writing/dns.ts';
import { stsStored } from '../mail/writing/mta-sts.ts';
import { stsFile } from '../mail/writing/records.ts';
import type { MailOut } from '../mail/writing/transport.ts';
import { mxMail, outboxMail, relayMail } from '../mail/writing/transport.ts';
import type { MailWriter } from '../mail/writing/writer.ts';
import type { TakesMail } from '../transports/web/words.ts';
import { signingKeys } from './dkim-keys.ts';

/** How long a try of a question to name servers may take. */
const DNS_MS = 5_000;

/** The name for EHLO and in what is written about a mail: the host of BASE_URL, else of this machine. */
export const mailHost = ({ BASE_URL, MAIL_DOMAIN }: Config): string =>
  BASE_URL === undefined ? (MAIL_DOMAIN.endsWith('.localhost') ? 'localhost' : hostname()) : new URL(BASE_URL).hostname;

/** The policy of MTA-STS that is published here; undefined while there is none. */
export const ownStsPolicy = (config: Config): string | undefined =>
  stsFile({ domain: config.MAIL_DOMAIN, host: mailHost(config).toLowerCase(), sts: config.MTA_STS })?.text;

/** Asks the name servers of the settings, or of the system. */
export function mailResolver({ DNS_SERVERS }: Config): DnsResolver {
  const resolver = new Resolver({ timeout: DNS_MS, tries: 2 });
  if (DNS_SERVERS.length > 0) resolver.setServers(DNS_SERVERS);
  return (name, type) => resolver.resolve(name, type);
}

/** The transport of external mail. */
export function makeMail(
  config: Config,
  { states, clock, writer }: Pick<Store, 'states'> & { readonly clock: Clock; readonly writer: MailWriter },
  print: (text: string) => void = () => {},
): MailOut {
  const { SMTP_URL, DATABASE_URL, OUTBOX } = config;
  if (SMTP_URL !== undefined) return relayMail(SMTP_URL);
  if (config.MAIL_OUT === 'mx') {
    const policies = stsStored(states, clock);
    return mxMail({ resolve: mailResolver(config), name: mailHost(config), policies });
  }
  const file = DATABASE_URL.startsWith('sqlite:') ? DATABASE_URL.slice('sqlite:'.length) : 'data/mailroom.db';
  return outboxMail(OUTBOX ?? join(dirname(file), 'outbox'), print, writer);
}

/** How mail is signed with the keys of the mail domain (RFC 6376), which are made with the first mail; not in an outbox. */
export function mailSigning(
  config: Config,
  { secrets }: Pick<Store, 'secrets'>,
  { kind }: MailTarget,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): () => Promise<SignOptions | undefined> {
  if (kind === 'outbox') return async () => undefined;
  const { MAIL_DOMAIN: domain } = config;
  const onChanged = (selectors: readonly string[]): void =>
    log.info({ domain, selectors }, 'mail is signed with other keys');
  const keys = signingKeys(domain, { secrets, resolve: mailResolver(config), clock, onChanged });
  return async () => ({ domain, keys: await keys() });
}

/** From where e-mail to the addresses arrives, as pages say it; none outside this machine knows a name below `localhost`. */
export const takesMailOf = ({ SMTP_LISTEN, MAIL_DOMAIN }: Config): TakesMail =>
  SMTP_LISTEN === undefined ? 'no' : /(?:^|\.)localhost$/.test(MAIL_DOMAIN) ? 'machine' : 'anywhere';

/** The sender of mail of the service. */
export const serviceSender = ({ MAIL_FROM, MAIL_DOMAIN }: Config) =>
  MAIL_FROM ?? { name: '', address: `sign-in@${MAIL_DOMAIN}` };

/** The first address of a `mailto:` URI (RFC 6068); undefined for any other URI. */
export function mailtoAddress(uri: string | undefined): string | undefined {
  const url = uri === undefined ? null : URL.parse(uri);
  if (url?.protocol !== 'mailto:') return undefined;
  const [first = ''] = url.pathname.split(',');
  return first === '' ? undefined : decoded(first).toLowerCase();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A plain text as the HTML part of a mail. */
export const asMailHtml = (text: string): string =>
  html`<!doctype html><meta charset="utf-8"><pre style="white-space:pre-wrap;font:inherit">${text}</pre>`.text;
