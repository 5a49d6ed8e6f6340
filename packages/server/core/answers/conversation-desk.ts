import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { type Clock, type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { newId } from '@mailroom/behavior/values/ids';
import type { ActorOf } from '../access/actor.ts';
import { type Caller, mayOn, missingScope, searchedBy } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import { hasScope, type Key } from '../entities/key.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { type Member, readsMailbox } from '../entities/member.ts';
import { mentionedIn } from '../entities/mention.ts';
import {
  type ConversationState,
  MAX_NOTE,
  type Standing,
  type StandingFilter,
  sizeOfNote,
  type ThreadNote,
  UNTOUCHED,
} from '../entities/standing.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { Claim } from '../ports/claim.ts';
import type { Store } from '../ports/store.ts';
import type { Dispatch } from '../runs/dispatch.ts';

interface Parts {
  readonly store: Pick<Store, 'accounts' | 'conversations' | 'threads'>;
  readonly directory: Directory;
  readonly storage: Pick<StorageMeter, 'writing'>;
  readonly dispatch: Pick<Dispatch, 'register' | 'announceDue'>;
  readonly bus: Pick<EventBus, 'publishEvents'>;
  readonly actorOf: ActorOf;
  readonly clock: Clock;
  readonly mailDomain: string;
}

/** What is asked to change, as callers write it. */
export interface WantedStanding {
  readonly state?: ConversationState | undefined;
  /** RFC 3339. */
  readonly until?: string | null | undefined;
  /** The id of a member, `me`, or null. */
  readonly assignee?: string | null | undefined;
}

/** Notes that are shown with a thread. */
const MAX_NOTES = 200;
/** How far ahead a conversation may be put off. */
const MAX_LATER_MS: Millis = 5 * 366 * 24 * 60 * 60_000;

/** Where conversations stand in their mailboxes, who takes care of them, and what members note of them. */
export class ConversationDesk {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.dispatch.register('later', (claim) => this.#run(claim));
  }

  /** The living mailboxes of a thread that the caller reads; none where it sees nothing of it. */
  async mailboxesOf(threadId: string, caller: Caller): Promise<readonly Mailbox[]> {
    if (caller.kind !== 'key') return [];
    const [found] = await this.#parts.store.threads.conversationsOf(searchedBy(caller), [threadId]);
    const boxes = await Promise.all(
      (found?.mailbox_ids ?? []).map(async (id) => this.#parts.directory.mailboxById(id)),
    );
    return boxes.filter((one) => one !== undefined && one.deleted_at === null && reaches(one, caller)) as Mailbox[];
  }

  /**
   * The mailbox of the thread in which the caller takes part, or the one that `address` names. AppError
   * `message_not_found`, `insufficient_scope`, `validation_error` where there are several.
   */
  async mailboxFor(threadId: string, caller: Caller, address: string | undefined): Promise<Mailbox> {
    const reached = await this.mailboxesOf(threadId, caller);
    if (reached.length === 0) throw noThread(threadId);
    const theirs = reached.filter((one) => mayTakePart(one, caller));
    const whole = (one: Mailbox): string => fullAddress(addressOf(one), this.#parts.mailDomain);
    const [only, another] = theirs;
    if (only === undefined) throw missingScope('mail:answer');
    if (address === undefined && another === undefined) return only;
    const named = theirs.find((one) => [whole(one), addressOf(one)].includes(address?.trim().toLowerCase() ?? ''));
    if (named !== undefined) return named;
    const choices = theirs.map(whole).join(', ');
    throw invalid(
      '/mailbox',
      address === undefined
        ? `The thread is in several of your mailboxes. Name one as mailbox: ${choices}.`
        : `The thread is in no mailbox of yours with this address. It is in ${choices}.`,
    );
  }

  /** Changes where the thread stands in the mailbox. AppError `validation_error`, `message_not_found`. */
  async change(threadId: string, mailbox: Mailbox, wanted: WantedStanding, key: Key): Promise<Standing> {
    const { store, bus, dispatch, clock } = this.#parts;
    const now = clock();
    const until = untilOf(wanted, now);
    const state = wanted.state ?? (until === undefined ? undefined : 'later');
    const assignee = await this.#assignee(wanted.assignee, mailbox, key);
    const change = { state, until, assignee };
    const standing = await store.conversations.change({ thread_id: threadId, mailbox_id: mailbox.id }, change, now);
    if (standing === undefined) throw noThread(threadId);
    bus.publishEvents(mailbox.namespace_id);
    if (standing.state === 'later') dispatch.announceDue();
    return this.#shown(standing, await this.members(mailbox.namespace_id));
  }

  /** Notes something beside the thread, for those who read the mailbox. AppError `body_too_large`, `storage_full`. */
  async note(threadId: string, mailbox: Mailbox, body: string, key: Key): Promise<ThreadNote> {
    const { store, storage, bus, clock, actorOf } = this.#parts;
    const text = body.trim();
    if (text === '') throw invalid('/body', 'A note has a text. Write one.');
    if (text.length > MAX_NOTE)
      throw new AppError('body_too_large', `A note has at most ${MAX_NOTE} characters; this one has ${text.length}.`);
    const now = clock();
    const readers = (await this.members(mailbox.namespace_id)).filter((one) => readsMailbox(one, mailbox.id));
    const note: ThreadNote = {
      ...{ id: newId('nte', now), namespace_id: mailbox.namespace_id, mailbox_id: mailbox.id, thread_id: threadId },
      author: await actorOf(key),
      body: text,
      mentions: mentionedIn(text, readers),
      created_at: now,
    };
    const payer = { kind: 'namespace', id: mailbox.namespace_id } as const;
    const write = () => store.conversations.addNote(note);
    if (!(await storage.writing(payer, sizeOfNote(note), write, (written) => written))) throw noThread(threadId);
    bus.publishEvents(mailbox.namespace_id);
    return note;
  }

  /**
   * Whether notes are for this key: the own one of a member, by which their sessions act, or one of an owner. Keys that
   * were made for programs see none, as a program may be the behavior of an address.
   */
  async readsNotes(key: Key): Promise<boolean> {
    const { store, clock } = this.#parts;
    if (hasScope(key, 'owner')) return true;
    if (key.account_id === null) return false;
    return (await store.accounts.member(key.namespace_id, key.account_id, clock()))?.key_id === key.id;
  }

  /** The newest notes of the thread in these mailboxes, oldest first, for those whom `readsNotes` lets. */
  notes(threadId: string, mailboxes: readonly Pick<Mailbox, 'id'>[]): Promise<readonly ThreadNote[]> {
    const ids = mailboxes.map(({ id }) => id);
    return this.#parts.store.conversations.notes(threadId, ids, MAX_NOTES);
  }

  /** Where the thread stands in this mailbox. */
  async standing(threadId: string, { id, namespace_id }: Pick<Mailbox, 'id' | 'namespace_id'>): Promise<Standing> {
    const found = await this.standings(namespace_id, [threadId], new Map([[threadId, [id]]]));
    return found.get(threadId) ?? UNTOUCHED;
  }

  /** Where each of these threads stands in the mailboxes that the caller reads: there where it is the most open. */
  async standings(
    namespaceId: string,
    threadIds: readonly string[],
    mailboxIds: ReadonlyMap<string, readonly string[]>,
  ): Promise<ReadonlyMap<string, Standing>> {
    const ids = [...new Set([...mailboxIds.values()].flat())];
    const rows = await this.#parts.store.conversations.find(threadIds, ids);
    const members = rows.some(({ assignee }) => assignee !== null) ? await this.members(namespaceId) : [];
    const standings = new Map(rows.map((row) => [`${row.thread_id} ${row.mailbox_id}`, this.#shown(row, members)]));
    return new Map(
      threadIds.flatMap((thread) => {
        const all = (mailboxIds.get(thread) ?? []).map((id) => standings.get(`${thread} ${id}`) ?? UNTOUCHED);
        const first = all.toSorted((a, b) => URGENCY[a.state] - URGENCY[b.state])[0];
        return first === undefined ? [] : [[thread, first] as const];
      }),
    );
  }

  /** The filter of lists by where threads stand; undefined for none. AppError `validation_error`. */
  async filterOf(
    { state, assignee }: { readonly state?: ConversationState | undefined; readonly assignee?: string | undefined },
    key: Key,
  ): Promise<StandingFilter | undefined> {
    if (state === undefined && assignee === undefined) return undefined;
    const members = await this.members(key.namespace_id);
    const ids = members.map(({ account_id }) => account_id);
    if (assignee === undefined) return { state, members: ids };
    if (assignee === 'none') return { state, assignee: null, members: ids };
    const named = assignee === 'me' ? this.#me(members, key) : members.find((one) => one.account_id === assignee);
    if (named === undefined) throw noMember(assignee);
    return { state, assignee: named.account_id, members: ids };
  }

  /** The members of a namespace. */
  members(namespaceId: string): Promise<readonly Member[]> {
    const { store, clock } = this.#parts;
    return store.accounts.membersOf(namespaceId, clock());
  }

  /** The members who may take care of a conversation of the mailbox. */
  async assignable(mailbox: Mailbox): Promise<readonly Member[]> {
    return (await this.members(mailbox.namespace_id)).filter((one) => readsMailbox(one, mailbox.id));
  }

  async #assignee(wanted: string | null | undefined, mailbox: Mailbox, key: Key): Promise<string | null | undefined> {
    if (wanted === undefined || wanted === null) return wanted;
    const members = await this.members(mailbox.namespace_id);
    const named = wanted === 'me' ? this.#me(members, key) : members.find((one) => one.account_id === wanted);
    if (named === undefined) throw noMember(wanted);
    if (readsMailbox(named, mailbox.id)) return named.account_id;
    throw invalid('/assignee', `This member does not read ${addressOf(mailbox)}. Choose one who does.`);
  }

  #me(members: readonly Member[], key: Key): Member | undefined {
    const me = members.find(({ account_id }) => account_id === key.account_id);
    if (me !== undefined) return me;
    throw invalid('/assignee', '"me" is for members who are signed in: this key belongs to none. Name a member.');
  }

  /** One who is no member any more takes care of nothing. */
  #shown({ state, until, assignee }: Standing, members: readonly Member[]): Standing {
    const isThere = members.some(({ account_id }) => account_id === assignee);
    return { state, until, assignee: isThere ? assignee : null };
  }

  async #run(claim: Claim): Promise<void> {
    const { store, bus, clock } = this.#parts;
    const [mailbox_id = '', thread_id = ''] = claim.subject.split(' ');
    const opened = await store.conversations.reopen({ mailbox_id, thread_id }, clock(), claim);
    if (opened !== undefined) bus.publishEvents(opened);
  }
}

/** The most open first. */
const URGENCY: Readonly<Record<ConversationState, number>> = { open: 0, waiting: 1, later: 2, done: 3 };

/** Whether the caller reads the mailbox, or takes part in its conversations. */
const reaches = (mailbox: Mailbox, caller: Caller): boolean =>
  mayOn(caller, 'messages:read', mailbox) || mayTakePart(mailbox, caller);
const mayTakePart = (mailbox: Mailbox, caller: Caller): boolean =>
  mayOn(caller, 'mail:answer', mailbox) || mayOn(caller, 'mailboxes:write', mailbox);

/** AppError `validation_error` for a time that is past, missing, or without a use. */
function untilOf({ state, until }: WantedStanding, now: Millis): Millis | undefined {
  if (state !== undefined && state !== 'later') {
    if (until === undefined || until === null) return undefined;
    throw invalid('/until', `until is for the state "later". Leave it out, or send "state": "later".`);
  }
  if (until === undefined || until === null) {
    if (state === undefined && until === undefined) return undefined;
    throw invalid('/until', 'For the state "later", until says when it opens again: a time in the future, RFC 3339.');
  }
  const time = Date.parse(until);
  if (Number.isNaN(time)) throw invalid('/until', 'until is a time as RFC 3339 has it, such as 2026-12-01T09:00:00Z.');
  if (time <= now) throw invalid('/until', `until is past: it is ${rfc3339(now)} now. Name a time in the future.`);
  if (time > now + MAX_LATER_MS) throw invalid('/until', 'until is at most five years ahead. Name an earlier time.');
  return time;
}

const noMember = (id: string): AppError =>
  invalid('/assignee', `${id.slice(0, 40)} is no member of this namespace. See its members, or send null.`);

const noThread = (id: string): AppError =>
  new AppError('message_not_found', `There is no thread ${id.slice(0, 40)} that this key may see.`);
