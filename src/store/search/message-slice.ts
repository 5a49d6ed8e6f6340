import type { MessageQuery } from '../../core/ports/store.ts';
import { finder } from '../../core/values/text-search.ts';
import type { Db, Row } from '../db.ts';
import { params } from '../db.ts';
import type { MessageTask, Slice } from './tasks.ts';

/** Maximum rows that a slice examines. */
const ROWS = 500;
/** Maximum bytes of text that a slice examines, but at least one row. */
const BYTES = 1024 * 1024;

const TEXT_SIZE =
  'coalesce(octet_length(m.subject), 0) + octet_length(m.body) + coalesce(octet_length(m.reply_body), 0)';
const TEXTS = ['subject', 'body', 'reply_body'];

const JOBS = "left join jobs j on m.status = 'submitted' and j.id = m.id";

/** Whether every row of the index matches, except those of deleted mailboxes. */
export const isPlain = ({ query, status, sender_mailbox_id }: MessageQuery): boolean =>
  query === undefined && status === undefined && sender_mailbox_id === undefined;

/** The rows of the index between two ids that match all filters but the text. */
function stretch(of: MessageQuery, before: string, floor: string) {
  const { values, p } = params();
  const where = [`m.id < ${p(before)}`, `m.id >= ${p(floor)}`];
  if (of.mailbox_id !== undefined) where.push(`m.mailbox_id = ${p(of.mailbox_id)}`);
  if (of.sender_namespace_id !== undefined) where.push(`m.sender_namespace_id = ${p(of.sender_namespace_id)}`);
  const fits = ['b.id is not null'];
  if (of.sender_mailbox_id !== undefined) fits.push(`m.from_mailbox_id = ${p(of.sender_mailbox_id)}`);
  if (of.status === 'working') fits.push("m.status = 'submitted' and (j.leased = 1 or j.parked = 1)");
  else if (of.status === 'submitted') {
    fits.push("m.status = 'submitted' and coalesce(j.leased, 0) = 0 and coalesce(j.parked, 0) <> 1");
  } else if (of.status !== undefined) fits.push(`m.status = ${p(of.status)}`);
  const jobs = of.status === 'working' || of.status === 'submitted' ? JOBS : '';
  const from = `from messages m left join mailboxes b on b.id = m.mailbox_id and b.deleted_at is null ${jobs}
    where ${where.join(' and ')}`;
  return { values, from, fits: fits.join(' and ') };
}

/** The first rows whose texts a slice may examine. */
function upTo(sized: readonly Row[]): readonly Row[] {
  let bytes = 0;
  const over = sized.findIndex((row, at) => {
    bytes += textOf(row);
    return at > 0 && bytes > BYTES;
  });
  return over < 0 ? sized : sized.slice(0, over);
}

const textOf = ({ fits, text }: Row): number => (fits === 1 ? (text as number) : 0);

/** Reads sizes first, which reads no text, then the texts of as many rows as a slice may examine. */
export async function sliceOfMessages(read: Db['read'], { of, before, floor, max }: MessageTask): Promise<Slice> {
  const all = stretch(of, before, floor);
  const asked = isPlain(of) ? Math.min(max, ROWS) : ROWS;
  const sized = await read(
    `select m.id, case when ${all.fits} then 1 else 0 end as fits, ${TEXT_SIZE} as text
     ${all.from} order by m.id desc limit ${asked}`,
    all.values,
  );
  const looked = of.query === undefined ? sized : upTo(sized);
  const low = looked.at(-1)?.id as string | undefined;
  if (low === undefined) return { found: [], place: null, rows: 0, bytes: 0 };
  const ended = sized.length < asked && looked.length === sized.length;
  const some = { place: ended ? null : low, rows: looked.length };
  const fit = looked.filter(({ fits }) => fits === 1).map(({ id }) => id as string);
  if (of.query === undefined || fit.length === 0) return firstOf(max, { ...some, found: fit, bytes: 0 });
  const part = stretch(of, before, low);
  const rows = await read(
    `select m.id, m.subject, m.body, m.reply_body ${part.from} and ${part.fits} order by m.id desc`,
    part.values,
  );
  const finds = finder(of.query);
  const hits = rows.filter((row) => TEXTS.some((name) => row[name] !== null && finds(row[name] as string)));
  const bytes = looked.reduce((total, row) => total + textOf(row), 0);
  return firstOf(max, { ...some, found: hits.map(({ id }) => id as string), bytes });
}

/** When more was found than wanted, the search continues behind the last result. */
function firstOf(max: number, slice: Slice): Slice {
  if (slice.found.length < max) return slice;
  const found = slice.found.slice(0, max);
  return { ...slice, found, place: found.at(-1) ?? null };
}
