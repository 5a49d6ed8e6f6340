import { randomUUID } from 'node:crypto';
import { isOutgoing } from '@mailroom/behavior/message';
import { reminderOf } from '@mailroom/behavior/schedule';
import type { Millis } from '@mailroom/behavior/values/clock';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import { replyIdOf } from '@mailroom/behavior/values/ids';
import { indentedJson } from '@mailroom/behavior/values/indented-json';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import type { Attachment } from '../../../core/entities/attachment.ts';
import type { EmailDeliveryView } from '../../../core/entities/email.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Message } from '../../../core/entities/message.ts';
import { isSettled } from '../../../core/entities/message.ts';
import { bytesInWords } from '../../../core/entities/storage-size.ts';
import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import { plainText, renderMarkdown } from '../../../http/markdown.ts';
import { copyButton, icon, note, shortOf, stamp } from '../pieces.ts';
import type { TaskDescription } from '../tasks.ts';
import { dots, reply, seconds } from '../turns.ts';
import { inTrash } from './acts.ts';
import { type AnswerError, type Composer, composerFoot } from './answer-form.ts';
import { approvalCard, isAsking } from './approval.ts';
import { callsFold } from './calls.ts';
import { deliveryLines } from './deliveries.ts';
import { notAnsweredNote, wholeMail } from './email-state.ts';
import { type Filter, isHeld, isToAnswer, search } from './filter.ts';
import { doneForm, type LabelError, labelForm, labelMarks, unreadForm } from './label-form.ts';
import { mailViews, type ShownMail, shownMail } from './mail-views.ts';
import { participants, recipientsLine } from './participants.ts';
import { removeForm } from './removing.ts';
import { conversationTitle } from './rows.ts';
import { type SenderPanel, senderAside } from './sender-panel.ts';
import type { Root } from './shell.ts';
import type { Signed } from './sign-in-form.ts';
import { tokenField } from './sign-in-form.ts';
import { elapsed, timeMark } from './times.ts';

export interface ConversationView
  extends Pick<Composer, 'answerable' | 'others' | 'mode' | 'held' | 'forwards' | 'writes' | 'undo_ms'> {
  readonly message: Message;
  /** The thread, or a part of it, as far as this namespace may see it. */
  readonly thread: readonly Message[];
  /** The cursor of the earlier part, if there is one. */
  readonly earlier: string | undefined;
  /** The first message of the later part, if there is one. */
  readonly later: string | undefined;
  /** The newest message of the thread, where it is not shown. */
  readonly newest: string | undefined;
  readonly mailbox: Mailbox;
  /** The name of each message's sender. */
  readonly senders: ReadonlyMap<string, string>;
  /** Who answered a message by hand, by its id or that of the further reply. */
  readonly answerers: ReadonlyMap<string, string>;
  readonly filter: Filter;
  readonly root: Root;
  readonly mailDomain: string;
  readonly now: Millis;
  readonly signed: Signed;
  /** The mailbox's tasks by name. */
  readonly tasks: ReadonlyMap<string, TaskDescription>;
  /** Whether the owner may cancel these messages and send them again. */
  readonly controls: boolean;
  /** The first message of the thread, as far as the reader may see it. */
  readonly first: Message | undefined;
  /** The mailbox whose labels are shown, if any. */
  readonly labeled: Mailbox | undefined;
  /** What the mailbox itself sent to answer a message, by its id. */
  readonly calls: ReadonlyMap<string, readonly Message[]>;
  /** Whether the conversation is out of the inbox; undefined where the mailbox received nothing of it. */
  readonly done: boolean | undefined;
  /** Whether the owner may delete what was received of it. */
  readonly removes: boolean;
  /** The labels of each message in that mailbox, by its id. */
  readonly labels: ReadonlyMap<string, readonly string[]>;
  /** What leaves as e-mail, by the message or reply that leaves. */
  readonly deliveries: ReadonlyMap<string, readonly EmailDeliveryView[]>;
  /** Why the decision that was just made on this message was not accepted. */
  readonly wrong?: string | undefined;
  /** The label that was just typed and not accepted. */
  readonly label?: LabelError | undefined;
  /** Who wrote the message, where its recipient's owner reads it. */
  readonly sender: SenderPanel | undefined;
  /** Since when people answer the thread in the place of the behavior; undefined when the behavior does. */
  readonly taken_at: Millis | undefined;
  /** Whether the owner may take the thread over. */
  readonly takes: boolean;
  /** Whether the owner may put it into the trash. */
  readonly trashes: boolean;
  /** Names of addresses, where mails have them. */
  readonly names: ReadonlyMap<string, string>;
  /** The mails of the thread that are shown in another way than as their text, by their id. */
  readonly shown: ReadonlyMap<string, ShownMail>;
  /** The answer that was just typed and not accepted. */
  readonly answer?: AnswerError | undefined;
}

