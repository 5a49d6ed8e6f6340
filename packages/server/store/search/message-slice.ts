import { wordsFinder, wordsIn } from '@mailroom/behavior/values/text-search';
import { TRASH, UNREAD } from '../../core/entities/label.ts';
import type { MessageQuery } from '../../core/ports/messages.ts';
import { type Cell, type Db, params, type Row } from '../db.ts';
import { isUnusual, UNUSUAL } from '../schema/tables/messages.ts';
import { isInInbox, isUntouched } from '../statements/conversations.ts';
import { isTrashed } from '../statements/labels.ts';
import { hasPair } from '../statements/metadata.ts';
import type { MessageTask, Slice } from './tasks.ts';

/** Maximum rows that a slice examines. */
const ROWS = 500;
/** As many where those that are done are left out, which may be almost all. */
const ROWS_WITHOUT = 200;
/** Maximum bytes of text that a slice examines, but at least one row. */
const BYTES = 1024 * 1024;

const TEXT_SIZE = 'coalesce(octet_length(m.subject), 0) + octet_length(m.body) + coalesce(octet_length(r.body), 0)';
const TEXTS = ['subject', 'body', 'reply_body'];
const ADDRESSES = ['author', 'recipient'];

const HANDLINGS = "left join handlings h on m.status = 'submitted' and h.message_id = m.id";
/** Follows from the message: only the mailbox that received it can have read it. */
const UNREAD_IN = (mailbox: string): string => `m.read = 0 and m.to_mailbox_id = ${mailbox}`;
const HAS_FILE = 'exists (select 1 from attachments f where f.owner_id = m.id)';
/** The address of a deleted mailbox is not shown, though it is blanked later. That of a mail's author is not in `from`. */
const AUTHOR = `case when m.sender_kind = 'email' then lower(m.sender_id) when s.deleted_at is null then m."from" end`;
const RECIPIENT = `case when b.id is not null or (m.kind = 'message' and m.to_mailbox_id is null) then m."to" end`;

/** Later messages of the thread of `m`; repeats the condition of the index of threads. */
const LATER = `select 1 from messages l where l.thread_id = m.thread_id
  and substr(l.thread_id, 5) <> substr(l.id, 5) and substr(l.id, 24) <> '1' and l.id > m.id`;
/** A later message that the mailbox received, or sent and has the reply to. */
const NEWER_IN = (mailbox: string): string =>
  `exists (${LATER} and (l.to_mailbox_id = ${mailbox} or (l.from_mailbox_id = ${mailbox} and l.reply_id is not null))
    and not ${isTrashed(`= ${mailbox}`, 'l.id')})`;
const NEWER_OF = (namespace: string): string =>
  `exists (${LATER} and l.sender_namespace_id = ${namespace} and l.kind = 'message')`;
/** A settled message that a behavior of the namespace sent to answer another, or the reply to one. */
export const isCall = (namespace: string): string => `(
  m.hops > 0 and m.sender_kind = 'mailbox' and m.status <> 'submitted' and m.sender_namespace_id = ${namespace}
  and substr(m.thread_id, 5, 19) = substr(m.id, 5, 19) and m.key_id is null and (m.kind = 'message' or exists (
    select 1 from messages q where q.id = m.in_reply_to and q.sender_kind = 'mailbox' and q.key_id is null)))`;
export const namespaceOf = (mailbox: string): string =>
  `(select o.namespace_id from mailboxes o where o.id = ${mailbox})`;

/** Whether almost every row of the index matches, so that one slice suffices. */
export const isPlain = (of: MessageQuery): boolean =>
  of.label !== UNREAD &&
  [of.query, of.status, of.sender_mailbox_id, of.author, of.from, of.has_attachment, of.metadata].every(
    (filter) => filter === undefined,
  );

/** How many rows a slice examines to find `max`. */
function rowsFor(filter: MessageQuery, max: number): number {
  if (!isPlain(filter)) return ROWS;
  if (filter.in_inbox !== undefined || filter.standing !== undefined) return ROWS_WITHOUT;
  // Most threads are short.
  return Math.min(filter.conversations === undefined ? max : 2 * max, ROWS);
}

/** SQL for which messages `x` an address sent, by mail and as a living mailbox, as the indexes of senders have them. */
function sentBy(address: string, p: (cell: Cell) => string): readonly [string, string] {
  const [local = '', namespace = ''] = address.split('@');
  const living = `select o.id from mailboxes o
    where o.namespace = ${p(namespace)} and o.local_part = ${p(local)} and o.deleted_at is null`;
  return [
    `x.sender_kind = 'email' and lower(x.sender_id) = ${p(address)}`,
    `x.from_mailbox_id is not null and x.from_mailbox_id = (${living})`,
  ];
}

