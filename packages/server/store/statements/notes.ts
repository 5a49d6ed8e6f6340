import type { Note } from '@mailroom/behavior/note';
import type { Notes } from '../../core/ports/notes.ts';
import { type Db, params, type Row } from '../db.ts';
import type { Searches } from '../search/searches.ts';

const OF = 'from notes where mailbox_id = $1 and owner = $2';
const GET = `select name, body, updated_at ${OF} and name = $3`;
const ALL = `select name, body, updated_at ${OF} order by name limit $3`;
const COUNT = `select count(*) as count ${OF}`;

const noteFrom = (row: Row): Note => ({
  name: row.name as string,
  text: row.body as string,
  updated_at: row.updated_at as number,
});

/** Reads notes; `effectSteps` writes them. */
export function makeNotes(db: Db, searches: Searches): Notes {
  return {
    async get({ mailbox_id, owner }, name) {
      const [row] = await db.read(GET, [mailbox_id, owner, name]);
      return row && noteFrom(row);
    },
    async find(notebook, query, max, caller = { id: `${notebook.mailbox_id} ${notebook.owner}` }) {
      if (query === '') return (await db.read(ALL, [notebook.mailbox_id, notebook.owner, max])).map(noteFrom);
      const { found } = await searches.run(
        query,
        (place, left) => ({ kind: 'notes', of: notebook, query, after: place ?? '', max: left }),
        { max },
        caller,
      );
      if (found.length === 0) return [];
      const { values, p } = params();
      const which = `${p(notebook.mailbox_id)} and owner = ${p(notebook.owner)} and name in (${found.map(p).join(', ')})`;
      const sql = `select name, body, updated_at from notes where mailbox_id = ${which} order by name`;
      return (await db.read(sql, values)).map(noteFrom);
    },
    async count({ mailbox_id, owner }) {
      const [row] = await db.read(COUNT, [mailbox_id, owner]);
      return row?.count as number;
    },
  };
}
