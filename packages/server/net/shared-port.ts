import { once } from 'node:events';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';

/**
 * Sockets that listen on one port: Node.js accepts one connection of each in a turn of its event loop. With more of them
 * a flood of connections makes turns longer (`npm run bench -- flood`).
 */
const SOCKETS = 4;
/** Where the system divides new connections between the sockets of a port (`SO_REUSEPORT`). */
const SYSTEMS: ReadonlySet<string> = new Set(['linux', 'freebsd']);

async function open(server: Server, at: ListenOptions): Promise<Server> {
  server.listen(at);
  await once(server, 'listening');
  return server;
}

const close = (server: Server): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));

/**
 * Lets a server listen by `listen`, and more sockets beside it, whose connections it gets as its own: so that those who
 * connect to a busy service wait for few turns, however many others connect. Elsewhere than on Linux and FreeBSD it
 * listens alone. What is returned closes the other sockets, and waits until their connections have ended.
 * @throws as `listen` does, such as with the code EADDRINUSE.
 */
export async function listenShared(
  server: Server,
  address: { readonly host: string; readonly port: number },
  listen: (options: { host: string; port: number; reusePort?: boolean }) => Promise<unknown>,
): Promise<AsyncDisposable> {
  const others: Server[] = [];
  const closing = { [Symbol.asyncDispose]: async () => void (await Promise.all(others.map(close))) };
  if (!SYSTEMS.has(process.platform)) {
    await listen(address);
    return closing;
  }
  // A socket that shares its port would not say that another program listens there.
  if (address.port !== 0) await close(await open(createServer(), address));
  await listen({ ...address, reusePort: true });
  const { address: host, port } = server.address() as AddressInfo;
  const accept = (socket: unknown): void => void server.emit('connection', socket);
  try {
    while (others.length < SOCKETS - 1) {
      const other = createServer({ allowHalfOpen: true, noDelay: true }, accept);
      others.push(await open(other, { host, port, reusePort: true }));
    }
  } catch (error) {
    await closing[Symbol.asyncDispose]();
    await close(server);
    throw error;
  }
  return closing;
}
