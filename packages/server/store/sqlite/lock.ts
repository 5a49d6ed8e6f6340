import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export class InUseError extends Error {}

/**
 * Holds the file for this process with an exclusive lock on a tiny database beside it, which the system releases when the
 * process ends in any way. InUseError when another process holds it.
 */
export function lock(path: string): Disposable {
  const beside = `${path}-lock`;
  const db = new DatabaseSync(beside, { timeout: 0 });
  try {
    chmodSync(beside, 0o600);
    db.exec('begin exclusive');
  } catch (error) {
    db.close();
    const { errcode } = error as { readonly errcode?: number };
    if (errcode !== SQLITE_BUSY) throw error;
    throw new InUseError(`${path} is in use by another process: one process at a time may serve a SQLite file`, {
      cause: error,
    });
  }
  return { [Symbol.dispose]: () => db.close() };
}

const SQLITE_BUSY = 5;
