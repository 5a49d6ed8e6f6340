import { isGuest } from '@mailroom/behavior/values/guest';
import type { Json } from '@mailroom/behavior/values/json';
import { FairQueue } from '@mailroom/workers/fair-queue';
import { Pool, PoolError } from '@mailroom/workers/pool';
import type { Failed, Outcome, Problem, SandboxLimits } from './job.ts';
import { compileEngine } from './module.ts';
import type { ThreadData, ThreadTask } from './thread.ts';

export type { Problem, SandboxLimits } from './job.ts';

interface Turn {
  readonly go: (slot: number) => void;
}

export interface SandboxOptions {
  /** Maximum scripts at the same time; one more thread is kept warm in case one has to be ended. */
  readonly workers: number;
  /** Maximum scripts that wait; more are refused with `full`. */
  readonly max_queue: number;
  /** Hard limit of a script's memory in bytes, above `memory_bytes` of any job. 64 MiB by default. */
  readonly max_memory?: number;
}

export interface Script {
  readonly code: string;
  /** The script's global `input`; null by default. */
  readonly input?: Json;
  /** The script's global `args`; [] by default. */
  readonly args?: readonly Json[];
}

export interface Ran {
  readonly value: Json;
  /** The console output, one line per call. */
  readonly logs: readonly string[];
}

/**
 * `timeout`, `memory`, `output`: over the limit. `syntax`: invalid JavaScript, see `line`. `thrown`: the script threw, see
 * `stack`. `full`: too many scripts wait. `crashed`: the engine or its thread failed. The message is for people.
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly kind: Problem;
  /** Counts from 1. */
  readonly line: number | undefined;
  /** The stack of the script itself. */
  readonly guest_stack: string | undefined;
  readonly logs: readonly string[];

  constructor({ kind, message, line, stack }: Failed, logs: readonly string[] = []) {
    super(message);
    this.kind = kind;
    this.line = line;
    this.guest_stack = stack;
    this.logs = logs;
  }
}

/** Maximum time in ms of a guest's script, so that the guests' scripts together hold up no other one for long. */
const GUEST_MS = 1_000;
/** How long after its time a script's thread is ended, in ms, when the engine cannot stop it because native code runs. */
const GRACE_MS = 200;
/** The pool's own limit, which only guards against errors here, because each job has its own. */
const RUN_MS = 600_000;

