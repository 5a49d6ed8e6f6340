import type { StatementSync } from 'node:sqlite';
import type { Cell } from '../db.ts';
import { columnsOf } from '../schema/table.ts';
import { messages } from '../schema/tables.ts';
import { MESSAGE_CELLS } from './wire.ts';

/** The rows of one statement; more save little, and fewer rows than these are inserted one by one. */
const ROWS = 8;

/**
 * Collects rows of messages and inserts them together: an insert opens each index of the table, which for one row takes a
 * third of the time, though most indexes have no entry for it.
 */
export function makeMessageRows(prepare: (sql: string) => StatementSync) {
  const row = `(${Array.from({ length: MESSAGE_CELLS }, () => '?').join(', ')})`;
  const insert = (rows: number): StatementSync =>
    prepare(
      `insert into messages (${columnsOf(messages)}) values ${Array.from({ length: rows }, () => row).join(', ')}`,
    );
  const [single, several] = [insert(1), insert(ROWS)];
  let collected: Cell[] = [];
  return {
    add(cells: readonly Cell[]): void {
      collected.push(...cells);
      if (collected.length < ROWS * MESSAGE_CELLS) return;
      several.run(...collected);
      collected = [];
    },
    /** Inserts what is collected; called before anything reads the table, and before the commit. */
    write(): void {
      for (let at = 0; at < collected.length; at += MESSAGE_CELLS)
        single.run(...collected.slice(at, at + MESSAGE_CELLS));
      collected = [];
    },
    /** Called after a rollback. */
    forget(): void {
      collected = [];
    },
  };
}
