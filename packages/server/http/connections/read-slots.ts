import type { Millis } from '@mailroom/behavior/values/clock';

/** Reads in progress in total. */
export const MAX_READS = 16;
/** Reads in progress for one network; it bounds the length of a turn of the event loop. */
export const MAX_READS_OF_NETWORK = 2;
/** After this time a read is waiting for a thread or a database and no longer keeps this thread busy. */
const BUSY_MS: Millis = 50;

/** A network's reads in progress and their limit. */
export interface Reader {
  reads: number;
  readonly max_reads: number;
}

export interface Slot {
  readonly reader: Reader;
  readonly at: Millis;
}

/**
 * Slots for requests that only read, because many quick ones at once would delay everyone. Networks take turns for free
 * slots; a read that takes longer than `BUSY_MS` waits elsewhere and gives up its slot.
 */
export class ReadSlots {
  readonly #held = new Set<Slot>();
  /** Waiting reads by network, in the order of the networks' turns. */
  readonly #waiting = new Map<Reader, (() => void)[]>();
  #scheduled = false;
  #looking = false;

  acquire(reader: Reader): Slot | undefined {
    if (this.#held.size >= MAX_READS || reader.reads >= reader.max_reads) return undefined;
    const slot = { reader, at: performance.now() };
    this.#held.add(slot);
    reader.reads++;
    return slot;
  }

  /** Has no effect on a slot that was released before. */
  release(slot: Slot): void {
    if (!this.#held.delete(slot)) return;
    slot.reader.reads--;
    this.#schedule();
  }

  /** Calls `begin` when a slot may be free; it acquires one or ignores the call. */
  wait(reader: Reader, begin: () => void): void {
    const before = this.#waiting.get(reader);
    if (before === undefined) this.#waiting.set(reader, [begin]);
    else before.push(begin);
    this.#lookSoon();
  }

  #lookSoon(): void {
    if (this.#looking) return;
    this.#looking = true;
    setTimeout(() => this.#releaseSlow(), BUSY_MS).unref();
  }

  #releaseSlow(): void {
    this.#looking = false;
    const before = performance.now() - BUSY_MS;
    for (const slot of this.#held) if (slot.at <= before) this.release(slot);
    if (this.#waiting.size > 0) this.#lookSoon();
  }

  /** Runs in the next turn of the event loop, so that quick answers do not block it. */
  #schedule(): void {
    if (this.#scheduled || this.#waiting.size === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#serve();
    });
  }

  #serve(): void {
    for (let served = true; served; ) {
      served = false;
      for (const [reader, waiting] of [...this.#waiting]) {
        if (this.#held.size >= MAX_READS) return;
        if (reader.reads >= reader.max_reads) continue;
        // The network queues behind the others for its next slot.
        this.#waiting.delete(reader);
        const begin = waiting.shift();
        if (waiting.length > 0) this.#waiting.set(reader, waiting);
        begin?.();
        served = true;
      }
    }
  }
}
