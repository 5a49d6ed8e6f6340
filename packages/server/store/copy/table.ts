import { createHash } from 'node:crypto';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import type { Cell } from '../db.ts';

/** A table as a database describes it, so that no list of columns is repeated here. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key, in the key's order. */
  readonly key: readonly string[];
}

/** A row's cells in the order of `columns`. */
export type Cells = readonly Cell[];

/** Maximum rows of a batch. */
export const MAX_ROWS = 1000;
/** A batch ends after this many bytes (in SQLite, characters) of text or bytes, so that memory stays bounded. */
export const MAX_SIZE = 4 * 1024 * 1024;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const list = (names: readonly string[]): string => names.map(quoted).join(', ');

/** The cells of a row's key. */
export const keyOf = (table: Table, row: Cells): Cell[] =>
  table.key.map((name) => row[table.columns.indexOf(name)] as Cell);

/** The condition for rows after the one whose key is in parameters 1, 2 …; empty without such a row. */
export const after = (table: Table, key: Cells | undefined): string =>
  key === undefined ? '' : `where (${list(table.key)}) > (${table.key.map((_, at) => `$${at + 1}`).join(', ')})`;

/** The cells as JSON has them: bytes in base64. */
export const jsonCells = (row: Cells): Cells =>
  row.some((cell) => cell instanceof Uint8Array)
    ? row.map((cell) =>
        cell instanceof Uint8Array
          ? Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('base64')
          : cell,
      )
    : row;

/** The digest of a whole table. */
export interface Digest {
  readonly rows: number;
  /** Of each row's cells as a JSON array (bytes in base64) and a line feed, in the order of the key. */
  readonly sha256: string;
}

/**
 * The digest of a table's rows, batch by batch; `onRows` is called with the number of rows of each batch. Equal cells
 * give equal text on both databases: an integer, a string with JSON's escapes, or null.
 */
export async function digest(
  batches: Iterable<readonly Cells[]> | AsyncIterable<readonly Cells[]>,
  onRows: (rows: number) => void,
): Promise<Digest> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const batch of batches) {
    for (const row of batch) hash.update(`${JSON.stringify(jsonCells(row))}\n`);
    rows += batch.length;
    onRows(batch.length);
    // SQLite returns rows synchronously, so signals and the other side get a turn between two batches.
    await yieldToEventLoop();
  }
  return { rows, sha256: hash.digest('hex') };
}
