/** What a database is handed and gives back: milliseconds as integers, booleans as 0 and 1, JSON as text. */
export type Cell = string | number | null;
export type Row = { readonly [column: string]: Cell };

/** One statement of a transaction; its parameters stand in the text as `$1`, `$2` … and may repeat. */
export interface WriteStep {
  readonly sql: string;
  readonly params: readonly Cell[];
}

/**
 * `beside`: a step may see what others committed since the one before: for rows that are always in use, such as jobs, where
 * being alone would mean never getting through. `erase`: as that, and what it deletes or blanks is soon removed from the
 * database's files too, where that is in our hands; `expire`: in the course of a day.
 */
export type How = 'beside' | 'erase' | 'expire';

/**
 * What the cold facts need of a database. One SQL text serves SQLite and PostgreSQL, so it keeps to what both know:
 * `on conflict … returning`, row values, no exceptions for what can be told by rows.
 */
export interface Db {
  read(sql: string, params: readonly Cell[]): Promise<readonly Row[]>;
  /**
   * One durable transaction: each step's returned rows, in order. It is as if nobody else wrote meanwhile, unless `how`
   * says otherwise.
   */
  write(steps: readonly WriteStep[], how?: How): Promise<readonly (readonly Row[])[]>;
}

/**
 * Holds on to the mailbox of a job's message to the end of the transaction, so that nobody deletes, pauses or resumes it
 * meanwhile: no steps where one writer writes at a time.
 */
export type HoldMailbox = (job: string) => readonly WriteStep[];

export const step = (sql: string, ...params: readonly Cell[]): WriteStep => ({ sql, params });

/** Collects parameters while a statement is put together: `p(value)` is its place, `$N`. */
export function params(): { readonly values: Cell[]; readonly p: (value: Cell) => string } {
  const values: Cell[] = [];
  return { values, p: (value) => `$${values.push(value)}` };
}

/** The rows asked for and one more tell whether there is a following page. */
export function pageOf<T extends { readonly id: string }>(
  found: readonly T[],
  size: number,
): { readonly items: readonly T[]; readonly next: string | null } {
  if (found.length <= size) return { items: found, next: null };
  const items = found.slice(0, size);
  return { items, next: items.at(-1)?.id ?? null };
}
