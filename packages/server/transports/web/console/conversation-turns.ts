import { randomUUID } from 'node:crypto';
import { isOutgoing } from '@mailroom/behavior/message';
import { reminderOf } from '@mailroom/behavior/schedule';
import type { Millis } from '@mailroom/behavior/values/clock';
import { replyIdOf } from '@mailroom/behavior/values/ids';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import type { Attachment } from '../../../core/entities/attachment.ts';
import { labelsIn, UNREAD } from '../../../core/entities/label.ts';
import { isSettled, type Message } from '../../../core/entities/message.ts';
import { withOwnProgress } from '../../../core/entities/own-progress.ts';
import type { ThreadNote } from '../../../core/entities/standing.ts';
import { bytesInWords } from '../../../core/entities/storage-size.ts';
import { type Html, html } from '../../../http/html.ts';
import { plainText, renderMarkdown } from '../../../http/markdown.ts';
import { type IconName, icon, note, shortOf, stamp } from '../pieces.ts';
import { dots, reply, seconds } from '../turns.ts';
import { inTrash } from './acts.ts';
import { approvalCard, isAsking } from './approval.ts';
import { callsFold } from './calls.ts';
import { noteTurn } from './conversation-desk.ts';
import { type ConversationView, MAX_TEXT, shownOf } from './conversation-view.ts';
import { deliveryLines } from './deliveries.ts';
import { notAnsweredNote, quotedText } from './email-state.ts';
import { senderFace } from './faces.ts';
import { isHeld, isToAnswer, search } from './filter.ts';
import { markupWithHits } from './hits.ts';
import { labelMarks } from './label-form.ts';
import { isMail, mailViews, shownMail } from './mail-views.ts';
import { recipientsLine } from './participants.ts';
import { titleOf } from './rows.ts';
import { tokenField } from './sign-in-form.ts';
import { elapsed, timeMark } from './times.ts';
import { furtherReviews, reviewLine } from './turn-reviews.ts';

/** Rendering the Markdown of a page takes at most this long; older messages are then shown as plain text. */
const MARKDOWN_MS = 500;
/** Characters of markup beyond which older messages are shown as plain text. */
const MAX_MARKUP = 1024 * 1024;

/** A message or the answer to it. */
interface Turn {
  readonly shown: Html;
  /** What stands for it while it is folded; undefined for one that is not. */
  readonly line: Html | undefined;
  /** What the script knows it by. */
  readonly name: string;
  readonly at: Millis;
}

/** Messages at the end of a conversation that are not folded. */
const UNFOLDED = 2;

/** Renders the newest turns first, one after the other, so that other requests are served in between. */
export async function turnsOf(view: ConversationView): Promise<readonly Html[]> {
  // Loads the renderer before its time is measured.
  await renderMarkdown('');
  const turns: Turn[] = [];
  let [spent, written] = [0, 0];
  for (const [at, message] of view.thread.toReversed().entries()) {
    await yieldToEventLoop();
    const from = performance.now();
    const plain = spent > MARKDOWN_MS || written > MAX_MARKUP;
    const both = await turnsOfMessage(message, view, plain, at >= UNFOLDED && isFolded(message, view));
    turns.push(...both.toReversed());
    spent += performance.now() - from;
    written += both.reduce((sum, { shown }) => sum + shown.text.length, 0);
  }
  return folded(withNotes(turns.toReversed(), view));
}

/** The turns with the notes of members between them, where they were written. */
function withNotes(turns: readonly Turn[], { desk, now, earlier, later, newest }: ConversationView): readonly Turn[] {
  if (desk === undefined || desk.notes.length === 0) return turns;
  const notes = [...desk.notes];
  const parts: Turn[] = [];
  const add = (note: ThreadNote): void =>
    void parts.push({
      shown: noteTurn(note, desk, now),
      line: undefined,
      name: `note ${note.id}`,
      at: note.created_at,
    });
  for (const [nth, turn] of turns.entries()) {
    while (notes[0] !== undefined && notes[0].created_at < turn.at) {
      const note = notes.shift();
      // Those before the first turn stand with the earlier messages.
      if (note !== undefined && (nth > 0 || earlier === undefined)) add(note);
    }
    parts.push(turn);
  }
  if (later === undefined && newest === undefined) notes.forEach(add);
  return parts;
}

