import type { Socket } from 'node:net';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { SMTPServer, SMTPServerSession } from 'smtp-server';
import { PacedReads } from '../../net/paced-reads.ts';
import { type TickShare, TickShares } from '../../net/tick-shares.ts';
import { MAX_IDLE_COMMANDS, paceCommands } from './commands.ts';

type Connection = SMTPServer['connections'] extends Set<infer One> ? One : never;

export interface ClientLimits {
  /** By LMTP all connections are of the server in front, which may talk as much as it likes. */
  readonly protocol: 'smtp' | 'lmtp';
  readonly max_connections: number;
  readonly max_connections_of_network: number;
  /** How long a client may be silent, in milliseconds; 2 minutes by default. */
  readonly silence_ms?: Millis;
  /** The same before its first MAIL; 20 seconds by default. */
  readonly first_silence_ms?: Millis;
  /** How long it may take to its first MAIL, whatever it says; a minute by default. */
  readonly first_mail_ms?: Millis;
  /** How long one connection may last, in milliseconds, however busy it is; 10 minutes by default. */
  readonly connection_ms?: Millis;
}

interface Network extends TickShare {
  readonly name: string;
  readonly clients: Set<Client>;
}

/** One connection, from when it is accepted until it is closed. */
export interface Client {
  readonly ends: string;
  readonly network: Network;
  readonly socket: Socket;
  /** Undefined until the library has greeted it. */
  connection: Connection | undefined;
  /** Its mail is whole and being filed, so that it waits for us. */
  filing: boolean;
  began: boolean;
  progressed_at: Millis;
  timer: NodeJS.Timeout | undefined;
  /** Commands that name no recipient, since the last one that was taken. */
  idle_commands: number;
}

export const SILENCE_MS = 120_000;
const FIRST_SILENCE_MS = 20_000;
const FIRST_MAIL_MS = 60_000;
const CONNECTION_MS = 600_000;
/** A client that receives bytes all the time is moved to the end of the order this often at most. */
const PROGRESS_MS = 100;
/** A connection too many is refused after this time. */
const REFUSAL_MS = 1_000;
/** Commands of one network that run in a turn of the event loop; those beyond it run in the next turns. */
const MAX_COMMANDS_OF_TURN = 16;

