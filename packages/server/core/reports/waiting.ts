import { Type } from 'typebox';
import type { MailboxSummary } from '../entities/mailbox.ts';
import { isSettled, type Message } from '../entities/message.ts';
import { isOutOfInbox } from '../entities/standing.ts';
import type { Store } from '../ports/store.ts';
import type { Page } from '../values/page.ts';
import { type Inbox, merged } from './inbox.ts';

/** Messages of each kind are listed up to this number. */
const MAX_WAITING = 100;

const count = (description: string) =>
  Type.Object(
    { count: Type.Integer(), more: Type.Boolean({ description: 'Whether there are more than were counted.' }) },
    { description },
  );

/** How many conversations wait for a person. */
export const WaitingCounts = {
  to_answer: count('Messages that no program answers at this moment, or that people have taken over.'),
  to_approve: count('Messages whose plan waits for the approval of this namespace, or that wait for a review.'),
  failed: count('Messages that could not be answered, in conversations that are not done.'),
  asked_back: count('Messages of its mailboxes to which the other side asked back, with nothing said since.'),
};

/** The kinds of what waits for a person, in their order. */
export const WAITING = ['answer', 'approve', 'failed', 'asked'] as const;
export type WaitingKind = (typeof WAITING)[number];
export type WaitingLists = Readonly<
  Record<WaitingKind, { readonly items: readonly Message[]; readonly more: boolean }>
>;

/** Whether the owner of the mailbox that received it decides on its plan. */
export const waitsForRecipient = ({ waiting_for, decides }: Message): boolean =>
  waiting_for === 'approval' && decides !== 'sender';

/** Whether a person is to answer a message: no program is at it, or people have taken its conversation over. */
export const waitsForPerson = (
  { status, waiting_for, taken_over }: Message,
  mailbox: Pick<MailboxSummary, 'status' | 'online_until' | 'webhook'> | undefined,
): boolean =>
  !isSettled(status) &&
  waiting_for === 'answer' &&
  (taken_over === true || (mailbox !== undefined && mailbox.status !== 'paused' && !hasProgram(mailbox)));

/** Whether a program is connected to the mailbox, or called by its webhook. */
const hasProgram = ({ status, online_until, webhook }: Pick<MailboxSummary, 'status' | 'online_until' | 'webhook'>) =>
  webhook === 'on' || (status === 'online' && online_until !== null);

interface Parts {
  readonly store: Pick<Store, 'conversations' | 'messages' | 'mailboxes' | 'reviews'>;
  readonly inbox: Inbox;
}

/** What waits for a person in a namespace, the newest first, each conversation once, with the beginnings of its texts. */
export class Waiting {
  readonly #parts: Parts;
  /** Readings under way, and those that begin when they end, by namespace. */
  readonly #running = new Map<string, Promise<WaitingLists>>();
  readonly #next = new Map<string, Promise<WaitingLists>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What waits in these mailboxes, or in all with null, as it is now or after now. */
  async of(namespaceId: string, only: readonly string[] | null = null): Promise<WaitingLists> {
    const lists = await this.#shared(namespaceId);
    if (only === null) return lists;
    const isIn = ({ mailbox_id, sender_kind, sender_id }: Message): boolean =>
      only.includes(mailbox_id) || (sender_kind === 'mailbox' && sender_id !== null && only.includes(sender_id));
    const listOf = (kind: WaitingKind) => ({ ...lists[kind], items: lists[kind].items.filter(isIn) });
    return { answer: listOf('answer'), approve: listOf('approve'), failed: listOf('failed'), asked: listOf('asked') };
  }

