import { AppError, invalid } from '@mailroom/behavior/values/error';
import { Pool, PoolError } from '@mailroom/workers/pool';
import { MAX_QUERY, type SearchCaller } from '../../core/ports/search.ts';
import { type Bounds, collect, type Next, type SearchPage } from './collect.ts';
import type { Searched, SearchTask, Slice, Source } from './tasks.ts';

/** More than a slice takes on a busy machine, in ms; after this the thread is terminated. */
const SLICE_MS = 10_000;
/** Maximum number of searches in progress of one caller. */
const MAX_OWN = 32;
/** Maximum number of searches in progress of all callers. */
const MAX_ALL = 1_000;
const RETRY_MS = 1_000;

interface Waiting {
  readonly task: SearchTask;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (slice: Slice | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs searches on a thread of their own, with a read-only connection. They run slice by slice with callers taking turns,
 * so a caller with many searches holds up only its own. The thread starts with the first search.
 */
export class Searches implements AsyncDisposable {
  readonly #pool: Pool<SearchTask, Searched>;
  /** By caller, in the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #underWay = new Map<string, number>();
  #all = 0;
  #busy = false;

  constructor(source: Source) {
    this.#pool = new Pool({
      name: 'search',
      script: new URL('./worker.ts', import.meta.url),
      data: source,
      workers: 1,
      max_queue: 1,
      run_ms: SLICE_MS,
    });
  }

  /**
   * Ends when enough is found, enough was examined, or the caller disconnected. AppError `validation_error` when `query`
   * is too long, `rate_limited` when the caller has too many in progress, `unavailable` when all callers have, or the
   * database cannot be read.
   */
  async run(query: string | undefined, next: Next, bounds: Bounds, caller?: SearchCaller): Promise<SearchPage> {
    if (query !== undefined && query.length > MAX_QUERY) {
      throw invalid(
        '/query',
        `A search can have up to ${MAX_QUERY} characters. Shorten it: a part of the text is enough.`,
      );
    }
    // Searches of the service itself count for no caller.
    const { id, signal } = caller ?? { id: '' };
    const count = this.#underWay.get(id) ?? 0;
    if (caller !== undefined && count >= MAX_OWN) {
      const message = `${MAX_OWN} of your searches are under way. Wait for one of them, then search again.`;
      throw new AppError('rate_limited', message, { retry_after_ms: RETRY_MS });
    }
    if (this.#all >= MAX_ALL) throw unavailable('Too many searches are in progress.');
    this.#underWay.set(id, count + 1);
    this.#all += 1;
    try {
      return await collect(next, bounds, (task) => this.#slice(id, task, signal));
    } finally {
      this.#leave(id);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool.close();
  }

  #leave(id: string): void {
    const own = (this.#underWay.get(id) ?? 1) - 1;
    if (own === 0) this.#underWay.delete(id);
    else this.#underWay.set(id, own);
    this.#all -= 1;
  }

  /** Undefined when the caller had disconnected before its turn. */
  #slice(id: string, task: SearchTask, signal: AbortSignal | undefined): Promise<Slice | undefined> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(id);
      const waiting = { task, signal, resolve, reject };
      if (queue === undefined) this.#waiting.set(id, [waiting]);
      else queue.push(waiting);
      this.#next();
    });
  }

  #next(): void {
    if (this.#busy) return;
    for (const [id, queue] of this.#waiting) {
      const waiting = queue.shift() as Waiting;
      this.#waiting.delete(id);
      if (queue.length > 0) this.#waiting.set(id, queue);
      if (waiting.signal?.aborted) {
        waiting.resolve(undefined);
        continue;
      }
      this.#busy = true;
      void this.#hand(waiting);
      return;
    }
  }

  async #hand({ task, resolve, reject }: Waiting): Promise<void> {
    try {
      const searched = await this.#pool.run(task);
      if (typeof searched === 'string') reject(unavailable(searched));
      else resolve(searched);
    } catch (error) {
      reject(error instanceof PoolError ? unavailable('Search is temporarily unavailable.', error) : error);
    } finally {
      this.#busy = false;
      this.#next();
    }
  }
}

const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError('unavailable', `${message} Try again later.`, { retry_after_ms: RETRY_MS, cause });
