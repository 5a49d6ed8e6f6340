import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import type { Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { MessageLabels } from '../../../core/access/message-labels.ts';
import type { ConversationDesk } from '../../../core/answers/conversation-desk.ts';
import { boundTo } from '../../../core/entities/key.ts';
import { labelsIn, TRASH } from '../../../core/entities/label.ts';
import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import type { Message } from '../../../core/entities/message.ts';
import type { StandingFilter } from '../../../core/entities/standing.ts';
import type { MessageTexts } from '../../../core/ports/messages.ts';
import type { SearchCaller } from '../../../core/ports/search.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type Finding, mayBeUntouched } from '../../../core/reports/finding.ts';
import type { Highlight } from '../../../core/reports/highlights.ts';
import { type Inbox, type InboxQuery, merged } from '../../../core/reports/inbox.ts';
import { WAITING, type Waiting, type WaitingLists, waitsForRecipient } from '../../../core/reports/waiting.ts';
import { type Page, readCursor, scopedCursor } from '../../../core/values/page.ts';
import { type Filter, isHeld, isInbox, isOfConversations, isToAnswer, says, wordsOf } from './filter.ts';
import { oneEach } from './list-rows.ts';
import type { Signed } from './sign-in-form.ts';

/** Rows of a page. */
export const ROWS = 50;
/** Mailboxes whose messages with a label are read by the label's index. */
const MAX_INDEXED = 100;
/** Messages that one page examines for a label without its index. */
const MAX_EXAMINED = 2_000;
const BATCH = 200;

/** The sources of the lists. */
interface Reads {
  readonly inbox: Inbox;
  readonly waiting: Waiting;
  readonly store: Pick<Store, 'messages'>;
}

/** What the list of the inbox reads, for the signed-in owner. */
export interface ListReads extends Reads {
  readonly finding: Finding;
  readonly store: Pick<Store, 'conversations' | 'messages' | 'mailboxes'>;
  readonly desk: Pick<ConversationDesk, 'filterOf'>;
  readonly labels: MessageLabels;
  readonly signed: Signed;
  readonly caller: SearchCaller;
  readonly mailDomain: string;
  readonly mailboxesOf: (messages: readonly Message[]) => Promise<ReadonlyMap<string, MailboxSummary>>;
}

/** A page of the inbox, and of a search why it was refused, or until when everything is found. */
export interface InboxPage extends Page<Message> {
  readonly refused?: string;
  /** The cursor of the next page, where `next` is no id. */
  readonly next_cursor?: string;
  readonly until?: Millis;
  /** Where each message says what was searched, by its id. */
  readonly highlights?: ReadonlyMap<string, readonly Highlight[]>;
}

/** What the index finds for a search; undefined where there is none, and lists are searched instead. */
async function foundPage(
  { finding, signed, caller, mailDomain }: ListReads,
  filter: Filter,
  mailbox: MailboxSummary | undefined,
): Promise<InboxPage | undefined> {
  const { query = '', label, attachment, direction, cursor } = filter;
  const trash = label === TRASH;
  const narrow = [
    ...(mailbox === undefined ? [] : [`mailbox:${fullAddress(addressOf(mailbox), mailDomain)}`]),
    ...(label === undefined || trash ? [] : [`label:${label}`]),
    ...(attachment ? ['has:attachment'] : []),
  ];
  const words = [query, ...narrow].join(' ');
  try {
    const place = cursor === undefined ? null : readCursor(cursor);
    const how = { query: words, sort: 'newest', gone: caller.signal ?? NEVER, ...(trash && { trash }) } as const;
    const { items, next, until } = await finding.search(signed.caller, how, place, ROWS);
    const highlights = new Map(items.map((hit) => [hit.message.id, hit.highlights]));
    const { id: namespaceId } = signed.session.namespace;
    const messages = items.map(({ message }) => message);
    const sent = messages.filter((message) => message.sender_namespace_id === namespaceId);
    return { items: direction === 'sent' ? sent : messages, next, until, highlights };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'validation_error') return { items: [], next: null, refused: error.message };
    if (error.code === 'unavailable') return undefined;
    throw error;
  }
}
const NEVER = new AbortController().signal;

type List = (before: string | null, size: number) => Promise<Page<Message>>;

/** Messages that wait for the owner's decision: received by the namespace's mailboxes, or sent by them. */
async function askingPage(
  { inbox, store }: Omit<Reads, 'waiting'>,
  namespaceId: string,
  query: InboxQuery,
  cursor: string | null,
  size: number,
  caller?: SearchCaller,
): Promise<Page<Message>> {
  const [received, sent] = await Promise.all([
    inbox.page(namespaceId, { ...query, status: 'working' }, cursor, size, caller),
    store.messages.awaitingApproval(namespaceId, cursor, size, query.texts),
  ]);
  const receivedWaiting = received.items.filter(waitsForRecipient);
  const sentWaiting = sent.items.filter(
    (message) =>
      (query.mailbox_id === undefined || message.sender_id === query.mailbox_id) &&
      (query.has_attachment === undefined || (message.attachments ?? []).length > 0) &&
      says(message, query),
  );
  return merged(
    [
      { ...received, items: receivedWaiting },
      { ...sent, items: sentWaiting },
    ],
    size,
  );
}

