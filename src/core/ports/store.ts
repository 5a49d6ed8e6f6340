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
 * Storage as whole facts. A write is durable (on disk, synced) when its promise resolves; when it rejects, nothing of it
 * happened, and the error is an AppError `unavailable` if trying again makes sense. No transaction leaves this port.
 * Both databases keep one contract: `tests/store/contract.ts`.
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
  /** Where several processes serve the same database; undefined where this one owns it. */
  readonly shared: Shared | undefined;
  /** Does it while no other process on this database does. */
  alone<T>(act: () => Promise<T>): Promise<T>;
  /** What came of an idempotency key that was used and has not expired: spares the work of a repeated request. */
  idempotency(scope: string, key: string, now: Millis): Promise<Replayed | undefined>;
  /** Writes down that `id` came of it, for a request that made nothing new; the first one's stays. */
  remember(once: Idempotency, id: string, now: Millis): Promise<void>;
  /** A durable write of no meaning: whether the next real one would succeed. */
  probe(): Promise<void>;
}

/** What the nodes on one database share beside what is stored. */
export interface Shared {
  /** Of the rate limits, for all nodes together. */
  readonly counters: Counters;
  /** Lets the other nodes know, soon; it may be lost. */
  publish(notice: Notice): void;
  /** Calls `listener` with what other nodes tell. */
  subscribe(listener: (notice: Notice) => void): void;
}

export type Notice =
  /** These messages settled: who waits for them may be answered, who works on them may stop. */
  | { readonly kind: 'settled'; readonly ids: readonly string[] }
  /** Work is due that the one who took it in has no room for. */
  | { readonly kind: 'due' }
  /** A namespace, mailbox or key was made, changed or removed: what was looked up may be old. */
  | { readonly kind: 'changed' }
  /** Somebody follows events on the node that tells it: for a while it wants to be told of each namespace's, */
  | { readonly kind: 'following' }
  /** as is done with this: there are new ones in these. */
  | { readonly kind: 'events'; readonly ids: readonly string[] };

/** A caller's `Idempotency-Key`, within whoever may use it; `hash` tells whether the request is the same. */
export interface Idempotency {
  /** The API key's id, or who else the key belongs to (`guest:<network>`, `namespaces`). */
  readonly scope: string;
  readonly key: string;
  readonly hash: string;
  readonly expires_at: Millis;
}

/** The idempotency key was used: `id` is what came of it. */
export interface Replayed {
  readonly kind: 'replayed';
  readonly id: string;
  /** Of the first request; another than the caller's means another request. */
  readonly hash: string;
}

export interface Namespaces {
  /** All of it or nothing. A deleted namespace's name stays taken. */
  create(
    made: {
      readonly namespace: Namespace;
      readonly key: Key;
      readonly mailboxes: readonly Mailbox[];
      /** What stands for the network it is made from. */
      readonly network?: string;
    },
    once?: Idempotency,
  ): Promise<{ readonly kind: 'created' | 'taken' } | Replayed>;
  /** Deleted ones too, with their `deleted_at`. */
  byName(name: string): Promise<Namespace | undefined>;
  byId(id: string): Promise<Namespace | undefined>;
  /** Whether there is any, deleted ones included. */
  any(): Promise<boolean>;
  /** A person owns it from now on, and it counts for no network any more; false when that was so before. */
  claim(id: string, now: Millis): Promise<boolean>;
  isClaimed(id: string): Promise<boolean>;
  /** Undefined when it is deleted or never was. */
  rename(id: string, display_name: string | null): Promise<Namespace | undefined>;
  /**
   * At once: its keys are revoked, its mailboxes deleted (their messages are no longer found), what it sent to others is
   * sent by nobody. The rows themselves go by `jobs` of kind `purge`. False when it was deleted before.
   */
  delete(id: string, now: Millis): Promise<boolean>;
}

/** For whom something is searched, so that a caller's searches hold up none but its own; they end when `signal` aborts. */
export interface SearchCaller {
  readonly id: string;
  readonly signal?: AbortSignal;
}

/** The most characters of a `query`; a longer one is AppError `validation_error`. */
export const MAX_QUERY = 200;

export interface MailboxQuery {
  /** Only of this namespace. */
  readonly namespace_id?: string;
  /** Namespace by name; an unknown one has no mailboxes. */
  readonly namespace?: string;
  readonly behavior?: string;
  /** A part of address, display name or description, in any case (ASCII). */
  readonly query?: string;
  /** Only those with visibility `listed`; of all namespaces it has to be true. */
  readonly listed: boolean;
  /** Those with access `key` are found by their own namespace's keys only. */
  readonly seen_by: string | null;
}