/** The ends of a connection, by which a socket and the session of the library are the same one. */
type Ends = Pick<SMTPServerSession, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>;
const endsOf = ({ remoteAddress, remotePort, localAddress, localPort }: Ends): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`.replaceAll('::ffff:', '').toLowerCase();

/**
 * The open connections. Where there are as many as may be, the one that has been without a mail for longest makes way for
 * a new one, so that idle ones keep none out.
 */
export class Clients {
  readonly #limits: ClientLimits;
  readonly #networkOf: (ip: string) => string;
  /** By their ends, those that have been without progress for longest first. */
  readonly #open = new Map<string, Client>();
  readonly #networks = new Map<string, Network>();
  /** Connections that wait to be refused, by network. */
  readonly #refused = new Map<string, number>();
  readonly #reads = new PacedReads();
  /** With a clock that stands, since fewer commands in long turns would take a server in front its speed. */
  readonly #turns = new TickShares(() => 0);

  constructor(limits: ClientLimits, networkOf: (ip: string) => string) {
    this.#limits = limits;
    this.#networkOf = networkOf;
  }

  /** False when there are too many; the socket must have its addresses. */
  admit(socket: Socket): boolean {
    const { max_connections, max_connections_of_network } = this.#limits;
    const name = this.#networkOf(socket.remoteAddress ?? '');
    const network = this.#networks.get(name) ?? newNetwork(name);
    const isFull = (): boolean => network.clients.size >= max_connections_of_network;
    if (isFull()) this.#forgetClosed(network.clients);
    if (isFull()) return false;
    if (this.#open.size >= max_connections) this.#forgetClosed(this.#open.values());
    if (this.#open.size >= max_connections && !this.#makeWay()) return false;
    const client: Client = {
      ends: endsOf(socket as Ends),
      network,
      socket,
      connection: undefined,
      filing: false,
      began: false,
      progressed_at: performance.now(),
      timer: undefined,
      idle_commands: 0,
    };
    client.timer = this.#end(client, this.#limits.first_mail_ms ?? FIRST_MAIL_MS, 'Connect when you have mail.');
    network.clients.add(client);
    this.#networks.set(name, network);
    this.#open.set(client.ends, client);
    socket.once('close', () => this.#forget(client));
    this.#reads.watch(socket, name);
    return true;
  }

  /**
   * Ends a connection too many, with this reply. After a second, since one that is refused at once is followed by the next
   * at once; at once where as many of its network wait as may be open.
   */
  refuse(socket: Socket, reply: string): void {
    const network = this.#networkOf(socket.remoteAddress ?? '');
    const waiting = this.#refused.get(network) ?? 0;
    if (waiting >= this.#limits.max_connections_of_network) {
      socket.resetAndDestroy();
      return;
    }
    this.#refused.set(network, waiting + 1);
    const timer = setTimeout(() => {
      if (reply !== '') socket.write(reply);
      socket.destroySoon();
    }, REFUSAL_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      const others = (this.#refused.get(network) ?? 1) - 1;
      if (others > 0) this.#refused.set(network, others);
      else this.#refused.delete(network);
    });
  }

  of(session: Ends): Client | undefined {
    return this.#open.get(endsOf(session));
  }

  /** The library serves it from now on. */
  greeted(client: Client, connection: Connection): void {
    client.connection = connection;
    const max_idle = this.#limits.protocol === 'lmtp' ? Infinity : MAX_IDLE_COMMANDS;
    paceCommands(connection, client, this.#turns, max_idle);
    this.secured(client);
  }

  /** Its connection has another socket now, which the library lets be silent for as long as after the first MAIL. */
  secured(client: Client): void {
    const { first_silence_ms = FIRST_SILENCE_MS } = this.#limits;
    const socket = socketOf(client.connection);
    // A socket that TLS took over does not tell of its own end.
    if (socket !== undefined && socket !== client.socket) {
      socket.once('close', () => this.#forget(client));
      socket.allowHalfOpen = true;
      this.#reads.watch(socket, client.network.name);
    }
    if (!client.began) socket?.setTimeout(first_silence_ms);
  }

  /** Its first MAIL was accepted. */
  begun(client: Client): void {
    if (client.began) return;
    const { silence_ms = SILENCE_MS, connection_ms = CONNECTION_MS } = this.#limits;
    client.began = true;
    socketOf(client.connection)?.setTimeout(silence_ms);
    clearTimeout(client.timer);
    client.timer = this.#end(client, connection_ms, 'This connection took too long.');
  }

  /** A mail arrives, or was answered. */
  progressed(session: Ends): void {
    const client = this.of(session);
    const now = performance.now();
    if (client === undefined || now - client.progressed_at < PROGRESS_MS) return;
    client.progressed_at = now;
    this.#open.delete(client.ends);
    this.#open.set(client.ends, client);
  }

  /** Ends a connection with this reply. */
  close({ connection, socket }: Client, reply: string): void {
    if (connection === undefined) socket.destroy();
    else connection.send(421, reply);
  }

  /** Ends no connection later. */
  [Symbol.dispose](): void {
    for (const { timer } of this.#open.values()) clearTimeout(timer);
  }

  #end(client: Client, ms: Millis, text: string): NodeJS.Timeout {
    const timer = setTimeout(() => {
      // Its mail would be sent again.
      if (client.filing) client.timer = this.#end(client, ms, text);
      else this.close(client, `4.4.2 ${text}`);
    }, ms);
    return timer.unref();
  }

  #makeWay(): boolean {
    for (const client of this.#open.values()) {
      if (client.filing) continue;
      this.#forget(client);
      this.close(client, '4.7.0 Others wait for this connection. Connect again when you have mail.');
      return true;
    }
    return false;
  }

  /** The library takes the listeners off a socket that TLS takes over, which may then close unheard. */
  #forgetClosed(clients: Iterable<Client>): void {
    for (const client of clients) if (client.socket.destroyed) this.#forget(client);
  }

  #forget(client: Client): void {
    if (this.#open.get(client.ends) !== client) return;
    this.#open.delete(client.ends);
    clearTimeout(client.timer);
    const { name, clients } = client.network;
    clients.delete(client);
    if (clients.size === 0) this.#networks.delete(name);
  }
}

const newNetwork = (name: string): Network => ({
  name,
  clients: new Set(),
  turn: 0,
  begun: 0,
  max_begun: MAX_COMMANDS_OF_TURN,
});

const socketOf = (connection: Connection | undefined): Socket | undefined =>
  (connection as unknown as { readonly _socket: Socket } | undefined)?._socket;
