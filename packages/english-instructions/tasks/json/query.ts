import { type Json, parseJson } from '@mailroom/behavior/values/json';
import { Pool, PoolError } from '@mailroom/workers/pool';
import { TaskError } from '../task.ts';
import { plainly } from '../text/input.ts';
import type { Query, QueryResult } from './worker.ts';

export interface QueriesOptions {
  /** Number of threads, each with up to 64 MB of values; they start with the first query. */
  readonly workers: number;
  /** Maximum queries that wait. Default 200. */
  readonly max_queue?: number;
  /** Maximum time of a query, in ms. Default 1,000. */
  readonly run_ms?: number;
}

/** Runs JMESPath queries on threads that can be ended, because the cost of a query is not bounded by its length. */
export class Queries {
  readonly #options: QueriesOptions;
  #pool: Pool<Query, QueryResult> | undefined;
  #closed = false;

  constructor(options: QueriesOptions) {
    this.#options = options;
  }

  /** The result of an expression on JSON, at most `max` bytes. Throws TaskError; rejects with the signal's reason. */
  async run(expression: string, json: string, max: number, signal: AbortSignal, caller = ''): Promise<Json> {
    if (expression.length > MAX_EXPRESSION) {
      throw new TaskError(`The expression is longer than ${MAX_EXPRESSION} characters.`);
    }
    if (this.#closed) throw new TaskError('The service is stopping; try again in a moment.');
    let found: QueryResult;
    try {
      found = await this.#running().run({ expression, json, max }, { signal, caller });
    } catch (error) {
      throw error instanceof PoolError ? new TaskError(TROUBLES[error.reason]) : error;
    }
    if ('json' in found) return parseJson(found.json);
    if ('too_long' in found) {
      throw new TaskError(`The result has more than ${Math.floor(max / 1024)} KB; ask for less of it.`);
    }
    throw new TaskError(`“${plainly(expression.slice(0, 200))}” cannot be evaluated: ${found.error.slice(0, 500)}`);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool?.close();
  }

  #running(): Pool<Query, QueryResult> {
    const { workers, max_queue = 200, run_ms = 1_000 } = this.#options;
    this.#pool ??= new Pool<Query, QueryResult>({
      name: 'json-query',
      script: new URL('./worker.ts', import.meta.url),
      workers,
      max_queue,
      run_ms,
      kill_on_abort: true,
      resource_limits: { maxOldGenerationSizeMb: 64 },
    });
    return this.#pool;
  }
}

const MAX_EXPRESSION = 2_000;

const TROUBLES: { readonly [reason in PoolError['reason']]: string } = {
  full: 'Too many queries wait; try again in a moment.',
  timeout: 'The query takes too long; ask for less.',
  ended: 'The query was ended; try again.',
  crashed: 'The query needs too much memory; ask for less.',
  closed: 'The service is stopping; try again in a moment.',
};
