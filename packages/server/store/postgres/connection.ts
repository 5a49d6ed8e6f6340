import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Cell, Row } from '../db.ts';
import { isReadOnly, READ_ONLY } from './errors.ts';

/** Time limits for connecting and for a statement, after which the database counts as `unavailable`. */
const CONNECT_MS = 3_000;
const STATEMENT_MS = 6_000;
/** The server would have ended a statement by now, so after this time the connection is dropped. */
const HUNG_MS = STATEMENT_MS + 2_000;
/** After this time the server releases the locks of a node that froze within a transaction. */
const IDLE_IN_TRANSACTION_MS = 5_000;

/** 64-bit integers as numbers: all are milliseconds and counts within 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

/** The configuration of every connection. Parameters in the URL (`sslmode`, `options` …) take precedence. */
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

/** For statements that may take long: a migration, a wait for another node. */
export const patientConfig = (config: pg.ClientConfig): pg.ClientConfig => ({
  ...config,
  statement_timeout: 0,
  query_timeout: 0,
});

/**
 * Makes every commit durable on disk before it is acknowledged, whatever the server's or the role's default; a stronger
 * setting (`remote_apply`) is kept. Statements run in the process of their connection: what they read is small, and
 * further processes and machine code for it take longer to start than it takes.
 */
export async function setSession(client: pg.ClientBase): Promise<void> {
  await client.query(
    `select set_config('max_parallel_workers_per_gather', '0', false), set_config('jit', 'off', false),
       set_config('synchronous_commit', case current_setting('synchronous_commit')
         when 'off' then 'on' else current_setting('synchronous_commit') end, false)`,
  );
}

/**
 * Refuses a server that takes no writes: a standby, to which a name or a proxy may lead for a moment during a failover,
 * or one whose transactions are read-only, as some providers set it on a full disk. Both pass.
 */
export async function requireWritable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query("select current_setting('transaction_read_only') = 'on' as refuses");
  if (rows[0]?.refuses === true)
    throw Object.assign(new Error('The server takes no writes: it is a standby, or read-only'), { code: READ_ONLY });
}

/** A connection of its own to a server that takes writes; the caller ends it. */
export async function connectAlone(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  client.on('error', () => {});
  try {
    await client.connect();
    await requireWritable(client);
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

export interface Statement {
  /** Prepared once per connection under this name. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly (Cell | readonly string[])[];
}

/**
 * How often a quiet connection is asked whether it still leads to the server: one that a dead network holds would be
 * found by its next statement alone, and one that only listens never.
 */
const BEAT_MS = 5_000;
const BEAT: Statement = { text: 'select 1', values: [] };

/** After a failed connection the next attempt waits this long, and statements wait for it. */
const AGAIN_MS = 200;

/**
 * One connection that statements share, each as its own transaction: they are sent without waiting for earlier answers
 * (pipelining) and run in that order. The connection is opened when first needed and again after it broke; statements in
 * progress then fail, whether or not they took effect.
 */
export class Link implements AsyncDisposable {
  readonly #config: pg.ClientConfig;
  readonly #setUp: (client: pg.Client) => Promise<void>;
  #client: Promise<pg.Client> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #closed = false;
  #busy = 0;
  #live: pg.Client | undefined;
  readonly #beat: NodeJS.Timeout;

  /** `setUp` runs first on each new connection. */
  constructor(config: pg.ClientConfig, setUp: (client: pg.Client) => Promise<void> = async () => {}) {
    this.#config = config;
    this.#setUp = setUp;
    this.#beat = setInterval(() => {
      if (this.#live !== undefined && this.#busy === 0) this.query(BEAT).catch(() => {});
    }, BEAT_MS).unref();
  }

  /** The number of statements in progress. */
  get busy(): number {
    return this.#busy;
  }

  /** The process id of the server's backend, while connected. */
  get backend(): number | undefined {
    return (this.#live as { readonly processID?: number } | undefined)?.processID;
  }

  /** Throws the errors of PostgreSQL or the network. */
  async query(statement: Statement): Promise<readonly Row[]> {
    this.#busy++;
    try {
      const client = await this.connected();
      try {
        return (await client.query(statement as pg.QueryConfig)).rows as Row[];
      } catch (error) {
        if (isReadOnly(error)) this.#drop(client);
        throw error;
      }
    } finally {
      this.#busy--;
    }
  }

  /** Connects if necessary. Rejects when that fails. */
  connected(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client;
    if (this.#closed) return Promise.reject(new Error('The store is closed'));
    const wait = Math.max(0, this.#failedAt + AGAIN_MS - performance.now());
    const connecting = (wait > 0 ? sleep(wait).then(() => this.#connect()) : this.#connect()).catch(
      (error: unknown) => {
        this.#failedAt = performance.now();
        if (this.#client === connecting) this.#client = undefined;
        throw error;
      },
    );
    this.#client = connecting;
    return connecting;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#config, pipeline: true } as pg.ClientConfig);
    const broken = (): void => this.#forget(client);
    client.on('error', broken);
    client.on('end', broken);
    try {
      await client.connect();
      await requireWritable(client);
      await this.#setUp(client);
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    this.#live = client;
    return client;
  }

  #forget(client: pg.Client): void {
    if (this.#live !== client) return;
    this.#live = undefined;
    this.#client = undefined;
  }

  /** The next statement makes a new connection, since the address may lead to another server by now. */
  #drop(client: pg.Client): void {
    this.#forget(client);
    void client.end().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearInterval(this.#beat);
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => {});
  }
}
