import { finder } from '@mailroom/behavior/values/text-search';
import type { Db, Row } from '../db.ts';
import { mailboxRows } from '../statements/mailbox-rows.ts';
import { sliceOfMessages } from './message-slice.ts';
import type { HitsTask, SearchTask, Slice } from './tasks.ts';

/** Rows per slice: a mailbox has some hundred bytes of text, a note some thousand. */
const MAILBOXES = 500;
const NOTES = 100;

/** Examines the next rows of a search without the index, which takes some ms for any query. Runs on the search thread. */
export async function slice(read: Db['read'], task: Exclude<SearchTask, HitsTask>): Promise<Slice> {
  switch (task.kind) {
    case 'messages':
      return sliceOfMessages(read, task);
    case 'mailboxes': {
      const columns = "id, local_part || '@' || namespace as address, display_name, description";
      const { sql, params } = mailboxRows(columns, task.of, task.after, MAILBOXES);
      const texts = ['address', 'display_name', 'description'];
      return matched(await read(sql, params), MAILBOXES, 'id', texts, task.of.query, task.max);
    }
    case 'notes': {
      const { mailbox_id, owner } = task.of;
      const rows = await read(NOTE_ROWS, [mailbox_id, owner, task.after, NOTES]);
      return matched(rows, NOTES, 'name', ['name', 'body'], task.query, task.max);
    }
  }
}

const NOTE_ROWS =
  'select name, body from notes where mailbox_id = $1 and owner = $2 and name > $3 order by name limit $4';

/** The first `max` matching rows; `limit` is how many rows were read at most, `key` the column of the order. */
function matched(
  rows: readonly Row[],
  limit: number,
  key: string,
  texts: readonly string[],
  query: string,
  max: number,
): Slice {
  const says = finder(query);
  const found: string[] = [];
  let bytes = 0;
  for (const [index, row] of rows.entries()) {
    const place = row[key] as string;
    for (const name of texts) bytes += ((row[name] as string | null) ?? '').length;
    if (!texts.some((name) => row[name] !== null && says(row[name] as string))) continue;
    found.push(place);
    if (found.length === max) return { found, place, rows: index + 1, bytes };
  }
  const last = rows.length < limit ? null : (rows.at(-1)?.[key] as string);
  return { found, place: last, rows: rows.length, bytes };
}
