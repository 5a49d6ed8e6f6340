import { channel } from 'node:diagnostics_channel';
import { Worker } from 'node:worker_threads';
import type { Acceptance } from '../../core/ports/messages.ts';
import { takeDrafts } from '../audit/draft.ts';
import type { Damage } from '../damage.ts';
import type { Cell } from '../db.ts';
import { pushEmail } from '../statements/accepted-email.ts';
import { pushAcceptance } from '../statements/message-row.ts';
import { storeError, unavailable } from './errors.ts';
import {
  ACCEPT,
  ACCEPT_CELLS,
  ACCEPT_EMAIL,
  ACCEPT_EMAIL_CELLS,
  ACCEPT_THEN,
  AUDITED,
  bytesOf,
  type FromWriter,
  type Outcome,
  type WriterData,
} from './wire.ts';

/** Published for each committed batch: its number of operations and its milliseconds. */
const commits = channel('mailroom:store:commit');

/** Published after each compaction of the file: `{ ms, before, after, error }`. */
const compactions = channel('mailroom:store:compacted');

/**
 * This many operations are sent before the turn of the event loop ends: the writer then syncs one part while this thread
 * prepares the next.
 */
const SEND_AT = 16;
/** Bytes of an operation from which it waits for other such ones, so that short ones are committed between them. */
const LARGE = 32 * 1024;
/** Bytes of large operations that one commit writes, unless a single one has more. */
const MAX_LARGE = 512 * 1024;
/** How long an operation that need not be written at once waits for others, in ms. */
const SOON_MS = 5;

interface Waiter {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** An operation of many bytes that is not sent. */
interface Large extends Waiter {
  readonly cells: readonly Cell[];
  readonly bytes: number;
}

/** A batch that was sent and not answered. */
interface Away {
  readonly waiters: readonly Waiter[];
  readonly since: number;
}

/**
 * The writer thread's client. Operations of one turn of the event loop are sent in batches; the writer combines the
 * waiting batches into one transaction, so the next one fills while one is synced.
 */
export class WriterThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #damage: Damage;
  readonly #onFailure: (error: Error) => void;
  #cells: Cell[] = [];
  #collected: Waiter[] = [];
  #large: Large[] = [];
  /** Bytes of large operations that were sent and not answered. */
  #largeBytes = 0;
  /** In the order in which they were sent, which is the order of the answers. */
  #away: Away[] = [];
  #scheduled = false;
  #soon: NodeJS.Timeout | undefined;
  #failed: Error | undefined;
  #closing: (() => void) | undefined;

  private constructor(worker: Worker, damage: Damage, onFailure: (error: Error) => void) {
    this.#worker = worker;
    this.#damage = damage;
    this.#onFailure = onFailure;
  }

