import type { Millis } from '@mailroom/behavior/values/clock';
import { TRASH, UNREAD } from '../../../core/entities/label.ts';
import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import type { Member } from '../../../core/entities/member.ts';
import type { Message } from '../../../core/entities/message.ts';
import { WAITING } from '../../../core/reports/waiting.ts';
import { type Page, writeCursor } from '../../../core/values/page.ts';
import { type Html, html } from '../../../http/html.ts';
import { addressMark, type IconName, icon, pathOf } from '../pieces.ts';
import { laterChoices, memberChoices } from './desk-choices.ts';
import { emptyState } from './empty.ts';
import { type Filter, isInbox, type State, search } from './filter.ts';
import { ROWS } from './inbox-list.ts';
import { listHead, listTitle } from './list-head.ts';
import type { ListRow } from './list-rows.ts';
import type { Narrowing } from './narrowing.ts';
import { makesAddresses, opens, setsUp } from './page-scopes.ts';
import { REMOVAL } from './removing.ts';
import { row } from './rows.ts';
import { type Side, WAITING_WORDS, waitingText } from './shell.ts';
import { type Signed, tokenField } from './sign-in-form.ts';
import { timeMark } from './times.ts';

export interface InboxView {
  readonly filter: Filter;
  readonly page: Page<ListRow> & { readonly next_cursor?: string | undefined };
  /** Why a search was refused. */
  readonly refused: string | undefined;
  /** What narrows the search. */
  readonly narrow: readonly Narrowing[];
  /** Until when a search finds everything. */
  readonly until: Millis | undefined;
  readonly now: Millis;
  /** A mailbox to share, if there is one. */
  readonly first: Pick<MailboxSummary, 'local_part' | 'namespace' | 'behavior'> | undefined;
  /** The mailbox that the list is narrowed to. */
  readonly mailbox: MailboxSummary | undefined;
  readonly failed: number;
  /** How many messages were answered today (UTC). */
  readonly answered: number;
  /** Whether any message was received. */
  readonly messages: boolean;
  readonly side: Side;
  /** Who may take care of conversations of the list. */
  readonly members: readonly Member[];
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
  /** What was just done, and can be taken back. */
  readonly toast: Html | undefined;
  readonly signed: Signed;
}

/** The inbox: figures, list and conversation. */
export const inboxMain = (view: InboxView): Html =>
  html`<div class="inbox${view.open !== undefined && ' opened'}" data-inbox data-place="${view.place}" data-query="${search(view.filter)}" data-removal="${REMOVAL}"${isInbox(view.filter) && html` data-archives`}>
<h1 class="sr">${listTitle(view.filter)} of ${view.name}</h1>
<section class="list" aria-label="Conversations">
${listHead({ ...view, labels: knownLabels(view), setsUp: view.mailbox !== undefined && setsUp(view.signed.session.key, view.mailbox.id) })}
${rows(view)}</section>
${view.conversation}
${view.toast}
</div>`;

/** The labels of the messages shown, and `unread`. */
const knownLabels = ({ page, side }: InboxView): readonly string[] => [
  ...new Set([UNREAD, ...side.labels, ...page.items.flatMap(({ options }) => options.labels)]),
];

const isIn = (message: Message, thread: InboxView['thread']): boolean =>
  message.thread_id === thread?.thread_id && message.mailbox_id === thread.mailbox_id;

function rows(view: InboxView): Html {
  const { filter, page, open } = view;
  const drawn = (items: readonly ListRow[]): readonly Html[] =>
    items.map(({ message, options }) =>
      row(message, { ...options, open: message.id === open || isIn(message, view.thread) }),
    );
  const rows = page.items;
  const listed =
    filter.state === 'person'
      ? WAITING.map(
          (kind, at) =>
            html`<li class="group" data-group="${at}" data-at="Infinity"><h3>${WAITING_WORDS[kind]} <span class="n" data-waiting="${kind}">${waitingText(view.side, kind)}</span></h3></li>${drawn(rows.filter(({ options }) => options.group === kind))}`,
        )
      : drawn(rows);
  const newest =
    filter.cursor !== undefined &&
    html`<a class="button quiet" href="console${search({ ...filter, cursor: undefined })}">Newest messages</a>`;
  const older =
    page.next !== null &&
    html`<a class="button quiet" href="console${search({ ...filter, cursor: page.next_cursor ?? writeCursor(page.next) })}">${rows.length === 0 ? 'Search older messages' : 'Older messages'}</a>`;
  return html`<div class="scroll" data-scroll><ul class="rows" data-rows="${Math.max(ROWS, rows.length)}" aria-label="Conversations, newest first">${listed}</ul>
${rows.length === 0 && empty(view)}
${(newest || older) && html`<div class="row pages">${newest}${older}</div>`}<p class="list-foot" data-reload hidden><a href="console${search({ ...filter, cursor: undefined })}">Load the list again for older messages</a></p>${searched(view)}</div>
${bulkBar(view)}`;
}

