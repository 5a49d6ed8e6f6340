import type { Millis } from '@mailroom/behavior/values/clock';
import { isReplyId, messageIdOf, replyIdOf } from '@mailroom/behavior/values/ids';
import type { Db, Row } from '../db.ts';
import { documentOf, hasOtherReplies, INDEX_VERSION, OTHER_REPLIES, sourceSql } from './document.ts';

/** Messages of one step, which takes some ten ms. */
const MAX_MESSAGES = 500;
/** Rows of the log of one step. */
const MAX_ROWS = 1_000;
/** For how long a number that is missing in the log may still be committed. */
const GAP_MS = 60_000;
const MAX_GAPS = 2_000;
/** Rows before the end of a log that are read when the index begins: others may still be writing among them. */
const OVERLAP = 1_000;

/** How far a table with numbered rows was read, with the numbers that were missing, and since when. */
interface Tail {
  readonly seq: number;
  readonly gaps: readonly (readonly [seq: number, since: Millis])[];
}

/** How far the index is. */
export interface IndexState {
  readonly version: number;
  /** The id up to which all messages are indexed, oldest first; null once all are, and only changes are followed. */
  readonly place: string | null;
  readonly events: Tail;
  readonly changes: Tail;
  /** The last event that was read, by which its database is recognized. */
  readonly last: { readonly seq: number; readonly message_id: string | null } | null;
  /** Everything that was written until then is found. */
  readonly until: Millis;
}

export interface Document {
  readonly id: string;
  /** As of `documentOf`. */
  readonly words: string;
}

/** The index while no other writes it. */
interface IndexWriter {
  /** Of the messages, at least as new as the state. */
  readonly read: Db['read'];
  readonly state: IndexState | undefined;
  /** Whether rows are committed in the order of their numbers. */
  readonly ordered: boolean;
  put(documents: readonly Document[]): Promise<void>;
  drop(ids: readonly string[]): Promise<void>;
  /** Has what this step dropped or replaced leave the bytes of the index soon. */
  erase(): void;
  /** The ids of documents above `after`, up to `to`. */
  idsBetween(after: string, to: string): Promise<readonly string[]>;
  /** With no documents, as on a new database. */
  clear(): Promise<void>;
  save(state: IndexState): Promise<void>;
}

/** Runs `act` in one transaction of the index, while no other is in one; undefined, at once, when another is. */
export type Exclusive = <T>(act: (writer: IndexWriter) => Promise<T>) => Promise<T | undefined>;

export interface Step {
  readonly until: Millis;
  readonly built: boolean;
  /** Whether there is more to do at once. */
  readonly more: boolean;
  readonly messages: number;
  /** The rows of `index_changes` up to this one are done. */
  readonly changes: number;
}

/**
 * Indexes the next messages; undefined when another node does. `rebuild`: from the first message on, in place. `first`: of
 * this process, as the database may have been replaced by an earlier one meanwhile.
 */
export async function indexNext(
  exclusive: Exclusive,
  now: Millis,
  { rebuild = false, first = false } = {},
): Promise<Step | undefined> {
  return exclusive(async (writer) => {
    let state = writer.state;
    if (state?.version !== INDEX_VERSION || (first && !(await isOf(writer.read, state)))) {
      await writer.clear();
      state = await begin(writer.read);
    } else if (rebuild) state = { ...state, place: '' };
    const events = await follow(writer, 'events', state.events, now);
    const changes = await follow(writer, 'index_changes', state.changes, now);
    const ids = new Set([...events.ids, ...changes.ids].map((id) => (isReplyId(id) ? messageIdOf(id) : id)));
    let { place } = state;
    if (place !== null) {
      const sql = `select id from messages m where id > $1
        and (kind = 'message' or not exists (select 1 from messages q where q.id = m.in_reply_to)) order by id limit $2`;
      const scanned = (await writer.read(sql, [place, MAX_MESSAGES])).map(({ id }) => id as string);
      for (const id of scanned) ids.add(id);
      const end = scanned.length < MAX_MESSAGES ? '~' : (scanned.at(-1) as string);
      // What is indexed, and is no message any more, is dropped below.
      if (rebuild || place !== '') for (const id of await writer.idsBetween(place, end)) ids.add(id);
      place = scanned.length < MAX_MESSAGES ? null : end;
    }
    const documents = await documentsOf(writer.read, [...ids]);
    const known = new Set(documents.map(({ id }) => id));
    await writer.drop([...ids].filter((id) => !known.has(id)));
    await writer.put(documents);
    if (changes.ids.length > 0) writer.erase();
    const more = events.more || changes.more || place !== null;
    // While the first build goes on, nothing is known to be found.
    const isKnown = place === null || state.until > 0;
    const followed = events.more || changes.more ? Math.max(state.until, events.at) : now;
    const until = isKnown ? followed : 0;
    const last = events.last ?? state.last;
    await writer.save({ version: INDEX_VERSION, place, events: events.tail, changes: changes.tail, last, until });
    return { until, built: place === null, more, messages: ids.size, changes: changes.tail.seq };
  });
}

