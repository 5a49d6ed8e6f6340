import { channel } from 'node:diagnostics_channel';
import { isRefusal, lostRace, storeError } from './errors.ts';

/** Each committed batch: how many operations it had and how many milliseconds it was away. */
const commits = channel('mailroom:store:commit');

/** So many are sent on before the turn of the event loop ends: a statement costs the server as much as ten of its rows. */
const SEND_AT = 32;
/** A batch is no larger than this, */
const MAX_ITEMS = 256;
/** and its texts no longer than about this many characters. */
const MAX_SIZE = 4 * 1024 * 1024;
/** How often what lost a race against others is tried again. */
const MAX_RACES = 8;

interface Waiter<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatcherOptions<T, R> {
  /** One statement over the items; one result for each, in their order. */
  readonly run: (items: readonly T[]) => Promise<readonly R[]>;
  /** How many batches may be under way at a time. */
  readonly abreast: number;
  /** Characters of an item; when left out, items are small. */
  readonly size?: (item: T) => number;
  /** Two items of one batch must not have the same; an item of a key that is in the batch opens the next one. */
  readonly key?: (item: T) => string;
  /** Its batches are told on the channel of commits. */
  readonly writes?: boolean;
}

/**
 * Gathers what is asked for within a turn of the event loop, and while earlier batches are under way, into one statement
 * over arrays. When the server refuses a batch, each of its items is asked for alone, so that only what is wrong fails.
 */
export class Batcher<T, R> {
  readonly #options: BatcherOptions<T, R>;
  #waiting: Waiter<T, R>[] = [];
  #under = 0;
  #scheduled = false;

  constructor(options: BatcherOptions<T, R>) {
    this.#options = options;
  }

  /** Throws AppError `unavailable`, or what the server says of this item. */
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

/** Again when others were in the way, a few times, a little later each time. */
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
