import type { Millis } from '@mailroom/behavior/values/clock';
import { firstIdAt, firstOf, madeAt, messageIdOf } from '@mailroom/behavior/values/ids';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import type { StandingFilter } from '../../core/entities/standing.ts';
import type { SearchedBy } from '../../core/ports/search.ts';
import type { Conversation, ThreadMember, Threads } from '../../core/ports/threads.ts';
import { type Cell, type Db, params, type Row } from '../db.ts';
import { isLate } from '../schema/tables/messages.ts';
import { isUntouched } from './conversations.ts';
import { VIEW_JOINS, viewOf } from './view.ts';

/** Mailboxes whose newest messages are read for a page, those with the newest. */
const MAX_MAILBOXES = 100;
/** Pages of messages that are read for one page of threads. */
const MAX_ROUNDS = 20;
/** Messages of a thread whose participants and labels are known; all are counted. */
const MAX_MEMBERS = 200;
/** Characters of a message that are read for its beginning. */
const BEGINNING = 600;

interface Activity {
  readonly thread_id: string;
  readonly at: Millis;
}

const isNewer = (one: Activity, other: Activity): boolean =>
  one.at > other.at || (one.at === other.at && one.thread_id > other.thread_id);

const MAILBOX_IDS = 'select id from mailboxes where namespace_id = $1 and deleted_at is null limit $2';
/** When something happened last in a mailbox; null where nothing did. */
const NEWEST = `
  select o.id,
    (select max(m.id) from messages m where m.to_mailbox_id = o.id and m.id < $2) as received,
    (select max(m.id) from messages m where m.from_mailbox_id = o.id and m.id < $2) as written,
    (select max(m.settled_at) from messages m where m.to_mailbox_id = o.id and ${isLate('m')} and m.settled_at <= $3) as answered
  from mailboxes o where o.namespace_id = $1 and o.deleted_at is null`;

/** The conversations of a namespace or a mailbox, by the newest message or late answer in each. */
export const makeConversations =
  (db: Db): Threads['conversations'] =>
  async (of, place, size, standing) => {
    let before: Activity | null = place === null ? null : placeFrom(place);
    const items: Conversation[] = [];
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (round > 0) await yieldToEventLoop();
      const { found, floor } = await activities(db, of, before, 6 * size, standing);
      const threads = [...new Map(found.map((one) => [one.thread_id, one])).keys()];
      const known = new Map((await conversationsOf(db, of, threads)).map((one) => [one.thread_id, one]));
      for (const one of found) {
        const conversation = known.get(one.thread_id);
        // It stands where its newest activity is, which an earlier page may have had.
        if (conversation === undefined || conversation.at > one.at) continue;
        known.delete(one.thread_id);
        items.push(conversation);
        if (items.length === size) return { items, next: placeOf(one) };
      }
      if (floor === null) return { items, next: null };
      before = floor;
    }
    return { items, next: before === null ? null : placeOf(before) };
  };

const placeOf = ({ at, thread_id }: Activity): string => `${at} ${thread_id}`;
const placeFrom = (place: string): Activity => {
  const [at = '', thread_id = ''] = place.split(' ');
  return { at: Number(at), thread_id };
};

