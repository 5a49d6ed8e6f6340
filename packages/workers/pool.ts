import { channel } from 'node:diagnostics_channel';
import type { Transferable, Worker } from 'node:worker_threads';
import { isGuest } from '@mailroom/behavior/values/guest';
import { FairQueue } from './fair-queue.ts';
import type { Said } from './serve.ts';
import { startThread } from './thread.ts';

export interface PoolOptions {
  /** The name in published notices. */
  readonly name: string;
  /** The module of the threads; it calls `serve` of `./serve.ts`. */
  readonly script: URL;
  /** Passed to every thread as `workerData`. */
  readonly data?: unknown;
  /** Maximum number of threads; each starts when there is work for it. */
  readonly workers: number;
  /** Maximum number of waiting tasks; one more is refused with `full`. */
  readonly max_queue: number;
  /** Maximum time in ms of a task on its thread; then the thread is terminated and replaced. */
  readonly run_ms: number;
  /**
   * Maximum processor time in ms of a start, 30,000 by default. By the clock it may take 20 times as long: a thread of low
   * priority gets little on a busy machine, and one that is started again begins from nothing.
   */
  readonly start_ms?: number;
  /**
   * Maximum processor time in ms of a task, within `LOOK_MS`; then as above. For tasks that wait for something, and for
   * a busy machine, which may give a thread no time for a while. No bound by default.
   */
  readonly cpu_ms?: number;
  /**
   * Terminates the thread of an aborted task, for tasks that may run long. Otherwise the task runs to its end and its
   * result is dropped.
   */
  readonly kill_on_abort?: boolean;
  readonly resource_limits?: import('node:worker_threads').ResourceLimits;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** When it should be answered, in `performance.now()` time: waiting tasks run in this order. Default: now. */
  readonly due?: number;
  /** Continues work that was admitted before, so it is not refused when the queue is full. */
  readonly admitted?: boolean;
  /**
   * The caller it counts for: callers take turns, and one has at most half of the threads while others wait. Default:
   * none.
   */
  readonly caller?: string;
  /** Moved to the thread rather than copied. Such a task cannot run again when its thread dies. */
  readonly transfer?: readonly Transferable[];
}

/**
 * `full`: try later. `timeout`: took longer than `run_ms`. `crashed`: its thread died, twice where it could run again. `ended`: another task ended
 * its thread; try again. `closed`: the pool was closed.
 */
export class PoolError extends Error {
  readonly reason: 'full' | 'timeout' | 'crashed' | 'ended' | 'closed';
  /** Of `timeout`: the thread had hardly any processor time, as on a busy machine, so the task may do better later. */
  readonly silent: boolean;
  constructor(reason: PoolError['reason'], message: string, { silent = false } = {}) {
    super(message);
    this.name = 'PoolError';
    this.reason = reason;
    this.silent = silent;
  }
}

/** Published as `{pool, reason}` whenever a thread is replaced. */
export const WORKER_REPLACED = 'mailroom:worker:replaced';
/** The channel of `WORKER_REPLACED`. */
export const replaced = channel(WORKER_REPLACED);

/** How often the processor time of a running task is read, in ms, or more often where its time is short. */
const LOOK_MS = 1_000;
/** A task that had less than this share of its time on a processor did not take too long itself. */
const SILENT_SHARE = 0.1;
/** Default of `start_ms`, and how many times as long a thread may take that has little processor time meanwhile. */
const START_MS = 30_000;
const MAX_STARTS = 20;
/** After this many failed starts in a row the waiting tasks fail too, so that threads are not started endlessly. */
const MAX_FAILED_STARTS = 3;

interface Waiting<Task, Result> {
  readonly task: Task;
  readonly due: number;
  readonly caller: string;
  readonly transfer: readonly Transferable[];
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  crashes: number;
}

interface Thread<Task, Result> {
  readonly worker: Worker;
  ready: boolean;
  running: { readonly id: number; readonly waiting: Waiting<Task, Result>; readonly began: number } | undefined;
  timer: NodeJS.Timeout | undefined;
  /** Reads the processor time of the running task. */
  look: NodeJS.Timeout | undefined;
  /** The processor time in ms of the thread at the first look at its task, and at the last one. */
  looks: { readonly first: number; readonly last: number } | undefined;
}

/**
 * Worker threads, bounded in number, queue and time. A thread that dies is replaced and its task runs once more; one that
 * takes too long is terminated and replaced, and its task fails.
 */
