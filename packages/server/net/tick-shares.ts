import type { Millis } from '@mailroom/behavior/values/clock';

/** Requests a network began in this turn of the event loop, and its limit. */
export interface TickShare {
  turn: number;
  begun: number;
  readonly max_begun: number;
}

/** After a longer turn fewer requests begin in one, and after a shorter one more. */
const LONG_MS: Millis = 20;
const SHORT_MS: Millis = 8;
/** The least part of a network's share; with this one or less, those that waited begin one at a time. */
const LEAST = 1 / 256;
const ALONE = 1 / 16;

/**
 * Divides each turn of the event loop between networks; requests beyond a network's share begin in the next turns. How
 * many begin in a turn follows how long turns take: with the longest, one of each network, and of those that waited, one
 * in all, network by network. So a caller with few requests waits for few of others, however long each takes.
 */
export class TickShares {
  readonly #now: () => Millis;
  #turn = 0;
  /** The part of its share that each network has. */
  #part = 1;
  /** When the first request of this turn began, or the first body was read; undefined when none was. */
  #since: Millis | undefined;
  #later = new Map<TickShare, Set<() => void>>();

  constructor(now: () => Millis = () => performance.now()) {
    this.#now = now;
  }

  /** Counts one more request of the network if this turn has time for it, and returns whether it has. */
  take(network: TickShare): boolean {
    if (network.turn !== this.#turn) {
      network.turn = this.#turn;
      network.begun = 0;
    }
    if (network.begun >= Math.max(1, network.max_begun * this.#part)) return false;
    network.begun++;
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
    if (this.#now() - (this.#since as Millis) <= SHORT_MS) return true;
    this.later(network, go);
    return false;
  }

  #end(): void {
    if (this.#since !== undefined) return;
    this.#since = this.#now();
    setImmediate(() => {
      this.#adapt(this.#now() - (this.#since as Millis));
      this.#since = undefined;
      this.#turn++;
      this.#proceed();
    });
  }

  #adapt(took: Millis): void {
    if (took > LONG_MS) this.#part = Math.max(LEAST, this.#part / 2);
    else if (took < SHORT_MS) this.#part = Math.min(1, this.#part * 2);
  }

  #proceed(): void {
    const later = this.#later;
    if (this.#part > ALONE) {
      this.#later = new Map();
      for (const waiting of later.values()) for (const go of waiting) go();
      return;
    }
    const [next] = later;
    if (next === undefined) return;
    const [network, waiting] = next;
    const [go] = waiting;
    // The network waits behind the others for its next one.
    later.delete(network);
    waiting.delete(go as () => void);
    if (waiting.size > 0) later.set(network, waiting);
    go?.();
    if (later.size > 0) this.#end();
  }
}
