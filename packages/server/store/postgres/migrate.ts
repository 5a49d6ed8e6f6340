import type pg from 'pg';
import { MESSAGE_ARRIVED } from '../message-arrived.ts';
import { TABLES } from '../schema/tables.ts';
import { otherProgram, type SchemaVersion, schemaOf, schemaVersionsFrom, upgradeSql } from '../schema-version.ts';
import { connectAlone, patientConfig } from './connection.ts';

/** The advisory lock under which nodes examine and change the schema. */
const LOCK = 7_245_246;
/** A table that exists until a copy into this database (`../copy/`) is complete; it holds the copy's progress. */
export const UNFINISHED_COPY = 'unfinished_copy';

/**
 * What PostgreSQL needs beyond the shared text. `handlings` is a queue whose dead rows slow every claim, so it is
 * vacuumed early, not at a fifth of the table. `counters` may be lost in a crash, so counting costs no write to the log.
 * `taken_ms` is volatile, so that it sees what was committed after its statement began, while the statement waited for
 * the lock of a mailbox; so is `message_arrived`, which returns 0. `events` are in the order of their transactions, counted from `event_base`.
 */
const BESIDE = `
  alter table handlings set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, fillfactor = 80);
  create unlogged table counters (
    id text collate "C" primary key not null,
    level bigint not null,
    at bigint not null,
    granted bigint not null
  );
  create function taken_ms(thread text, mailbox text) returns bigint language sql volatile as
    'select answer_within_ms from taken_threads where thread_id = thread and mailbox_id = mailbox';
  ${MESSAGE_ARRIVED}
  create function event_base() returns bigint language sql immutable as 'select 0::bigint';
  alter table events alter column tx set default event_base() + pg_current_xact_id()::text::bigint;
`;

/** Above every transaction id that a server reaches, and far below the largest integer in JavaScript. */
const ERA = 2 ** 40;
/**
 * A dump that was restored elsewhere may hold events with transaction ids above the server's current one, so that new
 * events would sort before them. From then on this database counts from above all of them.
 */
const AFTER_RESTORE = `
  do $$
  declare
    newest bigint := (select tx from events order by seq desc limit 1);
  begin
    if newest >= event_base() + pg_snapshot_xmax(pg_current_snapshot())::text::bigint then
      execute format(
        'create or replace function event_base() returns bigint language sql immutable as ''select %s::bigint''',
        (newest / ${ERA} + 1) * ${ERA}
      );
    end if;
  end $$`;

/** Runs `act` while no other node runs one; concurrent calls wait. */
export async function alone<T>(config: pg.ClientConfig, act: () => Promise<T>): Promise<T> {
  const client = await connectAlone(patientConfig(config));
  try {
    await client.query(`select pg_advisory_lock(${LOCK + 1})`);
    return await act();
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Brings the schema up to date, once for any number of nodes that start together. `alongside` a running service only an
 * empty database may be changed: the service may still run an older version's statements.
 */
export async function migrate(config: pg.ClientConfig, alongside: boolean): Promise<void> {
  const client = await connectAlone(patientConfig(config));
  try {
    await beginAlone(client);
    const { rows } = await client.query(`select to_regclass('${UNFINISHED_COPY}') is not null as half`);
    if (rows[0]?.half === true) {
      throw new Error('The database holds an unfinished copy: finish it first, with npm run migrate-store');
    }
    await bringUpToDate(client, alongside);
    await client.query(AFTER_RESTORE);
    await client.query('commit');
  } finally {
    // Uncommitted changes are rolled back with the connection.
    await client.end().catch(() => {});
  }
}

/** Begins a transaction during which no other node examines or changes the schema. */
export async function beginAlone(client: pg.Client): Promise<void> {
  await client.query(`begin; select pg_advisory_xact_lock(${LOCK})`);
}

/** The schema of this build. */
export const SCHEMA = schemaOf('postgres', BESIDE);
const WHERE = 'The database';

/** As `migrate`, within a transaction that `beginAlone` began. */
export async function bringUpToDate(client: pg.Client, alongside: boolean): Promise<void> {
  const found = await foundIn(client);
  for (const sql of upgradeSql(SCHEMA, { found, where: WHERE, alongside })) await client.query(sql);
}

/** None for a schema with none of the tables; other programs may have theirs beside them. */
async function foundIn(client: pg.Client): Promise<readonly SchemaVersion[]> {
  const { rows } = await client.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = current_schema() and tablename = any($1)',
    [['schema_version', ...TABLES.map(({ name }) => name)]],
  );
  if (rows.length === 0) return [];
  if (!rows.some(({ name }) => name === 'schema_version')) throw new Error(otherProgram(WHERE));
  return schemaVersionsFrom((await client.query('select * from schema_version')).rows, WHERE);
}
