import type { Fault } from '../../../core/error.ts';
import { AppError, problems } from '../../../core/error.ts';
import type { Html, Part } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import { faultLine } from '../form/controls.ts';
import type { FaultLink } from '../schema-form.ts';

/** What is wrong by field, and the links of the summary. */
export class Faults {
  readonly links: FaultLink[] = [];
  readonly #byPointer: ReadonlyMap<string, string>;

  constructor(faults: readonly Fault[]) {
    this.#byPointer = new Map(faults.map(({ pointer, message }) => [pointer, message]));
  }

  /** The sentence at a field, which the summary then links to. */
  at(pointer: string, id: string): string | undefined {
    const message = this.#byPointer.get(pointer);
    if (message !== undefined) this.links.push({ href: `#${id}`, text: message });
    return message;
  }
}

/** What the form itself can say, beside what was typed. */
const FAULTS: ReadonlySet<AppError['code']> = new Set(['validation_error', 'body_too_large']);

/** The status of a form's page that shows `faultsOf(error)`. */
export const faultStatus = (error: unknown): number =>
  error instanceof AppError && FAULTS.has(error.code) ? problems[error.code].status : 422;

/** What a form is told of: faults of what was typed. Rethrows everything else. */
export function faultsOf(error: unknown, pointers: Partial<Record<AppError['code'], string>> = {}): readonly Fault[] {
  if (!(error instanceof AppError)) throw error;
  const pointer = pointers[error.code];
  if (pointer !== undefined) return [{ pointer, message: error.message }];
  if (!FAULTS.has(error.code)) throw error;
  // Of all settings together: no field of the form is to blame.
  if (error.code === 'body_too_large') return [{ pointer: '', message: error.message }];
  return error.faults.length > 0 ? error.faults : [{ pointer: '', message: error.message }];
}

interface Line {
  readonly id: string;
  readonly label: Part;
  readonly hint?: Part;
  readonly fault: string | undefined;
}

const describedBy = ({ id, hint, fault }: Line): Html | false => {
  const ids = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`].filter(Boolean).join(' ');
  return html`${ids !== '' && html` aria-describedby="${ids}"`}${fault !== undefined && html` aria-invalid="true"`}`;
};

/** A label, its control, what it is for and what is wrong with it. The control gets its attributes handed in. */
export const line = (of: Line, control: (attributes: Html) => Html): Html => html`<div class="field">
<label for="${of.id}">${of.label}</label>
${control(html`id="${of.id}" name="${of.id}"${describedBy(of)}`)}
${of.hint !== undefined && html`<p class="hint" id="${of.id}-hint">${of.hint}</p>`}${of.fault !== undefined && faultLine(`${of.id}-fault`, of.fault)}
</div>`;

/** A line of text. */
export const textLine = (of: Line, value: string, more?: Html): Html =>
  line(of, (attributes) => html`<input class="input" ${attributes} value="${value}" dir="auto"${more}>`);

/** A name typed out so that nobody deletes by mistake. */
export function deletion(of: {
  readonly what: string;
  readonly consequences: string;
  readonly action: string;
  readonly keep: string;
  readonly token: Html;
  readonly wrong: boolean;
}): Html {
  const fault = of.wrong ? `This is not ${of.what}. Nothing was deleted.` : undefined;
  return html`<form class="stack" method="post" action="${of.action}">${of.token}
${line({ id: 'typed', label: html`Type <b>${of.what}</b> to delete it`, hint: of.consequences, fault }, (attributes) => html`<input class="input" ${attributes} autocomplete="off" spellcheck="false" autocapitalize="none" dir="ltr">`)}
<div class="row"><button class="button danger" name="do" value="delete">Delete ${of.what}</button><a class="button quiet" href="${of.keep}">Keep it</a></div>
</form>`;
}