/** Characters of a text that are shown; a link leads to the whole as plain text. */
const MAX_TEXT = 64 * 1024;
/** Rendering the Markdown of a page takes at most this long; older messages are then shown as plain text. */
const MARKDOWN_MS = 500;
/** Characters of markup beyond which older messages are shown as plain text. */
const MAX_MARKUP = 1024 * 1024;

/** The beginning of a text, without cutting a surrogate pair. */
export const shownOf = (text: string): string =>
  text.length <= MAX_TEXT ? text : text.slice(0, MAX_TEXT).replace(/[\uD800-\uDBFF]$/, '');

/** A conversation as its owner sees it: its messages, and the actions on them. */
export async function conversationView(view: ConversationView): Promise<Html> {
  const { message, root, filter, mailDomain, senders, now, labeled } = view;
  const took = message.settled_at === null ? undefined : message.settled_at - message.created_at;
  const answered = message.reply !== null && took !== undefined;
  const from = message.from === null ? senders.get(message.id) : `${message.from}.${mailDomain}`;
  const turns = await turnsOf(view);
  return html`<article class="conversation" data-conversation data-message="${message.id}" data-thread="${message.thread_id}" aria-labelledby="subject">
<header class="conversation-head"><a class="back" href="${root}console${search(filter)}">Back to the inbox</a>
<h2 id="subject" dir="auto">${conversationTitle(message, view)}</h2><div class="acts-row">${menu(message, view)}${labeled !== undefined && doneForm({ ...view, message })}</div>
<p class="meta">${reminderOf(message.body) !== undefined && 'Set by '}<span dir="auto">${from}</span> ${reminderOf(message.body) === undefined ? 'to' : 'at'} ${message.to === null ? 'a sender without an address' : `${message.to}.${mailDomain}`} · ${timeMark(message.created_at, now, 'full')}${answered && html` · answered in ${seconds(took)}`}</p>
<div class="facts">${labeled !== undefined && labelForm({ ...view, message, mailbox: labeled, labels: view.labels.get(message.id) ?? [], error: view.label })}${participants(view.thread, view.names)}</div>${taken(message, view)}</header>
${view.sender !== undefined && senderAside(view.sender, view)}
<div class="thread" role="log" aria-label="Conversation" tabindex="0">
${view.earlier !== undefined && part({ message: message.id, before: view.earlier }, view, 'Earlier messages')}
${turns}
${view.later !== undefined && part({ message: view.later }, view, 'Later messages')}
${view.newest !== undefined && part({ message: view.newest }, view, 'Newest messages')}
${view.wrong !== undefined && !asks(message, view) && html`<p class="error" role="alert">${icon('warn')}<span>${view.wrong}</span></p>`}
${details(message, view)}
</div>
${composerFoot({ ...view, author: senders.get(message.id) ?? '', take_over: takeOver(message, view), error: view.answer })}
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
  view.takes &&
  view.taken_at !== undefined &&
  html`<div class="take-over"><p>${icon('write')}<span>You answer this conversation, since ${timeMark(view.taken_at, view.now, 'full')}.</span></p>${answersButton(message, 'hand-back', 'Hand back', view)}</div>`;

const asks = (message: Message, { mailbox, signed }: ConversationView): boolean =>
  isAsking(message, mailbox, signed.session.namespace.id);

/** Shown when no conversation is open; `some`: there are conversations to open. */
export const noConversation = (some: boolean): Html =>
  html`<div class="conversation conversation-hint" data-conversation><p class="meta" data-hint${!some && html` hidden`}>Choose a conversation to read it. <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>?</kbd> lists all keys.</p></div>`;

const part = (place: Readonly<Record<string, string>>, { root, filter }: ConversationView, label: string): Html =>
  html`<p><a href="${root}console${search(filter, place)}">${label}</a></p>`;

/** Renders the newest turns first, one after the other, so that other requests are served in between. */
async function turnsOf(view: ConversationView): Promise<readonly Html[]> {
  // Loads the renderer before its time is measured.
  await renderMarkdown('');
  const turns: Html[] = [];
  let [spent, written] = [0, 0];
  for (const message of view.thread.toReversed()) {
    await yieldToEventLoop();
    const from = performance.now();
    const markup = await turn(message, view, spent > MARKDOWN_MS || written > MAX_MARKUP);
    turns.push(markup);
    spent += performance.now() - from;
    written += markup.text.length;
  }
  return turns.toReversed();
}

/** A text, or its beginning with a link to the whole. */
const text = (whole: string, shown: Html, part: 'body' | 'reply', { id }: Message, { root }: ConversationView): Html =>
  html`${shown}${
    whole.length > MAX_TEXT &&
    html`<p class="meta">This is the beginning, ${MAX_TEXT.toLocaleString('en-US')} of ${whole.length.toLocaleString('en-US')} characters. <a href="${root}console/texts/${id}${part === 'reply' && '?of=reply'}">Show all as plain text</a></p>`
  }`;

/** A message and its result. */
async function turn(message: Message, view: ConversationView, plain: boolean): Promise<Html> {
  const { senders, now } = view;
  // The reply to a message that this mailbox sent, or mail to it, which gets no reply.
  const filed = message.status === 'completed' && message.reply === null;
  const body = shownOf(message.body);
  const reminder = reminderOf(message.body);
  // The answer already contains the text.
  if (reminder !== undefined)
    return html`<section class="message" id="${message.id}"${message.id === view.message.id && html` data-open`}>
<p class="who"><b>Reminder</b> set by <span dir="auto">${senders.get(message.id)}</span> ${timeMark(message.created_at, now, 'full')}</p>
${message.reply === null && html`<div class="prose">${plainText(shownOf(reminder))}</div>`}</section>
${await answer(message, view, plain)}`;
  if (message.kind === 'reply' && message.from === shortOf(view.mailbox)) return furtherReply(message, view, plain);
  return html`<section class="message" id="${message.id}"${message.id === view.message.id && html` data-open`}>
<div class="who"><span><b dir="auto">${view.names.get(senders.get(message.id) ?? '') ?? senders.get(message.id)}</b>${isOutgoing(message) && message.recipients === undefined && html` to <span dir="ltr">${message.to}</span>`} ${provenMark(message)}${timeMark(message.created_at, now, 'full')}${message.retry_of !== null && html` <span class="took">sent again</span>`}</span>${mailViews(message, view)}</div>
${recipientsLine(message, view.names)}${inTrash(message) && !inTrash(view.message) && trashedTurn(message, view)}
${
  view.shown.has(message.id)
    ? shownMail(message, view)
    : html`<div class="prose">${text(message.body, filed && !plain ? await renderMarkdown(body) : plainText(body), 'body', message, view)}</div>
${wholeMail(message, MAX_TEXT)}`
}${files(message.attachments, view)}${deliveryLines(view.deliveries.get(message.id), now)}${message.id !== view.message.id && labelMarks(view.labels.get(message.id))}${notAnsweredNote(message)}</section>
${!filed && (await answer(message, view, plain))}`;
}

/** Whether it is proven who sent a mail. */
const provenMark = ({ email }: Message): Html | false =>
  email?.authentication !== undefined &&
  (email.authentication.verified
    ? html`<span class="ver">${icon('check')}verified</span> `
    : html`<span class="ver no-ver">${icon('warn')}not verified</span> `);

/** A turn that lies in the trash while its conversation does not. */
const trashedTurn = ({ id }: Message, { root, filter, signed }: ConversationView): Html =>
  html`<form class="trashed" method="post" action="${root}console/messages/${id}${search(filter)}">${tokenField(signed)}<span class="meta">In the trash.</span><button class="button quiet" name="do" value="restore-one">Restore</button></form>`;

/** A reply of the address after the one that settled the message. */
async function furtherReply(message: Message, view: ConversationView, plain: boolean): Promise<Html> {
  const body = shownOf(message.body);
  return html`<section class="answer" id="${message.id}"${message.id === view.message.id && html` data-open`}>${stamp(view.mailbox.behavior, 30)}
<div class="who"><b>${shortOf(view.mailbox)}</b><span class="took">${message.by_hand === true && handMark(message, view)}${timeMark(message.created_at, view.now, 'full')}</span></div>
<div class="said"><div class="prose">${text(message.body, plain ? plainText(body) : await renderMarkdown(body), 'body', message, view)}</div>${files(message.attachments, view)}${deliveryLines(view.deliveries.get(message.id), view.now)}</div>
</section>`;
}

/** That a person wrote it, and who. */
function handMark({ id }: Message, { answerers }: ConversationView): Html {
  const name = answerers.get(id);
  return html`by hand, ${name !== undefined && html`<span dir="auto">${name.replace(/^The /, 'the ')}</span>, `}`;
}

/** The files of a message, each as a download. */
const files = (attachments: readonly Attachment[] | undefined, { root }: ConversationView): Html | false =>
  attachments !== undefined &&
  attachments.length > 0 &&
  html`<ul class="files">${attachments.map(
    ({ id, filename, size }) =>
      html`<li><a href="${root}console/attachments/${id}" download dir="auto">${filename}</a> <span class="meta">${bytesInWords(size)}</span></li>`,
  )}</ul>`;

/** The result of a message. */
async function answer(message: Message, view: ConversationView, plain: boolean): Promise<Html> {
  const { mailbox, now } = view;
  const took = message.settled_at === null ? undefined : message.settled_at - message.created_at;
  const answered = message.reply !== null && took !== undefined;
  return html`<section class="answer">${stamp(mailbox.behavior, 30)}
<div class="who"><b>${shortOf(mailbox)}</b>${answered && html`<span class="took">${message.reply?.by_hand === true && handMark(message, view)}${timeMark(message.settled_at ?? 0, now, 'full')}, ${seconds(took)}</span>`}</div>
<div class="said">${await outcome(message, view, plain)}${files(message.reply_attachments, view)}${deliveryLines(view.deliveries.get(replyIdOf(message.id)), now)}${callsFold(view.calls.get(message.id), view)}</div>
</section>`;
}

async function outcome(message: Message, view: ConversationView, plain: boolean): Promise<Html> {
  const { mailbox } = view;
  if (isHeld(message, mailbox)) {
    return html`${note('plain', 'clock', 'Held.', `${shortOf(mailbox)} is paused and answers when it is back. You may answer below now.`)}${act(message, view, 'cancel', html`Cancel`)}`;
  }
  if (isAsking(message, mailbox, view.signed.session.namespace.id)) {
    const { tasks, signed } = view;
    const action = `${view.root}console/messages/${message.id}${search(view.filter)}`;
    const wrong = message.id === view.message.id ? view.wrong : undefined;
    return html`${approvalCard({ message, plan: message.plan, tasks, action, signed, wrong })}${act(message, view, 'cancel', html`Cancel the message`, 'quiet')}`;
  }
  if (isToAnswer(message)) {
    return html`<p class="meta"><span data-writing="${message.id}" data-idle="Waiting for an answer.">${doing(message, 'Waiting for an answer.')}</span> ${elapsed(message.created_at, view.now)}</p>${act(message, view, 'cancel', html`Cancel the message`, 'quiet')}`;
  }
  if (message.waiting_for === 'approval') {
    return html`<p class="meta">Waiting for the owner of ${message.decides === 'sender' ? 'the address it was sent from' : 'this address'} to decide.</p>${act(message, view, 'cancel', html`Cancel the message`, 'quiet')}`;
  }
  if (!isSettled(message.status)) {
    return html`<div class="working">${dots} <span>${doing(message)}</span> ${elapsed(message.created_at, view.now)}${act(message, view, 'cancel', html`Cancel`, 'quiet')}</div>`;
  }
  switch (message.status) {
    case 'failed': {
      const again = view.thread.some(({ retry_of }) => retry_of === message.id)
        ? html`<p class="meta">Sent again below.</p>`
        : act(message, view, 'again', html`${icon('again')}Try again`);
      return html`<div class="note bad">${icon('warn')}<div><b>Not answered.</b> <span dir="auto">${message.error_message}</span>${again}</div></div>${message.reply !== null && (await answered(message, view, plain))}`;
    }
    case 'rejected':
      return note('bad', 'warn', 'Not accepted.', html`<span dir="auto">${message.error_message}</span>`);
    case 'canceled':
      return html`<p class="meta">Canceled before it was answered.</p>`;
    default:
      return html`${message.status === 'input_required' && html`<p class="tag asks">Needs an answer</p>`}${await answered(message, view, plain)}`;
  }
}

/** The answer; a long one, or one to a long text, without corrections marked. */
async function answered(message: Message, view: ConversationView, plain: boolean): Promise<Html> {
  const whole = message.reply?.body ?? '';
  const long = Math.max(whole.length, message.body.length) > MAX_TEXT;
  if (!long && !plain) return reply(message, view.mailbox, view.root);
  const begin = shownOf(whole);
  const shown = plain ? plainText(begin) : await renderMarkdown(begin);
  return text(whole, html`<div class="prose">${shown}</div>`, 'reply', message, view);
}

/** The latest progress that the handler reported. */
function doing({ progress }: Message, otherwise = 'Working'): string {
  if (progress === null || progress === undefined) return otherwise;
  const all = JSON.parse(progress) as readonly { readonly text: string }[];
  return all.at(-1)?.text ?? otherwise;
}

const act = (message: Message, of: ConversationView, what: 'cancel' | 'again', label: Html, kind = ''): Html | false =>
  of.controls &&
  html`<form class="row" method="post" action="${of.root}console/messages/${message.id}${search(of.filter)}">${tokenField(of.signed)}<input type="hidden" name="once" value="${randomUUID()}"><button class="button ${kind}" name="do" value="${what}">${label}</button></form>`;

function statusWord(message: Message, mailbox: Mailbox): string {
  if (isHeld(message, mailbox)) return 'Held';
  if (message.waiting_for === 'approval') return 'Waiting for approval';
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
