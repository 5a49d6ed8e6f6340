import type { Millis } from '../core/values/clock.ts';

/** Reads in progress in all, */
export const MAX_READS = 16;
/** and of one network: a turn of the event loop is no longer than these take. */
export const MAX_READS_OF_NETWORK = 2;
/** What takes longer waits for a thread or a database, and is no hurry of this thread. */
const BUSY_MS: Millis = 50;

/** Of a network: how many of its reads are in progress, and may be. */
export interface Reader {
  reads: number;
  readonly max_reads: number;
}

export interface Slot {
  readonly reader: Reader;
  readonly at: Millis;
}

/**
 * Slots for requests that only read: many at once would each be quick and keep everybody waiting together. Networks take
 * turns for the slots that get free. What takes longer than a moment waits for something else, and holds none.
 */
export class ReadSlots {
  readonly #held = new Set<Slot>();
  /** By network, those who wait, in the order of the networks' turns. */
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

  /** Nothing happens when it was released before. */
  release(slot: Slot): void {
    if (!this.#held.delete(slot)) return;
    slot.reader.reads--;
    this.#schedule();
  }

  /** Calls `begin` when there may be a slot: it acquires one, or has no use for it any more. */
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

  /** In a turn of its own, so that what answers at once does not keep the loop. */
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
        // Behind the others for its next one.
        this.#waiting.delete(reader);
        const begin = waiting.shift();
        if (waiting.length > 0) this.#waiting.set(reader, waiting);
        begin?.();
        served = true;
      }
    }
  }
}
