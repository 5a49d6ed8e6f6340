import { randomUUID } from 'node:crypto';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { FieldError } from '@mailroom/behavior/values/error';
import { type Attachment, MAX_FILES } from '../../../core/entities/attachment.ts';
import { type Draft, draftTag } from '../../../core/entities/draft.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import { isSettled, type Message } from '../../../core/entities/message.ts';
import { bytesInWords } from '../../../core/entities/storage-size.ts';
import type { Forwarding } from '../../../core/messages/forward.ts';
import { type Html, html } from '../../../http/html.ts';
import { plainText } from '../../../http/markdown.ts';
import { tick } from '../form/controls.ts';
import { counted, icon, note, shortOf, stamp } from '../pieces.ts';
import { whoChip } from './faces.ts';
import { FormErrors } from './fields.ts';
import { type Filter, search } from './filter.ts';
import { type Meanwhile, meanwhileBar, type Seen, seenOf, seenText } from './meanwhile.ts';
import { listField, splitAddresses, type TypedLists } from './recipients.ts';
import type { Root } from './shell.ts';
import { type Signed, tokenField } from './sign-in-form.ts';
import { timeMark } from './times.ts';
import { leavingView, leftMark, secondsLeft } from './toast.ts';

/** Whom what is written in a conversation goes to. */
const MODES = { reply: 'Reply', all: 'Reply all', forward: 'Forward' } as const;
export type Mode = keyof typeof MODES;
export const modeOf = (text: unknown): Mode | undefined =>
  typeof text === 'string' && Object.hasOwn(MODES, text) ? (text as Mode) : undefined;

/** An answer or a forward that was not accepted, or was taken back, as it was typed. */
export interface AnswerError {
  /** The message that it answers. */
  readonly id: string;
  readonly mode: Mode;
  /** Whom it is for, beside the author of the message where it answers that. */
  readonly lists: TypedLists;
  /** What its author had seen of the answers to it. */
  readonly seen: Seen;
  readonly body: string;
  /** Undefined where what happened meanwhile says why, and where nothing was wrong. */
  readonly message: string | undefined;
  /** What is wrong with single fields. */
  readonly errors?: readonly FieldError[];
  /** Files came with it, which are not kept. */
  readonly dropped: boolean;
  /** How a message is handed on. */
  readonly forward?: Pick<Forwarding, 'as' | 'attachments'>;
}

/** A message that the signed-in owner may answer by hand. */
export interface Answerable {
  readonly message: Message;
  /** A program has claimed it. */
  readonly claimed: boolean;
  /** What is kept of an answer that is not sent so far. */
  readonly draft: Draft | undefined;
  /** What the author of the text in the form had seen of the answers. */
  readonly seen: Seen;
  /** What happened to the message since. */
  readonly meanwhile: Meanwhile | undefined;
  /** Answers that others have begun. */
  readonly others: readonly OtherDraft[];
  readonly max_file: number;
}

interface OtherDraft {
  readonly name: string;
  readonly draft: Draft;
}

/** The composer of one conversation. */
export interface Composer {
  /** The open message, which a forward hands on. */
  readonly message: Message;
  readonly mailbox: Mailbox;
  /** What may be answered by hand. */
  readonly answerable: Answerable | undefined;
  /** Whom an answer to all is for beside the mailbox that answers: its author first. */
  readonly others: { readonly to: readonly string[]; readonly cc: readonly string[] };
  /** Authors in the conversation who are not verified, whom an answer to all leaves out. */
  readonly left_out: readonly string[];
  /** Whether the author of what is answered is not verified either. */
  readonly author_unproven: boolean;
  /** Names of addresses, where a mail has them. */
  readonly names: ReadonlyMap<string, string>;
  /** How the author of the message is called. */
  readonly author: string;
  readonly mode: Mode | undefined;
  /** What was sent and can be taken back, or why it did not leave. */
  readonly held: { readonly leaves_at: Millis; readonly failed?: string } | undefined;
  /** Whether the owner may write as the mailbox, and so forward. */
  readonly forwards: boolean;
  /** The button that takes the conversation over from its behavior, where the owner may. */
  readonly take_over: Html | false;
  /** The link to the form that continues a conversation which is not answered by hand. */
  readonly writes: boolean;
  readonly undo_ms: Millis;
  readonly now: Millis;
  readonly filter: Filter;
  readonly root: Root;
  readonly signed: Signed;
  readonly error: AnswerError | undefined;
}

