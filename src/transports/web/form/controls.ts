import { indentedJson } from '../../../core/values/indented-json.ts';
import type { Html } from '../../../http/html.ts';
import { html, prose } from '../../../http/html.ts';
import { icon } from '../pieces.ts';
import type { Kind, Schema } from './kind.ts';
import { hereName, jsonName } from './kind.ts';
import type { FieldWords } from './words.ts';
import { humanize } from './words.ts';

/** All that a control shows beside its value. */
export interface Shown {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly optional: boolean;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  /** Beside the label: that it is needed, in words. */
  readonly need?: string | undefined;
  readonly schema: Schema;
  readonly words: FieldWords | undefined;
  /** Of which row it is, told to who cannot see it. */
  readonly nth?: string;
  /** The label is for screen readers: the row above shows it. */
  readonly quiet?: boolean;
}

const hintId = ({ id }: Shown): string => `${id}~hint`;
const errorId = ({ id }: Shown): string => `${id}~fault`;

/** The sentence at a field that is wrong. */
export const errorLine = (id: string, message: string): Html =>
  html`<p class="fault" id="${id}">${icon('warn')}<span>${message}</span></p>`;

/** The id of the words that a field is needed, where there are any. */
const needId = ({ id, need }: Shown): string | undefined => (need === undefined ? undefined : `${id}~need`);

