import { DONE, UNREAD } from '../../../core/entities/label.ts';
import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import type { Message } from '../../../core/entities/message.ts';
import type { Statistic } from '../../../core/reports/statistics.ts';
import { type Page, writeCursor } from '../../../core/values/page.ts';
import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import { addressMark, icon, pathOf, stamp } from '../pieces.ts';
import type { Filter, State } from './filter.ts';
import { isInbox, search } from './filter.ts';
import { listHead, listTitle } from './list-head.ts';
import type { ListRow } from './list-rows.ts';
import { REMOVAL } from './removing.ts';
import { row } from './rows.ts';
import type { Side } from './shell.ts';

export interface InboxView {
  readonly filter: Filter;
  readonly page: Page<ListRow>;
  /** A mailbox to share, if there is one. */
  readonly first: MailboxSummary | undefined;
  /** The mailbox that the list is narrowed to. */
  readonly mailbox: MailboxSummary | undefined;
  readonly statistic: Statistic;
  readonly side: Side;
  /** The position in the event log from which the script subscribes. */
  readonly place: string;
  /** The id of the open message. */
  readonly open: string | undefined;
  /** The open message, where it is known. */
  readonly thread: Pick<Message, 'thread_id' | 'mailbox_id'> | undefined;
  readonly conversation: Html;
  readonly name: string;
  readonly mailDomain: string;
  readonly baseUrl: string;
}

/** The inbox: figures, list and conversation. */
export const inboxMain = (view: InboxView): Html =>
  html`<div class="inbox${view.open !== undefined && ' opened'}" data-inbox data-place="${view.place}" data-query="${search(view.filter)}" data-removal="${REMOVAL}"${isInbox(view.filter) && html` data-archives`}>
<h1 class="sr">${listTitle(view.filter)} of ${view.name}</h1>
<section class="list" aria-label="Conversations">
${listHead({ ...view, labels: knownLabels(view) })}
${rows(view)}
</section>
${view.conversation}
</div>`;

/** The labels of the messages shown, and `unread`. */
const knownLabels = ({ page, side }: InboxView): readonly string[] => [
  ...new Set([UNREAD, ...side.labels, ...page.items.flatMap(({ options }) => options.labels)]),
];

const isIn = (message: Message, thread: InboxView['thread']): boolean =>
  message.thread_id === thread?.thread_id && message.mailbox_id === thread.mailbox_id;

function rows(view: InboxView): Html {
  const { filter, page, open } = view;
  const shown = page.items.map(({ message, options }) =>
    row(message, { ...options, open: message.id === open || isIn(message, view.thread) }),
  );
  const newest =
    filter.cursor !== undefined &&
    html`<a class="button quiet" href="console${search({ ...filter, cursor: undefined })}">Newest messages</a>`;
  const older =
    page.next !== null &&
    html`<a class="button quiet" href="console${search({ ...filter, cursor: writeCursor(page.next) })}">${shown.length === 0 ? 'Search older messages' : 'Older messages'}</a>`;
  return html`<div class="scroll" data-scroll><ul class="rows" data-rows aria-label="Conversations, newest first">${shown}</ul>
${shown.length === 0 && empty(view)}
${(newest || older) && html`<div class="row pages">${newest}${older}</div>`}</div>`;
}

const NOTHING: Readonly<Record<Exclude<State, 'all'>, readonly [string, string]>> = {
  working: ['No message is being worked on', 'Messages appear here while they are being answered.'],
  approve: ['Nothing to approve', 'Plans with tasks that need your approval appear here.'],
  answer: ['Nothing to answer', 'Messages that your program or you are to answer appear here.'],
  failed: ['Nothing failed', 'Messages that could not be answered appear here, so that you can try again.'],
  held: ['Nothing is held', 'Messages to a paused address wait here.'],
};

const OLDER = 'None of the newest messages match. You can search older ones.';

/** An unused stamp above what is empty. */
const blank = html`<span class="stamp s40 h-post" aria-hidden="true">@</span>`;

/** Shown where there are no messages, with what to do next. */
function empty({ filter, first, mailbox, mailDomain, baseUrl, page }: InboxView): Html {
  const none = {
    query: undefined,
    label: undefined,
    attachment: false,
    mailbox: undefined,
    cursor: undefined,
  } as const;
  const all = { ...filter, ...none, state: 'all', direction: 'received' } as const;
  const clear = (label: string): Html =>
    html`<div class="row"><a class="button" href="console${search(all)}">${label}</a></div>`;
  if (filter.query !== undefined) {
    return html`<div class="empty" data-empty>${blank}<h2>No message matches “<span dir="auto">${filter.query}</span>”</h2><p>${
      page.next === null ? 'Search covers subjects, messages, answers and addresses.' : OLDER
    }</p>${clear('Clear search')}</div>`;
  }
  if (filter.state !== 'all') {
    const [fact, rest] = NOTHING[filter.state];
    return html`<div class="empty" data-empty>${blank}<h2>${fact}</h2><p>${rest}</p>${clear('Show all messages')}</div>`;
  }
  if (filter.label === DONE && !filter.attachment && filter.direction === 'received') {
    return html`<div class="empty" data-empty>${blank}<h2>Nothing is done yet</h2><p>“Done” takes a conversation out of the inbox until something new arrives in it. It stands here, and under All.</p>${clear('Show the inbox')}</div>`;
  }
  if (filter.label !== undefined || filter.attachment) {
    const fact =
      filter.label === UNREAD && !filter.attachment
        ? 'Nothing is unread'
        : html`No message ${filter.attachment && 'with files '}${filter.label !== undefined && html`has the label “${filter.label}”`}${filter.label === undefined && 'is here'}`;
    const rest = page.next === null ? 'Labels are added to a message where it is opened.' : OLDER;
    return html`<div class="empty" data-empty>${blank}<h2>${fact}</h2><p>${rest}</p>${clear('Show all messages')}</div>`;
  }
  if (filter.direction === 'sent') {
    return html`<div class="empty" data-empty>${blank}<h2>Nothing sent yet</h2><p>What your addresses and keys write appears here. Their answers are in the conversations that they answer.</p><div class="row"><a class="button ink" href="console/write${mailbox !== undefined && `?from=${encodeURIComponent(mailbox.local_part)}`}">Write a message</a></div></div>`;
  }
  const shared = mailbox ?? first;
  if (shared === undefined) {
    return html`<div class="empty" data-empty>${blank}<h2>No addresses yet</h2><p>Make one, and messages to it appear here.</p><div class="row"><a class="button ink" href="console/addresses/new">Make an address</a></div></div>`;
  }
  if (filter.mailbox !== undefined && mailbox === undefined) {
    return html`<div class="empty" data-empty>${blank}<h2>No such address</h2><p>It may have been deleted.</p>${clear('Show all messages')}</div>`;
  }
  const path = pathOf(shared, mailDomain);
  return html`<div class="empty" data-empty><span class="postmark">${stamp(shared.behavior, 64)}</span><h2>No messages yet</h2><p>Share ${addressMark(shared, mailDomain)}. Messages appear here as they arrive.</p><div class="row"><button type="button" class="button ink" hidden data-copy="${`${baseUrl}/${path}`}">${icon('copy')}<span>Copy link</span></button><a class="button" href="./${path}">Write the first one</a></div></div>`;
}