/** The next activities, newest first, each thread once, down to `floor`, below which there may be more. */
async function activities(
  db: Db,
  of: SearchedBy,
  before: Activity | null,
  max: number,
  standing: StandingFilter | undefined,
) {
  const at = before?.at ?? Number.MAX_SAFE_INTEGER;
  const ceiling = before === null ? '~' : firstIdAt('msg', before.at + 1);
  const { ids, floor: floorOfMailboxes } = await mailboxesOf(db, of, ceiling, at);
  const { values, p } = params();
  const [below, until, limit] = [p(ceiling), p(at), p(max)];
  const parts: string[] = [];
  const add = (column: string, cell: Cell, also = 'true'): void => {
    const whose = p(cell);
    const stands = standing === undefined ? '' : ` and ${isUntouched(standing, whose, 'm.thread_id', p)}`;
    const where = `m.${column} = ${whose}${stands}`;
    parts.push(
      `select ${parts.length} as part, m.thread_id, m.id, cast(null as bigint) as at from messages m
       where ${where} and ${also} and m.id < ${below} order by m.id desc limit ${limit}`,
    );
    parts.push(
      `select ${parts.length} as part, m.thread_id, m.id, m.settled_at as at from messages m
       where ${where} and (${also} or m.reply_id is not null) and ${isLate('m')} and m.settled_at <= ${until} order by m.settled_at desc limit ${limit}`,
    );
  };
  for (const id of ids) {
    add('to_mailbox_id', id);
    add('from_mailbox_id', id, 'm.copy_of is null');
  }
  // What a key sent as no mailbox stands nowhere.
  if ('namespace_id' in of && standing === undefined)
    add('sender_namespace_id', of.namespace_id, "m.kind = 'message' and m.copy_of is null");
  const rows: Row[] = [];
  for (let from = 0; from < parts.length; from += 2 * MAX_MAILBOXES) {
    const some = parts.slice(from, from + 2 * MAX_MAILBOXES).map((part, nth) => `select * from (${part}) part_${nth}`);
    rows.push(...(await db.read(some.join(' union all '), values)));
  }
  const all = rows.map((row) => ({
    part: row.part as number,
    thread_id: row.thread_id as string,
    at: (row.at as Millis | null) ?? madeAt(row.id as string),
  }));
  let floor = floorOfMailboxes;
  for (const [, part] of Map.groupBy(all, (one) => one.part)) {
    const last = part.at(-1);
    if (part.length === max && last !== undefined && (floor === null || isNewer(last, floor))) floor = last;
  }
  const newest = new Map<string, Activity>();
  for (const { thread_id, at: time } of all) {
    const one = { thread_id, at: time };
    if (before !== null && !isNewer(before, one)) continue;
    if (floor !== null && isNewer(floor, one)) continue;
    const known = newest.get(thread_id);
    if (known === undefined || isNewer(one, known)) newest.set(thread_id, one);
  }
  const found = [...newest.values()].sort((one, other) => (isNewer(one, other) ? -1 : 1));
  return { found, floor };
}

/** The mailboxes with the newest activity, and where that of the others begins. */
async function mailboxesOf(db: Db, of: SearchedBy, ceiling: string, at: Millis) {
  if ('mailbox_ids' in of) return { ids: of.mailbox_ids, floor: null };
  const few = await db.read(MAILBOX_IDS, [of.namespace_id, MAX_MAILBOXES + 1]);
  if (few.length <= MAX_MAILBOXES) return { ids: few.map(({ id }) => id as string), floor: null };
  const rows = await db.read(NEWEST, [of.namespace_id, ceiling, at]);
  const heads = rows
    .map(({ id, received, written, answered }) => {
      const times = [received, written].map((one) => (one === null ? 0 : madeAt(one as string)));
      return { id: id as string, at: Math.max(...times, (answered as number | null) ?? 0) };
    })
    .filter((head) => head.at > 0)
    .sort((one, other) => other.at - one.at);
  const next = heads[MAX_MAILBOXES];
  const floor: Activity | null = next === undefined ? null : { at: next.at, thread_id: '~' };
  return { ids: heads.slice(0, MAX_MAILBOXES).map(({ id }) => id), floor };
}

/** These threads as a namespace or a mailbox sees them. */
export async function conversationsOf(
  db: Db,
  of: SearchedBy,
  threadIds: readonly string[],
): Promise<readonly Conversation[]> {
  if (threadIds.length === 0) return [];
  const { values, p } = params();
  const { boxes, sees } = viewOf(of, p);
  const threads = threadIds.map(p).join(', ');
  const firsts = threadIds.map((id) => p(firstOf(id))).join(', ');
  const rows = await db.read(
    `select m.id, m.kind, m.thread_id, m.subject, m."from", m."to", m.sender_kind, m.sender_id, m.recipients, m.in_reply_to,
       m.to_mailbox_id, m.from_mailbox_id, m.copy_of, m.created_at, r.id as reply_id, r.created_at as replied_at,
       case when ${isLate('m')} then m.settled_at end as answered_at,
       case when m.read = 0 and m.to_mailbox_id in ${boxes} then 1 else 0 end as unread, r."from" as reply_from,
       (select string_agg(l.label, ',') from labels l where l.message_id = m.id and l.mailbox_id in ${boxes}) as labels
     from (
       select f.id from messages f where f.id in (${firsts}) and f.thread_id in (${threads})
       union all
       select l.id from messages l where l.thread_id in (${threads})
         and substr(l.thread_id, 5) <> substr(l.id, 5) and substr(l.id, 24) <> '1'
     ) member join messages m on m.id = member.id left join messages r on r.id = m.reply_id ${VIEW_JOINS}
     where ${sees}
     order by m.id`,
    values,
  );
  if (rows.length === 0) return [];
  const replies = await repliesOfCopies(
    db,
    rows.filter(({ recipients, copy_of }) => recipients !== null && copy_of === null).map(({ id }) => id as string),
  );
  const found = [...Map.groupBy(rows, ({ thread_id }) => thread_id as string)].map(([id, members]) =>
    conversationFrom(id, members, replies.get(id) ?? []),
  );
  const begins = await beginnings(
    db,
    found.map(({ last }) => last.id),
  );
  return found.map((one) => ({ ...one, last: { ...one.last, text: begins.get(one.last.id) ?? '' } }));
}

