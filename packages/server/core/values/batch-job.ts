import { setTimeout as pause } from 'node:timers/promises';
import { type Millis, SECOND } from '@mailroom/behavior/values/clock';

/** The pause after a batch is at least this many times as long as the batch took, so that messages come first. */
const REST_SHARE = 9;
/** A pass that lasts longer has a backlog, which would grow: its batches are larger and its pauses shorter. */
const PATIENCE_MS = 10 * SECOND;
const HURRIED_SHARE = 1.5;

/** Works in batches, each a transaction, one pass at a time. */
export class BatchJob implements AsyncDisposable {
  readonly #batch: (behind: boolean) => Promise<boolean>;
  readonly #rest: Millis;
  readonly #patience: Millis;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  /**
   * `batch` processes one batch, a larger one when the job is `behind`, and returns whether more is left; `rest_ms` is
   * the minimum pause between two while it is not. It is behind once a pass has lasted for `patience_ms`.
   */
  constructor(batch: (behind: boolean) => Promise<boolean>, rest_ms: Millis, patience_ms: Millis = PATIENCE_MS) {
    this.#batch = batch;
    this.#rest = rest_ms;
    this.#patience = patience_ms;
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
    const begun = performance.now();
    for (let more = true; more && !signal.aborted; ) {
      const from = performance.now();
      const behind = from - begun > this.#patience;
      more = await this.#batch(behind);
      const took = performance.now() - from;
      const rest = behind ? HURRIED_SHARE * took : this.#rest + REST_SHARE * took;
      if (more) await pause(rest, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
