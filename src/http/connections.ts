import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Feeder } from './feeder.ts';
import { feedInSlices } from './feeder.ts';
import type { Reader, Slot } from './read-slots.ts';
import { MAX_READS, MAX_READS_OF_NETWORK, ReadSlots } from './read-slots.ts';
import type { Turner } from './turns.ts';
import { Turns } from './turns.ts';
import type { Holder, OnItsWay, UnreadLimits } from './unread.ts';
import { Backlog, LOOK_MS, SMALL, Unread } from './unread.ts';

/** What the settings say. */
export interface ConnectionLimits extends Omit<UnreadLimits, 'stall_ms' | 'onGivenUp'> {
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

interface Network extends Reader, Turner, Holder {
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
  /** Its next request is begun when there is a slot. */
  queued = false;
  /** Nothing is begun after the request that is being refused. */
  ended = false;
  /** Begins what waits and reads on, as far as the limits let it. */
  readonly goOn: () => void;

  constructor(socket: Socket, network: Network, goOn: (connection: Connection) => void) {
    this.socket = socket;
    this.network = network;
    this.backlog = new Backlog(socket, network);
    this.goOn = () => goOn(this);
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
  readonly #mixed: Network = newNetwork(MAX_READS, MAX_BEGUN);
  readonly #turns = new Turns();
  readonly #slots = new ReadSlots();
  readonly #unread: Unread;

  /** `handle` is called with each request when it is its turn. */
  constructor(limits: Options, handle: Handler) {
    this.#limits = limits;
    this.#handle = handle;
    this.#unread = new Unread(limits);
  }

  /** Bytes of answers that wait for their readers. */
  get held(): number {
    return this.#unread.held;
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

  /** Whether a request is late because its connection was not read. */
  isHeld(socket: Socket): boolean {
    return this.#open.get(socket)?.feeder?.held === true;
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
        : (this.#networks.get(name) ?? newNetwork(MAX_READS_OF_NETWORK, MAX_BEGUN_OF_NETWORK));
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
    );
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#unread.forget(connection.backlog);
      connection.waiting.length = 0;
      network.connections--;
      if (network.connections === 0 && name !== undefined) this.#networks.delete(name);
    });
  }

  #arrived(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    if (connection === undefined || connection.ended) return;
    connection.latest = request;
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
      if (!this.#turns.take(network)) {
        if (slot !== undefined) this.#slots.release(slot);
        this.#turns.later(connection.goOn);
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
      if (connection.waiting.length > 0 || connection.feeder?.held === true) this.#turns.later(connection.goOn);
    });
    this.#handle(request, response);
  }

  #isFull({ inFlight, waiting, ended, backlog, latest }: Connection): boolean {
    if (ended) return true;
    if (inFlight + waiting.length === 0 || latest?.complete === false) return false;
    // What waits for its turn is enough to go on with: to read more would only take time from others.
    return waiting.length > 1 || inFlight >= this.#limits.max_in_flight || backlog.unread > SMALL;
  }
}

const newNetwork = (max_reads: number, max_begun: number): Network => ({
  connections: 0,
  held: 0,
  reads: 0,
  max_reads,
  turn: 0,
  begun: 0,
  max_begun,
});
