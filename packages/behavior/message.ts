import { isOutside } from './values/address.ts';
import type { Millis } from './values/clock.ts';

/** Whose owner decides on a plan: that of the mailbox it was sent to, or of the mailbox it was sent as. */
export type Decider = 'recipient' | 'sender';

/** Not settled: `submitted`, `working`. All others are final (A2A 1.0, task states). */
export const STATUSES = [
  'submitted',
  'working',
  'completed',
  'input_required',
  'failed',
  'canceled',
  'rejected',
] as const;
export type Status = (typeof STATUSES)[number];

export type SenderKind = 'mailbox' | 'key' | 'guest' | 'email';
export const CHANNELS = ['api', 'web', 'smtp', 'a2a', 'mcp'] as const;
export type Channel = (typeof CHANNELS)[number];

/** The sender. Two messages have the same sender when kind and id are equal. */
export interface Sender {
  readonly kind: SenderKind;
  /** The id of the mailbox or key, the guest's thread, or the e-mail address; null once that was deleted. */
  readonly id: string | null;
  /** The namespace that is responsible for it; null for guests. */
  readonly namespace_id: string | null;
  /** The key that was shown; null when there was none. */
  readonly key_id: string | null;
  /** `local@namespace` when it was sent as a mailbox. */
  readonly from: string | null;
}

/** Whom a message with several recipients is for: addresses without the mail domain, in order. */
export interface RecipientLists {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  /** Of the message that its sender wrote alone. */
  readonly bcc?: readonly string[];
}

/** A file of a message, without its bytes. */
export interface AttachedFile {
  readonly id: string;
  readonly filename: string;
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
}

/** The reply that settled a message, without what it shares with the message. */
export interface Reply {
  readonly body: string;
  /** JSON text. */
  readonly data: string | null;
  /** A person wrote it. */
  readonly by_hand?: boolean;
}

/** An earlier message of a thread, with its reply. Addresses are without the mail domain; `data` is JSON text. */
export interface ThreadMessage {
  readonly id: string;
  readonly kind: 'message' | 'reply';
  readonly thread_id: string;
  readonly in_reply_to: string | null;
  readonly retry_of: string | null;
  /** Null for a reply to a sender without an address. */
  readonly to: string | null;
  readonly from: string | null;
  readonly sender_kind: SenderKind;
  readonly sender_id: string | null;
  /** The namespace of its sender; of a reply, of the sender that it answers. */
  readonly sender_namespace_id: string | null;
  readonly key_id: string | null;
  readonly channel: Channel;
  /** The length of the chain of messages that caused it. */
  readonly hops: number;
  readonly subject: string | null;
  readonly body: string;
  readonly data: string | null;
  readonly created_at: Millis;
  readonly status: Status;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly reply: Reply | null;
  /** Its files; undefined for none. */
  readonly attachments?: readonly AttachedFile[];
  readonly reply_attachments?: readonly AttachedFile[];
  /** Of one with several recipients. */
  readonly recipients?: RecipientLists;
  /** Of a copy for one of several recipients here: the message that its sender wrote. */
  readonly copy_of?: string;
  /** Of what its sender wrote to several, where it was read with them: the copies of those here. */
  readonly copies?: readonly ThreadMessage[];
}

type Addressed = Pick<ThreadMessage, 'kind' | 'to' | 'sender_kind' | 'recipients' | 'copy_of'>;

/**
 * Whether it is the message of its sender that no mailbox received: one to an address outside, or one with several
 * recipients, of which those here have copies.
 */
export const isOutgoing = ({ kind, to, sender_kind: by, recipients, copy_of: copyOf }: Addressed): boolean =>
  kind === 'message' &&
  ((to !== null && isOutside(to)) || (recipients !== undefined && copyOf === undefined && by !== 'email'));