/** A page of messages that stand for conversations, newest first; `mailbox` is the one that the filter names. */
export async function inboxPage(
  reads: ListReads,
  filter: Filter,
  mailbox: MailboxSummary | undefined,
): Promise<InboxPage> {
  if (filter.mailbox !== undefined && mailbox === undefined) return { items: [], next: null };
  const found =
    filter.query !== undefined && filter.state === 'all' ? await foundPage(reads, filter, mailbox) : undefined;
  if (found !== undefined) return found;
  const ids = boundTo(reads.signed.session.key);
  if (mailbox === undefined && ids !== null) {
    const boxes = await reads.store.mailboxes.byIds(ids);
    const pages = boxes.map((box) => inboxPage(reads, { ...filter, mailbox: box.local_part }, box));
    return merged(await Promise.all(pages), ROWS);
  }
  const { label } = filter;
  const standing = await reads.desk
    .filterOf({ ...filter, state: filter.stand }, reads.signed.session.key)
    .catch(unknown);
  if (standing === 'unknown') return { items: [], next: null };
  if (standing !== undefined && !mayBeUntouched(standing))
    return standingPage(reads, filter, mailbox, {
      ...standing,
      ...(filter.stand === undefined && { undone: true }),
    });
  const cursor = filter.cursor === undefined ? null : readCursor(filter.cursor);
  const list = listOf(reads, filter, mailbox, standing);
  const { items, next } =
    label === undefined || isListed(filter)
      ? await list(cursor, ROWS)
      : await labeledPage(reads, { ...filter, label }, mailbox, list, cursor);
  return { items: oneEach(items, filter), next };
}

/** A member who left is none in a list. */
function unknown(error: unknown): 'unknown' {
  if (error instanceof AppError && error.code === 'validation_error') return 'unknown';
  throw error;
}

/** Conversations that stand in a way that is noted of them, by the last change: the newest message of each. */
async function standingPage(
  { store, signed }: ListReads,
  filter: Filter,
  mailbox: MailboxSummary | undefined,
  standing: StandingFilter,
): Promise<InboxPage> {
  const { id: namespace_id } = signed.session.namespace;
  const scope = mailbox === undefined ? { namespace_id } : { mailbox_ids: [mailbox.id] };
  const cursors = scopedCursor(JSON.stringify(['standing', scope, standing.state, standing.assignee]));
  const place = filter.cursor === undefined ? null : cursors.read(filter.cursor);
  const { items: threads, next } = await store.conversations.page(scope, standing, place, ROWS);
  const ours = new Set(mailbox === undefined ? await store.mailboxes.ids(namespace_id) : [mailbox.id]);
  const ends = await store.messages.endsOf(threads);
  const items = threads.flatMap((thread) => {
    const those = ends.filter((one) => one.thread_id === thread && ours.has(one.mailbox_id) && one.kind === 'message');
    return those.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, 1);
  });
  return { items, next, ...(next !== null && { next_cursor: cursors.write(next) }) };
}

/** Where words were found is looked for in whole texts. */
const textsOf = ({ query }: Filter): MessageTexts => (query === undefined ? 'beginning' : 'whole');

/** Whether the lists are narrowed by the label themselves: those of what mailboxes received. */
const isListed = ({ state, direction }: Filter): boolean => direction === 'received' && state !== 'approve';

