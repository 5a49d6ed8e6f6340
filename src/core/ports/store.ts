import type { Effect } from '../entities/effect.ts';
import type { EventType, StoredEvent } from '../entities/event.ts';
import type { Key } from '../entities/key.ts';
import type { Mailbox, MailboxSummary } from '../entities/mailbox.ts';
import type { Decider, Message, Status } from '../entities/message.ts';
import type { Namespace } from '../entities/namespace.ts';
import type { Note, Owner } from '../entities/note.ts';
import type { Schedule } from '../entities/schedule.ts';
import type { Accounts } from '../sign-in/account.ts';
import type { Allowances, Clients } from '../sign-in/client.ts';
import type { Millis } from '../values/clock.ts';
import type { Page } from '../values/page.ts';
import type { Counters } from '../values/shared-limits.ts';

/**
 * The storage of the service. A write is durable (on disk, synced) when its promise resolves; when it rejects, nothing of
 * it was written, and the error is AppError `unavailable` if a retry makes sense. Each method is one transaction. Both
 * databases pass the same contract tests: `tests/store/contract.ts`.
 */
export interface Store extends AsyncDisposable {
  readonly namespaces: Namespaces;
  readonly mailboxes: Mailboxes;
  readonly keys: Keys;
  readonly messages: Messages;
  readonly jobs: Jobs;
  readonly events: Events;
  readonly secrets: Secrets;
  readonly states: States;
  readonly notes: Notes;
  readonly schedules: Schedules;
  readonly accounts: Accounts;
  readonly clients: Clients;
  readonly allowances: Allowances;
  readonly storage: StorageTotals;
  /** Set where several processes serve the same database; undefined where this one owns it. */
  readonly shared: Shared | undefined;
  /** Runs `act` while no other process on this database runs one. */
  alone<T>(act: () => Promise<T>): Promise<T>;
  /** The result of an idempotency key that was used and has not expired, which saves the work of a repeated request. */
  idempotency(scope: string, key: string, now: Millis): Promise<Replayed | undefined>;
  /** Stores `id` as the result of a request that created nothing; an earlier result stays. */
  remember(idempotency: Idempotency, id: string, now: Millis): Promise<void>;
  /** A durable write without meaning, to learn whether the next real write would succeed. */
  probe(): Promise<void>;
}

/** What the nodes on one database share besides the stored data. */
export interface Shared {
  /** The counters of the rate limits, for all nodes together. */
  readonly counters: Counters;
  /** Notifies the other nodes soon; the notice may be lost. */
  publish(notice: Notice): void;
  /** Calls `listener` with the notices of other nodes. */
  subscribe(listener: (notice: Notice) => void): void;
}

export type Notice =
  /** These messages settled: requests that wait for them can be answered, and work on them can stop. */
  | { readonly kind: 'settled'; readonly ids: readonly string[] }
  /** Work is due for which the node that accepted it has no slot. */
  | { readonly kind: 'due' }
  /** A namespace, mailbox or key was created, changed or removed, so cached look-ups may be old. */
  | { readonly kind: 'changed' }
  /** The publishing node has subscribers of events and wants notices of all namespaces for a while. */
  | { readonly kind: 'following' }
  /** These namespaces have new events. */
  | { readonly kind: 'events'; readonly ids: readonly string[] };

/** A caller's `Idempotency-Key` within its scope; `hash` tells whether a repeated request is the same. */
export interface Idempotency {
  /** The API key's id, or another scope (`guest:<network>`, `namespaces`). */
  readonly scope: string;
  readonly key: string;
  readonly hash: string;
  readonly expires_at: Millis;
}

/** The idempotency key was used: `id` is the result of the first request. */
export interface Replayed {
  readonly kind: 'replayed';
  readonly id: string;
  /** The hash of the first request; a different hash means a different request. */
  readonly hash: string;
}

