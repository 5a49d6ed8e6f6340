import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { SMTPServer, SMTPServerAddress } from 'smtp-server';
import { SmtpFailure } from './failure.ts';

type Connection = SMTPServer['connections'] extends Set<infer One> ? One : never;

/** After these the connection changes or ends. */
const LAST: ReadonlySet<number> = new Set([220, 221, 421]);

/**
 * Writes the replies to commands that came together at once (RFC 2920, section 3.2), since each write costs as much as
 * all else about such a command.
 */
export function writeTogether(connection: Connection): void {
  const send = connection.send.bind(connection);
  let corked: Socket | undefined;
  const flush = (): void => {
    corked?.uncork();
    corked = undefined;
  };
  connection.send = (code, text, context) => {
    if (LAST.has(code)) flush();
    else if (corked === undefined) {
      // Another one after STARTTLS.
      corked = (connection as unknown as { readonly _socket: Socket })._socket;
      corked.cork();
      setImmediate(flush);
    }
    send(code, text, context);
  };
}

/** Parameters of MAIL: of SIZE (RFC 1870), 8BITMIME (RFC 6152), SMTPUTF8 (RFC 6531) and AUTH (RFC 4954, section 5). */
export const MAIL_PARAMETERS = ['SIZE', 'BODY', 'SMTPUTF8', 'AUTH'];

/**
 * Refuses a parameter of an extension that is not offered (RFC 5321, section 4.1.1.11): a client that asks for a notice of
 * delivery (RFC 3461) would wait for it, and one that asks for REQUIRETLS (RFC 8689) would rely on it.
 */
export function refuseUnknown({ args }: SMTPServerAddress, known: readonly string[]): void {
  const name = Object.keys(args === false ? {} : args).find((one) => !known.includes(one));
  if (name !== undefined)
    throw new SmtpFailure(555, '5.5.4', `${name.slice(0, 40)} is not known here, since EHLO offers no such extension.`);
}

/** What HELP and VRFY are answered, in place of the texts of the library. */
const REPLIES: Readonly<Partial<Record<number, string>>> = {
  214: 'Commands: EHLO MAIL RCPT DATA RSET NOOP QUIT (RFC 5321)',
  252: 'Addresses are not verified here. Name one with RCPT.',
};

/**
 * Sends the enhanced code of a failure, where the library has one by the code alone (RFC 2034, section 4), and offers a
 * login over TLS alone.
 */
export function amendReplies(connection: Connection): void {
  const send = connection.send.bind(connection);
  connection.send = (code, text, context) => {
    const own = REPLIES[code];
    if (own !== undefined) return send(code, own, context);
    if (typeof text === 'string' && /^[245]\.\d{1,3}\.\d{1,3} /.test(text)) return send(code, text, false);
    if (connection.secure || !Array.isArray(text)) return send(code, text, context);
    // A client that is offered a login before TLS may send its key in the clear (RFC 4954, section 4).
    const offered = text.filter((line) => !line.startsWith('AUTH '));
    return send(code, offered, context);
  };
}

const replied = channel('mailroom:mail:replied');

/** Publishes how a mail was taken, or a command refused. */
export const count = (command: 'MAIL' | 'RCPT' | 'DATA', failure: SmtpFailure | undefined): void =>
  replied.publish({ command, code: failure?.responseCode ?? 250 });

export const counted =
  (command: 'MAIL' | 'RCPT', done: (error?: Error | null) => void) =>
  (error?: Error | null): void => {
    if (error instanceof SmtpFailure) count(command, error);
    done(error);
  };

/** Answers a command when its check is done. */
export function answer(done: (error?: Error | null) => void, check: () => void | Promise<void>): void {
  void (async () => check())().then(
    () => done(),
    (error: Error) => done(error),
  );
}
