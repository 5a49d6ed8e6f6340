import type { EventType } from '../../core/entities/event.ts';
import { type StandingFilter, type ThreadNote, type ThreadStanding, UNTOUCHED } from '../../core/entities/standing.ts';
import { laterJobOf } from '../../core/ports/claim.ts';
import type { Conversations } from '../../core/ports/conversations.ts';
import type { SearchedBy } from '../../core/ports/search.ts';
import type { ThreadOf } from '../../core/ports/threads.ts';
import { type Cell, type Db, params, type Row, step, type WriteStep } from '../db.ts';
import { UNLESS_ASSIGNED } from '../message-arrived.ts';
import { cellsOf, columnsOf, insertIfSql, parametersOf, rowOf } from '../schema/table.ts';
import { conversations, threadNotes } from '../schema/tables.ts';
import { holdMailbox, mailboxLives } from './living.ts';
import { holdStorage, refundThreadNotes } from './storage.ts';

const COLUMNS = columnsOf(conversations);
const OF = 'mailbox_id = $1 and thread_id = $2';
const FIND = `
  select ${columnsOf(conversations, 'c')} from mailboxes b
  left join conversations c on c.mailbox_id = b.id and c.thread_id = $2 where b.id = $1 and b.deleted_at is null`;
/** A row that nothing changes is taken out again. */
const ENSURE = `
  insert into conversations (namespace_id, mailbox_id, thread_id, state, updated_at)
  select namespace_id, id, $2, 'open', 0 from mailboxes where id = $1 and deleted_at is null
  on conflict (mailbox_id, thread_id) do nothing`;
const STATE = `
  update conversations set state = $4, until = cast($5 as bigint), updated_at = $3
  where ${OF} and (state <> $4 or coalesce(until, 0) <> coalesce(cast($5 as bigint), 0)) returning thread_id`;
const ASSIGN = `
  update conversations set assignee = $4, updated_at = $3
  where ${OF} and coalesce(assignee, '') <> coalesce(cast($4 as text), '') returning thread_id`;
const SET_JOB = `
  insert into jobs (id, kind, subject, due_at)
  select cast($3 as text), 'later', $1 || ' ' || $2, until from conversations where ${OF} and state = 'later' and until is not null
  on conflict (id) do update set due_at = excluded.due_at, leased = 0, attempt = 0, fence = jobs.fence + 1`;
const DROP_JOB = `
  delete from jobs where id = $3 and not exists (select 1 from conversations where ${OF} and state = 'later')`;
/** A conversation that was put off again meanwhile has a new job. */
const END_JOB = 'delete from jobs where id = $1 and fence = $2 and leased = 1';
const REOPEN = `
  update conversations set state = 'open', until = null, updated_at = $3
  where ${OF} and state = 'later' and until <= $3 returning namespace_id`;
const DROP_UNCHANGED = `delete from conversations where ${OF} and updated_at = 0`;
const CHANGED: EventType = 'thread.updated';
const NOTED: EventType = 'thread.note';
const NOTIFY = `
  insert into events (namespace_id, mailbox_id, type, subject_id, at, arrived)
  select namespace_id, mailbox_id, '${CHANGED}', thread_id, cast($3 as bigint), 0 from conversations where ${OF}`;
const NOTIFY_CHANGED = `${NOTIFY} and updated_at = $3`;

/** SQL of a message that arrived in a thread with a row; cells: the mailbox, the thread, the time. */
export const REOPEN_BY_MESSAGE = `
  update conversations set state = 'open', until = null, updated_at = $3 where ${OF}`;
/** SQL of a further reply that arrived in a mailbox here; its cell is the id of the reply. */
export const REOPEN_OF_REPLY = `
  update conversations set state = 'open', until = null, updated_at = r.created_at
  from messages r where r.id = $1 and conversations.mailbox_id = r.to_mailbox_id and conversations.thread_id = r.thread_id`;
/**
 * SQL of answers by hand, after which the other side has the turn, of those that `answered` selects: namespace, mailbox,
 * thread and time.
 */
