import { replyIdOf } from '@mailroom/behavior/values/ids';
import type { Message } from '../../core/entities/message.ts';
import type { AnswerTerms } from '../../core/ports/answers.ts';
import type { Claim } from '../../core/ports/claim.ts';
import type { Idempotency } from '../../core/ports/idempotency.ts';
import type { Acceptance, Settlement } from '../../core/ports/messages.ts';
import type { Cell } from '../db.ts';
import { pushCells, type RowOf } from '../schema/table.ts';
import { messages } from '../schema/tables.ts';

/** The reply's id, once a message has one. */
const replyIdFor = ({ id, reply }: Message): string | null => (reply === null ? null : replyIdOf(id));

/** The row of a message that is accepted. */
export const rowOf = ({
  message: m,
  from_mailbox_id,
}: Pick<Acceptance, 'message' | 'from_mailbox_id'>): RowOf<typeof messages> => ({
  id: m.id,
  kind: m.kind,
  thread_id: m.thread_id,
  in_reply_to: m.in_reply_to,
  retry_of: m.retry_of,
  from_mailbox_id,
  to_mailbox_id: m.mailbox_id,
  from: m.from,
  to: m.to,
  sender_kind: m.sender_kind,
  sender_id: m.sender_id,
  sender_namespace_id: m.sender_namespace_id,
  sender_agent: m.sender_agent ?? null,
  key_id: m.key_id,
  channel: m.channel,
  hops: m.hops,
  subject: m.subject,
  body: m.body,
  data: m.data,
  created_at: m.created_at,
  status: m.status === 'working' ? 'submitted' : m.status,
  error_code: m.error_code,
  error_message: m.error_message,
  settled_at: m.settled_at,
  reply_id: replyIdFor(m),
  replies_count: m.replies_count,
  read: 0,
  by_hand: 0,
  answered_by: null,
  copy_of: m.copy_of ?? null,
  recipients: m.recipients === undefined ? null : JSON.stringify(m.recipients),
  filed: m.not_answered ?? null,
  mail: m.mail === undefined ? null : JSON.stringify(m.mail),
  metadata: m.metadata === undefined ? null : JSON.stringify(m.metadata),
  rules: m.rules === undefined ? null : JSON.stringify(m.rules),
  findings: m.findings === undefined ? null : JSON.stringify(m.findings),
  trace: m.trace ?? null,
  has_file: (m.attachments ?? []).length > 0 ? 1 : 0,
});

/** The cells of an acceptance: the columns of the message, then these. */
export const TERMS = [
  'reply_body',
  'reply_data',
  'leased_until',
  'answer_by',
  'claim',
  'claimed_until',
  'max_waiting',
  'once_scope',
  'once_key',
  'once_hash',
  'once_expires_at',
] as const;

export function pushAcceptance(cells: Cell[], acceptance: Acceptance): void {
  pushCells(messages, cells, rowOf(acceptance));
  const { message, leased_until, answer_by, claimed, max_waiting, idempotency } = acceptance;
  cells.push(message.reply?.body ?? null, message.reply?.data ?? null);
  cells.push(leased_until ?? null, answer_by ?? null, claimed?.claim ?? null, claimed?.until ?? null, max_waiting);
  pushIdempotency(cells, idempotency);
}

function pushIdempotency(cells: Cell[], idempotency: Idempotency | undefined): void {
  if (idempotency === undefined) cells.push(null, null, null, null);
  else cells.push(idempotency.scope, idempotency.key, idempotency.hash, idempotency.expires_at);
}

/** SQL for `has_file` of the message with this id, whose files are stored before it. */
export const hasFile = (id: string): string =>
  `case when exists (select 1 from attachments f where f.owner_id = ${id}) then 1 else 0 end`;
const REPLY_ID = "substr(m.id, 1, 23) || '1'";

/**
 * The columns of the reply to a message `m` of the mailbox `b`, with the mailbox `f` that it reaches, if any; its text is
 * in `m` too. In the order of the table.
 */
export const REPLY: { readonly [name in keyof typeof messages.columns]: string } = {
  id: REPLY_ID,
  kind: "'reply'",
  thread_id: 'm.thread_id',
  in_reply_to: 'm.id',
  retry_of: 'null',
  from_mailbox_id: 'b.id',
  to_mailbox_id: 'f.id',
  from: "b.local_part || '@' || b.namespace",
  to: 'case when f.id is not null then m."from" end',
  sender_kind: "'mailbox'",
  sender_id: 'b.id',
  sender_namespace_id: 'm.sender_namespace_id',
  sender_agent: 'null',
  key_id: 'null',
  channel: 'm.channel',
  hops: 'm.hops',
  subject: 'm.subject',
  body: 'm.reply_body',
  data: 'm.reply_data',
  created_at: 'm.settled_at',
  status: "'completed'",
  error_code: 'null',
  error_message: 'null',
  settled_at: 'm.settled_at',
  reply_id: 'null',
  replies_count: '0',
  read: '0',
  by_hand: '0',
  answered_by: 'm.answered_by',
  copy_of: 'null',
  recipients: 'null',
  filed: 'null',
  mail: 'null',
  metadata: 'null',
  rules: 'null',
  findings: 'null',
  trace: 'null',
  has_file: hasFile(REPLY_ID),
};

/** The cells of a settlement: the claim and the final state. */
export const settlementCells = ({ id, fence }: Pick<Claim, 'id' | 'fence'>, s: Settlement): Cell[] => [
  id,
  fence,
  s.status,
  s.error_code,
  s.error_message,
  s.reply?.body ?? null,
  s.reply?.data ?? null,
  s.settled_at,
];

/** Who answers, as JSON text. */
export const answererCell = ({ answered_by }: Pick<Settlement, 'answered_by'>): string | null =>
  answered_by === undefined ? null : JSON.stringify(answered_by);

/** The cells of an answer: those of its settlement with any fence, then these. */
export const ANSWER_TERMS = [
  'claim',
  'key_id',
  'answered_by',
  'once_scope',
  'once_key',
  'once_hash',
  'once_expires_at',
] as const;

export function answerCells(id: string, claim: string | null, s: Settlement, terms: AnswerTerms): Cell[] {
  const cells = settlementCells({ id, fence: 0 }, s);
  cells.push(claim, terms.key_id ?? null, answererCell(s));
  pushIdempotency(cells, terms.idempotency);
  return cells;
}
