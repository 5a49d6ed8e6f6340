import { reminderOf } from '@mailroom/behavior/schedule';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import { replyIdOf } from '@mailroom/behavior/values/ids';
import { indentedJson } from '@mailroom/behavior/values/indented-json';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Message } from '../../../core/entities/message.ts';
import { type Html, html } from '../../../http/html.ts';
import { copyButton, icon } from '../pieces.ts';
import { seconds } from '../turns.ts';
import { inTrash } from './acts.ts';
import { composerFoot } from './answer-form.ts';
import { isAsking } from './approval.ts';
import { deskActs, deskLine, noteForm } from './conversation-desk.ts';
import { turnsOf } from './conversation-turns.ts';
import type { ConversationView } from './conversation-view.ts';
import { isHeld, search } from './filter.ts';
import { withHits } from './hits.ts';
import { labelForm, unreadForm } from './label-form.ts';
import { participants } from './participants.ts';
import { removeForm } from './removing.ts';
import { conversationTitle } from './rows.ts';
import { senderAside } from './sender-panel.ts';
import { tokenField } from './sign-in-form.ts';
import { timeMark } from './times.ts';

/** A conversation as its owner sees it: its messages, and the actions on them. */
export async function conversationView(view: ConversationView): Promise<Html> {
  const { message, root, filter, mailDomain, senders, now, labeled } = view;
  const took = message.settled_at === null ? undefined : message.settled_at - message.created_at;
  const answered = message.reply !== null && took !== undefined;
  const from = message.from === null ? senders.get(message.id) : `${message.from}.${mailDomain}`;
  const turns = await turnsOf(view);
  const desk = view.desk && { ...view, message, desk: view.desk, error: view.deskError };
  const takesPart = desk?.desk.takesPart === true;
  const title = conversationTitle(message, view);
  return html`<article class="conversation" data-conversation data-message="${message.id}" data-thread="${message.thread_id}" aria-labelledby="subject">
<header class="conversation-head"><a class="back" href="${root}console${search(filter)}">${icon('down')}<span>Back to the inbox</span></a>
<h2 id="subject" dir="auto">${view.spans === undefined ? title : withHits(title, view.spans(title, 'subject'))}</h2><div class="acts-row">${takesPart && deskActs(desk)}${menu(message, view)}</div>
<p class="meta">${reminderOf(message.body) !== undefined && 'Set by '}<span dir="auto">${from}</span> ${reminderOf(message.body) === undefined ? 'to' : 'at'} ${message.to === null ? 'a sender without an address' : `${message.to}.${mailDomain}`} · ${timeMark(message.created_at, now, 'full')}${answered && html` · answered in ${seconds(took)}`}</p>
<div class="head-line">${desk !== undefined && deskLine(desk)}<div class="facts">${labeled !== undefined && labelForm({ ...view, message, mailbox: labeled, labels: view.labels.get(message.id) ?? [], error: view.label })}${participants(view.thread, view.names)}</div></div>${taken(message, view)}</header>
${view.sender !== undefined && senderAside(view.sender, view)}
<div class="thread" role="log" aria-label="Conversation" tabindex="0">
${view.earlier !== undefined && part({ message: message.id, before: view.earlier }, view, 'Earlier messages')}
${turns}
${view.later !== undefined && part({ message: view.later }, view, 'Later messages')}
${view.newest !== undefined && part({ message: view.newest }, view, 'Newest messages')}
${view.wrong !== undefined && !asks(message, view) && html`<p class="error" role="alert">${icon('warn')}<span>${view.wrong}</span></p>`}
${details(message, view)}
</div>
${composerFoot({ ...view, author: senders.get(message.id) ?? '', take_over: takeOver(message, view), error: view.answer })}${takesPart && noteForm(desk)}
</article>`;
}

/** What else is done with the conversation. */
function menu(message: Message, view: ConversationView): Html {
  const { root, filter, signed, labeled } = view;
  const trashed = inTrash(message);
  const trash = html`<form method="post" action="${root}console/messages/${message.id}${search(filter)}">${tokenField(signed)}<button class="button quiet" name="do" value="${trashed ? 'restore' : 'trash'}">${icon(trashed ? 'inbox' : 'trash')}${trashed ? 'Take out of the trash' : 'Move to the trash'}</button></form>`;
  return html`<details class="more-acts"><summary class="ib" aria-label="More" title="More">${icon('more')}</summary><div class="menu">
${labeled !== undefined && unreadForm({ ...view, message, mailbox: labeled })}${view.trashes && trash}${view.removes && removeForm(message, view)}${copyButton('Copy ID', { text: message.id })}</div></details>`;
}

