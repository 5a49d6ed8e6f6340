import type { Millis } from '@mailroom/behavior/values/clock';

/** Requests a network began in this turn of the event loop, and its limit. */
export interface TickShare {
  turn: number;
  begun: number;
  readonly max_begun: number;
  /** When it last began a request or read a body; undefined before the first time. */
  active_at?: Millis;
}

/** A network that was not active for this long asks rarely. */
const RARE_MS: Millis = 15;
/** For this long after one that asks rarely, the others leave time to it. */
const NEIGHBOR_MS: Millis = 250;
/** The longest time that they leave after a turn; less than `RARE_MS`, as it does not make a network a rare one. */
const MAX_REST_MS: Millis = 10;

/** After a longer turn fewer requests begin in one, and after a shorter one more. */
const LONG_MS: Millis = 20;
const SHORT_MS: Millis = 8;
/** Once a turn takes this long, each network begins one request. */
const FULL_MS: Millis = 3;
/** The least part of a network's share; with this one or less, those that waited begin one at a time. */
const LEAST = 1 / 256;
const ALONE = 1 / 16;

/**
 * Divides each turn of the event loop between networks; requests beyond a network's share begin in the next turns, and so
 * do all but one of each network once the turn takes `FULL_MS`. How many begin in a turn follows how long turns take: with
 * the longest, one of each network, and of those that waited, one in all, network by network. So a caller with few requests
 * waits for few of others, however long each takes. While one asks rarely, the others begin nothing after a turn for as
 * long as it took, so that they keep the loop busy half of the time.
 */
export class TickShares {
  readonly #now: () => Millis;
  #turn = 0;
  /** The part of its share that each network has. */
  #part = 1;
  /** When the first request of this turn began, or the first body was read; undefined when none was. */
  #since: Millis | undefined;
  #later = new Map<TickShare, Set<() => void>>();
  /** The network that asked last of those that ask rarely, and when. */
  #rare: TickShare | undefined;
  #rareAt: Millis = -Infinity;
  /** Whether another one began a request or read a body in this turn. */
  #busy = false;
  /** Ends the time that they leave. */
  #rest: NodeJS.Timeout | undefined;
  #proceeding = false;

  constructor(now: () => Millis = () => performance.now()) {
    this.#now = now;
  }

  /** Counts one more request of the network if this turn has time for it, and returns whether it has. */
  take(network: TickShare): boolean {
    if (this.#rests(network)) return false;
    if (network.turn !== this.#turn) {
      network.turn = this.#turn;
      network.begun = 0;
    }
    if (network.begun >= Math.max(1, network.max_begun * this.#part)) return false;
    if (network.begun > 0 && this.#tookMs() > FULL_MS) return false;
    network.begun++;
    network.active_at = this.#now();
    this.#end();
    return true;
  }

  /** Calls `go` once in a next turn, however often it is requested. */
  later(network: TickShare, go: () => void): void {
    const waiting = this.#later.get(network);
    if (waiting === undefined) this.#later.set(network, new Set([go]));
    else waiting.add(go);
    this.#end();
  }

  /** Whether this turn has time to read more of a body; if not, `go` is called once in a next one. */
  hasTime(network: TickShare, go: () => void): boolean {
    this.#end();
    if (!this.#rests(network) && this.#tookMs() <= SHORT_MS) {
      network.active_at = this.#now();
      return true;
    }
    this.later(network, go);
    return false;
  }

  /** Whether it leaves time to a network that asks rarely. */
  #rests(network: TickShare): boolean {
    const now = this.#now();
    const waits = this.#proceeding || this.#later.has(network);
    if (!waits && now - (network.active_at ?? -Infinity) >= RARE_MS) {
      this.#rare = network;
      this.#rareAt = now;
    }
    // It leaves no time to itself.
    if (network === this.#rare) return false;
    if (this.#rest !== undefined) return true;
    this.#busy = true;
    return false;
  }

  /** How long this turn has taken. */
  #tookMs(): Millis {
    return this.#since === undefined ? 0 : this.#now() - this.#since;
  }

  #end(): void {
    if (this.#since !== undefined) return;
    this.#since = this.#now();
    setImmediate(() => {
      const now = this.#now();
      const took = now - (this.#since as Millis);
      this.#adapt(took);
      this.#since = undefined;
      this.#turn++;
      if (this.#busy && now - this.#rareAt < NEIGHBOR_MS)
        this.#rest ??= setTimeout(
          () => {
            this.#rest = undefined;
            this.#proceed();
          },
          Math.min(took, MAX_REST_MS),
        );
      this.#busy = false;
      if (this.#rest === undefined) this.#proceed();
    });
  }

  #adapt(took: Millis): void {
    if (took > LONG_MS) this.#part = Math.max(LEAST, this.#part / 2);
    else if (took < SHORT_MS) this.#part = Math.min(1, this.#part * 2);
  }

  #proceed(): void {
    if (this.#part > ALONE) {
      const later = this.#later;
      this.#later = new Map();
      this.#proceedWith([...later.values()].flatMap((waiting) => [...waiting]));
    } else this.#proceedOne();
  }

  /** Each after all that the one before it does without waiting, as how long that takes decides whether the next one begins. */
  #proceedWith(waiting: readonly (() => void)[], from = 0): void {
    const go = waiting[from];
    if (go === undefined) return;
    this.#begin(go);
    if (from + 1 < waiting.length) queueMicrotask(() => process.nextTick(() => this.#proceedWith(waiting, from + 1)));
  }

  #begin(go: () => void): void {
    this.#proceeding = true;
    go();
    this.#proceeding = false;
  }

  #proceedOne(): void {
    const [next] = this.#later;
    if (next === undefined) return;
    const [network, waiting] = next;
    const [go] = waiting;
    // The network waits behind the others for its next one.
    this.#later.delete(network);
    waiting.delete(go as () => void);
    if (waiting.size > 0) this.#later.set(network, waiting);
    if (go !== undefined) this.#begin(go);
    if (this.#later.size > 0) this.#end();
  }
}
