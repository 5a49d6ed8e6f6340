import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';

export interface UnreadLimits {
  /** Bytes of answers one connection may leave unread for `UNREAD_MS`. */
  readonly max_unread: number;
  /** Bytes of unread answers on all connections at any moment. */
  readonly max_unread_total: number;
  /** How long a connection may read nothing while answers wait for it. */
  readonly stall_ms: Millis;
  /** Called for each connection closed because it reads too slowly. */
  readonly onGivenUp: () => void;
}

/** How long a connection may leave more than `max_unread` unread. */
const UNREAD_MS = 10 * SECOND;
/** A connection that reads this part of `max_unread` within `UNREAD_MS` is a slow reader and keeps its answer. */
const STEADY = 1 / 16;
/** Bytes that may be unread when a connection's next request begins; a larger answer waits for memory. */
export const SMALL = 64 * 1024;
/** Interval of the check. */
export const LOOK_MS = SECOND;
const AGAIN_MS = 5 * SECOND;

/** Whose bytes are counted together. */
export interface Holder {
  /** Bytes of answers its connections have not read yet. */
  held: number;
}

/** The unread answers of one connection. */
export class Backlog {
  readonly socket: Socket;
  readonly network: Holder;
  /** Bytes of answers that were handed over and not sent. */
  held = 0;
  /** The bytes of `held` that count toward the total; documents shared by all answers do not. */
  counted = 0;
  /** Bytes the system has taken, and the time of the last change. */
  taken = 0;
  movedAt: Millis = performance.now();
  /** Since when it has had more than `max_unread` unread, and the bytes taken before. */
  fullAt: Millis | undefined;
  fullTaken = 0;

  constructor(socket: Socket, network: Holder) {
    this.socket = socket;
    this.network = network;
  }

  get unread(): number {
    return Math.max(this.held, this.socket.writableLength);
  }
}

/** An answer in progress: its bytes, and those that count toward the total. */
export interface OnItsWay {
  readonly backlog: Backlog;
  bytes: number;
  counted: number;
}

interface Waiter {
  readonly backlog: Backlog;
  readonly bytes: number;
  readonly until: Millis;
  readonly go: PromiseWithResolvers<void>;
}

/** Counts unread answers and closes connections that do not read them. */
export class Unread {
  readonly #limits: UnreadLimits;
  readonly #backlogs = new Set<Backlog>();
  #held = 0;
  /** Answers for which there is no memory yet. */
  #waiters: Waiter[] = [];

  constructor(limits: UnreadLimits) {
    this.#limits = limits;
  }

  /** Bytes of all answers that were handed over and not sent. */
  get held(): number {
    return this.#held;
  }

  watch(backlog: Backlog): void {
    this.#backlogs.add(backlog);
  }

  /** Removes a closed connection. */
  forget(backlog: Backlog): void {
    this.#backlogs.delete(backlog);
    this.#release(backlog, backlog.held, backlog.counted);
  }

  /**
   * Counts the bytes of an answer until it is `sent`; `shared` bytes exist in memory once. Returns a promise when there
   * is no memory yet, which rejects with AppError `unavailable`.
   */
  handOver(response: OnItsWay, bytes: number, shared: boolean): void | Promise<void> {
    const { max_unread_total, stall_ms } = this.#limits;
    const counted = shared ? 0 : bytes;
    if (this.#held + counted <= max_unread_total || this.#makeRoom(counted, response.backlog) || counted <= SMALL) {
      this.#add(response, bytes, counted);
      return;
    }
    const waiting = this.#waiters.reduce((sum, waiter) => sum + waiter.bytes, 0);
    if (waiting + bytes > max_unread_total) throw busy();
    const go = Promise.withResolvers<void>();
    this.#waiters.push({ backlog: response.backlog, bytes, until: performance.now() + stall_ms, go });
    return go.promise.then(() => this.#add(response, bytes, counted));
  }

  sent({ backlog, bytes, counted }: OnItsWay): void {
    if (bytes > 0) this.#release(backlog, bytes, counted);
  }

  /** Closes connections whose answers are not read, as of `now`; called each second. */
  look(now: Millis): void {
    for (const backlog of this.#backlogs) if (this.#gaveUp(backlog, now)) this.#close(backlog);
    this.#letWaitersGo(now);
  }

  #gaveUp(backlog: Backlog, now: Millis): boolean {
    const { max_unread, stall_ms } = this.#limits;
    const { unread } = backlog;
    const taken = takenOf(backlog.socket);
    if (unread === 0 || taken !== backlog.taken) {
      backlog.taken = taken;
      backlog.movedAt = now;
    }
    if (unread <= max_unread) {
      backlog.fullAt = undefined;
      return now - backlog.movedAt >= stall_ms;
    }
    const full = backlog.fullAt !== undefined && now - backlog.fullAt >= UNREAD_MS;
    if (full && taken - backlog.fullTaken < max_unread * STEADY) return true;
    if (full || backlog.fullAt === undefined) {
      backlog.fullAt = now;
      backlog.fullTaken = taken;
    }
    return now - backlog.movedAt >= stall_ms;
  }

  #add(response: OnItsWay, bytes: number, counted: number): void {
    const { backlog } = response;
    // Its bytes are released already.
    if (backlog.socket.destroyed) return;
    response.bytes += bytes;
    response.counted += counted;
    backlog.held += bytes;
    backlog.counted += counted;
    backlog.network.held += counted;
    this.#held += counted;
  }

