import { chmodSync, closeSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Millis } from '../../core/values/clock.ts';
import { MIGRATIONS } from '../migrations.ts';

/** Creates a missing folder and file with access for this user only; returns the canonical path of the file. */
export function makeFile(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, 'ax', 0o600));
    chmodSync(path, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return realpathSync(path);
}

/**
 * Brings the schema up to date. `alongside` a running service only a new file may be changed: the service may still
 * run an older version's statements.
 */
export function migrate(db: DatabaseSync, path: string, alongside: boolean): void {
  db.exec('begin immediate');
  try {
    db.exec('create table if not exists schema_version (version integer not null)');
    const row = db.prepare('select version from schema_version').get();
    const version = Number(row?.version ?? 0);
    if (version > MIGRATIONS.length) {
      throw new Error(
        `${path} was written by a newer version (schema ${version}, this one knows ${MIGRATIONS.length})`,
      );
    }
    if (alongside && version > 0 && version < MIGRATIONS.length) {
      throw new Error(`${path} was written by an older version: start the service once to upgrade it`);
    }
    for (const migration of MIGRATIONS.slice(version)) db.exec(migration('sqlite'));
    if (row === undefined) db.prepare('insert into schema_version (version) values (?)').run(MIGRATIONS.length);
    else if (version < MIGRATIONS.length) db.prepare('update schema_version set version = ?').run(MIGRATIONS.length);
    db.exec('commit');
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

/**
 * Makes leased work due: one process owns the file, so at its start none of it is being done. The messages that were being
 * handled are suspects, since one of them may have ended the process; that attempt does not count as one of their own.
 */
export function voidLeases(db: DatabaseSync, now: Millis): void {
  db.prepare('update jobs set leased = 0, due_at = min(due_at, ?) where leased = 1').run(now);
  db.prepare('update deliveries set leased = 0, due_at = min(due_at, ?) where due_at is not null and leased = 1').run(
    now,
  );
  const alone = Number(db.prepare('select count(*) as count from handlings where leased = 1').get()?.count) === 1;
  db.prepare(
    `update handlings set leased = 0, due_at = min(due_at, ?), suspect = 1, attempt = attempt - 1, crashes = crashes + ?
     where leased = 1`,
  ).run(now, alone ? 1 : 0);
}
