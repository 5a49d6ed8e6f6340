import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Cell, Row } from '../db.ts';

/** A server that does not answer a connection, a statement that does not end: then it is `unavailable`. */
const CONNECT_MS = 3_000;
const STATEMENT_MS = 6_000;
/** After this long there is no server any more, which would have ended the statement itself: the connection is dropped. */
const HUNG_MS = STATEMENT_MS + 2_000;
/** A node that was frozen within a transaction lets go of its locks after this long. */
const IDLE_IN_TRANSACTION_MS = 5_000;

/** 64-bit integers as numbers: ours are milliseconds and counts, all within 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

/** How every connection is made. What the URL says (`sslmode`, `options` …) goes before it. */
export const clientConfig = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'mailroom',
  connectionTimeoutMillis: CONNECT_MS,
  statement_timeout: STATEMENT_MS,
  query_timeout: HUNG_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types,
});

/** For what may take its time: a migration, a wait for another node. */
export const patientConfig = (config: pg.ClientConfig): pg.ClientConfig => ({
  ...config,
  statement_timeout: 0,
  query_timeout: 0,
});

/**
 * A commit is on disk before it is told, whatever the server or the role has as its default. Who asks for more than the
 * server's own disk (`remote_apply`) keeps it.
 */
export async function makeDurable(client: pg.ClientBase): Promise<void> {
  await client.query(
    "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
  );
}

export interface Statement {
  /** Prepared once on a connection under this name. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly (Cell | readonly string[])[];
}

/** After a failure the next attempt waits this long, and whoever asks waits for it. */
const AGAIN_MS = 200;

/**
 * One connection that statements share, each a transaction of its own: they are sent without waiting for the answers of
 * those before (pipelining) and run in the order they were sent. It is made when first needed and made anew when it
 * broke; what was under way then fails, whether it had happened or not.
 */
export class Link implements AsyncDisposable {
  readonly #config: pg.ClientConfig;
  readonly #setUp: (client: pg.Client) => Promise<void>;
  #client: Promise<pg.Client> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #closed = false;
  #busy = 0;
  #live: pg.Client | undefined;

  /** `setUp` runs on each new connection before anything else does. */
  constructor(config: pg.ClientConfig, setUp: (client: pg.Client) => Promise<void> = async () => {}) {
    this.#config = config;
    this.#setUp = setUp;
  }

  /** How many statements are under way. */
  get busy(): number {
    return this.#busy;
  }

  /** The backend that serves it, when it is connected. */
  get backend(): number | undefined {
    return (this.#live as { readonly processID?: number } | undefined)?.processID;
  }

  /** Throws what PostgreSQL or the network say. */
  async query(statement: Statement): Promise<readonly Row[]> {
    this.#busy++;
    try {
      const client = await this.connected();
      return (await client.query(statement as pg.QueryConfig)).rows as Row[];
    } finally {
      this.#busy--;
    }
  }

  /** Connects if it is not. Rejects when that fails. */
  connected(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client;
    if (this.#closed) return Promise.reject(new Error('The store is closed'));
    const wait = Math.max(0, this.#failedAt + AGAIN_MS - performance.now());
    const made = (wait > 0 ? sleep(wait).then(() => this.#connect()) : this.#connect()).catch((error: unknown) => {
      this.#failedAt = performance.now();
      if (this.#client === made) this.#client = undefined;
      throw error;
    });
    this.#client = made;
    return made;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#config, pipeline: true } as pg.ClientConfig);
    const broken = (): void => {
      if (this.#live === client) {
        this.#live = undefined;
        this.#client = undefined;
      }
    };
    client.on('error', broken);
    client.on('end', broken);
    try {
      await client.connect();
      await this.#setUp(client);
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    this.#live = client;
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => {});
  }
}
