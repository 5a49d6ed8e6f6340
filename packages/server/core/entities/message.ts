import { type Decider, isOutgoing, type Status, type ThreadMessage } from '@mailroom/behavior/message';
import { isOutside } from '@mailroom/behavior/values/address';
import type { Millis } from '@mailroom/behavior/values/clock';
import { threadOf } from '@mailroom/behavior/values/ids';
import type { AnsweredBy } from './actor.ts';
import type { AppliedRules } from './applied-rules.ts';
import type { Attachment } from './attachment.ts';
import type { Authentication, EmailDeliveryView, NotAnswered } from './email.ts';
import type { StoredFinding } from './finding.ts';
import { addressesIn, type MailFields, type Metadata } from './recipients.ts';

export const isSettled = (status: Status): boolean => status !== 'submitted' && status !== 'working';

/**
 * A message in either direction: a reply is one too, and triggers nothing where it arrives. Immutable once accepted.
 * Addresses are without the mail domain; `data` is JSON text.
 */
interface MessageContent extends ThreadMessage {
  /** The mailbox that received it; of a reply to a sender without a mailbox, the mailbox that wrote it. */
  readonly mailbox_id: string;
  /** The origin of the agent that signed the request by which it was sent, verified then (Web Bot Auth). */
  readonly sender_agent?: string | null;
  /** Of a reply: a person wrote it. */
  readonly by_hand?: boolean;
  /** Who answered it; of a further reply, who gave it. For readers of the mailbox alone, but for a name that is signed. */
  readonly answered_by?: AnsweredBy | undefined;
  /** Why it is filed without being handled; of a mail, its `email` has that. */
  readonly not_answered?: NotAnswered;
  readonly mail?: MailFields;
  readonly metadata?: Metadata;
  /** Evidence on it, for readers of the mailbox that received it, or of the one that wrote it. */
  readonly findings?: readonly StoredFinding[];
  /** The `traceparent` of its submission, where it was traced. */
  readonly trace?: string;
  /** What the rules of the mailbox that received it did; for readers of that mailbox alone. */
  readonly rules?: AppliedRules;
}

/** A label of a message in one mailbox. */
interface MailboxLabel {
  readonly mailbox_id: string;
  readonly label: string;
}

/** The state of answering a message. */
interface Handling {
  readonly waiting_for: 'approval' | 'answer' | 'review' | null;
  /** Present while it is not settled and its thread is taken over. */
  readonly taken_over?: boolean;
  readonly settled_at: Millis | null;
  /** All replies to it, of which `reply` is the one that settled it. */
  readonly replies_count: number;
  /** Whether it was read in the mailbox that received it. */
  readonly read: boolean;
  /** In any mailboxes, without `unread`; undefined for none. */
  readonly labels?: readonly MailboxLabel[];
  /** The reports of its behavior as JSON text, present while it is handled. */
  readonly progress?: string | null;
  /** The same of a mailbox that may hold what leaves it: for its readers alone. */
  readonly own_progress?: string;
  /** The plan that an owner is to decide on, as JSON text; present while it waits for the decision. */
  readonly plan?: string | null;
  /** Whose owner decides on `plan`. */
  readonly decides?: Decider | null;
  /** What is known of it because it came by e-mail; left out where that was not asked for. */
  readonly email?: EmailState;
  /** The reply as written so far; never stored, and present only for watchers on the same node. */
  readonly draft?: string | undefined;
  /** The same of a mailbox that may hold what leaves it: for its readers alone. */
  readonly own_draft?: string | undefined;
}

/** What is known of a message because it came, or leaves, by e-mail. */
export interface EmailState {
  /** These two only of one that came. */
  readonly authentication?: Authentication;
  readonly not_answered?: NotAnswered | null;
  /** What of it leaves as e-mail, oldest first; left out in lists. */
  readonly deliveries?: EmailDeliveryView[];
}

/** A message with the state of answering it, and the reply that settled it. */
export interface Message extends MessageContent, Handling {
  /** Its files; undefined for none. */
  readonly attachments?: Attachment[];
  readonly reply_attachments?: Attachment[];
  /** Of a message to an address outside: the message that answered it in the same exchange. */
  readonly reply_id?: string;
  /** Of one with several recipients, read by its sender: the copies of those here, oldest first. */
  readonly copies?: readonly Message[];
}

type Given = 'id' | 'mailbox_id' | 'to' | 'sender_kind' | 'sender_id' | 'body' | 'created_at';
/** A message that begins a thread and waits to be answered, but for what the fields say otherwise. */
export const newMessage = (fields: Pick<Message, Given> & Partial<Message>): Message => ({
  kind: 'message',
  thread_id: threadOf(fields.id),
  in_reply_to: null,
  retry_of: null,
  from: null,
  sender_namespace_id: null,
  key_id: null,
  channel: 'api',
  hops: 0,
  subject: null,
  data: null,
  status: 'submitted',
  waiting_for: null,
  error_code: null,
  error_message: null,
  reply: null,
  settled_at: null,
  replies_count: fields.reply == null ? 0 : 1,
  read: false,
  ...fields,
});

/** The addresses outside that an outgoing message is for. */
const outsideOf = ({ to, recipients }: Pick<Message, 'to' | 'recipients'>): readonly string[] =>
  (recipients === undefined ? [to ?? ''] : addressesIn(recipients)).filter(isOutside);

/** The address outside that it is from or to; undefined of any other message. */
export const correspondentOf = (message: Message): string | undefined =>
  isOutgoing(message)
    ? outsideOf(message)[0]
    : message.sender_kind === 'email'
      ? (message.sender_id ?? undefined)
      : undefined;

/** Whether this mailbox received the message; a reply to a sender without an address was received by none. */
export const isReceivedBy = (message: Message, mailboxId: string): boolean =>
  message.mailbox_id === mailboxId && !isOutgoing(message) && (message.kind === 'message' || message.to !== null);
