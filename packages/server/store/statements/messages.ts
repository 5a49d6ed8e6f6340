import type { Channel, Decider, RecipientLists, SenderKind, Status } from '@mailroom/behavior/message';
import type { Millis } from '@mailroom/behavior/values/clock';
import { firstIdAt, firstOf, messageIdOf } from '@mailroom/behavior/values/ids';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import type { AnsweredBy } from '../../core/entities/actor.ts';
import type { AppliedRules } from '../../core/entities/applied-rules.ts';
import type { NotAnswered } from '../../core/entities/email.ts';
import type { StoredFinding } from '../../core/entities/finding.ts';
import type { Message } from '../../core/entities/message.ts';
import { progressFrom } from '../../core/entities/own-progress.ts';
import type { MailFields, Metadata } from '../../core/entities/recipients.ts';
import { BEGINNING, type Messages, type MessageTexts } from '../../core/ports/messages.ts';
import type { Page } from '../../core/values/page.ts';
import { type Db, params, type Row } from '../db.ts';
import { columnsOf } from '../schema/table.ts';
import { messages } from '../schema/tables.ts';
import { collect } from '../search/collect.ts';
import { isCall, isPlain, namespaceOf } from '../search/message-slice.ts';
import type { Searches } from '../search/searches.ts';
import { slice } from '../search/slice.ts';
import type { MessageTask, Slice } from '../search/tasks.ts';
import { isTrashed, LABELS, labelsFrom } from './labels.ts';
import { HAS_FILES, withFiles } from './message-files.ts';

/**
 * A message whose mailbox lives, with the state of answering it and the reply that settled it, and whether its sender was
 * deleted: what a deleted namespace or mailbox sent has no sender from that moment, though its rows are blanked in
 * batches. A reply is there as long as its author or its recipient is.
 */
export const SELECT_MESSAGE = selectMessage((column) => column);
/** As `SELECT_MESSAGE`, with the beginnings of the texts. */
const SELECT_BEGINNING = selectMessage((column) => `substr(${column}, 1, ${BEGINNING})`);

function selectMessage(textOf: (column: string) => string): string {
  const columns = columnsOf(messages, 'm').replace(
    /\bm\.(?:body|data)\b/g,
    (column) => `${textOf(column)} as ${column.slice(2)}`,
  );
  return `
  select ${columns}, ${textOf('r.body')} as reply_body, ${textOf('r.data')} as reply_data, r.by_hand as reply_by_hand,
    h.waiting_for,
    case when h.leased = 1 or h.waiting_for in ('approval', 'review') or h.claim is not null then 1 else 0 end as working,
    case when h.leased = 1 or h.claim is not null then h.progress end as progress,
    case when h.waiting_for = 'approval' then h.plan end as plan,
    h.decides, case when h.by_hand_ms > 0 then 1 else 0 end as taken_over, case when b.deleted_at is null then b.id end as holder,
    case when (m.kind = 'message' and n.deleted_at is not null) or s.deleted_at is not null then 1 else 0 end as sender_gone,
    n.deleted_at as namespace_deleted_at, ${HAS_FILES}, ${LABELS}
  from messages m
  left join mailboxes b on b.id = m.to_mailbox_id
  left join messages r on r.id = m.reply_id
  left join handlings h on m.status = 'submitted' and h.message_id = m.id
  left join namespaces n on n.id = m.sender_namespace_id
  left join mailboxes s on m.sender_kind = 'mailbox' and s.id = m.sender_id`;
}
/** The condition that belongs to `SELECT_MESSAGE`. */
export const IS_HELD = `((b.id is not null and b.deleted_at is null)
  or ((m.kind = 'reply' or m.to_mailbox_id is null) and s.id is not null and s.deleted_at is null)
  or (m.to_mailbox_id is null and m.sender_kind = 'key' and n.deleted_at is null and n.id is not null))`;

/** Before there were members, the key alone was stored. */
const answeredByFrom = (text: string): AnsweredBy => (text.startsWith('{') ? JSON.parse(text) : { key_id: text });

