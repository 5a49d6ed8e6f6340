import type { Channel, Decider, Message, SenderKind, Status } from '../../core/entities/message.ts';
import type { Acceptance, Claim, Messages, Settlement } from '../../core/ports/store.ts';
import type { Millis } from '../../core/values/clock.ts';
import { firstIdAt, firstOf } from '../../core/values/ids.ts';
import type { Page } from '../../core/values/page.ts';
import { yieldToEventLoop } from '../../core/values/yield-to-event-loop.ts';
import type { Cell, Db, Row } from '../db.ts';
import { params, step } from '../db.ts';
import type { Next } from '../search/collect.ts';
import { collect } from '../search/collect.ts';
import { isPlain } from '../search/message-slice.ts';
import type { Searches } from '../search/searches.ts';
import { slice } from '../search/slice.ts';
import type { SearchTask, Slice } from '../search/tasks.ts';
import { batchEnd } from './batch.ts';
import { giveBackMessages, holdStorage } from './storage.ts';

/** In the order of the table; the last column is not part of a message: the mailbox that gets the reply filed. */
export const MESSAGE_COLUMNS = `id, thread_id, in_reply_to, retry_of, mailbox_id, "to", "from", sender_kind, sender_id,
  sender_namespace_id, key_id, channel, hops, subject, body, data, status, waiting_for, error_code, error_message,
  reply_body, reply_data, created_at, settled_at, from_mailbox_id`;

/**
 * Appends a message's cells in the order of the columns, without an intermediate array, as this is the most frequent
 * write.
 */
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

/** Appends the other cells of an acceptance: lease, bound, and the four cells of its idempotency key. */
export function pushTerms(cells: Cell[], { leased_until, max_waiting, idempotency }: Acceptance): void {
  cells.push(leased_until ?? null, max_waiting);
  if (idempotency === undefined) cells.push(null, null, null, null);
  else cells.push(idempotency.scope, idempotency.key, idempotency.hash, idempotency.expires_at);
}

/** The cells of a settlement: the claim and the final state. */
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
 * A message whose mailbox lives, with whether it is being handled or waits for a decision, and whether its sender was
 * deleted: what a deleted namespace or mailbox sent has no sender from that moment, though its rows are blanked in
 * batches.
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

/** Maximum bytes of a page of messages with more than one message, so that other requests do not wait too long. */
const PAGE_BYTES = 4 * 1024 * 1024;
/** This many are read at once whatever their size. */
const FEW = 2;
/** Sorts above every id. */
const ABOVE = '~';

/** Selects old messages by id, which gives the time of creation; a message settles later than that. */
const OLD_END = batchEnd('id > $1 and id < $2', '$3');
const RETIRE = 'delete from messages where id > $1 and id <= $2 and settled_at < $3 returning id';

/** One index look-up per mailbox. */
const HEADS = `
  select * from (
    select b.id as mailbox_id, b.status as status,
      (select max(m.id) from messages m where m.mailbox_id = b.id and m.id < $2) as head
    from mailboxes b where b.namespace_id = $1 and b.deleted_at is null
  ) heads where head is not null`;

/** Uses the index of waiting messages, which is small. */
const ASKING = `select m.id from messages m
  join mailboxes b on b.id = m.mailbox_id and b.deleted_at is null
  join jobs j on j.id = m.id and j.decides = 'sender'
  left join mailboxes s on m.sender_kind = 'mailbox' and s.id = m.sender_id
  where m.waiting_for is not null and m.status = 'submitted' and m.sender_namespace_id = $1 and m.id < $2
    and s.deleted_at is null
  order by m.id desc limit $3`;

const FIRST = 'select id from messages where id = $1 and thread_id = $2';
/** Repeats the condition of the index. */
const OF_THREAD = "thread_id = $1 and substr(thread_id, 5) <> substr(id, 5) and substr(id, 24) = '0'";
const LATER = `select id from messages where ${OF_THREAD} and id > $2 order by id limit $3`;
const EARLIER = `select id from messages where ${OF_THREAD} and id < $2 order by id desc limit $3`;

/** Walks the primary key, so that no further index slows every message. */
export const makeRetire =
  (db: Db): Messages['retire'] =>
  async (before, after, max) => {
    const [end] = await db.read(OLD_END, [after, firstIdAt('msg', before), max]);
    const next = (end?.id as string | null | undefined) ?? null;
    if (next === null) return { retired: 0, next };
    const written = await db.write(
      [
        holdStorage(),
        ...giveBackMessages('m.id > $1 and m.id <= $2 and m.settled_at < $3', after, next, before),
        step(RETIRE, after, next, before),
      ],
      'expire',
    );
    return { retired: written.at(-1)?.length ?? 0, next };
  };

/** Bytes of a stored message; reads none of its text. */
const SIZES = `select id, octet_length(body) + coalesce(octet_length(data), 0) + coalesce(octet_length(reply_body), 0)
  + coalesce(octet_length(reply_data), 0) as size from messages where id in`;

