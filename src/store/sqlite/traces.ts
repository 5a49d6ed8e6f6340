import { closeSync, fdatasync, fstatSync, openSync, read, readSync, statSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Millis } from '../../core/values/clock.ts';
import { SECOND } from '../../core/values/clock.ts';

/** Bytes of the file that are looked at in one go, which takes less than a millisecond. */
const SLICE = 1024 * 1024;
/** The file is read in a quarter of the time, so that a large one does not keep the disk from others. */
const IDLE = 3;
/** Pages that are cleared while writes wait. */
const MAX_CLEAR = 1000;
/** Somebody reads the log: a look-up, which is soon over, */
const BUSY_MS = 10;
const BUSY_TRIES = 50;
/** or a backup, which takes long. */
const BUSY_RETRY_MS = SECOND;
const FAILED_RETRY_MS = 60 * SECOND;
/** Of all the time at most this part is spent on it, however much is deleted. */
const SHARE = 1 / 10;

/** The kinds of b-tree pages (SQLite file format, section 1.6). */
const INTERIOR = new Set([2, 5]);
const LEAF = new Set([10, 13]);
/**
 * In smaller files no page but one of a b-tree begins with the byte of its kind: the others begin with the highest byte of
 * a page number. Larger ones, of 128 GiB and more, are left as they are.
 */
const MAX_PAGES = 0x0200_0000;
const FILE_HEADER = 100;

class Busy extends Error {}

export interface Erased {
  /** Pages that were cleared. */
  readonly pages: number;
  readonly ms: number;
  /** Why it was not done; it is tried again. */
  readonly error?: string;
}

/** The writer's connection, and another in its place that has no page in memory. */
export interface Connection {
  readonly db: DatabaseSync;
  renew(): void;
}

/**
 * Removes what deleted rows leave in the files, some time after they were deleted.
 *
 * SQLite overwrites a deleted row where it stands (`secure_delete`). Two things remain. The log holds the pages as they
 * were: it is emptied into the file and cut to nothing. And when rows grow or go, SQLite moves others from page to page and
 * leaves their bytes in the page's unallocated space, from where they go with no row; by measure it is some rows in a
 * thousand. That space means nothing to SQLite, so it is filled with zeros, in the file itself: under the write lock, while
 * the log is empty and the file thus the whole truth; afterwards the writer's connection is made anew, since the pages it
 * remembers would bring the bytes back.
 */
export class Traces {
  readonly #path: string;
  readonly #connection: Connection;
  readonly #tell: (erased: Erased) => void;
  #file: number | undefined;
  #due: Millis | undefined;
  #notBefore: Millis = 0;
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  #stopped = false;

  constructor(path: string, connection: Connection, tell: (erased: Erased) => void) {
    this.#path = path;
    this.#connection = connection;
    this.#tell = tell;
  }

