import { setTimeout as pause } from 'node:timers/promises';
import type { Millis } from '@mailroom/behavior/values/clock';

/** The pause after a batch is at least this many times as long as the batch took, so that messages come first. */
const REST_SHARE = 9;

/** Works in batches, each a transaction, one pass at a time. */
export class BatchJob implements AsyncDisposable {
  readonly #batch: () => Promise<boolean>;
  readonly #rest: Millis;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  /** `batch` processes one batch and returns whether more is left; `rest_ms` is the minimum pause between two. */
  constructor(batch: () => Promise<boolean>, rest_ms: Millis) {
    this.#batch = batch;
    this.#rest = rest_ms;
  }

  /** Processes batches until nothing is left; returns at once during another pass. Rejects when a batch does. */
  async run(): Promise<void> {
    if (this.#running !== undefined || this.#stop.signal.aborted) return;
    this.#running = this.#pass();
    try {
      await this.#running;
    } finally {
      this.#running = undefined;
    }
  }

  /** Starts no further batch, and waits for the current one. */
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
