import { TRASH, UNREAD } from '../../../core/entities/label.ts';
import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import type { ConversationState } from '../../../core/entities/standing.ts';
import { operatorsIn } from '../../../core/values/search-query.ts';
import { type Html, html } from '../../../http/html.ts';
import { errorLine } from '../form/controls.ts';
import { icon, pathOf, statusMark } from '../pieces.ts';
import { STAND_WORDS } from './conversation-desk.ts';
import { type Filter, filterFields, STATES, type State, search } from './filter.ts';
import type { Narrowing } from './narrowing.ts';
import { addressPath, type Side, type Tab, waitingTotal } from './shell.ts';

interface ListHead {
  readonly filter: Filter;
  /** Failures in the last 24 hours, or the span of the filter. */
  readonly failed: number;
  readonly side: Side;
  /** The mailbox that the list is narrowed to. */
  readonly mailbox: MailboxSummary | undefined;
  /** Labels to suggest. */
  readonly labels: readonly string[];
  readonly mailDomain: string;
  /** Whether the reader sets up the mailbox that the list is narrowed to. */
  readonly setsUp: boolean;
  /** Why a search was refused. */
  readonly refused: string | undefined;
  /** What narrows a search. */
  readonly narrow: readonly Narrowing[];
}

/** The states that have a place of their own in the side column. */
const PLACES: ReadonlySet<State> = new Set(['approve', 'answer', 'asked']);

/** The chips of where conversations stand. */
const STANDS = [
  ['open', 'none', 'Unassigned'],
  [undefined, 'me', 'Mine'],
  ['waiting', undefined, 'Waiting for them'],
  ['later', undefined, 'Later'],
  ['done', undefined, 'Done'],
] as const satisfies readonly (readonly [ConversationState | undefined, string | undefined, string])[];
const ANY = { stand: undefined, assignee: undefined } as const;

function standTitle(stand: Filter['stand'], assignee: Filter['assignee']): string {
  const known = STANDS.find((one) => one[0] === stand && one[1] === assignee);
  if (known !== undefined) return known[2];
  const state = stand === undefined ? 'Conversations' : STAND_WORDS[stand];
  return assignee === undefined ? state : `${state} ${assignee === 'none' ? 'of no one' : 'of a member'}`;
}

/** The name of the list that a filter shows. */
export function listTitle({ state, direction, label, query, stand, assignee }: Filter): string {
  if (query !== undefined && state === 'all') return label === TRASH ? 'Search in the trash' : 'Search';
  if (PLACES.has(state)) return STATES[state];
  if (stand !== undefined || assignee !== undefined) return standTitle(stand, assignee);
  if (label === TRASH) return 'Trash';
  if (label !== undefined && label !== UNREAD) return `Label ${label}`;
  return { received: 'Inbox', sent: 'Sent', all: 'All' }[direction];
}

/** The tab of the side column for the list. */
export function listTab({ state, direction, label, mailbox, stand, assignee }: Filter): Tab | undefined {
  if (assignee === 'me' && stand === undefined) return 'mine';
  if (stand === 'later' && assignee === undefined) return 'later';
  if (stand !== undefined || assignee !== undefined) return undefined;
  if (state === 'answer' || state === 'approve' || state === 'asked') return state;
  if (label === TRASH) return 'trash';
  if (state === 'failed' && direction === 'received' && mailbox === undefined && label === undefined) return 'failed';
  if (mailbox !== undefined || (label !== undefined && label !== UNREAD)) return undefined;
  return direction === 'received' ? 'inbox' : direction;
}

