import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Millis } from './clock.ts';
import type { Store } from './store.ts';

/** Events removed in one bite, which is one transaction. */
const BITE = 500;
/** Between two bites it rests for so long, and nine times as long as the bite took: whoever sends comes first. */
const REST_MS = 20;
const REST_SHARE = 9;

/** Removes events some time after they happened, the oldest first. */
export class Trim implements AsyncDisposable {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #keep: Millis;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  /** Events are kept for `keep_ms`. */
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
    while (!signal.aborted) {
      const from = performance.now();
      const gone = await this.#store.events.trim(this.#clock() - this.#keep, BITE);
      if (gone < BITE / 2) return;
      const rest = REST_MS + REST_SHARE * (performance.now() - from);
      await pause(rest, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
