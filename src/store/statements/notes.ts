import type { Note } from '../../core/note.ts';
import type { Notes } from '../../core/store.ts';
import type { Db, Row } from '../db.ts';
import { containing } from '../db.ts';

const OF = 'from notes where mailbox_id = $1 and owner = $2';
const GET = `select name, body, updated_at ${OF} and name = $3`;
const FIND = `
  select name, body, updated_at ${OF} and (lower(name) like $3 escape '\\' or lower(body) like $3 escape '\\')
  order by name limit $4`;
const COUNT = `select count(*) as count ${OF}`;

const noteFrom = (row: Row): Note => ({
  name: row.name as string,
  text: row.body as string,
  updated_at: row.updated_at as number,
});

/** They are written by `effectSteps`. */
export function makeNotes(db: Db): Notes {
  return {
    async get({ mailbox_id, owner }, name) {
      const [row] = await db.read(GET, [mailbox_id, owner, name]);
      return row && noteFrom(row);
    },
    async find({ mailbox_id, owner }, query, most) {
      return (await db.read(FIND, [mailbox_id, owner, containing(query), most])).map(noteFrom);
    },
    async count({ mailbox_id, owner }) {
      const [row] = await db.read(COUNT, [mailbox_id, owner]);
      return row?.count as number;
    },
  };
}
