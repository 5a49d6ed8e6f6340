import type { Effect } from '@mailroom/behavior/effect';
import type { Decider, Reply, Status } from '@mailroom/behavior/message';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { AnsweredBy } from '../entities/actor.ts';
import type { StoredFinding } from '../entities/finding.ts';
import type { Message } from '../entities/message.ts';
import type { StandingFilter } from '../entities/standing.ts';
import type { Page } from '../values/page.ts';
import type { Claim } from './claim.ts';
import type { EndedDelivery, NewEmail, QueuedAnswers } from './emails.ts';
import type { Idempotency, Replayed } from './idempotency.ts';
import type { IndexSearch, SearchCaller } from './search.ts';

/** The final state of a message, as it is written. */
export interface Settlement {
  readonly status: Exclude<Status, 'submitted' | 'working'>;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly reply: Reply | null;
  readonly settled_at: Millis;
  /** Who gives it, of an answer from outside. */
  readonly answered_by?: AnsweredBy | undefined;
}

/** Why work on a message stops until an event. */
type Suspension = ForApproval | ForAnswer;

/** A program or a person outside answers it, or `deadline` passes, when it is handled again. */
interface ForAnswer {
  readonly for: 'answer';
  readonly deadline: Millis;
}

interface ForApproval {
  /** An owner decides on `plan`. */
  readonly for: 'approval';
  /** JSON text of what the owner decides on. */
  readonly plan: string;
  /** Whose owner; the recipient's by default. */
  readonly by?: Decider | undefined;
  /** The behavior that carries the plan out; any by default. */
  readonly behavior?: string | undefined;
  /** JSON text for the run that resumes the work; null keeps what was saved before. */
  readonly state: string | null;
}

export interface Acceptance {
  /**
   * With a settled `status` it is stored as it is, in one write. Otherwise its handling is created with it: due at once, held when the mailbox is paused or offline at that moment, or waiting for an answer by hand when its thread is taken over then.
   */
  readonly message: Message;
  readonly idempotency?: Idempotency | undefined;
  /** Set when the handler is already running: the handling is created claimed until then, with fence 1. */
  readonly leased_until?: Millis | undefined;
  /** Set when it waits for an answer from outside: the deadline. */
  readonly answer_by?: Millis | undefined;
  /** With `answer_by`: a program waits for it and holds it from the start, unless it is held or taken over then. */
  readonly claimed?: { readonly claim: string; readonly until: Millis } | undefined;
  /** The maximum number of waiting messages in its mailbox, including this one. */
  readonly max_waiting: number;
  /** The mailbox that `from` names, if any: it receives the reply. */
  readonly from_mailbox_id: string | null;
  /**
   * Of a message that came by e-mail: what is known of it as a mail, written with it; its Message-ID then stands for it
   * in the namespace of its mailbox.
   */
  readonly email?: NewEmail | undefined;
}

export type Accepted =
  /** `held`: it waits for its mailbox to be resumed; `taken`: for an answer by hand, because its thread is taken over. */
  | {
      readonly kind: 'accepted';
      readonly held: boolean;
      readonly taken?: true;
      /** Of `acceptAnswered`: whether its answers are queued, or the delivery has ended. */
      readonly answered?: boolean;
    }
  | Replayed
  /** Nothing was written: its key, its mailbox or its sender's mailbox is gone, or too many messages wait there. */
  | {
      readonly kind: 'refused';
      readonly code: 'invalid_key' | 'mailbox_gone' | 'sender_not_allowed' | 'mailbox_full';
    };

/** What a list of a mailbox's messages holds. */
export const DIRECTIONS = ['received', 'sent', 'all'] as const;

type Direction = (typeof DIRECTIONS)[number];

/** Characters of a text that a list needs: the first lines. */
export const BEGINNING = 4_000;
/**
 * How messages are read: `whole`, or for lists `beginning`, with the first `BEGINNING` characters of the text and of the
 * data, which may be no JSON then, of them and of their replies.
 */
export type MessageTexts = 'whole' | 'beginning';

