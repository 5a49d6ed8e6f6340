import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { connect } from './connection.ts';

/**
 * What `pragma user_version` of the file says. It is written in the transaction of a deletion and reset by a compaction,
 * so that a process that is killed in between leaves it for the next.
 */
export const COMPACTION = {
  /** Nothing was deleted since the last compaction. */
  none: 0,
  /** Deleted content may be left in the file. */
  due: 1,
  /** `npm run compact` asks the service that holds the file to compact it now. */
  requested: 2,
  /** The service could not do what was requested; it is due as before. */
  failed: 3,
} as const;

/** Free disk that a compaction needs, as a multiple of the content: a temporary copy, and the log that takes it over. */
const SPACE = 2.2;

export interface Compacted {
  /** Size of the file in bytes, before and after. */
  readonly before: number;
  readonly after: number;
}

export const compactionOf = (db: DatabaseSync): number => numberOf(db, 'user_version');

/** Writes the log into the file and truncates it; false while another connection reads the log. */
export const truncateLog = (db: DatabaseSync): boolean =>
  db.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0;

export const setCompaction = (db: DatabaseSync, state: number): void => db.exec(`pragma user_version = ${state}`);

/** Bytes of the file that are in use. */
export const contentOf = (db: DatabaseSync): number =>
  (numberOf(db, 'page_count') - numberOf(db, 'freelist_count')) * numberOf(db, 'page_size');

/**
 * Rewrites the file (`VACUUM`): it then holds no byte of a deleted row, and free space is returned to the disk. It is one
 * transaction, so others read meanwhile, writes wait, and a crash leaves the file as it was. The new pages are in the log,
 * and the caller truncates it, then resets the state. Throws when the disk has too little space.
 */
export function compact(path: string): Compacted {
  const folder = dirname(path);
  const db = connect(path);
  try {
    assertSpace(folder, contentOf(db));
    const sizeBefore = sizeOf(db);
    // The temporary copy belongs on the disk of the file: memory, or a small /tmp, may not hold it.
    db.exec(`pragma temp_store = file; pragma temp_store_directory = '${folder.replaceAll("'", "''")}'`);
    // The checkpoint comes with the truncation of the log.
    db.exec('pragma wal_autocheckpoint = 0; vacuum');
    return { before: sizeBefore, after: sizeOf(db) };
  } finally {
    db.close();
  }
}

/** Throws with one line for people when a compaction of `content` bytes needs more disk than is free in `folder`. */
export function assertSpace(folder: string, content: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const [needed, free] = [Math.ceil(content * SPACE), bavail * bsize];
  if (free >= needed) return;
  throw new Error(`A compaction needs ${mb(needed)} of free disk in ${folder}, and ${mb(free)} are free.`);
}

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

const sizeOf = (db: DatabaseSync): number => numberOf(db, 'page_count') * numberOf(db, 'page_size');

const numberOf = (db: DatabaseSync, pragma: string): number => Number(db.prepare(`pragma ${pragma}`).get()?.[pragma]);
