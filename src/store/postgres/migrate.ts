import pg from 'pg';
import { MIGRATIONS } from '../migrations.ts';
import { patientConfig } from './connection.ts';

/** One number for all nodes: whoever holds it looks at the schema and changes it. */
const LOCK = 7_245_246;
/** Is there while a copy into this database (`../copy/`) has not ended: it keeps its place there, and all is not there yet. */
export const UNFINISHED_COPY = 'unfinished_copy';

/**
 * What this database needs beside the shared text, by the number of the entry it comes after. `jobs` is a queue, whose
 * dead rows are in the way of every claim: they go soon, not after a fifth of the table. `counters` holds what may be
 * forgotten in a crash, so that counting costs no write to the log.
 */
const ALSO: Readonly<Record<number, string>> = {
  1: `
    alter table jobs set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, fillfactor = 80);
    create unlogged table counters (
      id text collate "C" primary key not null,
      level bigint not null,
      at bigint not null,
      granted bigint not null
    );
  `,
};

/** The shared text as PostgreSQL reads it: text compared by bytes, as SQLite does, whatever the database's language. */
const postgresText = (sql: string): string =>
  sql.replaceAll(' without rowid', '').replace(/\btext\b/g, 'text collate "C"');

/** Does it while no other node does; those who come meanwhile wait for it. */
export async function alone<T>(config: pg.ClientConfig, act: () => Promise<T>): Promise<T> {
  const client = new pg.Client(patientConfig(config));
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${LOCK + 1})`);
    return await act();
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Brings the schema up to date, once however many nodes start together. `alongside` a running service only an empty
 * database may be changed: the service may still run an older version's statements.
 */
export async function migrate(config: pg.ClientConfig, alongside: boolean): Promise<void> {
  const client = new pg.Client(patientConfig(config));
  client.on('error', () => {});
  await client.connect();
  try {
    await beginAlone(client);
    const { rows } = await client.query(`select to_regclass('${UNFINISHED_COPY}') is not null as half`);
    if (rows[0]?.half === true) {
      throw new Error('The database holds an unfinished copy: finish it first, with npm run migrate-store');
    }
    await bringUpToDate(client, alongside);
    await client.query('commit');
  } finally {
    // Whatever was not committed is rolled back with the connection.
    await client.end().catch(() => {});
  }
}

/** Begins a transaction beside which no other looks at the schema or changes it. */
export async function beginAlone(client: pg.Client): Promise<void> {
  await client.query(`begin; select pg_advisory_xact_lock(${LOCK})`);
}

/** As `migrate`, within a transaction that `beginAlone` began. */
export async function bringUpToDate(client: pg.Client, alongside: boolean): Promise<void> {
  await client.query('create table if not exists schema_version (version integer not null)');
  const { rows } = await client.query<{ version: number }>('select version from schema_version');
  const version = rows[0]?.version ?? 0;
  if (version > MIGRATIONS.length) {
    throw new Error(
      `The database was written by a newer version (schema ${version}, this one knows ${MIGRATIONS.length})`,
    );
  }
  if (alongside && version > 0 && version < MIGRATIONS.length) {
    throw new Error(
      'The database was written by an older version: start the service once, it brings the database up to date',
    );
  }
  for (let at = version; at < MIGRATIONS.length; at++) {
    await client.query(postgresText(MIGRATIONS[at] as string));
    const also = ALSO[at + 1];
    if (also !== undefined) await client.query(also);
  }
  if (rows.length === 0) {
    await client.query('insert into schema_version (version) values ($1)', [MIGRATIONS.length]);
  } else if (version < MIGRATIONS.length) {
    await client.query('update schema_version set version = $1', [MIGRATIONS.length]);
  }
}
