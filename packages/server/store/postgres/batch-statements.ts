import type { Row } from '../db.ts';
import { columnsOf, quotedColumn } from '../schema/table.ts';
import { messages } from '../schema/tables.ts';
import { REPLY } from '../statements/message-row.ts';
import type { Statement } from './connection.ts';

/** Runs a statement that writes, durably. */
export type Run = (statement: Statement) => Promise<readonly Row[]>;

/** The columns of a row in the JSON parameter that holds a batch, in order. */
export type Columns = readonly (readonly [name: string, type: string])[];

export const OF_MESSAGE: Columns = Object.entries(messages.columns).map(([name, { type }]) => [name, type]);
/** The terms of an acceptance or an answer that are no texts. */
const INTEGERS = new Set<string>([
  'owed',
  'stranger_bytes',
  'leased_until',
  'answer_by',
  'claimed_until',
  'max_waiting',
  'once_expires_at',
]);
/** The columns of these terms. */
export const termsOf = (names: readonly string[]): Columns =>
  names.map((name) => [name, INTEGERS.has(name) ? 'bigint' : 'text'] as const);
const cellAt = ([, type]: Columns[number], at: number): string =>
  type === 'text' ? `e->>${at}` : `(e->>${at})::${type}`;

/**
 * `input`: the rows of parameter 1, an array of arrays, with `n` from 1. Measured as cheaper for both sides than one
 * array per column or one parameter per cell (7 of 10 µs on the client, and no slower on the server).
 */
export const input = (columns: Columns): string => `
  input as materialized (
    select n::integer as n,
      ${columns.map((column, at) => `${cellAt(column, at)} as ${quotedColumn(column[0])}`).join(', ')}
    from jsonb_array_elements($1::jsonb) with ordinality as t(e, n)
  )`;

/** Inserts the replies of messages, see `REPLY`. */
export const insertReplies = (reply: typeof REPLY): string => `
  insert into messages (${columnsOf(messages)}) select ${messages.names.map((name) => reply[name as keyof typeof REPLY]).join(', ')}`;
/** As `insertReplies`, of those that come with their message: what has files is answered later. */
export const INSERT_REPLIES = insertReplies({ ...REPLY, has_file: '0' });
export const REPLIED = 'returning id, to_mailbox_id, thread_id, settled_at';

const EVENT = 'insert into events (namespace_id, mailbox_id, type, message_id, at, arrived, took_ms)';
/** Opens the threads of replies that arrive, with their events: `of` gives the mailboxes that received one. */
export const notifiedReplied = (of: string): string => `
  ${EVENT} select b.namespace_id, b.id, 'message.received', r.id,
    r.settled_at + message_arrived(r.thread_id, b.id, r.settled_at, null), 0, null
  from replied r join ${of} b on b.id = r.to_mailbox_id`;
/**
 * Events of accepted messages: of their arrival, or of the settlement they arrived with. What was noted of the thread,
 * which its first message has none of, is told with them that a message arrived.
 */
export const notifiedAccepted = (accepted: string): string => `
  ${EVENT}
  select b.namespace_id, b.id, 'message.' || case when a.status = 'submitted' then 'received' else a.status end, a.id,
    coalesce(a.settled_at, a.created_at) + case when a.rules is not null or substr(a.thread_id, 5) <> substr(a.id, 5)
      then message_arrived(a.thread_id, b.id, a.created_at, a.rules::json ->> 'assign') else 0 end,
    1, a.settled_at - a.created_at
  from ${accepted} a join boxes b on b.id = a.to_mailbox_id
  order by a.n`;
/** Events of the messages in `ended`, each with its result and with its duration by the expression `took`. */
export const notifiedEnded = (ended: string, took = 's.settled_at - s.created_at'): string => `
  ${EVENT} select b.namespace_id, b.id, 'message.' || s.status, s.id, s.settled_at, 0, ${took}
  from ${ended} s join mailboxes b on b.id = s.to_mailbox_id`;
