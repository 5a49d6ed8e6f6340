import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Feeder } from './feeder.ts';
import { feedInSlices } from './feeder.ts';
import type { Reader, Slot } from './read-slots.ts';
import { MAX_READS, MAX_READS_OF_NETWORK, ReadSlots } from './read-slots.ts';
import type { ReceivingLimits, Sender } from './receiving.ts';
import { Receiving, UNCOUNTED } from './receiving.ts';
import type { TickShare } from './tick-shares.ts';
import { TickShares } from './tick-shares.ts';
import type { Holder, OnItsWay, UnreadLimits } from './unread.ts';
import { Backlog, LOOK_MS, SMALL, Unread } from './unread.ts';

/** What the settings say. */
export interface ConnectionLimits extends Omit<UnreadLimits, 'stall_ms' | 'onGivenUp'>, ReceivingLimits {
  /** Connections in all, */
  readonly max_connections: number;
  /** and of one network. */
  readonly max_of_network: number;
  /** Requests in flight on one connection. */
  readonly max_in_flight: number;
}

interface Options extends ConnectionLimits, UnreadLimits {
  /** The network that a connection counts for; undefined where its callers are many, as behind a proxy. */
  readonly networkOf: (address: string) => string | undefined;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests of one network that are begun in one turn of the event loop, and of those behind a proxy. */
const MAX_BEGUN_OF_NETWORK = 16;
const MAX_BEGUN = 256;
/** Of the memory for bodies, what one network may have. */
const NETWORK_SHARE = 1 / 4;

interface Network extends Reader, TickShare, Holder, Sender {
  connections: number;
}

/** One connection and what it holds of this process. */
class Connection {
  readonly socket: Socket;
  readonly network: Network;
  readonly backlog: Backlog;
  feeder: Feeder | undefined;
  /** Requests that were begun and whose answers are not sent. */
  inFlight = 0;
  /** Requests that were read and are not begun. */
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
  /** The request that was read last: its body has to be read, however many are before it. */
  latest: IncomingMessage | undefined;
  /** Bytes of that body that were read, and what gives back the memory that is reserved for it. */
  received = 0;
  release: (() => void) | undefined;
  /** It is not read until there is memory for that body. */
  waitsForMemory = false;
  /** Its next request is begun when there is a slot. */
  queued = false;
  /** Nothing is begun after the request that is being refused. */
  ended = false;
  /** Begins what waits and reads on, as far as the limits let it. */
  readonly goOn: () => void;
  /** The same when there may be memory for the body. */
  readonly receive: () => void;

  constructor(socket: Socket, network: Network, goOn: (connection: Connection) => void) {
    this.socket = socket;
    this.network = network;
    this.backlog = new Backlog(socket, network);
    this.goOn = () => goOn(this);
    this.receive = () => {
      this.waitsForMemory = false;
      goOn(this);
    };
  }
}

interface Begun extends OnItsWay {
  /** Which slot it holds, if it reads. */
  readonly slot: Slot | undefined;
}

/** Where a response keeps what is counted of it. */
const BEGUN = Symbol('begun');
type Tracked = ServerResponse & { [BEGUN]?: Begun };

/**
 * What connections may hold of this process: how many there are, how many requests each has in flight, and how many bytes
 * of answers wait for their readers. Beyond `max_in_flight` a connection is not read; who reads nothing is closed.
 */
export class Connections {
  readonly #limits: Options;
  readonly #handle: Handler;
  readonly #open = new Map<Socket, Connection>();
  readonly #networks = new Map<string, Network>();
  /** Of connections whose callers are many. */
  readonly #mixed: Network = newNetwork(MAX_READS, MAX_BEGUN, 1);
  readonly #tickShares = new TickShares();
  readonly #slots = new ReadSlots();
  readonly #unread: Unread;
  readonly #receiving: Receiving;

  /** `handle` is called with each request when it is its turn. */
  constructor(limits: Options, handle: Handler) {
    this.#limits = limits;
    this.#handle = handle;
    this.#unread = new Unread(limits);
    this.#receiving = new Receiving(limits);
  }

  /** Bytes of answers that wait for their readers. */
  get held(): number {
    return this.#unread.held;
  }

