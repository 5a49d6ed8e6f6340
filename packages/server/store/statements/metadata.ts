import type { Cell } from '../db.ts';

/**
 * SQL for whether a column with pairs as JSON text has this one. In JSON text a quote within a value is escaped, so that a
 * pair is found as a pair alone.
 */
export const hasPair = (column: string, name: string, value: string, p: (cell: Cell) => string): string =>
  `${column} is not null and replace(${column}, ${p(`${JSON.stringify(name)}:${JSON.stringify(value)}`)}, '') <> ${column}`;
