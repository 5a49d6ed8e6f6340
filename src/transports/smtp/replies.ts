import type { Socket } from 'node:net';
import type { SMTPServer } from 'smtp-server';

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