export interface Mailboxes {
  /**
   * `taken`: a living mailbox has the address. `full`: `most` live in its namespace. `gone`: its namespace was deleted.
   * Exact however many are made at once.
   */
  create(
    mailbox: Mailbox,
    once?: Idempotency,
    max?: number,
  ): Promise<{ readonly kind: 'created' | 'taken' | 'full' | 'gone' } | Replayed>;
  /** The living one of this address, else the one deleted last, with its `deleted_at`. */
  byAddress(local_part: string, namespace: string): Promise<Mailbox | undefined>;
  byId(id: string): Promise<Mailbox | undefined>;
  /**
   * Writes these fields, and only if it is not deleted; with `status`, what waits is held (paused) or let go (online) in
   * the same transaction. With another `behavior`, the settings of the one before are kept, and those kept of the new one
   * are removed, as `settings` says what they are now. Undefined when it is gone.
   */
  change(id: string, fields: Partial<Mailbox>, now: Millis): Promise<Mailbox | undefined>;
  /** The settings of the behaviors that a living mailbox had before, by name; none that were empty. */
  keptSettings(id: string): Promise<ReadonlyMap<string, Mailbox['settings']>>;
  /** As for a namespace: gone at once, the rows by a `purge` job. False when it was deleted before. */
  delete(id: string, now: Millis): Promise<boolean>;
  /** Of the living ones of a namespace, in the order they were made. */
  ids(namespace_id: string): Promise<readonly string[]>;
  /** Those of them that live, in any order. */
  byIds(ids: readonly string[]): Promise<readonly MailboxSummary[]>;
  /**
   * Living ones in the order they were made; `after` is the id the page before ended with. With a `query` it looks at no
   * more than 20,000: a page may hold less than `size`, or nothing, and still have a `next`.
   */
  page(of: MailboxQuery, after: string | null, size: number, caller?: SearchCaller): Promise<Page<MailboxSummary>>;
}

export interface Keys {
  /** `full`: so many of its namespace work. Exact however many are made at once. */
  create(key: Key, once?: Idempotency, maxItems?: number): Promise<{ readonly kind: 'created' | 'full' } | Replayed>;
  /** Revoked and expired ones too: the caller looks. */
  bySha256(sha256: string): Promise<Key | undefined>;
  byId(id: string): Promise<Key | undefined>;
  /** Not revoked ones (with `revoked`, those too), in the order they were made; with `mailbox_id`, those bound to it. */
  page(
    of: { readonly namespace_id: string; readonly mailbox_id?: string; readonly revoked?: boolean },
    after: string | null,
    size: number,
  ): Promise<Page<Key>>;
  /** False when it was revoked before, or is not of this namespace. */
  revoke(id: string, namespace_id: string, now: Millis): Promise<boolean>;
  /** Remembers that these were used, each at its time; never moves a time backward. */
  used(uses: readonly { readonly id: string; readonly at: Millis }[]): Promise<void>;
  /**
   * Gives a key that was never used another secret; undefined when it was used, revoked or is gone. In one statement, so
   * that of two callers at most the last one's secret works and never a used key's changes.
   */
  renew(id: string, fresh: { readonly sha256: string; readonly prefix: string }): Promise<Key | undefined>;
  /** The first key of a namespace, made with it. */
  firstOf(namespace_id: string): Promise<Key | undefined>;
}

/** How a message ended, as it is written. */
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
   * With a settled `status`: stored as it is, in one write. Else a `handle` job is made with it: due at once, or held
   * when the mailbox is paused or offline at that moment.
   */
  readonly message: Message;
  readonly once?: Idempotency | undefined;
  /** The handler is running already: the job is born claimed until then, with fence 1. */
  readonly leased_until?: Millis | undefined;
  /** A message that waits counts against this many in its mailbox. */
  readonly max_waiting: number;
  /**
   * The mailbox that `from` names, when it does: gets the reply filed as a message of its own with the settlement.
   */
  readonly from_mailbox_id: string | null;
}

export type Accepted =
  /** `held`: it waits for its mailbox to be resumed. */
  | { readonly kind: 'accepted'; readonly held: boolean }
  | Replayed
  /** Nothing was written: its key, its mailbox or its sender's mailbox is no more, or too much waits there. */
  | { readonly kind: 'refused'; readonly code: 'invalid_key' | 'mailbox_gone' | 'sender_not_allowed' | 'mailbox_full' };

