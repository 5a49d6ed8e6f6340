import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address on loopback that leads to one server at a time, as a name or a proxy that follows a primary does. */
export interface TcpSwitch extends AsyncDisposable {
  readonly port: number;
  /** New connections lead to this port; open ones stay where they are. */
  lead(port: number): void;
  /** Breaks all open connections. */
  cut(): void;
  /** Passes nothing more on open connections, which stay open, as when the network to a machine is gone. */
  silence(): void;
}

export async function startSwitch(port: number): Promise<TcpSwitch> {
  let target = port;
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near]] as const) {
      from.on('error', () => {}).on('data', (chunk) => to.write(chunk));
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const sockets of pairs) for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    lead(other) {
      target = other;
    },
    cut,
    silence() {
      for (const [near, far] of pairs) {
        near.removeAllListeners('data').removeAllListeners('close').resume();
        far.removeAllListeners('data').removeAllListeners('close').resume();
        near.on('close', () => far.destroy());
      }
      // They stay listed, so that the end of the test breaks them.
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
    },
  };
}