/** The button that changes who answers the conversation. */
const answersButton = ({ id }: Message, what: string, label: string, of: ConversationView): Html =>
  html`<form method="post" action="${of.root}console/threads/${id}${search(of.filter)}">${tokenField(of.signed)}<button class="button quiet" name="do" value="${what}">${label}</button></form>`;

const takeOver = (message: Message, of: ConversationView): Html | false =>
  of.takes && of.taken_at === undefined && answersButton(message, 'take-over', 'Take over', of);

/** That people answer the conversation, where they do. */
const taken = (message: Message, view: ConversationView): Html | false =>
  view.taken_at !== undefined &&
  html`<div class="take-over"><p>${icon('write')}<span>People answer this conversation, since ${timeMark(view.taken_at, view.now, 'full')}.</span></p>${view.takes && answersButton(message, 'hand-back', 'Hand back', view)}</div>`;

const asks = (message: Message, { mailbox, signed }: ConversationView): boolean =>
  isAsking(message, mailbox, signed.session.namespace.id);

/** Shown when no conversation is open; `some`: there are conversations to open. */
export const noConversation = (some: boolean): Html =>
  html`<div class="conversation conversation-hint" data-conversation><p class="meta" data-hint${!some && html` hidden`}>Choose a conversation to read it.<span data-keys hidden> <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>?</kbd> lists all keys.</span></p></div>`;

const part = (place: Readonly<Record<string, string>>, { root, filter }: ConversationView, label: string): Html =>
  html`<p><a href="${root}console${search(filter, place)}">${label}</a></p>`;

function statusWord(message: Message, mailbox: Mailbox): string {
  if (isHeld(message, mailbox)) return 'Held';
  if (message.waiting_for === 'approval') return 'Waiting for approval';
  if (message.waiting_for === 'review') return 'Waiting for its review';
  return message.waiting_for === 'answer' ? 'Waiting for an answer' : STATUS_WORDS[message.status];
}

const STATUS_WORDS: Readonly<Record<Message['status'], string>> = {
  submitted: 'Waiting',
  working: 'Working',
  completed: 'Answered',
  input_required: 'Needs an answer',
  failed: 'Failed',
  canceled: 'Canceled',
  rejected: 'Not accepted',
};
const CHANNELS: Readonly<Record<Message['channel'], string>> = {
  api: 'The API',
  web: 'The web',
  smtp: 'E-mail',
  a2a: 'A2A',
  mcp: 'MCP',
};

/** Ids and other details for programs that no turn shows. */
function details(message: Message, of: ConversationView): Html {
  const { mailbox, now } = of;
  const line = (name: string, value: Html | string | null): Html | false =>
    value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  const code = (text: string): Html => html`<code>${text}</code>`;
  return html`<details class="details"><summary class="meta">Details</summary><dl>
${line('Status', statusWord(message, mailbox))}
${line('Channel', CHANNELS[message.channel])}
${line('Received', html`${timeMark(message.created_at, now, 'full')} <code>${rfc3339(message.created_at)}</code>`)}
${message.settled_at !== null && line('Settled', code(rfc3339(message.settled_at)))}
${line('Message', code(message.id))}
${message.reply !== null && line('Reply', code(replyIdOf(message.id)))}
${line('Thread', code(message.thread_id))}
${message.retry_of !== null && line('Retry of', code(message.retry_of))}
${message.in_reply_to !== null && line('In reply to', code(message.in_reply_to))}
${message.error_code !== null && line('Error', code(message.error_code))}
</dl>
${message.data !== null && json('Data of the message', message.data)}
${message.reply?.data != null && json('Data of the reply', message.reply.data)}
</details>`;
}

const MAX_JSON = 20_000;

function json(name: string, text: string): Html {
  const shown = indentedJson(JSON.parse(text), MAX_JSON);
  const short = shown.length > MAX_JSON;
  return html`<p class="meta">${name}${short && ', its beginning'}</p><div class="prose"><pre tabindex="0" dir="ltr"><code>${short ? shown.slice(0, MAX_JSON) : shown}</code></pre></div>`;
}