export const waitAfterAnswers = (answered: string): string => `
  insert into conversations (namespace_id, mailbox_id, thread_id, state, updated_at)
  select w.namespace_id, w.id, w.thread_id, 'waiting', w.answered_at from (${answered}) w where true
  on conflict (mailbox_id, thread_id) do update set updated_at = excluded.updated_at,
    state = case when conversations.state = 'open' then 'waiting' else conversations.state end`;
/** SQL of one; cells: as above. */
export const WAIT_AFTER_ANSWER = waitAfterAnswers(
  `select namespace_id, id, cast($2 as text) as thread_id, cast($3 as bigint) as answered_at from mailboxes
   where id = $1 and deleted_at is null`,
);

/** SQL of a rule that assigns the conversation of a message which arrives, unless it is assigned; then the rules' JSON. */
export const ASSIGN_BY_RULE = `
  insert into conversations (namespace_id, mailbox_id, thread_id, state, assignee, updated_at)
  select namespace_id, id, $2, 'open', $4 ->> 'assign', cast($3 as bigint) from mailboxes
  where id = $1 and $4 ->> 'assign' is not null
  on conflict (mailbox_id, thread_id) do update set ${UNLESS_ASSIGNED}`;

const NOTE_CELLS = parametersOf(threadNotes);
const ADD_NOTE = `${insertIfSql(threadNotes, mailboxLives(NOTE_CELLS.mailbox_id))} returning id`;
const NOTE_EVENT = `
  insert into events (namespace_id, mailbox_id, type, subject_id, at, arrived)
  select namespace_id, mailbox_id, '${NOTED}', id, created_at, 0 from thread_notes where id = $1`;

/** The threads of the messages that a statement selects, in each of their mailboxes. */
const threadsOf = (selected: string): string => `
  select x.to_mailbox_id, x.thread_id from messages x where x.id in (${selected}) and x.to_mailbox_id is not null
  union select x.from_mailbox_id, x.thread_id from messages x where x.id in (${selected}) and x.from_mailbox_id is not null`;
/** Whether a mailbox has another message of the thread than these. */
const isLeft = (table: string, selected: string): string => {
  const here = `(r.to_mailbox_id = ${table}.mailbox_id or r.from_mailbox_id = ${table}.mailbox_id) and r.id not in (${selected})`;
  return `(exists (select 1 from messages r where r.id = 'msg_' || substr(${table}.thread_id, 5) and ${here})
    or exists (select 1 from messages r where r.thread_id = ${table}.thread_id
      and substr(r.thread_id, 5) <> substr(r.id, 5) and substr(r.id, 24) <> '1' and ${here}))`;
};

/** Deletes what was noted of threads of which these messages are all that is left, before they are deleted. */
export const dropConversations = (selected: string, ...cells: readonly Cell[]): readonly WriteStep[] => {
  const those = (table: string): string =>
    `(${table}.mailbox_id, ${table}.thread_id) in (${threadsOf(selected)}) and not ${isLeft(table, selected)}`;
  return [
    ...refundThreadNotes(those('thread_notes'), ...cells),
    step(`delete from thread_notes where ${those('thread_notes')}`, ...cells),
    step(`delete from conversations where ${those('conversations')}`, ...cells),
  ];
};

/** Deletes up to `max` of what was noted in a mailbox that is deleted; true when there may be more. */
export async function purgeConversations(db: Db, mailboxId: string, max: number): Promise<boolean> {
  const notes = `select id from thread_notes where mailbox_id = $1 order by mailbox_id, thread_id, id limit ${max}`;
  const results = await db.write(
    [
      holdStorage(),
      ...refundThreadNotes(`id in (${notes})`, mailboxId),
      step(`delete from thread_notes where id in (${notes}) returning id`, mailboxId),
      step(
        `delete from conversations where (mailbox_id, thread_id) in
          (select mailbox_id, thread_id from conversations where mailbox_id = $1 limit ${max}) returning thread_id`,
        mailboxId,
      ),
    ],
    'erase',
  );
  return results.slice(-2).some((rows) => rows.length >= max);
}

