import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { HOUR } from '@mailroom/behavior/values/clock';
import type { Logger } from 'pino';
import { listenShared } from '../../net/shared-port.ts';
import type { SmtpServer } from './server.ts';

/** A server that takes mail. */
export interface EmailServer extends AsyncDisposable {
  readonly port: number;
  readonly host: string;
}

interface ListenParts {
  /** The setting that names the address, and what connections are for. */
  readonly setting: string;
  readonly what: string;
  /** Makes what serves the connections, with the first of them. */
  readonly serve: () => Promise<AsyncDisposable & { readonly server: Pick<SmtpServer, 'accept'> }>;
  readonly log: Logger;
  readonly onError: (error: unknown) => void;
}

/** Listens for mail; undefined, with a warning, when the port is taken. */
export async function listenForMail(
  { host, port }: { readonly host: string; readonly port: number },
  { setting, what, serve, log, onError }: ListenParts,
): Promise<EmailServer | undefined> {
  // A client may end its side after its last command and still wait for the reply.
  const listener = createServer({ allowHalfOpen: true });
  // What serves a connection is loaded with the first one, since it takes memory that most requests do not need.
  let serving: ReturnType<typeof serve> | undefined;
  listener.on('connection', (socket: Socket) => {
    // A client that disconnects is no matter of the operator.
    socket.on('error', () => {});
    serving ??= serve();
    serving.then(
      ({ server }) => server.accept(socket),
      (error: unknown) => {
        serving = undefined;
        socket.destroy();
        onError(error);
      },
    );
  });
  let sockets: AsyncDisposable;
  try {
    sockets = await listenShared(listener, { host, port }, (options) => once(listener.listen(options), 'listening'));
    listener.on('error', onError);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL')
      throw new Error(`${setting} cannot be listened on: ${(error as Error).message}`, { cause: error });
    log.warn(
      { host, port, code },
      `no mail is ${what}: ${setting} cannot be listened on. Set it to another address, or to off`,
    );
    return undefined;
  }
  const bound = listener.address() as AddressInfo;
  log.info({ host: bound.address, port: bound.port }, `mail is ${what}`);
  return {
    host: bound.address,
    port: bound.port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => listener.close(resolve));
      const others = sockets[Symbol.asyncDispose]();
      await (await serving?.catch(() => undefined))?.[Symbol.asyncDispose]();
      await Promise.all([closed, others]);
    },
  };
}

/** How often the files of the certificate are looked at. */
const CERTIFICATE_MS = HOUR;

/** The certificate of STARTTLS in these files, in PEM, which is read again when they change; undefined without both. */
export function certificateIn(cert: string | undefined, key: string | undefined) {
  if (cert === undefined || key === undefined) return undefined;
  const read = () => ({ cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') });
  const changed = (): number => Math.max(statSync(cert).mtimeMs, statSync(key).mtimeMs);
  return {
    read,
    watch(renew: (tls: ReturnType<typeof read>) => void, onError: (error: unknown) => void): Disposable {
      let seen = changed();
      const timer = setInterval(() => {
        try {
          const now = changed();
          if (now === seen) return;
          seen = now;
          renew(read());
        } catch (error) {
          onError(error);
        }
      }, CERTIFICATE_MS);
      timer.unref();
      return { [Symbol.dispose]: () => clearInterval(timer) };
    },
  };
}