export class Pool<Task, Result> {
  readonly #options: PoolOptions;
  readonly #threads = new Set<Thread<Task, Result>>();
  readonly #queue = new FairQueue<Waiting<Task, Result>>((one, other) => one.due < other.due);
  /** The number of busy threads by caller. */
  readonly #running = new Map<string, number>();
  #lastId = 0;
  #busy = 0;
  #failedStarts = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** The number of tasks that wait for a thread. */
  get queued(): number {
    return this.#queue.size;
  }

  /** The number of threads that work on a task. */
  get busy(): number {
    return this.#busy;
  }

  /** Runs a task; rejects with a `PoolError`, with the signal's reason, or with what the thread's handler threw. */
  run(
    task: Task,
    { signal, due = performance.now(), admitted = false, caller = '', transfer = [] }: RunOptions = {},
  ): Promise<Result> {
    if (this.#closed) return Promise.reject(new PoolError('closed', `The pool "${this.#options.name}" is closed.`));
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (!admitted && this.#isFull(caller) && !this.#hasIdle()) {
      return Promise.reject(new PoolError('full', `${this.#queue.size} tasks wait already.`));
    }
    return new Promise<Result>((resolve, reject) => {
      const unhear = (): void => signal?.removeEventListener('abort', onAbort);
      const waiting: Waiting<Task, Result> = {
        task,
        due,
        caller,
        transfer,
        crashes: 0,
        resolve: (result) => {
          unhear();
          resolve(result);
        },
        reject: (error) => {
          unhear();
          reject(error);
        },
      };
      const onAbort = (): void => this.#abandon(waiting, signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(caller, waiting);
      this.#assign();
    });
  }

  /** Ends all threads; waiting and running tasks are rejected with `closed`. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const error = new PoolError('closed', `The pool "${this.#options.name}" was closed.`);
    for (const waiting of this.#queue.clear()) waiting.reject(error);
    const threads = [...this.#threads];
    for (const thread of threads) {
      const { running } = thread;
      this.#forget(thread);
      running?.waiting.reject(error);
    }
    await Promise.all(threads.map((thread) => thread.worker.terminate()));
  }

  #hasIdle(): boolean {
    for (const thread of this.#threads) if (thread.ready && thread.running === undefined) return true;
    return false;
  }

  /** A caller may fill a quarter of the queue; beyond that only its own tasks are refused. */
  #isFull(caller: string): boolean {
    const { max_queue } = this.#options;
    if (this.#queue.size >= max_queue) return true;
    return caller !== '' && this.#queue.sizeOf(caller) >= Math.ceil(max_queue / 4);
  }

  #hasShare(caller: string): boolean {
    return (this.#running.get(caller) ?? 0) < Math.ceil(this.#options.workers / 2);
  }

  /** When all waiting tasks are the guests', one thread stays idle for other callers. */
  #may(caller: string): boolean {
    return !isGuest(caller) || this.#hasShare(caller);
  }

  #abandon(waiting: Waiting<Task, Result>, reason: unknown): void {
    const waited = this.#queue.remove(waiting.caller, waiting);
    waiting.reject(reason);
    if (waited || !this.#options.kill_on_abort) return;
    for (const thread of this.#threads) if (thread.running?.waiting === waiting) this.#replace(thread, 'abort');
  }

  #assign(): void {
    let starting = 0;
    for (const thread of this.#threads) {
      if (!thread.ready) starting += 1;
      else if (thread.running === undefined) {
        const next = this.#queue.shift((of) => this.#hasShare(of)) ?? this.#queue.shift((of) => this.#may(of));
        if (next === undefined) return;
        this.#hand(thread, next);
      }
    }
    while (this.#queue.size > starting && this.#threads.size < this.#options.workers) {
      this.#start();
      starting += 1;
    }
  }