export interface MessageQuery {
  /** Received by this mailbox, */
  readonly mailbox_id?: string;
  /** or sent by keys of this namespace, */
  readonly sender_namespace_id?: string;
  /** narrowed to what was sent as this mailbox. */
  readonly sender_mailbox_id?: string;
  readonly status?: Status;
  readonly since?: Millis;
  /** A part of the subject, body or reply, in any case (ASCII). */
  readonly query?: string;
  /** The most rows that are looked at, when something narrows it; 20,000 when left out. Of their text in proportion. */
  readonly scan?: number;
}

/** A living mailbox that received something, and the newest of it. */
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
   * False: the claim's lease went to another or the message was canceled; nothing was written. The effects are in the same
   * transaction, for the message's sender in its mailbox.
   */
  settle(claim: Pick<Claim, 'id' | 'fence'>, settlement: Settlement, effects?: readonly Effect[]): Promise<boolean>;
  /**
   * Stops the work on it until whoever is to has decided on `plan` (JSON text): it is `working`, with `waiting_for`, and no
   * job of it is due. `by` is the recipient's owner when it is left out. False when the claim was lost. `behavior` is the one
   * that carries the plan out; any when it is left out.
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
   * The owner says yes to exactly this plan: its job is due again. False when no such plan of it waits, and while its
   * mailbox has another behavior than the plan.
   */
  approve(id: string, plan: string, now: Millis): Promise<boolean>;
  /** The owner says no: settled, whoever asks, with effects as `settle` has them. False when no such plan of it waits. */
  refuse(id: string, plan: string, settlement: Settlement, effects?: readonly Effect[]): Promise<boolean>;
  /** Settles as `canceled` whatever has not settled, whoever works on it. False when it had settled, or is gone. */
  cancel(id: string, now: Millis): Promise<boolean>;
  /** `working` when someone holds its job, else as stored. Undefined when its mailbox was deleted. */
  byId(id: string): Promise<Message | undefined>;
  /** Those of `ids` (up to 500) that have settled. */
  settledOf(ids: readonly string[]): Promise<readonly Message[]>;
  /**
   * Newest first. `before` is the id the page before ended with. Looks at no more than 20,000 rows and 32 MiB of text: with
   * a rare `status` or `query` a page may hold less than `size`, or nothing, and still have a `next`. So may any page whose
   * messages are long.
   */
  page(of: MessageQuery, before: string | null, size: number, caller?: SearchCaller): Promise<Page<Message>>;
  /**
   * Newest first: what mailboxes of a namespace sent and their owner is to decide on. `before` is the id the page before
   * ended with.
   */
  awaitingApproval(sender_namespace_id: string, before: string | null, size: number): Promise<Page<Message>>;
  /** Of each mailbox of a namespace the newest message, below the id `before` if one is given. */
  heads(namespace_id: string, before: string | null): Promise<readonly Head[]>;
  /** A thread from its first message on. `after` is the id the page before ended with. */
  thread(thread_id: string, after: string | null, size: number): Promise<Page<Message>>;
  /** The end of a thread, or of what is before the id `before`, oldest first; `next` is the `before` of the part before. */
  threadEnd(thread_id: string, before: string | null, size: number): Promise<Page<Message>>;
  /**
   * The ids, oldest first, of what a mailbox received or keys of a namespace sent: those above `after` and below `before`,
   * up to `most`. Some may be of messages that nobody may see any more: `byIds` leaves them out.
   */
  idsOf(of: Received | Sent, after: string, before: string, most: number): Promise<readonly string[]>;
  /** Those of them that are there, oldest first, each as `byId` gives it. */
  byIds(ids: readonly string[]): Promise<readonly Message[]>;
  /**
   * One bounded bite of what is old: of the oldest `most` messages above the id `after` (fewer, if large) those that
   * settled before `before` go. `next` is the id to go on after; null when no older one is left. What waits never goes.
   */
  retire(
    before: Millis,
    after: string,
    most: number,
  ): Promise<{ readonly retired: number; readonly next: string | null }>;
}

/** Work that is due: claimed under a lease, done once. */
export interface Claim {
  /** Of `handle`: the message's id. */
  readonly id: string;
  readonly kind: JobKind;
  /** Grows with each claim: who holds an older one can no longer write. */
  readonly fence: number;
  /** How many times it was claimed, this one included. */
  readonly attempt: number;
  /** Of `purge`: `mailbox:<id>` or `sender:<namespace id>`. */
  readonly subject: string;
  /** Of `handle`, where it came along with the claim; else it is looked up. */
  readonly message?: Message;
}
/** `wake`: a schedule is due; the job's id is the schedule's. `mail`: a mail is to be sent; its checkpoint is the mail. */
export type JobKind = 'handle' | 'purge' | 'wake' | 'mail';

