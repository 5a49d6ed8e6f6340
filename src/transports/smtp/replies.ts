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

/** Notices of delivery (RFC 3461) are not offered, and a client that asks for one all the same would wait for it. */
export function refuseNotices({ args }: SMTPServerAddress, names: readonly string[]): void {
  const asked = names.find((name) => args !== false && name in args);
  if (asked !== undefined) throw new SmtpFailure(555, '5.5.4', `${asked} is not known here, since DSN is not offered.`);
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
