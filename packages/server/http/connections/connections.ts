import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Millis } from '@mailroom/behavior/values/clock';
import { type TickShare, TickShares } from '../../net/tick-shares.ts';
import { type Feeder, feedInSlices, SLICE } from './feeder.ts';
import { Pace, type Paced } from './pace.ts';
import { MAX_READS, MAX_READS_OF_NETWORK, type Reader, ReadSlots, type Slot } from './read-slots.ts';
import { Receiving, type ReceivingLimits, type Sender, UNCOUNTED } from './receiving.ts';
import { Backlog, type Holder, LOOK_MS, type OnItsWay, SMALL, Unread, type UnreadLimits } from './unread.ts';

/** Limits from the settings. */
export interface ConnectionLimits extends Omit<UnreadLimits, 'stall_ms' | 'onGivenUp'>, ReceivingLimits {
  /** Connections in total. */
  readonly max_connections: number;
  /** Connections of one network. */
  readonly max_of_network: number;
  /** Requests and connections of one network that begin in a second, and 32 KiB of bodies and answers; what is beyond waits. */
  readonly max_per_second: number;
  /** Requests in progress on one connection. */
  readonly max_in_flight: number;
}

interface Options extends ConnectionLimits, UnreadLimits {
  /** The network a connection counts for; undefined behind a proxy, where one connection carries many callers. */
  readonly networkOf: (address: string) => string | undefined;
  /** Called for a connection whose only unanswered request does not arrive in time. */
  readonly onLate: (socket: Socket) => void;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests that one network, or all callers behind a proxy, may begin in one turn of the event loop. */
const MAX_BEGUN_OF_NETWORK = 16;
const MAX_BEGUN = 256;
/** 64 KiB a second: a body that arrives faster has more time than `stall_ms`, so that a large file may come over a slow line. */
const MIN_BYTES_PER_MS = 64;
/** The part of the memory for bodies that one network may take. */
const NETWORK_SHARE = 1 / 4;
/** Bytes of a body in chunks, and of another one, that are parsed at a time. */
const CHUNKED_SLICE = 4 * 1024;
const BODY_SLICE = 32 * 1024;
/** Chunks of a body (RFC 9112, section 7.1) that take as long as a request. */
const CHUNKS_OF_REQUEST = 50;
/** Bytes of a body, or of an answer made for one caller, that take as long as a request. */
const BYTES_OF_REQUEST = 32 * 1024;

interface Network extends Reader, TickShare, Holder, Sender, Paced {
  connections: number;
}

/** One connection and the resources it holds in this process. */
class Connection {
  readonly socket: Socket;
  readonly network: Network;
  readonly backlog: Backlog;
  feeder: Feeder | undefined;
  /** Requests that began and whose answers are not sent. */
  inFlight = 0;
  /** Requests that were read and have not begun. */
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
  /** The request read last; its body must be read however many requests are before it. */
  latest: IncomingMessage | undefined;
  /** Bytes of that body read so far, and the function that releases the memory reserved for it. */
  received = 0;
  /** When that request's head was read, and whether it is refused for being late. */
  since: Millis = 0;
  late = false;
  release: (() => void) | undefined;
  /** The socket is not read until there is memory for that body. */
  waitsForMemory = false;
  /** Its next request begins when there is a slot. */
  queued = false;
  /** No request begins after the one being refused. */
  ended = false;
  /** Begins waiting requests and continues reading, within the limits. */
  readonly resume: () => void;
  /** The same, when memory for the body may have become free. */
  readonly receive: () => void;

  constructor(socket: Socket, network: Network, resume: (connection: Connection) => void) {
    this.socket = socket;
    this.network = network;
    this.backlog = new Backlog(socket, network);
    this.resume = () => resume(this);
    this.receive = () => {
      this.waitsForMemory = false;
      resume(this);
    };
  }
}

interface Begun extends OnItsWay {
  /** The slot it holds, if it is a read. */
  readonly slot: Slot | undefined;
  readonly network: Network;
}

/** Where a response keeps its counted bytes. */
const BEGUN = Symbol('begun');
type Tracked = ServerResponse & { [BEGUN]?: Begun };

/**
 * Limits what connections hold in this process: their number, the requests in progress on each, and the bytes of unread
 * answers. A connection above `max_in_flight` is not read further; a client that does not read its answers is
 * disconnected.
 */
export class Connections {
  readonly #limits: Options;
  readonly #handle: Handler;
  readonly #open = new Map<Socket, Connection>();
  readonly #networks = new Map<string, Network>();
  /** Share of connections that carry many callers. */
  readonly #mixed: Network;
  readonly #tickShares = new TickShares();
  readonly #pace = new Pace();
  readonly #slots = new ReadSlots();
  readonly #unread: Unread;
  readonly #receiving: Receiving;

