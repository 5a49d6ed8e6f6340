import pg from 'pg';
import type { Db, Row, WriteStep } from '../db.ts';
import { raced } from './batcher.ts';
import { setSession } from './connection.ts';
import { isRefusal, lostRace, storeError } from './errors.ts';

/** Connections for occasional operations: pages, look-ups, changes of namespaces, mailboxes and keys. */
const CONNECTIONS = 6;

/**
 * The port for occasional operations. A write is a serializable transaction, retried when it lost a race, so that
 * statements written for a single writer stay correct among many (PostgreSQL, "Serializable Isolation Level").
 */
export class PostgresDb implements Db, AsyncDisposable {
  readonly #pool: pg.Pool;

  constructor(config: pg.ClientConfig) {
    this.#pool = new pg.Pool({
      ...config,
      pipeline: true,
      max: CONNECTIONS,
      idleTimeoutMillis: 60_000,
      allowExitOnIdle: true,
      onConnect: setSession,
    });
    // A broken connection is removed from the pool; its statements reject on their own.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  readonly read: Db['read'] = async (sql, params) => {
    try {
      return (await this.#pool.query(sql, [...params])).rows as Row[];
    } catch (error) {
      throw storeError(error);
    }
  };

  readonly write: Db['write'] = async (steps, beside) => {
    const level = beside ? 'read committed' : 'serializable';
    try {
      return await raced(() => this.#transaction(level, steps));
    } catch (error) {
      throw storeError(error);
    }
  };

  /** All statements are sent at once: the server runs them in order, and none after a failed one. */
  async #transaction(level: string, steps: readonly WriteStep[]): Promise<readonly (readonly Row[])[]> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      const sent = [client.query(`begin isolation level ${level}`)];
      for (const { sql, params } of steps) sent.push(client.query(sql, [...params]));
      // In a failed transaction this commit is a rollback.
      sent.push(client.query('commit'));
      const done = await Promise.allSettled(sent);
      const failed = done.find((one) => one.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      return done.slice(1, -1).map((one) => (one as PromiseFulfilledResult<pg.QueryResult>).value.rows as Row[]);
    } catch (error) {
      // A connection that did not answer is closed; the server then rolls back.
      if (!isRefusal(error) && !lostRace(error)) broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
  }
}
