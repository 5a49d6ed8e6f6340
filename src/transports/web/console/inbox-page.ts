import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import type { Message } from '../../../core/entities/message.ts';
import type { Statistic } from '../../../core/reports/statistics.ts';
import type { Millis } from '../../../core/values/clock.ts';
import { type Page, writeCursor } from '../../../core/values/page.ts';
import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import { addressMark, icon, pathOf, shortOf, stamp, statusMark } from '../pieces.ts';
import { figures } from './charts.ts';
import type { Filter, State } from './filter.ts';
import { STATES, search } from './filter.ts';
import { row } from './rows.ts';
import { addressPath } from './shell.ts';

export interface InboxView {
  readonly filter: Filter;
  readonly page: Page<Message>;
  readonly senders: ReadonlyMap<string, string>;
  /** The mailboxes of the messages, by id. */
  readonly mailboxes: ReadonlyMap<string, MailboxSummary>;
  /** A mailbox to share, if there is one. */
  readonly first: MailboxSummary | undefined;
  /** The mailbox that the list is narrowed to. */
  readonly mailbox: MailboxSummary | undefined;
  readonly statistic: Statistic;
  /** How many messages wait for approval; empty for none. */
  readonly asking: string;
  /** The position in the event log from which the script subscribes. */
  readonly place: string;
  /** The id of the open message. */
  readonly open: string | undefined;
  readonly conversation: Html;
  readonly name: string;
  readonly mailDomain: string;
  readonly baseUrl: string;
  readonly now: Millis;
}

/** The inbox: figures, list and conversation. */
export const inboxMain = (view: InboxView): Html =>
  html`<div class="inbox${view.open !== undefined && ' opened'}" data-inbox data-place="${view.place}" data-query="${search(view.filter)}">
<h1 class="sr">Inbox of ${view.name}</h1>
<section class="strip" aria-label="Figures"><div class="stats" data-strip>${figures(view.statistic, view.filter.span)}</div>${spans(view.filter)}</section>
<section class="list" aria-label="Messages">
${listHead(view)}
${rows(view)}
</section>
${view.conversation}
</div>`;

function spans(filter: Filter): Html {
  const link = (span: Filter['span'], label: string): Html =>
    html`<a class="chip" href="console${search({ ...filter, span })}"${filter.span === span && html` aria-current="true"`}>${label}</a>`;
  return html`<div class="spans">${link('24h', '24 hours')}${link('30d', '30 days')}</div>`;
}

function listHead({ filter, statistic, asking, mailbox, mailDomain }: InboxView): Html {
  const chip = (state: State): Html => {
    const failures = statistic.total.failed === 0 ? '' : statistic.total.failed.toLocaleString('en-US');
    const count =
      state === 'failed'
        ? html` <span data-failed>${failures}</span>`
        : state === 'approve' && html` <span data-asking>${asking}</span>`;
    const href = `console${search({ ...filter, state, cursor: undefined })}`;
    return html`<a class="chip" href="${href}"${filter.state === state && html` aria-current="true"`}${state === 'approve' && html`${asking === '' && filter.state !== state && html` hidden`} data-approve`}>${STATES[state]}${count}</a>`;
  };
  const pageRoute = (name: string, value: string | undefined | false): Html | false =>
    value !== undefined && value !== false && html`<input type="hidden" name="${name}" value="${value}">`;
  return html`<div class="list-head">
${mailbox !== undefined && html`<div class="about"><b>${shortOf(mailbox)}</b>${statusMark(mailbox.status)}<a class="button quiet" href="${addressPath(mailbox)}">${icon('sliders')}Edit</a><a class="button quiet" href="./${pathOf(mailbox, mailDomain)}">${icon('share')}Its page</a><a class="button quiet" href="console${search({ ...filter, mailbox: undefined, cursor: undefined })}">All addresses</a></div>`}
<form role="search" action="console">${pageRoute('span', filter.span !== '24h' && filter.span)}${pageRoute('status', filter.state !== 'all' && filter.state)}${pageRoute('mailbox', filter.mailbox)}
<label class="sr" for="query">Search messages</label><input class="input" type="search" id="query" name="query" value="${filter.query}" placeholder="Search messages" dir="auto" maxlength="200" enterkeyhint="search" data-search></form>
<div class="filters"><nav class="chips" aria-label="Which messages">${chip('all')}${chip('approve')}${chip('working')}${chip('failed')}${chip('held')}</nav>
<span class="status live" data-live hidden>Live</span></div>
<button type="button" class="chip news" data-news hidden>New messages</button>
</div>`;
}

