import type { Millis } from '@mailroom/behavior/values/clock';
import { firstOf } from '@mailroom/behavior/values/ids';
import type { Scope } from '../entities/key.ts';
import type { MailboxSummary } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { OwnMatter, WaitingPlace, WaitingSource } from '../ports/notices.ts';
import type { Store } from '../ports/store.ts';
import type { Page } from '../values/page.ts';
import type { Reach } from './console-presence.ts';
import { type Waiting, type WaitingKind, waitsForRecipient } from './waiting.ts';

/** Messages that are read at a time. */
const PAGE = 100;

/** A conversation that waits for a person, and who may act on it. */
export interface CallItem {
  /** The message by which it opens. */
  readonly message_id: string;
  readonly thread_id: string;
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
  readonly waiting: Pick<Waiting, 'toAnswer' | 'inInbox' | 'unanswered'>;
}

/** Tells conversations apart, each in the mailbox whose matter it is. */
export const conversationOf = ({ thread_id, mailbox_id }: Pick<CallItem, 'thread_id' | 'mailbox_id'>): string =>
  `${thread_id} ${mailbox_id}`;

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

/** What waits for people in a namespace, since when, and for whom: all of it, read page by page. */
export class CallItems {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What waits since `since` or later, and what waits for one member since `ownSince` or later. */
  async of(namespace_id: string, since: Millis, ownSince = since): Promise<readonly CallItem[]> {
    const { store, waiting } = this.#parts;
    const items: CallItem[] = [];
    for await (const messages of this.#messages('open', { namespace_id, since })) {
      items.push(...(await this.#toAnswer(await waiting.toAnswer(messages))));
      items.push(...messages.filter(waitsForRecipient).map(toApprove));
    }
    const approvals = (before: string | null) =>
      store.messages.awaitingApproval(namespace_id, before, PAGE, 'beginning');
    for await (const messages of pages(approvals)) items.push(...messages.map(toApprove));
    const held = (before: string | null) => store.reviews.page({ namespace_id, status: 'pending' }, before, PAGE);
    for await (const reviews of pages(held)) {
      const there = new Map(
        (await store.messages.byIds(idsOf(reviews), 'beginning')).map((message) => [message.id, message]),
      );
      for (const { message_id, mailbox_id, requested_at } of reviews) {
        const thread_id = there.get(message_id)?.thread_id;
        if (thread_id === undefined) continue;
        items.push({ message_id, thread_id, kind: 'approve', since: requested_at, mailbox_id, scope: 'mail:review' });
      }
    }
    for await (const messages of this.#messages('failed', { namespace_id, since }))
      items.push(...(await waiting.inInbox(messages)).map(failed));
    for await (const messages of this.#messages('asked', { namespace_id, since }))
      items.push(...(await waiting.unanswered(messages)).map(askedBack));
    const matters = await this.#ofMembers(await store.notices.ownMatters(namespace_id, ownSince));
    return [...items.filter((item) => item.since >= since), ...matters];
  }

  async *#messages(
    source: WaitingSource,
    view: { readonly namespace_id: string; readonly since: Millis },
  ): AsyncGenerator<readonly Message[]> {
    const { notices, messages } = this.#parts.store;
    let place: WaitingPlace | undefined;
    do {
      const places = await notices.waiting(source, view, place, PAGE);
      if (places.length > 0)
        yield await messages.byIds(
          places.map(({ id }) => id),
          'beginning',
        );
      place = places.length < PAGE ? undefined : places.at(-1);
    } while (place !== undefined);
  }

  async #toAnswer(messages: readonly Message[]): Promise<readonly CallItem[]> {
    const ids = [...new Set(messages.map(({ mailbox_id }) => mailbox_id))];
    const mailboxes = new Map((await this.#parts.store.mailboxes.byIds(ids)).map((mailbox) => [mailbox.id, mailbox]));
    return messages.map((message) => toAnswer(message, mailboxes.get(message.mailbox_id)));
  }

  async #ofMembers(matters: readonly OwnMatter[]): Promise<readonly CallItem[]> {
    const items: CallItem[] = [];
    for (let start = 0; start < matters.length; start += PAGE) {
      const some = matters.slice(start, start + PAGE);
      const ids = [...new Set(some.map(({ thread_id }) => firstOf(thread_id)))];
      const there = new Set((await this.#parts.store.messages.byIds(ids, 'beginning')).map(({ id }) => id));
      for (const { account_id: member, ...matter } of some) {
        const message_id = firstOf(matter.thread_id);
        if (there.has(message_id)) items.push({ ...matter, message_id, member, scope: 'messages:read' });
      }
    }
    return items;
  }
}

async function* pages<T>(read: (before: string | null) => Promise<Page<T>>): AsyncGenerator<readonly T[]> {
  let cursor: string | null = null;
  do {
    const { items, next }: Page<T> = await read(cursor);
    yield items;
    cursor = next;
  } while (cursor !== null);
}

const idsOf = (reviews: readonly { readonly message_id: string }[]): readonly string[] => [
  ...new Set(reviews.map(({ message_id }) => message_id)),
];

/** Where a program answered until it left, a person is waited for since then. */
const toAnswer = (message: Message, mailbox: Pick<MailboxSummary, 'online_until'> | undefined): CallItem => ({
  message_id: message.id,
  thread_id: message.thread_id,
  kind: 'answer',
  since: message.taken_over === true ? message.created_at : Math.max(message.created_at, mailbox?.online_until ?? 0),
  mailbox_id: message.mailbox_id,
  scope: 'mail:answer',
});

const writerOf = ({ sender_kind, sender_id }: Message): string | null => (sender_kind === 'mailbox' ? sender_id : null);

/** A plan. */
const toApprove = (message: Message): CallItem => ({
  message_id: message.id,
  thread_id: message.thread_id,
  kind: 'approve',
  since: message.created_at,
  mailbox_id: waitsForRecipient(message) ? message.mailbox_id : writerOf(message),
  scope: 'mailboxes:write',
});

const failed = (message: Message): CallItem => ({
  message_id: message.id,
  thread_id: message.thread_id,
  kind: 'failed',
  since: message.settled_at ?? message.created_at,
  mailbox_id: message.mailbox_id,
  scope: 'mail:answer',
});

const askedBack = (message: Message): CallItem => ({
  message_id: message.id,
  thread_id: message.thread_id,
  kind: 'asked',
  since: message.settled_at ?? message.created_at,
  mailbox_id: writerOf(message),
  scope: 'mail:send',
});