/** What the job of a message keeps between its runs. */
export interface Kept {
  /** JSON text of where it was, if it said so. */
  readonly checkpoint: string | null;
  /** JSON text of the plan that the owner was asked about, if any, */
  readonly plan: string | null;
  /** whose owner that is, */
  readonly decides: Decider;
  /** and whether they said yes, and its mailbox has the plan's behavior. */
  readonly approved: boolean;
}

export interface Jobs {
  /** How many messages of a mailbox wait for approval of a plan that this behavior carries out, up to `most`. */
  countAsking(mailbox_id: string, behavior: string, most: number): Promise<number>;
  /** Makes work that belongs to no message or mailbox; `checkpoint` is JSON text. Nothing happens when the id is taken. */
  add(job: {
    readonly id: string;
    readonly kind: 'mail';
    readonly checkpoint: string;
    readonly due_at: Millis;
  }): Promise<void>;
  /** It is done, and gone. False when the claim was lost. */
  done(claim: Pick<Claim, 'id' | 'fence'>): Promise<boolean>;
  /** Takes up to `most` due jobs, the longest due first, for `lease_ms`. */
  claim(most: number, now: Millis, lease_ms: Millis): Promise<readonly Claim[]>;
  /** Holds on to them until `until`; returns the ids still held. */
  renew(claims: readonly Claim[], until: Millis): Promise<readonly string[]>;
  /** Keeps what its handler reports, as JSON text, for as long as it is claimed. False when the claim was lost. */
  report(claim: Pick<Claim, 'id' | 'fence'>, progress: string): Promise<boolean>;
  /** Keeps where it is, as JSON text, for the next run: of a crash, of a decision. False when the claim was lost. */
  save(claim: Pick<Claim, 'id' | 'fence'>, checkpoint: string): Promise<boolean>;
  /** What it kept; undefined when the job is gone. */
  kept(id: string): Promise<Kept | undefined>;
  /** Gives it back, due at `at`, or held while its mailbox is paused. False when the claim was lost. */
  later(claim: Claim, at: Millis): Promise<boolean>;
  /**
   * One bounded bite (500 rows) of a `purge` job; `more` false: nothing was left and the job is gone. `lost`: another
   * has the claim.
   */
  purge(claim: Claim): Promise<'more' | 'done' | 'lost'>;
  /** When the next job is due, if any will be without someone's doing. */
  nextDue(): Promise<Millis | undefined>;
  /** How many are due or claimed now; of those that are due no more than 100,000 are counted. */
  depth(): Promise<number>;
  /** Removes idempotency keys that expired before `now`, a bounded number; how many went. */
  sweep(now: Millis): Promise<number>;
}

export interface EventQuery {
  readonly namespace_id: string;
  /** Only of this mailbox. */
  readonly mailbox_id?: string;
}

/** A stretch of the log. */
export interface EventPage {
  /** In the order of the log; what is of a deleted message or mailbox is left out. */
  readonly items: readonly StoredEvent[];
  /** The place to go on after; there even when nothing was found. */
  readonly next: string;
  /** There is more right now. */
  readonly more: boolean;
}

/** An event as whoever counts sees it: without what it happened to. */
export interface Tally {
  readonly mailbox_id: string;
  readonly at: Millis;
  readonly type: EventType;
  /** A message came with it. */
  readonly arrived: boolean;
  /** Of an end: how long after the arrival. */
  readonly took_ms: Millis | null;
}

/** A stretch of the log to be counted, with its first and last place; null when there is nothing there. */
export interface TallyPage {
  readonly items: readonly Tally[];
  readonly first: string | null;
  readonly last: string | null;
  readonly more: boolean;
}

/**
 * What happened, in the order in which it was committed: written with the fact itself, in one transaction. Whoever goes on
 * after a place misses nothing and is told nothing twice: what others are about to commit shows when nothing can come
 * before it any more.
 */
export interface Events {
  /** From the oldest on, or after the event of this id. A place that this log never came to counts as its end. */
  page(of: EventQuery, after: string | null, size: number): Promise<EventPage>;
  /** The place of the newest one; null when there is none. */
  last(namespace_id: string): Promise<string | null>;
  /**
   * Up to `most` events to be counted: the oldest ones after a place, or the newest ones before it (null: from the end).
   * Deleted mailboxes' too, which whoever counts leaves out.
   */
  tally(
    namespace_id: string,
    from: { readonly after: string } | { readonly before: string | null },
    most: number,
  ): Promise<TallyPage>;
  /** Removes up to `most` of those that happened before `before`, the oldest first; how many went. */
  trim(before: Millis, most: number): Promise<number>;
}

