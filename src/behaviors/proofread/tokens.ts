import { createRequire } from 'node:module';

/** A word, number or sign, with its place in UTF-16 code units. */
export interface Token {
  readonly text: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  /** Universal part of speech (universaldependencies.org/u/pos): NOUN, VERB, AUX, ADJ, ADV, PRON, DET, ADP, PROPN, NUM, PUNCT, … */
  readonly pos: string;
  /** Whether white space stands before it; a line break counts as the end of a sentence. */
  readonly spaced: boolean;
  /** Whether white space or the end of the text stands behind it. */
  readonly closed: boolean;
  /** Whether it begins a sentence. */
  readonly first: boolean;
  /** Made of Latin letters, perhaps with an apostrophe. */
  readonly word: boolean;
  /** Inside of what must not be changed. */
  readonly locked: boolean;
}

interface Wink {
  readDoc(text: string): { tokens(): { out(what: unknown): string[] } };
  readonly its: { readonly value: unknown; readonly pos: unknown };
}

// Both are CommonJS without types of their own that fit `nodenext`.
const require = createRequire(import.meta.url);
const wink = (require('wink-nlp') as (model: unknown, pipe: string[]) => Wink)(require('wink-eng-lite-web-model'), [
  'sbd',
  'pos',
]);

/** The tokens of a text. What the tagger changed so that its place is not clear is left out. */
export function tokenize(text: string, isLocked: (start: number, end: number) => boolean): Token[] {
  const read = wink.readDoc(text).tokens();
  const values = read.out(wink.its.value);
  const tags = read.out(wink.its.pos);
  const tokens: Token[] = [];
  let at = 0;
  let first = true;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as string;
    const start = text.indexOf(value, at);
    if (start < 0) continue;
    const end = start + value.length;
    if (start > at && beginsLine(text, at, start, value)) first = true;
    const word = /^[A-Za-z][A-Za-z'’]*$/.test(value);
    const letters = word || /[\p{L}\p{N}]/u.test(value);
    const pos = tags[index] ?? 'X';
    const lower = value.toLowerCase();
    tokens.push({
      text: value,
      lower: lower.includes('’') ? lower.replace('’', "'") : lower,
      start,
      end,
      pos,
      spaced: start > at,
      closed: end === text.length || /\s/.test(text.charAt(end)),
      first: first && letters,
      word,
      locked: isLocked(start, end),
    });
    if (letters) first = false;
    else if (/^[.!?…]+$/.test(value) && /^[^\p{L}\p{N}]?$/u.test(text.charAt(end)) && tokens.at(-1)?.locked !== true)
      first = true;
    at = end;
  }
  return tokens;
}

/** A blank line, or a line that begins as sentences and list items do. */
function beginsLine(text: string, from: number, to: number, value: string): boolean {
  const line = text.lastIndexOf('\n', to - 1);
  if (line < from) return false;
  return text.lastIndexOf('\n', line - 1) >= from || /^[\p{Lu}\d*•-]/u.test(value);
}

/** The tokens sentence by sentence. */
export function* sentences(tokens: readonly Token[]): Generator<Token[]> {
  let sentence: Token[] = [];
  for (const token of tokens) {
    if (token.first && sentence.length > 0) {
      yield sentence;
      sentence = [];
    }
    if (token.pos !== 'SPACE') sentence.push(token);
  }
  if (sentence.length > 0) yield sentence;
}
