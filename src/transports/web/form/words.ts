import type { Kind, Schema } from './kind.ts';

/** What a field says to people, where the schema's own words are for programs. */
export interface FieldWords {
  readonly label?: string;
  readonly hint?: string;
  /** Beside the label, where the schema alone does not say that it is needed. */
  readonly need?: string;
  /** What its choices are called, in the order shown. */
  readonly options?: Readonly<Record<string, string>> | undefined;
  /** What is chosen where nothing is set. */
  readonly initial?: string;
  /** Of a record: what its keys and values are called, and which keys there are to choose from. */
  readonly key?: string;
  readonly value?: string;
  readonly keys?: Readonly<Record<string, string>>;
  /** What one row is called, with its number, where something in it is to be mended. */
  readonly row?: string;
  /** On the button for one more row. */
  readonly add?: string;
  /** As browsers fill it in (WHATWG HTML, section 4.10.18.7). */
  readonly autocomplete?: string;
}

/** By JSON pointer into the settings; `*` stands for a row. */
export type FormWords = Readonly<Record<string, FieldWords>>;

/** `corrected_text` and `correctedText` as people write them: “Corrected text”. */
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

/** A field as it is called within its row: “Link 2, address”. */
export function labelIn(row: string | undefined, label: string): string {
  if (row === undefined) return label;
  // An acronym stays one.
  const low = /^\p{Lu}(?!\p{Lu})/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
  return `${row}, ${low}`;
}

/** What there is to say about it; words that say nothing silence the schema's own. */
export function describe(words: FieldWords | undefined, { description }: Schema): string | undefined {
  const hint = words?.hint ?? description;
  return typeof hint === 'string' && hint !== '' ? hint : undefined;
}

/** What the check says of a value, for someone who looks at a field. */
export function errorText(message: string, kind: Kind): string {
  if (kind.kind === 'json') return `${message} It is written as JSON.`;
  if (kind.kind === 'text' && kind.as === 'url' && message.includes('the form that is wanted'))
    return 'Write a web address, such as https://ada.example.';
  if (kind.kind === 'number' && /^This must be (a|an) (number|integer)/.test(message))
    return kind.whole ? 'Write a whole number.' : 'Write a number.';
  if (/^This must be an? string/.test(message)) return 'Write some text.';
  return message;
}