/**
 * The foot of a conversation: answers a message by hand, to its author or to all, or forwards it. It works without
 * scripts; with them the text is kept as it is typed and files are kept as they are chosen or dropped.
 */
export function composerFoot(of: Composer): Html | false {
  const { answerable, held, error } = of;
  if (held !== undefined && held.failed === undefined)
    return html`<section class="foot" data-foot>${leaving(of, held.leaves_at)}</section>`;
  const several = of.others.cc.length > 0 || of.others.to.length > 1 || of.left_out.length > 0;
  const asked = error?.mode ?? of.mode;
  const mode = answerable === undefined ? asked : (asked ?? (several ? 'all' : 'reply'));
  if (mode === 'forward' && of.forwards) return foot(of, mode, several, forwardForm(of));
  if (answerable !== undefined)
    return foot(of, mode ?? 'reply', several, answerForm({ ...of, answerable, mode: mode ?? 'reply' }), answerable);
  return (of.forwards || of.writes || of.take_over !== false) && foot(of, undefined, several, undefined);
}

/** Says that it leaves, and takes it back. */
function leaving({ message, now, root, filter, signed }: Composer, at: Millis): Html {
  const seconds = secondsLeft(at, now);
  const undo = { action: `${root}console/undo${search(filter)}`, value: `held:${message.id}`, signed };
  return leavingView(html`Leaves in ${leftMark(seconds)}.`, undo, seconds);
}

/** What stands above the form: how to answer, and from which address. */
function foot(
  of: Composer,
  mode: Mode | undefined,
  several: boolean,
  form: Html | undefined,
  answerable?: Answerable,
): Html {
  const { message, root, filter, mailbox } = of;
  const link = (one: Mode): Html => {
    const here = of.answerable !== undefined || one === 'forward';
    const path = here
      ? `console${search(filter, { message: message.id, mode: one })}#composer`
      : `console/write?reply=${message.id}&mode=${one}`;
    return html`<a href="${root}${path}"${here && html` data-mode`}${one === mode && html` aria-current="true"`}>${icon(one === 'forward' ? 'forward' : one === 'all' ? 'reply_all' : 'reply')}${MODES[one]}</a>`;
  };
  const answers = of.answerable !== undefined || of.writes;
  const choice = html`<nav class="seg" aria-label="How to answer">${answers && link('reply')}${answers && several && link('all')}${of.forwards && link('forward')}</nav>`;
  const from = html`<span class="right">from <span class="who-chip sq">${stamp(mailbox.behavior, 30)}<bdi>${shortOf(mailbox)}</bdi></span></span>`;
  return html`<section class="foot${form === undefined && ' closed'}" id="composer" aria-label="Composer" data-foot${answerable && html` data-answer="${answerable.message.id}" data-seen="${seenText(answerable.seen)}"`}>
<div class="foot-head">${choice}${form === undefined ? html`<span class="right">${of.take_over}</span>` : from}</div>
${form}</section>`;
}

