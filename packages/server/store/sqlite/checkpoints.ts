import type { DatabaseSync } from 'node:sqlite';

/**
 * Commits between checkpoints; each writes some thirty pages to the log. Few, because the next commit waits until all of
 * them are moved; with fewer still, the same pages are moved too often.
 */
const COMMITS = 16;
/** Bytes of long texts and files from which a checkpoint comes earlier, as the next commit waits for all of them. */
const MAX_BYTES = 2 * 1024 * 1024;
/** Pages in the log from which a commit itself checkpoints, should a few commits have written that much. */
export const MAX_LOG_PAGES = 4_000;

/**
 * Moves the log into the database now and then. SQLite's own checkpoint is part of a commit: its callers wait for some
 * hundred pages and two more syncs, although they are durable already. This one begins when they are answered.
 */
export class Checkpoints {
  readonly #db: DatabaseSync;
  #commits = 0;
  #bytes = 0;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** A batch of so many bytes was committed and answered. */
  committed(bytes: number): void {
    this.#commits += 1;
    this.#bytes += bytes;
    if (this.#commits < COMMITS && this.#bytes < MAX_BYTES) return;
    this.#commits = 0;
    this.#bytes = 0;
    try {
      this.#db.exec('pragma wal_checkpoint(passive)');
    } catch {
      // The log keeps what could not be moved, such as on a full disk, and the next checkpoint tries again.
    }
  }
}
