import { type Postgres, startPostgres } from '../../tests/harness/postgres.ts';

/** The server's own settings for what a commit waits for; the tests, which measure nothing, switch both off. */
const SYNCED = ['fsync=on', 'full_page_writes=on'];

/** A PostgreSQL server whose commits wait for the disk, as that of a service does. */
export const startSyncedPostgres = (): Promise<Postgres> => startPostgres('newest', SYNCED);