/** An address with its name, as a mail program writes it. */
const named = (address: string, name: string | undefined): string => {
  const plain = name?.replace(/[",;<>]+/g, ' ').trim();
  return plain === undefined || plain === '' ? address : `${plain} <${address}>`;
};

/** Whom it goes to, folded on phones. */
function recipientLines(of: Composer, mode: Mode, errors: FormErrors): Html {
  const { others, error, names, author } = of;
  const listed = (addresses: readonly string[]): string =>
    addresses.map((one) => named(one, names.get(one))).join(', ');
  const cc = mode === 'all' ? listed(others.cc) : '';
  const lists =
    error?.mode === mode ? error.lists : { to: mode === 'all' ? listed(others.to.slice(1)) : '', cc, bcc: '' };
  const [first] = others.to;
  const name = (address: string): string => names.get(address) ?? address.split('@')[0] ?? address;
  const fixed =
    mode !== 'forward' &&
    (first === undefined ? html`<span class="who-chip"><bdi>${author}</bdi></span>` : whoChip(first, names.get(first)));
  const short = (text: string): string => splitAddresses(text).map(name).join(', ');
  const summary =
    mode === 'forward'
      ? html`<b>Forward</b> ${lists.to === '' ? 'to …' : html`to ${short(lists.to)}`}`
      : html`<b>${MODES[mode]}</b> to ${first === undefined ? author : name(first)}${lists.to !== '' && `, ${short(lists.to)}`}${lists.cc !== '' && `, cc ${short(lists.cc)}`}`;
  const field = (one: keyof TypedLists): Html => listField(one, lists, errors, { id: `answer-${one}` });
  return html`<details class="recipients"${(mode === 'forward' || errors.links.length > 0) && html` data-wanted`} open><summary class="thin-to"><span class="cut" dir="auto">${summary}</span>${icon('down')}</summary>
<div class="to-lines">${fixed && html`<div class="to-author"><span class="l">To</span>${fixed}</div>`}${field('to')}${field('cc')}${field('bcc')}</div></details>${leftOut(of, mode)}`;
}

/** Who is not answered because it is not proven who they are, and whether that holds for the author too. */
function leftOut({ left_out, author_unproven, others, names }: Composer, mode: Mode): Html | false {
  if (mode === 'forward') return false;
  const line = (text: Html): Html => html`<p class="left-out">${icon('warn')}<span>${text}</span></p>`;
  const [author = ''] = others.to;
  const listed = left_out.map((one) => named(one, names.get(one))).join(', ');
  return html`${author_unproven && line(html`<bdi>${author}</bdi> is not verified: you answer who only says to be that.`)}${mode === 'all' && left_out.length > 0 && line(html`Not answered: <bdi>${listed}</bdi>, not verified.`)}`;
}

/** The form that hands the open message on, with what is said above it. */
function forwardForm(of: Composer): Html {
  const { message, root, filter, signed, error } = of;
  const mine = error?.mode === 'forward' ? error : undefined;
  const errors = new FormErrors(mine?.errors ?? []);
  const lines = recipientLines(of, 'forward', errors);
  const files = message.attachments?.length ?? 0;
  const { as = 'inline', attachments = 'keep' } = mine?.forward ?? {};
  return html`${errorText(mine)}<form class="compose-box" method="post" action="${root}console/forward/${message.id}${search(filter)}" data-once data-scripted data-root="${root}">
${tokenField(signed)}<input type="hidden" name="once" value="${randomUUID()}">${lines}
<label class="sr" for="answer-body">What you say above it</label>
<textarea id="answer-body" name="body" rows="3" dir="auto" placeholder="Say something above it, or nothing" data-forward-body>\n${mine?.body}</textarea>
<div class="tools"><span class="ways"><label class="tick"><input type="checkbox" name="as" value="attachment"${as === 'attachment' && html` checked`}> As an attachment</label>${files > 0 && html`<label class="tick with-files"><input type="checkbox" name="attachments" value="keep"${attachments === 'keep' && html` checked`}> With its ${counted(files, 'file')}</label>`}</span><button class="button ink send" name="do" value="forward" data-send>${icon('send')}<span>Send</span></button></div>
</form>${hintOf(of)}`;
}

const errorText = (error: AnswerError | undefined, dropped: string | false = false): Html | false =>
  error !== undefined &&
  (error.message !== undefined || error.dropped) &&
  html`<p class="error" id="answer-error" role="alert">${icon('warn')}<span>${error.message}${dropped}</span></p>`;

const hintOf = ({ undo_ms }: Composer): Html =>
  html`<p class="meta foot-hint" data-keys hidden><kbd>Ctrl</kbd> <kbd>Enter</kbd> sends, with <kbd>Shift</kbd> it is done too.${undo_ms > 0 && ` It leaves after ${undo_ms / 1000} s.`}</p>`;

function answerForm(of: Composer & { readonly answerable: Answerable; readonly mode: Mode }): Html {
  const { answerable, filter, root, signed, error, mailbox, mode, held } = of;
  const { message, claimed, draft, max_file, meanwhile } = answerable;
  const further = isSettled(message.status);
  const hint = `Markdown works. Up to ${MAX_FILES} files, each of at most ${bytesInWords(max_file)}.`;
  const mine = error?.mode === 'forward' ? undefined : error;
  const errors = new FormErrors(mine?.errors ?? []);
  const lines = recipientLines(of, mode, errors);
  const refused =
    mine ??
    (held?.failed === undefined
      ? undefined
      : { ...NOTHING, id: message.id, mode, message: `It did not leave. ${held.failed}` });
  const wrong = refused !== undefined && (refused.message !== undefined || refused.dropped);
  const text = mine?.body ?? draft?.content.body ?? '';
  const title = meanwhile !== undefined ? 'Your answer' : further ? 'Add a further reply' : 'Answer by hand';
  const send = (label: string): Html =>
    html`<button class="button ink send" name="do" value="completed" data-send>${icon('send')}<span>${label}</span></button>`;
  const more = html`<details class="more-ways"><summary class="ib" aria-label="Other ways to send" title="Other ways to send">${icon('more')}</summary><div class="menu"><button class="button" name="do" value="done" data-send-done>${icon('check')}Send and mark as done</button>${!further && html`<button class="button" name="do" value="input_required">Ask back</button>${REJECTION}`}<button class="button quiet" name="do" value="keep" data-keep>Keep as a draft</button></div></details>`;
  return html`<h3 class="sr" id="answer-title">${title}</h3>
${further && html`<p class="writing meta" data-writing="${message.id}" data-idle=""></p>`}
${answerable.others.map((one) => begun(one, of.now))}
${claimed && note('wait', 'clock', 'A program has claimed it.', 'Whichever answer comes first is the reply.')}
${errorText(refused, refused?.dropped === true && ' Choose your files again: they were not kept.')}
<form class="compose-box" method="post" action="${root}console/answers/${message.id}${search(filter)}" enctype="multipart/form-data" aria-labelledby="answer-title" data-once data-compose data-root="${root}">
${tokenField(signed)}<input type="hidden" name="once" value="${randomUUID()}"><input type="hidden" name="seen" value="${seenText(seenOf(message))}"><input type="hidden" name="base" value="${seenText(answerable.seen)}"><input type="hidden" name="draft" value="${draft && draftTag(draft)}"><input type="hidden" name="mode" value="${mode}">
${meanwhile !== undefined && meanwhileBar(meanwhile, mailbox, of.now)}
${lines}
<div class="write-area" data-drop><label class="sr" for="answer-body">Your answer</label>
<textarea id="answer-body" name="body" rows="3" dir="auto" aria-describedby="answer-hint${wrong && ' answer-error'}"${wrong && html` aria-invalid="true"`} data-answer-body>\n${text}</textarea>
<div data-kept-files>${keptFiles(draft?.attachments ?? [], root)}</div></div>
<div class="tools"><label class="ib clip" for="answer-files" title="Files">${icon('clip')}<span class="sr">Files</span></label><input type="file" multiple id="answer-files" name="files" data-answer-files>${previewButton(root)}<span class="meta" role="status" data-kept>${draft !== undefined && 'Kept as a draft'}</span>${
    meanwhile !== undefined
      ? html`<button type="button" class="button send" aria-disabled="true">${icon('send')}<span>Choose first</span></button>`
      : html`${more}${send('Send')}`
  }</div>
<p class="sr" id="answer-hint">${hint}<span data-keys hidden> Drop or paste files here.</span></p>
</form>${meanwhile === undefined && hintOf(of)}`;
}

const NOTHING = { lists: { to: '', cc: '', bcc: '' }, seen: null, body: '', dropped: false } as const;

/** Characters of another writer's draft that are shown. */
const MAX_BEGUN = 4_000;

/** What another owner has begun to answer, folded. */
function begun({ name, draft }: OtherDraft, now: Millis): Html {
  const { body = '' } = draft.content;
  const files = draft.attachments.length > 0 && `, with ${counted(draft.attachments.length, 'file')}`;
  const shown = body.length <= MAX_BEGUN ? body : `${body.slice(0, MAX_BEGUN).toWellFormed()}…`;
  return html`<details class="begun"><summary class="meta"><span dir="auto">${name}</span> has begun an answer, ${timeMark(draft.updated_at, now, 'full')}${files}</summary><div class="prose">${plainText(shown)}</div></details>`;
}

/** Shows the text of a form as Markdown: in its place, or without scripts in a new tab. */
export const previewButton = (root: Root): Html =>
  html`<button class="button quiet preview" name="do" value="preview" formaction="${root}console/markdown" formenctype="application/x-www-form-urlencoded" formtarget="_blank" data-markdown>${icon('eye')}<span>Preview</span></button>`;

/** The files of a draft, each of which is left out when it is not ticked. */
export const keptFiles = (
  files: readonly Attachment[],
  root: Root,
  ticked: readonly string[] = files.map(({ id }) => id),
): Html =>
  html`${files.map(
    ({ id, filename, size }) =>
      html`<div class="kept-file">${tick('checkbox', 'file', { value: id, label: `${filename}, ${bytesInWords(size)}` }, ticked.includes(id))}<a href="${root}console/attachments/${id}" download>Download<span class="sr"> ${filename}</span></a></div>`,
  )}`;

const REJECTION = html`<details class="refuse"><summary class="button">Reject</summary><div class="field">
<p class="hint">Your text above is shown to the sender as the reason, in place of an answer. Files are left out.</p>
<button class="button danger" name="do" value="rejected">Reject the message</button></div></details>`;