export function messageFrom(row: Row): Message {
  const gone = row.sender_gone === 1;
  const allGone = row.namespace_deleted_at !== null;
  const isReply = row.kind === 'reply';
  const holder = row.holder as string | null;
  return {
    id: row.id as string,
    kind: row.kind as Message['kind'],
    thread_id: row.thread_id as string,
    in_reply_to: row.in_reply_to as string | null,
    retry_of: row.retry_of as string | null,
    mailbox_id: holder ?? (row.from_mailbox_id as string | null) ?? '',
    to: isReply && holder === null ? null : (row.to as string | null),
    from: gone ? null : (row.from as string | null),
    sender_kind: row.sender_kind as SenderKind,
    sender_id: gone ? null : (row.sender_id as string | null),
    sender_namespace_id: allGone ? null : (row.sender_namespace_id as string | null),
    ...(row.sender_agent != null && !gone && { sender_agent: row.sender_agent as string }),
    key_id: allGone ? null : (row.key_id as string | null),
    channel: row.channel as Channel,
    hops: row.hops as number,
    subject: row.subject as string | null,
    body: row.body as string,
    data: row.data as string | null,
    status: row.working === 1 ? 'working' : (row.status as Status),
    waiting_for: row.waiting_for as Message['waiting_for'],
    ...(row.by_hand === 1 && { by_hand: true }),
    ...(row.answered_by != null && { answered_by: answeredByFrom(row.answered_by as string) }),
    ...(row.taken_over === 1 && { taken_over: true }),
    error_code: row.error_code as string | null,
    error_message: row.error_message as string | null,
    created_at: row.created_at as Millis,
    settled_at: row.settled_at as Millis | null,
    replies_count: row.replies_count as number,
    read: row.read === 1,
    ...(row.copy_of != null && { copy_of: row.copy_of as string }),
    ...(row.recipients != null && { recipients: JSON.parse(row.recipients as string) as RecipientLists }),
    ...(row.filed != null && { not_answered: row.filed as NotAnswered }),
    ...(row.mail != null && { mail: JSON.parse(row.mail as string) as MailFields }),
    ...(row.metadata != null && { metadata: JSON.parse(row.metadata as string) as Metadata }),
    ...(row.findings != null && { findings: JSON.parse(row.findings as string) as StoredFinding[] }),
    ...(row.trace != null && { trace: row.trace as string }),
    ...(row.rules != null && { rules: JSON.parse(row.rules as string) as AppliedRules }),
    ...labelsFrom(row),
    reply:
      row.reply_body === null
        ? null
        : {
            body: row.reply_body as string,
            data: row.reply_data as string | null,
            ...(row.reply_by_hand === 1 && { by_hand: true }),
          },
    ...(row.progress == null ? {} : progressFrom(row.progress as string)),
    ...(row.plan == null
      ? {}
      : { plan: row.plan as string, decides: (row.decides as Decider | null) ?? ('recipient' as const) }),
  };
}

/** Maximum bytes of a page of messages with more than one message, so that other requests do not wait too long. */
const PAGE_BYTES = 1024 * 1024;
/** Bytes of messages that are read in one turn of the event loop. */
const PART_BYTES = 128 * 1024;
/** Sorts above every id. */
const ABOVE = '~';

/** One index look-up per mailbox. */
const HEADS = `
  select * from (
    select b.id as mailbox_id, b.status as status,
      (select max(m.id) from messages m where m.to_mailbox_id = b.id and m.id < $2) as head
    from mailboxes b where b.namespace_id = $1 and b.deleted_at is null
  ) heads where head is not null`;

/** Uses the index of messages that ask the sender's owner, which is small. */
const ASKING = `select h.message_id as id from handlings h
  join messages m on m.id = h.message_id and m.status = 'submitted'
  join mailboxes b on b.id = m.to_mailbox_id and b.deleted_at is null
  left join mailboxes s on m.sender_kind = 'mailbox' and s.id = m.sender_id
  where h.asked_namespace_id = $1 and h.waiting_for is not null and h.message_id < $2 and s.deleted_at is null
  order by h.message_id desc limit $3`;

const FIRST = 'select id from messages where id = $1 and thread_id = $2';
/** The later messages of the thread `$1`. Repeats the condition of the index. */
export const OF_THREAD = "thread_id = $1 and substr(thread_id, 5) <> substr(id, 5) and substr(id, 24) <> '1'";
const LATER = `select id from messages where ${OF_THREAD} and id > $2 order by id limit $3`;
const EARLIER = `select id from messages where ${OF_THREAD} and id < $2 order by id desc limit $3`;

/** Bytes of a stored message; reads none of its text. */
const SIZES = `select m.id, octet_length(m.body) + coalesce(octet_length(m.data), 0)
  + coalesce(octet_length(r.body), 0) + coalesce(octet_length(r.data), 0) as size
  from messages m left join messages r on r.id = m.reply_id where m.id in`;

/** The newest of a thread but for its first one and the replies, which have the ids of the messages they answer. */
const NEWEST = `select max(l.id) from messages l where l.thread_id = t.id
  and substr(l.thread_id, 5) <> substr(l.id, 5) and substr(l.id, 24) <> '1'`;
/** Messages of a thread among which unread ones are looked for. */
const UNREAD_OF_THREAD = 50;
const UNREAD_IN = `select string_agg(newest.to_mailbox_id, ',') from (
    select l.to_mailbox_id, l.read from messages l where l.thread_id = t.id
      and substr(l.thread_id, 5) <> substr(l.id, 5) and substr(l.id, 24) <> '1'
    order by l.id desc limit ${UNREAD_OF_THREAD}
  ) newest where newest.read = 0 and newest.to_mailbox_id is not null`;
