import type { FieldError } from '@mailroom/behavior/values/error';
import { MAX_FILES } from '../../../core/entities/attachment.ts';
import type { DraftView } from '../../../core/entities/draft.ts';
import { bytesInWords } from '../../../core/entities/storage-size.ts';
import { type Html, html } from '../../../http/html.ts';
import { summary } from '../new/parts.ts';
import { icon, note } from '../pieces.ts';
import { keptFiles, previewButton } from './answer-form.ts';
import { FormErrors, line, textLine } from './fields.ts';
import { listField } from './recipients.ts';
import { heading, type Side } from './shell.ts';
import { type Signed, tokenField } from './sign-in-form.ts';
import { FORM_ZONE, type TypedMessage } from './typed-message.ts';

export interface WriteView {
  readonly typed: TypedMessage;
  /** The draft as it is stored, if the message is one. */
  readonly draft: DraftView | undefined;
  readonly errors: readonly FieldError[];
  /** Files were sent with the form and could not be kept. */
  readonly dropped: boolean;
  readonly limits: { readonly max_file: number; readonly max_files: number };
  readonly side: Side;
  readonly signed: Signed;
}

/** The form for a message. */
export function writeMain(view: WriteView): Html {
  const { typed, draft, signed } = view;
  const { name } = signed.session.namespace;
  const errors = new FormErrors(view.errors);
  const top = errors.at('', 'form');
  const field = (id: 'subject' | 'body') => ({ id, error: errors.at(`/${id}`, id) });
  const from = sender(view, errors);
  const to = listField('to', typed, errors, {
    hint: html`Addresses, with commas between them. For one of ${name}, its name is enough: <span dir="ltr">hello</span>.`,
  });
  const copies = copyFields(typed, errors);
  const subject = textLine(
    { ...field('subject'), label: 'Subject', hint: 'Optional.' },
    typed.subject,
    html` maxlength="998" autocomplete="off"`,
  );
  const body = line(
    { ...field('body'), label: 'Message' },
    (attributes) =>
      html`<textarea class="input" ${attributes} rows="8" dir="auto" data-body>\n${typed.body}</textarea>${previewButton('../')}`,
  );
  const files = fileField(view, errors);
  const later = laterField(view, errors);
  return html`${heading(draft === undefined ? 'Write a message' : 'Edit a draft', undefined)}
${summary(errors.links)}${top !== undefined && html`<p class="error" id="form" tabindex="-1">${icon('warn')}<span>${top}</span></p>`}
${draft?.error != null && view.errors.length === 0 && note('bad', 'warn', 'It could not be sent.', html`<span dir="auto">${draft.error.message}</span>`)}
${draft !== undefined && draft.data !== null && html`<p class="hint">This draft also has a structured part, which is sent with it.</p>`}
<form class="fields" method="post" action="write" enctype="multipart/form-data" data-write data-once data-root="../" data-compose="${draft?.send_at == null ? 'kept' : 'by-hand'}">
${/* Enter in a field presses the first button. */ html`<button class="sr" name="do" value="save" tabindex="-1" aria-hidden="true">Save draft</button>`}
${tokenField(signed)}<input type="hidden" name="once" value="${typed.idempotency}"><input type="hidden" name="draft" value="${typed.draft}"><input type="hidden" name="tag" value="${typed.tag}"><input type="hidden" name="reply" value="${typed.in_reply_to}">
${from}
${to}
${copies}
${subject}
${body}
${later}
<div class="composer" data-drop>${files}
<p class="hint" data-keys hidden>Drop or paste files here. <kbd>Ctrl</kbd>+<kbd>Enter</kbd> sends.</p></div>
<p class="meta kept" role="status" data-kept></p>
<div class="row"><button class="button ink" name="do" value="send">${icon('send')}Send</button><button class="button" name="do" value="save">Save draft</button><a class="button quiet" href="drafts">Back to drafts</a></div>
</form>`;
}

