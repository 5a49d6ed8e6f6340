import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import {
  assertSpace,
  COMPACTION,
  type Compacted,
  compact,
  compactionOf,
  contentOf,
  setCompaction,
  truncateLog,
} from './compact.ts';
import { BUSY_MS } from './connection.ts';
import { InUseError, lock } from './lock.ts';

const LOOK_MS = 200;

/**
 * Compacts the file at `path` for a command. When a service holds it, the service is asked to do it, so that its writes
 * wait instead of failing, and `onRequested` is called. Resolves when it is done. Throws with one line for people.
 */
export async function compactFile(path: string, onRequested: () => void): Promise<Compacted> {
  if (!existsSync(path)) throw new Error(`There is no database at ${path}. DATABASE_URL says where it is.`);
  const file = realpathSync(path);
  const sizeBefore = statSync(file).size;
  for (let requested = false; ; await pause(LOOK_MS)) {
    // Also when the service that was asked has ended without doing it.
    const alone = compactAlone(file);
    if (alone !== undefined) return alone;
    const state = requested ? stateOf(file) : request(file);
    if (state === COMPACTION.failed) throw new Error('The service could not compact it: its log says why.');
    if (requested && state !== COMPACTION.requested) return { before: sizeBefore, after: statSync(file).size };
    if (!requested) onRequested();
    requested = true;
  }
}

/** Undefined when a service holds the file. */
function compactAlone(file: string): Compacted | undefined {
  try {
    using _held = lock(file);
    return withDb(file, (db) => {
      assertOurs(db, file);
      const compacted = compact(file);
      if (!truncateLog(db))
        throw new Error(
          'Another process reads the file for long, so its log still holds what was deleted. Run it again later.',
        );
      setCompaction(db, COMPACTION.none);
      return compacted;
    });
  } catch (error) {
    if (error instanceof InUseError) return undefined;
    throw error;
  }
}

function request(file: string): number {
  return withDb(file, (db) => {
    assertOurs(db, file);
    assertSpace(dirname(file), contentOf(db));
    setCompaction(db, COMPACTION.requested);
    return COMPACTION.requested;
  });
}

const stateOf = (file: string): number => withDb(file, compactionOf);

function assertOurs(db: DatabaseSync, file: string): void {
  if (!hasSchema(db)) throw new Error(`${file} is no database of this service. DATABASE_URL says where it is.`);
}

function hasSchema(db: DatabaseSync): boolean {
  try {
    return db.prepare("select 1 from sqlite_schema where name = 'schema_version'").get() !== undefined;
  } catch (error) {
    if ((error as { readonly errcode?: number }).errcode === SQLITE_NOTADB) return false;
    throw error;
  }
}

const SQLITE_NOTADB = 26;

function withDb<T>(file: string, act: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    return act(db);
  } finally {
    db.close();
  }
}
