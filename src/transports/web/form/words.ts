import type { Kind, Schema } from './kind.ts';

/** Labels and hints of a field for people; those of the schema are for programs. */
export interface FieldWords {
  readonly label?: string;
  readonly hint?: string;
  /** Shown beside the label where the schema alone does not say that the field is required. */
  readonly need?: string;
  /** Labels of the options, in the order shown. */
  readonly options?: Readonly<Record<string, string>> | undefined;
  /** The option that is selected where nothing is set. */
  readonly initial?: string;
  /** The label of the keys of a record. */
  readonly key?: string;
  /** The label of the values of a record. */
  readonly value?: string;
  /** The keys of a record to choose from, with their labels. */
  readonly keys?: Readonly<Record<string, string>>;
  /** How a row is called, before its number, in the list of errors. */
  readonly row?: string;
  /** The label of the button that adds a row. */
  readonly add?: string;
  /** The autofill token (WHATWG HTML, section 4.10.18.7). */
  readonly autocomplete?: string;
}

/** Words by JSON pointer into the settings; `*` stands for a row. */
export type FormWords = Readonly<Record<string, FieldWords>>;

/** Turns `corrected_text` and `correctedText` into “Corrected text”. */
export function humanize(name: string): string {
  const words = name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/[_\s./-]+/g, ' ')
    .trim();
  if (words === '') return 'Value';
  const low = words === words.toUpperCase() ? words : words.toLowerCase();
  return (low.charAt(0).toUpperCase() + low.slice(1)).replace(/\b(url|id|api)s?\b/gi, (word) =>
    word.replace(/^(url|id|api)/i, (acronym) => acronym.toUpperCase()),
  );
}

export const labelOf = (words: FieldWords | undefined, schema: Schema, name: string): string =>
  words?.label ?? (typeof schema.title === 'string' && schema.title !== '' ? schema.title : humanize(name));

/** The label of a field within a row: “Link 2, address”. */
export function labelIn(row: string | undefined, label: string): string {
  if (row === undefined) return label;
  // Acronyms keep their capitals.
  const low = /^\p{Lu}(?!\p{Lu})/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
  return `${row}, ${low}`;
}

/** The hint of a field; an empty one suppresses the schema's description. */
export function describe(words: FieldWords | undefined, { description }: Schema): string | undefined {
  const hint = words?.hint ?? description;
  return typeof hint === 'string' && hint !== '' ? hint : undefined;
}

/** A validation message reworded for a form. */
export function errorText(message: string, kind: Kind): string {
  if (kind.kind === 'json') return `${message} It is written as JSON.`;
  if (kind.kind === 'text' && kind.as === 'url' && message.includes('the form that is wanted'))
    return 'Write a web address, such as https://ada.example.';
  if (kind.kind === 'number' && /^This must be (a|an) (number|integer)/.test(message))
    return kind.whole ? 'Write a whole number.' : 'Write a number.';
  if (/^This must be an? string/.test(message)) return 'Write some text.';
  return message;
}
