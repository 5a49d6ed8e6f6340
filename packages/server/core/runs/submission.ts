import type { Channel, RecipientLists, Sender } from '@mailroom/behavior/message';
import { type Address, isOutside, shortAddress, taggedAddress } from '@mailroom/behavior/values/address';
import type { Millis } from '@mailroom/behavior/values/clock';
import { newId, threadOf } from '@mailroom/behavior/values/ids';
import type { NotAnswered } from '../entities/email.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { MailFields, Metadata } from '../entities/recipients.ts';
import type { MessageFiles } from '../files/uploads.ts';
import type { Payer } from '../limits/storage-refusal.ts';
import type { NewEmail } from '../ports/emails.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import { currentTrace } from '../ports/tracing.ts';
import type { LeavingText, MailTraits } from '../review/evidence.ts';
import { callsFor } from './caller-of.ts';

/** What a transport hands to the core, whatever its protocol. */
export interface Submission {
  readonly to: Address;
  readonly body: string;
  readonly subject: string | null;
  /** JSON text. */
  readonly data: string | null;
  /** The sender; a guest's `id` is filled in with its thread. */
  readonly sender: Sender;
  /** The origin of the agent whose signature of the request was verified (Web Bot Auth). */
  readonly agent?: string | undefined;
  /** The mailbox it is sent as, if any. */
  readonly from_mailbox_id: string | null;
  /** The verified domain of its owner by which that mailbox was named, if it was. */
  readonly from_domain?: string | null;
  readonly channel: Channel;
  readonly thread_id: string | null;
  readonly in_reply_to: string | null;
  /** The first message of its thread, where its transport has it: it is not looked up. */
  readonly first?: Pick<Message, 'thread_id'> | undefined;
  readonly retry_of: string | null;
  /** The length of the chain of messages that caused this one. */
  readonly hops: number;
  /** The mailbox that handles the message which caused this one. */
  readonly caused_in?: string | undefined;
  /** From a person without a key, which is allowed only where the try-out is open. */
  readonly try_out: boolean;
  readonly idempotency: Idempotency | undefined;
  /** The caller it counts for, where that is not its sender's namespace: see `callerOf`. */
  readonly caller?: string | undefined;
  /** Who pays for its storage; null: the namespace of its sender, if any. */
  readonly payer: Payer | null;
  /** It is filed as it is, and nothing answers it; `canceled`: it takes back what was asked before. */
  readonly unanswered?: true | 'canceled';
  /** An owner approved the plan by which it is sent. */
  readonly planned?: boolean | undefined;
  /** A rule of its mailbox wants what a message leads to seen, of which it is. */
  readonly ruled?: boolean | undefined;
  /** Of a mail: what only its reader knows, as evidence. */
  readonly traits?: MailTraits | undefined;
  /** It is for the owner as `postmaster` and `abuse`, whom everyone may write: neither access nor lists of the mailbox hold. */
  readonly to_role?: true;
  /** What is known of it as a mail, stored with the message. */
  readonly email?: NewEmail | undefined;
  /** Its files; removed by the caller unless they are kept. */
  readonly upload?: MessageFiles | undefined;
  /** Of a copy: the message that its sender wrote, of whose thread `thread_id` it is. */
  readonly copy_of?: string;
  /** Of one with several recipients. */
  readonly recipients?: RecipientLists | undefined;
  readonly mail?: MailFields | undefined;
  readonly metadata?: Metadata | undefined;
  /** With `unanswered`: why nothing answers it. */
  readonly not_answered?: NotAnswered;
}

/** The message of a submission; `first` is a message of the thread that it continues. */
export function compose(
  submission: Submission,
  mailbox: Pick<Mailbox, 'id'>,
  now: Millis,
  first: Pick<Message, 'thread_id'> | undefined,
): Message {
  const id = newId('msg', now);
  const thread_id = first?.thread_id ?? threadOf(id);
  const message: Message = {
    id,
    kind: 'message',
    thread_id,
    in_reply_to: submission.in_reply_to,
    retry_of: submission.retry_of,
    mailbox_id: mailbox.id,
    to: taggedAddress(submission.to),
    from: submission.sender.from,
    sender_kind: submission.sender.kind,
    sender_id: submission.sender.kind === 'guest' ? thread_id : submission.sender.id,
    sender_namespace_id: submission.sender.namespace_id,
    key_id: submission.sender.key_id,
    channel: submission.channel,
    hops: submission.hops,
    subject: submission.subject,
    body: submission.body,
    data: submission.data,
    status: 'submitted',
    waiting_for: null,
    error_code: null,
    error_message: null,
    reply: null,
    created_at: now,
    settled_at: null,
    replies_count: 0,
    read: false,
  };
  // Added where they are, because V8 adds every property that follows a spread one by one.
  if (submission.agent !== undefined) Object.assign(message, { sender_agent: submission.agent });
  if (submission.upload !== undefined) Object.assign(message, { attachments: [...submission.upload.files] });
  if (submission.caller !== undefined) callsFor(message, submission.caller);
  const { copy_of, recipients, mail, metadata, not_answered } = submission;
  if (copy_of !== undefined) Object.assign(message, { copy_of });
  if (recipients !== undefined) Object.assign(message, { recipients });
  if (mail !== undefined) Object.assign(message, { mail });
  if (metadata !== undefined) Object.assign(message, { metadata });
  if (not_answered !== undefined) Object.assign(message, { not_answered });
  const trace = currentTrace();
  if (trace !== undefined) Object.assign(message, { trace });
  return message;
}

/** What a person without a key writes, on any page. */
export interface GuestSubmission {
  readonly to: Address;
  readonly body: string;
  /** The thread it continues, proven to be the guest's own; null begins one. */
  readonly thread_id: string | null;
  readonly channel: Channel;
  readonly idempotency: Idempotency | undefined;
  /** The network of the guest; null when nothing is stored. */
  readonly network: string | null;
  readonly agent?: string | undefined;
}

/** The submission of a guest: without a namespace, and only where the try-out is open. */
export const guestSubmission = ({
  to,
  body,
  thread_id,
  channel,
  idempotency,
  network,
  agent,
}: GuestSubmission): Submission => ({
  agent,
  to,
  body,
  subject: null,
  data: null,
  sender: { kind: 'guest', id: thread_id, namespace_id: null, key_id: null, from: null },
  from_mailbox_id: null,
  channel,
  thread_id,
  in_reply_to: null,
  retry_of: null,
  hops: 0,
  try_out: true,
  idempotency,
  payer: network === null ? null : { kind: 'guests', network },
});

/** What of a submission is looked at as it leaves the mailbox that sends it. */
export const leavingText = ({ subject, body, data, mail, upload }: Submission): LeavingText => ({
  subject,
  body,
  html: mail?.html ?? null,
  data,
  attachments: upload === undefined || upload.files.length === 0 ? null : [...upload.files],
});

/** What is sent to several recipients. */
export type ManySubmission = Omit<Submission, 'to'>;

/** A message with a longer chain of causes is refused as a loop (contract, section 5). */
export const MAX_HOPS = 8;

export interface Wait {
  readonly ms: Millis;
  /** Aborts when the caller disconnects: its wait ends, the message is still handled. */
  readonly signal: AbortSignal;
}

export interface Sent {
  readonly message: Message;
  /** An earlier request with this idempotency key created it. */
  readonly replayed: boolean;
  /** The delivery that it answers was written as `sent` with it. */
  readonly ended?: boolean | undefined;
}

/** Whether it goes to an address of another service. */
export const goesOutside = ({ to }: Submission): boolean => isOutside(shortAddress(to.local, to.namespace));
