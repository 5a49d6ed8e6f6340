import type { Millis } from '../../core/clock.ts';
import { firstIdAt, firstOf } from '../../core/ids.ts';
import type { Channel, Message, SenderKind, Status } from '../../core/message.ts';
import type { Acceptance, Claim, Decider, MessageQuery, Messages, Settlement } from '../../core/store.ts';
import type { Cell, Db, Row } from '../db.ts';
import { containing, pageOf, params, step } from '../db.ts';
import { biteEnd } from './bite.ts';

/** In the order of the table; the last is not part of a message: the mailbox that gets the reply filed. */
export const MESSAGE_COLUMNS = `id, thread_id, in_reply_to, retry_of, mailbox_id, "to", "from", sender_kind, sender_id,
  sender_namespace_id, key_id, channel, hops, subject, body, data, status, waiting_for, error_code, error_message,
  reply_body, reply_data, created_at, settled_at, from_mailbox_id`;

/** Adds a message's cells in the order of the columns: straight to where they are collected, since most that is written is this. */
export function pushMessage(cells: Cell[], { message: m, from_mailbox_id }: Acceptance): void {
  cells.push(
    m.id,
    m.thread_id,
    m.in_reply_to,
    m.retry_of,
    m.mailbox_id,
    m.to,
    m.from,
    m.sender_kind,
    m.sender_id,
    m.sender_namespace_id,
    m.key_id,
    m.channel,
    m.hops,
    m.subject,
    m.body,
    m.data,
    m.status === 'working' ? 'submitted' : m.status,
    m.waiting_for,
    m.error_code,
    m.error_message,
    m.reply_body,
    m.reply_data,
    m.created_at,
    m.settled_at,
    from_mailbox_id,
  );
}

/** Adds what an acceptance is beside its message: lease, bound, and the four cells of its idempotency key. */
export function pushTerms(cells: Cell[], { leased_until, waiting_most, once }: Acceptance): void {
  cells.push(leased_until ?? null, waiting_most);
  if (once === undefined) cells.push(null, null, null, null);
  else cells.push(once.scope, once.key, once.hash, once.expires_at);
}

/** Who settles with which claim, and how it ended. */
export const settlementCells = ({ id, fence }: Pick<Claim, 'id' | 'fence'>, s: Settlement): Cell[] => [
  id,
  fence,
  s.status,
  s.error_code,
  s.error_message,
  s.reply_body,
  s.reply_data,
  s.settled_at,
];

const OF_MESSAGE = MESSAGE_COLUMNS.split(',')
  .map((column) => `m.${column.trim()}`)
  .join(', ');

/**
 * A message whose mailbox lives, whether somebody works on it or is asked about it, and whether its sender was deleted: what a deleted
 * namespace or mailbox sent is nobody's from that moment, though its rows are blanked in bites.
 */
export const SELECT_MESSAGE = `
  select ${OF_MESSAGE}, case when j.leased = 1 or j.parked = 1 then 1 else 0 end as working,
    case when j.leased = 1 then j.progress end as progress, case when j.parked = 1 then j.plan end as plan,
    j.decides,
    case when n.deleted_at is not null or s.deleted_at is not null then 1 else 0 end as sender_gone,
    n.deleted_at as namespace_deleted_at
  from messages m
  join mailboxes b on b.id = m.mailbox_id and b.deleted_at is null
  left join jobs j on m.status = 'submitted' and j.id = m.id
  left join namespaces n on n.id = m.sender_namespace_id
  left join mailboxes s on m.sender_kind = 'mailbox' and s.id = m.sender_id`;

export function messageFrom(row: Row): Message {
  const gone = row.sender_gone === 1;
  const allGone = row.namespace_deleted_at !== null;
  return {
    id: row.id as string,
    thread_id: row.thread_id as string,
    in_reply_to: row.in_reply_to as string | null,
    retry_of: row.retry_of as string | null,
    mailbox_id: row.mailbox_id as string,
    to: row.to as string,
    from: gone ? null : (row.from as string | null),
    sender_kind: row.sender_kind as SenderKind,
    sender_id: gone ? null : (row.sender_id as string | null),
    sender_namespace_id: allGone ? null : (row.sender_namespace_id as string | null),
    key_id: allGone ? null : (row.key_id as string | null),
    channel: row.channel as Channel,
    hops: row.hops as number,
    subject: row.subject as string | null,
    body: row.body as string,
    data: row.data as string | null,
    status: row.working === 1 ? 'working' : (row.status as Status),
    waiting_for: row.waiting_for as Message['waiting_for'],
    error_code: row.error_code as string | null,
    error_message: row.error_message as string | null,
    reply_body: row.reply_body as string | null,
    reply_data: row.reply_data as string | null,
    created_at: row.created_at as Millis,
    settled_at: row.settled_at as Millis | null,
    ...(row.progress == null ? {} : { progress: row.progress as string }),
    ...(row.plan == null
      ? {}
      : { plan: row.plan as string, decides: (row.decides as Decider | null) ?? ('recipient' as const) }),
  };
}

