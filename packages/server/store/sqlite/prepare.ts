import { chmodSync, closeSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Millis } from '@mailroom/behavior/values/clock';
import { otherProgram, type SchemaVersion, schemaOf, schemaVersionsFrom, upgradeSql } from '../schema-version.ts';

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

const SCHEMA = schemaOf('sqlite');

/**
 * Brings the schema up to date. `alongside` a running service only a new file may be changed: the service may still
 * run an older version's statements.
 */
export function migrate(db: DatabaseSync, path: string, alongside: boolean): void {
  db.exec('begin immediate');
  try {
    const found = schemaVersionsIn(db, path);
    for (const sql of upgradeSql(SCHEMA, { found, where: path, alongside })) db.exec(sql);
    db.exec('commit');
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

/** None for a file without tables. Throws when its tables are of another program. */
export function schemaVersionsIn(db: DatabaseSync, path: string): readonly SchemaVersion[] {
  const names = db
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'")
    .all();
  if (names.length === 0) return [];
  if (!names.some(({ name }) => name === 'schema_version')) throw new Error(otherProgram(path));
  return schemaVersionsFrom(db.prepare('select * from schema_version').all(), path);
}

/**
 * Makes leased work due: one process owns the file, so at its start none of it is being done. The messages that were being
 * handled are suspects, since one of them may have ended the process; that attempt does not count as one of their own. A
 * crash counts against those that were suspects already, which are handled one at a time.
 */
export function voidLeases(db: DatabaseSync, now: Millis): void {
  db.prepare('update jobs set leased = 0, due_at = min(due_at, ?) where leased = 1').run(now);
  db.prepare('update deliveries set leased = 0, due_at = min(due_at, ?) where due_at is not null and leased = 1').run(
    now,
  );
  db.prepare(
    `update handlings set leased = 0, due_at = min(due_at, ?), suspect = 1, attempt = attempt - 1,
       crashes = crashes + suspect
     where leased = 1`,
  ).run(now);
}
