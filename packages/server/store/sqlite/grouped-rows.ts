import type { StatementSync } from 'node:sqlite';
import type { Cell } from '../db.ts';

/** The rows of one statement; more save little, and fewer rows than these are inserted one by one. */
const ROWS = 8;

/**
 * Collects rows of a table and inserts them together: an insert opens each index of the table, which for one message
 * takes a third of the time, though most indexes have no entry for it. `head`: the statement up to the `width` values.
 */
export function makeGroupedRows(prepare: (sql: string) => StatementSync, head: string, width: number) {
  const row = `(${Array.from({ length: width }, () => '?').join(', ')})`;
  const insert = (rows: number): StatementSync =>
    prepare(`${head} values ${Array.from({ length: rows }, () => row).join(', ')}`);
  const [single, several] = [insert(1), insert(ROWS)];
  let collected: Cell[] = [];
  return {
    add(cells: readonly Cell[]): void {
      collected.push(...cells);
      if (collected.length < ROWS * width) return;
      several.run(...collected);
      collected = [];
    },
    /** Inserts what is collected; called before anything reads the table, and before the commit. */
    write(): void {
      for (let at = 0; at < collected.length; at += width) single.run(...collected.slice(at, at + width));
      collected = [];
    },
    /** Called after a rollback. */
    forget(): void {
      collected = [];
    },
  };
}
