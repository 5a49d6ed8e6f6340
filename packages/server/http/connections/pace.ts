import { type Millis, SECOND } from '@mailroom/behavior/values/clock';

/** What a network may still begin, as of `at`. */
export interface Paced {
  readonly per_second: number;
  /** Below zero after something that took more than there was. */
  room: number;
  at: Millis;
}

/** How many of a second's requests may begin at once. */
const burstOf = (per_second: number): number => Math.max(1, per_second / 10);
/** Those that wait are looked at this often. */
const LOOK_MS: Millis = 10;

/**
 * Lets each network begin so many requests a second; those beyond it wait, since the main thread would otherwise be busy
 * with all that a few networks send as fast as they can.
 */
export class Pace {
  readonly #now: () => Millis;
  readonly #waiting = new Map<Paced, Set<() => void>>();

  constructor(now: () => Millis = () => performance.now()) {
    this.#now = now;
  }

  /** A network that has begun nothing yet. */
  network(per_second: number): Paced {
    return { per_second, room: burstOf(per_second), at: this.#now() };
  }

  /** Whether it may begin one now; if not, `go` is called once when it may. */
  has(network: Paced, go: () => void): boolean {
    if (this.#filled(network) >= 1) return true;
    const waiting = this.#waiting.get(network);
    if (waiting !== undefined) waiting.add(go);
    else {
      this.#waiting.set(network, new Set([go]));
      if (this.#waiting.size === 1) setTimeout(() => this.#look(), LOOK_MS).unref();
    }
    return false;
  }

  /** Counts what began, which may be more than the network has. */
  spend(network: Paced, count = 1): void {
    network.room = this.#filled(network) - count;
  }

  /** Whether nothing is known of the network any more. */
  isFresh(network: Paced): boolean {
    return this.#filled(network) === burstOf(network.per_second);
  }

  #filled(network: Paced): number {
    // Behind a proxy, and without limits.
    if (network.per_second === Infinity) return Infinity;
    const now = this.#now();
    const more = ((now - network.at) / SECOND) * network.per_second;
    network.at = now;
    network.room = Math.min(burstOf(network.per_second), network.room + more);
    return network.room;
  }

  /** Lets one of each network begin; a body that goes on counts after this turn. */
  #look(): void {
    let more = false;
    for (const [network, waiting] of [...this.#waiting]) {
      const [go] = waiting;
      if (go === undefined || this.#filled(network) < 1) continue;
      // It waits behind the network's others for its next one.
      waiting.delete(go);
      go();
      if (waiting.size === 0) this.#waiting.delete(network);
      else more ||= this.#filled(network) >= 1;
    }
    if (more) setImmediate(() => this.#look());
    else if (this.#waiting.size > 0) setTimeout(() => this.#look(), LOOK_MS).unref();
  }
}
