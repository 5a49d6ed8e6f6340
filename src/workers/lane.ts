import { Worker } from 'node:worker_threads';
import { PoolError, replaced } from './pool.ts';
import type { Answers } from './serve.ts';

export interface LaneOptions {
  /** Named in what is published about it. */
  readonly name: string;
  /** The module that the thread runs; it calls `serveLane` of `./serve.ts`. */
  readonly script: URL;
  /** Handed to the thread as `workerData`, each time one is started. */
  readonly data?: () => unknown;
  /** The longest that the oldest task may go without an answer, in ms; then the thread is terminated and all it had fail. */
  readonly run_ms: number;
}

/** So many tasks are sent on before the turn of the event loop ends: the thread works at them meanwhile. */
const SEND_AT = 16;

interface Waiter<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
  readonly since: number;
}

/**
 * One thread for tasks that are short and many: a turn of the event loop hands its tasks over together, where a `Pool` gives
 * a thread one at a time. It starts with the first task. When it dies, or is stuck, all it had fail with a `PoolError`, and
 * the next task starts another.
 */
export class Lane<Task, Result> {
  readonly #options: LaneOptions;
  #worker: Worker | undefined;
  /** By number, in the order they came. */
  readonly #away = new Map<number, Waiter<Result>>();
  #lastId = 0;
  #collected: Task[] = [];
  #scheduled = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Rejects with a `PoolError`, or with what the thread's handler threw. */
  run(task: Task): Promise<Result> {
    if (this.#closed) return Promise.reject(this.#error('closed', 'is closed'));
    this.#worker ??= this.#start();
    this.#timer ??= this.#watch(this.#options.run_ms);
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.#send();
      });
    }
    return new Promise((resolve, reject) => {
      this.#away.set(++this.#lastId, { resolve, reject, since: performance.now() });
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
    this.#worker?.postMessage([this.#lastId - tasks.length + 1, tasks]);
  }

  #start(): Worker {
    const { script, data } = this.#options;
    const worker = new Worker(script, { workerData: data?.() });
    // What waits is held by who waits, not by the thread.
    worker.unref();
    const died = (why: string): void => {
      if (this.#worker !== worker) return;
      replaced.publish({ pool: this.#options.name, reason: 'crash' });
      void this.#end(this.#error('crashed', why));
    };
    worker.on('message', (answers: Answers<Result>) => this.#heard(answers));
    worker.on('error', (error) => died(`died: ${error instanceof Error ? error.message : String(error)}`));
    worker.on('exit', (code) => died(`ended with ${code}`));
    return worker;
  }

  #heard(answers: Answers<Result>): void {
    for (const [id, error, result] of answers) {
      const waiter = this.#away.get(id);
      if (waiter === undefined) continue;
      this.#away.delete(id);
      if (error === null) waiter.resolve(result as Result);
      else waiter.reject(new Error(error));
    }
  }

  /** Looks after `ms` how long the oldest has waited; one look for all of them. */
  #watch(ms: number): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timer = undefined;
      const [oldest] = this.#away.values();
      if (oldest === undefined) return;
      const left = oldest.since + this.#options.run_ms - performance.now();
      if (left > 0) {
        this.#timer = this.#watch(left);
        return;
      }
      replaced.publish({ pool: this.#options.name, reason: 'timeout' });
      void this.#end(this.#error('timeout', `did not answer for ${this.#options.run_ms} ms`));
    }, ms);
    timer.unref();
    return timer;
  }

  async #end(error: PoolError): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#collected = [];
    const waiters = [...this.#away.values()];
    this.#away.clear();
    for (const waiter of waiters) waiter.reject(error);
    await worker?.terminate();
  }

  #error(reason: PoolError['reason'], what: string): PoolError {
    return new PoolError(reason, `The thread "${this.#options.name}" ${what}.`);
  }
}
