import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface Backup {
  readonly bytes: number;
  readonly messages: number;
}

/** How long to wait for another process that starts up, in ms. */
const BUSY_MS = 5000;

/**
 * Copies the SQLite file at `from`, in its current state, into the new file `to`, readable only for this user; a service
 * may use it meanwhile. The copy is checked and on disk when this returns, and before that there is nothing at `to`.
 * Throws with one line for people when `to` exists, when its folder or `from` does not, and when the copy is damaged.
 * `vacuum into` reads one state of the file (SQLite, "VACUUM", section "VACUUM with an INTO clause"); SQLite's own
 * `backup()` starts again whenever another connection writes, so beside a busy service it never ends.
 */
export function backUp(from: string, to: string): Backup {
  if (!existsSync(from)) throw new Error(`There is no database at ${from}. DATABASE_URL says where it is.`);
  if (isThere(to)) throw new Error(`${to} is there already. Name a new file.`);
  const folder = dirname(to);
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}. Create it first.`);
  const partial = join(folder, `.${basename(to)}.${process.pid}.partial`);
  try {
    const file = openSync(partial, 'wx', 0o600);
    // Sets the mode whatever the umask.
    fchmodSync(file, 0o600);
    closeSync(file);
    copy(from, partial);
    const messages = check(partial);
    sync(partial);
    if (isThere(to)) throw new Error(`${to} was made meanwhile. Name a new file.`);
    renameSync(partial, to);
    sync(folder);
    return { bytes: statSync(to).size, messages };
  } catch (error) {
    for (const rest of [partial, `${partial}-journal`]) rmSync(rest, { force: true });
    throw error;
  }
}

/** Also true for a link without a target. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function copy(from: string, to: string): void {
  const db = new DatabaseSync(from, { readOnly: true, timeout: BUSY_MS });
  try {
    db.prepare('vacuum into ?').run(to);
  } finally {
    db.close();
  }
}

/** The number of messages in it. */
function check(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const found = db.prepare('pragma integrity_check').all();
    const [first] = found;
    if (found.length !== 1 || first?.integrity_check !== 'ok') {
      throw new Error(`The copy is damaged: ${String(first?.integrity_check).split('\n', 1)[0]}`);
    }
    return Number(db.prepare("select count(*) as messages from messages where kind = 'message'").get()?.messages);
  } finally {
    db.close();
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
