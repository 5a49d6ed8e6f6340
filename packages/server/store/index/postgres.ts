import { clientConfig, Link } from '../postgres/connection.ts';
import type { Document, Exclusive, IndexState } from './indexing.ts';

/** Limits of a `tsvector` (PostgreSQL, "Limitations" of text search): positions, positions of a word, and bytes. */
const MAX_POSITION = 16_383;
const MAX_POSITIONS = 255;
const MAX_BYTES = 700_000;

/** Its own tables, which are made again from the messages whenever they are lost. */
const SCHEMA = [
  'create table if not exists search_documents (id text collate "C" primary key, words tsvector not null)',
  'create index if not exists search_words on search_documents using gin (words)',
  'create table if not exists search_state (id integer primary key, value text)',
  'insert into search_state (id, value) values (1, null) on conflict do nothing',
];

/** Opens the index in the database itself, to write it. */
export async function openIndex(url: string): Promise<{ readonly exclusive: Exclusive; readonly close: () => void }> {
  const link = new Link(clientConfig(url));
  const run = (text: string, values: readonly unknown[] = []) => link.query({ text, values: [...values] } as never);
  await run('begin');
  try {
    // Nodes that start at once would make the same table.
    await run("select pg_advisory_xact_lock(hashtext('mailroom search'))");
    for (const sql of SCHEMA) await run(sql);
    await run('commit');
  } catch (error) {
    await run('rollback');
    throw error;
  }
  const exclusive: Exclusive = async (act) => {
    await run('begin');
    try {
      const [held] = await run('select value from search_state where id = 1 for update skip locked');
      if (held === undefined) {
        await run('rollback');
        return undefined;
      }
      const result = await act({
        read: (sql, values) => run(sql, values),
        ordered: false,
        state: held.value === null ? undefined : (JSON.parse(held.value as string) as IndexState),
        async put(documents) {
          if (documents.length === 0) return;
          const rows = documents.map(({ id, words }) => [id, vectorOf(words)]);
          await run(
            `insert into search_documents (id, words)
             select value ->> 0, (value ->> 1)::tsvector from json_array_elements($1::json)
             on conflict (id) do update set words = excluded.words`,
            [JSON.stringify(rows)],
          );
        },
        async drop(ids) {
          if (ids.length > 0) await run('delete from search_documents where id = any($1)', [ids]);
        },
        // Its vacuum does.
        erase() {},
        async idsBetween(after, to) {
          const rows = await run('select id from search_documents where id > $1 and id <= $2', [after, to]);
          return rows.map(({ id }) => id as string);
        },
        async clear() {
          await run('truncate search_documents');
        },
        async save(state) {
          await run('update search_state set value = $1 where id = 1', [JSON.stringify(state)]);
          await run('delete from index_changes where seq <= $1', [state.changes.seq]);
        },
      });
      await run('commit');
      return result;
    } catch (error) {
      await run('rollback').catch(() => {});
      throw error;
    }
  };
  return { exclusive, close: () => void link[Symbol.asyncDispose]() };
}

/** A word or more as a literal of `tsvector` and `tsquery`. */
export const lexeme = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

function vectorOf(words: Document['words']): string {
  const places = new Map<string, number[]>();
  let bytes = 0;
  for (const [at, word] of words.split(' ').entries()) {
    const known = places.get(word);
    bytes += known === undefined ? Buffer.byteLength(word) + 8 : 2;
    if (bytes > MAX_BYTES) break;
    const place = Math.min(at + 1, MAX_POSITION);
    if (known === undefined) places.set(word, [place]);
    else if (known.length < MAX_POSITIONS && known.at(-1) !== place) known.push(place);
  }
  return [...places].map(([word, all]) => `${lexeme(word)}:${all.join(',')}`).join(' ');
}
