import { BatchThread } from '@mailroom/workers/batch-thread';
import { FairQueue } from '@mailroom/workers/fair-queue';
import { PoolError } from '@mailroom/workers/pool';

export interface ReaderThreadsOptions {
  readonly script: URL;
  readonly data: unknown;
  /** Maximum number of threads; each starts when those before it have work. */
  readonly threads: number;
  /** Maximum number of tasks that a thread has at a time. */
  readonly together: number;
  /** Maximum number of tasks that wait for a thread. */
  readonly max_queue: number;
  /** Maximum processor time in ms of a task without a pause, and how long a thread may answer nothing. */
  readonly cpu_ms: number;
  readonly silent_ms: number;
  /** After how many ms without a task a thread ends that read much; 5 s by default. */
  readonly rest_ms?: number;
  readonly resource_limits: import('node:worker_threads').ResourceLimits;
}

interface Thread<Task, Result> {
  readonly batch: BatchThread<Task, Result>;
  running: number;
  /** Its task has it for itself. */
  taken: boolean;
  /** Bytes of the tasks since it started. */
  bytes: number;
  rest: NodeJS.Timeout | undefined;
}

interface Waiting<Task, Result> {
  readonly caller: string;
  readonly resolve: (thread: Thread<Task, Result>) => void;
  readonly reject: (error: unknown) => void;
}

/** How often a task is begun whose thread was ended by others. */
const MAX_TRIES = 10;
/** A thread that worked on so many bytes, and then has had no task for so long, ends, since it keeps the memory of the largest. */
const REST_BYTES = 4 * 1024 * 1024;
const REST_MS = 5_000;

/**
 * Threads with several tasks each, for work that waits much and may be hostile. What ends a thread costs only itself: the
 * others run again, and a task that had company when its thread died is tried once more alone, so that the right one
 * fails.
 */
export class ReaderThreads<Task, Result> {
  readonly #options: ReaderThreadsOptions;
  readonly #threads: readonly Thread<Task, Result>[];
  readonly #queue = new FairQueue<Waiting<Task, Result>>();
  /** Those that need a thread of their own. */
  readonly #alone: Waiting<Task, Result>[] = [];
  readonly #running = new Map<string, number>();
  #closed = false;

