import { lowerCase, withoutMailDomain } from '@mailroom/behavior/values/address';
import { wordsFinder } from '@mailroom/behavior/values/text-search';
import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import { isSettled, type Message } from '../../../core/entities/message.ts';
import {
  CONVERSATION_STATES,
  type ConversationState,
  isOutOfInbox,
  type Standing,
} from '../../../core/entities/standing.ts';
import { DIRECTIONS } from '../../../core/ports/messages.ts';
import { MAX_QUERY } from '../../../core/ports/search.ts';
import type { Span } from '../../../core/reports/statistics.ts';
import { type WaitingKind, waitsForPerson } from '../../../core/reports/waiting.ts';
import { isAsking } from './approval.ts';

/** Who may be named as an assignee in a URL. */
const ASSIGNEE = /^(?:me|none|(?:acc|mbx)_[0-9a-z]{20})$/;

export const STATES = {
  person: 'Inbox',
  all: 'All',
  working: 'Working',
  approve: 'To approve',
  answer: 'To answer',
  failed: 'Failed',
  asked: 'Asked back',
  held: 'Held',
} as const;
export type State = keyof typeof STATES;
type Direction = (typeof DIRECTIONS)[number];

/** The part of the inbox that is shown, as its URL says. */
export interface Filter {
  readonly span: Span;
  readonly state: State;
  readonly direction: Direction;
  /** A local part. */
  readonly mailbox: string | undefined;
  readonly label: string | undefined;
  /** Where its conversations stand. */
  readonly stand: ConversationState | undefined;
  /** Who takes care of them: the id of a member, `me` or `none`. */
  readonly assignee: string | undefined;
  /** Only messages with files of their own. */
  readonly attachment: boolean;
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
  const direction = text('direction');
  const label = text('label');
  const stand = text('state');
  const assignee = text('assignee');
  const filter = {
    span: text('span') === '30d' ? '30d' : '24h',
    direction: DIRECTIONS.find((one) => one === direction) ?? 'received',
    mailbox: text('mailbox')?.toLowerCase(),
    label: label === undefined ? undefined : lowerCase(label),
    stand: CONVERSATION_STATES.find((one) => one === stand),
    assignee: assignee === undefined || !ASSIGNEE.test(assignee) ? undefined : assignee,
    attachment: text('has') === 'attachment',
    query: text('query'),
    cursor: text('cursor'),
  } as const;
  const state = text('status') ?? '';
  return { ...filter, state: Object.hasOwn(STATES, state) ? (state as State) : defaultState(filter) };
}

/** What a list shows that names no state: what waits for a person, or all where it is narrowed in another way. */
const defaultState = ({ direction, mailbox, label, attachment, query, ...rest }: Omit<Filter, 'state'>): State => {
  const narrow = [mailbox, label, query, rest.stand, rest.assignee].some((one) => one !== undefined);
  return direction === 'received' && !attachment && !narrow ? 'person' : 'all';
};

/** The filter as a query string with its question mark; defaults are left out. */
export function search(filter: Filter, more: Readonly<Record<string, string>> = {}): string {
  const params = new URLSearchParams({ ...filterFields(filter), ...more });
  if (filter.cursor !== undefined && !params.has('cursor')) params.set('cursor', filter.cursor);
  return params.size === 0 ? '' : `?${params}`;
}

