import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import type { Message } from '../../../core/entities/message.ts';
import { reminderOf } from '../../../core/entities/schedule.ts';
import type { Millis } from '../../../core/values/clock.ts';
import { isReplyId } from '../../../core/values/ids.ts';
import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import type { Filter } from './filter.ts';
import { isHeld, search } from './filter.ts';
import type { Root } from './shell.ts';
import { elapsed, timeMark } from './times.ts';

const MAX_LINE = 160;

/** A message's title in a list: its subject, else its first line that is not empty. */
export function lineOf({ subject, body }: Message): string {
  const line =
    reminderOf(body)?.replace(/\s+/g, ' ').trim() ??
    ((subject ?? '').trim() || (body.split('\n').find((one) => one.trim() !== '') ?? '').trim());
  if (line.length <= MAX_LINE) return line || 'No text';
  // Does not cut a surrogate pair.
  return `${line.slice(0, MAX_LINE).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The state of a message, where it is worth showing. */
export function tagOf(message: Message, mailbox: MailboxSummary | undefined, now: Millis): Html | false {
  switch (message.status) {
    case 'completed':
      return isReplyId(message.id) && html`<span class="tag">Reply</span>`;
    case 'failed':
      return html`<span class="tag failed">Failed</span>`;
    case 'input_required':
      return html`<span class="tag asks">Needs an answer</span>`;
    case 'rejected':
      return html`<span class="tag failed">Not accepted</span>`;
    case 'canceled':
      return html`<span class="tag">Canceled</span>`;
    default: {
      if (isHeld(message, mailbox)) return html`<span class="tag">Held</span>`;
      if (message.waiting_for === 'approval') return html`<span class="tag asks">To approve</span>`;
      return html`<span class="tag working">Working ${elapsed(message.created_at, now)}</span>`;
    }
  }
}

export interface RowOptions {
  readonly root: Root;
  readonly filter: Filter;
  readonly sender: string;
  readonly mailbox: MailboxSummary | undefined;
  /** Whether this message is open. */
  readonly open: boolean;
  readonly now: Millis;
}

/** Sender and recipient; a reminder comes from the address that sends it. */
const fromTo = ({ body }: Message, sender: string, address: string): Html =>
  reminderOf(body) === undefined
    ? html`<b dir="auto">${sender}</b> to ${address}`
    : html`<b>${address}</b> to <span dir="auto">${sender}</span>`;

/** A row of the inbox. */
export const row = (message: Message, { root, filter, sender, mailbox, open, now }: RowOptions): Html =>
  html`<li data-row="${message.id}" data-thread="${message.thread_id}"><a href="${root}console${search(filter, { message: message.id })}"${open && html` aria-current="true"`}>
<span class="from">${fromTo(message, sender, mailbox?.local_part ?? message.to.split('@')[0] ?? '')}</span>${timeMark(message.created_at, now)}
<span class="line" dir="auto">${lineOf(message)}</span>${tagOf(message, mailbox, now)}</a></li>`;
