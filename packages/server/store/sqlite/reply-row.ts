import type { Channel } from '@mailroom/behavior/message';
import { replyIdOf } from '@mailroom/behavior/values/ids';
import type { Cell } from '../db.ts';
import type { RowOf } from '../schema/table.ts';
import type { messages } from '../schema/tables.ts';

/** What a reply takes from the message that it settles. */
export interface AnsweredRow {
  readonly id: string;
  readonly mailbox_id: string;
  readonly from_mailbox_id: Cell;
  readonly thread_id: Cell;
  readonly from: Cell;
  readonly sender_namespace_id: Cell;
  readonly channel: Cell;
  readonly hops: Cell;
  readonly subject: Cell;
}

export interface ReplyCells {
  readonly body: Cell;
  readonly data: Cell;
  readonly at: Cell;
}

/** The reply that settles a message, as a row; `recipient` is the mailbox that it is delivered to, if any. */
export const replyRow = (
  message: AnsweredRow,
  reply: ReplyCells,
  {
    from,
    recipient,
    by_hand,
    answered_by,
    has_file,
  }: {
    readonly from: string | null;
    readonly recipient: string | null;
    readonly by_hand: 0 | 1;
    readonly answered_by: string | null;
    readonly has_file: 0 | 1;
  },
): RowOf<typeof messages> => ({
  id: replyIdOf(message.id),
  kind: 'reply',
  thread_id: message.thread_id as string,
  in_reply_to: message.id,
  retry_of: null,
  from_mailbox_id: message.mailbox_id,
  to_mailbox_id: recipient,
  from,
  to: recipient === null ? null : (message.from as string | null),
  sender_kind: 'mailbox',
  sender_id: message.mailbox_id,
  sender_namespace_id: message.sender_namespace_id as string | null,
  sender_agent: null,
  key_id: null,
  channel: message.channel as Channel,
  hops: message.hops as number,
  subject: message.subject as string | null,
  body: reply.body as string,
  data: reply.data as string | null,
  created_at: reply.at as number,
  status: 'completed',
  error_code: null,
  error_message: null,
  settled_at: reply.at as number,
  reply_id: null,
  replies_count: 0,
  read: 0,
  by_hand,
  answered_by,
  copy_of: null,
  recipients: null,
  filed: null,
  mail: null,
  metadata: null,
  rules: null,
  findings: null,
  trace: null,
  has_file,
});