export interface Namespaces {
  /** All in one transaction. The name of a deleted namespace stays taken. */
  create(
    made: {
      readonly namespace: Namespace;
      readonly key: Key;
      readonly mailboxes: readonly Mailbox[];
      /** The keyed hash of the network it is created from. */
      readonly network?: string;
    },
    idempotency?: Idempotency,
  ): Promise<{ readonly kind: 'created' | 'taken' } | Replayed>;
  /** Includes deleted ones, with their `deleted_at`. */
  byName(name: string): Promise<Namespace | undefined>;
  byId(id: string): Promise<Namespace | undefined>;
  /** Whether there is any, including deleted ones. */
  any(): Promise<boolean>;
  /** Marks it as owned by a person, so that it no longer counts for a network; false when it was so before. */
  claim(id: string, now: Millis): Promise<boolean>;
  isClaimed(id: string): Promise<boolean>;
  /** Undefined when it is deleted or never existed. */
  rename(id: string, display_name: string | null): Promise<Namespace | undefined>;
  /**
   * Takes effect at once: its keys are revoked, its mailboxes deleted (their messages are no longer found), and what it
   * sent to others has no sender any more. A `purge` job removes the rows. False when it was deleted before.
   */
  delete(id: string, now: Millis): Promise<boolean>;
}

/** The caller of a search, so that its searches hold up only its own; they end when `signal` aborts. */
export interface SearchCaller {
  readonly id: string;
  readonly signal?: AbortSignal;
}

/** Maximum characters of a `query`; a longer one is AppError `validation_error`. */
export const MAX_QUERY = 200;

export interface MailboxQuery {
  /** Only of this namespace. */
  readonly namespace_id?: string;
  /** The namespace by name; an unknown one has no mailboxes. */
  readonly namespace?: string;
  readonly behavior?: string;
  /** A part of the address, display name or description, ignoring ASCII case. */
  readonly query?: string;
  /** Only those with visibility `listed`; required when all namespaces are searched. */
  readonly listed: boolean;
  /** Mailboxes with access `key` are found only for this namespace. */
  readonly seen_by: string | null;
}

export interface Mailboxes {
  /**
   * `taken`: a living mailbox has the address. `full`: `most` live in its namespace. `gone`: its namespace was deleted.
   * Exact also for concurrent calls.
   */
  create(
    mailbox: Mailbox,
    idempotency?: Idempotency,
    max?: number,
  ): Promise<{ readonly kind: 'created' | 'taken' | 'full' | 'gone' } | Replayed>;
  /** The living mailbox of this address, or else the one deleted last, with its `deleted_at`. */
  byAddress(local_part: string, namespace: string): Promise<Mailbox | undefined>;
  byId(id: string): Promise<Mailbox | undefined>;
  /**
   * Writes these fields unless it is deleted; with `status`, waiting messages are held (paused) or released (online) in
   * the same transaction. With another `behavior`, the settings of the previous one are kept, and those kept of the new
   * one are removed, as `settings` replaces them. Undefined when it is gone.
   */
  change(id: string, fields: Partial<Mailbox>, now: Millis): Promise<Mailbox | undefined>;
  /** The settings that a living mailbox had for earlier behaviors, by name; empty ones are left out. */
  keptSettings(id: string): Promise<ReadonlyMap<string, Mailbox['settings']>>;
  /** As for a namespace: gone at once, the rows by a `purge` job. False when it was deleted before. */
  delete(id: string, now: Millis): Promise<boolean>;
  /** The living ones of a namespace, in the order of creation. */
  ids(namespace_id: string): Promise<readonly string[]>;
  /** The living ones among `ids`, in any order. */
  byIds(ids: readonly string[]): Promise<readonly MailboxSummary[]>;
  /**
   * Living ones in the order of creation; `after` is the last id of the previous page. With a `query` at most 20,000 are
   * examined: a page may hold fewer than `size`, or none, and still have a `next`.
   */
  page(of: MailboxQuery, after: string | null, size: number, caller?: SearchCaller): Promise<Page<MailboxSummary>>;
}