  constructor(options: ReaderThreadsOptions) {
    this.#options = options;
    const { script, data, cpu_ms, silent_ms, resource_limits } = options;
    this.#threads = Array.from({ length: options.threads }, () => ({
      batch: new BatchThread<Task, Result>({
        name: 'mail',
        script,
        data: () => data,
        run_ms: silent_ms,
        slice_ms: cpu_ms,
        resource_limits,
      }),
      running: 0,
      taken: false,
      bytes: 0,
      rest: undefined,
    }));
  }

  /** The number of tasks that wait for a thread. */
  get queued(): number {
    return this.#queue.size + this.#alone.length;
  }

  /** The number of threads that run. */
  get started(): number {
    return this.#threads.filter(({ batch }) => batch.started).length;
  }

  /**
   * Runs a task of so many `bytes`; `caller`: callers take turns, and one has at most half of the places while others wait. PoolError
   * `full`, `closed`; `timeout`, `crashed`: it would again; or what the thread's handler threw. Rejects with the signal's
   * reason, and the result is dropped then.
   */
  async run(task: Task, caller: string, signal?: AbortSignal, bytes = 0): Promise<Result> {
    signal?.throwIfAborted();
    if (signal === undefined) return this.#run(task, caller, bytes);
    const { promise, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([this.#run(task, caller, bytes), promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Ends all threads; all tasks are rejected with `closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    const error = new PoolError('closed', 'The reader of mail was closed.');
    for (const { rest } of this.#threads) clearTimeout(rest);
    for (const waiting of [...this.#queue.clear(), ...this.#alone.splice(0)]) waiting.reject(error);
    await Promise.all(this.#threads.map(({ batch }) => batch.close()));
  }

  async #run(task: Task, caller: string, bytes: number): Promise<Result> {
    let alone = false;
    for (let tries = 1; ; tries += 1) {
      const thread = await this.#place(caller, alone, tries > 1);
      thread.bytes += bytes;
      try {
        return await thread.batch.run(task);
      } catch (error) {
        if (!(error instanceof PoolError) || error.reason === 'closed') throw error;
        if (thread.batch.broken) throw new PoolError('full', 'The threads that read mail do not start.');
        // It may have had no processor time, which says nothing about the task.
        if (error.silent && alone) throw new PoolError('full', 'The threads that read mail get no processor time.');
        const blamed = error.reason === 'timeout' || error.reason === 'crashed';
        if ((blamed && alone) || tries === MAX_TRIES) throw error;
        alone = blamed;
      } finally {
        this.#leave(thread, caller);
      }
    }
  }

  #place(caller: string, alone: boolean, again: boolean): Promise<Thread<Task, Result>> {
    if (this.#closed) return Promise.reject(new PoolError('closed', 'The reader of mail is closed.'));
    if (!again && this.#free() === undefined && this.#isFull(caller))
      return Promise.reject(new PoolError('full', `${this.queued} mails wait already.`));
    return new Promise((resolve, reject) => {
      const waiting = { caller, resolve, reject };
      if (alone) this.#alone.push(waiting);
      else this.#queue.push(caller, waiting);
      this.#assign();
    });
  }

  #leave(thread: Thread<Task, Result>, caller: string): void {
    thread.running -= 1;
    thread.taken = false;
    if (thread.running === 0 && thread.bytes >= REST_BYTES) this.#restLater(thread);
    const left = (this.#running.get(caller) ?? 1) - 1;
    if (left > 0) this.#running.set(caller, left);
    else this.#running.delete(caller);
    this.#assign();
  }

  #restLater(thread: Thread<Task, Result>): void {
    clearTimeout(thread.rest);
    const rest = (): void => {
      if (thread.running > 0) return;
      thread.bytes = 0;
      thread.batch.rest();
    };
    thread.rest = setTimeout(rest, this.#options.rest_ms ?? REST_MS).unref();
  }

  /** A caller may fill a quarter of the queue; beyond that only its own tasks are refused. */
  #isFull(caller: string): boolean {
    const { max_queue } = this.#options;
    return this.#queue.size >= max_queue || (caller !== '' && this.#queue.sizeOf(caller) >= Math.ceil(max_queue / 4));
  }

  /** The thread with the fewest tasks, of those that take one more; while a task needs one alone, none but that one drains. */
  #free(): Thread<Task, Result> | undefined {
    const [drained] = this.#alone.length === 0 ? [] : this.#byLoad();
    return this.#byLoad().find((one) => one !== drained && !one.taken && one.running < this.#options.together);
  }

  #byLoad(): readonly Thread<Task, Result>[] {
    return this.#threads.toSorted(
      (one, other) => Number(one.taken) - Number(other.taken) || one.running - other.running,
    );
  }

  #assign(): void {
    while (this.#alone.length > 0) {
      const idle = this.#threads.find(({ running }) => running === 0);
      if (idle === undefined) break;
      idle.taken = true;
      this.#hand(idle, this.#alone.shift() as Waiting<Task, Result>);
    }
    const half = Math.ceil((this.#options.threads * this.#options.together) / 2);
    for (let thread = this.#free(); thread !== undefined && this.#queue.size > 0; thread = this.#free()) {
      const next = this.#queue.shift((of) => (this.#running.get(of) ?? 0) < half) ?? this.#queue.shift();
      if (next !== undefined) this.#hand(thread, next);
    }
  }

  #hand(thread: Thread<Task, Result>, { caller, resolve }: Waiting<Task, Result>): void {
    thread.running += 1;
    this.#running.set(caller, (this.#running.get(caller) ?? 0) + 1);
    resolve(thread);
  }
}
