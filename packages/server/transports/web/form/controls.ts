import type { FieldWords } from '@mailroom/behavior/looks';
import { indentedJson } from '@mailroom/behavior/values/indented-json';
import { type Html, html, prose } from '../../../http/html.ts';
import { icon } from '../pieces.ts';
import { hereName, jsonName, type Kind, type Schema } from './kind.ts';
import { humanize } from './words.ts';

/** Everything that a control shows beside its value. */
export interface Shown {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly optional: boolean;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  /** The words beside the label that mark the field as required. */
  readonly need?: string | undefined;
  readonly schema: Schema;
  readonly words: FieldWords | undefined;
  /** The number of the row, for screen readers. */
  readonly nth?: string;
  /** The label is for screen readers only, since the row above shows it. */
  readonly quiet?: boolean;
}

const hintId = ({ id }: Shown): string => `${id}~hint`;
const errorId = ({ id }: Shown): string => `${id}~error`;

/** The error at a field. */
export const errorLine = (id: string, message: string): Html =>
  html`<p class="error" id="${id}">${icon('warn')}<span>${message}</span></p>`;

/** The id of the words that mark the field as required, where there are any. */
const needId = ({ id, need }: Shown): string | undefined => (need === undefined ? undefined : `${id}~need`);

function described(view: Shown): Html | false {
  const ids = [needId(view), view.hint !== undefined && hintId(view), view.error !== undefined && errorId(view)].filter(
    Boolean,
  );
  const by = ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`;
  return html`${by}${view.error !== undefined && html` aria-invalid="true"`}`;
}

const notes = (shown: Shown): Html =>
  html`${shown.hint !== undefined && html`<p class="hint" id="${hintId(shown)}">${prose(shown.hint)}</p>`}${
    shown.error !== undefined && errorLine(errorId(shown), shown.error)
  }`;

/** The words beside the label that mark the field as required; they describe the control. */
const needMark = (id: string, need: string | undefined): Html | false =>
  need !== undefined && html`<span class="need" id="${id}~need">${need}</span>`;

/** A label, its control, its hint and its error. */
export const field = (view: Shown, control: Html): Html => html`<div class="field">
<label for="${view.id}"${view.quiet && html` class="sr"`}>${view.label}${
  view.nth !== undefined && html`<span class="sr"> ${view.nth}</span>`
}</label>${needMark(view.id, view.need)}
${control}
${notes(view)}
</div>`;

/** A fieldset of related fields. */
export const group = (
  view: Shown,
  inner: Html,
): Html => html`<fieldset class="field group" id="${view.id}" tabindex="-1"${
  (view.need ?? view.hint ?? view.error) !== undefined &&
  html` aria-describedby="${[needId(view), view.hint && hintId(view), view.error && errorId(view)].filter(Boolean).join(' ')}"`
}>
<legend class="label">${view.label}</legend>${needMark(view.id, view.need)}
${notes(view)}
${inner}
</fieldset>`;

/** A text field or text area; its type makes phones show a suitable keyboard. */
export function input(view: Shown, kind: Kind, value: unknown): Html {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const { id, name, schema, words } = view;
  // Browsers count UTF-16 code units, validation counts characters of one or two units.
  const max = typeof schema.maxLength === 'number' && html` maxlength="${schema.maxLength * 2}"`;
  const common = html`class="input" id="${id}" name="${name}"${described(view)}${
    !view.optional && html` aria-required="true"`
  }${words?.autocomplete !== undefined && html` autocomplete="${words.autocomplete}"`}`;
  if (kind.kind === 'number')
    return html`<input ${common} inputmode="${kind.whole ? 'numeric' : 'decimal'}" value="${text}">`;
  if (kind.kind !== 'text') return html``;
  // A single-line field would drop line breaks, and the HTML parser drops the first line break of a text area.
  if (kind.long || text.includes('\n')) return html`<textarea ${common} rows="3" dir="auto"${max}>\n${text}</textarea>`;
  const plain = html`${max} value="${text}"`;
  if (kind.as === 'url')
    return html`<input type="url" ${common} autocapitalize="none" spellcheck="false" dir="ltr"${plain}>`;
  if (kind.as === 'email') return html`<input type="email" ${common} dir="ltr"${plain}>`;
  if (kind.as === 'secret')
    return html`<input type="password" ${common}${words?.autocomplete === undefined && html` autocomplete="off"`}${plain}>`;
  return html`<input ${common} dir="auto"${plain}>`;
}

/** The label of an option; its own name where it has none. */
const wordOf = (words: Readonly<Record<string, string>> | undefined, option: string): string =>
  (words !== undefined && Object.hasOwn(words, option) ? words[option] : undefined) ?? humanize(option);

/** A choice of one; without a default it can be left unset. */
export function choice(view: Shown, options: readonly (string | number)[], value: unknown): Html {
  const { id, name, schema, words } = view;
  const initial = schema.default ?? words?.initial;
  const chosen = value ?? initial;
  const known = chosen === undefined || options.some((option) => option === chosen);
  const all = known ? options : [...options, chosen as string | number];
  const called = (option: string | number): string => {
    const text = String(option);
    return wordOf(words?.options, text);
  };
  return html`<select class="input" id="${id}" name="${name}"${described(view)}>${
    initial === undefined && html`<option value="">Choose</option>`
  }${all.map((option) => html`<option value="${option}"${option === chosen && html` selected`}>${called(option)}</option>`)}</select>`;
}

/** A checkbox. Its unchecked state is sent too, so that “no” differs from “not set”. */
export const flag = (view: Shown, value: boolean | undefined, preset: boolean): Html => {
  const off = value === undefined && !preset ? '' : 'false';
  return html`<div class="field">
<input type="hidden" name="${view.name}" value="${off}">
<label class="tick"><input type="checkbox" id="${view.id}" name="${view.name}" value="true"${
    (value ?? preset) && html` checked`
  }${described(view)}> ${view.label}</label>
${notes(view)}
</div>`;
};

/** A choice of several. */
export const choices = (
  view: Shown,
  options: readonly (string | number)[],
  values: readonly unknown[],
  here: boolean,
): Html =>
  group(
    view,
    html`${here && html`<input type="hidden" name="${hereName(view.name)}" value="1">`}${options.map(
      (option) =>
        html`<label class="tick"><input type="checkbox" name="${view.name}" value="${option}"${
          values.includes(option) && html` checked`
        }> ${wordOf(view.words?.options, String(option))}</label>`,
    )}`,
  );

/** A field for any JSON. Text that is not JSON is shown as it is. */
export function jsonBox(shown: Shown, value: unknown): Html {
  const hint = [shown.hint, 'Written as JSON.'].filter(Boolean).join(' ');
  const jsonView = { ...shown, id: jsonName(shown.id), name: jsonName(shown.name), hint };
  const text = value === undefined ? '' : isOwnText(value) ? value : indentedJson(value);
  return field(
    jsonView,
    html`<textarea class="input mono" id="${jsonView.id}" name="${jsonView.name}" rows="4" dir="ltr" spellcheck="false" autocapitalize="none"${described(jsonView)}>\n${text}</textarea>`,
  );
}

function isOwnText(value: unknown): value is string {
  if (typeof value !== 'string' || value.trim() === '') return false;
  try {
    JSON.parse(value);
    return false;
  } catch {
    return true;
  }
}

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** Radio buttons with a description each. */
export const radios = (name: string, legend: string, options: readonly Option[], chosen: string): Html =>
  html`<fieldset class="field group"><legend class="label">${legend}</legend>${options.map(({ value, label, hint }) => tick('radio', name, { value, label, ...(hint === undefined ? {} : { hint }) }, value === chosen))}</fieldset>`;

/** A checkbox or radio button with a description. */
export const tick = (type: 'radio' | 'checkbox', name: string, { value, label, hint }: Option, on: boolean): Html => {
  const id = `${name}-${value}`;
  return html`<label class="tick"><input type="${type}" id="${id}" name="${name}" value="${value}"${hint !== undefined && html` aria-describedby="${id}-hint"`}${on && html` checked`}><span>${label}${hint !== undefined && html`<span class="hint" id="${id}-hint">${hint}</span>`}</span></label>`;
};
