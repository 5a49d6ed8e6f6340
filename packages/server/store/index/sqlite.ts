import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { DAY } from '@mailroom/behavior/values/clock';
import { firstIdAt, madeAt } from '@mailroom/behavior/values/ids';
import { isDamage } from '../damage.ts';
import { allRows, BUSY_MS, statements } from '../sqlite/connection.ts';
import { openReader } from '../sqlite/reader.ts';
import type { Exclusive, IndexState } from './indexing.ts';

/** The file of the index beside that of the database. */
export const indexFileOf = (path: string): string => `${path}.search`;

/** 2020-01-01, from which the time in a document's number is counted; with it the number stays below 2^53 until 2089. */
const EPOCH = 1_577_836_800_000;
/** Documents of a millisecond; more are numbered into the next. */
const PER_MS = 4_096;

/** The first number of the documents of that time: newer ones have higher numbers. */
export const numberAt = (id: string): number => (madeAt(id) - EPOCH) * PER_MS;
export const firstNumberAt = (time: number): number => numberAt(firstIdAt('msg', time));

/** `words` finds numbers; `documents` has what they stand for, and the words that are taken out with one, deflated. */
const SCHEMA = `
  create table if not exists state (id integer primary key, value text not null);
  create table if not exists documents (number integer primary key, id text not null unique, words blob not null);
  create virtual table if not exists words using fts5(text, content='', tokenize='ascii');
  insert into words (words, rank) values ('secure-delete', 1);`;

/**
 * Opens the index beside a database, to write it. One that is removed or damaged meanwhile is begun again. Words of what is
 * deleted are overwritten in the file (FTS5, "The 'secure-delete' Configuration Option").
 */
export function openIndex(path: string): { readonly exclusive: Exclusive; readonly close: () => void } {
  const file = indexFileOf(path);
  const read = openReader(path);
  const open = () => {
    const db = connect(file);
    try {
      db.exec(SCHEMA);
      return { db, exclusive: exclusively(db, read), inode: statSync(file).ino };
    } catch (error) {
      db.close();
      throw error;
    }
  };
  const again = () => {
    removeIndex(path);
    return open();
  };
  let index: ReturnType<typeof open>;
  try {
    index = open();
  } catch (error) {
    if (!isDamage(error)) throw error;
    index = again();
  }
  const exclusive: Exclusive = async (act) => {
    if (statSync(file, { throwIfNoEntry: false })?.ino !== index.inode) {
      index.db.close();
      index = open();
    }
    try {
      return await index.exclusive(act);
    } catch (error) {
      if (!isDamage(error)) throw error;
      index.db.close();
      index = again();
      return index.exclusive(act);
    }
  };
  return { exclusive, close: () => index.db.close() };
}

/** Removes the index, which can be made again. */
export function removeIndex(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(indexFileOf(path) + end, { force: true });
}

function connect(file: string): DatabaseSync {
  // Readable only for this user, as the database is, whatever the umask.
  closeSync(openSync(file, 'a', 0o600));
  const db = new DatabaseSync(file, { timeout: BUSY_MS });
  db.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on; pragma temp_store = memory;',
  );
  db.exec('pragma cache_size = -32000; pragma journal_size_limit = 16777216;');
  return db;
}

/** Bytes of an index that is rewritten in less than a second, which is done soon after a deletion; a larger one once a day. */
const SMALL = 64 * 1024 * 1024;
const SOON_MS = 2_000;
/** A small one is rewritten for at most a twentieth of the time. */
const SHARE = 20;
const sizeOf = (db: DatabaseSync): number =>
  Number(db.prepare('pragma page_count').get()?.page_count) * Number(db.prepare('pragma page_size').get()?.page_size);

function exclusively(db: DatabaseSync, read: ReturnType<typeof openReader>): Exclusive {
  const prepare = statements(db);
  /** Whether the log of the file still has words of what was dropped. */
  let inLog = false;
  /** Whether words that were dropped may still stand between the pages of the index, and when it may be rewritten. */
  let [between, rewriteAt] = [false, 0];
  /** Whether this step takes out words. */
  let isReplaced = false;
  const indexed = (id: string): { readonly number: number; readonly words: string } | undefined => {
    const found = prepare('select number, words from documents where id = ?').get(id);
    return found && { number: found.number as number, words: inflateRawSync(found.words as Uint8Array).toString() };
  };
  const take = (document: ReturnType<typeof indexed>): void => {
    if (document === undefined) return;
    isReplaced = true;
    const { number, words } = document;
    prepare("insert into words (words, rowid, text) values ('delete', ?, ?)").run(number, words);
    prepare('delete from documents where number = ?').run(number);
  };
  const numberFor = (id: string): number => {
    const first = numberAt(id);
    const [row] = allRows(prepare('select max(number) as last from documents where number >= ? and number < ?'), [
      first,
      first + PER_MS,
    ]);
    let number = ((row?.last as number | null | undefined) ?? first - 1) + 1;
    while (prepare('select 1 from documents where number = ?').get(number) !== undefined) number++;
    return number;
  };
  return async (act) => {
    isReplaced = false;
    db.exec('begin immediate');
    try {
      const kept = prepare('select value from state where id = 1').get();
      const result = await act({
        read,
        ordered: true,
        state: kept === undefined ? undefined : (JSON.parse(kept.value as string) as IndexState),
        async put(documents) {
          for (const { id, words } of documents) {
            const document = indexed(id);
            // Most changes of a message are not of its words.
            if (document?.words === words) continue;
            take(document);
            const number = numberFor(id);
            const kept = deflateRawSync(words, { level: 1 });
            prepare('insert into documents (number, id, words) values (?, ?, ?)').run(number, id, kept);
            prepare('insert into words (rowid, text) values (?, ?)').run(number, words);
          }
        },
        async drop(ids) {
          for (const id of ids) take(indexed(id));
        },
        erase() {
          if (isReplaced) [inLog, between] = [true, true];
        },
        async idsBetween(after, to) {
          const rows = allRows(prepare('select id from documents where id > ? and id <= ?'), [after, to]);
          return rows.map(({ id }) => id as string);
        },
        async clear() {
          db.exec("delete from documents; insert into words (words) values ('delete-all');");
        },
        async save(state) {
          prepare('insert or replace into state (id, value) values (1, ?)').run(JSON.stringify(state));
        },
      });
      db.exec('commit');
      const from = Date.now();
      if (between && from > rewriteAt) {
        // FTS5 keeps the first word of each page apart, where a deletion leaves it.
        db.exec("insert into words (words) values ('optimize')");
        const took = Date.now() - from;
        [inLog, between] = [true, false];
        rewriteAt = from + (sizeOf(db) < SMALL ? SOON_MS + SHARE * took : DAY);
      }
      // While the log is read it stays, and is tried again.
      if (inLog) inLog = db.prepare('pragma wal_checkpoint(truncate)').get()?.busy !== 0;
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('rollback');
      throw error;
    }
  };
}
