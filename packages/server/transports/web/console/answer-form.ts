import { randomUUID } from 'node:crypto';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { Attachment } from '../../../core/entities/attachment.ts';
import { MAX_FILES } from '../../../core/entities/attachment.ts';
import type { Draft } from '../../../core/entities/draft.ts';
import { draftTag } from '../../../core/entities/draft.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Message } from '../../../core/entities/message.ts';
import { isSettled } from '../../../core/entities/message.ts';
import { bytesInWords } from '../../../core/entities/storage-size.ts';
import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import { plainText } from '../../../http/markdown.ts';
import { tick } from '../form/controls.ts';
import { counted, icon, note } from '../pieces.ts';
import { type Filter, search } from './filter.ts';
import { type Meanwhile, meanwhileBar, type Seen, seenOf, seenText } from './meanwhile.ts';
import type { Root } from './shell.ts';
import { type Signed, tokenField } from './sign-in-form.ts';
import { timeMark } from './times.ts';

/** An answer that was not accepted, as it was typed. */
export interface AnswerError {
  /** The message that it answers. */
  readonly id: string;
  /** What its author had seen of the answers to it. */
  readonly seen: Seen;
  readonly body: string;
  /** Undefined where what happened meanwhile says why. */
  readonly message: string | undefined;
  /** Files came with it, which are not kept. */
  readonly dropped: boolean;
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

interface AnswerForm extends Answerable {
  readonly mailbox: Mailbox;
  readonly now: Millis;
  readonly filter: Filter;
  readonly root: Root;
  readonly signed: Signed;
  readonly error: AnswerError | undefined;
}

/**
 * The composer at the foot of a conversation: answers a message by hand, or adds a further reply to one that is settled.
 * It works without scripts; with them the text is kept as it is typed and files are kept as they are chosen or dropped.
 */
export function answerForm(form: AnswerForm): Html {
  const { message, claimed, draft, filter, root, signed, error, max_file, meanwhile } = form;
  const further = isSettled(message.status);
  const hint = `Markdown works. Up to ${MAX_FILES} files, each of at most ${bytesInWords(max_file)}.`;
  const dropped = error?.dropped === true && ' Choose your files again: they were not kept.';
  const wrong = error !== undefined && (error.message !== undefined || error.dropped);
  const text = error?.body ?? draft?.content.body ?? '';
  const title = meanwhile !== undefined ? 'Your answer' : further ? 'Add a further reply' : 'Answer by hand';
  return html`<section class="answer-form" aria-labelledby="answer-title" data-answer="${message.id}" data-seen="${seenText(form.seen)}">
<h3 id="answer-title">${icon('write')}${title}</h3>
${further && html`<p class="writing meta" data-writing="${message.id}" data-idle=""></p>`}
${form.others.map((one) => begun(one, form.now))}
${claimed && note('wait', 'clock', 'A program has claimed it.', 'Whichever answer comes first is the reply.')}
${wrong && html`<p class="error" id="answer-error" role="alert">${icon('warn')}<span>${error.message}${dropped}</span></p>`}
<form class="fields" method="post" action="${root}console/answers/${message.id}${search(filter)}" enctype="multipart/form-data" data-once data-compose data-root="${root}">
${tokenField(signed)}<input type="hidden" name="once" value="${randomUUID()}"><input type="hidden" name="seen" value="${seenText(seenOf(message))}"><input type="hidden" name="base" value="${seenText(form.seen)}"><input type="hidden" name="draft" value="${draft && draftTag(draft)}">
${meanwhile !== undefined && meanwhileBar(meanwhile, form.mailbox, form.now)}
<div class="composer" data-drop><label class="sr" for="answer-body">Your answer</label>
<textarea class="input" id="answer-body" name="body" rows="5" dir="auto" aria-describedby="answer-hint${wrong && ' answer-error'}"${wrong && html` aria-invalid="true"`} data-answer-body>\n${text}</textarea>
<div data-kept-files>${keptFiles(draft?.attachments ?? [], root)}</div>
<div class="attach"><label class="sr" for="answer-files">Files</label><input class="input" type="file" multiple id="answer-files" name="files" data-answer-files><span class="meta" role="status" data-kept>${draft !== undefined && 'Kept as a draft'}</span></div>
${previewButton(root)}<p class="hint" id="answer-hint">${hint}<span data-keys hidden> Drop or paste files here.${meanwhile === undefined && html` <kbd>Ctrl</kbd>+<kbd>Enter</kbd> sends.`}</span></p></div>
<div class="decide">${
    meanwhile !== undefined
      ? html`<button type="button" class="button" aria-disabled="true">${icon('send')}Choose first</button>`
      : html`<button class="button ink" name="do" value="completed" data-send>${icon('send')}${further ? 'Send' : 'Answer'}</button>${!further && html`<button class="button" name="do" value="input_required">Ask back</button>${REJECTION}`}<button class="button quiet" name="do" value="keep" data-keep>Keep as a draft</button>`
  }</div>
</form>
</section>`;
}

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
