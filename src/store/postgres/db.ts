import pg from 'pg';
import type { Db, Row, WriteStep } from '../db.ts';
import { raced } from './batcher.ts';
import { makeDurable } from './connection.ts';
import { isRefusal, lostRace, storeError } from './errors.ts';

/** Connections for what is asked for now and then: pages, look-ups, changes of namespaces, mailboxes and keys. */
const CONNECTIONS = 6;

/**
 * The cold port. A write is a serializable transaction, tried again when it lost a race, so that the statements which
 * were written for one writer mean the same among many (PostgreSQL, "Serializable Isolation Level").
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
      onConnect: makeDurable,
    });
    // A connection that breaks is left out and made anew, in use or not: whoever waits for an answer is told.
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

  /** All of it is sent at once: the server takes one after the other, and none once one has failed. */
  async #transaction(level: string, steps: readonly WriteStep[]): Promise<readonly (readonly Row[])[]> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      const sent = [client.query(`begin isolation level ${level}`)];
      for (const { sql, params } of steps) sent.push(client.query(sql, [...params]));
      // Of a transaction that has failed it is a rollback.
      sent.push(client.query('commit'));
      const done = await Promise.allSettled(sent);
      const failed = done.find((one) => one.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      return done.slice(1, -1).map((one) => (one as PromiseFulfilledResult<pg.QueryResult>).value.rows as Row[]);
    } catch (error) {
      // A connection without an answer is not asked again; the server rolls back with it.
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
