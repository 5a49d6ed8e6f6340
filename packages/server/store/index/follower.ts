import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { Pool, PoolError } from '@mailroom/workers/pool';
import type { IndexStatus } from '../../core/ports/search.ts';
import { type Db, step } from '../db.ts';
import type { Source } from '../search/tasks.ts';
import type { Step } from './indexing.ts';
import type { IndexTask } from './worker.ts';

/** More than a step takes on a busy machine, in ms; after this the thread is terminated. */
const STEP_MS = 120_000;
/** Between two looks for changes, in ms; half the time in which a change is to be found. */
const IDLE_MS = 500;
const FAILED_MS = 5_000;
/** How often noted changes are removed where there is no index. */
const FORGET_MS = 60_000;
/** After the start of the service, whose first requests need the machine. */
const START_MS = 500;
/** Pause after a step, as a multiple of its time, while the service is busy, and else. */
const YIELDS = { busy: 9, idle: 0.2 };
const BUSY = 0.6;

/** Keeps the index behind the writes, step by step on a thread of its own. */
export class IndexFollower implements AsyncDisposable {
  readonly #pool: Pool<IndexTask, Step | null>;
  readonly #clock: Clock;
  readonly #db: Pick<Db, 'write'>;
  #stopped = false;
  #status: IndexStatus = { until: 0, built: false };
  /** Ends the pause before the next step. */
  #wake = (): void => {};
  /** Resolves at the end of the next step. */
  #step = Promise.withResolvers<void>();

  /** Without `index` nothing is indexed, and the changes that were noted for it are removed. */
  constructor(source: Source, clock: Clock, db: Pick<Db, 'write'>, index: boolean) {
    this.#clock = clock;
    this.#db = db;
    this.#pool = new Pool({
      name: 'index',
      script: new URL('./worker.ts', import.meta.url),
      data: source,
      workers: 1,
      max_queue: 1,
      run_ms: STEP_MS,
    });
    void (index ? this.#follow() : this.#forget());
  }

  /** Resolves when everything that was written before is found, and after `ms` in any case. */
  async caughtUp(ms: Millis): Promise<IndexStatus> {
    const [since, timeout] = [this.#clock(), sleep(ms, 'over', { ref: false })];
    while (this.#status.until < since && !this.#stopped) {
      const step = this.#step.promise;
      this.#wake();
      if ((await Promise.race([step, timeout])) === 'over') break;
    }
    return this.#status;
  }

  async #forget(): Promise<void> {
    while (!this.#stopped) {
      await this.#pause(FORGET_MS);
      if (!this.#stopped) await this.#remove(Number.MAX_SAFE_INTEGER).catch(() => {});
    }
  }

  #remove = (seq: number): Promise<unknown> =>
    this.#db.write([step('delete from index_changes where seq <= $1', seq)], 'beside');

  /** Until a search comes, and at most `ms`. */
  #pause(ms: Millis): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, ms).unref();
    this.#wake = resolve;
    return this.#stopped ? Promise.resolve() : promise;
  }

  async #follow(): Promise<void> {
    await this.#pause(START_MS);
    let done = 0;
    while (!this.#stopped) {
      const [before, from] = [performance.eventLoopUtilization(), performance.now()];
      let pause: Promise<void> | undefined;
      try {
        const next = await this.#pool.run({ now: this.#clock() });
        if (next !== null) this.#status = { until: next.until, built: next.built };
        if (next !== null && next.changes > done) {
          await this.#remove(next.changes);
          done = next.changes;
        }
        const busy = performance.eventLoopUtilization(before).utilization > BUSY;
        const took = performance.now() - from;
        if (next?.more) pause = sleep(took * (busy ? YIELDS.busy : YIELDS.idle), undefined, { ref: false });
      } catch (error) {
        if (!this.#stopped && !(error instanceof PoolError)) process.emitWarning(error as Error);
        pause = sleep(FAILED_MS, undefined, { ref: false });
      }
      const { resolve } = this.#step;
      this.#step = Promise.withResolvers<void>();
      resolve();
      await (pause ?? this.#pause(IDLE_MS));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.#pool.close();
  }
}