  static async start(data: WriterData, damage: Damage, onFailure: (error: Error) => void): Promise<WriterThread> {
    const worker = new Worker(new URL('./writer.ts', import.meta.url), {
      workerData: data,
      // Options of this process (--eval, --input-type) do not apply to the thread.
      execArgv: [],
    });
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve());
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The writer thread ended before it was ready')));
    });
    worker.removeAllListeners('error').removeAllListeners('exit');
    const thread = new WriterThread(worker, damage, onFailure);
    worker.on('message', (message: Outcome | FromWriter) => thread.#received(message));
    worker.on('error', (error: Error) => thread.#fail(error));
    worker.on('exit', (code) => thread.#fail(new Error(`The writer thread ended with ${code}`)));
    return thread;
  }

  /** Terminates the thread without notice, as a crash would; for tests. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Sends an operation with its cells, `soon` with the next ones; resolves with the writer's result. */
  send(op: number, cells: readonly Cell[], soon = false): Promise<unknown> {
    if (this.#refuses) return this.#refuse();
    const drafts = takeDrafts();
    const from = this.#cells.length;
    if (drafts.length === 0) this.#cells.push(op, cells.length, ...cells);
    else this.#cells.push(AUDITED, cells.length + 2, JSON.stringify(drafts), op, ...cells);
    return this.#wait(from, soon);
  }

  /** As `send`, without an intermediate array, for the most frequent operation; `then`: the cells of what follows a mail. */
  accept(acceptance: Acceptance, then?: readonly Cell[]): Promise<unknown> {
    if (this.#refuses) return this.#refuse();
    const from = this.#cells.length;
    if (acceptance.email === undefined) {
      this.#cells.push(ACCEPT, ACCEPT_CELLS);
      pushAcceptance(this.#cells, acceptance);
    } else {
      if (then === undefined) this.#cells.push(ACCEPT_EMAIL, ACCEPT_EMAIL_CELLS);
      else this.#cells.push(ACCEPT_THEN, ACCEPT_EMAIL_CELLS + then.length);
      pushAcceptance(this.#cells, acceptance);
      pushEmail(this.#cells, acceptance.email);
      if (then !== undefined) this.#cells.push(...then);
    }
    return this.#wait(from);
  }

  /** Writes what is pending, checkpoints the log into the database and ends the thread. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#failed !== undefined || this.#closing !== undefined) return;
    await new Promise<void>((resolve) => {
      this.#closing = resolve;
      this.#flush();
    });
  }

  /** A damaged file is not written to, which could damage more of it. */
  get #refuses(): boolean {
    return this.#failed !== undefined || this.#closing !== undefined || this.#damage.found !== undefined;
  }

  async #refuse(): Promise<never> {
    if (this.#damage.found !== undefined) throw this.#damage.found;
    throw unavailable(this.#failed ?? new Error('The store is closed'));
  }

  /** Waits for the operation whose cells begin at `from`. */
  #wait(from: number, soon = false): Promise<unknown> {
    const bytes = bytesOf(this.#cells, from);
    return new Promise((resolve, reject) => {
      if (bytes > LARGE) {
        this.#large.push({ cells: this.#cells.splice(from), bytes, resolve, reject });
        this.#takeLarge();
      } else this.#collect({ resolve, reject }, soon);
    });
  }

  /** Sends the next large operations when those before them are written. */
  #takeLarge(): void {
    for (let [next] = this.#large; next !== undefined; [next] = this.#large) {
      const { cells, bytes, resolve, reject } = next;
      if (this.#largeBytes > 0 && this.#largeBytes + bytes > MAX_LARGE) return;
      this.#large.shift();
      this.#largeBytes += bytes;
      this.#cells.push(...cells);
      const written = (): void => {
        this.#largeBytes -= bytes;
        this.#takeLarge();
      };
      this.#collect({
        resolve: (result) => {
          written();
          resolve(result);
        },
        reject: (error) => {
          written();
          reject(error);
        },
      });
    }
  }

  #collect(waiter: Waiter, soon = false): void {
    if (soon) this.#soon ??= setTimeout(() => this.#flush(), SOON_MS);
    else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        if (this.#collected.length > 0) this.#flush();
      });
    }
    this.#collected.push(waiter);
    if (this.#collected.length >= SEND_AT) this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    if (this.#failed !== undefined) return;
    if (this.#collected.length === 0) {
      const done = this.#away.length === 0 && this.#large.length === 0;
      if (this.#closing !== undefined && done) this.#worker.postMessage('close');
      return;
    }
    this.#away.push({ waiters: this.#collected, since: performance.now() });
    const cells = this.#cells;
    this.#collected = [];
    this.#cells = [];
    this.#worker.postMessage(cells);
  }

  #received(message: Outcome | FromWriter): void {
    if (!Array.isArray(message)) {
      if ((message as FromWriter).kind === 'compacted') {
        compactions.publish(message);
        return;
      }
      this.#failed = new Error('The store is closed');
      this.#closing?.();
      return;
    }
    const [results, failures, batches] = message as Outcome;
    const answered = this.#away.splice(0, batches);
    const waiters = answered.flatMap((away) => away.waiters);
    if (commits.hasSubscribers) {
      commits.publish({ writes: waiters.length, ms: performance.now() - (answered[0]?.since ?? 0) });
    }
    const failed = failures && new Map(failures.map((failure) => [failure[0], failure]));
    for (let i = 0; i < waiters.length; i++) {
      const waiter = waiters[i] as Waiter;
      const failure = failed?.get(i);
      if (failure === undefined) waiter.resolve(results === null ? 0 : results[i]);
      else waiter.reject(storeError(Object.assign(new Error(failure[1]), { errcode: failure[2] }), this.#damage));
    }
    if (this.#closing !== undefined) this.#flush();
  }

  #fail(error: Error): void {
    if (this.#failed !== undefined) return;
    this.#failed = error;
    const waiters = [...this.#away.flatMap((away) => away.waiters), ...this.#collected, ...this.#large];
    this.#large = [];
    this.#away = [];
    this.#collected = [];
    this.#cells = [];
    for (const waiter of waiters) waiter.reject(unavailable(error));
    this.#closing?.();
    this.#onFailure(error);
  }
}
