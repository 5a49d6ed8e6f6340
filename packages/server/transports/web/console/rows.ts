import { reminderOf } from '@mailroom/behavior/schedule';
import type { Millis } from '@mailroom/behavior/values/clock';
import { UNREAD } from '../../../core/entities/label.ts';
import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import type { Message } from '../../../core/entities/message.ts';
import { addressesIn } from '../../../core/entities/recipients.ts';
import type { Standing } from '../../../core/entities/standing.ts';
import { WAITING, type WaitingKind } from '../../../core/reports/waiting.ts';
import { type Html, html } from '../../../http/html.ts';
import { excerptOf } from '../excerpt.ts';
import { icon, stamp } from '../pieces.ts';
import { STAND_WORDS } from './conversation-desk.ts';
import { guestTag, personFace, senderFace } from './faces.ts';
import { type Filter, isHeld, isOfConversations, isToAnswer, search } from './filter.ts';
import { type Hits, snippetOf, withHits } from './hits.ts';
import type { Root } from './shell.ts';
import { elapsed, timeMark } from './times.ts';

const MAX_LINE = 160;
/** Characters of a mail's data in which its author's name is looked for. */
const MAX_HEAD = 2_000;
/** Labels of a row; the conversation shows all. */
const MAX_SHOWN = 2;

/** A message's title in a list: its subject, else the first line of its text that says something. */
export const lineOf = ({ subject, body }: Message): string =>
  reminderOf(body) === undefined
    ? titleOf({ subject, body })
    : titleOf({ subject: reminderOf(body) ?? null, body: '' });

