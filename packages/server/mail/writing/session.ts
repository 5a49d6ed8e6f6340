import { isAscii } from 'node:buffer';
import { connect, isIP, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { refusal } from './failure.ts';
import { needsUtf8 } from './headers.ts';

/** Time limits in ms: to connect and greet, for each response, and for one mail altogether. */
export interface Patience {
  readonly connect: number;
  readonly silence: number;
  readonly mail: number;
}

/** A complete mail (RFC 5322) on its way to one recipient. */
export interface OutgoingMail {
  /** Of its delivery: letters, digits, `_` and `-`. */
  readonly id: string;
  /** Where notices of its failure go; '' when there shall be none (RFC 5321, section 4.5.5). */
  readonly return_path: string;
  readonly to: string;
  readonly message: Buffer;
  /** It is in its file in the outbox already. */
  readonly stored?: boolean;
  /** What an outbox prints of it. */
  readonly subject: string;
  readonly text: string;
}

/** The server that is spoken to, and how. */
export interface Server {
  /** Its name, as MX records and certificates have it. */
  readonly host: string;
  readonly address: string;
  readonly port: number;
  /** Our own name, for EHLO. */
  readonly name: string;
  /** `verified`: TLS with a certificate of the host, or nothing. `opportunistic`: TLS where it is offered. */
  readonly tls: 'verified' | 'opportunistic' | 'none';
  readonly ca?: ConnectionOptions['ca'];
}

/** The handshake of TLS failed, so nothing was sent. */
export class TlsFailed extends Error {}

/** How long the server has to answer QUIT. */
const QUIT_MS = 5_000;
/** How long a server has to close its side after this one. */
export const CLOSE_MS = 1_000;
/** Maximum octets of one response: a server needs few, and each connection may hold that much. */
export const MAX_RESPONSE = 64 * 1024;

/**
 * Sends a mail to one server by SMTP (RFC 5321). Resolves when the server took it. Rejects with `TlsFailed`, with an error
 * for `failureOf`, or when `signal` aborts.
 */
export async function sendTo(
  server: Server,
  mail: OutgoingMail,
  patience: Patience,
  signal: AbortSignal,
): Promise<void> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const socket = await connected(server, patience.connect, signal);
  const connection = new SMTPConnection({
    connection: socket,
    host: server.host,
    port: server.port,
    name: server.name,
    ignoreTLS: server.tls === 'none',
    requireTLS: server.tls === 'verified',
    opportunisticTLS: server.tls === 'opportunistic',
    tls: {
      servername: isIP(server.host) === 0 ? server.host : '',
      rejectUnauthorized: server.tls === 'verified',
      ...(server.ca === undefined ? {} : { ca: server.ca }),
    },
    connectionTimeout: 2 * patience.connect,
    greetingTimeout: patience.connect,
    socketTimeout: patience.silence,
    maxResponseSize: MAX_RESPONSE,
    socketCloseTimeout: CLOSE_MS,
  });
  try {
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      connection.on('error', (error) =>
        reject(connection.upgrading ? new TlsFailed(undefined, { cause: error }) : error),
      );
      // A server that closes the connection between two responses.
      connection.on('end', () => reject(refusal('ECONNECTION', 'CONN', false)));
      connection.connect((error) => {
        const refused = error ?? unfit(connection.lastServerResponse, mail);
        if (refused !== undefined) return reject(refused);
        const { return_path: from, to, message } = mail;
        const envelope = { from, to: [to], size: message.length, use8BitMime: has8Bit(message) };
        connection.send(envelope, message, (failed) => (failed ? reject(failed) : resolve()));
      });
    });
    connection.quit();
    // The mail is delivered, whether or not the server says goodbye.
    setTimeout(() => connection.close(), QUIT_MS).unref();
  } catch (error) {
    connection.close();
    throw error;
  }
}

const has8Bit = (message: Buffer): boolean => !isAscii(message);

/** Why the server cannot take the mail, by the extensions it announced (RFC 1870, 6152 and 6531). */
function unfit(announced: string | false, mail: OutgoingMail): Error | undefined {
  const response = announced || '';
  const size = Number(/^250[ -]SIZE[ \t]+(\d{1,15})/im.exec(response)?.[1] ?? 0);
  if (size > 0 && mail.message.length > size) return refusal('ESIZE', 'MAIL FROM', true);
  const utf8 = /^250[ -]SMTPUTF8\b/im.test(response);
  if (needsUtf8(mail.to + mail.return_path) && !utf8) return refusal('ESMTPUTF8', 'MAIL FROM', true);
  if (!utf8 && !/^250[ -]8BITMIME\b/im.test(response) && has8Bit(mail.message)) {
    return refusal('E8BITMIME', 'MAIL FROM', true);
  }
  return undefined;
}

function connected({ address, port }: Server, ms: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, timeout: ms, signal });
    const failed = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    socket.once('timeout', () => failed(refusal('ETIMEDOUT', 'CONN', false)));
    socket.once('error', (error) => failed(Object.assign(error, { command: 'CONN' })));
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.removeAllListeners('timeout').removeAllListeners('error');
      resolve(socket);
    });
  });
}