/** Turns with those together that are folded. */
function folded(turns: readonly Turn[]): readonly Html[] {
  const parts: Html[] = [];
  let folds: Html[] = [];
  const end = (): void => {
    if (folds.length > 0) parts.push(html`<div class="folds">${folds}</div>`);
    folds = [];
  };
  for (const { shown, line, name } of turns) {
    if (line === undefined) {
      end();
      parts.push(shown);
    } else
      folds.push(
        html`<details class="fold" data-fold="${name}"><summary>${line}<span class="less">${icon('down')}Show less</span></summary>${shown}</details>`,
      );
  }
  end();
  return parts;
}

/** Whether a turn of the past is folded: one that was read, waits for nothing, and has none of what is searched. */
function isFolded(message: Message, { message: open, mailbox, spans, shown }: ConversationView): boolean {
  if (message.id === open.id || shown.has(message.id) || !isSettled(message.status) || message.status === 'failed')
    return false;
  if (isHeld(message, mailbox) || inTrash(message) || labelsIn(message, message.mailbox_id).includes(UNREAD))
    return false;
  return spans === undefined || [message.body, message.reply?.body ?? ''].every((one) => spans(one).length === 0);
}

/** A folded turn on one line. */
const foldLine = (face: Html, name: string, body: string, rest: Html): Html =>
  html`${face}<b dir="auto">${name}</b><span class="cut" dir="auto">${titleOf({ subject: null, body })}</span>${rest}`;

const marked = (shown: Html, spans: ConversationView['spans']): Html =>
  spans === undefined ? shown : markupWithHits(shown, spans);

/** A text, or its beginning with a link to the whole. */
const text = (
  whole: string,
  shown: Html,
  part: 'body' | 'reply',
  { id }: Message,
  { root, spans }: ConversationView,
): Html =>
  html`${marked(shown, spans)}${
    whole.length > MAX_TEXT &&
    html`<p class="meta">This is the beginning, ${MAX_TEXT.toLocaleString('en-US')} of ${whole.length.toLocaleString('en-US')} characters. <a href="${root}console/texts/${id}${part === 'reply' && '?of=reply'}">Show all as plain text</a></p>`
  }`;

/** A message and its result. */
async function turnsOfMessage(
  message: Message,
  view: ConversationView,
  plain: boolean,
  folds: boolean,
): Promise<readonly Turn[]> {
  const { senders, now, mailbox } = view;
  const isOurs = message.from === shortOf(mailbox);
  const sender = senders.get(message.id) ?? '';
  const name = view.names.get(sender) ?? sender;
  const time = timeMark(message.created_at, now, 'full');
  const ownFace = html`<span class="tiny">${stamp(mailbox.behavior, 30)}</span>`;
  if (message.kind === 'reply' && isOurs) {
    const line = folds ? foldLine(ownFace, mailbox.local_part, message.body, time) : undefined;
    return [
      { shown: await furtherReply(message, view, plain), line, name: `message ${message.id}`, at: message.created_at },
    ];
  }
  const face = senderFace(message, name, isOurs ? mailbox.behavior : undefined);
  const reminder = reminderOf(message.body);
  const line = folds
    ? foldLine(html`<span class="tiny">${face}</span>`, name, reminder ?? message.body, time)
    : undefined;
  // The reply to a message that this mailbox sent, or mail to it, which gets no reply.
  const filed = message.status === 'completed' && message.reply === null;
  const shownText =
    reminder === undefined
      ? await incoming(message, { name, sender, face }, view, filed && !plain)
      : setReminder(message, reminder, view);
  const turn = { shown: shownText, line, name: `message ${message.id}`, at: message.created_at };
  if (filed && reminder === undefined) return [turn];
  const settledAt = timeMark(message.settled_at ?? message.created_at, now, 'full');
  const answerLine = folds
    ? foldLine(ownFace, mailbox.local_part, message.reply?.body ?? statusText(message), settledAt)
    : undefined;
  const answeredAt = message.settled_at ?? message.created_at;
  return [
    turn,
    { shown: await answer(message, view, plain), line: answerLine, name: `answer ${message.id}`, at: answeredAt },
  ];
}

