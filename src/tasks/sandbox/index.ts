import type { Json } from '../../core/json.ts';
import { Pool, PoolError } from '../../workers/pool.ts';
import type { Failed, Outcome, Problem, SandboxLimits } from './job.ts';
import { compileEngine } from './module.ts';
import type { ThreadData, ThreadTask } from './thread.ts';

export type { Problem, SandboxLimits } from './job.ts';

export interface SandboxOptions {
  /** Scripts that run at the same time. There is one thread more, warm, for when one had to be killed. */
  readonly workers: number;
  /** The most scripts that wait; one more is refused with `full`. */
  readonly queue_most: number;
  /** What a script's memory can never exceed, in bytes; `memory_bytes` of a job lies below it. 64 MiB by default. */
  readonly memory_most?: number;
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
  /** What it wrote to the console, a line a call. */
  readonly logs: readonly string[];
}

/**
 * `timeout`, `memory`, `output`: over its limit. `syntax`: not JavaScript, see `line`. `thrown`: the script threw, see
 * `stack`. `full`: too many scripts wait, try later. `crashed`: the engine or its thread broke. The message is for people.
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly kind: Problem;
  /** From 1. */
  readonly line: number | undefined;
  /** The script's own. */
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

/** After a script's time its engine stops it; what the engine cannot stop (its native code) is killed this much later, in ms. */
const GRACE_MS = 200;
/** The pool's own limit, for nothing but mistakes here: each job has its own. */
const RUN_MS = 600_000;

/** JavaScript of strangers, run on threads that share nothing with this one and can be killed. Close it at the end. */
export class Sandbox {
  readonly #options: SandboxOptions;
  /** By slot; the last one is of what warms the threads. */
  readonly #began: Float64Array<SharedArrayBuffer>;
  readonly #free: number[];
  readonly #waiting: { readonly go: (slot: number) => void }[] = [];
  #pool: Promise<Pool<ThreadTask, Outcome>> | undefined;
  #warm: Promise<void> | undefined;
  #closed = false;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#began = new Float64Array(new SharedArrayBuffer((options.workers + 1) * 8));
    this.#free = Array.from({ length: options.workers }, (_, slot) => slot);
  }

  /** Starts the threads, so that the first script need not wait for them; later calls do nothing. Never rejects. */
  warm(): Promise<void> {
    this.#warm ??= this.#startAll();
    return this.#warm;
  }

  /** Rejects with a `SandboxError`, or with the signal's reason. Nothing of a script is there when the next one runs. */
  async run({ code, input = null, args = [] }: Script, limits: SandboxLimits, signal: AbortSignal): Promise<Ran> {
    const job = { code, input: JSON.stringify(input), args: JSON.stringify(args), limits };
    const slot = await this.#slot(signal);
    try {
      const pool = await this.#open();
      const outcome = await this.#onThread(pool, { slot, job }, limits.ms, signal);
      if ('failed' in outcome) throw new SandboxError(outcome.failed, outcome.logs);
      return { value: JSON.parse(outcome.value) as Json, logs: outcome.logs };
    } finally {
      this.#release(slot);
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
      // The first script will say so.
    }
  }

  /** A turn, in the order of arrival. */
  #slot(signal: AbortSignal): Promise<number> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const free = this.#free.pop();
    if (free !== undefined) return Promise.resolve(free);
    if (this.#waiting.length >= this.#options.queue_most) {
      const message = `${this.#waiting.length} scripts wait already. Try again later.`;
      return Promise.reject(new SandboxError({ kind: 'full', message }));
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(signal.reason);
      };
      const turn = {
        go: (slot: number): void => {
          signal.removeEventListener('abort', onAbort);
          resolve(slot);
        },
      };
      this.#waiting.push(turn);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #release(slot: number): void {
    const next = this.#waiting.shift();
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
      // While a thread starts, the script's time has not begun.
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
    const { workers, memory_most = 64 << 20 } = this.#options;
    this.#pool ??= compileEngine(memory_most).then((module) => {
      const data: ThreadData = { module, began: this.#began.buffer };
      return new Pool<ThreadTask, Outcome>({
        name: 'sandbox',
        script: new URL('./worker.ts', import.meta.url),
        data,
        workers: workers + 1,
        // Those with a turn, and those that warm the threads: the bound is before.
        queue_most: 2 * workers + 1,
        run_ms: RUN_MS,
        kill_on_abort: true,
        // What a thread itself needs; a script's memory is not in these.
        resource_limits: { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 },
      });
    });
    return this.#pool;
  }
}