/** Conversations with something unread are counted up to this number, among so many messages of a mailbox. */
const MAX_UNREAD = 100;
const UNREAD_AMONG = 1_000;
/** The inner list is read in the index alone. */
const UNREAD = `
  select b.id, (
    select count(distinct found.thread_id) from (
      select m.thread_id from (
        select x.id, x.read from messages x where x.to_mailbox_id = b.id order by x.id desc limit ${UNREAD_AMONG}
      ) newest join messages m on m.id = newest.id
      where newest.read = 0 and not ${isCall(namespaceOf('b.id'))} and not ${isTrashed('= b.id')} limit ${MAX_UNREAD}
    ) found) as count
  from mailboxes b where b.deleted_at is null and b.id in`;

/** Bytes of messages by their ids. */
type Sizes = ReadonlyMap<string, number>;

/** The ids in order, in parts of at most `max` bytes or of one message each. */
function partsOf(ids: readonly string[], sizes: Sizes, max: number): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let freeBytes = 0;
  for (const id of ids) {
    const size = sizes.get(id) ?? 0;
    if (size > freeBytes || parts.length === 0) {
      parts.push([]);
      freeBytes = max;
    }
    freeBytes -= size;
    parts.at(-1)?.push(id);
  }
  return parts;
}

const idsIn = (rows: readonly Row[]): readonly string[] => rows.map(({ id }) => id as string);
type Reads = Pick<
  Messages,
  | 'byId'
  | 'settledOf'
  | 'page'
  | 'awaitingApproval'
  | 'endsOf'
  | 'unread'
  | 'unreadIn'
  | 'heads'
  | 'thread'
  | 'threadEnd'
  | 'idsOf'
  | 'byIds'
  | 'copiesOf'
  | 'traces'
>;

interface Reading {
  readonly texts?: MessageTexts | undefined;
  /** One more condition. */
  readonly which?: string;
  readonly sizes?: Sizes;
}

export interface MessageReads extends Reads {
  /** The first of these ids, as many as one page holds. */
  fitting(ids: readonly string[]): Promise<readonly string[]>;
}

