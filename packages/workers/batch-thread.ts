import type { ResourceLimits, Worker } from 'node:worker_threads';
import { PoolError, replaced } from './pool.ts';
import type { Answers, Handed, Marks, Meanwhile } from './serve.ts';
import { startThread } from './thread.ts';

export interface BatchThreadOptions {
  /** The name in published notices. */
  readonly name: string;
  /** The module of the thread; it calls `serveBatches` of `./serve.ts`. */
  readonly script: URL;
  /** Passed to the thread as `workerData`, each time one is started. */
  readonly data?: () => unknown;
  /** Maximum time in ms that the thread may be silent while it has work; then it is terminated. */
  readonly run_ms: number;
  /** Maximum processor time in ms for one task without a pause; then the thread is terminated. No bound by default. */
  readonly slice_ms?: number;
  readonly resource_limits?: ResourceLimits;
}

/** This many tasks are sent before the turn of the event loop ends, so that the thread can start on them. */
const SEND_AT = 8;
/** How often the progress of the thread is checked, in ms. */
const LOOK_MS = 100;
/** After this many failed starts in a row the thread is not used for `BROKEN_MS`. */
const MAX_FAILED_STARTS = 3;
/** How long a thread that failed to start is not used, in ms. */
const BROKEN_MS = 60_000;

/** Receives what a long task reports. */
export interface Listener<Saying> {
  onReport(said: Saying): void;
  /** Ends the task; checked when the task has reported something. */
  readonly signal: AbortSignal;
}

interface Waiter<Result, Saying> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
  readonly since: number;
  readonly listener: Listener<Saying> | undefined;
  readonly took: ((ms: number) => void) | undefined;
  /** Stops listening to its signal. */
  deaf: (() => void) | undefined;
}

/**
 * Runs many short tasks on one thread: the tasks of one turn of the event loop are sent together, where a `Pool` sends a
 * thread one at a time. The thread starts with the first task, and again with the first task after it died. When it hangs
 * or dies, the task it worked on fails with `timeout` or `crashed`, and its other tasks with `ended`. When that task is
 * unknown, all fail with `crashed` or `timeout`, and the caller should retry them one by one.
 */
export class BatchThread<Task, Result, Saying = never> {
  readonly #options: BatchThreadOptions;
  #worker: Worker | undefined;
  #marks: Marks = newMarks();
  /** The task at the last check, and the processor time in ms that the thread had used by then. */
  #seen: { readonly count: number; readonly ms: number } | undefined;
  #looking = false;
  /** By number, in the order of arrival. */
  readonly #away = new Map<number, Waiter<Result, Saying>>();
  #lastId = 0;
  #collected: Task[] = [];
  #scheduled = false;
  #timer: NodeJS.Timeout | undefined;
  #lastAnswer = 0;
  #failedStarts = 0;
  #failedAt = 0;
  #closed = false;

  constructor(options: BatchThreadOptions) {
    this.#options = options;
  }

  /** Whether it failed to start several times, so that callers should do the work elsewhere for a while. */
  get broken(): boolean {
    return this.#failedStarts >= MAX_FAILED_STARTS && performance.now() - this.#failedAt < BROKEN_MS;
  }

