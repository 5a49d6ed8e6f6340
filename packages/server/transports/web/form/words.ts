import type { FieldWords } from '@mailroom/behavior/looks';
import type { Kind, Schema } from './kind.ts';

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