/** SQL of a condition that has indexes of its own, as few messages fit it; undefined for a list without one. */
function fewOf({ status, has_attachment }: MessageQuery): ((message: string) => string) | undefined {
  if (UNUSUAL.some((unusual) => unusual === status)) return (m) => ` and ${m}.status = '${status}' and ${isUnusual(m)}`;
  return has_attachment && ((m) => ` and ${m}.has_file = 1`);
}

/** At most `limit` rows of the indexes between two ids that match all filters but the text. */
function stretch(filter: MessageQuery, ceiling: string, floor: string, limit: number) {
  const { values, p } = params();
  const [below, least, max] = [p(ceiling), p(floor), p(limit)];
  const few = fewOf(filter);
  const all = (name: string): string => `${name}.id < ${below} and ${name}.id >= ${least}`;
  // With both bounds SQLite takes the index of all messages for as good as that of a status.
  const narrowed = (name: string): string =>
    `${name}.id < ${below} and ${name}.id || '' >= ${least}${few?.(name) ?? ''}`;
  const range = few === undefined ? all : narrowed;
  // One condition with "or" would read all of the mailbox: each index is read in its order, and then merged.
  const side = (condition: string, within: string): string =>
    `select * from (select x.id from messages x where ${condition} and ${within}
      order by x.id desc limit ${max}) side`;
  const merged = (conditions: readonly string[], within = range('x')): string =>
    `(${conditions.map((condition) => side(condition, within)).join(' union ')}) sides join messages m on m.id = sides.id`;
  const fits: string[] = [];
  let rows = 'messages m';
  let where = range('m');
  if (filter.mailbox_id !== undefined) {
    const mailbox = p(filter.mailbox_id);
    const column = filter.direction === 'sent' ? 'copy_of is null and m.from_mailbox_id' : 'to_mailbox_id';
    const received = `x.to_mailbox_id = ${mailbox}`;
    const written = `x.copy_of is null and x.from_mailbox_id = ${mailbox}`;
    if (filter.from !== undefined && filter.direction !== 'sent') {
      const [mailed, living] = sentBy(filter.from, p);
      const own = filter.direction === 'all' ? [`${written} and ${living}`] : [];
      rows = merged([`${received} and ${mailed}`, `${received} and ${living}`, ...own], narrowed('x'));
    } else if (filter.direction === 'all') rows = merged([received, written]);
    else where += ` and m.${column} = ${mailbox}`;
    if (filter.label === UNREAD) fits.push(UNREAD_IN(mailbox));
    else if (filter.label !== undefined) {
      // Labels are rare: the index of labels replaces that of the mailbox.
      rows = `(select l.message_id from labels l where l.mailbox_id = ${mailbox} and l.label = ${p(filter.label)}
          and l.message_id < ${below} and l.message_id >= ${least} order by l.message_id desc limit ${max}) labeled
        join messages m on m.id = labeled.message_id`;
      where = all('m');
      if (filter.direction !== 'all') fits.push(`m.${column} = ${mailbox}`);
    }
    if (filter.in_inbox !== undefined) fits.push(isInInbox(mailbox, 'm.thread_id'));
    if (filter.standing !== undefined) fits.push(isUntouched(filter.standing, mailbox, 'm.thread_id', p));
    fits.push(`exists (select 1 from mailboxes o where o.id = ${mailbox} and o.deleted_at is null)`);
    if (filter.label !== TRASH) fits.push(`not ${isTrashed(`= ${mailbox}`)}`);
    fits.push("(b.id is not null or m.kind = 'reply' or m.to_mailbox_id is null)");
    if (filter.conversations !== undefined)
      fits.push(`not ${NEWER_IN(mailbox)}`, `not ${isCall(namespaceOf(mailbox))}`);
  } else fits.push('(b.id is not null or (m.to_mailbox_id is null and s.deleted_at is null))');
  const owner = filter.namespace_id ?? filter.sender_namespace_id;
  if (owner !== undefined && filter.mailbox_id === undefined) {
    const namespace = p(owner);
    const own = `(select o.id from mailboxes o where o.namespace_id = ${namespace} union all select ${namespace})`;
    fits.push(`not ${isTrashed(`in ${own}`)}`);
  }
  if (filter.namespace_id !== undefined) {
    const namespace = p(filter.namespace_id);
    const received = `x.to_mailbox_id in
      (select o.id from mailboxes o where o.namespace_id = ${namespace} and o.deleted_at is null)`;
    const sent = `x.sender_namespace_id = ${namespace} and x.kind = 'message' and x.copy_of is null`;
    rows = merged([received, sent]);
  }
  if (filter.sender_namespace_id !== undefined) {
    const namespace = p(filter.sender_namespace_id);
    where += ` and m.sender_namespace_id = ${namespace} and m.kind = 'message' and m.copy_of is null`;
    if (filter.conversations !== undefined) fits.push(`not ${NEWER_OF(namespace)}`, `not ${isCall(namespace)}`);
  }
  if (filter.sender_mailbox_id !== undefined) fits.push(`m.from_mailbox_id = ${p(filter.sender_mailbox_id)}`);
  if (filter.author !== undefined) {
    const { key_id, address } = filter.author;
    fits.push(`(m.key_id = ${p(key_id)} or (m.sender_kind = 'email' and m.sender_id = ${p(address)}))`);
  }
  if (filter.from !== undefined) fits.push(`${AUTHOR} = ${p(filter.from)}`);
  if (filter.has_attachment !== undefined) fits.push(HAS_FILE);
  if (filter.metadata !== undefined) fits.push(`m.sender_namespace_id = ${p(filter.metadata.namespace_id)}`);
  for (const [name, value] of Object.entries(filter.metadata?.pairs ?? {}))
    fits.push(hasPair('m.metadata', name, value, p));
  if (filter.status === 'working')
    fits.push(
      "m.status = 'submitted' and (h.leased = 1 or h.waiting_for in ('approval', 'review') or h.claim is not null)",
    );
  else if (filter.status === 'submitted') {
    fits.push(
      "m.status = 'submitted' and coalesce(h.leased, 0) = 0 and coalesce(h.waiting_for, '') not in ('approval', 'review') and h.claim is null",
    );
  } else if (filter.status !== undefined) fits.push(`m.status = ${p(filter.status)}`);
  const handlings = filter.status === 'working' || filter.status === 'submitted' ? HANDLINGS : '';
  const from = `from ${rows} left join messages r on r.id = m.reply_id
    left join mailboxes b on b.id = m.to_mailbox_id and b.deleted_at is null
    left join mailboxes s on m.sender_kind = 'mailbox' and s.id = m.sender_id ${handlings}
    where ${where}`;
  return { values, from, fits: fits.join(' and '), end: `order by m.id desc limit ${max}` };
}

