import { retag } from './retag.ts';
import { tag } from './tagger.ts';

/** A word, number or sign, with its place in UTF-16 code units. */
export interface Token {
  readonly text: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  /** Universal part of speech (universaldependencies.org/u/pos): NOUN, VERB, AUX, ADJ, ADV, PRON, DET, ADP, PROPN, NUM, PUNCT, … */
  readonly pos: string;
  /** Whether white space stands before it. */
  readonly spaced: boolean;
  /** Whether white space or the end of the text stands behind it. */
  readonly closed: boolean;
  /** Whether it begins a sentence, or a line that does not continue the one before. */
  readonly first: boolean;
  /** Whether it is the first word of the text. */
  readonly opens: boolean;
  /** Whether it ends a text of full sentences or of one line. */
  readonly ends: boolean;
  /** Whether it consists of Latin letters, perhaps with an apostrophe. */
  readonly word: boolean;
  /** Whether it is inside protected text. */
  readonly locked: boolean;
}

/** The tokens of a text, without white space; tokens that the tagger changed so that their place is unclear are left out. */
export function tokenize(
  text: string,
  isLocked: (start: number, end: number) => boolean,
  { continues = false, continued = false }: { continues?: boolean; continued?: boolean } = {},
): Token[] {
  const { values, tags } = withoutJoins(tag(text));
  const widths = text.includes('\n') ? widthsOf(text) : [];
  const textEnd = !continued && endsAsProse(text) ? text.trimEnd().length : -1;
  const tokens: Token[] = [];
  let offset = 0;
  let first = true;
  let opens = !continues;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as string;
    const pos = tags[index] ?? 'X';
    if (pos === 'SPACE' || value.trim() === '') continue;
    const start = text.indexOf(value, offset);
    if (start < 0) continue;
    const end = start + value.length;
    while (widths.length > 1 && start >= (widths[0]?.end ?? 0)) widths.shift();
    const widest = widths[0]?.width ?? 0;
    const begins = start > offset && widest > 0 && beginsLine(text, offset, start, value, widest);
    if (begins) first = true;
    const word = /^[A-Za-z][A-Za-z'’]*$/.test(value);
    const letters = word || /[\p{L}\p{N}]/u.test(value);
    const lower = value.toLowerCase();
    tokens.push({
      text: value,
      lower: lower.includes('’') ? lower.replace('’', "'") : lower,
      start,
      end,
      pos,
      spaced: start > offset,
      closed: end === text.length || /\s/.test(text.charAt(end)),
      first: begins || (first && letters),
      opens: opens && letters,
      ends: end === textEnd,
      word,
      locked: isLocked(start, end),
    });
    if (letters || LINE_SIGN.test(value)) opens = false;
    if (letters) first = false;
    else if (/^[.!?…]+$/.test(value) && /^[^\p{L}\p{N}]?$/u.test(text.charAt(end)) && tokens.at(-1)?.locked !== true)
      first = true;
    offset = end;
  }
  return retag(tokens);
}

/** Divides what the tagger sometimes leaves whole: “I'm”, and “car's” before a full stop. */
function withoutJoins({ values, tags }: ReturnType<typeof tag>): ReturnType<typeof tag> {
  const parts = values.map((value, n): [string, string][] => {
    const pos = tags[n] ?? 'X';
    if (/^I(?:['’]m|\.)$/.test(value))
      return [
        ['I', 'PRON'],
        [value.slice(1), value === 'I.' ? 'PUNCT' : 'AUX'],
      ];
    if (/^[a-z]{2,}['’]s$/.test(value))
      return [
        [value.slice(0, -2), 'NOUN'],
        [value.slice(-2), 'PART'],
      ];
    return [[value, pos]];
  });
  return {
    values: parts.flatMap((all) => all.map(([value]) => value)),
    tags: parts.flatMap((all) => all.map(([, pos]) => pos)),
  };
}

/**
 * Whether a text has one line, or its last paragraph contains an earlier full sentence, so that it is no list, heading or
 * signature.
 */
function endsAsProse(text: string): boolean {
  const trimmed = text.trim();
  if (!trimmed.includes('\n')) return true;
  const last = trimmed.slice(trimmed.lastIndexOf('\n\n') + 1);
  return /^\s*["“]?\p{Lu}[^\n]{20,}[.!?]\s/u.test(last) && !text.endsWith('\n');
}

/** A line of at least this many characters is one of running text. */
const FULL_LINE = 60;

/** Where each paragraph ends, and the width its lines are broken at: its own, or that of the text where its lines are short. */
function widthsOf(text: string): { readonly end: number; readonly width: number }[] {
  const widest = Math.max(...text.split('\n', 500).map((line) => line.length));
  let end = 0;
  return text.split(/(?<=\n[ \t\r]*\n)/).map((paragraph) => {
    end += paragraph.length;
    const width = Math.max(...paragraph.split('\n', 500).map((line) => line.length));
    return { end, width: width < FULL_LINE ? widest : width };
  });
}

/** Signs that begin a list item, a heading or a quoted line. */
const LINE_SIGN = /^(?:[*•–+#>|=~-]+|\d+[.)]?|\.{2,}|…)$/;

/**
 * Whether the line break before a token ends the text above: a blank line, a list or heading sign, or a short line, whose
 * break was intended.
 */
function beginsLine(text: string, from: number, to: number, value: string, widest: number): boolean {
  const line = text.lastIndexOf('\n', to - 1);
  if (line < from) return false;
  const before = text.lastIndexOf('\n', line - 1);
  if (before >= from || LINE_SIGN.test(value)) return true;
  return line - before + value.length < widest * 0.75;
}

/** The tokens sentence by sentence. */
export function* sentences(tokens: readonly Token[]): Generator<Token[]> {
  let sentence: Token[] = [];
  for (const token of tokens) {
    if (token.first && sentence.length > 0) {
      yield sentence;
      sentence = [];
    }
    sentence.push(token);
  }
  if (sentence.length > 0) yield sentence;
}
