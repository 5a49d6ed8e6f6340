import { DatabaseSync } from 'node:sqlite';
import { Damage } from '../damage.ts';
import type { Db } from '../db.ts';
import { allRows, BUSY_MS, statements } from './connection.ts';
import { storeError } from './errors.ts';

/** Reads over a read-only connection, on the calling thread. AppError `unavailable` if a retry makes sense. */
export function openReader(path: string): Db['read'] {
  const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  db.exec('pragma cache_size = -8000; pragma temp_store = memory;');
  const prepare = statements(db);
  return async (sql, params) => {
    try {
      return allRows(prepare(sql), params);
    } catch (error) {
      throw storeError(error, new Damage());
    }
  };
}