function rows(view: InboxView): Html {
  const { filter, page, senders, mailboxes, open, now } = view;
  const shown = page.items.map((message) =>
    row(message, {
      root: '',
      filter,
      sender: senders.get(message.id) ?? '',
      mailbox: mailboxes.get(message.mailbox_id),
      open: message.id === open,
      now,
    }),
  );
  const newest =
    filter.cursor !== undefined &&
    html`<a class="button quiet" href="console${search({ ...filter, cursor: undefined })}">Newest messages</a>`;
  const older =
    page.next !== null &&
    html`<a class="button quiet" href="console${search({ ...filter, cursor: writeCursor(page.next) })}">${shown.length === 0 ? 'Search older messages' : 'Older messages'}</a>`;
  return html`<div class="scroll" data-scroll><ul class="rows" data-rows aria-label="Messages, newest first">${shown}</ul>
${shown.length === 0 && empty(view)}
${(newest || older) && html`<div class="row pages">${newest}${older}</div>`}</div>`;
}

const NOTHING: Readonly<Record<Exclude<State, 'all'>, readonly [string, string]>> = {
  working: ['No message is being worked on', 'Messages appear here while they are being answered.'],
  approve: ['Nothing is waiting for your approval', 'Plans with tasks that need your approval appear here.'],
  failed: ['Nothing failed', 'Messages that could not be answered appear here, so that you can try again.'],
  held: ['Nothing is held', 'Messages to a paused address wait here.'],
};

/** Shown where there are no messages, with what to do next. */
function empty({ filter, first, mailbox, mailDomain, baseUrl, page }: InboxView): Html {
  const all = { ...filter, state: 'all', query: undefined, mailbox: undefined, cursor: undefined } as const;
  const clear = (label: string): Html =>
    html`<div class="row"><a class="button" href="console${search(all)}">${label}</a></div>`;
  if (filter.query !== undefined) {
    return html`<div class="empty" data-empty><h2>No message matches “<span dir="auto">${filter.query}</span>”</h2><p>${
      page.next === null
        ? 'Search covers subjects, messages and answers.'
        : 'None of the newest messages match. You can search older ones.'
    }</p>${clear('Clear search')}</div>`;
  }
  if (filter.state !== 'all') {
    const [fact, rest] = NOTHING[filter.state];
    return html`<div class="empty" data-empty><h2>${fact}</h2><p>${rest}</p>${clear('Show all messages')}</div>`;
  }
  const shared = mailbox ?? first;
  if (shared === undefined) {
    return html`<div class="empty" data-empty><h2>No addresses yet</h2><p>Make one, and messages to it appear here.</p><div class="row"><a class="button ink" href="console/addresses/new">Make an address</a></div></div>`;
  }
  if (filter.mailbox !== undefined && mailbox === undefined) {
    return html`<div class="empty" data-empty><h2>No such address</h2><p>It may have been deleted.</p>${clear('Show all messages')}</div>`;
  }
  const path = pathOf(shared, mailDomain);
  return html`<div class="empty" data-empty>${stamp(shared.behavior, 64)}<h2>No messages yet</h2><p>Share ${addressMark(shared, mailDomain)}. Messages appear here as they arrive.</p><div class="row"><button type="button" class="button ink" hidden data-copy="${`${baseUrl}/${path}`}">${icon('copy')}<span>Copy link</span></button><a class="button" href="./${path}">Write the first one</a></div></div>`;
}