export interface MessageQuery {
  /** Only of this mailbox: what `direction` says. */
  readonly mailbox_id?: string;
  /** With `mailbox_id`: what it received (the default), what it sent, its replies too, or both, each once. */
  readonly direction?: Direction;
  /** Only of this namespace: what its keys sent, and what its mailboxes received, each once. */
  readonly namespace_id?: string;
  /** Only sent by keys of this namespace. */
  readonly sender_namespace_id?: string;
  /** With `sender_namespace_id`: only sent as this mailbox. */
  readonly sender_mailbox_id?: string;
  /** Only written with this key, or by this address as e-mail, which is in lower case. */
  readonly author?: { readonly key_id: string | null; readonly address: string };
  /** Only from this address, as it is stored; an address that was deleted matches nothing. */
  readonly from?: string;
  /** Only with files of its own; those of its reply are of another message. */
  readonly has_attachment?: true;
  /** With `mailbox_id`: only with this label there, `unread` too. */
  readonly label?: string;
  /** With `mailbox_id`: without conversations that are done there, or put off. */
  readonly in_inbox?: true;
  /** With `mailbox_id`: without conversations of which it has noted another state or assignee. */
  readonly standing?: StandingFilter;
  readonly status?: Status;
  /** Only with these pairs, of messages that keys of this namespace wrote. */
  readonly metadata?: { readonly namespace_id: string; readonly pairs: Readonly<Record<string, string>> };
  readonly since?: Millis;
  /** Words, each of which is a part of the subject, body, reply or an address as it is stored, ignoring case. */
  readonly query?: string;
  /**
   * One message a conversation: the newest of its thread that the mailbox received, or with `sender_namespace_id` the
   * newest that was sent. Without the settled messages that behaviors of the namespace sent to answer another, and
   * without the replies to those, since they belong to that other conversation.
   */
  readonly conversations?: true;
  /** With `query`: what its words mean as parts of an address, if that is another text. */
  readonly query_address?: string;
  /** Maximum number of rows examined for a filter, 20,000 by default; the limit on their text is proportional. */
  readonly scan?: number;
  /** How they are read; `whole` by default, with fewer on a page where they are long. */
  readonly texts?: MessageTexts;
}

/** A living mailbox that received something, with its newest message. */
export interface Head {
  readonly mailbox_id: string;
  readonly online: boolean;
  readonly id: string;
}

export interface Received {
  readonly mailbox_id: string;
}

export interface Sent {
  readonly sender_namespace_id: string;
}

export interface Written {
  /** A mailbox: the messages and replies that it wrote, without the copies of these. */
  readonly written_by: string;
}

