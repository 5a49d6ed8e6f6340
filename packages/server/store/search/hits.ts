import type { IndexSearch } from '../../core/ports/search.ts';
import type { Clause, Condition, Phrase } from '../../core/values/search-query.ts';
import { type Cell, type Db, params } from '../db.ts';
import { beginOf, END, MARKS, markOf } from '../index/document.ts';
import type { IndexReader, WordQuery } from '../index/reader.ts';
import { VIEW_JOINS, viewOf } from '../statements/view.ts';
import type { HitsTask, Slice } from './tasks.ts';

/** Hits of the words that a slice examines. */
const HITS = 400;
const SPARE = 20;
/** Hits among which the best ones are looked for. */
const MAX_RANKED = 3_000;

/** The words of the search, and whose messages they are. */
function wordQueryOf({ of, words, conditions, thread_id }: IndexSearch): WordQuery {
  const mark = (text: string): Phrase => ({ kind: 'words', words: [text], prefix: false });
  const only = (...marks: readonly string[]): Clause<Phrase> => ({ not: false, any: marks.map(mark) });
  const marked: Clause<Phrase>[] = [
    only(
      ...('mailbox_ids' in of
        ? of.mailbox_ids.map((id) => markOf('mailbox', id))
        : [markOf('namespace', of.namespace_id)]),
    ),
  ];
  if (thread_id !== undefined) marked.push(only(markOf('thread', thread_id)));
  for (const { not, any } of conditions) {
    const mailboxes = any.flatMap((one) => (one.kind === 'mailbox' ? [markOf('mailbox', one.value)] : []));
    if (!not && mailboxes.length === any.length) marked.push(only(...mailboxes));
  }
  const named = (phrase: Phrase): Phrase => {
    if (phrase.field === undefined) return phrase;
    const mark = MARKS[phrase.field];
    const inField = phrase.words.map((word) => mark + word);
    return {
      ...phrase,
      words: [...(phrase.begins ? [beginOf(mark)] : []), ...inField, ...(phrase.ends ? [END] : [])],
    };
  };
  return [...marked, ...words.map(({ not, any }) => ({ not, any: any.map(named) }))];
}

/** The ids among these that the search may see and whose conditions hold, in any order. */
async function fitting(read: Db['read'], search: IndexSearch, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { values, p } = params();
  const { boxes, sees } = viewOf(search.of, p, search.trash);
  const fits = search.conditions.map(({ not, any }) => {
    const holds = any.map((one) => `(${conditionSql(one, boxes, p)})`).join(' or ');
    return `and ${not ? 'not ' : ''}(${holds})`;
  });
  const rows = await read(
    `select m.id from messages m ${VIEW_JOINS} where m.id in (${ids.map(p).join(', ')}) and ${sees} ${fits.join(' ')}`,
    values,
  );
  return new Set(rows.map(({ id }) => id as string));
}

const BYTES = `(octet_length(m.body) + coalesce(octet_length(m.subject), 0) + coalesce(octet_length(m.data), 0)
  + coalesce((select sum(f.size) from attachments f where f.owner_id = m.id), 0))`;

function conditionSql(condition: Condition, boxes: string, p: (cell: Cell) => string): string {
  switch (condition.kind) {
    case 'label':
      return condition.value === 'unread'
        ? conditionSql({ kind: 'unread' }, boxes, p)
        : `exists (select 1 from labels l where l.message_id = m.id and l.label = ${p(condition.value)} and l.mailbox_id in ${boxes})`;
    case 'mailbox': {
      const mailbox = p(condition.value);
      return `m.to_mailbox_id = ${mailbox} or (m.from_mailbox_id = ${mailbox} and m.copy_of is null)`;
    }
    case 'has_attachment':
      return 'exists (select 1 from attachments f where f.owner_id = m.id)';
    case 'unread':
      return `m.read = 0 and m.to_mailbox_id in ${boxes}`;
    case 'answered':
      return `m.reply_id is not null or m.replies_count > 0
        or exists (select 1 from messages c where c.copy_of = m.id and c.reply_id is not null)`;
    case 'failed':
      return "m.status = 'failed'";
    case 'before':
      return `m.created_at < cast(${p(condition.at)} as bigint)`;
    case 'after':
      return `m.created_at >= cast(${p(condition.at)} as bigint)`;
    case 'larger':
      return `${BYTES} > cast(${p(condition.bytes)} as bigint)`;
  }
}

/** The newest time that a hit may have, and the oldest, as far as the conditions say. */
function timesOf({ conditions }: IndexSearch): { readonly from?: number; readonly to?: number } {
  const times: { from?: number; to?: number } = {};
  for (const { not, any } of conditions) {
    const [one] = any;
    if (not || any.length > 1 || one === undefined) continue;
    if (one.kind === 'after') times.from = Math.max(times.from ?? 0, one.at);
    if (one.kind === 'before') times.to = Math.min(times.to ?? Number.MAX_SAFE_INTEGER, one.at);
  }
  return times;
}

/** The next hits. With `relevance` the place is how many of the best were examined. */
export async function sliceOfHits(read: Db['read'], index: IndexReader, { of, place, max }: HitsTask): Promise<Slice> {
  const query = wordQueryOf(of);
  if (of.sort === 'relevance') {
    const ranked = await index.ranked(query, timesOf(of), MAX_RANKED);
    const from = Number(place ?? 0);
    const fit = new Set<string>();
    for (let at = 0; at < ranked.length; at += HITS)
      for (const id of await fitting(read, of, ranked.slice(at, at + HITS))) fit.add(id);
    const all = ranked.filter((id) => fit.has(id));
    const found = all.slice(from, from + max);
    const end = from + found.length;
    return { found, place: end < all.length ? String(end) : null, rows: ranked.length, bytes: 0 };
  }
  // More than are wanted, since some may be left out.
  const wanted = Math.min(HITS, of.conditions.length > 0 ? HITS : max + SPARE);
  const ids = await index.newest(query, { ...timesOf(of), before: place }, wanted);
  const fit = await fitting(read, of, ids);
  const found = ids.filter((id) => fit.has(id)).slice(0, max);
  const last = found.length === max ? found.at(-1) : ids.length < wanted ? undefined : ids.at(-1);
  return { found, place: last ?? null, rows: ids.length, bytes: 0 };
}
