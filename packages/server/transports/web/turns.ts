import { reminderOf } from '@mailroom/behavior/schedule';
import type { Attachment } from '../../core/entities/attachment.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { isSettled, type Message } from '../../core/entities/message.ts';
import { bytesInWords } from '../../core/entities/storage-size.ts';
import { asCorrections } from '../../core/values/corrections.ts';
import { asReceipt } from '../../core/values/receipt.ts';
import { type Html, html } from '../../http/html.ts';
import { plainText, renderMarkdown } from '../../http/markdown.ts';
import { correctedText } from './corrections.ts';
import { looksOf } from './looks.ts';
import { copyButton, icon, note, shortOf, stamp } from './pieces.ts';
import { planWithJson } from './plan.ts';
import { receiptDetails, stepsDone } from './receipt.ts';
import type { TaskDescription } from './tasks.ts';

/** What a turn shows of the recipient. */
export type Answering = Pick<Mailbox, 'local_part' | 'namespace' | 'behavior' | 'status'>;

export interface TurnOptions {
  /** It arrived with this response: it is animated, and announced to screen readers. */
  readonly fresh?: boolean;
  /** It is in the form that continues the thread, so its suggestions are buttons. */
  readonly goes_on?: boolean;
  /** The mailbox's tasks by name, for a plan that waits for approval. */
  readonly tasks?: ReadonlyMap<string, TaskDescription> | undefined;
  /** The URL at which its sender finds the conversation again; undefined where there is none. */
  readonly back?: string | undefined;
}

/** A message and its result, as two turns of a conversation. */
export const turns = async (message: Message, mailbox: Answering, options: TurnOptions = {}): Promise<Html> =>
  html`${yourTurn(reminderOf(message.body) ?? message.body)}${await answerTurn(message, mailbox, options)}`;

/** The message of the sender. */
export const yourTurn = (body: string): Html =>
  html`<div class="yours prose"><span class="sr">You wrote: </span>${plainText(body)}</div>`;

/** The answer, or why there is none yet. */
export async function answerTurn(message: Message, mailbox: Answering, options: TurnOptions = {}): Promise<Html> {
  const { fresh, goes_on } = options;
  const took = message.settled_at === null ? undefined : message.settled_at - message.created_at;
  return html`<div class="answer${fresh && ' new-turn'}" id="${message.id}">
${stamp(mailbox.behavior, 30)}
<div class="who"><b>${mailbox.local_part}</b>${
    took !== undefined && message.reply !== null && html`<span class="took">${seconds(took)}</span>`
  }</div>
<div class="said">${await said(message, mailbox, options)}${goes_on && files(message.reply_attachments)}</div>
</div>`;
}

/** A reply after the one that settled the message. */
export const furtherTurn = async (
  { id, body, attachments }: Message,
  mailbox: Answering,
): Promise<Html> => html`<div class="answer" id="${id}">
${stamp(mailbox.behavior, 30)}
<div class="who"><b>${mailbox.local_part}</b></div>
<div class="said">${await beginning(body, id)}${files(attachments)}</div>
</div>`;

/** The files of an answer, which the form of the conversation downloads: its thread token is what allows that. */
const files = (attachments: readonly Attachment[] | undefined): Html | false =>
  attachments !== undefined &&
  attachments.length > 0 &&
  html`<ul class="files">${attachments.map(
    ({ id, filename, size }) =>
      html`<li><button class="button" name="file" value="${id}">${icon('download')}<span dir="auto">${filename}</span></button> <span class="meta">${bytesInWords(size)}</span></li>`,
  )}</ul>`;

/** “0.3 s”, “12 s”, “2 min”. */
export function seconds(ms: number): string {
  if (ms < 9_950) return `${Math.max(0.1, ms / 1000).toFixed(1)} s`;
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}

async function said(message: Message, mailbox: Answering, options: TurnOptions): Promise<Html> {
  const name = shortOf(mailbox);
  if (!isSettled(message.status)) return waiting(message, mailbox, options);
  switch (message.status) {
    case 'failed':
      if (message.reply !== null) {
        return html`${note('bad', 'warn', 'It stopped before the end.', message.error_message)}${await reply(message, mailbox)}`;
      }
      return note(
        'bad',
        'warn',
        'No answer this time.',
        html`${name} failed while working on your message. The message is kept.<span class="row"><button class="button" name="again" value="${message.id}">${icon('again')}Try again</button></span>`,
      );
    case 'rejected':
      if (message.error_code === 'budget_exceeded')
        return note('plain', 'clock', `${name} answers no more today.`, message.error_message);
      if (message.error_code === 'review_rejected' || message.error_code === 'review_expired')
        return note('plain', 'clock', 'You get no answer to this message.', message.error_message);
      return message.error_code === 'behavior_unavailable'
        ? note('plain', 'clock', `${name} cannot answer yet.`, 'Write to another address in the meantime.')
        : note('bad', 'warn', 'Not accepted.', message.error_message);
    case 'canceled':
      return html`<p class="meta">Canceled before it was answered.</p>`;
    case 'input_required':
      return html`<p class="meta">It needs more information from you.</p>${await asked(message, mailbox, options.goes_on ?? false)}`;
    default:
      return reply(message, mailbox);
  }
}

