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

/** What of the inbox is shown, as its address says. */
export interface Filter {
  readonly span: Span;
  readonly state: State;
  /** A local part. */
  readonly mailbox: string | undefined;
  readonly query: string | undefined;
  readonly cursor: string | undefined;
}

/** Reads the query of an address; what is none of ours is left out. */
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

/** The same as a query string, with its question mark; empty for what goes without saying. */
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

/** It waits for its mailbox to be resumed. */
export const isHeld = ({ status }: Message, mailbox: MailboxSummary | undefined): boolean =>
  status === 'submitted' && mailbox !== undefined && mailbox.status !== 'online';

/** Whether a message is among what is shown. */
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

/** Whether it is found by a search. */
function says({ subject, body, reply_body }: Message, query: string): boolean {
  const finds = finder(query);
  return [subject, body, reply_body].some((text) => text !== null && finds(text));
}

const SIZE = 50;
/** Waiting for approval they are counted up to here. */
const MAX_COUNT = 100;

/** How many messages of a namespace wait for its owner's approval: “3”, “100+”; empty for none. */
export async function countAsking(reads: Reads, namespaceId: string): Promise<string> {
  const { items, next } = await askingPage(reads, namespaceId, {}, null, MAX_COUNT);
  return items.length === 0 ? '' : `${items.length}${next === null ? '' : '+'}`;
}

/** What the lists are read from. */
interface Reads {
  readonly inbox: Inbox;
  readonly store: Store;
}

/** What the namespace's owner is to decide on: of what its mailboxes received, and of what they sent. */
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

/** A page of what is shown, newest first; `mailbox` is the one it is narrowed to. */
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
  // What nobody has begun with yet is worked on too, as far as its owner cares.
  const [begun, due] = await Promise.all([page({ status: 'working' }), page({ status: 'submitted' })]);
  const byId = await mailboxesOf([...begun.items, ...due.items]);
  const known = ({ items, next }: Page<Message>): Page<Message> => ({
    items: items.filter((message) => message.waiting_for === null && !isHeld(message, byId.get(message.mailbox_id))),
    next,
  });
  return merged([known(begun), known(due)], SIZE);
}
