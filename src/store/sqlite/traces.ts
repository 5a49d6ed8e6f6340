import { closeSync, fdatasync, fstatSync, openSync, read, readSync, statSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Millis } from '../../core/values/clock.ts';
import { SECOND } from '../../core/values/clock.ts';

/** Bytes of the file that are read at a time, which takes less than a millisecond. */
const SLICE = 1024 * 1024;
/** The pause after each read, as a multiple of its time, so that a large file does not keep the disk busy. */
const IDLE = 3;
/** Maximum number of pages cleared at a time, because writes wait meanwhile. */
const MAX_CLEAR = 1000;
/** Pause before a retry when a look-up reads the log, which ends soon. */
const BUSY_MS = 10;
const BUSY_TRIES = 50;
/** Pause before a retry when a backup reads the log, which takes long. */
const BUSY_RETRY_MS = SECOND;
const FAILED_RETRY_MS = 60 * SECOND;
/** Maximum part of all time that is spent on it, however much is deleted. */
const SHARE = 1 / 10;

/** The kinds of b-tree pages (SQLite file format, section 1.6). */
const INTERIOR = new Set([2, 5]);
const LEAF = new Set([10, 13]);
/**
 * In smaller files only b-tree pages begin with the byte of their kind: other pages begin with the highest byte of a page
 * number. Files from 128 GiB on are left as they are.
 */
const MAX_PAGES = 0x0200_0000;
const FILE_HEADER = 100;

class Busy extends Error {}

export interface Erased {
  /** The number of cleared pages. */
  readonly pages: number;
  readonly ms: number;
  /** Why it was not done; it is retried. */
  readonly error?: string;
}

/** The writer's connection, and how to replace it with one that has no cached pages. */
export interface Connection {
  readonly db: DatabaseSync;
  renew(): void;
}

/**
 * Removes what deleted rows leave in the files, some time after their deletion. SQLite overwrites a deleted row in place
 * (`secure_delete`), but two copies remain. The log holds earlier versions of pages, so it is checkpointed and truncated.
 * And SQLite moves rows between pages when others grow or are deleted, leaving their bytes in unallocated space
 * (measured: some rows in a thousand). That space is filled with zeros in the file itself, under the write lock and while
 * the log is empty; then the writer's connection is replaced, because its cached pages would write the bytes back.
 */
export class Traces {
  readonly #path: string;
  readonly #connection: Connection;
  readonly #onErased: (erased: Erased) => void;
  #file: number | undefined;
  #due: Millis | undefined;
  #notBefore: Millis = 0;
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  #stopped = false;

  constructor(path: string, connection: Connection, onErased: (erased: Erased) => void) {
    this.#path = path;
    this.#connection = connection;
    this.#onErased = onErased;
  }

  /** Something was deleted whose content is to leave the files after `after` ms. */
  erase(after: Millis): void {
    const at = performance.now() + after;
    if (this.#due !== undefined && this.#due <= at) return;
    this.#due = at;
    this.#schedule();
  }

  /** Call when the writer's connection is closed. */
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
    // Later deletions request their own pass.
    this.#due = undefined;
    const from = performance.now();
    try {
      const pages = await this.#erase();
      const ms = performance.now() - from;
      this.#notBefore = performance.now() + ms / SHARE;
      if (!this.#stopped) this.#onErased({ pages, ms });
    } catch (error) {
      if (!(error instanceof Busy) && !this.#stopped) {
        const ms = performance.now() - from;
        this.#onErased({ pages: 0, ms, error: error instanceof Error ? error.message : String(error) });
      }
      this.erase(error instanceof Busy ? BUSY_RETRY_MS : FAILED_RETRY_MS);
    } finally {
      this.#running = false;
      this.#schedule();
    }
  }

  async #erase(): Promise<number> {
    await this.#patiently(() => this.#emptyLog());
    // Opened once and kept open: closing any descriptor of the file releases the process's SQLite locks on it (fcntl(2),
    // "Record locks").
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

  /** Throws `Busy` while another connection reads the log. */
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

  /** The numbers, from 0, of the pages with content in their unallocated space. */
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

  /** Throws `Busy` when another process uses the file. */
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
        // Checked again: the page may have changed since, or no longer be a page of a b-tree.
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

/** Begin and end of the unallocated space of a page; an empty range for a page without any. */
function unallocated(page: Buffer, number: number): readonly [begin: number, end: number] {
  const header = number === 0 ? FILE_HEADER : 0;
  const kind = page[header] as number;
  if (!INTERIOR.has(kind) && !LEAF.has(kind)) return [0, 0];
  const cells = page.readUInt16BE(header + 3);
  const begin = header + (LEAF.has(kind) ? 8 : 12) + 2 * cells;
  const end = page.readUInt16BE(header + 5);
  return begin < end && end <= page.length ? [begin, end] : [0, 0];
}