/** A page looks at this many rows at most, */
const SCAN = 20_000;
/** and at this many before others get their turn: with large bodies a search of more would stop the process. */
const SLICE = 500;
/** Above every id. */
const ABOVE = '~';

/** Of what is old by its id, which tells when it was made: it settled later, if at all. */
const OLD_END = biteEnd('id > $1 and id < $2', '$3');
const RETIRE = 'delete from messages where id > $1 and id <= $2 and settled_at < $3 returning id';

/** By the index of each mailbox: a look-up a mailbox. */
const HEADS = `
  select * from (
    select b.id as mailbox_id, b.status as status,
      (select max(m.id) from messages m where m.mailbox_id = b.id and m.id < $2) as head
    from mailboxes b where b.namespace_id = $1 and b.deleted_at is null
  ) heads where head is not null`;

/** By the index of what waits, which is little. */
const ASKING = `${SELECT_MESSAGE}
  where m.waiting_for is not null and m.sender_namespace_id = $1 and m.id < $2 and j.decides = 'sender'
    and s.deleted_at is null
  order by m.id desc limit $3`;

/** By the primary key, so that no index is kept for it on the way of every message. */
export const makeRetire =
  (db: Db): Messages['retire'] =>
  async (before, after, most) => {
    const [end] = await db.read(OLD_END, [after, firstIdAt('msg', before), most]);
    const next = (end?.id as string | null | undefined) ?? null;
    if (next === null) return { retired: 0, next };
    const [retired] = await db.write([step(RETIRE, after, next, before)], 'expire');
    return { retired: retired?.length ?? 0, next };
  };

const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** One slice: rows of the index between `before` and `floor`, and what of them fits. */
function slice(of: MessageQuery, before: string, floor: string, most: number) {
  const { values, p } = params();
  const where: string[] = [`m.id < ${p(before)}`, `m.id >= ${p(floor)}`];
  if (of.mailbox_id !== undefined) where.push(`m.mailbox_id = ${p(of.mailbox_id)}`);
  if (of.sender_namespace_id !== undefined) where.push(`m.sender_namespace_id = ${p(of.sender_namespace_id)}`);
  if (of.sender_mailbox_id !== undefined) where.push(`m.from_mailbox_id = ${p(of.sender_mailbox_id)}`);
  if (of.status === 'working') where.push("m.status = 'submitted' and (j.leased = 1 or j.parked = 1)");
  else if (of.status === 'submitted') {
    where.push("m.status = 'submitted' and coalesce(j.leased, 0) = 0 and coalesce(j.parked, 0) <> 1");
  } else if (of.status !== undefined) where.push(`m.status = ${p(of.status)}`);
  if (of.query !== undefined) {
    const like = `like ${p(containing(of.query))} escape '\\'`;
    where.push(`(lower(m.subject) ${like} or lower(m.body) ${like} or lower(m.reply_body) ${like})`);
  }
  return { sql: `${SELECT_MESSAGE} where ${where.join(' and ')} order by m.id desc limit ${p(most)}`, values };
}

/** The id that stands `SLICE` rows below `before`, itself excluded from what comes after it; none: the end is nearer. */
function floorOf(of: MessageQuery, before: string, since: string) {
  const { values, p } = params();
  const where = [`id < ${p(before)}`, `id >= ${p(since)}`];
  if (of.mailbox_id !== undefined) where.push(`mailbox_id = ${p(of.mailbox_id)}`);
  if (of.sender_namespace_id !== undefined) where.push(`sender_namespace_id = ${p(of.sender_namespace_id)}`);
  return {
    sql: `select id from messages where ${where.join(' and ')} order by id desc limit 1 offset ${SLICE - 1}`,
    values,
  };
}