  /** Bytes that are reserved for bodies that are being received. */
  get receiving(): number {
    return this.#receiving.reserved;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Watches the server's connections until it is closed. `refuse` is called with those that are too many. */
  watch(server: Server, refuse: (socket: Socket) => void): void {
    server.on('connection', (socket) => this.#opened(socket, refuse));
    server.on('request', (request, response) => this.#arrived(request, response));
    const timer = setInterval(() => this.look(performance.now()), LOOK_MS);
    timer.unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Closes connections that do not read their answers, as of `now`. */
  look(now: number): void {
    this.#unread.look(now);
  }

  /** No further request of this connection is begun: it is closed after the answer to the one being handled. */
  end(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) connection.ended = true;
  }

  /** Whether a request is late because its connection was not read, as its own answers were not. */
  isHeld(socket: Socket): boolean {
    const connection = this.#open.get(socket);
    return connection?.feeder?.held === true && !connection.waitsForMemory;
  }

  /** Counts the bytes of an answer until they are sent; see `Unread`. */
  handOver(response: ServerResponse, bytes: number, shared: boolean): void | Promise<void> {
    const begun = (response as Tracked)[BEGUN];
    if (begun === undefined) return;
    if (begun.slot !== undefined) this.#slots.release(begun.slot);
    if (bytes > 0) return this.#unread.handOver(begun, bytes, shared);
  }

  #opened(socket: Socket, refuse: (socket: Socket) => void): void {
    const { max_connections, max_of_network, networkOf } = this.#limits;
    const name = networkOf(socket.remoteAddress ?? '');
    const network =
      name === undefined
        ? this.#mixed
        : (this.#networks.get(name) ?? newNetwork(MAX_READS_OF_NETWORK, MAX_BEGUN_OF_NETWORK, NETWORK_SHARE));
    if (this.#open.size >= max_connections || (name !== undefined && network.connections >= max_of_network)) {
      refuse(socket);
      return;
    }
    network.connections++;
    if (name !== undefined) this.#networks.set(name, network);
    const connection = new Connection(socket, network, (one) => this.#goOn(one));
    this.#open.set(socket, connection);
    this.#unread.watch(connection.backlog);
    connection.feeder = feedInSlices(
      socket,
      () => this.#isFull(connection),
      () => connection.latest?.complete === false,
      (bytes) => {
        connection.received += bytes;
      },
    );
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#unread.forget(connection.backlog);
      connection.waiting.length = 0;
      if (connection.waitsForMemory) this.#receiving.forget(connection.receive);
      connection.release?.();
      network.connections--;
      if (network.connections === 0 && name !== undefined) this.#networks.delete(name);
    });
  }

  #arrived(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    if (connection === undefined || connection.ended) return;
    connection.latest = request;
    connection.received = 0;
    connection.release?.();
    connection.release = undefined;
    connection.waiting.push([request, response]);
    if (connection.waiting.length === 1) this.#next(connection);
  }

  #goOn(connection: Connection): void {
    this.#next(connection);
    if (connection.feeder?.held === true && !this.#isFull(connection)) connection.feeder.resume();
  }

  #next(connection: Connection): void {
    const { waiting, network } = connection;
    for (;;) {
      const [first] = waiting;
      if (first === undefined || connection.ended || connection.queued || connection.socket.destroyed) return;
      const [request, response] = first;
      const reads = request.method === 'GET' || request.method === 'HEAD';
      if (reads ? connection.inFlight > 0 : !this.#mayWrite(connection)) return;
      const slot = reads ? this.#slots.acquire(network) : undefined;
      if (reads && slot === undefined) {
        connection.queued = true;
        this.#slots.wait(network, () => {
          connection.queued = false;
          this.#goOn(connection);
        });
        return;
      }
      if (!this.#tickShares.take(network)) {
        if (slot !== undefined) this.#slots.release(slot);
        this.#tickShares.later(connection.goOn);
        return;
      }
      waiting.shift();
      this.#begin(connection, request, response, slot);
    }
  }

  /** What reads may have a large answer and waits for the one before it; what writes need not. */
  #mayWrite({ inFlight, backlog }: Connection): boolean {
    return inFlight === 0 || (inFlight < this.#limits.max_in_flight && backlog.unread <= SMALL);
  }

  #begin(connection: Connection, request: IncomingMessage, response: ServerResponse, slot: Slot | undefined): void {
    connection.inFlight++;
    const begun: Begun = { backlog: connection.backlog, bytes: 0, counted: 0, slot };
    (response as Tracked)[BEGUN] = begun;
    response.on('close', () => {
      connection.inFlight--;
      if (slot !== undefined) this.#slots.release(slot);
      this.#unread.sent(begun);
      // In a turn of its own: else one connection's answers and next requests would keep all others waiting.
      if (connection.waiting.length > 0 || connection.feeder?.held === true) this.#tickShares.later(connection.goOn);
    });
    this.#handle(request, response);
  }

  #isFull(connection: Connection): boolean {
    const { inFlight, waiting, ended, backlog, latest } = connection;
    if (ended) return true;
    if (latest?.complete === false) return !this.#mayReceive(connection, latest);
    if (inFlight + waiting.length === 0) return false;
    // What waits for its turn is enough to go on with: to read more would only take time from others.
    return waiting.length > 1 || inFlight >= this.#limits.max_in_flight || backlog.unread > SMALL;
  }

  #mayReceive(connection: Connection, request: IncomingMessage): boolean {
    if (connection.received < UNCOUNTED || connection.release !== undefined) return true;
    if (connection.waitsForMemory) return false;
    const release = this.#receiving.reserve(request, connection.network, connection.receive);
    connection.release = release;
    connection.waitsForMemory = release === undefined;
    // Of a request that was answered before it was whole, nothing tells but the end of its connection.
    if (release !== undefined) request.once('close', release);
    return release !== undefined;
  }
}

const newNetwork = (max_reads: number, max_begun: number, share: number): Network => ({
  connections: 0,
  held: 0,
  reads: 0,
  max_reads,
  turn: 0,
  begun: 0,
  max_begun,
  receiving: 0,
  share,
});
