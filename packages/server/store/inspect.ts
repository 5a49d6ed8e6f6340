import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { schemaOf } from './schema-version.ts';

/** What a database says of itself, read without changing anything. */
export interface DatabaseState {
  /** Its program with its version, such as `PostgreSQL 18.4`. */
  readonly version: string;
  /** How long one read took, in ms. */
  readonly latency_ms: number;
  /** The newest version of its schema; null where it has no tables of this service. */
  readonly schema: number | null;
  /** Its clock; undefined where that is the one of this machine. */
  readonly time?: Millis;
}

/** The version of the schema that this build makes. */
export const SCHEMA_VERSION = schemaOf('sqlite').versions.length;

const SELECT_VERSION = 'select max(version) as version from schema_version';

/** The state of the database at a `DATABASE_URL`; undefined for a SQLite file that is not there. Rejects when it cannot be read. */
export async function inspectDatabase(url: string): Promise<DatabaseState | undefined> {
  return url.startsWith('sqlite:') ? inspectSqlite(url.slice('sqlite:'.length)) : inspectPostgres(url);
}

function inspectSqlite(path: string): DatabaseState | undefined {
  if (!existsSync(path)) return undefined;
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5 * SECOND });
  try {
    const number = db.prepare('select sqlite_version() as version').get()?.version;
    const begun = performance.now();
    const [row] = db.prepare(`select count(*) as tables from sqlite_schema where name = 'schema_version'`).all();
    const latency_ms = performance.now() - begun;
    const schema = row?.tables === 0 ? null : Number(db.prepare(SELECT_VERSION).get()?.version);
    return { version: `SQLite ${String(number)}`, latency_ms, schema };
  } finally {
    db.close();
  }
}

async function inspectPostgres(url: string): Promise<DatabaseState> {
  const [{ default: pg }, { clientConfig }] = await Promise.all([import('pg'), import('./postgres/connection.ts')]);
  const client = new pg.Client(clientConfig(url));
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows: versions } = await client.query(`select current_setting('server_version') as version`);
    const begun = performance.now();
    const { rows: times } = await client.query(
      `select extract(epoch from clock_timestamp()) * 1000 as time, to_regclass('schema_version') is not null as made`,
    );
    const latency_ms = performance.now() - begun;
    const { rows } = times[0].made ? await client.query(SELECT_VERSION) : { rows: [{ version: null }] };
    return {
      version: `PostgreSQL ${String(versions[0].version).split(' ', 1)[0]}`,
      latency_ms,
      schema: rows[0].version === null ? null : Number(rows[0].version),
      time: Number(times[0].time) + latency_ms / 2,
    };
  } finally {
    await client.end().catch(() => {});
  }
}