const idsIn = (rows: readonly Row[]): readonly string[] => rows.map(({ id }) => id as string);
type Reads = Pick<
  Messages,
  'byId' | 'settledOf' | 'page' | 'awaitingApproval' | 'heads' | 'thread' | 'threadEnd' | 'idsOf' | 'byIds'
>;

export interface MessageReads extends Reads {
  /** The first of these ids, as many as one page holds. */
  fitting(ids: readonly string[]): Promise<readonly string[]>;
}

export function makeMessageReads(db: Db, searches: Searches): MessageReads {
  /** In parts of at most `PAGE_BYTES`, or of one message each. */
  async function parted(ids: readonly string[]): Promise<readonly (readonly string[])[]> {
    if (ids.length <= FEW) return ids.length === 0 ? [] : [ids];
    const { values, p } = params();
    const rows = await db.read(`${SIZES} (${ids.map(p).join(', ')})`, values);
    const sizes = new Map(rows.map(({ id, size }) => [id, size as number]));
    const parts: string[][] = [];
    let left = 0;
    for (const id of ids) {
      const size = sizes.get(id) ?? 0;
      if (size > left || parts.length === 0) {
        parts.push([]);
        left = PAGE_BYTES;
      }
      left -= size;
      parts.at(-1)?.push(id);
    }
    return parts;
  }

  const fitting = async (ids: readonly string[]): Promise<readonly string[]> => (await parted(ids))[0] ?? [];

  /** Lists without a filter: a slice reads no text. */
  async function sliced(task: SearchTask): Promise<Slice> {
    await yieldToEventLoop();
    return slice(db.read, task);
  }

  async function read(ids: readonly string[], which = ''): Promise<readonly Message[]> {
    const { values, p } = params();
    const where = `where m.id in (${ids.map(p).join(', ')}) ${which}`;
    return (await db.read(`${SELECT_MESSAGE} ${where} order by m.id`, values)).map(messageFrom);
  }

  /** Oldest first. */
  async function those(ids: readonly string[], which = ''): Promise<readonly Message[]> {
    const found: Message[] = [];
    for (const part of await parted([...ids].sort())) {
      if (found.length > 0) await yieldToEventLoop();
      found.push(...(await read(part, which)));
    }
    return found;
  }

  /** The page of ids in the order of a list, with what follows; `next` applies when all of them fit. */
  async function pageOf(ids: readonly string[], size: number, next: string | null = null): Promise<Page<Message>> {
    const part = await fitting(ids.slice(0, size));
    const byId = new Map((part.length === 0 ? [] : await read(part)).map((message) => [message.id, message]));
    const items = part.map((id) => byId.get(id)).filter((message) => message !== undefined);
    return { items, next: part.length < ids.length ? (part.at(-1) ?? null) : next };
  }

  return {
    async byId(id) {
      const [row] = await db.read(`${SELECT_MESSAGE} where m.id = $1`, [id]);
      return row && messageFrom(row);
    },

    settledOf: (ids) => those(ids, "and m.status <> 'submitted'"),

    async page(of, before, size, caller) {
      if (of.mailbox_id === undefined && of.sender_namespace_id === undefined) {
        throw new TypeError('A page of messages is of a mailbox or of a namespace that sent them');
      }
      const floor = of.since === undefined ? '' : firstIdAt('msg', of.since);
      const next: Next = (place, max) => ({ kind: 'messages', of, before: place ?? before ?? ABOVE, floor, max });
      const bounds = { max: size + 1, rows: of.scan };
      const { found, place } = isPlain(of)
        ? await collect(next, bounds, sliced)
        : await searches.run(of.query, next, bounds, caller);
      return pageOf(found, size, place);
    },

    async awaitingApproval(namespaceId, before, size) {
      return pageOf(idsIn(await db.read(ASKING, [namespaceId, before ?? ABOVE, size + 1])), size);
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
      const first = after === null ? await db.read(FIRST, [firstOf(threadId), threadId]) : [];
      const later = await db.read(LATER, [threadId, after ?? '', size + 1 - first.length]);
      return pageOf(idsIn([...first, ...later]), size);
    },

    async threadEnd(threadId, before, size) {
      const rows = await db.read(EARLIER, [threadId, before ?? ABOVE, size + 1]);
      const first = firstOf(threadId);
      const more =
        rows.length <= size && (before === null || first < before) ? await db.read(FIRST, [first, threadId]) : [];
      const { items, next } = await pageOf(idsIn([...rows, ...more]), size);
      return { items: items.toReversed(), next };
    },

    async idsOf(of, after, before, max) {
      const [column, id] =
        'mailbox_id' in of ? ['mailbox_id', of.mailbox_id] : ['sender_namespace_id', of.sender_namespace_id];
      const rows = await db.read(
        `select id from messages where ${column} = $1 and id > $2 and id < $3 order by id limit $4`,
        [id, after, before, max],
      );
      return idsIn(rows);
    },

    byIds: (ids) => those(ids),

    fitting,
  };
}