/** The first rows whose texts a slice may examine. */
function upTo(sized: readonly Row[], max: number): readonly Row[] {
  let bytes = 0;
  const over = sized.findIndex((row, at) => {
    bytes += textOf(row);
    return at > 0 && bytes > max;
  });
  return over < 0 ? sized : sized.slice(0, over);
}

const textOf = ({ fits, text }: Row): number => (fits === 1 ? (text as number) : 0);

/** Reads sizes first, which reads no text, then the texts of as many rows as a slice may examine. */
export async function sliceOfMessages(
  read: Db['read'],
  { of: filter, before: ceiling, floor, max }: MessageTask,
): Promise<Slice> {
  const limit = rowsFor(filter, max);
  const all = stretch(filter, ceiling, floor, limit);
  const sized = await read(
    `select m.id, case when ${all.fits} then 1 else 0 end as fits, ${TEXT_SIZE} as text
     ${all.from} ${all.end}`,
    all.values,
  );
  // Each word is looked for in the same texts.
  const looked = filter.query === undefined ? sized : upTo(sized, BYTES / wordsIn(filter.query).length);
  const low = looked.at(-1)?.id as string | undefined;
  if (low === undefined) return { found: [], place: null, rows: 0, bytes: 0 };
  const ended = sized.length < limit && looked.length === sized.length;
  const some = { place: ended ? null : low, rows: looked.length };
  const fit = looked.filter(({ fits }) => fits === 1).map(({ id }) => id as string);
  if (filter.query === undefined || fit.length === 0) return firstOf(max, { ...some, found: fit, bytes: 0 });
  const part = stretch(filter, ceiling, low, looked.length);
  const rows = await read(
    `select m.id, m.subject, m.body, r.body as reply_body, ${AUTHOR} as author, ${RECIPIENT} as recipient
     ${part.from} and ${part.fits} ${part.end}`,
    part.values,
  );
  const finds = wordsFinder(filter.query, filter.query_address);
  const cells = (row: Row, columns: readonly string[]) => columns.map((name) => row[name] as string | null);
  const hits = rows.filter((row) => finds(cells(row, TEXTS), cells(row, ADDRESSES)));
  const bytes = looked.reduce((total, row) => total + textOf(row), 0);
  return firstOf(max, { ...some, found: hits.map(({ id }) => id as string), bytes });
}

/** When more was found than wanted, the search continues behind the last result. */
function firstOf(max: number, slice: Slice): Slice {
  if (slice.found.length < max) return slice;
  const found = slice.found.slice(0, max);
  return { ...slice, found, place: found.at(-1) ?? null };
}