export function makeMessageReads(
  db: Db,
): Pick<Messages, 'byId' | 'settledOf' | 'page' | 'asking' | 'heads' | 'thread' | 'threadEnd' | 'idsOf' | 'byIds'> {
  /** Oldest first. */
  async function those(ids: readonly string[], which = ''): Promise<readonly Message[]> {
    if (ids.length === 0) return [];
    const { values, p } = params();
    const where = `where m.id in (${ids.map(p).join(', ')}) ${which}`;
    return (await db.read(`${SELECT_MESSAGE} ${where} order by m.id`, values)).map(messageFrom);
  }

  return {
    async byId(id) {
      const [row] = await db.read(`${SELECT_MESSAGE} where m.id = $1`, [id]);
      return row && messageFrom(row);
    },

    settledOf: (ids) => those(ids, "and m.status <> 'submitted'"),

    async page(of, before, size) {
      if (of.mailbox_id === undefined && of.sender_namespace_id === undefined) {
        throw new TypeError('A page of messages is of a mailbox or of a namespace that sent them');
      }
      const since = of.since === undefined ? '' : firstIdAt('msg', of.since);
      const found: Message[] = [];
      let above = before ?? ABOVE;
      if (of.mailbox_id !== undefined && of.status === undefined && of.query === undefined) {
        // Every row of its index fits: as many as asked for are looked at, and no more.
        const all = slice(of, above, since, size + 1);
        return pageOf((await db.read(all.sql, all.values)).map(messageFrom), size);
      }
      for (let scanned = 0; scanned < (of.scan ?? SCAN); scanned += SLICE) {
        if (scanned > 0) await breath();
        const edge = floorOf(of, above, since);
        const [floor] = await db.read(edge.sql, edge.values);
        const part = slice(of, above, (floor?.id as string | undefined) ?? since, size + 1 - found.length);
        for (const row of await db.read(part.sql, part.values)) found.push(messageFrom(row));
        if (found.length > size) return pageOf(found, size);
        if (floor === undefined) return { items: found, next: null };
        above = floor.id as string;
      }
      return { items: found, next: above };
    },

    async asking(namespaceId, before, size) {
      const rows = await db.read(ASKING, [namespaceId, before ?? ABOVE, size + 1]);
      return pageOf(rows.map(messageFrom), size);
    },

    async heads(namespaceId, before) {
      const rows = await db.read(HEADS, [namespaceId, before ?? ABOVE]);
      return rows.map((row) => ({
        mailbox_id: row.mailbox_id as string,
        online: row.status === 'online',
        id: row.head as string,
      }));
    },

    async thread(threadId, after, size) {
      const first = firstOf(threadId);
      const found: Message[] = [];
      if (after === null) {
        const rows = await db.read(`${SELECT_MESSAGE} where m.id = $1 and m.thread_id = $2`, [first, threadId]);
        for (const row of rows) found.push(messageFrom(row));
      }
      const later = await db.read(
        `${SELECT_MESSAGE} where m.thread_id = $1 and substr(m.thread_id, 5) <> substr(m.id, 5) and substr(m.id, 24) = '0'
         and m.id > $2 order by m.id limit $3`,
        [threadId, after ?? '', size + 1 - found.length],
      );
      for (const row of later) found.push(messageFrom(row));
      return pageOf(found, size);
    },

    async threadEnd(threadId, before, size) {
      const { values, p } = params();
      const below = before === null ? '' : `and m.id < ${p(before)}`;
      const rows = await db.read(
        `${SELECT_MESSAGE} where m.thread_id = ${p(threadId)} and substr(m.thread_id, 5) <> substr(m.id, 5)
         and substr(m.id, 24) = '0' ${below} order by m.id desc limit ${p(size + 1)}`,
        values,
      );
      const first = firstOf(threadId);
      const more =
        rows.length <= size && (before === null || first < before)
          ? await db.read(`${SELECT_MESSAGE} where m.id = $1 and m.thread_id = $2`, [first, threadId])
          : [];
      const { items, next } = pageOf([...rows, ...more].map(messageFrom), size);
      return { items: items.toReversed(), next };
    },

    async idsOf(of, after, before, most) {
      const [column, id] =
        'mailbox_id' in of ? ['mailbox_id', of.mailbox_id] : ['sender_namespace_id', of.sender_namespace_id];
      const rows = await db.read(
        `select id from messages where ${column} = $1 and id > $2 and id < $3 order by id limit $4`,
        [id, after, before, most],
      );
      return rows.map((row) => row.id as string);
    },

    byIds: (ids) => those(ids),
  };
}
