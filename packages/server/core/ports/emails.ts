import type { RecipientLists } from '@mailroom/behavior/message';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { ClaimedDelivery, NewDelivery } from '../entities/delivery.ts';
import type { Email } from '../entities/email.ts';
import type { Message } from '../entities/message.ts';
import type { Review } from '../entities/review.ts';
import type { Idempotency, Replayed } from './idempotency.ts';
import type { State } from './states.ts';

/** What is known of a message that came by e-mail, and up to when its replies are queued to leave. */
export interface KnownEmail extends Email {
  readonly queued_until: Millis;
}

/** What a message that came by e-mail is stored with, in the transaction that accepts it. */
export interface NewEmail extends Omit<Email, 'message_id' | 'created_at'> {
  /** A reply to it is to leave. */
  readonly owed: boolean;
  /** Bytes of its files that count for what strangers sent to the namespace. */
  readonly stranger_bytes: number;
  /** The label that it gets in its mailbox; null for none. */
  readonly label: string | null;
  /** Its answer, where it is there at once, leaves with the response to the server that brought it, and by no delivery. */
  readonly handed?: true | undefined;
  /** The delivery that it answers: that one arrived, which may be written with the answer. */
  readonly ends?: ClaimedDelivery | undefined;
}

/** A message that leaves, or of which its recipients here get copies. */
interface OutgoingMessage {
  readonly message: Message;
  /** Null where a key writes as no mailbox, which no address outside gets. */
  readonly from_mailbox_id: string | null;
  readonly idempotency?: Idempotency | undefined;
  /** Of one that waits until its owner has seen it, and is `working` meanwhile. */
  readonly review?: Review | undefined;
  /** One for each address outside. */
  readonly deliveries: readonly NewDelivery[];
  /** Set in the same transaction. */
  readonly state?: State | undefined;
  /** When a job is due that makes the copies, if they are not made before; null for none. */
  readonly copies_at: Millis | null;
  readonly namespace_id: string;
  /** Its Message-ID; null where it does not leave. */
  readonly rfc_id: string | null;
  /** The domain of an owner that it leaves from; null for the mail domain. */
  readonly domain: string | null;
}

/** Answers to a message that came by e-mail, which are written in one transaction. */
export interface QueuedAnswers {
  readonly message_id: string;
  /** Up to when what was written is among them. */
  readonly until: Millis;
  readonly deliveries: readonly NewDelivery[];
  readonly namespace_id: string;
  /** Their Message-IDs. */
  readonly rfc_ids: readonly (readonly [message: string, rfcId: string])[];
}

/** A delivery that arrived, which is written with what answers it. */
export interface EndedDelivery {
  readonly delivery: ClaimedDelivery;
  readonly at: Millis;
}

/** A mail that is filed as it is: no event tells of it, and it is read. */
interface FiledMail {
  /** Settled. */
  readonly message: Message;
  readonly email: NewEmail;
  readonly namespace_id: string;
  /** Names that stand for it in the namespace of its mailbox. */
  readonly rfc_ids: readonly string[];
}

/** What is known of messages that came by e-mail. Removed with the message. */
export interface Emails {
  /**
   * Stores a message, settled unless it is held, with its deliveries, its Message-ID and its job, in one transaction. `refused`: its key or its mailbox
   * is gone, and nothing was written.
   */
  send(outgoing: OutgoingMessage): Promise<{ readonly kind: 'accepted' | 'refused' } | Replayed>;
  /** Stores a mail in one transaction; false where a message has its id, or its mailbox is deleted. */
  file(mail: FiledMail): Promise<boolean>;
  /** Says whom a reply is for, with the deliveries to those outside, in one transaction; only once. */
  address(of: {
    readonly id: string;
    readonly recipients: RecipientLists;
    readonly deliveries: readonly NewDelivery[];
  }): Promise<void>;
  /** Those of up to 200 messages that came by e-mail, in any order. */
  byMessages(messageIds: readonly string[]): Promise<readonly KnownEmail[]>;
  /** A reply is about to be written; until it is queued, the message is among `owed`. */
  owe(messageId: string): Promise<void>;
  /** Settled messages with replies to queue: up to `max` above the id `after`, oldest first. */
  owed(after: string, max: number): Promise<readonly string[]>;
  /**
   * Adds the deliveries of all replies written up to `until`, and the Message-IDs of these replies, in one transaction;
   * then nothing is owed.
   */
  queue(answers: QueuedAnswers): Promise<void>;
}