/** Cc and Bcc, folded while nothing is in them. */
function copyFields(typed: TypedMessage, errors: FormErrors): Html {
  const [cc, bcc] = [listField('cc', typed, errors), listField('bcc', typed, errors)];
  const open =
    typed.cc !== '' || typed.bcc !== '' || errors.links.some(({ href }) => href === '#cc' || href === '#bcc');
  return html`<details class="copies"${open && html` open`}><summary>Cc, Bcc</summary><div class="fields">${cc}${bcc}</div></details>`;
}

/** The choice of the address to write as; where there are too many to list, a field with suggestions. */
function sender({ typed, side, signed }: WriteView, errors: FormErrors): Html {
  const { name } = signed.session.namespace;
  const names = side.mailboxes.map(({ local_part }) => local_part);
  const all = typed.from === '' || names.includes(typed.from) ? names : [typed.from, ...names];
  const field = {
    id: 'from',
    label: 'From',
    error: errors.at('/from', 'from'),
    hint: `Without an address, the answer is shown under Sent only.`,
  };
  if (side.mailbox_count > names.length) {
    return line(
      field,
      (attributes) =>
        html`<input class="input" ${attributes} value="${typed.from}" list="names" maxlength="320" autocomplete="off" autocapitalize="none" spellcheck="false" dir="ltr" placeholder="${name}, without an address"><datalist id="names">${names.map((one) => html`<option value="${one}"></option>`)}</datalist>`,
    );
  }
  return line(
    field,
    (attributes) =>
      html`<select class="input" ${attributes}>${all.map((one) => html`<option value="${one}"${one === typed.from && html` selected`}>${one.includes('@') ? one : `${one}@${name}`}</option>`)}<option value=""${typed.from === '' && html` selected`}>${name}, without an address</option></select>`,
  );
}

/** The files of the draft, each of which may be removed, and a field for more. */
function fileField({ draft, typed, dropped, limits }: WriteView, errors: FormErrors): Html {
  const stored = draft?.attachments ?? [];
  const kept = keptFiles(stored, '../', typed.files);
  const hint = html`Up to ${MAX_FILES}, each of at most ${bytesInWords(limits.max_file)}, together ${bytesInWords(limits.max_files)}.${dropped && ' Choose them again: they were not kept.'}`;
  return html`<div class="kept-files" role="group" aria-label="Kept with the draft unless it is unticked" data-kept-files>${kept}</div>
${errors.line('files', stored.length > 0 ? 'More files' : 'Files', hint, (attributes) => html`<input class="input" type="file" multiple ${attributes}>`, '/attachments')}`;
}

function laterField({ typed, draft }: WriteView, errors: FormErrors): Html {
  const [timeError, zone] = [errors.at('/send_at', 'send_at'), errors.at('/zone', 'zone')];
  const open = typed.send_at !== '' || timeError !== undefined || zone !== undefined;
  const unchanged = typed.zone === FORM_ZONE && timeError === undefined && zone === undefined;
  return html`<details class="later"${open && html` open`}><summary>Send later</summary><div class="fields">
${line({ id: 'send_at', label: 'Date and time', error: timeError }, (attributes) => html`<input class="input" type="datetime-local" ${attributes} value="${typed.send_at}">`)}
${line({ id: 'zone', label: 'Time zone', hint: 'The zone of this date and time: UTC, or a name such as Europe/Berlin.', error: zone }, (attributes) => html`<input class="input" ${attributes} value="${typed.zone}" maxlength="60" autocomplete="off" autocapitalize="none" spellcheck="false" dir="ltr"${unchanged && html` data-zone`}>`)}
<div class="row"><button class="button" name="do" value="later">${icon('clock')}Send at this time</button></div>
${draft?.send_at != null && html`<p class="hint">Saving it as a draft takes it off the schedule.</p>`}
</div></details>`;
}
