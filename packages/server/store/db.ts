/** A value as the databases take and return it: milliseconds as integers, booleans as 0 and 1, JSON as text, bytes. */
export type Cell = string | number | Uint8Array | null;
export type Row = { readonly [column: string]: Cell };

/** One statement of a transaction; its parameters appear in the text as `$1`, `$2` … and may repeat. */
export interface WriteStep {
  readonly sql: string;
  readonly params: readonly Cell[];
}

/**
 * `beside`: a step may see what others committed since the previous one; for rows in constant use, such as jobs, where
 * isolation would never succeed. `erase`: the same, and what is deleted or blanked is soon removed from the database's
 * files too, where this service controls them; `expire`: removed within a day. `soon`: as `beside`, and a writer may wait
 * some milliseconds for what it can be written with.
 */
export type How = 'beside' | 'erase' | 'expire' | 'soon';

/**
 * What the less frequent operations need of a database. One SQL text serves SQLite and PostgreSQL, so it uses what both
 * support: `on conflict … returning`, row values, and returned rows instead of exceptions.
 */
export interface Db {
  read(sql: string, params: readonly Cell[]): Promise<readonly Row[]>;
  /**
   * One durable transaction: each step's returned rows, in order. Isolated from all other writes, unless `how` says
   * otherwise.
   */
  write(steps: readonly WriteStep[], how?: How): Promise<readonly (readonly Row[])[]>;
}

/**
 * Locks the mailbox of a job's message to the end of the transaction, so that it is not deleted, paused or resumed
 * meanwhile: no steps where there is a single writer.
 */
export type HoldMailbox = (job: string) => readonly WriteStep[];

export const step = (sql: string, ...params: readonly Cell[]): WriteStep => ({ sql, params });

/** Collects the parameters of a statement: `p(value)` returns its place, `$N`. */
export function params(): { readonly values: Cell[]; readonly p: (value: Cell) => string } {
  const values: Cell[] = [];
  return { values, p: (value) => `$${values.push(value)}` };
}

/** The page of rows read with one more than asked for, which shows whether another page follows. */
export function pageOf<T extends { readonly id: string }>(
  found: readonly T[],
  size: number,
): { readonly items: readonly T[]; readonly next: string | null } {
  if (found.length <= size) return { items: found, next: null };
  const items = found.slice(0, size);
  return { items, next: items.at(-1)?.id ?? null };
}