/** Runs JavaScript by strangers on threads that share nothing with this one and can be ended. Must be closed. */
export class Sandbox {
  readonly #options: SandboxOptions;
  /** Start times by slot; the last slot is for warming up threads. */
  readonly #began: Float64Array<SharedArrayBuffer>;
  readonly #free: number[];
  readonly #waiting = new FairQueue<Turn>();
  /** The number of slots in use, by caller. */
  readonly #taken = new Map<string, number>();
  #pool: Promise<Pool<ThreadTask, Outcome>> | undefined;
  #warm: Promise<void> | undefined;
  #closed = false;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#began = new Float64Array(new SharedArrayBuffer((options.workers + 1) * 8));
    this.#free = Array.from({ length: options.workers }, (_, slot) => slot);
  }

  /** Starts the threads, so that the first script need not wait; later calls do nothing. Never rejects. */
  warm(): Promise<void> {
    this.#warm ??= this.#startAll();
    return this.#warm;
  }

  /**
   * Rejects with a `SandboxError` or with the signal's reason. Nothing of a script remains for the next one. Callers take
   * turns, those that took much time of late later, and one has at most half of the slots while others wait; guests come
   * after all others, and their scripts have `GUEST_MS` at most. `started` is called when it gets a slot.
   */
  async run(
    { code, input = null, args = [] }: Script,
    limits: SandboxLimits,
    signal: AbortSignal,
    { caller = '', started }: { readonly caller?: string; readonly started?: (() => void) | undefined } = {},
  ): Promise<Ran> {
    const ms = isGuest(caller) ? Math.min(limits.ms, GUEST_MS) : limits.ms;
    const job = { code, input: JSON.stringify(input), args: JSON.stringify(args), limits: { ...limits, ms } };
    const slot = await this.#slot(caller, signal);
    const began = performance.now();
    try {
      started?.();
      const pool = await this.#open();
      const outcome = await this.#onThread(pool, { slot, job }, ms, signal);
      if ('failed' in outcome) throw new SandboxError(outcome.failed, outcome.logs);
      return { value: JSON.parse(outcome.value) as Json, logs: outcome.logs };
    } finally {
      this.#waiting.charge(caller, performance.now() - began);
      this.#release(slot, caller);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#pool)?.close();
  }

  async #startAll(): Promise<void> {
    const { workers } = this.#options;
    const limits = { ms: 1000, memory_bytes: 1 << 24, output_bytes: 100, log_bytes: 0 };
    const task = { slot: workers, job: { code: '0', input: 'null', args: '[]', limits } };
    try {
      const pool = await this.#open();
      await Promise.allSettled(Array.from({ length: workers + 1 }, () => pool.run(task)));
    } catch {
      // An error is reported by the first script instead.
    }
  }

  #slot(caller: string, signal: AbortSignal): Promise<number> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const free = this.#may(caller) ? this.#free.pop() : undefined;
    if (free !== undefined) {
      this.#take(caller);
      this.#waiting.served(caller);
      return Promise.resolve(free);
    }
    const { max_queue } = this.#options;
    const own = this.#waiting.sizeOf(caller);
    if (this.#waiting.size >= max_queue || (caller !== '' && own >= Math.ceil(max_queue / 4))) {
      const message = `${this.#waiting.size} scripts wait already, ${own} of them yours. Try again later.`;
      return Promise.reject(new SandboxError({ kind: 'full', message }));
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.remove(caller, turn);
        reject(signal.reason);
      };
      const turn: Turn = {
        go: (slot) => {
          signal.removeEventListener('abort', onAbort);
          this.#take(caller);
          resolve(slot);
        },
      };
      this.#waiting.push(caller, turn);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #hasShare(caller: string): boolean {
    return (this.#taken.get(caller) ?? 0) < Math.ceil(this.#options.workers / 2);
  }

  #may(caller: string): boolean {
    return !isGuest(caller) || this.#hasShare(caller);
  }

  #take(caller: string): void {
    this.#taken.set(caller, (this.#taken.get(caller) ?? 0) + 1);
  }

  #release(slot: number, caller: string): void {
    const left = (this.#taken.get(caller) ?? 1) - 1;
    if (left > 0) this.#taken.set(caller, left);
    else this.#taken.delete(caller);
    // Without others waiting, one slot stays free of guests.
    const next =
      this.#waiting.shift((of) => !isGuest(of) && this.#hasShare(of)) ??
      this.#waiting.shift((of) => !isGuest(of)) ??
      this.#waiting.shift((of) => this.#may(of));
    if (next === undefined) this.#free.push(slot);
    else next.go(slot);
  }

  async #onThread(
    pool: Pool<ThreadTask, Outcome>,
    task: ThreadTask,
    ms: number,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const kill = new AbortController();
    this.#began[task.slot] = 0;
    let timer: NodeJS.Timeout | undefined;
    const watch = (): void => {
      // The script's time begins only when its thread has started.
      const began = this.#began[task.slot] || Date.now();
      const left = began + ms + GRACE_MS - Date.now();
      if (left <= 0) kill.abort();
      else timer = setTimeout(watch, left);
    };
    watch();
    try {
      return await pool.run(task, { signal: AbortSignal.any([signal, kill.signal]) });
    } catch (error) {
      if (kill.signal.aborted && !signal.aborted) {
        throw new SandboxError({ kind: 'timeout', message: `The script took longer than ${ms} ms.` });
      }
      if (!(error instanceof PoolError)) throw error;
      if (error.reason === 'full') throw new SandboxError({ kind: 'full', message: error.message });
      throw new SandboxError({ kind: 'crashed', message: 'The script broke the thread it ran on.' });
    } finally {
      clearTimeout(timer);
    }
  }

  #open(): Promise<Pool<ThreadTask, Outcome>> {
    if (this.#closed) return Promise.reject(new SandboxError({ kind: 'crashed', message: 'The sandbox is closed.' }));
    const { workers, max_memory = 64 << 20 } = this.#options;
    this.#pool ??= compileEngine(max_memory).then((module) => {
      const data: ThreadData = { module, began: this.#began.buffer };
      return new Pool<ThreadTask, Outcome>({
        name: 'sandbox',
        script: new URL('./worker.ts', import.meta.url),
        data,
        workers: workers + 1,
        // The pool's queue needs no bound of its own, because the slots are the bound.
        max_queue: 2 * workers + 1,
        run_ms: RUN_MS,
        kill_on_abort: true,
        // For the thread itself; a script's memory is not counted here.
        resource_limits: { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 },
      });
    });
    return this.#pool;
  }
}