const statusText = ({ status, error_message: why }: Message): string =>
  status === 'canceled' ? 'Canceled before it was answered.' : (why ?? 'Not accepted.');

/** A reminder, whose text the answer contains. */
function setReminder(message: Message, reminder: string, { senders, now, message: open }: ConversationView): Html {
  return html`<section class="message" id="${message.id}"${message.id === open.id && html` data-open`}>
<span class="prog" aria-hidden="true">${icon('clock')}</span><p class="who"><b>Reminder</b> set by <span dir="auto">${senders.get(message.id)}</span> ${timeMark(message.created_at, now, 'full')}</p>
${message.reply === null && html`<div class="body"><div class="prose">${plainText(shownOf(reminder))}</div></div>`}</section>`;
}

interface Writer {
  readonly name: string;
  readonly sender: string;
  readonly face: Html;
}

/** A message as its recipient reads it. */
async function incoming(
  message: Message,
  { name, sender, face }: Writer,
  view: ConversationView,
  isMarkdown: boolean,
): Promise<Html> {
  const { now } = view;
  const body = shownOf(message.body);
  const bubble = async (): Promise<Html> =>
    html`<div class="incoming"><div class="prose">${text(message.body, isMarkdown ? await renderMarkdown(body) : plainText(body), 'body', message, view)}</div>${quotedText(message, MAX_TEXT)}</div>`;
  return html`<section class="message" id="${message.id}"${message.id === view.message.id && html` data-open`}>${face}
<div class="who"><b dir="auto">${name}</b>${name !== sender && html`<span class="kind" dir="ltr">${sender}</span>`}${isOutgoing(message) && message.recipients === undefined && html` to <span dir="ltr">${message.to}</span>`} ${provenMark(message)}<span class="right">${message.retry_of !== null && html`<span class="took">sent again</span>`}${mailViews(message, view)}${timeMark(message.created_at, now, 'full')}${turnMenu(message, view)}</span></div>
<div class="body">${recipientsLine(message, view.names)}${inTrash(message) && !inTrash(view.message) && trashedTurn(message, view)}
${view.shown.has(message.id) ? shownMail(message, view) : await bubble()}${files(message.attachments, view)}${deliveryLines(view.deliveries.get(message.id), now)}${reviewLine(view.reviews.get(message.id), view)}${message.id !== view.message.id && labelMarks(view.labels.get(message.id))}${notAnsweredNote(message)}</div></section>`;
}

