import { TaskError } from '../task.ts';
import { between, cleaned, filledIn, joined, numbered, padded, part, replaced, UNITS, wrapped } from './build.ts';
import { inCase, slug } from './case.ts';
import { type Counted, countAll, graphemes, occurrences } from './count.ts';
import { difference } from './difference.ts';
import { EXTRACTED, extract } from './extract.ts';
import { asText, fits, itemsOf, linesOf } from './input.ts';
import { ORDERS, sorted, unique } from './items.ts';
import { runParts } from './parts.ts';
import type { Input, Op, Output } from './schema.ts';

const among = <T extends string>(all: readonly T[], value: string | undefined): T | undefined =>
  all.find((one) => one === value);

const lettersOf = (text: string): string[] => graphemes(text.toLowerCase()).filter((one) => /[\p{L}\p{N}]/u.test(one));

type Runs = { readonly [op in Op]: (input: Input, most: number) => Output };

/** The operations; `most` is the maximum number of output bytes, checked where the output may be longer than the input. */
const RUNS: Runs = {
  count: ({ text, what, find }) => {
    if (find !== undefined) {
      if (find === '') throw new TaskError('What should be counted is empty.');
      return { result: occurrences(asText(text), find) };
    }
    if (what === 'items' || (what === undefined && Array.isArray(text))) return { result: itemsOf(text).length };
    const counts = countAll(text);
    return { result: counts[(what ?? 'words') as Exclude<Counted, 'items'>] ?? counts.words, ...counts };
  },
  case: ({ text, to }) => ({ result: inCase(asText(text), to ?? 'upper') }),
  sort: ({ text, by, descending }) => ({ result: sorted(itemsOf(text), among(ORDERS, by), descending === true) }),
  unique: ({ text, by, ignore_case }) => {
    if (by === 'words') return { result: unique(asText(text).match(/\S+/g) ?? [], ignore_case === true).join(' ') };
    const items = itemsOf(text);
    const result = unique(items, ignore_case === true);
    return { result, removed: items.length - result.length };
  },
  reverse: ({ text, by }) => {
    const list = Array.isArray(text) || /[\n,;]/.test(asText(text).trim());
    if (by === 'characters' || (by === undefined && !list)) {
      return { result: graphemes(asText(text)).reverse().join('') };
    }
    if (by === 'words') return { result: (asText(text).match(/\S+/g) ?? []).reverse().join(' ') };
    return { result: (by === 'lines' ? linesOf(asText(text)) : itemsOf(text)).reverse() };
  },
  extract: ({ text, what, selection }, most) => {
    const found = extract(asText(text), among(EXTRACTED, what) ?? 'links');
    const result = selection === undefined ? found : (runParts(found, selection, {}, most).result as string[]);
    fits(
      result.reduce((sum, one) => sum + one.length + 3, 2),
      most,
    );
    return { result };
  },
  replace: ({ text, find = '', with: by = '', only_first }, most) => {
    const { result, count } = replaced(asText(text), find, by, only_first === true, most);
    return { result, replaced: count };
  },
  split: ({ text, separator }, most) => {
    const plain = asText(text);
    if (separator === '' || separator === undefined) {
      fits(plain.length * 4, most);
      return { result: separator === '' ? graphemes(plain) : itemsOf(text) };
    }
    fits(plain.length + 3 * occurrences(plain, separator), most);
    const parts = plain.split(separator).map((one) => one.trim());
    return { result: separator.trim() === '' ? parts.filter((one) => one !== '') : parts };
  },
  join: ({ text, separator = ' ' }, most) => ({ result: joined(itemsOf(text), separator, most) }),
  diff: ({ text, other, by }, most) => {
    if (other === undefined) throw new TaskError('There is no second text to compare with.');
    const found = difference(
      asText(text, 'first text'),
      asText(other, 'second text'),
      by === 'words' || by === 'lines' ? by : undefined,
    );
    fits(found.result.length, most);
    return found;
  },
  slug: ({ text }) => ({ result: asText(text).split('\n').map(slug).join('\n') }),
  template: ({ text, values = {} }, most) => filledIn(asText(text), values, most),
  trim: ({ text, by }) => ({ result: cleaned(asText(text), by === 'lines' || by === 'marks' ? by : 'spaces') }),
  first: ({ text, count = 1, unit }) => ends(text, count, unit, 'first'),
  last: ({ text, count = 1, unit }) => ends(text, count, unit, 'last'),
  pad: ({ text, length = 1, side = 'left', with: fill = ' ' }, most) => ({
    result: padded(asText(text), length, side === 'right' ? 'right' : 'left', fill, most),
  }),
  number: ({ text, from }, most) => ({ result: numbered(asText(text), most, from) }),
  wrap: ({ text, length = 72 }) => ({ result: wrapped(asText(text), length) }),
  parts: ({ text, selection = { of: 'words' }, ...change }, most) => runParts(text, selection, change, most),
  repeat: ({ text, count = 1, separator = '' }, most) => {
    const own = asText(text);
    fits((Buffer.byteLength(own) + separator.length) * count, most);
    return { result: Array(count).fill(own).join(separator) };
  },
  between: ({ text, after: opening, before: closing, side, by }) => {
    if (opening === undefined && closing === undefined)
      throw new TaskError('Between what? Say what stands before or after.');
    return {
      result: between(asText(text), { after: opening, before: closing, last: side === 'right' }, by === 'lines'),
    };
  },
  say: ({ text }) => ({ result: asText(text) }),
  palindrome: ({ text }) => {
    const letters = lettersOf(asText(text));
    return { result: letters.length > 0 && letters.join('') === letters.toReversed().join('') ? 'yes' : 'no' };
  },
  anagram: ({ text, other }) => {
    if (other === undefined) throw new TaskError('There is no second text to compare with.');
    const [one, two] = [text, other].map((own) => lettersOf(asText(own)).sort().join(''));
    return { result: one !== '' && one === two ? 'yes' : 'no' };
  },
};

function ends(text: unknown, count: number, unit: string | undefined, end: 'first' | 'last'): Output {
  if (unit === 'items' || (unit === undefined && Array.isArray(text))) {
    const items = itemsOf(text);
    return { result: end === 'first' ? items.slice(0, count) : count === 0 ? [] : items.slice(-count) };
  }
  return { result: part(asText(text), count, among(UNITS, unit) ?? 'characters', end) };
}

/** Runs an operation with at most `most` bytes of output. Throws TaskError. */
export const runText = (input: Input, most: number): Output => RUNS[input.op as Op](input, most);