/** Until when a search found everything, and where else it may look. */
function searched({ filter, until, now, refused }: InboxView): Html | false {
  if (filter.query === undefined || filter.state !== 'all' || refused !== undefined) return false;
  const trash = filter.label === TRASH;
  const other = { ...filter, cursor: undefined, direction: 'all', label: trash ? undefined : TRASH } as const;
  const time = until === undefined ? '.' : html` up to ${timeMark(until, now)}.`;
  const link = html`<a href="console${search(other)}">${trash ? 'Search everything else' : 'Search it too'}</a>`;
  return html`<p class="list-foot">${trash ? 'Searched the trash' : 'Searched'}${time} ${!trash && 'The trash is left out. '}${link}</p>`;
}

/** What is done with the conversations that are picked; shown while some are. */
function bulkBar({ filter, signed, members, now }: InboxView): Html {
  const inTrash = filter.label === TRASH;
  const act = (what: string, word: string, sign: IconName): Html =>
    html`<button class="ib" name="do" value="${what}" title="${word}">${icon(sign)}<span class="sr">${word}</span></button>`;
  const menu = (what: string, word: string, sign: IconName, content: Html): Html =>
    html`<details class="bulk-menu" data-bulk-menu="${what}"><summary class="ib" title="${word}"><span class="sr">${word}</span>${icon(sign)}</summary><div class="menu">${content}</div></details>`;
  const choices = memberChoices(members, null, signed.session.key.account_id);
  return html`<form class="bulk" id="bulk" method="post" action="console/batch${search({ ...filter, cursor: undefined })}" data-bulk>${tokenField(signed)}
<b><label class="all" data-all hidden><input type="checkbox"> <span class="sr">Select all</span></label><span data-picked>Selected:</span></b>
${
  !inTrash &&
  html`${act('done', 'Mark as done', 'check')}${act('read', 'Mark as read', 'eye')}${act('unread', 'Mark as unread', 'inbox')}
${menu('later', 'Later', 'clock', html`${laterChoices(now)}`)}${members.length > 0 && menu('assign', 'Assign', 'person', html`${choices}<button class="button quiet" name="assignee" value="">No one</button>`)}${menu('label', 'Label', 'label', html`<label class="sr" for="bulk-name">Label</label><input class="input" id="bulk-name" name="label" maxlength="50" autocomplete="off" autocapitalize="none" spellcheck="false" dir="ltr" placeholder="Add a label"><button class="button" name="do" value="label">Add</button>`)}`
}
${inTrash ? act('restore', 'Take out of the trash', 'again') : act('trash', 'Move to the trash', 'trash')}<button type="button" class="ib" title="Select none" data-none hidden>${icon('close')}<span class="sr">Select none</span></button></form>`;
}

const NOTHING: Readonly<Record<Exclude<State, 'all' | 'person'>, readonly [string, string]>> = {
  working: ['No message is being worked on', 'Messages appear here while they are being answered.'],
  approve: ['Nothing to approve', 'Plans with tasks that need your approval appear here.'],
  answer: ['Nothing to answer', 'Messages that your program or you are to answer appear here.'],
  failed: ['Nothing failed', 'Messages that could not be answered appear here, so that you can try again.'],
  asked: ['Nothing is asked back', 'Questions of those whom your addresses wrote to appear here.'],
  held: ['Nothing is held', 'Messages to a paused address wait here.'],
};

/** Why a list of where conversations stand is empty. */
function emptyStanding({ stand, assignee }: Filter): readonly [string, string] {
  if (assignee === 'me')
    return ['Nothing is yours', 'Conversations that are assigned to you, by you or by others, appear here.'];
  if (stand === 'later')
    return ['Nothing is put off', 'Conversations that come back at a time appear here until then.'];
  if (stand === 'waiting')
    return ['Nothing waits for the other side', 'After your answer a conversation waits here for the next message.'];
  if (stand === 'done')
    return [
      'Nothing is done yet',
      'Done takes a conversation out of the inbox until something new arrives in it. It is then here, and under All.',
    ];
  return ['No conversation stands so', 'Choose another state, or another member.'];
}

