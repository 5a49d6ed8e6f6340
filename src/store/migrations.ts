import type { Dialect } from './schema/table.ts';
import { createSql } from './schema/table.ts';
import { TABLES } from './schema/tables.ts';

/**
 * The schema, forward only: a released entry is never changed, and the version is the number of entries run. The first
 * version creates all tables; a later one changes a table in SQL, together with its declaration in `schema/tables.ts`.
 */
export const MIGRATIONS: readonly ((dialect: Dialect) => string)[] = [
  (dialect) => TABLES.map((of) => createSql(of, dialect)).join('\n'),
];