  /** `handle` is called with each request when it may begin. */
  constructor(limits: Options, handle: Handler) {
    this.#limits = limits;
    this.#handle = handle;
    this.#unread = new Unread(limits);
    this.#receiving = new Receiving(limits);
    this.#mixed = newNetwork(MAX_READS, MAX_BEGUN, 1, this.#pace.network(Infinity));
  }

  /** Bytes of answers that clients have not read yet. */
  get held(): number {
    return this.#unread.held;
  }

  /** Bytes reserved for bodies being received. */
  get receiving(): number {
    return this.#receiving.reserved;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Watches the server's connections until it is closed; calls `refuse` with those above the limit. */
  watch(server: Server, refuse: (socket: Socket) => void): void {
    server.on('connection', (socket) => this.#opened(socket, refuse));
    server.on('request', (request, response) => this.#arrived(request, response));
    const timer = setInterval(() => this.look(performance.now()), LOOK_MS);
    timer.unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Closes connections whose answers are not read, or whose requests do not arrive, as of `now`. */
  look(now: Millis): void {
    this.#unread.look(now);
    for (const [name, network] of this.#networks) this.#forget(name, network);
    for (const connection of this.#open.values()) {
      if (!this.#isLate(connection, now)) continue;
      connection.late = true;
      // Behind an answer that was sent, or before another one, a refusal would be taken for that answer.
      if (connection.inFlight + connection.waiting.length === 1) this.#limits.onLate(connection.socket);
      else connection.socket.destroy();
    }
  }

  /** Begins no further request of this connection and closes it after the current answer. */
  end(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) connection.ended = true;
  }

  /** Whether `end` was called, so that a request of it is refused already. */
  isEnding(socket: Socket): boolean {
    return this.#open.get(socket)?.ended === true;
  }

  /** Whether a request is late because the service stopped reading its connection, whose answers were not read. */
  isHeld(socket: Socket): boolean {
    const connection = this.#open.get(socket);
    return connection?.feeder?.held === true && !connection.waitsForMemory;
  }

  /** Counts the bytes of an answer until they are sent, see `Unread`, and for what its network may begin next. */
  handOver(response: ServerResponse, bytes: number, shared: boolean): void | Promise<void> {
    const begun = (response as Tracked)[BEGUN];
    if (begun === undefined) return;
    if (begun.slot !== undefined) this.#slots.release(begun.slot);
    if (bytes === 0) return;
    if (!shared) this.#pace.spend(begun.network, bytes / BYTES_OF_REQUEST);
    return this.#unread.handOver(begun, bytes, shared);
  }

  #opened(socket: Socket, refuse: (socket: Socket) => void): void {
    const { max_connections, max_of_network, networkOf } = this.#limits;
    const name = networkOf(socket.remoteAddress ?? '');
    const network = name === undefined ? this.#mixed : (this.#networks.get(name) ?? this.#newNetwork());
    if (this.#open.size >= max_connections || (name !== undefined && network.connections >= max_of_network)) {
      refuse(socket);
      return;
    }
    network.connections++;
    this.#pace.spend(network);
    if (name !== undefined) this.#networks.set(name, network);
    const connection = new Connection(socket, network, (one) => this.#resume(one));
    this.#open.set(socket, connection);
    this.#unread.watch(connection.backlog);
    connection.feeder = feedInSlices(
      socket,
      () => this.#isFull(connection),
      () => sliceOf(connection),
      (bytes) => this.#received(connection, bytes),
    );
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#unread.forget(connection.backlog);
      connection.waiting.length = 0;
      if (connection.waitsForMemory) this.#receiving.forget(connection.receive);
      connection.release?.();
      network.connections--;
      if (name !== undefined) this.#forget(name, network);
    });
  }

  #newNetwork(): Network {
    const pace = this.#pace.network(this.#limits.max_per_second);
    return newNetwork(MAX_READS_OF_NETWORK, MAX_BEGUN_OF_NETWORK, NETWORK_SHARE, pace);
  }

  /** Forgets a network without connections, unless it could begin more by connecting again. */
  #forget(name: string, network: Network): void {
    if (network.connections === 0 && this.#pace.isFresh(network)) this.#networks.delete(name);
  }

  #received(connection: Connection, slice: Buffer): void {
    connection.received += slice.length;
    const chunks = isChunked(connection.latest) ? lineEnds(slice) / 2 : 0;
    this.#pace.spend(connection.network, slice.length / BYTES_OF_REQUEST + chunks / CHUNKS_OF_REQUEST);
  }

  #arrived(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    if (connection === undefined || connection.ended) return;
    connection.latest = request;
    connection.received = 0;
    connection.since = performance.now();
    connection.release?.();
    connection.release = undefined;
    connection.waiting.push([request, response]);
    if (connection.waiting.length === 1) this.#next(connection);
  }

