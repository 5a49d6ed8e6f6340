import { channel } from 'node:diagnostics_channel';
import { isRefusal, lostRace, storeError } from './errors.ts';

/** Published for each committed batch: its number of operations and its milliseconds. */
const commits = channel('mailroom:store:commit');

/**
 * A batch of this size is sent before the turn of the event loop ends: a statement costs the server as much as ten of its
 * rows.
 */
const SEND_AT = 32;
/** Maximum number of items in a batch. */
const MAX_ITEMS = 256;
/** Approximate maximum of characters in a batch. */
const MAX_SIZE = 4 * 1024 * 1024;
/** How often an operation that lost a race is retried. */
const MAX_RACES = 8;

interface Waiter<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatcherOptions<T, R> {
  /** Runs one statement for the items; returns one result for each, in their order. */
  readonly run: (items: readonly T[]) => Promise<readonly R[]>;
  /** Maximum number of batches in progress. */
  readonly abreast: number;
  /** Characters of an item; when left out, items are small. */
  readonly size?: (item: T) => number;
  /** Items with the same key never share a batch; the second one starts the next batch. */
  readonly key?: (item: T) => string;
  /** Whether its batches are published on the channel of commits. */
  readonly writes?: boolean;
}

/**
 * Combines the operations of one turn of the event loop, and those that arrive while earlier batches are in progress,
 * into one statement over arrays. When the server refuses a batch, each item is sent alone, so that only the wrong ones
 * fail.
 */
export class Batcher<T, R> {
  readonly #options: BatcherOptions<T, R>;
  #waiting: Waiter<T, R>[] = [];
  #under = 0;
  #scheduled = false;

  constructor(options: BatcherOptions<T, R>) {
    this.#options = options;
  }

  /** Throws AppError `unavailable`, or the server's error for this item. */
  ask(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length >= SEND_AT) this.#flush();
      else if (!this.#scheduled) {
        this.#scheduled = true;
        setImmediate(() => {
          this.#scheduled = false;
          this.#flush();
        });
      }
    });
  }

  #flush(): void {
    while (this.#waiting.length > 0 && this.#under < this.#options.abreast) {
      this.#under++;
      void this.#run(this.#next()).finally(() => {
        this.#under--;
        this.#flush();
      });
    }
  }

  #next(): Waiter<T, R>[] {
    const { size, key } = this.#options;
    const keys = new Set<string>();
    let characters = 0;
    let count = 0;
    for (const { item } of this.#waiting) {
      if (count === MAX_ITEMS) break;
      characters += size?.(item) ?? 0;
      if (count > 0 && characters > MAX_SIZE) break;
      if (key !== undefined) {
        const own = key(item);
        if (keys.has(own)) break;
        keys.add(own);
      }
      count++;
    }
    if (count === this.#waiting.length) {
      const all = this.#waiting;
      this.#waiting = [];
      return all;
    }
    return this.#waiting.splice(0, count);
  }

  async #run(batch: readonly Waiter<T, R>[]): Promise<void> {
    const since = performance.now();
    try {
      const results = await raced(() => this.#options.run(batch.map(({ item }) => item)));
      if (this.#options.writes && commits.hasSubscribers) {
        commits.publish({ writes: batch.length, ms: performance.now() - since });
      }
      for (const [at, { resolve }] of batch.entries()) resolve(results[at] as R);
    } catch (error) {
      if (batch.length === 1 || !isRefusal(error)) for (const { reject } of batch) reject(storeError(error));
      else for (const one of batch) await this.#run([one]);
    }
  }
}

/** Retries an attempt that lost a race, a few times with growing pauses. */
export async function raced<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!lostRace(error) || tries >= MAX_RACES) throw error;
      const max = 2 ** tries * 2;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * max));
    }
  }
}