  #hand(thread: Thread<Task, Result>, waiting: Waiting<Task, Result>): void {
    const id = ++this.#lastId;
    thread.running = { id, waiting, began: performance.now() };
    this.#running.set(waiting.caller, (this.#running.get(waiting.caller) ?? 0) + 1);
    this.#busy += 1;
    thread.worker.ref();
    const { run_ms } = this.#options;
    thread.timer = setTimeout(() => {
      const { first, last } = thread.looks ?? { first: 0, last: 0 };
      const silent = last - first < run_ms * SILENT_SHARE;
      this.#replace(thread, 'timeout');
      waiting.reject(new PoolError('timeout', `It took longer than ${run_ms} ms.`, { silent }));
    }, run_ms);
    thread.looks = undefined;
    this.#lookSoon(thread, id);
    thread.worker.postMessage({ id, task: waiting.task }, waiting.transfer);
  }

  #lookSoon(thread: Thread<Task, Result>, id: number): void {
    const { run_ms, cpu_ms: max = Number.POSITIVE_INFINITY } = this.#options;
    thread.look = setTimeout(
      async () => {
        const usage = await thread.worker.cpuUsage().catch(() => undefined);
        const { running } = thread;
        if (running?.id !== id || usage === undefined) return;
        const last = (usage.user + usage.system) / 1_000;
        const first = thread.looks?.first ?? last;
        thread.looks = { first, last };
        if (last - first < max) {
          this.#lookSoon(thread, id);
          return;
        }
        this.#replace(thread, 'timeout');
        running.waiting.reject(new PoolError('timeout', `It took more than ${max} ms of processor time.`));
      },
      Math.min(LOOK_MS, run_ms / 8),
    );
  }

  #start(): void {
    const { script, data, resource_limits } = this.#options;
    const worker = startThread(script, data, resource_limits);
    const thread: Thread<Task, Result> = {
      worker,
      ready: false,
      running: undefined,
      timer: undefined,
      look: undefined,
      looks: undefined,
    };
    this.#threads.add(thread);
    this.#lookAtStart(thread, performance.now());
    worker.on('message', (said: Said<Result>) => this.#received(thread, said));
    worker.on('error', () => this.#died(thread, 'crash'));
    worker.on('exit', () => this.#died(thread, 'crash'));
  }

  #lookAtStart(thread: Thread<Task, Result>, began: number): void {
    const { start_ms = START_MS } = this.#options;
    thread.timer = setTimeout(async () => {
      const usage = await thread.worker.cpuUsage().catch(() => undefined);
      if (!this.#threads.has(thread) || thread.ready) return;
      const used = usage === undefined ? 0 : (usage.user + usage.system) / 1_000;
      const isLate = performance.now() - began >= start_ms * MAX_STARTS;
      if (used >= start_ms || isLate) this.#died(thread, 'start');
      else this.#lookAtStart(thread, began);
    }, start_ms);
  }

  #received(thread: Thread<Task, Result>, report: Said<Result>): void {
    if (!this.#threads.has(thread)) return;
    if ('ready' in report) {
      clearTimeout(thread.timer);
      thread.ready = true;
      this.#failedStarts = 0;
      thread.worker.unref();
    } else {
      const { running } = thread;
      if (running?.id !== report.id) return;
      this.#release(thread);
      if ('error' in report) running.waiting.reject(new Error(report.error));
      else running.waiting.resolve(report.result);
    }
    this.#assign();
  }

  /** A thread ended on its own, or failed to start. */
  #died(thread: Thread<Task, Result>, reason: string): void {
    if (!this.#threads.has(thread)) return;
    const { running, ready } = thread;
    if (!ready) this.#failedStarts += 1;
    if (running !== undefined) {
      running.waiting.crashes += 1;
      const { crashes, transfer } = running.waiting;
      if (crashes > 1 || transfer.length > 0) {
        running.waiting.reject(new PoolError('crashed', `Its worker thread died${crashes > 1 ? ', twice' : ''}.`));
      } else this.#queue.push(running.waiting.caller, running.waiting);
    }
    if (this.#failedStarts >= MAX_FAILED_STARTS) {
      this.#failedStarts = 0;
      this.#forget(thread);
      const error = new PoolError('crashed', `The worker threads of "${this.#options.name}" do not start.`);
      for (const waiting of this.#queue.clear()) waiting.reject(error);
      void thread.worker.terminate();
    } else this.#replace(thread, reason);
  }

  #replace(thread: Thread<Task, Result>, reason: string): void {
    this.#forget(thread);
    void thread.worker.terminate();
    replaced.publish({ pool: this.#options.name, reason });
    this.#start();
    this.#assign();
  }

  #release(thread: Thread<Task, Result>): void {
    clearTimeout(thread.timer);
    clearTimeout(thread.look);
    if (thread.running === undefined) return;
    const { waiting, began } = thread.running;
    const { caller } = waiting;
    this.#queue.charge(caller, performance.now() - began);
    const left = (this.#running.get(caller) ?? 1) - 1;
    if (left > 0) this.#running.set(caller, left);
    else this.#running.delete(caller);
    thread.running = undefined;
    this.#busy -= 1;
    thread.worker.unref();
  }

  #forget(thread: Thread<Task, Result>): void {
    clearTimeout(thread.timer);
    this.#release(thread);
    this.#threads.delete(thread);
  }
}
