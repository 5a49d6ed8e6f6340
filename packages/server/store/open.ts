import type { Clock } from '@mailroom/behavior/values/clock';
import type { Store } from '../core/ports/store.ts';
import type { Patience } from './postgres/patience.ts';

/** SQLite, being a file, is not waited for. */
export interface OpenOptions extends Patience {
  /** Without it, that of the database's server, or with SQLite of this machine. */
  readonly clock?: Clock | undefined;
  /** The `BLOBS_URL` of object storage for the bytes of files; without it they are in the database. */
  readonly blobs?: string | undefined;
  /** A maintenance command that runs beside the service. */
  readonly alongside?: boolean;
  /** SQLite: the hour (UTC) for compactions that take long; without it they are left to `npm run compact`. */
  readonly compactHour?: number | undefined;
  /** Whether an index of messages is kept, which follows the writes on a thread of its own. */
  readonly index?: boolean;
  /** Called when writing has become impossible, so that the process should end. */
  readonly onFailure?: (error: Error) => void;
}

/**
 * Opens the store that a `DATABASE_URL` names; creates it if missing. Throws when it is a SQLite file that another
 * process serves, or a PostgreSQL server that cannot be reached within `wait_ms`.
 */
export async function openStore(url: string, { blobs, ...options }: OpenOptions = {}): Promise<Store> {
  // Only the code of the store in use is loaded.
  const objects = blobs === undefined ? undefined : (await import('./objects/s3.ts')).openS3(blobs);
  if (!url.startsWith('sqlite:')) {
    const { openPostgres } = await import('./postgres/store.ts');
    return openPostgres(url, { ...options, objects }).catch((error: NodeJS.ErrnoException) => {
      throw new Error(`DATABASE_URL cannot be opened: ${error.message || error.code}`, { cause: error });
    });
  }
  const { openSqlite } = await import('./sqlite/store.ts');
  return openSqlite(url.slice('sqlite:'.length), { ...options, objects });
}