/** A question; its numbered suggestions are buttons where it can be answered. */
async function asked(message: Message, mailbox: Answering, goesOn: boolean): Promise<Html> {
  const body = message.reply?.body ?? '';
  const suggestions = goesOn ? suggestionsOf(message) : [];
  const list = suggestions.map((one, at) => `${at + 1}. \`${one}\``).join('\n');
  const listStart = suggestions.length === 0 ? -1 : body.indexOf(list);
  if (listStart < 0) return reply(message, mailbox);
  return html`<div class="prose">${await renderMarkdown(body.slice(0, listStart))}</div>
<ol class="suggested">${suggestions.map((one) => html`<li><button class="chip" name="example" value="${one}" dir="auto">${one}</button></li>`)}</ol>
<div class="prose">${await renderMarkdown(body.slice(listStart + list.length))}</div>`;
}

/** Characters of an answer that a page shows; rendering more would delay other requests. */
const MAX_SHOWN = 64 * 1024;
const MAX_SUGGESTION = 200;

function suggestionsOf({ reply }: Message): readonly string[] {
  const { question } = (JSON.parse(reply?.data ?? 'null') ?? {}) as { readonly question?: { suggestions?: unknown } };
  const { suggestions } = question ?? {};
  const small = (one: unknown): boolean => typeof one === 'string' && one.length <= MAX_SUGGESTION;
  return Array.isArray(suggestions) && suggestions.every(small) ? (suggestions as readonly string[]) : [];
}

/**
 * The reply: corrections in the text where it has some, steps with their receipt where it ran some, else its Markdown.
 * `root` leads from the page to the service's root.
 */
export async function reply(message: Message, { behavior }: Pick<Answering, 'behavior'>, root = ''): Promise<Html> {
  const { answers = [] } = looksOf(behavior);
  const receipt = answers.includes('steps') ? asReceipt(message.reply?.data ?? null) : undefined;
  if (receipt !== undefined) {
    const body = message.reply?.body ?? '';
    const steps = body.length > MAX_SHOWN ? undefined : await stepsDone(body, receipt);
    return html`${steps ?? (await beginning(body, message.id))}${receiptDetails(receipt, root)}`;
  }
  const corrections =
    answers.includes('corrections') && message.reply?.data != null
      ? asCorrections(JSON.parse(message.reply.data), message.body)
      : undefined;
  if (corrections !== undefined) return correctedText(message.body, corrections, message.id.slice(4));
  return beginning(message.reply?.body ?? '', message.id);
}

/** An answer's Markdown, as far as a page shows it. */
async function beginning(text: string, id: string): Promise<Html> {
  const shown = html`<div class="prose">${await renderMarkdown(text.slice(0, MAX_SHOWN).toWellFormed())}</div>`;
  if (text.length <= MAX_SHOWN) return shown;
  return html`${shown}<p class="meta">The first ${MAX_SHOWN.toLocaleString('en')} of ${text.length.toLocaleString('en')} characters. A program can read all of it: <code>GET /api/v1/mail/messages/${id}</code></p>`;
}

/** That the message waits, for whom, and what its sender may do meanwhile. */
function waiting(message: Message, mailbox: Answering, { tasks, back }: TurnOptions): Html {
  const actions = html`<div class="row"><button class="button quiet" name="look" value="1">Check again</button><button class="button quiet" name="cancel" value="${message.id}">Cancel</button></div>${back !== undefined && comeBack(back)}`;
  const held = (rest: string): Html => html`${note('plain', 'clock', 'Your message is waiting.', rest)}${actions}`;
  if (message.waiting_for === 'approval')
    return html`<div data-waits>${note('wait', 'clock', 'Waiting for the owner’s approval.', 'No step of this plan has run yet.')}${planWithJson(JSON.parse(message.plan ?? 'null'), tasks)}
${actions}</div>`;
  const name = shortOf(mailbox);
  if (message.waiting_for === 'review')
    return html`<div data-waits>${note('wait', 'clock', 'Waits for a person.', `There is an answer, and the owner of ${name} looks at it before it leaves. You need not wait: it appears here as soon as that is decided.`)}${actions}</div>`;
  if (message.taken_over !== true && mailbox.status === 'offline')
    return held(`No program is connected to ${name} now.`);
  if (message.taken_over !== true && mailbox.status !== 'online')
    return held(`It will be answered when ${name} is back.`);
  const doing =
    message.taken_over === true
      ? 'A person answers this conversation.'
      : message.waiting_for === 'answer'
        ? 'Waiting for an answer'
        : 'Still working';
  return html`<div${message.waiting_for === 'answer' && html` data-waits`}><div class="working">${dots} <span data-doing>${doing}</span> <span data-seconds></span></div>
${actions}</div>`;
}

/** That the page may be closed, and how to come back. */
const comeBack = (url: string): Html =>
  html`<div class="come-back"><p class="meta">You can write more below, or close this page: <a href="${url}">the link of this conversation</a> brings you back to it. Keep it to yourself: it shows the conversation to all who have it.</p>${copyButton('Copy link', { text: url })}</div>`;

/** An animation for work in progress. */
export const dots = html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>`;

/** Shown at once, before a result is known: the animation, seconds that the script counts, and a way to cancel. */
export const workingTurn = (mailbox: Answering): Html => html`<div class="answer" data-working>
${stamp(mailbox.behavior, 30)}
<div class="who"><b>${mailbox.local_part}</b></div>
<div class="said"><div class="working">${dots} <span data-doing>Working</span> <span data-seconds></span>
<button type="button" class="button quiet" data-cancel>Cancel</button></div></div>
</div>`;
