import type { State, States } from '../../core/ports/states.ts';
import { type Db, type Row, step, type WriteStep } from '../db.ts';
import { cellsOf, columnsOf, insertSql, parameterAfter, rowOf } from '../schema/table.ts';
import { states } from '../schema/tables.ts';

const COLUMNS = columnsOf(states);
const READ = `select ${COLUMNS} from states where kind = $1 and id = $2 and expires_at > $3`;
/** Replaces an expired row, whether or not it was swept. */
const PUT = `${insertSql(states)}
  on conflict (kind, id) do update set subject = excluded.subject, value = excluded.value, expires_at = excluded.expires_at
  where states.expires_at <= ${parameterAfter(states, 1)}
  returning id`;
const SET = `${insertSql(states)}
  on conflict (kind, id) do update set subject = excluded.subject, value = excluded.value, expires_at = excluded.expires_at`;
const SWAP = `
  update states set value = $4 where kind = $1 and id = $2 and value = $3 and expires_at > $5 returning id`;
const TAKE = `delete from states where kind = $1 and id = $2 and expires_at > $3 returning ${COLUMNS}`;
const PROLONG = 'update states set expires_at = $3 where kind = $1 and id = $2 and expires_at > $4 returning id';
const REMOVE = 'delete from states where kind = $1 and id = $2 returning id';
/** The concatenation makes SQLite use the index of subjects instead of scanning all rows of the kind. */
const OF_SUBJECT = "subject = $2 and kind || '' = $1";
const OF = `select ${COLUMNS} from states where ${OF_SUBJECT} and expires_at > $3
  order by expires_at desc, id limit 200`;
const TRIM = `
  delete from states where kind = $1 and subject = $2 and id in (
    select id from states where ${OF_SUBJECT} order by expires_at desc, id limit 1000 offset $3)`;
const REMOVE_OF = `delete from states where ${OF_SUBJECT} returning id`;
/** An expired row may be replaced meanwhile, so each is checked again. */
const SWEEP = `
  delete from states where expires_at <= $1
    and (kind, id) in (select kind, id from states where expires_at <= $1 limit 1000)
  returning id`;

/** Times in tokens of others may have fractions (RFC 7519, section 2), and the column has whole milliseconds. */
const cells = (state: State) => cellsOf(states, { ...state, expires_at: Math.ceil(state.expires_at) });

/** Writes a state in a transaction with others, replacing an existing one. */
export const setState = (state: State): WriteStep => step(SET, ...cells(state));

const stateFrom = (row: Row): State => rowOf(states, row);

/** Each write is one statement that checks again after waiting for a lock, so it needs no isolation from others. */
export function makeStates(db: Db): States {
  return {
    async put(state, now) {
      const [rows] = await db.write([step(PUT, ...cells(state), now)], 'beside');
      return rows?.length === 1;
    },
    async set(state) {
      await db.write([setState(state)], 'beside');
    },
    async swap(kind, id, from, to, now) {
      const [rows] = await db.write([step(SWAP, kind, id, from, to, now)], 'beside');
      return rows?.length === 1;
    },
    async take(kind, id, now) {
      const [rows] = await db.write([step(TAKE, kind, id, now)], 'beside');
      return rows?.[0] && stateFrom(rows[0]);
    },
    async get(kind, id, now) {
      const [row] = await db.read(READ, [kind, id, now]);
      return row && stateFrom(row);
    },
    async prolong(kind, id, until, now) {
      const [rows] = await db.write([step(PROLONG, kind, id, until, now)], 'beside');
      return rows?.length === 1;
    },
    async remove(kind, id) {
      const [rows] = await db.write([step(REMOVE, kind, id)], 'beside');
      return rows?.length === 1;
    },
    async of(kind, subject, now) {
      return (await db.read(OF, [kind, subject, now])).map(stateFrom);
    },
    async trim(kind, subject, max) {
      await db.write([step(TRIM, kind, subject, max)], 'beside');
    },
    async removeOf(kind, subject) {
      const [rows] = await db.write([step(REMOVE_OF, kind, subject)], 'beside');
      return rows?.length ?? 0;
    },
    async sweep(now) {
      const [rows] = await db.write([step(SWEEP, now)], 'beside');
      return rows?.length ?? 0;
    },
  };
}
