import pg from 'pg';
import type { Cell } from '../db.ts';
import { clientConfig } from '../postgres/connection.ts';
import { beginAlone, bringUpToDate, UNFINISHED_COPY } from '../postgres/migrate.ts';
import type { Source } from './source.ts';
import { after, type Cells, jsonCells, keyOf, list, MAX_ROWS, MAX_SIZE, quoted, type Table } from './table.ts';

/**
 * The advisory lock for one copy at a time into a database, next to the one of `../postgres/migrate.ts`; held until the
 * connection ends.
 */
const LOCK = 7_245_248;
/** How long to wait for the lock of a killed copy, which the server holds until it notices. */
const LOCK_MS = 5_000;
/** The statement timeout of the server. */
const STATEMENT_MS = 60_000;
/** After this time the server itself does not respond any more, and the connection is dropped. */
const HUNG_MS = STATEMENT_MS + 2_000;
/** `analyze` reads only a sample of each table, however large. */
const ANALYZE_MS = 600_000;

/** The progress of a table: the key of the last copied row, and how many rows are copied. */
interface CopyCursor {
  readonly key?: Cells;
  readonly rows: number;
}

/** The PostgreSQL database that is filled. */
export interface Target extends AsyncDisposable {
  /** The number of rows copied by an earlier run, and whether the source was written since, in which case there are none. */
  readonly found: { readonly rows: number; readonly changed: boolean };
  placeOf(table: Table): CopyCursor;
  /** Writes the rows and the progress in one transaction. Throws when one of the rows exists already. */
  write(table: Table, rows: readonly Cells[]): Promise<void>;
  /** All rows in the order of the key, read again from the database. */
  batches(table: Table): AsyncGenerator<readonly Cells[]>;
  /** Marks the copy as complete: from now on a service may start here. */
  finish(tables: readonly Table[]): Promise<void>;
}

/**
 * Creates the tables in an empty database, or continues the unfinished copy of the same source. Throws, with one line,
 * when the database holds anything else, when its schema is of another version, and when another copy is in progress.
 */
