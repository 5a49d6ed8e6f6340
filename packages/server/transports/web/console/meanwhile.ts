import type { Millis } from '@mailroom/behavior/values/clock';
import { replyIdOf } from '@mailroom/behavior/values/ids';
import type { Key } from '../../../core/entities/key.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import { isSettled, type Message } from '../../../core/entities/message.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type Html, html } from '../../../http/html.ts';
import { isAnswered } from '../looks.ts';
import { counted, icon, shortOf, stamp } from '../pieces.ts';
import { personFace } from './faces.ts';
import { byKey, ownerName } from './owner-names.ts';
import { timeMark } from './times.ts';

/** How many replies to a message the author of an answer has seen; null where it waited for its first. */
export type Seen = number | null;

export const seenOf = ({ status, replies_count }: Pick<Message, 'status' | 'replies_count'>): Seen =>
  isSettled(status) ? replies_count : null;
export const seenText = (seen: Seen): string => (seen === null ? 'none' : String(seen));
/** Of two the one that has seen less. */
export const seenFirst = (one: Seen, other: Seen): Seen =>
  one === null || other === null ? null : Math.min(one, other);
/** As a form or a URL has it; what is no number stands for a message that waited. */
export const readSeen = (text: unknown): Seen =>
  typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : null;

/** What happened to a message while an answer to it was being written. */
export type Meanwhile =
  | {
      readonly kind: 'answered';
      readonly status: Message['status'];
      readonly at: Millis;
      /** Who gave the last answer, and by which key or account. */
      readonly name: string;
      readonly by: string;
      readonly by_hand: boolean;
      /** The last answer, or why there is none. */
      readonly text: string;
      readonly files: number;
      /** Answers that are new to the author. */
      readonly count: number;
    }
  | { readonly kind: 'canceled'; readonly at: Millis }
  /** Its behavior answers it: it was handed back, or is no longer held. */
  | { readonly kind: 'returned' };

/** An answer to a message: the one that settled it, or a further one. */
interface Given {
  readonly id: string;
  readonly at: Millis;
  readonly key_id: string | undefined;
  readonly by_hand: boolean;
  readonly text: string;
  readonly files: number;
}

/** Further replies that are looked at. */
const MAX_FURTHER = 50;

/** The answers to the message, oldest first. */
async function answersTo(message: Message, { messages }: Pick<Store, 'messages'>): Promise<readonly Given[]> {
  if (!isSettled(message.status)) return [];
  const first: Given = {
    id: replyIdOf(message.id),
    at: message.settled_at ?? message.created_at,
    key_id: message.answered_by?.key_id,
    by_hand: message.reply?.by_hand === true,
    text: message.reply?.body ?? message.error_message ?? '',
    files: message.reply_attachments?.length ?? 0,
  };
  if (message.replies_count < 2 && message.reply !== null) return [first];
  const { items } = await messages.threadEnd(message.thread_id, null, MAX_FURTHER);
  const further = items
    .filter(({ kind, in_reply_to }) => kind === 'reply' && in_reply_to === message.id)
    .map(({ id, created_at: at, answered_by, by_hand, body, attachments }) => ({
      id,
      at,
      key_id: answered_by?.key_id,
      by_hand: by_hand === true,
      text: body,
      files: attachments?.length ?? 0,
    }));
  return [first, ...further];
}

interface Asked {
  readonly message: Message;
  readonly mailbox: Mailbox;
  readonly key: Key;
  /** What its author had seen when the text was begun; undefined without a text. */
  readonly seen: Seen | undefined;
  /** Whether it can be answered by hand now. */
  readonly answerable: boolean;
}

/** What the author of an answer has to see before it is sent; undefined where nothing has changed. */
export async function meanwhileOf(
  question: Asked,
  store: Pick<Store, 'messages' | 'keys'>,
): Promise<Meanwhile | undefined> {
  const { message, mailbox, key, seen, answerable } = question;
  if (seen === undefined) return undefined;
  if (message.status === 'canceled') return { kind: 'canceled', at: message.settled_at ?? message.created_at };
  const all = await answersTo(message, store);
  const unseen = seen === null ? all.length : Math.max(0, message.replies_count - seen);
  const fresh = unseen === 0 ? [] : all.slice(-unseen);
  const last = fresh.at(-1);
  if (last === undefined) return answerable ? undefined : { kind: 'returned' };
  const { at: writtenAt, key_id, by_hand, text, files } = last;
  const by = key_id === undefined ? undefined : await store.keys.byId(key_id);
  const other = isAnswered(mailbox.behavior) ? 'Its program' : 'Its behavior';
  const name =
    key_id === undefined ? other : key_id === key.id ? 'Your key' : by === undefined ? 'Another key' : ownerName(by);
  return {
    kind: 'answered',
    status: message.status,
    at: writtenAt,
    name,
    by: key_id === undefined ? '' : byKey(by, key),
    by_hand,
    text,
    files,
    count: fresh.length,
  };
}

/** Characters of the answer that the bar shows; the conversation above has it whole. */
const MAX_SHOWN = 280;

const BUTTONS = {
  further: html`<button class="button" name="do" value="further">Send as a further reply</button>`,
  keep: html`<button class="button" name="do" value="keep" data-choose-keep>Keep as a draft<kbd data-keys hidden>Esc</kbd></button>`,
  discard: html`<button class="button quiet" name="do" value="discard">Throw mine away</button>`,
};

/** Says what happened and lets the author choose. Until then no button of the form sends. */
export function meanwhileBar(change: Meanwhile, mailbox: Mailbox, now: Millis): Html {
  const buttons = html`<div class="row">${change.kind === 'answered' && BUTTONS.further}${BUTTONS.keep}${BUTTONS.discard}</div>`;
  const bar = (face: Html, fact: Html, rest: Html): Html =>
    // What Enter in a field presses is the first button, so that it sends nothing.
    html`<section class="meanwhile" role="alert" data-meanwhile><button name="do" value="keep" hidden></button>${face}<div><h3>${fact}</h3><p class="meta">${rest}</p></div>${change.kind === 'answered' && said(change)}${buttons}</section>`;
  if (change.kind === 'canceled')
    return bar(
      icon('warn'),
      html`The message was canceled at ${timeMark(change.at, now, 'full')}, while you were writing.`,
      html`It can no longer be answered. Your text is kept.`,
    );
  if (change.kind === 'returned')
    return bar(
      stamp(mailbox.behavior, 30),
      html`${shortOf(mailbox)} answers this itself now.`,
      html`It was handed back, or is no longer paused. Your text is kept: take the conversation over to send it.`,
    );
  const time = timeMark(change.at, now, 'full');
  const face = change.by_hand && change.by !== '' ? personFace(change.name, ' member') : stamp(mailbox.behavior, 30);
  const name = html`<span dir="auto">${change.name}</span>`;
  const fact =
    change.status === 'rejected'
      ? html`${name} rejected it at ${time}, while you were writing.`
      : change.status === 'failed'
        ? html`It failed at ${time}, while you were writing.`
        : html`${name} answered at ${time}, while you were writing.`;
  return bar(
    face,
    fact,
    html`${change.by} Your text is kept.<span data-keys hidden> Ctrl+Enter waits until you choose.</span>`,
  );
}

function said({ text, files, count }: Extract<Meanwhile, { kind: 'answered' }>): Html {
  const short = text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).toWellFormed()}…`;
  return html`<blockquote dir="auto">${short}${files > 0 && html` <span class="meta">${counted(files, 'file')}</span>`}${count > 1 && html` <span class="meta">The last of ${counted(count, 'new answer')}.</span>`}</blockquote>`;
}
