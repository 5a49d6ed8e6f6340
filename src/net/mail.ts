import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Deliver, Mail, MailTarget } from '../core/delivery/service-mail.ts';
import type { DeliveryResult } from '../core/ports/delivery.ts';

/** The sender of mail; the display name may be ''. */
export interface From {
  readonly name: string;
  readonly address: string;
}

/** The transport of external mail. */
export interface MailOut extends Disposable {
  readonly place: MailTarget;
  readonly deliver: Deliver;
}

/** Time limits in ms: to connect and greet, for each response, and for one mail altogether. */
export interface Patience {
  readonly connect: number;
  readonly silence: number;
  readonly mail: number;
}
const PATIENCE: Patience = { connect: 10_000, silence: 20_000, mail: 60_000 };
/** Maximum number of connections to the server, and how long an idle one is kept. */
const CONNECTIONS = 5;
const IDLE_MS = 30_000;

/**
 * An address that may be sent to: no spaces, quotes or syntax characters before the `@`, and a domain (RFC 5321, section
 * 4.1.2). It can name only one recipient and add no header, even if earlier checks failed.
 */
const PLAIN_ADDRESS = /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@[a-z0-9.-]{1,253}$/iu;
const NO_ADDRESS: DeliveryResult = { kind: 'failed', permanent: true, reason: 'not an address of mail' };
/** Commands whose refusal is about the mail; refusals of others are about the connection. */
const OF_THE_MAIL = /^(?:MAIL FROM|RCPT TO|DATA)/;

/** The input from which nodemailer composes a message; nothing of it is read from files or URLs. */
const composed = (mail: Mail, from: From) => ({
  from,
  to: { name: '', address: mail.to },
  envelope: { from: from.address, to: mail.to },
  // A mail may be sent twice when the first delivery is uncertain; the id identifies the duplicate (RFC 5322, section
  // 3.6.4).
  messageId: `<${mail.id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  // Prevents automatic replies such as absence notes (RFC 3834, section 5).
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  xMailer: false as const,
  disableFileAccess: true,
  disableUrlAccess: true,
});

/**
 * Mail by SMTP (RFC 5321) through the server in `url`: `smtp://` requires an upgrade to TLS unless the server is on this
 * machine; `smtps://` begins with TLS. Distinguishes permanent refusals (5yz to the sender, the recipient or the message)
 * from temporary ones.
 */
export function smtpMail(url: string, from: From, patience: Patience = PATIENCE): MailOut {
  const { protocol, hostname, port, username, password } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const here = isLoopback(host);
  const connect = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      pool: true,
      host,
      port: port === '' ? undefined : Number(port),
      secure: protocol === 'smtps:',
      requireTLS: !here,
      // A server on the same machine may have a certificate that is not publicly trusted; the connection does not leave
      // the machine.
      tls: here ? { rejectUnauthorized: false } : {},
      auth: username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      maxConnections: CONNECTIONS,
      // Retries are made by the durable delivery queue.
      maxRequeues: 0,
      idleTimeout: IDLE_MS,
      connectionTimeout: patience.connect,
      greetingTimeout: patience.connect,
      socketTimeout: patience.silence,
    });
  };
  let transport: ReturnType<typeof connect> | undefined;
  return {
    place: { kind: 'smtp' },
    async deliver(mail, signal) {
      if (!PLAIN_ADDRESS.test(mail.to)) return NO_ADDRESS;
      try {
        transport ??= connect();
        const limit = AbortSignal.any([signal, AbortSignal.timeout(patience.mail)]);
        await (await transport).sendMail({ ...composed(mail, from), signal: limit });
        return { kind: 'sent' };
      } catch (error) {
        return failed(error);
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

/** Uses codes only, because a server's text may name the address. */
function failed(error: unknown): DeliveryResult {
  const { code, originalCode, responseCode, command, permanent } = error as {
    readonly code?: string;
    readonly originalCode?: string;
    readonly responseCode?: number;
    readonly command?: string;
    readonly permanent?: boolean;
  };
  const said = [originalCode ?? code ?? 'unknown', responseCode, command].filter((word) => word !== undefined);
  return {
    kind: 'failed',
    permanent: permanent === true && OF_THE_MAIL.test(command ?? ''),
    reason: said.join(' '),
  };
}

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);

/**
 * Mail for a service without an SMTP server: each is written as a file (RFC 5322) in `folder`, readable only by its
 * owner, and printed with `print` for people who try the service out. The same mail twice is one file.
 */
export function outboxMail(folder: string, from: From, print: (text: string) => void): MailOut {
  return {
    place: { kind: 'outbox', folder },
    async deliver(mail) {
      if (!PLAIN_ADDRESS.test(mail.to)) return NO_ADDRESS;
      try {
        const { createTransport } = await import('nodemailer');
        const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
        const { message } = await composer.sendMail(composed(mail, from));
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const path = join(folder, `${mail.id}.eml`);
        await putFile(path, message as Buffer);
        print(printable(mail, path));
        return { kind: 'sent' };
      } catch (error) {
        return failed(error);
      }
    },
    [Symbol.dispose]: () => {},
  };
}

/** Readers see either no file or the complete one. */
async function putFile(path: string, content: Buffer): Promise<void> {
  const part = `${path}.part`;
  await using file = await open(part, 'w', 0o600);
  await file.writeFile(content);
  await file.sync();
  await rename(part, path);
}

/** The mail for a terminal, with control characters removed. */
function printable({ to, subject, text }: Mail, path: string): string {
  const lines = [
    `Mail to ${to} (no SMTP_URL is set: it was not sent, and is in ${path})`,
    subject,
    '',
    ...text.trim().split('\n'),
  ];
  const plain = lines.map((line) => stripVTControlCharacters(line).replace(/[\p{Cc}\p{Bidi_Control}]/gu, ''));
  return `\n${plain.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`;
}
