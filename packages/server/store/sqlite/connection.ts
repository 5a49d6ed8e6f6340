import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Cell, Row } from '../db.ts';
import { MAX_LOG_PAGES } from './checkpoints.ts';

/** How long to wait for another process that migrates or starts up, in ms. */
export const BUSY_MS = 5000;

/**
 * A connection that writes durably: WAL, and a sync of the log before a commit returns (SQLite, "PRAGMA synchronous":
 * FULL in WAL mode). Both are read back, since SQLite ignores what it cannot do. Deleted content is overwritten with
 * zeros (`secure_delete`), at no cost that could be measured; `deletion.ts` removes the rest.
 */
export function connect(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    db.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = ${MAX_LOG_PAGES};`);
    // The log grows during a backup; this shrinks it when it starts from the beginning again.
    db.exec('pragma journal_size_limit = 67108864;');
    db.exec('pragma cache_size = -16000; pragma temp_store = memory; pragma secure_delete = on;');
    assertDurable(db);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** Throws unless the commits of this connection survive a loss of power. */
export function assertDurable(db: DatabaseSync): void {
  const mode = db.prepare('pragma journal_mode').get()?.journal_mode;
  const synchronous = db.prepare('pragma synchronous').get()?.synchronous;
  if (mode !== 'wal' || synchronous !== 2) {
    throw new Error(`SQLite would not be durable: journal_mode is ${mode}, synchronous is ${synchronous}`);
  }
}

/** Prepared statements by their text; `$1` of the shared SQL becomes `?1`, which can be bound by position. */
export function statements(db: DatabaseSync): (sql: string) => StatementSync {
  const prepared = new Map<string, StatementSync>();
  return (sql) => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = db.prepare(sql.replace(/\$(\d+)/g, '?$1'));
      prepared.set(sql, statement);
    }
    return statement;
  };
}

export const allRows = (statement: StatementSync, params: readonly Cell[]): Row[] => statement.all(...params) as Row[];