  #release(backlog: Backlog, bytes: number, counted: number): void {
    // The response of a closed connection reports its end later.
    const released = Math.min(counted, backlog.counted);
    backlog.held -= Math.min(bytes, backlog.held);
    backlog.counted -= released;
    backlog.network.held -= released;
    this.#held -= released;
    if (this.#waiters.length > 0) this.#letWaitersGo(performance.now());
  }

  /** Resumes one per turn of the event loop, because handing a large answer to the system takes time. */
  #letWaitersGo(now: Millis): void {
    const room = this.#limits.max_unread_total - this.#held;
    let gone = false;
    this.#waiters = this.#waiters.filter(({ backlog, bytes, until, go }) => {
      if (backlog.socket.destroyed || now >= until) {
        go.reject(busy());
        return false;
      }
      if (gone || (bytes > room && this.#held > 0)) return true;
      gone = true;
      go.resolve();
      return false;
    });
    if (gone && this.#waiters.length > 0) setImmediate(() => this.#letWaitersGo(performance.now()));
  }

  /**
   * Closes the slowest readers of the network that holds most, until there is room for `asking`; false when none may be
   * closed.
   */
  #makeRoom(bytes: number, asking: Backlog): boolean {
    while (this.#held > 0 && this.#held + bytes > this.#limits.max_unread_total) {
      const slowest = this.#slowest(asking);
      if (slowest === undefined) return false;
      this.#close(slowest);
    }
    return true;
  }

  #slowest(asking: Backlog): Backlog | undefined {
    // A network above its share is closed even while it reads in small steps, else a few could take the memory from all
    // others.
    const holders = new Set([asking.network]);
    for (const { network } of this.#backlogs) if (network.held > 0) holders.add(network);
    const share = this.#limits.max_unread_total / Math.max(2, holders.size);
    const still = performance.now() - LOOK_MS;
    let found: Backlog | undefined;
    for (const backlog of this.#backlogs) {
      if (backlog.counted <= SMALL) continue;
      const greedy = backlog.network.held > share;
      const reads = backlog.movedAt > still || takenOf(backlog.socket) !== backlog.taken;
      if (reads && !greedy) continue;
      if (found === undefined || weight(backlog) > weight(found)) found = backlog;
    }
    return found;
  }

  #close(backlog: Backlog): void {
    this.#release(backlog, backlog.held, backlog.counted);
    backlog.socket.destroy();
    this.#limits.onGivenUp();
  }
}

/** Networks that hold much come first, then the largest of their connections. */
const weight = ({ network, counted }: Backlog): number => network.held * 2 ** 20 + counted;

const busy = (): AppError =>
  new AppError('unavailable', 'Too many large answers wait for slow readers. Try again in a moment.', {
    retry_after_ms: AGAIN_MS,
  });

/** Bytes the system took of what was written. */
const takenOf = (socket: Socket): number => socket.bytesWritten - socket.writableLength;

/** An answer that is written bit by bit, so that what the system took of it is seen. */
export const inSlices = (bytes: Buffer): Readable => Readable.from(slicesOf(bytes), { objectMode: false });

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += SMALL) yield bytes.subarray(from, from + SMALL);
}
