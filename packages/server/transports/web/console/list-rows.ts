import type { Clock } from '@mailroom/behavior/values/clock';
import { firstOf, messageIdOf, threadOf } from '@mailroom/behavior/values/ids';
import type { MessageLabels } from '../../../core/access/message-labels.ts';
import type { ConversationDesk } from '../../../core/answers/conversation-desk.ts';
import { reaches } from '../../../core/entities/key.ts';
import { labelsIn, UNREAD } from '../../../core/entities/label.ts';
import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import { isSettled, type Message } from '../../../core/entities/message.ts';
import { UNTOUCHED } from '../../../core/entities/standing.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type Filter, isOfConversations, waitingKindOf } from './filter.ts';
import type { Hits } from './hits.ts';
import { activeAt, type RowOptions, row } from './rows.ts';
import type { Senders } from './senders.ts';
import type { Signed } from './sign-in-form.ts';

interface ListRowParts {
  readonly store: Pick<Store, 'messages' | 'conversations'>;
  readonly conversationDesk: Pick<ConversationDesk, 'members'>;
  readonly labels: MessageLabels;
  readonly clock: Clock;
}

/** What the rows of one list share. */
export interface ListRowsOf {
  readonly filter: Filter;
  /** The mailbox that the list is narrowed to, whose labels are shown. */
  readonly mailbox: MailboxSummary | undefined;
  readonly senders: Senders;
  readonly signed: Signed;
  /** What a search found in a message. */
  readonly hitsOf?: ((message: Message) => Hits) | undefined;
  readonly mailboxesOf: (messages: readonly Message[]) => Promise<ReadonlyMap<string, MailboxSummary>>;
}

/** A conversation in a list: the message that stands for it, and what its row shows. */
export interface ListRow {
  readonly message: Message;
  readonly options: Omit<RowOptions, 'open'>;
}

/** Rows that need the ends of their threads, their labels and their mailboxes. */
export class ListRows {
  readonly #parts: ListRowParts;

  constructor(parts: ListRowParts) {
    this.#parts = parts;
  }

  async of(messages: readonly Message[], of: ListRowsOf): Promise<readonly ListRow[]> {
    const { filter, mailbox, senders, signed, hitsOf, mailboxesOf } = of;
    const { namespace } = signed.session;
    const { store, labels, clock } = this.#parts;
    const threads = [...new Set(messages.map(({ thread_id }) => thread_id))];
    const [ends, unreadIn, standingOf] = await Promise.all([
      store.messages.endsOf(threads),
      store.messages.unreadIn(threads),
      this.#standings(messages, namespace.id, mailbox?.id),
    ]);
    const writers = messages.filter((one) => one.sender_kind === 'mailbox' && one.sender_id !== null);
    const mailboxes = await mailboxesOf([
      ...messages,
      ...ends,
      ...writers.map((one) => ({ ...one, mailbox_id: one.sender_id ?? '' })),
    ]);
    const labelsOf =
      mailbox === undefined
        ? await labels.ofEach(messages, signed.caller)
        : (one: Message) => ({ labels: labelsIn(one, mailbox.id) });
    // A thread may contain messages between others, which are private.
    const ours = ends.filter(
      (one) =>
        (mailboxes.get(one.mailbox_id)?.namespace_id === namespace.id && reaches(signed.session.key, one.mailbox_id)) ||
        (one.sender_namespace_id === namespace.id && reaches(signed.session.key, writerOf(one))),
    );
    const byId = new Map(ours.map((one) => [one.id, one]));
    const newest = new Map<string, Message>();
    for (const one of ours) {
      if ((newest.get(one.thread_id)?.id ?? '') < one.id) newest.set(one.thread_id, one);
    }
    const now = clock();
    const names = await senders.names(messages);
    const rows = messages.map((message) => {
      const last = newest.get(message.thread_id);
      const first = byId.get(firstOf(message.thread_id));
      const messageLabels = labelsOf(message)?.labels ?? [];
      const unread =
        unreadIn.get(message.thread_id)?.has(message.mailbox_id) === true ||
        (first !== undefined && labelsIn(first, message.mailbox_id).includes(UNREAD));
      return {
        message,
        options: {
          root: '',
          filter,
          sender: names.get(message.id) ?? '',
          mailbox: mailboxes.get(message.mailbox_id),
          namespace: namespace.name,
          namespace_id: namespace.id,
          labels: unread && !messageLabels.includes(UNREAD) ? [...messageLabels, UNREAD] : messageLabels,
          first,
          ...standingOf(message),
          wrote: ownBehavior(mailboxes.get(message.sender_id ?? ''), namespace.id),
          group:
            filter.state === 'person'
              ? // What is held of a message that others received, or answered before, is known by its review alone.
                (waitingKindOf(message, mailboxes.get(message.mailbox_id), namespace.id) ?? 'approve')
              : undefined,
          hits: hitsOf?.(message),
          last: last === undefined || last.id < message.id ? message : last,
          now,
        },
      } as const;
    });
    // A page is read by arrival; on it, a later answer moves a conversation up.
    return isOfConversations(filter)
      ? rows.toSorted((a, b) => activeAt(b.message, b.options) - activeAt(a.message, a.options))
      : rows;
  }

