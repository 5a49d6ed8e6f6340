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
  /** Whether it begins a sentence. */
  readonly first: boolean;
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
  for (const [index, value] of values.entries()) {
    const start = text.indexOf(value, at);
    if (start < 0) continue;
    const end = start + value.length;
    const before = text.slice(at, start);
    if (/\n\s*$/.test(before) && (/\n\s*\n/.test(before) || /^[\p{Lu}\d*•-]/u.test(value))) first = true;
    const pos = tags[index] ?? 'X';
    tokens.push({
      text: value,
      lower: value.toLowerCase().replace('’', "'"),
      start,
      end,
      pos,
      spaced: before.length > 0,
      first: first && /[\p{L}\p{N}]/u.test(value),
      locked: isLocked(start, end),
    });
    if (/^[.!?…]+$/.test(value)) first = true;
    else if (/[\p{L}\p{N}]/u.test(value)) first = false;
    at = end;
  }
  return tokens;
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
