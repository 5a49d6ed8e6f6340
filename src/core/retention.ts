import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Millis } from './clock.ts';
import { DAY } from './clock.ts';
import type { Store } from './store.ts';

/** Messages looked at in one bite, which is one transaction: a few milliseconds of the writer. */
const BITE = 100;
/** Between two bites it rests for so long, and nine times as long as the bite took: whoever sends comes first. */
const REST_MS = 50;
const REST_SHARE = 9;

/**
 * Removes settled messages some time after they settled, oldest first. It goes through them by id, once: where it came to
 * it goes on the next time. What waited then and settled since stands behind that place, so once a day it begins anew.
 */
export class Retention implements AsyncDisposable {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #keep: Millis;
  readonly #stop = new AbortController();
  #after = '';
  #begun: Millis | undefined;
  #running: Promise<void> | undefined;

  /** Messages are kept for `keep_ms` after they settled. */
  constructor(parts: { readonly store: Store; readonly clock: Clock }, keep_ms: Millis) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#keep = keep_ms;
  }

  /** Removes all that is old by now; at once when that is under way already. Rejects when the store cannot do it. */
  async run(): Promise<void> {
    if (this.#running !== undefined || this.#stop.signal.aborted) return;
    this.#running = this.#pass();
    try {
      await this.#running;
    } finally {
      this.#running = undefined;
    }
  }

  /** Takes no further bite, and waits for the one under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running?.catch(() => {});
  }

  async #pass(): Promise<void> {
    const { signal } = this.#stop;
    const now = this.#clock();
    if (this.#begun === undefined || now - this.#begun >= DAY) {
      this.#begun = now;
      this.#after = '';
    }
    while (!signal.aborted) {
      const from = performance.now();
      const { next } = await this.#store.messages.retire(now - this.#keep, this.#after, BITE);
      if (next === null) return;
      this.#after = next;
      const rest = REST_MS + REST_SHARE * (performance.now() - from);
      await pause(rest, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
