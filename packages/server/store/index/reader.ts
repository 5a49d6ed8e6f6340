import { statSync } from 'node:fs';
import { AppError } from '@mailroom/behavior/values/error';
import { firstIdAt } from '@mailroom/behavior/values/ids';
import type { Clause, Phrase } from '../../core/values/search-query.ts';
import { isDamage } from '../damage.ts';
import { type Db, params } from '../db.ts';
import { lexeme } from './postgres.ts';
import { firstNumberAt, indexFileOf, numberAt, removeIndex } from './sqlite.ts';

/** What the index is asked for, which each database writes in its own language. */
export type WordQuery = readonly Clause<Phrase>[];

/** Bounds of the time at which messages were made, in ms; `to` is exclusive. */
interface Times {
  readonly from?: number;
  readonly to?: number;
}

/** Finds the ids of messages by words. */
export interface IndexReader {
  /** Newest first, before the message `before`. */
  newest(query: WordQuery, bounds: Times & { readonly before: string | null }, max: number): Promise<readonly string[]>;
  /** Among the newest `max`, those first that say it most. */
  ranked(query: WordQuery, bounds: Times, max: number): Promise<readonly string[]>;
}

/** Newest documents that are looked at before the index of words is, first few and then more. */
const NEWEST_COUNTS = [1_000, 5_000];

const parts = (query: WordQuery) => ({
  wanted: query.filter(({ not }) => !not),
  unwanted: query.filter(({ not }) => not),
});

/** FTS5, "Full-text Query Syntax". */
function fts5(query: WordQuery): string {
  const { wanted, unwanted } = parts(query);
  const clause = ({ any }: WordQuery[number]): string =>
    `(${any.map(({ words, prefix }) => `"${words.join(' ')}"${prefix ? '*' : ''}`).join(' OR ')})`;
  const all = wanted.map(clause).join(' AND ');
  return unwanted.length === 0 ? all : `(${all}) NOT (${unwanted.map(clause).join(' OR ')})`;
}

/** PostgreSQL, "tsquery". */
function tsquery(query: WordQuery): string {
  return query
    .map(({ not, any }) => {
      const alternatives = any.map(({ words, prefix }) => {
        const all = words.map(lexeme);
        return `(${all.map((word, at) => (prefix && at === all.length - 1 ? `${word}:*` : word)).join(' <-> ')})`;
      });
      return `${not ? '!' : ''}(${alternatives.join(' | ')})`;
    })
    .join(' & ');
}

/** The index beside a SQLite file, over a connection to that file. AppError `unavailable` while there is none. */
export function sqliteIndex(read: Db['read'], path: string): IndexReader {
  const file = indexFileOf(path);
  let inode: number | undefined;
  /** The index may have been replaced. */
  const attach = async (): Promise<void> => {
    const there = statSync(file, { throwIfNoEntry: false })?.ino;
    if (there === undefined) throw new AppError('unavailable', 'The index of messages is being built.');
    if (there === inode) return;
    if (inode !== undefined) await read('detach database search', []);
    inode = undefined;
    await read('attach database $1 as search', [file]);
    inode = there;
  };
  const select = (rank: string, query: WordQuery, times: Times, before: string | null, max: number) => {
    const { values, p } = params();
    const where = [`w.words match ${p(fts5(query))}`];
    if (before !== null)
      where.push(
        `w.rowid < coalesce((select number from search.documents where id = ${p(before)}), ${p(numberAt(before))})`,
      );
    if (times.from !== undefined) where.push(`w.rowid >= ${p(firstNumberAt(times.from))}`);
    if (times.to !== undefined) where.push(`w.rowid < ${p(firstNumberAt(times.to))}`);
    const sql = `select d.id${rank} from search.words w join search.documents d on d.number = w.rowid
      where ${where.join(' and ')} order by w.rowid desc limit ${p(max)}`;
    return read(sql, values).catch((error: unknown) => {
      if (!(error instanceof AppError) || !isDamage(error.cause)) throw error;
      // Only the index is read here, and its writer begins another one.
      removeIndex(path);
      throw new AppError('unavailable', 'The index of messages was damaged, and is being built again.', {
        cause: error,
      });
    });
  };
  return {
    async newest(query, { before, ...times }, max) {
      await attach();
      return (await select('', query, times, before, max)).map(({ id }) => id as string);
    },
    async ranked(query, times, max) {
      await attach();
      const rows = await select(', bm25(w.words) as rank', query, times, null, max);
      return rows.toSorted((one, other) => (one.rank as number) - (other.rank as number)).map(({ id }) => id as string);
    },
  };
}

/** The index in PostgreSQL, over a connection to it. */
export function postgresIndex(read: Db['read']): IndexReader {
  /** Documents within the bounds; `fits` is whether a document has the words. */
  const within = (query: WordQuery, times: Times, before: string | null) => {
    const { values, p } = params();
    const fits = `words @@ ${p(tsquery(query))}::tsquery`;
    const bounds: string[] = [];
    if (before !== null) bounds.push(`id < ${p(before)}`);
    if (times.from !== undefined) bounds.push(`id >= ${p(firstIdAt('msg', times.from))}`);
    if (times.to !== undefined) bounds.push(`id < ${p(firstIdAt('msg', times.to))}`);
    return { values, p, fits, bounds: bounds.length === 0 ? 'true' : bounds.join(' and ') };
  };
  const idsOf = async (sql: string, values: Parameters<Db['read']>[1]): Promise<string[]> =>
    (await read(sql, values)).map(({ id }) => id as string);
  return {
    async newest(query, { before, ...times }, max) {
      const { values, p, fits, bounds } = within(query, times, before);
      const limit = p(max);
      // An index of words has no order: frequent words are found sooner in the newest documents themselves.
      for (const count of NEWEST_COUNTS) {
        const near = await idsOf(
          `select id from (select id, words from search_documents where ${bounds} order by id desc limit ${count}) newest
           where ${fits} order by id desc limit ${limit}`,
          values,
        );
        if (near.length === max) return near;
      }
      return idsOf(
        `with found as materialized (select id from search_documents where ${fits} and ${bounds})
         select id from found order by id desc limit ${limit}`,
        values,
      );
    },
    async ranked(query, times, max) {
      const { values, p, fits, bounds } = within(query, times, null);
      return idsOf(
        `select id from (
           select id, words from search_documents where ${fits} and ${bounds} order by id desc limit ${p(max)}
         ) newest order by ts_rank(words, $1::tsquery, 1) desc, id desc`,
        values,
      );
    },
  };
}