/** Its subject, else the first line of its text that says something. */
export function titleOf({ subject, body }: Pick<Message, 'subject' | 'body'>): string {
  const line = (subject ?? '').replace(/\s+/g, ' ').trim() || excerptOf(body);
  if (line.length <= MAX_LINE) return line || 'No text';
  // Does not cut a surrogate pair.
  return `${line.slice(0, MAX_LINE).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The state of a conversation, where it is worth showing. */
function tagOf(message: Message, { mailbox, namespace, now }: RowOptions): Html | false {
  switch (message.status) {
    case 'completed':
      return false;
    case 'failed':
      return html`<span class="tag failed">Failed</span>`;
    case 'input_required':
      return html`<span class="tag asks">Asks back</span>`;
    case 'rejected':
      return html`<span class="tag failed">Not accepted</span>`;
    case 'canceled':
      return html`<span class="tag">Canceled</span>`;
    default: {
      if (isHeld(message, mailbox)) return html`<span class="tag">Held</span>`;
      if (message.waiting_for === 'review' && mailbox?.namespace !== namespace)
        return html`<span class="tag asks">Waits for its review</span>`;
      if (message.waiting_for === 'approval' || message.waiting_for === 'review')
        return html`<span class="tag asks">To approve</span>`;
      if (isToAnswer(message) && mailbox?.namespace === namespace) return html`<span class="tag asks">To answer</span>`;
      return html`<span class="tag working">Working ${elapsed(message.created_at, now)}</span>`;
    }
  }
}

export interface RowOptions {
  readonly root: Root;
  readonly filter: Filter;
  readonly sender: string;
  readonly mailbox: MailboxSummary | undefined;
  /** The name of the namespace whose inbox it is. */
  readonly namespace: string;
  readonly namespace_id: string;
  readonly labels: readonly string[];
  /** The first message of the thread, as far as the namespace may see it. */
  readonly first: Message | undefined;
  /** The newest message of the thread that the namespace may see. */
  readonly last: Message;
  /** The behavior of the address that wrote it, where that is one of the namespace. */
  readonly wrote: string | undefined;
  /** What a search found in it. */
  readonly hits: Hits | undefined;
  /** Where it stands, and the name of the member who takes care of it. */
  readonly standing: Standing;
  readonly assignee: string | undefined;
  /** Its group in the inbox. */
  readonly group: WaitingKind | undefined;
  /** Whether this conversation is open. */
  readonly open: boolean;
  readonly now: Millis;
}

/** Sender and recipient; a reminder comes from the address that sends it. */
function fromTo(message: Message, sender: string, address: string): Html {
  const guest = guestTag(message);
  return reminderOf(message.body) === undefined
    ? html`<b dir="auto">${sender}${guest !== undefined && ` ${guest.tag}`}</b>${more(message)} to ${address}`
    : html`<b>${address}</b> to <span dir="auto">${sender}</span>`;
}

/** How many others a message was for. */
function more({ recipients }: Message): Html | false {
  const others = recipients === undefined ? 0 : addressesIn({ to: recipients.to, cc: recipients.cc }).length - 1;
  return others > 0 && html` +${others}`;
}

/** The recipient: the local part of an own address, or the address of another namespace. */
const recipientOf = ({ to }: Message, { mailbox, namespace }: RowOptions): string =>
  mailbox?.namespace === namespace ? mailbox.local_part : (to ?? mailbox?.local_part ?? '');

/** When something was last said in the conversation, or of a list of messages when the message arrived. */
export const activeAt = (message: Message, { last, filter }: Pick<RowOptions, 'last' | 'filter'>): Millis =>
  !isOfConversations(filter)
    ? message.created_at
    : last.kind === 'message' && last.reply !== null
      ? (last.settled_at ?? last.created_at)
      : last.created_at;

/** The name that a mail gives its author; its data begins with it, and may be long. */
function mailName({ data, channel, sender_kind: kind }: Message): string | undefined {
  if (channel !== 'smtp' || kind !== 'email' || data === null) return undefined;
  const [, name] = /"from_name":("(?:[^"\\]|\\.)*")/.exec(data.slice(0, MAX_HEAD)) ?? [];
  return name === undefined ? undefined : (JSON.parse(name) as string).trim() || undefined;
}

/** A row of the inbox: a conversation. */
export function row(message: Message, options: RowOptions): Html {
  const { root, filter, open, now } = options;
  const sender = mailName(message) ?? options.sender;
  // Among what was sent, the recipient's mark would look like the sender's.
  const unread = filter.direction !== 'sent' && options.labels.includes(UNREAD);
  const files = (message.attachments ?? []).length;
  const group = options.group === undefined ? undefined : WAITING.indexOf(options.group);
  const mark =
    message.sender_kind === 'mailbox' && options.wrote === undefined
      ? stamp(options.mailbox?.behavior ?? '', 30)
      : senderFace(message, sender, options.wrote);
  return html`<li${unread && html` class="unread"`} data-row="${message.id}" data-thread="${message.thread_id}" data-in="${message.mailbox_id}" data-at="${activeAt(message, options)}"${group !== undefined && html` data-group="${group}"`}><label class="pick"><input type="checkbox" name="id" value="${message.id}" form="bulk" aria-label="Select: ${conversationTitle(message, options)}"></label><a href="${root}console${search(filter, { message: message.id })}"${open && html` aria-current="true"`}>${mark}
<span class="from">${unread && html`<span class="sr" data-unread>Unread: </span>`}${fromTo(message, sender, recipientOf(message, options))}${files > 0 && html` ${icon('clip')}<span class="sr"> with files</span>`}</span> ${timeMark(activeAt(message, options), now)}
${textLine(message, options)} <span class="foot-line">${lastTurn(message, options)} ${standMark(options)}${options.group !== 'answer' && options.group !== 'approve' && tagOf(message, options)}</span></a></li>`;
}

/** Who takes care of it, and its state where that is worth showing. */
const standMark = ({ standing: { state, until }, assignee, filter, now }: RowOptions): Html | false =>
  (assignee !== undefined || (state !== 'open' && state !== filter.stand) || until !== null) &&
  html`<span class="stands">${assignee !== undefined && html`<span class="sr">Assigned to ${assignee}</span><span title="${assignee}">${personFace(assignee, ' tiny member')}</span>`}${state !== 'open' && state !== filter.stand && html`<span class="tag stand-${state}">${STAND_WORDS[state]}</span>`}${until !== null && timeMark(until, now, 'full')}</span>`;

/** The title of the conversation, which its first message gives it. */
export const conversationTitle = (message: Message, { first = message }: Partial<Pick<RowOptions, 'first'>>): string =>
  lineOf(message.subject === null ? first : message);

/** The title behind the labels. */
function textLine(message: Message, of: RowOptions): Html {
  const ownLabels = of.labels.filter((label) => label !== UNREAD);
  const plain = conversationTitle(message, of);
  const title = of.hits === undefined ? plain : withHits(plain, of.hits.spans(plain, 'subject'));
  if (ownLabels.length === 0) return html`<span class="line" dir="auto">${title}</span>`;
  const more = ownLabels.length - MAX_SHOWN;
  return html`<span class="line">${ownLabels.slice(0, MAX_SHOWN).map((label) => html`<span class="label-mark"><span class="sr">Label </span>${label}</span> `)}${more > 0 && html`<span class="label-mark">+${more}<span class="sr"> more labels</span></span> `}<bdi>${title}</bdi></span>`;
}

/** Where a search found it, else what was said last, unless it is the title: “You: …”, “tasks: Sorted 3 lines”. */
function lastTurn(message: Message, options: RowOptions): Html | false {
  const { last, mailbox, namespace, namespace_id, hits } = options;
  const [hit] = hits?.highlights.filter(({ field }) => field !== 'subject') ?? [];
  if (hits !== undefined && hit !== undefined) {
    const text = hit.field === 'body' ? message.body : (message.reply?.body ?? '');
    return html`<span class="last" dir="auto">${snippetOf(text, hits, hit)}</span>`;
  }
  const turnLine = (who: string, text: string): Html =>
    html`<span class="last"><span dir="auto">${who}</span>: <bdi>${titleOf({ subject: null, body: text })}</bdi></span>`;
  const short = (address: string | null): string => {
    const [local = '', name] = (address ?? '').split('@');
    return name === namespace ? local : (address ?? '');
  };
  if (last.reply !== null) return turnLine(short(last.to) || (mailbox?.local_part ?? ''), last.reply.body);
  if (last.kind === 'reply') return turnLine(short(last.from) || 'Reply', last.body);
  const line = lineOf(last);
  if (line === conversationTitle(message, options)) {
    // Below a subject stands how the text begins.
    const text = last.subject === null ? '' : lineOf({ ...last, subject: null });
    return text !== '' && text !== line && html`<span class="last" dir="auto">${text}</span>`;
  }
  if (last.sender_namespace_id === namespace_id && last.key_id !== null) return turnLine('You', line);
  return html`<span class="last" dir="auto">${line}</span>`;
}