/** What senders have mailboxes remember; written by effects alone. */
export interface Notes {
  get(of: Owner, name: string): Promise<Note | undefined>;
  /** Those with `query` in name or text, in any case (ASCII), by name; all of them when it is ''. */
  find(of: Owner, query: string, most: number, caller?: SearchCaller): Promise<readonly Note[]>;
  count(of: Owner): Promise<number>;
}

/** What senders have planned; made and removed by effects, gone with their mailbox. Each has a job of kind `wake`. */
export interface Schedules {
  byId(id: string): Promise<Schedule | undefined>;
  /** Those of an owner, the next due first. */
  of(of: Owner, most: number): Promise<readonly Schedule[]>;
  count(of: Owner): Promise<number>;
  /** Of a mailbox, whoever planned them, up to `most`. */
  countIn(mailbox_id: string, most: number): Promise<number>;
  /** Of whoever writes from this namespace, in any mailbox; */
  countOf(sender_namespace_id: string): Promise<number>;
  /** and of senders without a namespace in this one's mailboxes. */
  countOfGuests(namespace_id: string): Promise<number>;
  /**
   * It was done for the time it was due: due again at `next_at`, or gone when that is null. False when the claim was lost.
   */
  ran(claim: Pick<Claim, 'id' | 'fence'>, next_at: Millis | null, now: Millis): Promise<boolean>;
}

/** So many bytes more, or fewer. */
export interface StorageChange {
  /** A namespace's id, or what stands for a network. */
  readonly subject: string;
  readonly bytes: number;
  /** When nobody asks for it any more. */
  readonly expires_at: Millis | null;
}

export interface StorageTotal {
  readonly subject: string;
  readonly bytes: number;
  /** Of a namespace: its name, the network it was made from, and whether a person has claimed it. */
  readonly name: string | null;
  readonly network: string | null;
  readonly claimed: boolean;
}

/** The bytes that namespaces and networks take. What is deleted is given back by whatever deletes it. */
export interface StorageTotals {
  add(changes: readonly StorageChange[]): Promise<void>;
  /** One for each subject. */
  totals(subjects: readonly string[]): Promise<readonly StorageTotal[]>;
  /** Removes those that expired before `now`; how many went. */
  sweep(now: Millis): Promise<number>;
}

/** Random secrets that the whole service shares, made once by whoever comes first. */
export interface Secrets {
  /** The secret of that name; `fresh` becomes it when there was none. */
  getOrPut(name: string, fresh: string): Promise<string>;
}

/** Something remembered until a time and no longer: a session, a challenge that was solved. */
export interface State {
  readonly kind: string;
  readonly id: string;
  /** What it belongs to, to remove all of that at once. */
  readonly subject: string | null;
  readonly value: string;
  readonly expires_at: Millis;
}

/** Short-lived rows; what has expired is as if it were not there. */
export interface States {
  /** False when one of this kind and id is there: of many who put it at once, one does. */
  put(state: State, now: Millis): Promise<boolean>;
  /** Writes it, whether or not one is there. */
  set(state: State): Promise<void>;
  /** Gives it the value `to` if its value is exactly `from`: of many who do so at once, one does. False for the others. */
  swap(kind: string, id: string, from: string, to: string, now: Millis): Promise<boolean>;
  /** Removes it and returns what it was: of many who take it at once, one gets it. */
  take(kind: string, id: string, now: Millis): Promise<State | undefined>;
  get(kind: string, id: string, now: Millis): Promise<State | undefined>;
  /** False when it is not there, or no longer. */
  prolong(kind: string, id: string, until: Millis, now: Millis): Promise<boolean>;
  /** False when it was not there. */
  remove(kind: string, id: string): Promise<boolean>;
  /** Those of a subject that have not expired, up to 200: who expires last comes first. */
  of(kind: string, subject: string, now: Millis): Promise<readonly State[]>;
  /** Removes all of a subject but the `most` that expire last. */
  trim(kind: string, subject: string, most: number): Promise<void>;
  /** All of a subject; how many there were. */
  removeOf(kind: string, subject: string): Promise<number>;
  /** Removes those that expired before `now`, a bounded number; how many went. */
  sweep(now: Millis): Promise<number>;
}