/** What is done with one message of the conversation. */
function turnMenu(message: Message, view: ConversationView): Html | false {
  const { root, filter, signed } = view;
  const link = (more: Readonly<Record<string, string>>, sign: IconName, word: string, to = ''): Html =>
    html`<a class="button quiet" href="${root}console${search(filter, { message: view.message.id, ...more })}${to}" data-mode>${icon(sign)}${word}</a>`;
  const items = [
    view.forwards && link({ message: message.id, mode: 'forward' }, 'forward', 'Forward', '#composer'),
    isMail(message) && link({ mail: `html ${message.id}` }, 'eye', 'HTML'),
    isMail(message) && link({ mail: `original ${message.id}` }, 'drafts', 'Original'),
    view.trashes &&
      !inTrash(message) &&
      html`<form method="post" action="${root}console/messages/${message.id}${search(filter)}">${tokenField(signed)}<input type="hidden" name="open" value="${view.message.id}"><button class="button quiet" name="do" value="trash-one">${icon('trash')}Trash</button></form>`,
  ];
  return (
    items.some((one) => one !== false) &&
    html`<details class="turn-acts"><summary class="ib" title="More about this message">${icon('more')}<span class="sr">More about this message</span></summary><div class="menu">${items}</div></details>`
  );
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
<div class="said"><div class="prose">${text(message.body, plain ? plainText(body) : await renderMarkdown(body), 'body', message, view)}</div>${files(message.attachments, view)}${deliveryLines(view.deliveries.get(message.id), view.now)}${reviewLine(view.reviews.get(message.id), view)}</div>
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
<div class="said">${await outcome(message, view, plain)}${files(message.reply_attachments, view)}${deliveryLines(view.deliveries.get(replyIdOf(message.id)), now)}${reviewLine(view.reviews.get(replyIdOf(message.id)), view)}${furtherReviews(message, view)}${callsFold(view.calls.get(message.id), view)}</div>
</section>`;
}

async function outcome(message: Message, view: ConversationView, plain: boolean): Promise<Html> {
  const { mailbox } = view;
  if (isHeld(message, mailbox)) {
    return html`${note('plain', 'clock', 'Held.', `${shortOf(mailbox)} is paused and answers when it is back. You may answer below now.`)}${act(message, view, 'cancel', html`Cancel`)}`;
  }
  if (isAsking(message, mailbox, view.signed.session.namespace.id)) {
    const { tasks, signed, root, now } = view;
    const approval = view.approvals.get(message.id);
    const action = `${view.root}console/messages/${message.id}${search(view.filter)}`;
    const wrong = message.id === view.message.id ? view.wrong : undefined;
    return html`${approvalCard({ message, plan: message.plan, tasks, action, signed, wrong, approval, root, now })}${act(message, view, 'cancel', html`Cancel the message`, 'quiet')}`;
  }
  if (isToAnswer(message)) {
    return html`<p class="meta"><span data-writing="${message.id}" data-idle="Waiting for an answer.">${doing(message, view, 'Waiting for an answer.')}</span> ${elapsed(message.created_at, view.now)}</p>${act(message, view, 'cancel', html`Cancel the message`, 'quiet')}`;
  }
  if (message.waiting_for === 'approval') {
    return html`<p class="meta">Waiting for the owner of ${message.decides === 'sender' ? 'the address it was sent from' : 'this address'} to decide.</p>${act(message, view, 'cancel', html`Cancel the message`, 'quiet')}`;
  }
  if (message.waiting_for === 'review') {
    const isOurs = view.reviews.get(replyIdOf(message.id)) ?? view.reviews.get(message.id);
    return html`${isOurs === undefined && html`<p class="meta">The answer is written, and waits for a person at the other side.</p>`}${act(message, view, 'cancel', html`Cancel the message`, 'quiet')}`;
  }
  if (!isSettled(message.status)) {
    return html`<div class="working">${dots} <span>${doing(message, view)}</span> ${elapsed(message.created_at, view.now)}${act(message, view, 'cancel', html`Cancel`, 'quiet')}</div>`;
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
  if (!long && !plain) return marked(await reply(message, view.mailbox, view.root), view.spans);
  const begin = shownOf(whole);
  const shown = plain ? plainText(begin) : await renderMarkdown(begin);
  return text(whole, html`<div class="prose">${shown}</div>`, 'reply', message, view);
}

/** The latest progress that the handler reported. */
function doing(message: Message, { mailbox, signed }: ConversationView, otherwise = 'Working'): string {
  const isOurs = message.mailbox_id === mailbox.id && mailbox.namespace_id === signed.session.namespace.id;
  const { progress } = isOurs ? withOwnProgress(message) : message;
  if (progress === null || progress === undefined) return otherwise;
  const all = JSON.parse(progress) as readonly { readonly text: string }[];
  return all.at(-1)?.text ?? otherwise;
}

const act = (message: Message, of: ConversationView, what: 'cancel' | 'again', label: Html, kind = ''): Html | false =>
  of.controls &&
  html`<form class="row" method="post" action="${of.root}console/messages/${message.id}${search(of.filter)}">${tokenField(of.signed)}<input type="hidden" name="once" value="${randomUUID()}"><button class="button ${kind}" name="do" value="${what}">${label}</button></form>`;
