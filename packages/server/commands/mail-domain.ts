import type { Config } from '../config.ts';
import type { DkimKeys } from '../mail/writing/dkim-keys.ts';
import type { MailDomain } from '../mail/writing/records.ts';
import { isLoopback } from '../net/loopback.ts';
import { mailHost } from '../settings/email.ts';

/** Whether mail leaves through a server elsewhere; one on this machine sends from the addresses of this machine. */
export const isRelayed = ({ SMTP_URL }: Pick<Config, 'SMTP_URL'>): boolean =>
  SMTP_URL !== undefined && !isLoopback(new URL(SMTP_URL).hostname);

/** Whether addresses are of this machine alone, so that DNS has nothing to say of them. */
export const isLocalDomain = ({ MAIL_DOMAIN }: Pick<Config, 'MAIL_DOMAIN'>): boolean =>
  /(?:^|\.)localhost$/.test(MAIL_DOMAIN);

/** The mail domain of the settings, for its DNS records. */
export const mailDomainOf = (
  config: Pick<Config, 'MAIL_DOMAIN' | 'BASE_URL' | 'SMTP_URL' | 'MTA_STS'>,
  keys: readonly DkimKeys[],
  {
    host = mailHost(config),
    includes = [],
    reports,
    sts = config.MTA_STS as MailDomain['sts'],
  }: {
    readonly host?: string | undefined;
    readonly includes?: readonly string[];
    readonly reports?: string | undefined;
    readonly sts?: MailDomain['sts'];
  } = {},
): MailDomain => ({
  domain: config.MAIL_DOMAIN,
  namespaces: true,
  host: host.toLowerCase(),
  keys: keys.flat(),
  sts,
  ...(isRelayed(config) && { relay: { includes } }),
  ...(reports !== undefined && { reports }),
});