/** What stands above the list of conversations: which ones it shows, and the search. */
export function listHead(head: ListHead): Html {
  const { filter, mailbox, mailDomain, failed, side } = head;
  const linkTo = (more: Partial<Filter>): string => `console${search({ ...filter, cursor: undefined, ...more })}`;
  const chip = (state: State, more: Partial<Filter> = {}): Html => {
    const failures = failed === 0 ? '' : failed.toLocaleString('en-US');
    const isNarrowed = filter.label === UNREAD || filter.stand !== undefined || filter.assignee !== undefined;
    const current = filter.state === state && !isNarrowed;
    const unread = isNarrowed ? { label: undefined, ...ANY } : {};
    return html`<a class="chip" href="${linkTo({ state, ...unread, ...more })}"${current && html` aria-current="true"`}>${STATES[state]}${state === 'failed' && html` <span data-failed>${failures}</span>`}</a>`;
  };
  const unread = html`<a class="chip" href="${linkTo({ state: 'all', label: UNREAD, ...ANY })}"${filter.label === UNREAD && html` aria-current="true"`}>Unread</a>`;
  const standing = ([stand, assignee, word]: (typeof STANDS)[number]): Html =>
    html`<a class="chip" href="${linkTo({ state: 'all', label: undefined, stand, assignee })}"${filter.stand === stand && filter.assignee === assignee && html` aria-current="true"`}>${word}</a>`;
  const held = chip('held', { direction: 'received' });
  const title = listTitle(filter);
  return html`<div class="list-head">
<div class="about"><h2>${filter.state === 'person' ? html`${title} <span class="n" data-waiting="all">${waitingTotal(side)}</span>` : mailbox === undefined ? title : html`${mailbox.local_part}<span class="meta">${title === 'Inbox' ? `@${mailbox.namespace}` : title}</span>`}</h1>${mailbox !== undefined && statusMark(mailbox)}<span class="status live" data-live hidden>Live</span><a class="ib" href="console/notices" title="How you are called">${icon('bell')}<span class="sr">How you are called</span></a>${mailbox !== undefined && html`<span class="of">${head.setsUp && html`<a class="button quiet" href="${addressPath(mailbox)}">${icon('sliders')}Settings<span class="sr"> of ${mailbox.local_part}</span></a>`}<a class="button quiet" href="./${pathOf(mailbox, mailDomain)}">${icon('share')}Its page</a><a class="button quiet" href="${linkTo({ mailbox: undefined })}">All addresses</a></span>`}</div>
${searchForm(head)}
${filter.query !== undefined && searchState(head)}
${!PLACES.has(filter.state) && filter.label !== TRASH && html`<nav class="chips filters" aria-label="Which conversations">${filter.state === 'person' && html`<a class="chip" href="console" aria-current="true">Waiting</a>`}${chip('all')}${filter.direction !== 'sent' && unread}${chip('working')}${chip('failed')}${filter.direction === 'received' && html`${held}${STANDS.map(standing)}`}</nav>`}
<button type="button" class="chip new-rows" data-new-rows hidden>New messages</button>
</div>`;
}

/** Operators that take a value. */
const VALUED = ['from:', 'to:', 'subject:', 'filename:', 'label:', 'before:', 'after:'];

/** Why a search was refused, the operators that it has, and what narrows it. */
function searchState({ filter, refused, narrow }: ListHead): Html {
  const { query = '' } = filter;
  const linkTo = (text: string): string =>
    `console${search({ ...filter, cursor: undefined, query: text === '' ? undefined : text })}`;
  const used = operatorsIn(query).map(
    ({ text, rest }) =>
      html`<a class="chip op" href="${linkTo(rest)}"><code dir="auto">${text}</code><span aria-hidden="true">×</span><span class="sr">, remove this operator</span></a>`,
  );
  const offered = narrow.map(
    ({ operator, count }) =>
      html`<a class="chip" href="${linkTo(`${query} ${operator}`)}"><code>${operator}</code>${count !== '' && html` <span class="n">${count}<span class="sr"> found</span></span>`}</a>`,
  );
  const valued = VALUED.map(
    (one) => html`<button type="button" class="chip" data-operator="${one}" hidden><code>${one}</code></button>`,
  );
  return html`${refused !== undefined && errorLine('query-error', refused)}${used.length > 0 && html`<p class="chips in-use">${used}</p>`}<div class="chips operators" role="group" aria-label="Narrow the search">${offered}${valued}</div>`;
}

/** The search with its further filters; what it does not show is kept by hidden fields. */
function searchForm({ filter, labels, refused }: ListHead): Html {
  const { label, attachment } = filter;
  const kept = Object.entries(filterFields({ ...filter, query: undefined, label: undefined, attachment: false }));
  const shownLabel = label === UNREAD ? undefined : label;
  const count = (shownLabel === undefined ? 0 : 1) + (attachment ? 1 : 0);
  const without = (more: Partial<Filter>, words: Html): Html =>
    html`<a class="chip" href="console${search({ ...filter, cursor: undefined, ...more })}">${words}<span aria-hidden="true">×</span><span class="sr">, remove this filter</span></a>`;
  return html`<form role="search" action="console">${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label class="sr" for="query">Search conversations</label><input class="input" type="search" id="query" name="query" value="${filter.query}" placeholder="Search conversations" dir="auto" maxlength="200" enterkeyhint="search"${refused !== undefined && html` aria-invalid="true" aria-describedby="query-error"`} data-search>
<details class="narrow"><summary class="button">${icon('sliders')}Filter${count > 0 && html`<span class="badge">${count}<span class="sr"> in use</span></span>`}</summary><div class="stack">
<div class="field"><label for="by-label">Label</label><input class="input" id="by-label" name="label" value="${label}" list="labels" maxlength="50" autocomplete="off" autocapitalize="none" spellcheck="false" dir="ltr" placeholder="unread">
<datalist id="labels">${labels.map((one) => html`<option value="${one}"></option>`)}</datalist></div>
<label class="tick"><input type="checkbox" name="has" value="attachment"${attachment && html` checked`}> With files</label>
<div class="row"><button class="button ink">Show messages</button></div></div></details></form>
${count > 0 && html`<p class="chips in-use">${shownLabel !== undefined && without({ label: undefined }, html`Label ${label}`)}${attachment && without({ attachment: false }, html`With files`)}</p>`}`;
}
