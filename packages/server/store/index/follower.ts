import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { Pool, PoolError } from '@mailroom/workers/pool';
import type { IndexStatus } from '../../core/ports/search.ts';
import type { Db } from '../db.ts';
import { step } from '../db.ts';
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
const START_MS = 1_500;
/** Pause after a step, as a multiple of its time, while the service is busy, and else. */
const YIELDS = { busy: 9, idle: 0.2 };
const BUSY = 0.6;

/** As of a store without an index. */
export const NOT_INDEXED: IndexStatus = { until: 0, built: false };

/** Keeps the index behind the writes, step by step on a thread of its own. */
export class IndexFollower implements AsyncDisposable {
  readonly #pool: Pool<IndexTask, Step | null>;
  readonly #clock: Clock;
  readonly #db: Pick<Db, 'write'>;
  readonly #stop = new AbortController();
  #status = NOT_INDEXED;
  readonly #running: Promise<void>;

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
    this.#running = index ? this.#follow() : this.#forget();
  }

  /** How far the index is. */
  get status(): IndexStatus {
    return this.#status;
  }

  async #forget(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#pause(FORGET_MS);
      if (!this.#stop.signal.aborted) await this.#remove(Number.MAX_SAFE_INTEGER).catch(() => {});
    }
  }

  #remove = (seq: number): Promise<unknown> =>
    this.#db.write([step('delete from index_changes where seq <= $1', seq)], 'beside');

  #pause = (ms: Millis): Promise<unknown> =>
    sleep(ms, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {});

  async #follow(): Promise<void> {
    const { signal } = this.#stop;
    await this.#pause(START_MS);
    let done = 0;
    while (!signal.aborted) {
      const [before, from] = [performance.eventLoopUtilization(), performance.now()];
      try {
        const next: Step | null = await this.#pool.run({ now: this.#clock(), rebuild: false });
        if (next === null) {
          await this.#pause(IDLE_MS);
          continue;
        }
        this.#status = { until: next.until, built: next.built };
        if (next.changes > done) {
          await this.#remove(next.changes);
          done = next.changes;
        }
        const busy = performance.eventLoopUtilization(before).utilization > BUSY;
        const took = performance.now() - from;
        await this.#pause(next.more ? took * (busy ? YIELDS.busy : YIELDS.idle) : IDLE_MS);
      } catch (error) {
        if (!signal.aborted && !(error instanceof PoolError)) process.emitWarning(error as Error);
        await this.#pause(FAILED_MS);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#pool.close();
    await this.#running;
  }
}