  /** Where the conversation of each message stands, in the mailbox of the list or else in its own, and whose it is. */
  async #standings(messages: readonly Message[], namespaceId: string, mailboxId: string | undefined) {
    const { store, conversationDesk } = this.#parts;
    const boxOf = (message: Message): string => mailboxId ?? message.mailbox_id;
    const rows = await store.conversations.find(
      [...new Set(messages.map(({ thread_id }) => thread_id))],
      [...new Set(messages.map(boxOf))],
    );
    const assigned = rows.some(({ assignee }) => assignee !== null);
    const members = assigned ? await conversationDesk.members(namespaceId) : [];
    return (message: Message): Pick<RowOptions, 'standing' | 'assignee'> => {
      const row = rows.find((one) => one.thread_id === message.thread_id && one.mailbox_id === boxOf(message));
      const person = members.find(({ account_id }) => account_id === row?.assignee);
      const { state, until } = row ?? UNTOUCHED;
      return { standing: { state, until, assignee: person?.account_id ?? null }, assignee: person?.name };
    };
  }

  /** The message that stands for the conversation of a message that changed. */
  async headOf(message: Message, filter: Filter): Promise<Message> {
    if (!isOfConversations(filter) || message.kind !== 'message') return message;
    const [last] = (await this.#parts.store.messages.endsOf([message.thread_id])).toSorted((a, b) =>
      a.id < b.id ? 1 : -1,
    );
    const same = last?.kind === 'message' && last.mailbox_id === message.mailbox_id && last.id > message.id;
    if (!same) return message;
    // Where words were found is looked for in whole texts.
    return filter.query === undefined ? last : ((await this.#parts.store.messages.byId(last.id)) ?? message);
  }

  /** Whether a behavior of the namespace sent it to answer another message, or it is the reply to such a message. */
  async isCall(message: Message, namespaceId: string): Promise<boolean> {
    const { id, kind, hops, sender_kind, sender_namespace_id, status, thread_id, in_reply_to, key_id } = message;
    const began = thread_id === threadOf(messageIdOf(id));
    const call = hops > 0 && sender_kind === 'mailbox' && key_id === null && began && isSettled(status);
    if (!call || sender_namespace_id !== namespaceId) return false;
    if (kind === 'message') return true;
    const question = in_reply_to === null ? undefined : await this.#parts.store.messages.byId(in_reply_to);
    return question !== undefined && question.sender_kind === 'mailbox' && question.key_id === null;
  }
}

/** The mailbox that wrote it; null for a key. */
const writerOf = ({ sender_kind, sender_id }: Message): string | null => (sender_kind === 'mailbox' ? sender_id : null);

const ownBehavior = (mailbox: MailboxSummary | undefined, namespaceId: string): string | undefined =>
  mailbox?.namespace_id === namespaceId ? mailbox.behavior : undefined;

/** One message a thread and mailbox, the newest; a reply is left out where the message that it answers is listed. */
export function oneEach(messages: readonly Message[], filter: Filter): readonly Message[] {
  const ids = new Set(messages.map(({ id }) => id));
  const seen = new Set<string>();
  return messages.filter((one) => {
    if (filter.direction === 'all' && one.id !== messageIdOf(one.id) && ids.has(messageIdOf(one.id))) return false;
    const key = filter.direction === 'all' ? one.thread_id : `${one.thread_id} ${one.mailbox_id}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The row as it is sent to a page that is open. */
export const drawn = ({ message, options }: ListRow): string => row(message, { ...options, open: false }).text;
