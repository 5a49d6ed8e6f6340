import { words } from '@mailroom/behavior/values/words';
import { asText, linesOf } from './input.ts';

/** What can be counted. */
export const COUNTED = words('words characters letters lines sentences paragraphs bytes items');
export type Counted = (typeof COUNTED)[number];

/** The number of each; characters are grapheme clusters. */
export type Counts = { readonly [name in Exclude<Counted, 'items'>]: number };

const segmenters: Partial<Record<'grapheme' | 'sentence' | 'word', Intl.Segmenter>> = {};
/** Created with the first text, because the first segmenter of a process reads the list of all languages. */
const segment = (text: string, granularity: keyof typeof segmenters): Intl.Segments => {
  segmenters[granularity] ??= new Intl.Segmenter('en', { granularity });
  return segmenters[granularity].segment(text);
};
/** Scripts that write words without spaces. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const SIMPLE = /^[\n\x20-\x7e]*$/;

/** The grapheme clusters of a text. */
export const graphemes = (text: string): string[] =>
  SIMPLE.test(text) ? text.split('') : Array.from(segment(text, 'grapheme'), (part) => part.segment);

/** The words in order, unchanged. */
const wordsOf = (text: string): string[] =>
  UNSPACED.test(text)
    ? Array.from(segment(text, 'word'), (part) => (part.isWordLike ? part.segment : '')).filter((word) => word !== '')
    : (text.match(/\S+/g) ?? []).filter((word) => /[\p{L}\p{N}]/u.test(word));

/** A period that ends no sentence, after a title or an initial. */
const SHORTENED =
  /(?:^|[\s("“'])(?:Dr|Mr|Mrs|Ms|Prof|St|Mt|Sr|Jr|Gen|Col|Lt|Sgt|Capt|Rev|Hon|Gov|Sen|Rep|No|Nos|Fig|Vol|vs|cf|e\.g|i\.e|approx|[A-HJ-Z])\.$/;

/** The sentences, trimmed. */
export function sentencesOf(text: string): string[] {
  const found: string[] = [];
  let begun: string[] = [];
  for (const { segment: part } of segment(text, 'sentence')) {
    begun.push(part);
    const end = part.slice(-20);
    if (!end.includes('\n') && SHORTENED.test(end.trimEnd())) continue;
    found.push(begun.join('').trim());
    begun = [];
  }
  found.push(begun.join('').trim());
  return found.filter((one) => /[\p{L}\p{N}]/u.test(one));
}

/** Counts everything in a text. */
export function countAll(value: unknown): Counts {
  const text = asText(value);
  return {
    words: wordsOf(text).length,
    characters: SIMPLE.test(text) ? text.length : graphemes(text).length,
    letters: text.match(/\p{L}/gu)?.length ?? 0,
    lines: linesOf(text).length,
    sentences: sentencesOf(text).length,
    paragraphs: text.split(/\n[ \t]*\n/).filter((part) => part.trim() !== '').length,
    bytes: Buffer.byteLength(text),
  };
}

/** How often a literal text occurs, not overlapping. */
export function occurrences(text: string, find: string): number {
  let count = 0;
  for (let at = text.indexOf(find); at >= 0; at = text.indexOf(find, at + find.length)) count += 1;
  return count;
}
