import pg from 'pg';
import { type Postgres, query } from '../../../../tests/harness/postgres.ts';
import type { Store } from '../../core/ports/store.ts';
import { openPostgres, type PostgresOptions } from '../../store/postgres/store.ts';
import { T } from './made.ts';

/** A statement that empties every table of the connection's schema except the version, to be planned once. */
async function emptying(client: pg.Client): Promise<pg.QueryConfig> {
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = current_schema() and tablename <> 'schema_version'",
  );
  return {
    name: 'empty',
    text: `with ${rows.map(({ name }) => `${name}_ as (delete from ${name})`).join(', ')} select 1`,
  };
}

/** A schema with empty tables and a store open on it, which no test uses. */
interface Idle {
  readonly url: string;
  readonly store: Store;
  readonly client: pg.Client;
  readonly empty: pg.QueryConfig;
}

/** Opens a store whose clock stands still. */
export const open = (url: string, options: PostgresOptions = {}): Promise<Store> =>
  openPostgres(url, { clock: () => T + 100, ...options });

/** A database of the server, with schemas for tests that run one after the other; they are closed on disposal. */
export async function openSchemas(server: Postgres) {
  const database = await server.newDatabase();
  const idle: Idle[] = [];
  let schemas = 0;
  /** A schema of its own in the one database, which is quicker than a new database. */
  const newSchema = async (): Promise<string> => {
    const name = `s${++schemas}`;
    await query(database, `create schema ${name}`);
    const url = new URL(database);
    url.searchParams.set('options', `-c search_path=${name}`);
    return url.href;
  };
  const openForMany = async (): Promise<Idle> => {
    const url = await newSchema();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const store = await open(url);
    return { url, store, client, empty: await emptying(client) };
  };
  /** A schema and store of a test before this one, without rows: making its tables takes longer than most tests. */
  const borrow = async (): Promise<Pick<Idle, 'url' | 'store'> & AsyncDisposable> => {
    const taken = idle.pop() ?? (await openForMany());
    return {
      url: taken.url,
      store: taken.store,
      async [Symbol.asyncDispose]() {
        await taken.client.query(taken.empty);
        idle.push(taken);
      },
    };
  };
  return {
    database,
    newSchema,
    borrow,
    async [Symbol.asyncDispose]() {
      for (const { store, client } of idle.splice(0)) {
        await store[Symbol.asyncDispose]();
        await client.end();
      }
    },
  };
}