export interface Keys {
  /** `full`: `maxItems` keys of its namespace work. Exact also for concurrent calls. */
  create(
    key: Key,
    idempotency?: Idempotency,
    maxItems?: number,
  ): Promise<{ readonly kind: 'created' | 'full' } | Replayed>;
  /** Includes revoked and expired ones, which the caller checks. */
  bySha256(sha256: string): Promise<Key | undefined>;
  byId(id: string): Promise<Key | undefined>;
  /** Keys in the order of creation, without revoked ones unless `revoked`; with `mailbox_id`, those bound to it. */
  page(
    of: { readonly namespace_id: string; readonly mailbox_id?: string; readonly revoked?: boolean },
    after: string | null,
    size: number,
  ): Promise<Page<Key>>;
  /** False when it was revoked before or is not of this namespace. */
  revoke(id: string, namespace_id: string, now: Millis): Promise<boolean>;
  /** Records when these were used; never moves a time backward. */
  used(uses: readonly { readonly id: string; readonly at: Millis }[]): Promise<void>;
  /**
   * Gives a key that was never used another secret; undefined when it was used, revoked or is gone. One statement, so
   * that of two callers only the last one's secret works, and a used key never changes.
   */
  renew(id: string, fresh: { readonly sha256: string; readonly prefix: string }): Promise<Key | undefined>;
  /** The first key of a namespace, created with it. */
  firstOf(namespace_id: string): Promise<Key | undefined>;
}

/** The final state of a message, as it is written. */
export interface Settlement {
  readonly status: Exclude<Status, 'submitted' | 'working'>;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly reply_body: string | null;
  readonly reply_data: string | null;
  readonly settled_at: Millis;
}

export interface Acceptance {
  /**
   * With a settled `status` it is stored as it is, in one write. Otherwise a `handle` job is created with it: due at
   * once, or held when the mailbox is paused or offline at that moment.
   */
  readonly message: Message;
  readonly idempotency?: Idempotency | undefined;
  /** Set when the handler is already running: the job is created claimed until then, with fence 1. */
  readonly leased_until?: Millis | undefined;
  /** The maximum number of waiting messages in its mailbox, including this one. */
  readonly max_waiting: number;
  /** The mailbox that `from` names, if any: it gets the reply filed as a message of its own with the settlement. */
  readonly from_mailbox_id: string | null;
}

export type Accepted =
  /** `held`: it waits for its mailbox to be resumed. */
  | { readonly kind: 'accepted'; readonly held: boolean }
  | Replayed
  /** Nothing was written: its key, its mailbox or its sender's mailbox is gone, or too many messages wait there. */
  | { readonly kind: 'refused'; readonly code: 'invalid_key' | 'mailbox_gone' | 'sender_not_allowed' | 'mailbox_full' };