  /** Whether its thread runs. */
  get started(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * Rejects with a `PoolError`, or with what the thread's handler threw. `took` is called with the time that the thread
   * worked on it.
   */
  run(task: Task, listener?: Listener<Saying>, took?: (ms: number) => void): Promise<Result> {
    if (this.#closed) return Promise.reject(this.#error('closed', 'is closed'));
    try {
      this.#worker ??= this.#start();
    } catch (error) {
      this.#startFailed();
      return Promise.reject(this.#error('crashed', `does not start: ${String(error)}`));
    }
    this.#timer ??= this.#watch(this.#options.run_ms);
    if (this.#options.slice_ms !== undefined) this.#lookSoon();
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.#send();
      });
    }
    if (this.#away.size === 0) this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#away.set(++this.#lastId, { resolve, reject, since: performance.now(), listener, took, deaf: undefined });
      this.#collected.push(task);
      if (this.#collected.length >= SEND_AT) this.#send();
    });
  }

  /** Ends the thread while it has no task, which gives back its memory; the next task starts another. */
  rest(): void {
    if (this.#away.size === 0) void this.#end(this.#error('closed', 'rests'));
  }

  /** Ends the thread; its tasks are rejected with `closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end(this.#error('closed', 'was closed'));
  }

  #send(): void {
    if (this.#collected.length === 0) return;
    const tasks = this.#collected;
    this.#collected = [];
    const first = this.#lastId - tasks.length + 1;
    try {
      this.#hand([first, tasks]);
    } catch (error) {
      // One of the tasks cannot be cloned.
      for (let id = first; id <= this.#lastId; id++) this.#answer(id)?.reject(error as Error);
    }
  }

  #hand(handed: Handed<Task>): void {
    this.#worker?.postMessage(handed);
  }

  #start(): Worker {
    const { script, data, resource_limits } = this.#options;
    const worker = startThread(script, data?.(), resource_limits);
    this.#marks = newMarks();
    worker.postMessage({ marks: this.#marks } satisfies Handed<Task>);
    this.#lastAnswer = 0;
    const died = (why: string): void => {
      if (this.#worker !== worker) return;
      if (this.#lastAnswer === 0) this.#startFailed();
      replaced.publish({ pool: this.#options.name, reason: 'crash' });
      void this.#end(this.#error('crashed', why), this.#marks[0]);
    };
    worker.on('message', (message: Answers<Result> | Meanwhile<Saying>) => this.#received(message));
    worker.on('messageerror', () => died('answered what cannot be read'));
    worker.on('error', (error) => died(`died: ${error instanceof Error ? error.message : String(error)}`));
    worker.on('exit', (code) => died(`ended with ${code}`));
    // An idle thread lets the process end; a listener for messages that came later would undo this.
    if (this.#away.size === 0) worker.unref();
    return worker;
  }

  #startFailed(): void {
    this.#failedStarts += 1;
    this.#failedAt = performance.now();
  }

  #received(message: Answers<Result> | Meanwhile<Saying>): void {
    this.#lastAnswer = performance.now();
    this.#failedStarts = 0;
    if ('said' in message) this.#meanwhile(message);
    else this.#answered(message);
  }

  #answered(answers: Answers<Result>): void {
    for (const [id, error, result, ms] of answers) {
      const waiter = this.#answer(id);
      waiter?.took?.(ms);
      if (error === null) waiter?.resolve(result as Result);
      else waiter?.reject(new Error(error));
    }
  }

  #meanwhile({ id, said: report }: Meanwhile<Saying>): void {
    const waiter = this.#away.get(id);
    if (waiter?.listener === undefined) return;
    const { listener } = waiter;
    if (waiter.deaf === undefined) {
      const { signal } = listener;
      const cancel = (): void => {
        const { name, message } = signal.reason as Error;
        this.#hand({ id, name, message });
      };
      waiter.deaf = () => signal.removeEventListener('abort', cancel);
      signal.addEventListener('abort', cancel, { once: true });
      if (signal.aborted) cancel();
    }
    listener.onReport(report);
  }

  /** The listener of the task, which is removed. */
  #answer(id: number): Waiter<Result, Saying> | undefined {
    const waiter = this.#away.get(id);
    if (this.#away.delete(id) && this.#away.size === 0) this.#worker?.unref();
    waiter?.deaf?.();
    return waiter;
  }

  /** Checks after `ms` whether the thread makes progress, once for all its tasks. */
  #watch(ms: number): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timer = undefined;
      // After a pause of the whole process, answers may have arrived unread: timers run before them.
      setImmediate(() => setImmediate(() => this.#look()));
    }, ms);
    timer.unref();
    return timer;
  }

  #look(): void {
    const [oldest] = this.#away.values();
    if (oldest === undefined || this.#timer !== undefined) return;
    const left = Math.max(oldest.since, this.#lastAnswer) + this.#options.run_ms - performance.now();
    if (left > 0) {
      this.#timer = this.#watch(left);
      return;
    }
    replaced.publish({ pool: this.#options.name, reason: 'timeout' });
    void this.#end(this.#error('timeout', `did not answer for ${this.#options.run_ms} ms`, true));
  }

  #lookSoon(): void {
    if (this.#looking) return;
    this.#looking = true;
    setTimeout(() => {
      this.#looking = false;
      void this.#lookAtSlice();
    }, LOOK_MS).unref();
  }

  /**
   * Ends the thread when it has worked on one task for too long, by processor time, as a busy machine may give it none
   * for a while.
   */
  async #lookAtSlice(): Promise<void> {
    const { slice_ms = Number.POSITIVE_INFINITY } = this.#options;
    const worker = this.#worker;
    // Counted from when its modules are loaded; until then `run_ms` applies.
    const usage = this.#marks[1] === 0 ? undefined : await worker?.cpuUsage().catch(() => undefined);
    if (worker !== undefined && worker === this.#worker && usage !== undefined) {
      const [id, count] = this.#marks as unknown as [number, number];
      const ms = (usage.user + usage.system) / 1000;
      if (this.#seen?.count !== count) this.#seen = { count, ms };
      else if (ms - this.#seen.ms > slice_ms) {
        replaced.publish({ pool: this.#options.name, reason: 'timeout' });
        void this.#end(this.#error('timeout', `worked at one task for more than ${slice_ms} ms`), id);
      }
    }
    if (this.#away.size > 0) this.#lookSoon();
  }

  /** `guilty`: the number of the task that caused the end, 0 when unknown; then all fail with the same error. */
  async #end(error: PoolError, guilty = 0): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#collected = [];
    this.#seen = undefined;
    const beside = this.#away.has(guilty) ? this.#error('ended', 'ended with another task that it had') : error;
    for (const id of [...this.#away.keys()]) this.#answer(id)?.reject(id === guilty ? error : beside);
    await worker?.terminate();
  }

  #error(reason: PoolError['reason'], what: string, silent = false): PoolError {
    return new PoolError(reason, `The thread "${this.#options.name}" ${what}.`, { silent });
  }
}

const newMarks = (): Marks => new Int32Array(new SharedArrayBuffer(8));
