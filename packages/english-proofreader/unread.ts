import { detectLanguage } from '@mailroom/detect-language';
import { codeRanges } from './code-ranges.ts';
import { frequency } from './frequency.ts';
import { INFORMAL } from './informal.ts';
import { fences, joinRanges, protectedRanges, type Range } from './protect.ts';

/** A sentence, a part of one behind a colon or in quotation marks, or a line of its own, of up to 600 characters. */
const SENTENCE = /[^\s.!?:;"“”„«»()—–][^.!?:;\n"“”„«»()—–]{0,600}[.!?]?/g;
const WORDS = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu;
const COMMON = 20_000_000;
const KNOWN = 100_000;

/** The parts of a text that are not read; each list is sorted and joined. */
export interface Unread {
  /** All of them, with links, names for machines and words that are named. */
  readonly all: readonly Range[];
  /** Sentences in another language. */
  readonly foreign: readonly Range[];
  /** Code, data, columns and sentences in capitals. */
  readonly notProse: readonly Range[];
}

/** What of a text, which is taken for English, is not read. */
export function unreadParts(text: string): Unread {
  const code = codeRanges(text);
  const locked = joinRanges([...protectedRanges(text), ...code]);
  const prose = blanked(text, locked);
  const capitals: Range[] = [];
  const parts: Part[] = [];
  for (const { 0: sentence, index } of prose.matchAll(SENTENCE)) {
    const words = sentence.match(WORDS) ?? [];
    const range: Range = [index, index + sentence.trimEnd().length];
    if (words.length >= MIN_WORDS && isShouted(sentence, words)) capitals.push(range);
    else if (words.length > 0) parts.push({ range, words, foreign: isForeign(sentence, words) });
  }
  const foreign = joinRanges(joinedForeign(prose, parts));
  const notProse = joinRanges([...fences(text), ...code, ...capitals, ...columns(text), ...nameLists(text)]);
  return { all: joinRanges([...locked, ...notProse, ...foreign, ...namedWords(text)]), foreign, notProse };
}

/** The text with spaces in these ranges. */
function blanked(text: string, ranges: readonly Range[]): string {
  const parts: string[] = [];
  let offset = 0;
  for (const [start, end] of ranges) {
    parts.push(text.slice(offset, start), text.slice(start, end).replace(/[^\n]/g, ' '));
    offset = end;
  }
  parts.push(text.slice(offset));
  return parts.join('');
}

interface Part {
  readonly range: Range;
  readonly words: readonly string[];
  readonly foreign: boolean;
}
/** Fewer words tell no language alone. */
const MIN_WORDS = 3;

/** Parts in another language, with those of a word or two beside them that are no English. */
function joinedForeign(text: string, parts: readonly Part[]): Range[] {
  const isBeside = (part: Part, other: Part | undefined): boolean =>
    other?.foreign === true &&
    !/\n[ \t]*\r?\n/.test(text.slice(Math.min(part.range[1], other.range[1]), Math.max(part.range[0], other.range[0])));
  return parts
    .filter(
      (part, at) =>
        part.foreign ||
        (part.words.length < MIN_WORDS &&
          part.words.some((word) => frequency(word.toLowerCase()) < KNOWN) &&
          (isBeside(part, parts[at - 1]) || isBeside(part, parts[at + 1]))),
    )
    .map(({ range }) => range);
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

/** Single words between many commas, which are names of things: “devel, doc, editors, …”. */
const nameLists = (text: string): Range[] =>
  Array.from(text.matchAll(/(?<![\w,])(?:[\w.+-]{1,30},\s{1,8}){8,}[\w.+-]{1,30}/g), ({ 0: all, index }) => [
    index,
    index + all.length,
  ]);

/** Single words in quotation marks, which are named rather than used: “informations” is no word. */
const namedWords = (text: string): Range[] =>
  Array.from(text.matchAll(/(?<![\p{L}\d])(?:"\p{L}+"|“\p{L}+”)/gu), ({ 0: all, index }) => [
    index,
    index + all.length,
  ]);

const isShouted = (sentence: string, words: readonly string[]): boolean =>
  !/\p{Ll}{2}/u.test(sentence) && words.filter((word) => /^\p{Lu}{2,}/u.test(word)).length >= 2;

/**
 * Whether a sentence has few English words and is recognized as another language, or has hardly any; words are counted
 * first, because detection is slower.
 */
function isForeign(sentence: string, words: readonly string[]): boolean {
  if (words.length < MIN_WORDS) return false;
  const small = words.filter((word) => /^\p{Ll}/u.test(word));
  if (countCommon(words) > words.length * 0.5) return false;
  if (small.length >= MIN_WORDS && countCommon(small) > small.length * 0.8) return false;
  const language = detectLanguage(sentence);
  if (language !== null) return language !== 'en';
  const unknown = small.filter((word) => frequency(word.toLowerCase()) < KNOWN).length;
  return unknown >= MIN_WORDS && unknown >= small.length * 0.6;
}

const countCommon = (words: readonly string[]): number =>
  words.map((word) => word.toLowerCase()).filter((word) => frequency(word) > COMMON || INFORMAL.has(word)).length;