/** What is written from now on is followed, and what is there is indexed from its beginning. */
async function begin(read: Db['read']): Promise<IndexState> {
  const last = async (table: string): Promise<Tail> => {
    const [row] = await read(`select coalesce(max(seq), 0) as seq from ${table}`, []);
    return { seq: Math.max(0, (row?.seq as number) - OVERLAP), gaps: [] };
  };
  return {
    version: INDEX_VERSION,
    place: '',
    events: await last('events'),
    changes: await last('index_changes'),
    last: null,
    until: 0,
  };
}

/** Whether the index is of this database, as far as its log goes back. */
async function isOf(read: Db['read'], { last }: IndexState): Promise<boolean> {
  if (last === null) return true;
  const [same] = await read('select message_id from events where seq = $1', [last.seq]);
  if (same !== undefined) return same.message_id === last.message_id;
  const [newest] = await read('select max(seq) as seq from events', []);
  return newest?.seq == null || (newest.seq as number) > last.seq;
}

/**
 * The next rows of a log. Where several write, a number may be committed after a higher one, so the numbers that are
 * missing are asked for again for a while.
 */
async function follow({ read, ordered }: IndexWriter, table: 'events' | 'index_changes', tail: Tail, now: Millis) {
  // What becomes of a delivery changes no words.
  const columns =
    table === 'events'
      ? "message_id, case when type like 'delivery.%' then null else message_id end as id, at"
      : 'message_id, message_id as id, 0 as at';
  const rows = await read(`select seq, ${columns} from ${table} where seq > $1 order by seq limit $2`, [
    tail.seq,
    MAX_ROWS,
  ]);
  const waited = tail.gaps.filter(([, since]) => since > now - GAP_MS);
  const late =
    waited.length === 0
      ? []
      : await read(
          `select seq, ${columns} from ${table} where seq in (${waited.map((_, index) => `$${index + 1}`).join(', ')})`,
          waited.map(([seq]) => seq),
        );
  const found = new Set(late.map(({ seq }) => seq as number));
  const gaps = waited.filter(([seq]) => !found.has(seq));
  let { seq } = tail;
  for (const row of rows) {
    for (let missing = seq + 1; !ordered && missing < (row.seq as number) && gaps.length < MAX_GAPS; missing++)
      gaps.push([missing, now]);
    seq = row.seq as number;
  }
  return {
    tail: { seq, gaps },
    ids: [...rows, ...late].map((row) => row.id as string | null).filter((id) => id !== null),
    at: ((rows.at(-1)?.at ?? 0) as Millis) || 0,
    last: rows.length === 0 ? undefined : { seq, message_id: rows.at(-1)?.message_id as string | null },
    more: rows.length === MAX_ROWS,
  };
}

/** Of the messages that are there, and of the replies to those that are not. */
async function documentsOf(read: Db['read'], ids: readonly string[]): Promise<readonly Document[]> {
  const documents = new Map<string, Document>();
  const add = async (row: Row): Promise<void> => void documents.set(row.id as string, await documentFrom(read, row));
  for (let at = 0; at < ids.length; at += MAX_MESSAGES) {
    const some = ids.slice(at, at + MAX_MESSAGES);
    const rows = await sources(read, some);
    const found = new Set(rows.map(({ id }) => id as string));
    const replies = rows.filter(({ kind }) => kind === 'reply');
    const orphans = await sources(read, some.filter((id) => !found.has(id)).map(replyIdOf));
    // A further reply belongs to the message that it answers, and what a copy was answered to the one that it is of.
    const originals = rows.filter(({ copy_of: of }) => of !== null).map(({ copy_of: id }) => id as string);
    const answeredIds = replies.map(({ in_reply_to: id }) => id as string);
    const answered = await sources(read, [...new Set([...answeredIds, ...originals])]);
    const isThere = new Set(answered.map(({ id }) => id));
    for (const row of [...rows, ...orphans])
      if (!isThere.has(row.in_reply_to) || row.kind === 'message') await add(row);
    for (const row of answered) await add(row);
  }
  return [...documents.values()];
}

const sources = async (read: Db['read'], ids: readonly string[]): Promise<readonly Row[]> =>
  ids.length === 0 ? [] : read(sourceSql(ids.map((_, index) => `$${index + 1}`).join(', ')), ids);

async function documentFrom(read: Db['read'], row: Row): Promise<Document> {
  const [id, thread] = [row.id as string, row.thread_id as string];
  const others = hasOtherReplies(row) ? await read(OTHER_REPLIES, [id, thread]) : [];
  return {
    id,
    words: documentOf(
      row,
      others.map(({ body }) => body as string),
    ),
  };
}
