import { Worker } from 'node:worker_threads';
import { PoolError, replaced } from './pool.ts';
import type { Answers, Handed, Meanwhile } from './serve.ts';

export interface BatchThreadOptions {
  /** Named in what is published about it. */
  readonly name: string;
  /** The module that the thread runs; it calls `serveBatches` of `./serve.ts`. */
  readonly script: URL;
  /** Handed to the thread as `workerData`, each time one is started. */
  readonly data?: () => unknown;
  /** The longest that the thread may say nothing while it has something to do, in ms; then it is terminated. */
  readonly run_ms: number;
}

/** So many tasks are sent on before the turn of the event loop ends: the thread works at them meanwhile. */
const SEND_AT = 8;
/** After so many starts in a row without an answer it is not used, */
const FAILED_STARTS_MOST = 3;
/** for so long. */
const BROKEN_MS = 60_000;

/** Who waits for a task that takes longer. */
export interface Listener<Saying> {
  heard(said: Saying): void;
  /** Ends the task; looked at when it has said something. */
  readonly signal: AbortSignal;
}

interface Waiter<Result, Saying> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
  readonly since: number;
  readonly listener: Listener<Saying> | undefined;
  /** Stops listening to its signal. */
  deaf: (() => void) | undefined;
}

/**
 * One thread for tasks that are short and many: a turn of the event loop hands its tasks over together, where a `Pool` gives
 * a thread one at a time. It starts with the first task, and again with the first after it died. When it dies or is stuck,
 * all it had fail, with `crashed` or `timeout`: which of them was why is not known, and to be tried one by one.
 */
export class BatchThread<Task, Result, Saying = never> {
  readonly #options: BatchThreadOptions;
  #worker: Worker | undefined;
  /** By number, in the order they came. */
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

  /** It did not start several times: what would go to it had better be done elsewhere, for a while. */
  get broken(): boolean {
    return this.#failedStarts >= FAILED_STARTS_MOST && performance.now() - this.#failedAt < BROKEN_MS;
  }

  /** Rejects with a `PoolError`, or with what the thread's handler threw. */
  run(task: Task, listener?: Listener<Saying>): Promise<Result> {
    if (this.#closed) return Promise.reject(this.#error('closed', 'is closed'));
    try {
      this.#worker ??= this.#start();
    } catch (error) {
      this.#startFailed();
      return Promise.reject(this.#error('crashed', `does not start: ${String(error)}`));
    }
    this.#timer ??= this.#watch(this.#options.run_ms);
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.#send();
      });
    }
    return new Promise((resolve, reject) => {
      this.#away.set(++this.#lastId, { resolve, reject, since: performance.now(), listener, deaf: undefined });
      this.#collected.push(task);
      if (this.#collected.length >= SEND_AT) this.#send();
    });
  }

  /** Ends the thread; what it had is rejected with `closed`. */
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
      // One of them is nothing that can be handed over.
      for (let id = first; id <= this.#lastId; id++) this.#answer(id)?.reject(error as Error);
    }
  }

  #hand(handed: Handed<Task>): void {
    this.#worker?.postMessage(handed);
  }

  #start(): Worker {
    const { script, data } = this.#options;
    // What this process was started with (--eval, --input-type) is not the thread's business.
    const worker = new Worker(script, { workerData: data?.(), execArgv: [] });
    this.#lastAnswer = 0;
    // What waits is held by who waits, not by the thread.
    worker.unref();
    const died = (why: string): void => {
      if (this.#worker !== worker) return;
      if (this.#lastAnswer === 0) this.#startFailed();
      replaced.publish({ pool: this.#options.name, reason: 'crash' });
      void this.#end(this.#error('crashed', why));
    };
    worker.on('message', (came: Answers<Result> | Meanwhile<Saying>) => this.#heard(came));
    worker.on('messageerror', () => died('answered what cannot be read'));
    worker.on('error', (error) => died(`died: ${error instanceof Error ? error.message : String(error)}`));
    worker.on('exit', (code) => died(`ended with ${code}`));
    return worker;
  }

  #startFailed(): void {
    this.#failedStarts += 1;
    this.#failedAt = performance.now();
  }

  #heard(came: Answers<Result> | Meanwhile<Saying>): void {
    this.#lastAnswer = performance.now();
    this.#failedStarts = 0;
    if ('said' in came) this.#meanwhile(came);
    else this.#answered(came);
  }

  #answered(answers: Answers<Result>): void {
    for (const [id, error, result] of answers) {
      if (error === null) this.#answer(id)?.resolve(result as Result);
      else this.#answer(id)?.reject(new Error(error));
    }
  }

  #meanwhile({ id, said }: Meanwhile<Saying>): void {
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
    listener.heard(said);
  }

  /** Who waits for it, once. */
  #answer(id: number): Waiter<Result, Saying> | undefined {
    const waiter = this.#away.get(id);
    this.#away.delete(id);
    waiter?.deaf?.();
    return waiter;
  }

  /** Looks after `ms` whether it goes on; one look for all it has. */
  #watch(ms: number): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timer = undefined;
      // After a pause of the whole process its answers are there, and not read yet: timers come first.
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
    void this.#end(this.#error('timeout', `did not answer for ${this.#options.run_ms} ms`));
  }

  async #end(error: PoolError): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#collected = [];
    for (const id of [...this.#away.keys()]) this.#answer(id)?.reject(error);
    await worker?.terminate();
  }

  #error(reason: PoolError['reason'], what: string): PoolError {
    return new PoolError(reason, `The thread "${this.#options.name}" ${what}.`);
  }
}
