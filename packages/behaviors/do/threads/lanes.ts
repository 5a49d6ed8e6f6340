import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { BatchThread, type BatchThreadOptions, type Listener } from '@mailroom/workers/batch-thread';
import { FairQueue } from '@mailroom/workers/fair-queue';
import { PoolError } from '@mailroom/workers/pool';

/** Maximum processor time that a task may take at a stretch on the shared thread. */
const QUICK_MS = 1 * SECOND;
/** Maximum processor time at a stretch on the single thread; a task that takes more is ended and its message fails. */
const ALONE_MS = 2 * SECOND;
/**
 * Maximum tasks of a caller on the shared thread at a time: the first value to begin with, one more after each result, up
 * to the second.
 */
const FIRST_SHARE = 4;
const MAX_SHARE = 64;
/** From this time on a task counts as slow. */
const SLOW_MS = 50;
/** A caller whose slow tasks took this long moves to the single thread. */
const MAX_DEBT_MS = 1.5 * SECOND;
/** How much of that time is forgiven each second. */
const FORGIVEN_MS = 100;
/** How long the caller of an ended task stays on the single thread. */
const PENALTY_MS = 600 * SECOND;
/** Maximum waiting tasks of one caller. */
const MAX_WAITING = 1000;
const MAX_WAITING_ALONE = 32;
/** Maximum times that a task is moved to a new shared thread because its thread ended for another task. */
const MAX_MOVES = 4;
const MAX_CALLERS = 10_000;

export interface LanesOptions extends Omit<BatchThreadOptions, 'slice_ms'> {
  /** Maximum processor time at a stretch on the shared thread; 1 s by default. */
  readonly quick_ms?: Millis;
  /** Maximum processor time at a stretch on the single thread; 2 s by default. */
  readonly alone_ms?: Millis;
}

interface Turn<Task, Result, Saying> {
  readonly task: Task;
  readonly listener: Listener<Saying> | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  moves: number;
}

class Caller<T> {
  share = FIRST_SHARE;
  running = 0;
  readonly waiting: T[] = [];
  #debt_ms = 0;
  #at = performance.now();
  #penalty_until = 0;

  get alone(): boolean {
    return this.#penalty_until > performance.now() || this.#debt() > MAX_DEBT_MS;
  }

  get idle(): boolean {
    return this.running === 0 && this.waiting.length === 0 && !this.alone;
  }

  took(ms: Millis): void {
    if (ms < SLOW_MS) {
      if (this.share < MAX_SHARE) this.share += 2;
      return;
    }
    this.share = FIRST_SHARE;
    this.#debt_ms = this.#debt() + ms;
  }

  penalize(): void {
    this.#penalty_until = performance.now() + PENALTY_MS;
  }

  #debt(): number {
    const now = performance.now();
    this.#debt_ms = Math.max(0, this.#debt_ms - ((now - this.#at) / 1000) * FORGIVEN_MS);
    this.#at = now;
    return this.#debt_ms;
  }
}

/**
 * Two threads for the tasks of many callers. The shared thread runs many tasks at a time. A caller who is slow there, or
 * made it end, moves to the single thread, where one task runs at a time and callers take turns, so that a caller can delay
 * others by a second once.
 */
export class Lanes<Task, Result, Saying = never> {
  readonly #shared: BatchThread<Task, Result, Saying>;
  readonly #single: BatchThread<Task, Result, Saying>;
  readonly #callers = new Map<string, Caller<Turn<Task, Result, Saying>>>();
  readonly #queue = new FairQueue<Turn<Task, Result, Saying>>();
  #busy = false;
  #closed = false;

  constructor({ quick_ms = QUICK_MS, alone_ms = ALONE_MS, ...options }: LanesOptions) {
    this.#shared = new BatchThread({ ...options, slice_ms: quick_ms });
    this.#single = new BatchThread({ ...options, name: `${options.name} alone`, slice_ms: alone_ms });
  }

  get broken(): boolean {
    return this.#shared.broken;
  }

