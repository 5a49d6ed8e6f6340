import { setTimeout as pause } from 'node:timers/promises';
import type { Millis } from './clock.ts';

/** Beside its rest it waits nine times as long as a bite took: whoever sends comes first. */
const REST_SHARE = 9;

/** Goes through much work in bites, each a transaction, one pass at a time. */
export class BatchJob implements AsyncDisposable {
  readonly #batch: () => Promise<boolean>;
  readonly #rest: Millis;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  /** `bite` takes one and says whether more is left; `rest_ms` is how long it rests at least between two. */
  constructor(batch: () => Promise<boolean>, rest_ms: Millis) {
    this.#batch = batch;
    this.#rest = rest_ms;
  }

  /** Takes bites until nothing is left; at once when a pass is under way already. Rejects when a bite does. */
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
    for (let from = performance.now(); !signal.aborted && (await this.#batch()); from = performance.now()) {
      const rest = this.#rest + REST_SHARE * (performance.now() - from);
      await pause(rest, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