const OLDER = 'None of the newest messages match. You can search older ones.';

/** Shown where there are no messages, with what to do next. */
function empty(view: InboxView): Html | false {
  const { filter, first, mailbox, mailDomain, baseUrl, page } = view;
  const none = {
    query: undefined,
    label: undefined,
    attachment: false,
    mailbox: undefined,
    stand: undefined,
    assignee: undefined,
    cursor: undefined,
  } as const;
  const all = { ...filter, ...none, state: 'all', direction: 'received' } as const;
  const to = (label: string, of: Filter = all): Html =>
    html`<a class="button" href="console${search(of)}">${label}</a>`;
  if (filter.query !== undefined) {
    if (view.refused !== undefined) return false;
    const rest = page.next === null ? 'Search covers subjects, messages, answers and addresses.' : OLDER;
    const where = filter.label === TRASH && ' in the trash';
    const fact = html`No message${where} matches “<span dir="auto">${filter.query}</span>”`;
    return emptyState({ fact, rest, next: to('Clear search') });
  }
  if (filter.state === 'person' && view.messages) {
    const { answered } = view;
    const rest =
      answered === 0
        ? 'What your addresses answer alone stands under All.'
        : `${answered.toLocaleString('en-US')} ${answered === 1 ? 'was' : 'were'} answered without you today.`;
    const shown = answered === 0 ? 'Show all' : answered === 1 ? 'Show it' : 'Show them';
    return emptyState({ fact: 'Nobody waits for you.', rest, next: to(shown, { ...all, direction: 'all' }) });
  }
  if (filter.state !== 'all' && filter.state !== 'person') {
    const [fact, rest] = NOTHING[filter.state];
    return emptyState({ fact, rest, next: to('Show all messages') });
  }
  if (filter.label === TRASH)
    return emptyState({
      fact: 'The trash is empty',
      rest: 'What you throw away stays here for a while, and can be taken back.',
      next: to('Show all messages', { ...all, direction: 'all' }),
    });
  if (filter.stand !== undefined || filter.assignee !== undefined) {
    const [fact, rest] = emptyStanding(filter);
    return emptyState({ fact, rest, next: to('Show the inbox') });
  }
  if (filter.label !== undefined || filter.attachment) {
    const fact =
      filter.label === UNREAD && !filter.attachment
        ? 'Nothing is unread'
        : html`No message ${filter.attachment && 'with files '}${filter.label !== undefined && html`has the label “${filter.label}”`}${filter.label === undefined && 'is here'}`;
    const rest = page.next === null ? 'Labels are added to a message where it is opened.' : OLDER;
    return emptyState({ fact, rest, next: to('Show all messages') });
  }
  if (filter.direction === 'sent') {
    return emptyState({
      fact: 'Nothing sent yet',
      rest: 'What your addresses and keys write appears here. Their answers are in the conversations that they answer.',
      next:
        opens(view.signed.session.key, 'console/write') &&
        html`<a class="button ink" href="console/write${mailbox !== undefined && `?from=${encodeURIComponent(mailbox.local_part)}`}">Write a message</a>`,
    });
  }
  const shared = mailbox ?? first;
  if (shared === undefined) {
    const makes = makesAddresses(view.signed.session.key);
    return emptyState({
      fact: 'No addresses yet',
      rest: makes ? 'Make one, and messages to it appear here.' : 'Messages appear here once an owner makes one.',
      next: makes && html`<a class="button ink" href="console/addresses/new">Make an address</a>`,
    });
  }
  if (filter.mailbox !== undefined && mailbox === undefined) {
    return emptyState({ fact: 'No such address', rest: 'It may have been deleted.', next: to('Show all messages') });
  }
  if (view.messages) {
    const rest =
      page.next === null
        ? 'What arrives next appears here.'
        : 'The newest conversations are done. There are older ones.';
    return emptyState({
      fact: 'All done',
      rest,
      next: to('Show what is done', { ...all, mailbox: filter.mailbox, stand: 'done' }),
    });
  }
  const path = pathOf(shared, mailDomain);
  return emptyState({
    behavior: shared.behavior,
    fact: 'No messages yet',
    rest: html`Share ${addressMark(shared, mailDomain)}. Messages appear here as they arrive.`,
    next: html`<button type="button" class="button ink" hidden data-copy="${`${baseUrl}/${path}`}">${icon('copy')}<span>Copy link</span></button><a class="button" href="./${path}">Write the first one</a>`,
  });
}