  /** Those who ask while it is read share the next reading. */
  #shared(namespaceId: string): Promise<WaitingLists> {
    const running = this.#running.get(namespaceId);
    if (running === undefined) return this.#begin(namespaceId);
    const next = this.#next.get(namespaceId) ?? running.catch(() => {}).then(() => this.#begin(namespaceId));
    this.#next.set(namespaceId, next);
    return next;
  }

  #begin(namespaceId: string): Promise<WaitingLists> {
    this.#next.delete(namespaceId);
    const read = this.#read(namespaceId).finally(() => {
      if (this.#running.get(namespaceId) === read) this.#running.delete(namespaceId);
    });
    this.#running.set(namespaceId, read);
    return read;
  }

  async #read(namespaceId: string): Promise<WaitingLists> {
    const { inbox, store } = this.#parts;
    const received = (status: 'working' | 'submitted' | 'failed', inInbox: boolean) =>
      inbox.page(namespaceId, { status, texts: 'beginning', ...(inInbox && { in_inbox: true }) }, null, MAX_WAITING);
    const [working, submitted, failed, approvals, asked, held] = await Promise.all([
      received('working', false),
      received('submitted', true),
      received('failed', true),
      store.messages.awaitingApproval(namespaceId, null, MAX_WAITING, 'beginning'),
      store.messages.page(
        { sender_namespace_id: namespaceId, status: 'input_required', texts: 'beginning' },
        null,
        MAX_WAITING,
      ),
      this.#held(namespaceId),
    ]);
    const open = merged([working, submitted], 2 * MAX_WAITING).items;
    const plans = { ...working, items: working.items.filter(waitsForRecipient) };
    const asking = merged([plans, approvals, held], MAX_WAITING);
    const seen = new Set<string>();
    const each = (messages: readonly Message[], more: boolean) => ({
      items: messages.filter(({ thread_id, mailbox_id }) => {
        const key = `${thread_id} ${mailbox_id}`;
        return !seen.has(key) && seen.add(key) !== undefined;
      }),
      more,
    });
    return {
      answer: each(await this.toAnswer(open), working.next !== null || submitted.next !== null),
      approve: each(asking.items, asking.next !== null),
      failed: each(failed.items, failed.next !== null),
      asked: each(await this.unanswered(asked.items), asked.next !== null),
    };
  }

  /** The messages of which an answer, or which themselves, wait for a review. */
  async #held(namespaceId: string): Promise<Page<Message>> {
    const { reviews, messages } = this.#parts.store;
    const { items, next } = await reviews.page({ namespace_id: namespaceId, status: 'pending' }, null, MAX_WAITING);
    const ids = [...new Set(items.map(({ message_id }) => message_id))].sort().reverse();
    return {
      items: ids.length === 0 ? [] : await messages.byIds(ids, 'beginning'),
      next: next === null ? null : (ids.at(-1) ?? null),
    };
  }

  /** Those that a person is to answer. */
  async toAnswer(messages: readonly Message[]): Promise<readonly Message[]> {
    const answerable = await this.inInbox(messages.filter((one) => one.waiting_for === 'answer'));
    const mailboxes = await this.#mailboxes(answerable);
    return answerable.filter((one) => waitsForPerson(one, mailboxes.get(one.mailbox_id)));
  }

  /** Those whose conversation is neither done nor put off in their mailbox: the one that received it, unless told otherwise. */
  async inInbox(
    messages: readonly Message[],
    boxOf: (message: Message) => string | null = ({ mailbox_id }) => mailbox_id,
  ): Promise<readonly Message[]> {
    const rows = await this.#parts.store.conversations.find(
      [...new Set(messages.map(({ thread_id }) => thread_id))],
      [...new Set(messages.map(boxOf).filter((box) => box !== null))],
    );
    const out = new Set(
      rows.filter(({ state }) => isOutOfInbox(state)).map((row) => `${row.thread_id} ${row.mailbox_id}`),
    );
    return messages.filter((one) => !out.has(`${one.thread_id} ${boxOf(one)}`));
  }

  async #mailboxes(messages: readonly Message[]): Promise<ReadonlyMap<string, MailboxSummary>> {
    const ids = [...new Set(messages.map(({ mailbox_id }) => mailbox_id))];
    return new Map((await this.#parts.store.mailboxes.byIds(ids)).map((one) => [one.id, one]));
  }

  /** Of what mailboxes sent and was asked back the messages after which nothing was said in their thread. */
  async unanswered(messages: readonly Message[]): Promise<readonly Message[]> {
    const asked = messages.filter((one) => one.sender_kind === 'mailbox' && one.key_id !== null);
    const written = await this.inInbox(asked, ({ sender_id }) => sender_id);
    const threads = [...new Set(written.map(({ thread_id }) => thread_id))];
    if (threads.length === 0) return [];
    const ends = await this.#parts.store.messages.endsOf(threads);
    return written.filter(
      ({ id, thread_id }) => !ends.some((one) => one.thread_id === thread_id && one.kind === 'message' && one.id > id),
    );
  }
}