  #resume(connection: Connection): void {
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
      if (!this.#pace.has(network, connection.resume)) return;
      const slot = reads ? this.#slots.acquire(network) : undefined;
      if (reads && slot === undefined) {
        connection.queued = true;
        this.#slots.wait(network, () => {
          connection.queued = false;
          this.#resume(connection);
        });
        return;
      }
      if (!this.#tickShares.take(network)) {
        if (slot !== undefined) this.#slots.release(slot);
        this.#tickShares.later(network, connection.resume);
        return;
      }
      waiting.shift();
      this.#pace.spend(network);
      this.#begin(connection, request, response, slot);
    }
  }

  /** Reads may have a large answer and wait for the one before it; writes need not. */
  #mayWrite({ inFlight, backlog }: Connection): boolean {
    return inFlight === 0 || (inFlight < this.#limits.max_in_flight && backlog.unread <= SMALL);
  }

  #begin(connection: Connection, request: IncomingMessage, response: ServerResponse, slot: Slot | undefined): void {
    connection.inFlight++;
    const begun: Begun = { backlog: connection.backlog, bytes: 0, counted: 0, slot, network: connection.network };
    (response as Tracked)[BEGUN] = begun;
    response.on('close', () => {
      connection.inFlight--;
      if (slot !== undefined) this.#slots.release(slot);
      this.#unread.sent(begun);
      // Runs in the next turn of the event loop, so that one connection does not delay all others.
      if (connection.waiting.length > 0 || connection.feeder?.held === true)
        this.#tickShares.later(connection.network, connection.resume);
    });
    this.#handle(request, response);
  }

  #isLate({ socket, latest, ended, late, since, received }: Connection, now: Millis): boolean {
    if (latest === undefined || latest.complete || ended || late || this.isHeld(socket)) return false;
    return now - since > this.#limits.stall_ms + received / MIN_BYTES_PER_MS;
  }

  #isFull(connection: Connection): boolean {
    const { inFlight, waiting, ended, backlog, latest, network, resume } = connection;
    if (ended) return true;
    if (latest?.complete === false)
      return (
        !this.#mayReceive(connection, latest) ||
        !this.#pace.has(network, resume) ||
        !this.#tickShares.hasTime(network, resume)
      );
    if (inFlight + waiting.length === 0) return false;
    // Enough requests wait already; reading more would only take time from other connections.
    return waiting.length > 1 || inFlight >= this.#limits.max_in_flight || backlog.unread > SMALL;
  }

  #mayReceive(connection: Connection, request: IncomingMessage): boolean {
    if (connection.received < UNCOUNTED || connection.release !== undefined) return true;
    if (connection.waitsForMemory) return false;
    const release = this.#receiving.reserve(request, connection.network, connection.receive);
    connection.release = release;
    connection.waitsForMemory = release === undefined;
    // For a request answered before it was complete, only the end of its connection is an event.
    if (release !== undefined) request.once('close', release);
    return release !== undefined;
  }
}

const isChunked = (request: IncomingMessage | undefined): boolean =>
  request?.headers['transfer-encoding'] !== undefined;

/** Bytes of the body that is being read to parse next, none of the request behind it; undefined when none is read. */
function sliceOf({ latest, received }: Connection): number | undefined {
  if (latest === undefined || latest.complete) return undefined;
  if (isChunked(latest)) return CHUNKED_SLICE;
  return Math.min(Math.max(SLICE, Number(latest.headers['content-length']) - received), BODY_SLICE);
}

/** How often a line ends; each chunk has two, and of one byte each, chunks take a hundred times as long as a whole body. */
function lineEnds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf('\r\n'); at >= 0; at = bytes.indexOf('\r\n', at + 2)) count++;
  return count;
}

const newNetwork = (max_reads: number, max_begun: number, share: number, pace: Paced): Network => ({
  ...pace,
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