export interface MessageQuery {
  /** Only received by this mailbox. */
  readonly mailbox_id?: string;
  /** Only sent by keys of this namespace. */
  readonly sender_namespace_id?: string;
  /** With `sender_namespace_id`: only sent as this mailbox. */
  readonly sender_mailbox_id?: string;
  readonly status?: Status;
  readonly since?: Millis;
  /** A part of the subject, body or reply, ignoring ASCII case. */
  readonly query?: string;
  /** Maximum number of rows examined for a filter, 20,000 by default; the limit on their text is proportional. */
  readonly scan?: number;
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

export interface Messages {
  accept(acceptance: Acceptance): Promise<Accepted>;
  /**
   * False: the claim was lost or the message was canceled, and nothing was written. The effects belong to the message's
   * sender in its mailbox and are written in the same transaction.
   */
  settle(claim: Pick<Claim, 'id' | 'fence'>, settlement: Settlement, effects?: readonly Effect[]): Promise<boolean>;
  /**
   * Suspends the work on it until an owner has decided on `plan` (JSON text): it is `working`, with `waiting_for`, and no
   * job of it is due. `by` defaults to the recipient's owner. `behavior` is the one that carries the plan out, any by
   * default. False when the claim was lost.
   */
  suspend(
    claim: Pick<Claim, 'id' | 'fence'>,
    plan: string,
    checkpoint: string | null,
    now: Millis,
    by?: Decider,
    behavior?: string,
  ): Promise<boolean>;
  /**
   * Records the owner's approval of exactly this plan: its job is due again. False when no such plan of it waits, and
   * while its mailbox has another behavior than the plan.
   */
  approve(id: string, plan: string, now: Millis): Promise<boolean>;
  /** Settles it with the owner's refusal, with effects as of `settle`. False when no such plan of it waits. */
  refuse(id: string, plan: string, settlement: Settlement, effects?: readonly Effect[]): Promise<boolean>;
  /** Settles an unsettled message as `canceled`, even while it is handled. False when it had settled or is gone. */
  cancel(id: string, now: Millis): Promise<boolean>;
  /** `working` while its job is claimed, otherwise as stored. Undefined when its mailbox was deleted. */
  byId(id: string): Promise<Message | undefined>;
  /** Those of `ids` (up to 500) that have settled. */
  settledOf(ids: readonly string[]): Promise<readonly Message[]>;
  /**
   * Newest first. `before` is the last id of the previous page. Examines at most 20,000 rows and 32 MiB of text: with a
   * rare `status` or `query`, or with long messages, a page may hold fewer than `size`, or none, and still have a `next`.
   */
  page(of: MessageQuery, before: string | null, size: number, caller?: SearchCaller): Promise<Page<Message>>;
  /**
   * Messages that mailboxes of a namespace sent and that wait for their owner's decision, newest first. `before` is the
   * last id of the previous page.
   */
  awaitingApproval(sender_namespace_id: string, before: string | null, size: number): Promise<Page<Message>>;
  /** The newest message of each mailbox of a namespace, below the id `before` if one is given. */
  heads(namespace_id: string, before: string | null): Promise<readonly Head[]>;
  /** A thread from its first message on. `after` is the last id of the previous page. */
  thread(thread_id: string, after: string | null, size: number): Promise<Page<Message>>;
  /**
   * The end of a thread, or of the part before the id `before`, oldest first; `next` is the `before` of the preceding
   * part.
   */
  threadEnd(thread_id: string, before: string | null, size: number): Promise<Page<Message>>;
  /**
   * The ids, oldest first, of messages that a mailbox received or keys of a namespace sent, above `after` and below
   * `before`, up to `most`. Some may be of messages that are no longer visible; `byIds` leaves them out.
   */
  idsOf(of: Received | Sent, after: string, before: string, most: number): Promise<readonly string[]>;
  /** Those of `ids` that exist, oldest first, each as `byId` gives it. */
  byIds(ids: readonly string[]): Promise<readonly Message[]>;
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

/** Due work, claimed under a lease. */
export interface Claim {
  /** Of `handle`: the message's id. */
  readonly id: string;
  readonly kind: JobKind;
  /** Grows with each claim, so that the holder of an older claim can no longer write. */
  readonly fence: number;
  /** How many times it was claimed, including this time. */
  readonly attempt: number;
  /** Of `purge`: `mailbox:<id>` or `sender:<namespace id>`. */
  readonly subject: string;
  /** Of `handle`, when it was read with the claim; otherwise it is looked up. */
  readonly message?: Message;
}
/** `wake`: a schedule is due; the job's id is the schedule's. `mail`: a mail is to be sent; its checkpoint is the mail. */
export type JobKind = 'handle' | 'purge' | 'wake' | 'mail';

/** What the job of a message stores between its runs. */
export interface Kept {
  /** JSON text of the state that a run saved, if any. */
  readonly checkpoint: string | null;
  /** JSON text of the plan that the owner was asked about, if any. */
  readonly plan: string | null;
  /** Whose owner was asked. */
  readonly decides: Decider;
  /** Whether that owner approved and the mailbox still has the plan's behavior. */
  readonly approved: boolean;
}

export interface Jobs {
  /** How many messages of a mailbox wait for approval of a plan that this behavior carries out, up to `most`. */
  countAsking(mailbox_id: string, behavior: string, most: number): Promise<number>;
  /** Adds work that belongs to no message or mailbox; `checkpoint` is JSON text. Does nothing when the id is taken. */
  add(job: {
    readonly id: string;
    readonly kind: 'mail';
    readonly checkpoint: string;
    readonly due_at: Millis;
  }): Promise<void>;
  /** Removes a finished job. False when the claim was lost. */
  done(claim: Pick<Claim, 'id' | 'fence'>): Promise<boolean>;
  /** Claims up to `most` due jobs, those due longest first, for `lease_ms`. */
  claim(most: number, now: Millis, lease_ms: Millis): Promise<readonly Claim[]>;
  /** Extends the leases until `until`; returns the ids still claimed. */
  renew(claims: readonly Claim[], until: Millis): Promise<readonly string[]>;
  /** Stores progress reports as JSON text while the job is claimed. False when the claim was lost. */
  report(claim: Pick<Claim, 'id' | 'fence'>, progress: string): Promise<boolean>;
  /** Stores the state of a run as JSON text for the next one, after a crash or a decision. False when the claim was lost. */
  save(claim: Pick<Claim, 'id' | 'fence'>, checkpoint: string): Promise<boolean>;
  /** What was stored of a job; undefined when it is gone. */
  kept(id: string): Promise<Kept | undefined>;
  /** Gives it back, due at `at`, or held while its mailbox is paused. False when the claim was lost. */
  later(claim: Claim, at: Millis): Promise<boolean>;
  /**
   * One bounded batch (500 rows) of a `purge` job; `done`: nothing was left and the job is gone; `lost`: the claim was
   * lost.
   */
  purge(claim: Claim): Promise<'more' | 'done' | 'lost'>;
  /** When the next job becomes due by time; undefined if none does. */
  nextDue(): Promise<Millis | undefined>;
  /** How many are due or claimed now; due ones are counted up to 100,000. */
  depth(): Promise<number>;
  /** Removes a bounded number of idempotency keys that expired before `now`; returns how many. */
  sweep(now: Millis): Promise<number>;
}

export interface EventQuery {
  readonly namespace_id: string;
  /** Only of this mailbox. */
  readonly mailbox_id?: string;
}

/** One page of the log. */
export interface EventPage {
  /** In the order of the log, without events of deleted messages and mailboxes. */
  readonly items: readonly StoredEvent[];
  /** The cursor to continue after, present even when nothing was found. */
  readonly next: string;
  /** Whether there is more right now. */
  readonly more: boolean;
}

/** An event for statistics, without its subject. */
export interface Tally {
  readonly mailbox_id: string;
  readonly at: Millis;
  readonly type: EventType;
  /** Whether a message arrived with it. */
  readonly arrived: boolean;
  /** For a final event: the time since the arrival. */
  readonly took_ms: Millis | null;
}

/** A part of the log for statistics, with its first and last cursor; null when it is empty. */
export interface TallyPage {
  readonly items: readonly Tally[];
  readonly first: string | null;
  readonly last: string | null;
  readonly more: boolean;
}

/**
 * The log of events in the order of their commits, written in the transaction of the change itself. Reading on after a
 * cursor misses and repeats nothing: an event becomes visible only when no earlier one can be committed any more.
 */
export interface Events {
  /** From the oldest event, or after the one with this id. An id beyond the end of the log counts as its end. */
  page(of: EventQuery, after: string | null, size: number): Promise<EventPage>;
  /** The cursor of the newest event; null when there is none. */
  last(namespace_id: string): Promise<string | null>;
  /**
   * Up to `most` events for statistics: the oldest ones after a cursor, or the newest ones before it (null: from the
   * end). Includes those of deleted mailboxes, which the caller leaves out.
   */
  tally(
    namespace_id: string,
    from: { readonly after: string } | { readonly before: string | null },
    most: number,
  ): Promise<TallyPage>;
  /** Removes up to `most` events that happened before `before`, oldest first; returns how many. */
  trim(before: Millis, most: number): Promise<number>;
}

/** What mailboxes remember for senders; written only by effects. */
export interface Notes {
  get(of: Owner, name: string): Promise<Note | undefined>;
  /** Notes with `query` in name or text, ignoring ASCII case, ordered by name; all of them when it is ''. */
  find(of: Owner, query: string, most: number, caller?: SearchCaller): Promise<readonly Note[]>;
  count(of: Owner): Promise<number>;
}

/**
 * The schedules of senders, created and removed by effects, and removed with their mailbox. Each has a job of kind
 * `wake`.
 */
export interface Schedules {
  byId(id: string): Promise<Schedule | undefined>;
  /** Those of an owner, the next due first. */
  of(of: Owner, most: number): Promise<readonly Schedule[]>;
  count(of: Owner): Promise<number>;
  /** The number in a mailbox, of all authors, up to `most`. */
  countIn(mailbox_id: string, most: number): Promise<number>;
  /** The number of authors in this namespace, over all mailboxes. */
  countOf(sender_namespace_id: string): Promise<number>;
  /** The number of authors without a namespace in this namespace's mailboxes. */
  countOfGuests(namespace_id: string): Promise<number>;
  /**
   * Records that it ran at its due time: due again at `next_at`, or removed when that is null. False when the claim was
   * lost.
   */
  ran(claim: Pick<Claim, 'id' | 'fence'>, next_at: Millis | null, now: Millis): Promise<boolean>;
}

/** Bytes to add, or to give back when negative. */
export interface StorageChange {
  /** A namespace's id, or the keyed hash of a network. */
  readonly subject: string;
  readonly bytes: number;
  /** When the total is of no use any more; null: never. */
  readonly expires_at: Millis | null;
}

export interface StorageTotal {
  readonly subject: string;
  readonly bytes: number;
  /** For a namespace: its name, the network it was created from, and whether a person has claimed it. */
  readonly name: string | null;
  readonly network: string | null;
  readonly claimed: boolean;
}

/** The bytes that namespaces and networks store. Each deletion gives its bytes back itself. */
export interface StorageTotals {
  add(changes: readonly StorageChange[]): Promise<void>;
  /** One for each subject. */
  totals(subjects: readonly string[]): Promise<readonly StorageTotal[]>;
  /** Removes those that expired before `now`; returns how many. */
  sweep(now: Millis): Promise<number>;
}

/** Random secrets that all nodes share, each created by the first node that needs it. */
export interface Secrets {
  /** The secret of that name; `fresh` is stored when there was none. */
  getOrPut(name: string, fresh: string): Promise<string>;
}

/** A value that is stored until a time, such as a session or a solved challenge. */
export interface State {
  readonly kind: string;
  readonly id: string;
  /** The subject it belongs to, by which all of its states can be removed. */
  readonly subject: string | null;
  readonly value: string;
  readonly expires_at: Millis;
}

/** Short-lived rows; expired ones are never returned. */
export interface States {
  /** False when one of this kind and id exists: of concurrent calls one succeeds. */
  put(state: State, now: Millis): Promise<boolean>;
  /** Writes it, replacing an existing one. */
  set(state: State): Promise<void>;
  /** Sets the value `to` if it is exactly `from`: of concurrent calls one succeeds, the others return false. */
  swap(kind: string, id: string, from: string, to: string, now: Millis): Promise<boolean>;
  /** Removes and returns it: of concurrent calls one gets it. */
  take(kind: string, id: string, now: Millis): Promise<State | undefined>;
  get(kind: string, id: string, now: Millis): Promise<State | undefined>;
  /** False when it does not exist or has expired. */
  prolong(kind: string, id: string, until: Millis, now: Millis): Promise<boolean>;
  /** False when it did not exist. */
  remove(kind: string, id: string): Promise<boolean>;
  /** Those of a subject that have not expired, up to 200, the last to expire first. */
  of(kind: string, subject: string, now: Millis): Promise<readonly State[]>;
  /** Removes all of a subject but the `most` that expire last. */
  trim(kind: string, subject: string, most: number): Promise<void>;
  /** Removes all of a subject; returns how many there were. */
  removeOf(kind: string, subject: string): Promise<number>;
  /** Removes a bounded number that expired before `now`; returns how many. */
  sweep(now: Millis): Promise<number>;
}
