import type { Millis } from '@mailroom/behavior/values/clock';
import { firstOf } from '@mailroom/behavior/values/ids';
import type { Scope } from '../entities/key.ts';
import type { MailboxSummary } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { OwnMatter } from '../ports/notices.ts';
import type { Store } from '../ports/store.ts';
import type { Reach } from './console-presence.ts';
import type { Waiting, WaitingKind } from './waiting.ts';
import { MAX_WAITING, waitsForRecipient } from './waiting.ts';

/** A conversation that waits for a person, and who may act on it. */
export interface CallItem {
  /** The message by which it opens. */
  readonly message: Message;
  readonly kind: WaitingKind | OwnMatter['kind'];
  readonly since: Millis;
  /** The mailbox of the namespace whose matter it is; null for one of the whole namespace. */
  readonly mailbox_id: string | null;
  readonly scope: Scope;
  /** The member whom it is for; all who may act on it where there is none. */
  readonly member?: string;
}

interface Parts {
  readonly store: Pick<Store, 'mailboxes' | 'messages' | 'notices' | 'reviews'>;
  readonly waiting: Pick<Waiting, 'of'>;
}

/** Tells conversations apart, each in the mailbox whose matter it is. */
export const conversationOf = ({ message, mailbox_id }: Pick<CallItem, 'message' | 'mailbox_id'>): string =>
  `${message.thread_id} ${mailbox_id}`;

/** Whether they may act on it. */
export const mayAct = (
  { account_id, scopes, mailbox_ids }: Reach,
  { member, scope, mailbox_id }: Pick<CallItem, 'member' | 'scope' | 'mailbox_id'>,
): boolean =>
  (member === undefined || member === account_id) &&
  (scopes.includes('owner') || scopes.includes(scope)) &&
  (mailbox_ids === null || (mailbox_id !== null && mailbox_ids.includes(mailbox_id)));

/** Whether there is a mailbox that both reach. */
export const sharesMailboxes = (one: Reach, other: Reach): boolean =>
  one.mailbox_ids === null ||
  other.mailbox_ids === null ||
  one.mailbox_ids.some((id) => other.mailbox_ids?.includes(id));

/** What waits for people in a namespace, since when, and for whom. */
export class CallItems {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async of(namespaceId: string): Promise<readonly CallItem[]> {
    const { store, waiting } = this.#parts;
    const [lists, reviews, matters] = await Promise.all([
      waiting.of(namespaceId),
      store.reviews.page({ namespace_id: namespaceId, status: 'pending' }, null, MAX_WAITING),
      store.notices.ownMatters(namespaceId, MAX_WAITING),
    ]);
    const held = new Map(reviews.items.map((review) => [review.message_id, review]));
    const answered = await store.mailboxes.byIds([...new Set(lists.answer.items.map(({ mailbox_id }) => mailbox_id))]);
    const mailboxes = new Map(answered.map((mailbox) => [mailbox.id, mailbox]));
    return [
      ...lists.answer.items.map((message) => toAnswer(message, mailboxes.get(message.mailbox_id))),
      ...lists.approve.items.map((message) => {
        const review = held.get(message.id);
        if (review === undefined) return toApprove(message);
        const { mailbox_id, requested_at } = review;
        return { message, kind: 'approve', since: requested_at, mailbox_id, scope: 'mail:review' } as const;
      }),
      ...lists.failed.items.map((message) => failed(message)),
      ...lists.asked.items.map((message) => askedBack(message)),
      ...(await this.#ofMembers(matters)),
    ];
  }

  async #ofMembers(matters: readonly OwnMatter[]): Promise<readonly CallItem[]> {
    const ids = [...new Set(matters.map(({ thread_id }) => firstOf(thread_id)))];
    const firsts = ids.length === 0 ? [] : await this.#parts.store.messages.byIds(ids);
    const byId = new Map(firsts.map((message) => [message.id, message]));
    return matters.flatMap(({ thread_id, account_id: member, ...matter }) => {
      const message = byId.get(firstOf(thread_id));
      return message === undefined ? [] : [{ ...matter, message, member, scope: 'messages:read' }];
    });
  }
}

/** Where a program answered until it left, a person is waited for since then. */
const toAnswer = (message: Message, mailbox: Pick<MailboxSummary, 'online_until'> | undefined): CallItem => ({
  message,
  kind: 'answer',
  since: message.taken_over === true ? message.created_at : Math.max(message.created_at, mailbox?.online_until ?? 0),
  mailbox_id: message.mailbox_id,
  scope: 'mail:answer',
});

const writerOf = ({ sender_kind, sender_id }: Message): string | null => (sender_kind === 'mailbox' ? sender_id : null);

/** A plan. */
const toApprove = (message: Message): CallItem => ({
  message,
  kind: 'approve',
  since: message.created_at,
  mailbox_id: waitsForRecipient(message) ? message.mailbox_id : writerOf(message),
  scope: 'mailboxes:write',
});

const failed = (message: Message): CallItem => ({
  message,
  kind: 'failed',
  since: message.settled_at ?? message.created_at,
  mailbox_id: message.mailbox_id,
  scope: 'mail:answer',
});

const askedBack = (message: Message): CallItem => ({
  message,
  kind: 'asked',
  since: message.settled_at ?? message.created_at,
  mailbox_id: writerOf(message),
  scope: 'mail:send',
});