/** The member who acts by this key goes: what is assigned to its account there is assigned to none. */
export const UNASSIGN = `
  update conversations set assignee = null where (namespace_id, assignee) in
    (select namespace_id, account_id from members where key_id = $1)`;

/** As `UNASSIGN`, of an account that is no member any more. */
export const UNASSIGN_REMOVED = `
  update conversations set assignee = null where namespace_id = $1 and assignee = $2
    and not exists (select 1 from members where namespace_id = $1 and account_id = $2)`;

const standingFrom = (row: Row): ThreadStanding => {
  const { namespace_id, mailbox_id, thread_id, state, until, assignee } = rowOf(conversations, row);
  return { namespace_id, mailbox_id, thread_id, state, until, assignee };
};

const noteFrom = (row: Row): ThreadNote => {
  const note = rowOf(threadNotes, row);
  return { ...note, author: JSON.parse(note.author), mentions: JSON.parse(note.mentions) };
};

/** Where threads stand as events name them: by the mailbox and the thread. */
export async function standingsByIds(db: Db, threads: readonly ThreadOf[]): Promise<readonly ThreadStanding[]> {
  if (threads.length === 0) return [];
  const { values, p } = params();
  const pairs = threads.map(({ mailbox_id, thread_id }) => `(${p(mailbox_id)}, ${p(thread_id)})`).join(', ');
  const rows = await db.read(
    `select ${COLUMNS} from conversations where (mailbox_id, thread_id) in (values ${pairs})`,
    values,
  );
  return rows.map(standingFrom);
}

export async function notesByIds(db: Db, ids: readonly string[]): Promise<readonly ThreadNote[]> {
  if (ids.length === 0) return [];
  const { values, p } = params();
  const sql = `select ${columnsOf(threadNotes)} from thread_notes where id in (${ids.map(p).join(', ')})`;
  return (await db.read(sql, values)).map(noteFrom);
}

/** SQL for whether an open thread without an assignee may be one of these: rows that say otherwise rule it out. */
export function isUntouched(
  { state, assignee, members }: StandingFilter,
  mailbox: string,
  thread: string,
  p: (cell: Cell) => string,
): string {
  const others: string[] = [];
  if (state !== undefined) others.push(`c.state <> ${p(state)}`);
  if (assignee === null && members.length > 0) others.push(`c.assignee in (${members.map(p).join(', ')})`);
  if (others.length === 0) return 'true';
  return `not exists (select 1 from conversations c where c.mailbox_id = ${mailbox} and c.thread_id = ${thread}
    and (${others.join(' or ')}))`;
}

/** SQL for whether a conversation is neither done nor put off in a mailbox. */
export const isInInbox = (mailbox: string, thread: string): string =>
  `not exists (select 1 from conversations c where c.mailbox_id = ${mailbox} and c.thread_id = ${thread}
    and c.state in ('done', 'later'))`;

