import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import type { Message } from '../../../core/entities/message.ts';
import type { SearchCaller, Store } from '../../../core/ports/store.ts';
import { MAX_QUERY } from '../../../core/ports/store.ts';
import type { Inbox, InboxQuery } from '../../../core/reports/inbox.ts';
import { merged } from '../../../core/reports/inbox.ts';
import type { Span } from '../../../core/reports/statistics.ts';
import type { Page } from '../../../core/values/page.ts';
import { readCursor } from '../../../core/values/page.ts';
import { finder } from '../../../core/values/text-search.ts';
import { isAsking } from './approval.ts';

export const STATES = {
  all: 'All',
  working: 'Working',
  approve: 'Approve',
  failed: 'Failed',
  held: 'Held',
} as const;
export type State = keyof typeof STATES;

/** The part of the inbox that is shown, as its URL says. */
export interface Filter {
  readonly span: Span;
  readonly state: State;
  /** A local part. */
  readonly mailbox: string | undefined;
  readonly query: string | undefined;
  readonly cursor: string | undefined;
}

/** Reads the query of a URL and ignores unknown values. */
export function filterOf(query: Readonly<Record<string, unknown>>): Filter {
  const text = (name: string): string | undefined => {
    const value = query[name];
    if (typeof value !== 'string' || value.includes('\0')) return undefined;
    return value.trim().slice(0, MAX_QUERY) || undefined;
  };
  const state = text('status') ?? 'all';
  return {
    span: text('span') === '30d' ? '30d' : '24h',
    state: Object.hasOwn(STATES, state) ? (state as State) : 'all',
    mailbox: text('mailbox')?.toLowerCase(),
    query: text('query'),
    cursor: text('cursor'),
  };
}

/** The filter as a query string with its question mark; defaults are left out. */
export function search(filter: Filter, more: Readonly<Record<string, string>> = {}): string {
  const { span, state, mailbox, query, cursor } = filter;
  const params = new URLSearchParams({
    ...(span === '24h' ? {} : { span }),
    ...(state === 'all' ? {} : { status: state }),
    ...(mailbox === undefined ? {} : { mailbox }),
    ...(query === undefined ? {} : { query }),
    ...(cursor === undefined ? {} : { cursor }),
    ...more,
  });
  return params.size === 0 ? '' : `?${params}`;
}

/** Whether the message waits for its mailbox to be resumed. */
export const isHeld = ({ status }: Message, mailbox: MailboxSummary | undefined): boolean =>
  status === 'submitted' && mailbox !== undefined && mailbox.status !== 'online';

/** Whether the filter includes a message. */
export function fits(message: Message, mailbox: MailboxSummary, filter: Filter): boolean {
  const { state, query } = filter;
  if (filter.mailbox !== undefined && mailbox.local_part !== filter.mailbox) return false;
  const held = isHeld(message, mailbox);
  if (state === 'held' && !held) return false;
  if (state === 'failed' && message.status !== 'failed') return false;
  if (state === 'approve' && !isAsking(message, mailbox, mailbox.namespace_id)) return false;
  if (
    state === 'working' &&
    (held || message.waiting_for !== null || (message.status !== 'submitted' && message.status !== 'working'))
  )
    return false;
  return query === undefined || says(message, query);
}

/** Whether a search finds the message. */
function says({ subject, body, reply_body }: Message, query: string): boolean {
  const finds = finder(query);
  return [subject, body, reply_body].some((text) => text !== null && finds(text));
}

const SIZE = 50;
/** Messages that wait for approval are counted up to this number. */
const MAX_COUNT = 100;

/** How many messages of a namespace wait for its owner's approval: “3”, “100+”; empty for none. */
export async function countAsking(reads: Reads, namespaceId: string): Promise<string> {
  const { items, next } = await askingPage(reads, namespaceId, {}, null, MAX_COUNT);
  return items.length === 0 ? '' : `${items.length}${next === null ? '' : '+'}`;
}

/** The sources of the lists. */
interface Reads {
  readonly inbox: Inbox;
  readonly store: Store;
}

/** Messages that wait for the owner's decision: received by the namespace's mailboxes, or sent by them. */
async function askingPage(
  { inbox, store }: Reads,
  namespaceId: string,
  of: InboxQuery,
  before: string | null,
  size: number,
  caller?: SearchCaller,
): Promise<Page<Message>> {
  const [received, sent] = await Promise.all([
    inbox.page(namespaceId, { ...of, status: 'working' }, before, size, caller),
    store.messages.awaitingApproval(namespaceId, before, size),
  ]);
  const own = received.items.filter(({ waiting_for, decides }) => waiting_for === 'approval' && decides !== 'sender');
  const asked = sent.items.filter(
    (message) =>
      (of.mailbox_id === undefined || message.sender_id === of.mailbox_id) &&
      (of.query === undefined || says(message, of.query)),
  );
  return merged(
    [
      { ...received, items: own },
      { ...sent, items: asked },
    ],
    size,
  );
}

/** A page of messages, newest first; `mailbox` is the one that the filter names. */
export async function inboxPage(
  reads: Reads,
  namespaceId: string,
  filter: Filter,
  mailbox: MailboxSummary | undefined,
  mailboxesOf: (messages: readonly Message[]) => Promise<ReadonlyMap<string, MailboxSummary>>,
  caller: SearchCaller,
): Promise<Page<Message>> {
  const { state, query, cursor } = filter;
  if (filter.mailbox !== undefined && mailbox === undefined) return { items: [], next: null };
  const before = cursor === undefined ? null : readCursor(cursor);
  const of: InboxQuery = {
    ...(mailbox === undefined ? {} : { mailbox_id: mailbox.id }),
    ...(query === undefined ? {} : { query }),
  };
  const page = (more: InboxQuery) => reads.inbox.page(namespaceId, { ...of, ...more }, before, SIZE, caller);
  if (state === 'failed') return page({ status: 'failed' });
  if (state === 'held') return page({ held: true });
  if (state === 'all') return page({});
  if (state === 'approve') return askingPage(reads, namespaceId, of, before, SIZE, caller);
  // To the owner, messages that are not claimed yet count as in progress too.
  const [begun, due] = await Promise.all([page({ status: 'working' }), page({ status: 'submitted' })]);
  const byId = await mailboxesOf([...begun.items, ...due.items]);
  const known = ({ items, next }: Page<Message>): Page<Message> => ({
    items: items.filter((message) => message.waiting_for === null && !isHeld(message, byId.get(message.mailbox_id))),
    next,
  });
  return merged([known(begun), known(due)], SIZE);
}