export async function openTarget(url: string, source: Source): Promise<Target> {
  const client = new pg.Client({
    ...clientConfig(url),
    statement_timeout: STATEMENT_MS,
    query_timeout: HUNG_MS,
    idle_in_transaction_session_timeout: 0,
  });
  // A broken connection is reported by the current statement or the next one.
  client.on('error', () => {});
  await using open = new AsyncDisposableStack();
  open.defer(() => client.end().catch(() => {}));
  await client.connect();
  await alone(client);
  await beginAlone(client);
  await bringUpToDate(client, true);
  const found = await foundIn(client, source);
  const types = new Map<string, readonly string[]>();
  for (const table of source.tables) types.set(table.name, await typesIn(client, table));
  await client.query('commit');
  // Rows and progress share a transaction, so what a crash of the server loses is copied again. `finish` waits for the
  // disk.
  await client.query('set synchronous_commit = off');

  const typesOf = (table: Table): readonly string[] => types.get(table.name) as readonly string[];
  const places = new Map<string, CopyCursor>(Object.entries(found.places));
  const placeOf = (table: Table): CopyCursor => places.get(table.name) ?? { rows: 0 };
  const held = open.move();
  return {
    found: { rows: [...places.values()].reduce((sum, { rows }) => sum + rows, 0), changed: found.changed },
    placeOf,
    async write(table, rows) {
      const place = { key: keyOf(table, rows.at(-1) as Cells), rows: placeOf(table).rows + rows.length };
      places.set(table.name, place);
      await client.query({
        name: `write ${table.name}`,
        text: insert(table, typesOf(table)),
        values: [JSON.stringify(rows.map(jsonCells)), JSON.stringify(Object.fromEntries(places))],
      });
    },
    async *batches(table) {
      for (let key: Cells | undefined; ; ) {
        const values = [...(key ?? [])];
        const { rows } = await client.query<Cell[]>({
          text: page(table, typesOf(table), key),
          values,
          rowMode: 'array',
        });
        if (rows.length === 0) return;
        yield rows;
        key = keyOf(table, rows.at(-1) as Cells);
      }
    },
    async finish(tables) {
      for (const table of tables) await numberOn(client, table);
      // Without this, the first queries would run with plans for empty tables.
      await client.query(`set statement_timeout = ${ANALYZE_MS}`);
      const text = `analyze ${list(tables.map(({ name }) => name))}`;
      await client.query({ text, query_timeout: ANALYZE_MS } as pg.QueryConfig);
      await client.query(`set synchronous_commit = on; drop table ${UNFINISHED_COPY}`);
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Sets the database's own numbering to continue above the copied rows. */
async function numberOn(client: pg.Client, { name }: Table): Promise<void> {
  const { rows } = await client.query<{ column: string }>(
    `select attname as column from pg_attribute where attrelid = to_regclass($1) and attidentity <> ''`,
    [quoted(name)],
  );
  for (const { column } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), max(${quoted(column)})) from ${quoted(name)} having count(*) > 0`,
      [quoted(name), column],
    );
  }
}

async function alone(client: pg.Client): Promise<void> {
  try {
    await client.query(`set lock_timeout = ${LOCK_MS}; select pg_advisory_lock(${LOCK}); set lock_timeout = 0`);
  } catch (error) {
    if ((error as pg.DatabaseError).code !== '55P03') throw error;
    throw new Error('Another copy into this database is in progress', { cause: error });
  }
}

interface TargetState {
  readonly places: Readonly<Record<string, CopyCursor>>;
  readonly changed: boolean;
}

/** Runs in the transaction that examines the schema, so that no service starts on the database from here on. */
async function foundIn(client: pg.Client, { id, stamp, tables }: Source): Promise<TargetState> {
  const known = await client.query(`select to_regclass('${UNFINISHED_COPY}') is not null as known`);
  if (known.rows[0]?.known !== true) {
    await assertEmpty(client);
    await client.query(
      `create table ${UNFINISHED_COPY} (source text not null, stamp text not null, places text not null)`,
    );
    await client.query(`insert into ${UNFINISHED_COPY} (source, stamp, places) values ($1, $2, '{}')`, [id, stamp]);
    return { places: {}, changed: false };
  }
  const { rows } = await client.query(`select source, stamp, places from ${UNFINISHED_COPY}`);
  const [copy] = rows as { source: string; stamp: string; places: string }[];
  if (copy?.source !== id)
    throw new Error('There is an unfinished copy of another store in the database. Name an empty one.');
  if (copy.stamp === stamp) return { places: JSON.parse(copy.places), changed: false };
  // The copied rows may be old; all rows are from this copy, because nothing else could write here.
  await client.query(`truncate ${list(tables.map(({ name }) => name))}`);
  await client.query(`update ${UNFINISHED_COPY} set stamp = $1, places = '{}'`, [stamp]);
  return { places: {}, changed: true };
}

/** Checks every table of the schema in use, whichever program created it. */
async function assertEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = current_schema() and tablename <> 'schema_version' order by 1`,
  );
  for (const { name } of rows) {
    const any = await client.query(`select 1 from ${quoted(name)} limit 1`);
    if (any.rows.length > 0) throw new Error(`The database is not empty: ${name} has rows. Name an empty one.`);
  }
}

/** The types of a table's columns, in their order. */
async function typesIn(client: pg.Client, table: Table): Promise<string[]> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`,
    [quoted(table.name)],
  );
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  if (types.size !== table.columns.length || table.columns.some((name) => !types.has(name))) {
    throw new Error(
      `The database's table ${table.name} does not match the source: its columns differ, or it is missing`,
    );
  }
  return table.columns.map((name) => types.get(name) as string);
}

/** Parameter 1 is the rows as an array of arrays, measured as the cheapest for both sides; parameter 2 is the progress. */
function insert(table: Table, types: readonly string[]): string {
  const cells = types.map((type, at) => {
    if (type === 'text') return `e->>${at}`;
    return type === 'bytea' ? `decode(e->>${at}, 'base64')` : `(e->>${at})::${type}`;
  });
  return `
    with copied as (
      insert into ${quoted(table.name)} (${list(table.columns)})
      select ${cells.join(', ')} from jsonb_array_elements($1::jsonb) e
    )
    update ${UNFINISHED_COPY} set places = $2`;
}

/** The next rows after the key in parameters 1, 2 …: as many as a batch may hold, at least one. */
function page(table: Table, types: readonly string[], key: Cells | undefined): string {
  const sizes = table.columns.map((name, at) =>
    types[at] === 'text' || types[at] === 'bytea' ? `coalesce(octet_length(${quoted(name)}), 0)` : '8',
  );
  const order = list(table.key);
  return `
    select ${list(table.columns)} from (
      select *, row_number() over rows_so_far as copy_nth, sum(copy_size) over rows_so_far as copy_total
      from (
        select ${list(table.columns)}, ${sizes.join(' + ')} as copy_size
        from ${quoted(table.name)} ${after(table, key)} order by ${order} limit ${MAX_ROWS}
      ) next window rows_so_far as (order by ${order})
    ) sized
    where copy_nth = 1 or copy_total <= ${MAX_SIZE} order by ${order}`;
}
