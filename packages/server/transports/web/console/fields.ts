import { AppError, type FieldError, problems } from '@mailroom/behavior/values/error';
import { type Html, html, type Part } from '../../../http/html.ts';
import { errorLine } from '../form/controls.ts';
import type { ErrorLink } from '../schema-form.ts';

/** Errors by field, with the links of the summary. */
export class FormErrors {
  readonly links: ErrorLink[] = [];
  readonly #byPointer: ReadonlyMap<string, string>;

  constructor(errors: readonly FieldError[]) {
    this.#byPointer = new Map(errors.map(({ pointer, message }) => [pointer, message]));
  }

  /** The error at a field; the summary then links to it. */
  at(pointer: string, id: string): string | undefined {
    const message = this.#byPointer.get(pointer);
    if (message !== undefined) this.links.push({ href: `#${id}`, text: message });
    return message;
  }

  /** A label, its control, its hint, and its error, which is that at `pointer`. */
  line(id: string, label: Part, hint: Part | undefined, control: Control, pointer = `/${id}`): Html {
    return line({ id, label, error: this.at(pointer, id), ...(hint !== undefined && { hint }) }, control);
  }

  /** A field for one line of text, with its error, which is that at `pointer`. */
  textLine(id: string, label: Part, hint: Part | undefined, value: string, more?: Html, pointer = `/${id}`): Html {
    return this.line(id, label, hint, textInput(value, more), pointer);
  }
}

/** The texts of these fields of a form. */
export const textsOf = <Name extends string>(form: URLSearchParams, names: readonly Name[]): Record<Name, string> =>
  Object.fromEntries(names.map((name) => [name, (form.get(name) ?? '').trim()])) as Record<Name, string>;

/** Error codes that a form shows beside what was typed. */
const FORM_ERRORS: ReadonlySet<AppError['code']> = new Set(['validation_error', 'body_too_large', 'access_denied']);

/** The status of a form's page that shows `errorsOf(error)`. */
export const errorStatus = (error: unknown): number =>
  error instanceof AppError && FORM_ERRORS.has(error.code) ? problems[error.code].status : 422;

/** The errors of what was typed. Rethrows every other error. */
export function errorsOf(
  error: unknown,
  pointers: Partial<Record<AppError['code'], string>> = {},
): readonly FieldError[] {
  if (!(error instanceof AppError)) throw error;
  const pointer = pointers[error.code];
  if (pointer !== undefined) return [{ pointer, message: error.message }];
  if (!FORM_ERRORS.has(error.code)) throw error;
  // This concerns all settings together, so no field shows it.
  if (error.code === 'body_too_large') return [{ pointer: '', message: error.message }];
  return error.errors.length > 0 ? error.errors : [{ pointer: '', message: error.message }];
}

/** For `catch`: undefined for an error with this code; rethrows every other. */
export const noneFor =
  (code: AppError['code']) =>
  (error: unknown): undefined => {
    if (!(error instanceof AppError) || error.code !== code) throw error;
  };

/** Errors with their pointers below `place`; those elsewhere at the top of the form. */
export const placed = (errors: readonly FieldError[], place: string): readonly FieldError[] =>
  errors.map(({ pointer, message }) => {
    const isBelow = `${pointer}/`.startsWith(`${place}/`);
    return { pointer: isBelow ? pointer.slice(place.length) : '', message };
  });

type Control = (attributes: Html) => Html;

interface Line {
  readonly id: string;
  /** The name of the control, where it is not its id. */
  readonly name?: string;
  readonly label: Part;
  readonly hint?: Part;
  readonly error: string | undefined;
}

const describedBy = ({ id, hint, error }: Line): Html | false => {
  const ids = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ');
  return html`${ids !== '' && html` aria-describedby="${ids}"`}${error !== undefined && html` aria-invalid="true"`}`;
};

/** A label, its control, its hint and its error. The control receives its attributes as an argument. */
export const line = (field: Line, control: Control): Html => html`<div class="field">
<label for="${field.id}">${field.label}</label>
${control(html`id="${field.id}" name="${field.name ?? field.id}"${describedBy(field)}`)}
${field.hint !== undefined && html`<p class="hint" id="${field.id}-hint">${field.hint}</p>`}${field.error !== undefined && errorLine(`${field.id}-error`, field.error)}
</div>`;

/** A field for one line of text. */
export const textLine = (of: Line, value: string, more?: Html): Html => line(of, textInput(value, more));

const textInput =
  (value: string, more: Html | undefined): Control =>
  (attributes) =>
    html`<input class="input" ${attributes} value="${value}" dir="auto"${more}>`;

/** Asks for the name to be typed, so that nothing is deleted by mistake. */
export function deletion(form: {
  readonly what: string;
  readonly consequences: string;
  readonly action: string;
  readonly keep: string;
  readonly token: Html;
  readonly wrong: boolean;
}): Html {
  const error = form.wrong ? `This is not ${form.what}. Nothing was deleted.` : undefined;
  return html`<form class="stack" method="post" action="${form.action}">${form.token}
${line({ id: 'typed', label: html`Type <b>${form.what}</b> to delete it`, hint: form.consequences, error }, (attributes) => html`<input class="input" ${attributes} autocomplete="off" spellcheck="false" autocapitalize="none" dir="ltr">`)}
<div class="row"><button class="button danger" name="do" value="delete">Delete ${form.what}</button><a class="button quiet" href="${form.keep}">Keep it</a></div>
</form>`;
}