export interface Messages {
  accept(acceptance: Acceptance): Promise<Accepted>;
  /**
   * As `accept`, of a settled message that came by e-mail, whose answers are queued as by `Emails.queue`, or that ends a
   * delivery as `Deliveries.sent` does: in one transaction on SQLite.
   */
  acceptAnswered(acceptance: Acceptance, then: QueuedAnswers | EndedDelivery): Promise<Accepted>;
  /**
   * False: the claim was lost or the message was canceled, and nothing was written. The effects belong to the message's
   * sender in its mailbox and are written in the same transaction.
   */
  settle(claim: Pick<Claim, 'id' | 'fence'>, settlement: Settlement, effects?: readonly Effect[]): Promise<boolean>;
  /**
   * Settles a message that came by e-mail, as `settle`, and queues its answers, as `Emails.queue`: in one transaction on
   * SQLite. False when nothing was settled.
   */
  settleAnswered(claim: Pick<Claim, 'id' | 'fence'>, settlement: Settlement, answers: QueuedAnswers): Promise<boolean>;
  /**
   * Suspends the work on it until the event it waits for: it is `working`, with `waiting_for`, and not due. False when the
   * claim was lost.
   */
  suspend(claim: Pick<Claim, 'id' | 'fence'>, suspension: Suspension, now: Millis): Promise<boolean>;
  /**
   * Records the owner's approval of exactly this plan: it is due again. False when no such plan of it waits, and
   * while its mailbox has another behavior than the plan.
   */
  approve(id: string, plan: string, now: Millis): Promise<boolean>;
  /** Settles it with the owner's refusal, with effects as of `settle`. False when no such plan of it waits. */
  refuse(id: string, plan: string, settlement: Settlement, effects?: readonly Effect[]): Promise<boolean>;
  /** Adds evidence on a message that was written, with its labels in this mailbox. */
  addFindings(id: string, mailbox_id: string, findings: readonly StoredFinding[]): Promise<void>;
  /** Settles an unsettled message as `canceled`, even while it is handled. False when it had settled or is gone. */
  cancel(id: string, now: Millis): Promise<boolean>;
  /** `working` while it is claimed, otherwise as stored. Undefined when its mailbox was deleted. */
  byId(id: string): Promise<Message | undefined>;
  /** Those of `ids` (up to 500) that have settled. */
  settledOf(ids: readonly string[]): Promise<readonly Message[]>;
  /**
   * Newest first. `before` is the last id of the previous page. Examines at most 20,000 rows and 32 MiB of text: with a
   * rare `status` or `query`, or with long messages, a page may hold fewer than `size`, or none, and still have a `next`.
   */
  page(of: MessageQuery, before: string | null, size: number, caller?: SearchCaller): Promise<Page<Message>>;
  /**
   * What the index finds. `place` is `next` of the previous page. Examines at most 10,000 hits of the words, so that a
   * page may hold fewer than `size`, or none, and still have a `next`. AppError `unavailable` while there is no index.
   */
  search(of: IndexSearch, place: string | null, size: number, caller?: SearchCaller): Promise<Page<Message>>;
  /**
   * Messages that mailboxes of a namespace sent and that wait for their owner's decision, newest first. `before` is the
   * last id of the previous page.
   */
  awaitingApproval(
    sender_namespace_id: string,
    before: string | null,
    size: number,
    texts?: MessageTexts,
  ): Promise<Page<Message>>;
  /** The first and the newest message of each of these threads (up to 500) that exists, in no order, read as `beginning`. */
  endsOf(thread_ids: readonly string[]): Promise<readonly Message[]>;
  /** By thread, the mailboxes with something unread among its newest 50 messages, its first one and replies left out. */
  unreadIn(thread_ids: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /**
   * How many conversations have something unread, by mailbox (up to 100 of them): counted to 100, among the newest 1,000
   * messages of each, as `conversations` gives them. Mailboxes with nothing unread are left out.
   */
  unread(mailbox_ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The newest message of each mailbox of a namespace, below the id `before` if one is given. */
  heads(namespace_id: string, before: string | null): Promise<readonly Head[]>;
  /** A thread from its first message on. `after` is the last id of the previous page. */
  thread(thread_id: string, after: string | null, size: number, texts?: MessageTexts): Promise<Page<Message>>;
  /**
   * The end of a thread, or of the part before the id `before`, oldest first; `next` is the `before` of the preceding
   * part.
   */
  threadEnd(thread_id: string, before: string | null, size: number, texts?: MessageTexts): Promise<Page<Message>>;
  /**
   * The ids, oldest first, of messages that a mailbox received or keys of a namespace sent, above `after` and below
   * `before`, up to `most`. Some may be of messages that are no longer visible; `byIds` leaves them out.
   */
  idsOf(of: Received | Sent | Written, after: string, before: string, most: number): Promise<readonly string[]>;
  /** The copies of up to 100 messages with several recipients, oldest first. */
  copiesOf(ids: readonly string[]): Promise<readonly Message[]>;
  /** The `traceparent` of each of these messages, or of the message that a reply answers, where it was traced. */
  traces(ids: readonly string[]): Promise<readonly (string | undefined)[]>;
  /** Those of `ids` that exist, oldest first, each as `byId` gives it, or with the beginnings of its texts. */
  byIds(ids: readonly string[], texts?: MessageTexts): Promise<readonly Message[]>;
  /**
   * Removes a settled message, for its sender too, with its replies that no mailbox received; of a reply, what the mailbox
   * that received it has, while the one that wrote it keeps it. False when there is no such settled message.
   */
  remove(message: Pick<Message, 'id' | 'thread_id'>): Promise<boolean>;
  /**
   * Removes one bounded batch: of the oldest `most` messages above the id `after` (fewer, if large) those that settled
   * before `before`. `next` is the id to continue after; null when no older one is left. Unsettled messages are never
   * removed.
   */
  retire(
    before: Millis,
    after: string,
    most: number,
  ): Promise<{ readonly retired: number; readonly next: string | null }>;
}
