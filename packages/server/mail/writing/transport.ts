import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { MailTarget } from '../../core/outgoing/service-mail.ts';
import type { DeliveryResult } from '../../core/ports/delivery.ts';
import type { OutgoingEmail } from '../../core/ports/email-transport.ts';
import { isLoopback } from '../../net/loopback.ts';
import type { SignOptions } from './dkim.ts';
import { failureOf, NO_ADDRESS } from './failure.ts';
import { wireAddress } from './headers.ts';
import { type MxOptions, mxDelivery } from './mx.ts';
import { CLOSE_MS, MAX_RESPONSE, type OutgoingMail, type Patience } from './session.ts';
import type { MailWriter } from './writer.ts';

/** A way out for mail. */
export interface MailOut extends Disposable {
  readonly place: MailTarget;
  /** Of an outbox: the file of a mail with this id. */
  readonly fileOf?: (id: string) => string;
  /** Hands the mail on until `signal` aborts. Never rejects. May be called for the same mail twice. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<DeliveryResult>;
  /** As `send`, for what mailboxes write, where there are other ways than mail: it is composed when it leaves as one. */
  readonly offer?: (mail: OfferedMail, signal: AbortSignal) => Promise<DeliveryResult>;
}

/** What a mailbox writes, before it is a mail. */
export interface OfferedMail {
  readonly email: OutgoingEmail;
  /** By what it is signed for the domain in From. */
  signing(): Promise<SignOptions | undefined>;
  compose(): Promise<OutgoingMail>;
  /** A mail with a signature more, of now. */
  sign(message: Buffer): Promise<Buffer>;
}

const PATIENCE: Patience = { connect: 10_000, silence: 20_000, mail: 60_000 };
/** Maximum number of connections to the relay, and how long an idle one is kept. */
const CONNECTIONS = 5;
const IDLE_MS = 30_000;

/**
 * How the server in `url` is connected to: `smtp://` requires an upgrade to TLS unless the server is on this machine;
 * `smtps://` begins with TLS.
 */
export function relayOptions(url: string, patience: Patience = PATIENCE) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const here = isLoopback(host);
  return {
    host,
    port: port === '' ? undefined : Number(port),
    secure: protocol === 'smtps:',
    requireTLS: !here,
    // A server on the same machine may have a certificate that is not publicly trusted; the connection does not leave
    // the machine.
    tls: here ? { rejectUnauthorized: false } : {},
    auth: username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    connectionTimeout: patience.connect,
    greetingTimeout: patience.connect,
    socketTimeout: patience.silence,
    maxResponseSize: MAX_RESPONSE,
    socketCloseTimeout: CLOSE_MS,
  };
}

/**
 * Mail by SMTP (RFC 5321) through the server in `url`, as `relayOptions`. Distinguishes permanent refusals (5yz to the
 * sender, the recipient or the message) from temporary ones.
 */
export function relayMail(url: string, patience: Patience = PATIENCE): MailOut {
  const connect = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      ...relayOptions(url, patience),
      pool: true,
      maxConnections: CONNECTIONS,
      // Retries are made by the durable delivery queue.
      maxRequeues: 0,
      idleTimeout: IDLE_MS,
    });
  };
  let transport: ReturnType<typeof connect> | undefined;
  return {
    place: { kind: 'smtp' },
    async send(mail, signal) {
      const to = wireAddress(mail.to);
      if (to === undefined) return NO_ADDRESS;
      try {
        transport ??= connect();
        const limit = AbortSignal.any([signal, AbortSignal.timeout(patience.mail)]);
        const envelope = { from: mail.return_path, to: [to] };
        await (await transport).sendMail({ envelope, raw: mail.message, signal: limit });
        return { kind: 'sent' };
      } catch (error) {
        return failureOf(error);
      }
    },
    [Symbol.dispose]() {
      transport?.then(
        (opened) => opened.close({ force: true }),
        () => {},
      );
    },
  };
}

/** Mail to the servers of each recipient's domain. */
export const mxMail = (options: MxOptions): MailOut => ({
  place: { kind: 'mx' },
  send: mxDelivery(options),
  [Symbol.dispose]: () => {},
});

/**
 * Mail for a service without an SMTP server: each is written as a file (RFC 5322) in `folder`, readable only by its
 * owner, and printed with `print` for people who try the service out. The same mail twice is one file.
 */
export const outboxMail = (
  folder: string,
  print: (text: string) => void,
  { put }: Pick<MailWriter, 'put'>,
): MailOut => {
  const fileOf = (id: string): string => join(folder, `${id.replace(/[^\w-]/g, '_')}.eml`);
  return {
    place: { kind: 'outbox', folder },
    fileOf,
    async send(mail) {
      if (wireAddress(mail.to) === undefined) return NO_ADDRESS;
      try {
        const path = fileOf(mail.id);
        if (mail.stored !== true) await put(path, mail.message);
        print(printable(mail, path));
        return { kind: 'sent' };
      } catch (error) {
        return failureOf(error);
      }
    },
    [Symbol.dispose]: () => {},
  };
};

const CONTROL = /[\p{Cc}\p{Bidi_Control}]/u;

/** A line without what controls a terminal. */
export const forTerminal = (line: string): string =>
  CONTROL.test(line) ? stripVTControlCharacters(line).replace(/[\p{Cc}\p{Bidi_Control}]/gu, '') : line;

/** The mail for a terminal, with control characters removed. */
function printable({ to, subject, text }: OutgoingMail, path: string): string {
  const lines = [
    `Mail to ${to} (no SMTP_URL is set: it was not sent, and is in ${path})`,
    subject,
    '',
    ...text.trim().split(/\r?\n/),
  ];
  return `\n${lines.map((line) => (line === '' ? '' : `  ${forTerminal(line)}`)).join('\n')}\n\n`;
}