function described(shown: Shown): Html | false {
  const ids = [
    needId(shown),
    shown.hint !== undefined && hintId(shown),
    shown.error !== undefined && errorId(shown),
  ].filter(Boolean);
  const by = ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`;
  return html`${by}${shown.error !== undefined && html` aria-invalid="true"`}`;
}

const notes = (shown: Shown): Html =>
  html`${shown.hint !== undefined && html`<p class="hint" id="${hintId(shown)}">${prose(shown.hint)}</p>`}${
    shown.error !== undefined && errorLine(errorId(shown), shown.error)
  }`;

/** That a field is needed, in words, beside its label; the control is described by it. */
export const needMark = (id: string, need: string | undefined): Html | false =>
  need !== undefined && html`<span class="need" id="${id}~need">${need}</span>`;

/** A label, its control, and what there is to say about it. */
export const field = (shown: Shown, control: Html): Html => html`<div class="field">
<label for="${shown.id}"${shown.quiet && html` class="sr"`}>${shown.label}${
  shown.nth !== undefined && html`<span class="sr"> ${shown.nth}</span>`
}</label>${needMark(shown.id, shown.need)}
${control}
${notes(shown)}
</div>`;

/** Fields that belong together. */
export const group = (
  shown: Shown,
  inner: Html,
): Html => html`<fieldset class="field group" id="${shown.id}" tabindex="-1"${
  (shown.need ?? shown.hint ?? shown.error) !== undefined &&
  html` aria-describedby="${[needId(shown), shown.hint && hintId(shown), shown.error && errorId(shown)].filter(Boolean).join(' ')}"`
}>
<legend class="label">${shown.label}</legend>${needMark(shown.id, shown.need)}
${notes(shown)}
${inner}
</fieldset>`;

/** A line or a box of text, of the kind that gives a phone the right keys. */
export function input(shown: Shown, kind: Kind, value: unknown): Html {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const { id, name, schema, words } = shown;
  // A browser counts UTF-16 units, of which a character that the check counts has one or two.
  const max = typeof schema.maxLength === 'number' && html` maxlength="${schema.maxLength * 2}"`;
  const common = html`class="input" id="${id}" name="${name}"${described(shown)}${
    !shown.optional && html` aria-required="true"`
  }${words?.autocomplete !== undefined && html` autocomplete="${words.autocomplete}"`}`;
  if (kind.kind === 'number')
    return html`<input ${common} inputmode="${kind.whole ? 'numeric' : 'decimal'}" value="${text}">`;
  if (kind.kind !== 'text') return html``;
  // A line would lose the breaks; and of a box the parser drops the first one.
  if (kind.long || text.includes('\n')) return html`<textarea ${common} rows="3" dir="auto"${max}>\n${text}</textarea>`;
  const plain = html`${max} value="${text}"`;
  if (kind.as === 'url')
    return html`<input ${common} inputmode="url" autocapitalize="none" spellcheck="false" dir="ltr"${plain}>`;
  if (kind.as === 'email') return html`<input type="email" ${common} dir="ltr"${plain}>`;
  if (kind.as === 'secret')
    return html`<input type="password" ${common}${words?.autocomplete === undefined && html` autocomplete="off"`}${plain}>`;
  return html`<input ${common} dir="auto"${plain}>`;
}

/** What an option is called; its own name where it has no other. */
const wordOf = (words: Readonly<Record<string, string>> | undefined, option: string): string =>
  (words !== undefined && Object.hasOwn(words, option) ? words[option] : undefined) ?? humanize(option);

/** One of a few. Without a default there is a way to choose none. */
export function choice(shown: Shown, options: readonly (string | number)[], value: unknown): Html {
  const { id, name, schema, words } = shown;
  const initial = schema.default ?? words?.initial;
  const chosen = value ?? initial;
  const known = chosen === undefined || options.some((option) => option === chosen);
  const all = known ? options : [...options, chosen as string | number];
  const called = (option: string | number): string => {
    const text = String(option);
    return wordOf(words?.options, text);
  };
  return html`<select class="input" id="${id}" name="${name}"${described(shown)}>${
    initial === undefined && html`<option value="">Choose</option>`
  }${all.map((option) => html`<option value="${option}"${option === chosen && html` selected`}>${called(option)}</option>`)}</select>`;
}

/** A tick. What it says when it is not ticked is sent too, so that “no” is not taken for “not said”. */
export const flag = (shown: Shown, value: boolean | undefined, preset: boolean): Html => {
  const off = value === undefined && !preset ? '' : 'false';
  return html`<div class="field">
<input type="hidden" name="${shown.name}" value="${off}">
<label class="tick"><input type="checkbox" id="${shown.id}" name="${shown.name}" value="true"${
    (value ?? preset) && html` checked`
  }${described(shown)}> ${shown.label}</label>
${notes(shown)}
</div>`;
};

/** Any of a few. */
export const choices = (
  shown: Shown,
  options: readonly (string | number)[],
  values: readonly unknown[],
  here: boolean,
): Html =>
  group(
    shown,
    html`${here && html`<input type="hidden" name="${hereName(shown.name)}" value="1">`}${options.map(
      (option) =>
        html`<label class="tick"><input type="checkbox" name="${shown.name}" value="${option}"${
          values.includes(option) && html` checked`
        }> ${wordOf(shown.words?.options, String(option))}</label>`,
    )}`,
  );

/** Anything, for who knows JSON. Text that is no JSON stands for itself. */
export function jsonBox(shown: Shown, value: unknown): Html {
  const hint = [shown.hint, 'Written as JSON.'].filter(Boolean).join(' ');
  const own = { ...shown, id: jsonName(shown.id), name: jsonName(shown.name), hint };
  const text = value === undefined ? '' : isOwnText(value) ? value : indentedJson(value);
  return field(
    own,
    html`<textarea class="input mono" id="${own.id}" name="${own.name}" rows="4" dir="ltr" spellcheck="false" autocapitalize="none"${described(own)}>\n${text}</textarea>`,
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

/** One of a few, each with what it means. */
export const radios = (name: string, legend: string, options: readonly Option[], chosen: string): Html =>
  html`<fieldset class="field group"><legend class="label">${legend}</legend>${options.map(({ value, label, hint }) => tick('radio', name, { value, label, ...(hint === undefined ? {} : { hint }) }, value === chosen))}</fieldset>`;

/** One tick, with what it means. */
export const tick = (type: 'radio' | 'checkbox', name: string, { value, label, hint }: Option, on: boolean): Html => {
  const id = `${name}-${value}`;
  return html`<label class="tick"><input type="${type}" id="${id}" name="${name}" value="${value}"${hint !== undefined && html` aria-describedby="${id}-hint"`}${on && html` checked`}><span>${label}${hint !== undefined && html`<span class="hint" id="${id}-hint">${hint}</span>`}</span></label>`;
};