export function makeConversationStates(db: Db): Conversations {
  return {
    async change(thread, { state, until, assignee }, now) {
      const { mailbox_id, thread_id } = thread;
      const cells = [mailbox_id, thread_id, now] as const;
      const job = laterJobOf(mailbox_id, thread_id);
      const results = await db.write(
        [
          holdMailbox(mailbox_id),
          step(ENSURE, mailbox_id, thread_id),
          ...(state === undefined ? [] : [step(STATE, ...cells, state, until ?? null)]),
          ...(assignee === undefined ? [] : [step(ASSIGN, ...cells, assignee)]),
          step(SET_JOB, mailbox_id, thread_id, job),
          step(DROP_JOB, mailbox_id, thread_id, job),
          step(NOTIFY_CHANGED, ...cells),
          step(DROP_UNCHANGED, mailbox_id, thread_id),
          step(FIND, mailbox_id, thread_id),
        ],
        'beside',
      );
      const [row] = results.at(-1) ?? [];
      return row === undefined || row.state === null ? row && UNTOUCHED : standingFrom(row);
    },

    async find(threadIds, mailboxIds) {
      if (threadIds.length === 0 || mailboxIds.length === 0) return [];
      const { values, p } = params();
      const rows = await db.read(
        `select ${COLUMNS} from conversations
         where mailbox_id in (${mailboxIds.map(p).join(', ')}) and thread_id in (${threadIds.map(p).join(', ')})`,
        values,
      );
      return rows.map(standingFrom);
    },

    async page(of, filter, place, size) {
      const { values, p } = params();
      const where = [whose(of, p), ...standsSo(filter, p)];
      const [at = '', id = ''] = (place ?? '').split(' ');
      if (place !== null) where.push(`(c.updated_at, c.thread_id) < (${p(Number(at))}, ${p(id)})`);
      const rows = await db.read(
        `select c.thread_id, c.updated_at from conversations c where ${where.join(' and ')}
         order by c.updated_at desc, c.thread_id desc limit ${p(size + 1)}`,
        values,
      );
      const items = rows.slice(0, size);
      const last = items.at(-1);
      return {
        items: [...new Set(items.map((row) => row.thread_id as string))],
        next: rows.length > size && last !== undefined ? `${last.updated_at} ${last.thread_id}` : null,
      };
    },

    async reopen({ mailbox_id, thread_id }, now, claim) {
      const cells = [mailbox_id, thread_id, now] as const;
      // The event is written under the condition of the change, and both under the lock of the mailbox.
      const due = `${NOTIFY} and state = 'later' and until <= $3`;
      const results = await db.write(
        [holdMailbox(mailbox_id), step(due, ...cells), step(REOPEN, ...cells), step(END_JOB, claim.id, claim.fence)],
        'beside',
      );
      return results[2]?.[0]?.namespace_id as string | undefined;
    },

    async addNote(note) {
      const row = { ...note, author: JSON.stringify(note.author), mentions: JSON.stringify(note.mentions) };
      const results = await db.write(
        [holdMailbox(note.mailbox_id), step(ADD_NOTE, ...cellsOf(threadNotes, row)), step(NOTE_EVENT, note.id)],
        'beside',
      );
      return results[1]?.length === 1;
    },

    async notes(threadId, mailboxIds, size) {
      if (mailboxIds.length === 0) return [];
      const { values, p } = params();
      const rows = await db.read(
        `select ${columnsOf(threadNotes)} from thread_notes
         where mailbox_id in (${mailboxIds.map(p).join(', ')}) and thread_id = ${p(threadId)}
         order by id desc limit ${p(size)}`,
        values,
      );
      return rows.map(noteFrom).toReversed();
    },

    async notesOf(mailboxId, after, size) {
      const sql = `select ${columnsOf(threadNotes)} from thread_notes where mailbox_id = $1 and id > $2 order by id limit $3`;
      return (await db.read(sql, [mailboxId, after, size])).map(noteFrom);
    },
  };
}

/** The rows of those mailboxes that the caller reads. */
function whose(of: SearchedBy, p: (cell: Cell) => string): string {
  if ('namespace_id' in of) return `c.namespace_id = ${p(of.namespace_id)}`;
  const [only = '', ...others] = of.mailbox_ids;
  return others.length === 0 ? `c.mailbox_id = ${p(only)}` : `c.mailbox_id in (${of.mailbox_ids.map(p).join(', ')})`;
}

function standsSo({ state, undone, assignee, members }: StandingFilter, p: (cell: Cell) => string): readonly string[] {
  const where: string[] = [];
  if (undone !== undefined) where.push("c.state <> 'done'");
  if (state !== undefined) where.push(`c.state = ${p(state)}`);
  if (typeof assignee === 'string') where.push(`c.assignee = ${p(assignee)}`);
  if (assignee === null && members.length > 0)
    where.push(`(c.assignee is null or c.assignee not in (${members.map(p).join(', ')}))`);
  return where;
}
