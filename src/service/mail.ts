import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import type { MailOut } from '../net/mail.ts';
import { outboxMail, smtpMail } from '../net/mail.ts';

/** Where mail to the outside goes. */
export function makeMail(config: Config, print: (text: string) => void = () => {}): MailOut {
  const { SMTP_URL, DATABASE_URL, OUTBOX } = config;
  const from = config.MAIL_FROM ?? { name: '', address: `sign-in@${config.MAIL_DOMAIN}` };
  if (SMTP_URL !== undefined) return smtpMail(SMTP_URL, from);
  const file = DATABASE_URL.startsWith('sqlite:') ? DATABASE_URL.slice('sqlite:'.length) : 'data/mailroom.db';
  return outboxMail(OUTBOX ?? join(dirname(file), 'outbox'), from, print);
}
