import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { SMTPServer } from 'smtp-server';

type Connection = SMTPServer['connections'] extends Set<infer One> ? One : never;

/** What the library keeps of a connection, without a type. */
interface Internals {
  /** Another one after STARTTLS. */
  readonly _socket: Socket;
  _parser: (Writable & { isClosed: boolean }) | false;
  _createParser: () => Writable & { isClosed: boolean };
  upgrade: (...args: unknown[]) => unknown;
}

/**
 * Answers a client that ended its side after its last command, as Exim does after the end of a mail and QUIT (RFC 9293,
 * section 3.6), and then closes the connection. The socket must be open on one side (`allowHalfOpen`).
 */
export function answerHalfOpen(connection: Connection): void {
  const internals = connection as unknown as Internals;
  const watch = (parser: Writable & { isClosed: boolean }): void => {
    // Commands before it are answered by then, and a mail in progress lacks its end.
    const onFinish = (): void => {
      // A command without its line end is none (RFC 5321, section 2.3.8).
      parser.isClosed = true;
      if (internals._parser !== parser) return;
      connection.close();
    };
    if (parser.writableFinished) onFinish();
    else parser.prependListener('finish', onFinish);
  };
  if (internals._parser !== false) watch(internals._parser);
  const createParser = internals._createParser.bind(connection);
  internals._createParser = () => {
    const parser = createParser();
    watch(parser);
    return parser;
  };
  const upgrade = internals.upgrade.bind(connection);
  internals.upgrade = (...args) => {
    // A client that ends its side within the handshake gets no reply.
    internals._socket.allowHalfOpen = false;
    return upgrade(...args);
  };
  const send = connection.send.bind(connection);
  connection.send = (code, text, context) => {
    keepWriting(internals._socket);
    send(code, text, context);
  };
}

/** The library writes to what is `open` alone, and a socket whose other side has ended is `writeOnly`. */
function keepWriting(socket: Socket): void {
  if (Object.hasOwn(socket, 'readyState')) return;
  Object.defineProperty(socket, 'readyState', { get: () => (socket.writable ? 'open' : 'closed') });
}
