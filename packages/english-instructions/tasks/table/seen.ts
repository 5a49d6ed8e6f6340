import { TaskError } from '../task.ts';
import { isNumber, type Table, tableOf } from './table.ts';

export interface Seen {
  readonly table?: Table;
  readonly error?: string;
}
/** The table that was read last, because an instruction is read many times. */
let last: { readonly data: string; readonly seen: Seen } | undefined;

/** The table in pasted text, or why there is none. */
export function seenIn(data: string): Seen {
  if (last?.data === data) return last.seen;
  let seen: Seen;
  try {
    seen = { table: tableOf(data) };
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    seen = { error: error.message };
  }
  last = { data, seen };
  return seen;
}

/** Whether text may be a table: its first line names columns, or it is a list of objects. */
export const isTable = ({ names, rows }: Table): boolean =>
  rows.length > 0 && names.length > 1 && !names.some((name) => isNumber(name));

/** Whether pasted text is a table with several columns, so that its first line is no row. */
export function isTableText(data: string): boolean {
  const { table } = seenIn(data);
  return table !== undefined && isTable(table);
}
