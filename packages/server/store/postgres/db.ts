import pg from 'pg';
import { type AuditDraft, takeDrafts } from '../audit/draft.ts';
import { type Db, type Row, step, type WriteStep } from '../db.ts';
import { AuditTurns, appendRecords, readImages } from './audited.ts';
import { raced } from './batcher.ts';
import { requireWritable, setSession } from './connection.ts';
import { isRefusal, lostRace, storeError } from './errors.ts';

/** Connections for occasional operations: pages, look-ups, changes of namespaces, mailboxes and keys. */
const CONNECTIONS = 6;
/** Quiet connections are closed early, because after a failover they may lead to a server that is gone. */
const IDLE_MS = 15_000;

/**
 * The port for occasional operations. A write is a serializable transaction, retried when it lost a race, so that
 * statements written for a single writer stay correct among many (PostgreSQL, "Serializable Isolation Level").
 */
export class PostgresDb implements Db, AsyncDisposable {
  readonly #pool: pg.Pool;
  readonly #turns = new AuditTurns();

  constructor(config: pg.ClientConfig) {
    this.#pool = new pg.Pool({
      ...config,
      pipeline: true,
      max: CONNECTIONS,
      idleTimeoutMillis: IDLE_MS,
      allowExitOnIdle: true,
      onConnect: async (client) => {
        await requireWritable(client);
        await setSession(client);
      },
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
    const drafts = takeDrafts();
    try {
      if (drafts.length === 0) return await raced(() => this.#transaction(level, steps));
      using _ = await this.#turns.take(drafts);
      return await raced(() => this.#audited(level, steps, drafts));
    } catch (error) {
      throw storeError(error);
    }
  };

  /** All statements are sent at once: the server runs them in order, and none after a failed one. */
  #transaction(level: string, steps: readonly WriteStep[]): Promise<readonly (readonly Row[])[]> {
    return this.#connected(async (client) => {
      // In a failed transaction this commit is a rollback.
      const done = await sendAll(client, [begin(level), ...steps, step('commit')]);
      return done.slice(1, -1);
    });
  }

  /** As `#transaction`, with the entries of what the steps changed, for which another round trip is needed. */
  #audited(level: string, steps: readonly WriteStep[], drafts: readonly AuditDraft[]) {
    return this.#connected(async (client) => {
      await using _ = await this.#turns.lock(client, drafts);
      try {
        const images = readImages(drafts);
        const done = await sendAll(client, [begin(level), ...images, ...steps, ...images]);
        const [before, after] = [done.slice(1, images.length + 1), done.slice(done.length - images.length)];
        await sendAll(client, [...appendRecords(drafts, before, after), step('commit')]);
        return done.slice(images.length + 1, done.length - images.length);
      } catch (error) {
        await client.query('rollback').catch(() => {});
        throw error;
      }
    });
  }

  async #connected<T>(act: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      return await act(client);
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

const begin = (level: string): WriteStep => step(`begin isolation level ${level}`);

/** Sends all statements without waiting for answers between them; rejects with the first failure once all are answered. */
async function sendAll(client: pg.PoolClient, steps: readonly WriteStep[]): Promise<readonly (readonly Row[])[]> {
  const done = await Promise.allSettled(steps.map(({ sql, params }) => client.query(sql, [...params])));
  const failed = done.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return done.map((one) => (one as PromiseFulfilledResult<pg.QueryResult>).value.rows as Row[]);
}
