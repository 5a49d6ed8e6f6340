import { detectLanguage } from '@mailroom/detect-language';
import { frequency } from './frequency.ts';
import type { Range } from './protect.ts';

/** A sentence, or a line of its own, of up to 600 characters. */
const SENTENCE = /[^\s.!?:;"“”„«»()\n][^.!?\n"“”„«»()]{0,600}[.!?]?/g;
const WORDS = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu;
const COMMON = 20_000_000;

/** Sentences in another language or in capitals inside an English text, and columns, which are not read. */
export function unreadRanges(text: string): Range[] {
  const ranges: Range[] = columns(text);
  for (const match of text.matchAll(SENTENCE)) {
    const words = match[0].match(WORDS) ?? [];
    if (words.length < 3) continue;
    if (isShouted(match[0], words) || isForeign(match[0], words))
      ranges.push([match.index, match.index + match[0].length]);
  }
  return ranges;
}

/** Lines with words in columns: between tabs, before a row of dots, or, where two lines have them, between spaces. */
function columns(text: string): Range[] {
  if (!/ {3}|\t|\.{5}/.test(text)) return [];
  const sure: Range[] = [];
  const spaced: Range[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    const range: Range = [offset, offset + line.length];
    if (line.includes('.....') || /\S\t/.test(line)) sure.push(range);
    else if (/\S {3,}\S/.test(line)) spaced.push(range);
    offset += line.length + 1;
  }
  return spaced.length < 2 ? sure : [...sure, ...spaced];
}

const isShouted = (sentence: string, words: readonly string[]): boolean =>
  !/\p{Ll}{2}/u.test(sentence) && words.filter((word) => /^\p{Lu}{2,}/u.test(word)).length >= 2;

/**
 * Whether a sentence has few English words and is recognized as another language; words are counted first, because
 * detection is slower.
 */
function isForeign(sentence: string, words: readonly string[]): boolean {
  const common = words.filter((word) => frequency(word.toLowerCase()) > COMMON).length;
  if (common > words.length * 0.5) return false;
  const language = detectLanguage(sentence);
  return language !== null && language !== 'en';
}
