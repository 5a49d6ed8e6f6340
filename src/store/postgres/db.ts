import pg from 'pg';
import type { Db, Row } from '../db.ts';
import { makeDurable } from './connection.ts';
import { isRefusal, lostRace, storeError } from './errors.ts';
import { raced } from './lane.ts';

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
    try {
      return await raced(async () => {
        const client = await this.#pool.connect();
        let broken: Error | undefined;
        try {
          await client.query(beside ? 'begin isolation level read committed' : 'begin isolation level serializable');
          const results: Row[][] = [];
          for (const { sql, params } of steps) results.push((await client.query(sql, [...params])).rows as Row[]);
          await client.query('commit');
          return results;
        } catch (error) {
          // A connection without an answer is not asked again; the server rolls back with it.
          if (isRefusal(error) || lostRace(error)) {
            await client.query('rollback').catch((unable: Error) => {
              broken = unable;
            });
          } else broken = error as Error;
          throw error;
        } finally {
          client.release(broken);
        }
      });
    } catch (error) {
      throw storeError(error);
    }
  };

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
  }
}