/** The list of everything that the filter includes, but for its label where it is not `isListed`. */
function listOf(
  reads: ListReads,
  filter: Filter,
  mailbox: MailboxSummary | undefined,
  standing: StandingFilter | undefined,
): List {
  const { inbox, store, signed, caller } = reads;
  const { state, direction } = filter;
  const { id: namespaceId } = signed.session.namespace;
  const narrow = {
    texts: textsOf(filter),
    ...(isOfConversations(filter) && { conversations: true as const }),
    ...(filter.attachment && { has_attachment: true as const }),
    ...wordsOf(filter, reads.mailDomain),
  };
  const label = isListed(filter) ? filter.label : undefined;
  const inboxOf = {
    ...narrow,
    ...(label !== undefined && { label }),
    ...(isInbox(filter) && { in_inbox: true as const }),
    ...(standing !== undefined && { standing }),
    ...(mailbox !== undefined && { mailbox_id: mailbox.id }),
  };
  const sender = { sender_namespace_id: namespaceId, ...(mailbox !== undefined && { sender_mailbox_id: mailbox.id }) };
  const both =
    (status: Pick<InboxQuery, 'status'>): List =>
    async (cursor, size) => {
      const received = () => inbox.page(namespaceId, { ...inboxOf, ...status }, cursor, size, caller);
      // The answers of the mailboxes are in the conversations of the messages that they answer.
      const sent = () => store.messages.page({ ...sender, ...narrow, ...status }, cursor, size, caller);
      if (direction === 'all') return merged(await Promise.all([received(), sent()]), size);
      return direction === 'sent' ? sent() : received();
    };
  /** Messages that are not settled, but for those that are held. To the owner those not begun are in progress too. */
  const open =
    (fits: (message: Message) => boolean): List =>
    async (before, size) => {
      const pages = await Promise.all(
        (['working', 'submitted'] as const).map((status) => both({ status })(before, size)),
      );
      const byId = await reads.mailboxesOf(pages.flatMap(({ items }) => items));
      const visiblePage = ({ items, next }: Page<Message>): Page<Message> => ({
        items: items.filter((one) => fits(one) && !isHeld(one, byId.get(one.mailbox_id))),
        next,
      });
      return merged(pages.map(visiblePage), size);
    };
  switch (state) {
    case 'all':
      return both({});
    case 'failed':
      return both({ status: 'failed' });
    case 'held':
      return (before, size) => inbox.page(namespaceId, { ...inboxOf, held: true }, before, size, caller);
    case 'approve':
      return async (before, size) => {
        const plans = await askingPage(reads, namespaceId, inboxOf, before, size, caller);
        return before === null ? withHeld(plans, await reads.waiting.of(namespaceId), inboxOf, mailbox) : plans;
      };
    case 'working':
      return open((one) => one.waiting_for !== 'approval');
    case 'answer':
      return open(isToAnswer);
    case 'person':
    case 'asked':
      return async () => ({ items: waitingItems(await reads.waiting.of(namespaceId), filter, mailbox), next: null });
  }
}

/** What waits for a person, group by group; of one mailbox where the list is narrowed to that. */
function waitingItems(lists: WaitingLists, { state }: Filter, mailbox: MailboxSummary | undefined): readonly Message[] {
  const all = state === 'asked' ? lists.asked.items : WAITING.flatMap((kind) => lists[kind].items);
  if (mailbox === undefined) return all;
  return all.filter((one) => one.mailbox_id === mailbox.id || one.sender_id === mailbox.id);
}

/** The first page of plans, with what waits for a review: that is never more than a page. */
function withHeld(
  plans: Page<Message>,
  { approve }: WaitingLists,
  query: InboxQuery,
  mailbox: MailboxSummary | undefined,
): Page<Message> {
  const known = new Set(plans.items.map(({ id }) => id));
  const held = approve.items.filter(
    (one) =>
      !known.has(one.id) &&
      one.waiting_for !== 'approval' &&
      (mailbox === undefined || one.mailbox_id === mailbox.id || one.sender_id === mailbox.id) &&
      (query.has_attachment === undefined || (one.attachments ?? []).length > 0) &&
      says(one, query),
  );
  return { ...plans, items: [...plans.items, ...held].sort((a, b) => (a.id < b.id ? 1 : -1)) };
}

/** A page of what was sent, or sent and received, with a label; it may be short or empty and have a next page. */
async function labeledPage(
  reads: ListReads,
  filter: Filter & { readonly label: string },
  mailbox: MailboxSummary | undefined,
  list: List,
  cursor: string | null,
): Promise<Page<Message>> {
  const { store, labels, signed, caller, mailDomain } = reads;
  const { state, direction, label } = filter;
  const { id: namespaceId } = signed.session.namespace;
  /** The messages that show the label: in the mailbox, else in that of the recipient or the sender. */
  const labeled = async (messages: readonly Message[]): Promise<readonly Message[]> => {
    const shown = mailbox === undefined ? await labels.ofEach(messages, signed.caller) : undefined;
    const labelsOf = (one: Message) => (mailbox === undefined ? shown?.(one)?.labels : labelsIn(one, mailbox.id));
    return messages.filter((one) => labelsOf(one)?.includes(label) === true);
  };
  const ids = mailbox === undefined ? await store.mailboxes.ids(namespaceId) : [mailbox.id];
  if (state === 'all' && ids.length <= MAX_INDEXED) {
    const has = filter.attachment && { has_attachment: true as const };
    const of = { direction: 'all', label, texts: textsOf(filter), ...has, ...wordsOf(filter, mailDomain) } as const;
    const pages: Page<Message>[] = [];
    for (const mailbox_id of ids) pages.push(await store.messages.page({ mailbox_id, ...of }, cursor, ROWS, caller));
    const { items, next } = merged(pages, ROWS);
    const sent = items.filter((message) =>
      mailbox === undefined
        ? message.sender_namespace_id === namespaceId
        : message.sender_kind === 'mailbox' && message.sender_id === mailbox.id,
    );
    return { items: await labeled(direction === 'sent' ? sent : items), next };
  }
  const items: Message[] = [];
  let last = cursor;
  for (let examined = 0; examined < MAX_EXAMINED; examined += BATCH) {
    const { items: batch, next } = await list(last, BATCH);
    for (const message of await labeled(batch)) {
      if (items.length === ROWS) return { items, next: items.at(-1)?.id ?? null };
      items.push(message);
    }
    last = next;
    if (last === null) break;
  }
  return { items, next: last };
}