  /** Something was deleted that is to leave the files so many milliseconds from now. */
  erase(after: Millis): void {
    const at = performance.now() + after;
    if (this.#due !== undefined && this.#due <= at) return;
    this.#due = at;
    this.#schedule();
  }

  /** To be called when the writer's connection is closed. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #schedule(): void {
    if (this.#running || this.#stopped || this.#due === undefined) return;
    clearTimeout(this.#timer);
    const wait = Math.max(this.#due, this.#notBefore) - performance.now();
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, wait));
  }

  async #run(): Promise<void> {
    this.#running = true;
    // What is deleted from here on asks for itself.
    this.#due = undefined;
    const from = performance.now();
    try {
      const pages = await this.#erase();
      const ms = performance.now() - from;
      this.#notBefore = performance.now() + ms / SHARE;
      if (!this.#stopped) this.#tell({ pages, ms });
    } catch (error) {
      if (!(error instanceof Busy) && !this.#stopped) {
        const ms = performance.now() - from;
        this.#tell({ pages: 0, ms, error: error instanceof Error ? error.message : String(error) });
      }
      this.erase(error instanceof Busy ? BUSY_RETRY_MS : FAILED_RETRY_MS);
    } finally {
      this.#running = false;
      this.#schedule();
    }
  }

  async #erase(): Promise<number> {
    await this.#patiently(() => this.#emptyLog());
    // Opened once, and not closed before the end: to close it takes the locks of SQLite off the file, those of the whole
    // process (fcntl(2), "Record locks").
    this.#file ??= openSync(this.#path, 'r+');
    const file = this.#file;
    const found = await this.#marked(file);
    for (let at = 0; at < found.length && !this.#stopped; at += MAX_CLEAR) {
      await this.#patiently(() => this.#clear(file, found.slice(at, at + MAX_CLEAR)));
      if (!this.#stopped) await promisify(fdatasync)(file);
    }
    return found.length;
  }

  async #patiently(act: () => void): Promise<void> {
    for (let tries = 1; !this.#stopped; tries++) {
      try {
        return act();
      } catch (error) {
        if (!(error instanceof Busy) || tries >= BUSY_TRIES) throw error;
        await pause(BUSY_MS);
      }
    }
  }

  /** Throws `Busy` while somebody reads what is in the log. */
  #emptyLog(): void {
    const { db } = this.#connection;
    // Writes wait meanwhile, so it does not wait for readers.
    const waits = db.prepare('pragma busy_timeout').get()?.timeout;
    db.exec('pragma busy_timeout = 0');
    try {
      if (db.prepare('pragma wal_checkpoint(truncate)').get()?.busy !== 0) throw new Busy('the log is in use');
    } finally {
      db.exec(`pragma busy_timeout = ${waits}`);
    }
  }

  /** The numbers, from 0, of the pages that hold something in their unallocated space. */
  async #marked(file: number): Promise<number[]> {
    const size = pageSize(file);
    const count = Math.floor(fstatSync(file).size / size);
    const found: number[] = [];
    if (count >= MAX_PAGES) return found;
    const buffer = Buffer.alloc(SLICE);
    const zeros = Buffer.alloc(size);
    for (let at = 0; at < count * size && !this.#stopped; at += SLICE) {
      const { bytesRead } = await promisify(read)(file, buffer, 0, SLICE, at);
      const from = performance.now();
      for (let place = 0; place + size <= bytesRead; place += size) {
        const number = (at + place) / size;
        const page = buffer.subarray(place, place + size);
        const [begin, end] = unallocated(page, number);
        if (page.compare(zeros, 0, end - begin, begin, end) !== 0) found.push(number);
      }
      await pause((performance.now() - from) * IDLE);
    }
    return found;
  }

  /** Throws `Busy` when another process is at work on the file. */
  #clear(file: number, numbers: readonly number[]): void {
    this.#emptyLog();
    const { db } = this.#connection;
    const size = pageSize(file);
    const page = Buffer.alloc(size);
    const zeros = Buffer.alloc(size);
    db.exec('begin immediate');
    try {
      if (statSync(`${this.#path}-wal`).size > 0) throw new Busy('the log is not empty');
      for (const number of numbers) {
        if (readSync(file, page, 0, size, number * size) < size) continue;
        // Looked at again: it may have changed since, or be no page of a b-tree any more.
        const [begin, end] = unallocated(page, number);
        if (end > begin) writeSync(file, zeros, 0, end - begin, number * size + begin);
      }
    } finally {
      db.exec('rollback');
      this.#connection.renew();
    }
  }
}

/** In bytes (SQLite file format, section 1.3.2). */
function pageSize(file: number): number {
  const header = Buffer.alloc(FILE_HEADER);
  readSync(file, header, 0, FILE_HEADER, 0);
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}

/** Where the unallocated space of a page begins and ends; an empty range for a page that has none. */
function unallocated(page: Buffer, number: number): readonly [begin: number, end: number] {
  const header = number === 0 ? FILE_HEADER : 0;
  const kind = page[header] as number;
  if (!INTERIOR.has(kind) && !LEAF.has(kind)) return [0, 0];
  const cells = page.readUInt16BE(header + 3);
  const begin = header + (LEAF.has(kind) ? 8 : 12) + 2 * cells;
  const end = page.readUInt16BE(header + 5);
  return begin < end && end <= page.length ? [begin, end] : [0, 0];
}