export function makeMessageReads(db: Db, searches: Searches): MessageReads {
  async function sizesOf(ids: readonly string[], texts?: MessageTexts): Promise<Sizes> {
    // Each has a text and that of its reply.
    if (texts === 'beginning') return new Map(ids.map((id) => [id, 2 * BEGINNING]));
    // One message is read whatever its size.
    if (ids.length < 2) return new Map();
    const { values, p } = params();
    const rows = await db.read(`${SIZES} (${ids.map(p).join(', ')})`, values);
    return new Map(rows.map(({ id, size }) => [id as string, size as number]));
  }

  const fitting = async (ids: readonly string[]): Promise<readonly string[]> =>
    partsOf(ids, await sizesOf(ids), PAGE_BYTES)[0] ?? [];

  /** Lists without a filter: a slice reads no text. */
  async function sliced(task: MessageTask): Promise<Slice> {
    await yieldToEventLoop();
    return slice(db.read, task);
  }

  async function read(ids: readonly string[], { which = '', texts }: Reading = {}): Promise<readonly Message[]> {
    const { values, p } = params();
    const select = texts === 'beginning' ? SELECT_BEGINNING : SELECT_MESSAGE;
    const sql = `${select} where ${IS_HELD} and m.id in (${ids.map(p).join(', ')}) ${which} order by m.id`;
    return withFiles(db, await db.read(sql, values), messageFrom);
  }

  /** Oldest first. */
  async function those(ids: readonly string[], how: Reading = {}): Promise<readonly Message[]> {
    const found: Message[] = [];
    for (const part of partsOf([...ids].sort(), how.sizes ?? (await sizesOf(ids, how.texts)), PART_BYTES)) {
      if (ids.length > 1) await yieldToEventLoop();
      found.push(...(await read(part, how)));
    }
    return found;
  }

  /** The page of ids in the order of a list, with what follows; `next` applies when all of them fit. */
  async function pageOf(
    ids: readonly string[],
    size: number,
    { texts, next = null }: { readonly texts?: MessageTexts | undefined; readonly next?: string | null } = {},
  ): Promise<Page<Message>> {
    const wanted = ids.slice(0, size);
    const sizes = await sizesOf(wanted, texts);
    const [part = []] = partsOf(wanted, sizes, PAGE_BYTES);
    const byId = new Map((await those(part, { texts, sizes })).map((message) => [message.id, message]));
    const items = part.map((id) => byId.get(id)).filter((message) => message !== undefined);
    return { items, next: part.length < ids.length ? (part.at(-1) ?? null) : next };
  }

  return {
    byId: async (id) => (await read([id]))[0],

    settledOf: (ids) => those(ids, { which: "and m.status <> 'submitted'" }),

    async page(query, beforeId, size, caller) {
      if (query.mailbox_id === undefined && (query.namespace_id ?? query.sender_namespace_id) === undefined) {
        throw new TypeError('A page of messages is of a mailbox or of a namespace that sent them');
      }
      const floor = query.since === undefined ? '' : firstIdAt('msg', query.since);
      const next = (place: string | null, max: number): MessageTask => ({
        kind: 'messages',
        of: query,
        before: place ?? beforeId ?? ABOVE,
        floor,
        max,
      });
      const bounds = { max: size + 1, rows: query.scan };
      const { found, place } = isPlain(query)
        ? await collect(next, bounds, (task) => sliced(task as MessageTask))
        : await searches.run(query.query, next, bounds, caller);
      return pageOf(found, size, { next: place, texts: query.texts });
    },

    async awaitingApproval(namespaceId, before, size, texts) {
      return pageOf(idsIn(await db.read(ASKING, [namespaceId, before ?? ABOVE, size + 1])), size, { texts });
    },

    async endsOf(threadIds) {
      if (threadIds.length === 0) return [];
      const { values, p } = params();
      const listed = threadIds.map((id) => `(${p(id)})`).join(', ');
      const rows = await db.read(`with t(id) as (values ${listed}) select (${NEWEST}) as id from t`, values);
      const newest = rows.map(({ id }) => id as string | null).filter((id) => id !== null);
      return those([...new Set([...threadIds.map(firstOf), ...newest])], { texts: 'beginning' });
    },

    async unreadIn(threadIds) {
      if (threadIds.length === 0) return new Map();
      const { values, p } = params();
      const listed = threadIds.map((id) => `(${p(id)})`).join(', ');
      const rows = await db.read(
        `with t(id) as (values ${listed}) select t.id, (${UNREAD_IN}) as boxes from t`,
        values,
      );
      return new Map(rows.map(({ id, boxes }) => [id as string, new Set(((boxes ?? '') as string).split(','))]));
    },

    async unread(mailboxIds) {
      if (mailboxIds.length === 0) return new Map();
      const { values, p } = params();
      const rows = await db.read(`${UNREAD} (${mailboxIds.map(p).join(', ')})`, values);
      return new Map(rows.filter(({ count }) => count !== 0).map(({ id, count }) => [id as string, count as number]));
    },

    async heads(namespaceId, before) {
      const rows = await db.read(HEADS, [namespaceId, before ?? ABOVE]);
      return rows.map((row) => ({
        mailbox_id: row.mailbox_id as string,
        online: row.status === 'online',
        id: row.head as string,
      }));
    },

    async thread(threadId, after, size, texts) {
      const begin = firstOf(threadId);
      const first = after === null || after < begin ? await db.read(FIRST, [begin, threadId]) : [];
      const later = await db.read(LATER, [threadId, after ?? '', size + 1 - first.length]);
      return pageOf(idsIn([...first, ...later]), size, { texts });
    },

    async threadEnd(threadId, beforeId, size, texts) {
      const rows = await db.read(EARLIER, [threadId, beforeId ?? ABOVE, size + 1]);
      const first = firstOf(threadId);
      const more =
        rows.length <= size && (beforeId === null || first < beforeId) ? await db.read(FIRST, [first, threadId]) : [];
      const { items, next } = await pageOf(idsIn([...rows, ...more]), size, { texts });
      return { items: items.toReversed(), next };
    },

    async idsOf(party, after, beforeId, max) {
      const [whose, id] =
        'mailbox_id' in party
          ? ['to_mailbox_id = $1', party.mailbox_id]
          : 'written_by' in party
            ? ['from_mailbox_id = $1 and copy_of is null', party.written_by]
            : ["sender_namespace_id = $1 and kind = 'message' and copy_of is null", party.sender_namespace_id];
      const rows = await db.read(
        `select id from messages where ${whose} and id > $2 and id < $3 order by id limit $4`,
        [id, after, beforeId, max],
      );
      return idsIn(rows);
    },

    byIds: (ids, texts) => those(ids, { texts }),

    async copiesOf(ids) {
      if (ids.length === 0) return [];
      const { values, p } = params();
      const rows = await db.read(`select id from messages where copy_of in (${ids.map(p).join(', ')})`, values);
      return those(idsIn(rows));
    },

    async traces(ids) {
      const { values, p } = params();
      const places = [...new Set(ids.map(messageIdOf))].map(p).join(', ');
      const rows = await db.read(
        `select id, trace from messages where id in (${places}) and trace is not null`,
        values,
      );
      const traces = new Map(rows.map(({ id, trace }) => [id as string, trace as string]));
      return ids.map((id) => traces.get(messageIdOf(id)));
    },

    fitting,
  };
}
