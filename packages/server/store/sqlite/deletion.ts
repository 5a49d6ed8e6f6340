import type { DatabaseSync } from 'node:sqlite';
import { DAY, HOUR, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { COMPACTION, compact, compactionOf, contentOf, setCompaction, truncateLog } from './compact.ts';

/** When to remove what the previous process may have left in the files, after the start. */
const START_MS = 10 * SECOND;
/** How often to look whether another process deleted something, or requested a compaction. */
const LOOK_MS = SECOND;
/** Pauses before the log is tried again: a look-up reads it for milliseconds, a backup for minutes. */
const BUSY_MS = 10;
const BUSY_MAX_MS = SECOND;
const FAILED_RETRY_MS = 60 * SECOND;

/** A compaction that is expected to take longer waits for its hour, because writes wait for it. */
const SHORT_MS = SECOND;
/** Bytes of content per ms that are expected of the first one; later the last one says. */
const FIRST_RATE = (64 * 1024 * 1024) / 1000;
/** A shorter one says nothing about the rate. */
const MEASURED_MS = 200;
/** Maximum part of all time that is spent on short ones, however much is deleted. */
const SHARE = 1 / 20;
/**
 * Since all writes wait for it, a short one begins when nothing was written for so long, and for its own time divided by
 * `SHARE`; at the latest after an hour.
 */
const QUIET_MS = SECOND;
const LATEST_MS = HOUR;
/** Minimum time between two long ones. */
const LONG_PAUSE_MS = 20 * HOUR;

export interface Compaction {
  readonly ms: Millis;
  /** Size of the file in bytes, before and after. */
  readonly before?: number;
  readonly after?: number;
  /** Why it was not done; it is retried. */
  readonly error?: string;
}

export interface DeletionOptions {
  readonly path: string;
  /** The writer's connection. */
  readonly db: DatabaseSync;
  /** The hour (UTC) for compactions that take long; undefined: none. */
  readonly compactHour: number | undefined;
  readonly onCompacted: (compaction: Compaction) => void;
  readonly shortMs?: Millis;
}

/**
 * Removes what deleted rows leave in the files. SQLite overwrites a deleted row in place (`secure_delete`), but two copies
 * may remain. The log holds earlier versions of pages, so it is checkpointed and truncated soon. And when rows grow or are
 * deleted, SQLite moves others between pages and leaves their bytes in unallocated space, where a later deletion does not
 * find them (measured: some rows in a thousand); only a compaction removes those.
 */
export class Deletion {
  readonly #options: DeletionOptions;
  /** When it looks next what is to be done. */
  #due: Millis | undefined;
  /** When the log is to be emptied. */
  #logAt: Millis | undefined;
  /** The first deletion that no compaction followed. */
  #deletedAt: Millis | undefined;
  #wroteAt: Millis = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  readonly #look: NodeJS.Timeout;
  #busy = 0;
  #rate = FIRST_RATE;
  #notBefore: Millis = 0;
  #longNotBefore: Millis = 0;
  /** The file was compacted, and its log not yet truncated. */
  #compacted = false;
  #deletedSince = false;

  constructor(options: DeletionOptions) {
    this.#options = options;
    this.#planLog(START_MS);
    this.#look = setInterval(() => this.#lookForRequest(), LOOK_MS);
  }

  /** Something was deleted in the open transaction, and its content is to begin to leave the files after `after` ms. */
  deleted(after: Millis): void {
    markDeleted(this.#options.db);
    this.#deletedSince = true;
    this.#deletedAt ??= performance.now();
    this.#planLog(after);
  }

  /** A batch was committed. */
  wrote(): void {
    this.#wroteAt = performance.now();
  }

  /** Call before the connection is closed. */
  stop(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#look);
  }

  #planLog(after: Millis): void {
    this.#logAt = Math.min(this.#logAt ?? Infinity, performance.now() + after);
    this.#plan(this.#logAt);
  }

  #plan(at: Millis): void {
    if (this.#due !== undefined && this.#due <= at) return;
    this.#due = at;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#run(), Math.max(0, at - performance.now()));
  }

  #lookForRequest(): void {
    const state = compactionOf(this.#options.db);
    if (state === COMPACTION.requested) this.#planLog(0);
    else if (state !== COMPACTION.none && this.#due === undefined) this.#planLog(START_MS);
  }

  #run(): void {
    this.#due = undefined;
    try {
      if (this.#logAt !== undefined && this.#logAt <= performance.now()) {
        this.#logAt = undefined;
        if (!this.#emptyLog()) return;
        if (this.#compacted) this.#finish();
      }
      const wait = this.#waitOf(compactionOf(this.#options.db));
      if (wait === 0) this.#compact();
      else if (wait !== undefined) this.#plan(performance.now() + wait);
      if (this.#logAt !== undefined) this.#plan(this.#logAt);
    } catch {
      // Such as a disk that cannot be written at the moment.
      this.#planLog(FAILED_RETRY_MS);
    }
  }

  /** False while another connection reads the log; then it is planned again. */
  #emptyLog(): boolean {
    const { db } = this.#options;
    // Writes wait meanwhile, so it does not wait for readers.
    const waits = db.prepare('pragma busy_timeout').get()?.timeout;
    db.exec('pragma busy_timeout = 0');
    try {
      if (truncateLog(db)) {
        this.#busy = 0;
        return true;
      }
    } finally {
      db.exec(`pragma busy_timeout = ${waits}`);
    }
    this.#planLog(Math.min(BUSY_MAX_MS, BUSY_MS * 2 ** this.#busy++));
    return false;
  }

  /** How long a compaction has to wait; undefined when none is due, or the operator does it. */
  #waitOf(state: number): Millis | undefined {
    if (state === COMPACTION.none) return undefined;
    if (state === COMPACTION.requested) return 0;
    const { db, compactHour, shortMs = SHORT_MS } = this.#options;
    const now = performance.now();
    const expected = contentOf(db) / this.#rate;
    if (expected <= shortMs) {
      this.#deletedAt ??= now;
      const quiet = this.#wroteAt + Math.max(QUIET_MS, expected / SHARE);
      return Math.max(0, this.#notBefore - now, Math.min(quiet, this.#deletedAt + LATEST_MS) - now);
    }
    if (compactHour === undefined) return undefined;
    const wait = untilHour(compactHour, Date.now());
    // The size may have changed within the hour, and the clock of the system may be set.
    return Math.min(HOUR, Math.max(wait, this.#longNotBefore - now));
  }

  /** Tells who requested it, too. */
  #finish(): void {
    this.#compacted = false;
    setCompaction(this.#options.db, this.#deletedSince ? COMPACTION.due : COMPACTION.none);
  }

  #compact(): void {
    const { db, path, onCompacted } = this.#options;
    const requested = compactionOf(db) === COMPACTION.requested;
    const content = contentOf(db);
    const from = performance.now();
    try {
      const sizes = compact(path);
      const ms = performance.now() - from;
      if (ms > MEASURED_MS) this.#rate = content / ms;
      this.#notBefore = performance.now() + ms / SHARE;
      if (ms > SHORT_MS) this.#longNotBefore = performance.now() + LONG_PAUSE_MS;
      this.#compacted = true;
      this.#deletedSince = false;
      this.#deletedAt = undefined;
      onCompacted({ ms, ...sizes });
      this.#planLog(0);
    } catch (error) {
      const ms = performance.now() - from;
      onCompacted({ ms, error: error instanceof Error ? error.message : String(error) });
      if (requested) setCompaction(db, COMPACTION.failed);
      this.#planLog(FAILED_RETRY_MS);
    }
  }
}

/** Notes in the open transaction that content was deleted, so that a compaction follows. */
export function markDeleted(db: DatabaseSync): void {
  if (compactionOf(db) === COMPACTION.none) setCompaction(db, COMPACTION.due);
}

/** Milliseconds until the next beginning of this hour (UTC); 0 within it. */
export function untilHour(hour: number, now: Millis): Millis {
  const since = (now - hour * HOUR) % DAY;
  return since < HOUR ? 0 : DAY - since;
}
