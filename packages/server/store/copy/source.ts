import { existsSync, realpathSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Millis } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import { allRows, statements } from '../sqlite/connection.ts';
import { lock } from '../sqlite/lock.ts';
import { migrate, schemaVersionsIn, voidLeases } from '../sqlite/prepare.ts';
import { after, type Cells, list, MAX_ROWS, MAX_SIZE, quoted, type Table } from './table.ts';

/** How long to wait for a maintenance command that writes, in ms. */
const BUSY_MS = 5000;

/** The SQLite store that is copied; no process serves or writes it meanwhile. */
export interface Source extends Disposable {
  /** The canonical path of the file. */
  readonly path: string;
  /** Identifies the store wherever its file lies, by its random secrets, which never change. */
  readonly id: string;
  /** Changes when anything is written to the file. */
  readonly stamp: string;
  readonly tables: readonly Table[];
  count(table: Table): number;
  /** The rows after `key`, or all, in the order of the key. */
  batches(table: Table, key?: Cells): Generator<readonly Cells[]>;
}

/**
 * Opens the file at `path` as a starting service would: leased jobs become due. Throws, with one line, when there is no
 * file, when it is not a store, when a process serves it, and when its schema is of another version.
 */
export function openSource(path: string, now: Millis): Source {
  if (!existsSync(path)) throw new Error(`There is no file ${path}`);
  using open = new DisposableStack();
  const file = realpathSync(path);
  assertStore(file);
  open.use(lock(file));
  const db = open.use(new DatabaseSync(file, { timeout: BUSY_MS }));
  // Refuses another version's schema; creates nothing, because a schema exists.
  migrate(db, file, true);
  voidLeases(db, now);
  db.exec('pragma wal_checkpoint(truncate); begin immediate');
  const tables = tablesOf(db);
  const held = open.move();
  return {
    path: file,
    id: sha256(secretsOf(db) ?? file),
    stamp: stampOf(file),
    tables,
    count: ({ name }) => db.prepare(`select count(*) as n from ${quoted(name)}`).get()?.n as number,
    *batches(table, key) {
      const order = list(table.key);
      const sql = `select ${list(table.columns)} from ${quoted(table.name)} ${after(table, key)} order by ${order}`;
      let batch: Cells[] = [];
      let size = 0;
      const statement = statements(db)(sql);
      statement.setReturnArrays(true);
      for (const row of statement.iterate(...(key ?? []))) {
        const cells = row as unknown as Cells;
        batch.push(cells);
        for (const cell of cells) size += typeof cell === 'number' || cell === null ? 8 : cell.length;
        if (batch.length < MAX_ROWS && size < MAX_SIZE) continue;
        yield batch;
        batch = [];
        size = 0;
      }
      if (batch.length > 0) yield batch;
    },
    [Symbol.dispose]: () => held.dispose(),
  };
}

/** Throws unless the file is a store of some version; writes nothing to it or beside it. */
function assertStore(file: string): void {
  let found = 0;
  try {
    using db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
    found = schemaVersionsIn(db, file).length;
  } catch (error) {
    throw new Error(`${file} is no Mailroom store`, { cause: error });
  }
  if (found === 0) throw new Error(`${file} is no Mailroom store`);
}

/** Every table except the one with the version, with its columns as the file describes them. */
function tablesOf(db: DatabaseSync): Table[] {
  const names = allRows(
    db.prepare(
      `select name from sqlite_schema where type = 'table' and name <> 'schema_version' and name not like 'sqlite\\_%' escape '\\'
       order by name`,
    ),
    [],
  );
  const columnsOf = db.prepare('select name, pk from pragma_table_info(?) order by cid');
  return names.map(({ name }) => {
    const columns = allRows(columnsOf, [name as string]) as { name: string; pk: number }[];
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    if (key.length === 0) throw new Error(`The table ${name} has no primary key, so it cannot be copied in order`);
    return { name: name as string, columns: columns.map((one) => one.name), key: key.map((one) => one.name) };
  });
}

function secretsOf(db: DatabaseSync): string | undefined {
  const rows = allRows(db.prepare('select name, value from secrets order by name'), []);
  return rows.length === 0 ? undefined : JSON.stringify(rows.map(({ name, value }) => [name, value]));
}

/** Size and time of the file and of its log. */
function stampOf(file: string): string {
  const stamp = (path: string): string => {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined || stat.size === 0n ? '' : `${stat.size}.${stat.mtimeNs}`;
  };
  return `${stamp(file)} ${stamp(`${file}-wal`)}`;
}