/** The fields of the filter's URL, without its place in the list; defaults are left out. */
export function filterFields(filter: Filter): Readonly<Record<string, string>> {
  const { span, state, direction, mailbox, label, stand, assignee, attachment, query } = filter;
  return {
    ...(span === '24h' ? {} : { span }),
    ...(state === defaultState(filter) ? {} : { status: state }),
    ...(direction === 'received' ? {} : { direction }),
    ...(mailbox === undefined ? {} : { mailbox }),
    ...(label === undefined ? {} : { label }),
    ...(stand === undefined ? {} : { state: stand }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(attachment ? { has: 'attachment' } : {}),
    ...(query === undefined ? {} : { query }),
  };
}

/** The searched words, as the store takes them. */
interface Words {
  readonly query?: string;
  readonly query_address?: string;
}

export function wordsOf({ query }: Pick<Filter, 'query'>, mailDomain: string): Words {
  if (query === undefined) return {};
  const address = withoutMailDomain(query, mailDomain);
  return { query, ...(address === undefined ? {} : { query_address: address }) };
}

/** Whether a search finds the message. */
export function says({ subject, body, reply, from, to }: Message, { query, query_address = query }: Words): boolean {
  if (query === undefined || query_address === undefined) return true;
  return wordsFinder(query, query_address)([subject, body, reply?.body], [from, to]);
}

/** Whether what is done or put off leaves the list: what waits for a person, and what an address received. */
export const isInbox = (filter: Filter): boolean =>
  filter.stand === undefined &&
  (filter.state === 'person' || (filter.direction === 'received' && isOfConversations(filter)));

/** Whether the list has one message a conversation by itself; narrowed lists are of messages that match. */
export const isOfConversations = ({ state, query, label, attachment }: Filter): boolean =>
  state === 'all' && query === undefined && label === undefined && !attachment;

/** Whether the message waits for its mailbox to be resumed. */
export const isHeld = ({ status, taken_over }: Message, mailbox: MailboxSummary | undefined): boolean =>
  status === 'submitted' && taken_over !== true && mailbox !== undefined && mailbox.status === 'paused';

/** Whether the message waits for an answer from the owner's program, or by hand. */
export const isToAnswer = ({ status, waiting_for }: Message): boolean => !isSettled(status) && waiting_for === 'answer';

/** States of what was received and of what was sent. */
const OF_BOTH: ReadonlySet<State> = new Set(['approve', 'person', 'asked']);

/** Whether the filter includes a message. */
export function fits(
  message: Message,
  /** The mailbox of the message. */
  mailbox: MailboxSummary,
  filter: Filter,
  {
    labels,
    standing,
    me,
    namespaceId,
    mailDomain,
  }: {
    readonly labels: readonly string[];
    readonly standing: Standing;
    /** The account of the reader. */
    readonly me: string | null;
    readonly namespaceId: string;
    readonly mailDomain: string;
  },
): boolean {
  const { state, direction } = filter;
  const named = (address: string | null): boolean =>
    filter.mailbox === undefined || address?.split('@')[0] === filter.mailbox;
  const received = mailbox.namespace_id === namespaceId && named(mailbox.local_part);
  const sent = message.kind === 'message' && message.sender_namespace_id === namespaceId && named(message.from);
  const within = { received, sent, all: received || sent } as const;
  if (OF_BOTH.has(state) ? !(received || sent) : !within[direction]) return false;
  if (filter.label !== undefined && !labels.includes(filter.label)) return false;
  if (isInbox(filter) && isOutOfInbox(standing.state)) return false;
  if (!standsSo(standing, filter, me)) return false;
  if (filter.attachment && (message.attachments ?? []).length === 0) return false;
  const held = isHeld(message, mailbox);
  if (state === 'held' && !held) return false;
  if (state === 'person') return waitingKindOf(message, mailbox, namespaceId) !== undefined;
  if (state === 'answer' && (held || !received || !isToAnswer(message))) return false;
  if (state === 'asked') return waitingKindOf(message, mailbox, namespaceId) === 'asked';
  if (state === 'failed' && message.status !== 'failed') return false;
  if (state === 'approve' && waitingKindOf(message, mailbox, namespaceId) !== 'approve') return false;
  if (
    state === 'working' &&
    (held || message.waiting_for === 'approval' || (message.status !== 'submitted' && message.status !== 'working'))
  )
    return false;
  return says(message, wordsOf(filter, mailDomain));
}

/** Whether a conversation stands as the filter says. */
function standsSo({ state, assignee }: Standing, filter: Filter, me: string | null): boolean {
  if (filter.stand !== undefined && filter.stand !== state) return false;
  if (filter.assignee === undefined) return true;
  return filter.assignee === 'none'
    ? assignee === null
    : assignee === (filter.assignee === 'me' ? me : filter.assignee);
}

/** Why a conversation waits for a person, if it does; an event of a message says so before the list is read again. */
export function waitingKindOf(
  message: Message,
  mailbox: MailboxSummary | undefined,
  namespaceId: string,
): WaitingKind | undefined {
  const received = mailbox?.namespace_id === namespaceId;
  if (mailbox !== undefined && isAsking(message, mailbox, namespaceId)) return 'approve';
  if (received && message.waiting_for === 'review') return 'approve';
  if (received && waitsForPerson(message, mailbox)) return 'answer';
  if (received && message.status === 'failed') return 'failed';
  const sent = message.kind === 'message' && message.sender_namespace_id === namespaceId;
  const written = sent && message.sender_kind === 'mailbox' && message.key_id !== null;
  return written && message.status === 'input_required' ? 'asked' : undefined;
}