  /** Gives the task to each thread; the single one is not started for it. */
  post(task: Task): void {
    // A failure needs no retry: the thread is gone, and the next one starts with the same data.
    this.#shared.run(task).catch(() => undefined);
    if (this.#single.started) this.#single.run(task).catch(() => undefined);
  }

  /**
   * Rejects with the error of the thread's handler, the listener's reason to end while it waits, or a PoolError. `full`:
   * too many tasks of this caller wait. `timeout`: it was ended on the single thread. `crashed`: the thread ended with it
   * alone, or does not start.
   */
  run(caller: string, task: Task, listener?: Listener<Saying>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#place(caller, { task, listener, resolve, reject, moves: 0 });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const error = new PoolError('closed', 'It was closed.');
    for (const { reject } of this.#queue.clear()) reject(error);
    for (const { waiting } of this.#callers.values()) for (const { reject } of waiting.splice(0)) reject(error);
    await Promise.all([this.#shared.close(), this.#single.close()]);
  }

  #callerOf(id: string): Caller<Turn<Task, Result, Saying>> {
    let caller = this.#callers.get(id);
    if (caller === undefined) {
      if (this.#callers.size >= MAX_CALLERS) this.#forget();
      caller = new Caller();
      this.#callers.set(id, caller);
    }
    return caller;
  }

  #forget(): void {
    for (const [id, caller] of this.#callers) if (caller.idle) this.#callers.delete(id);
  }

  #place(id: string, turn: Turn<Task, Result, Saying>): void {
    const caller = this.#callerOf(id);
    if (this.#closed) turn.reject(new PoolError('closed', 'It is closed.'));
    else if (caller.alone || turn.moves > MAX_MOVES) this.#alone(id, turn);
    else if (caller.running < caller.share) this.#start(id, caller, turn);
    else if (caller.waiting.length >= MAX_WAITING) turn.reject(full(MAX_WAITING));
    else caller.waiting.push(turn);
  }

  #start(id: string, caller: Caller<Turn<Task, Result, Saying>>, turn: Turn<Task, Result, Saying>): void {
    caller.running += 1;
    this.#shared
      .run(turn.task, turn.listener, (ms) => caller.took(ms))
      .then(
        (result) => {
          caller.running -= 1;
          this.#next(id, caller);
          turn.resolve(result);
        },
        (error: unknown) => {
          caller.running -= 1;
          this.#lost(id, caller, turn, error);
          this.#next(id, caller);
        },
      );
  }

  #next(id: string, caller: Caller<Turn<Task, Result, Saying>>): void {
    while (caller.waiting.length > 0 && (caller.alone || caller.running < caller.share)) {
      this.#place(id, caller.waiting.shift() as Turn<Task, Result, Saying>);
    }
  }

  /** Handles a task whose thread ended or that failed there. */
  #lost(
    id: string,
    caller: Caller<Turn<Task, Result, Saying>>,
    turn: Turn<Task, Result, Saying>,
    error: unknown,
  ): void {
    turn.moves += 1;
    if (!(error instanceof PoolError) || error.reason === 'closed') turn.reject(error);
    else if (error.reason === 'ended') this.#place(id, turn);
    else {
      if (error.reason === 'timeout') caller.penalize();
      this.#alone(id, turn);
    }
  }

  #alone(id: string, turn: Turn<Task, Result, Saying>): void {
    if (this.#queue.sizeOf(id) >= MAX_WAITING_ALONE) turn.reject(full(MAX_WAITING_ALONE));
    else this.#queue.push(id, turn);
    if (!this.#busy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#busy = true;
    for (let turn = this.#queue.shift(); turn !== undefined; turn = this.#queue.shift()) {
      const { task, listener, resolve, reject } = turn;
      try {
        listener?.signal.throwIfAborted();
        resolve(await this.#single.run(task, listener));
      } catch (error) {
        reject(error);
      }
    }
    this.#busy = false;
  }
}

const full = (max: number): PoolError => new PoolError('full', `${max} of this caller wait already.`);