/** By thread, the replies to the copies of messages with several recipients. */
async function repliesOfCopies(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, readonly Row[]>> {
  if (ids.length === 0) return new Map();
  const { values, p } = params();
  const rows = await db.read(
    `select r.id, r.thread_id, r."from", r.created_at, case when ${isLate('c')} then c.settled_at end as answered_at
     from messages c join messages r on r.id = c.reply_id where c.copy_of in (${ids.map(p).join(', ')})`,
    values,
  );
  return Map.groupBy(rows, ({ thread_id }) => thread_id as string);
}

async function beginnings(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { values, p } = params();
  const rows = await db.read(
    `select id, substr(body, 1, ${BEGINNING}) as text from messages where id in (${ids.map(p).join(', ')})`,
    values,
  );
  return new Map(rows.map(({ id, text }) => [id as string, text as string]));
}

function conversationFrom(thread_id: string, rows: readonly Row[], replies: readonly Row[]): Conversation {
  const ids = new Set<Cell | undefined>(rows.map(({ id }) => id));
  let [count, unread, at] = [0, 0, 0];
  let last: { id: string; from: string | null; at: Millis } = { id: '', from: null, at: -1 };
  const labels = new Set<string>();
  const mailboxes = new Set<string>();
  const note = (id: string, from: string | null, time: Millis): void => {
    count += 1;
    if (time >= last.at) last = { id, from, at: time };
  };
  for (const row of rows) {
    const id = row.id as string;
    at = Math.max(at, madeAt(id), (row.answered_at as Millis | null) ?? 0);
    unread += row.unread as number;
    for (const label of ((row.labels ?? '') as string).split(',')) if (label !== '') labels.add(label);
    for (const box of [row.to_mailbox_id, row.from_mailbox_id]) if (box !== null) mailboxes.add(box as string);
    // A copy that is seen with the message itself is no message more.
    if (!ids.has(row.copy_of)) note(id, fromOf(row), row.created_at as Millis);
    if (row.reply_id !== null) note(row.reply_id as string, row.reply_from as string | null, row.replied_at as Millis);
  }
  for (const row of replies) {
    // A copy that is seen itself has its reply.
    if (ids.has(messageIdOf(row.id as string))) continue;
    at = Math.max(at, (row.answered_at as Millis | null) ?? 0);
    note(row.id as string, row.from as string | null, row.created_at as Millis);
  }
  if (unread > 0) labels.add('unread');
  const members: ThreadMember[] = [];
  for (const row of [...rows.slice(0, 1), ...rows.slice(1).slice(-MAX_MEMBERS)]) {
    const recipients = row.recipients === null ? undefined : JSON.parse(row.recipients as string);
    const reply = row.kind === 'reply' && ids.has(row.in_reply_to as string);
    members.push({
      from: fromOf(row),
      to: reply ? [] : recipients === undefined ? [row.to as string | null] : [...recipients.to, ...recipients.cc],
    });
    if (row.reply_id !== null) members.push({ from: row.reply_from as string | null, to: [] });
  }
  return {
    thread_id,
    at,
    subject: (rows.find(({ subject }) => subject !== null)?.subject as string | undefined) ?? null,
    members,
    mailbox_ids: [...mailboxes],
    messages_count: count,
    unread_count: unread,
    labels: [...labels].sort(),
    last: { ...last, text: '' },
  };
}

/** The address of a mail's author is not in `from`. */
const fromOf = (row: Row): string | null =>
  row.sender_kind === 'email' ? (row.sender_id as string | null) : (row.from as string | null);
