import type { Inbox, InboxQuery } from '../../../core/inbox.ts';
import type { Mailbox } from '../../../core/mailbox.ts';
import type { Message } from '../../../core/message.ts';
import type { Page } from '../../../core/page.ts';
import { readCursor } from '../../../core/page.ts';
import type { Span } from '../../../core/statistics.ts';

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

const QUERY_MOST = 200;

/** Reads the query of an address; what is none of ours is left out. */
export function filterOf(query: Readonly<Record<string, unknown>>): Filter {
  const text = (name: string): string | undefined => {
    const value = query[name];
    if (typeof value !== 'string' || value.includes('\0')) return undefined;
    return value.trim().slice(0, QUERY_MOST) || undefined;
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
export const isHeld = ({ status }: Message, mailbox: Mailbox | undefined): boolean =>
  status === 'submitted' && mailbox !== undefined && mailbox.status !== 'online';

/** Whether a message is among what is shown. */
export function fits(message: Message, mailbox: Mailbox, filter: Filter): boolean {
  const { state, query } = filter;
  if (filter.mailbox !== undefined && mailbox.local_part !== filter.mailbox) return false;
  const held = isHeld(message, mailbox);
  if (state === 'held' && !held) return false;
  if (state === 'failed' && message.status !== 'failed') return false;
  if (state === 'approve' && message.waiting_for !== 'approval') return false;
  if (
    state === 'working' &&
    (held || message.waiting_for !== null || (message.status !== 'submitted' && message.status !== 'working'))
  )
    return false;
  if (query === undefined) return true;
  const wanted = lower(query);
  return [message.subject, message.body, message.reply_body].some(
    (text) => text !== null && lower(text).includes(wanted),
  );
}

/** As the search of the store does: without regard to case in ASCII. */
const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const SIZE = 50;
/** Waiting for approval they are counted up to here. */
const COUNT_MOST = 100;

/** How many messages of a namespace wait for its owner's approval: “3”, “100+”; empty for none. */
export async function countAsking(inbox: Inbox, namespaceId: string): Promise<string> {
  const { items, next } = await inbox.page(namespaceId, { status: 'working' }, null, COUNT_MOST);
  const count = items.filter(({ waiting_for }) => waiting_for === 'approval').length;
  return count === 0 ? '' : `${count}${next === null ? '' : '+'}`;
}

/** A page of what is shown, newest first; `mailbox` is the one it is narrowed to. */
export async function inboxPage(
  inbox: Inbox,
  namespaceId: string,
  filter: Filter,
  mailbox: Mailbox | undefined,
  mailboxesOf: (messages: readonly Message[]) => Promise<ReadonlyMap<string, Mailbox>>,
): Promise<Page<Message>> {
  const { state, query, cursor } = filter;
  if (filter.mailbox !== undefined && mailbox === undefined) return { items: [], next: null };
  const before = cursor === undefined ? null : readCursor(cursor);
  const of: InboxQuery = {
    ...(mailbox === undefined ? {} : { mailbox_id: mailbox.id }),
    ...(query === undefined ? {} : { query }),
  };
  const page = (more: InboxQuery) => inbox.page(namespaceId, { ...of, ...more }, before, SIZE);
  if (state === 'failed') return page({ status: 'failed' });
  if (state === 'held') return page({ held: true });
  if (state === 'all') return page({});
  if (state === 'approve') {
    const { items, next } = await page({ status: 'working' });
    return { items: items.filter(({ waiting_for }) => waiting_for === 'approval'), next };
  }
  // What nobody has begun with yet is worked on too, as far as its owner cares.
  const [begun, due] = await Promise.all([page({ status: 'working' }), page({ status: 'submitted' })]);
  const floor = [begun.next, due.next].reduce<string>((most, next) => (next !== null && next > most ? next : most), '');
  const found = [...begun.items, ...due.items];
  const byId = await mailboxesOf(found);
  const known = found
    .filter(({ id, waiting_for }) => id >= floor && waiting_for === null)
    .filter((message) => !isHeld(message, byId.get(message.mailbox_id)))
    .sort((a, b) => (a.id < b.id ? 1 : -1));
  const items = [...new Map(known.map((message) => [message.id, message])).values()];
  if (items.length > SIZE) return { items: items.slice(0, SIZE), next: items[SIZE - 1]?.id ?? null };
  return { items, next: floor === '' ? null : floor };
}
