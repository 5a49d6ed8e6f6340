import { SECOND } from '@mailroom/behavior/values/clock';
import type { Config } from '../config.ts';
import { VERSION } from '../core/values/version.ts';
import { stsFile } from '../mail/writing/records.ts';
import { mailHost } from '../settings/email.ts';
import { examplesOf } from '../transports/web/examples.ts';
import { frame } from '../transports/web/layout.ts';
import type { TakesMail } from '../transports/web/words.ts';
import { HOUSE } from './house.ts';

/** The heartbeat keeps a silent stream from being closed while its reader pauses. */
const HEARTBEAT_MS = 15 * SECOND;

/** From where e-mail to the addresses arrives, as pages say it; none outside this machine knows a name below `localhost`. */
const takesMailOf = ({ SMTP_LISTEN, MAIL_DOMAIN }: Config): TakesMail =>
  SMTP_LISTEN === undefined ? 'no' : /(?:^|\.)localhost$/.test(MAIL_DOMAIN) ? 'machine' : 'anywhere';

/** What the parts of the service see of its settings, and what is the same with all settings. */
export const settingsOf = (config: Config) => ({
  mailDomain: config.MAIL_DOMAIN,
  /** The name of the namespace of the service itself. */
  house: config.HOUSE_NAMESPACE,
  names: HOUSE,
  rateLimits: config.RATE_LIMITS,
  securityContact: config.SECURITY_CONTACT,
  takesMail: takesMailOf(config),
  /** The policy of MTA-STS that is published here; undefined while there is none. */
  stsPolicy: stsFile({ domain: config.MAIL_DOMAIN, host: mailHost(config).toLowerCase(), sts: config.MTA_STS })?.text,
  sizes: {
    body: config.LIMIT_BODY,
    guestBody: config.LIMIT_GUEST_BODY,
    data: config.LIMIT_DATA,
    json: config.LIMIT_JSON,
  },
  max_mailboxes: config.LIMIT_MAILBOXES,
  sync_ms: config.SYNC_SECONDS * SECOND,
  heartbeat_ms: Math.min(HEARTBEAT_MS, (config.REQUEST_SECONDS * SECOND) / 2),
  version: VERSION,
  frame,
  examplesOf,
});
