import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { html } from '../http/html.ts';
import type { MailOut } from '../net/mail.ts';
import { outboxMail, smtpMail } from '../net/mail.ts';

/** The transport of external mail. */
export function makeMail(config: Config, print: (text: string) => void = () => {}): MailOut {
  const { SMTP_URL, DATABASE_URL, OUTBOX } = config;
  const from = config.MAIL_FROM ?? { name: '', address: `sign-in@${config.MAIL_DOMAIN}` };
  if (SMTP_URL !== undefined) return smtpMail(SMTP_URL, from);
  const file = DATABASE_URL.startsWith('sqlite:') ? DATABASE_URL.slice('sqlite:'.length) : 'data/mailroom.db';
  return outboxMail(OUTBOX ?? join(dirname(file), 'outbox'), from, print);
}

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
