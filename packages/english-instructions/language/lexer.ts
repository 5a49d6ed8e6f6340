import { jsonIn } from './json-spans.ts';
import { quotationsIn } from './quotations.ts';

/**
 * The kinds of tokens. `word` and `sign` stand for their own text; the others have a value and nothing in them is read as
 * an instruction.
 */
type TokenKind = 'word' | 'sign' | 'number' | 'quoted' | 'json' | 'address' | 'url' | 'reference' | 'data';

/** A part of an instruction, with its place in the text. */
export interface Token {
  readonly kind: TokenKind;
  /** As written. */
  readonly text: string;
  /** In lower case, with straight apostrophes. */
  readonly lower: string;
  readonly from: number;
  readonly to: number;
  /** Whether a space, or the beginning of the text, stands before it. */
  readonly spaced: boolean;
}

const MAX_TOKENS = 120;

/** Linear: no alternative can begin where another one continues. */
const TOKEN =
  /\{\{\s?\d{1,4}(?:\.\w{1,64})*\s?\}\}|\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*|\d+(?:[.,]\d+)*(?:[eE][+-]?\d+(?![\p{L}\d]))?|\.\d+|\S/gu;
const ADDRESS = /^[^\s@"<>()]{1,64}@[^\s@"<>()]*[^\s@"<>().,;:!?]/;
const URL_START = /^https?:\/\/[^\s"<>]*[^\s"<>.,;:!?)]/i;
const REFERENCE = /^\{\{/;

/** The whole tokens of a text that begin at a place: a quotation, JSON, an address. */
function spansOf(text: string): readonly (readonly [from: number, to: number, kind: TokenKind])[] {
  const found: [number, number, TokenKind][] = [];
  for (const [from, to] of /[[{]/.test(text) ? jsonIn(text) : []) found.push([from, to, 'json']);
  for (const [from, to] of quotationsIn(text))
    if (!found.some(([start, end]) => from < end && to > start))
      found.push([from, to, text.startsWith('{{', from) ? 'reference' : 'quoted']);
  return found.sort((a, b) => a[0] - b[0]);
}

/** The tokens of an instruction; undefined when there are more than `MAX_TOKENS`. */
export function tokensOf(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  const add = (from: number, to: number, kind: TokenKind): void => {
    const written = text.slice(from, to);
    const lower = written.toLowerCase().replaceAll('’', "'");
    tokens.push({ kind, text: written, lower, from, to, spaced: from === 0 || /\s/.test(text[from - 1] as string) });
  };
  const spans = spansOf(text);
  let index = 0;
  for (const [from, to, kind] of [...spans, [text.length, text.length, 'word'] as const]) {
    while (index < from) {
      if (tokens.length > MAX_TOKENS) return undefined;
      const space = /\s/.test(text[index] as string);
      if (space) {
        index++;
        continue;
      }
      const end = index + chunkAt(text, index, from);
      const whole = text.slice(index, end);
      const address = /[@:]/.test(whole) ? (URL_START.exec(whole) ?? ADDRESS.exec(whole)) : null;
      if (address !== null) {
        add(index, index + address[0].length, whole.includes('://') ? 'url' : 'address');
        index += address[0].length;
        continue;
      }
      TOKEN.lastIndex = index;
      const found = TOKEN.exec(text);
      if (found === null || found.index >= from) break;
      const stop = Math.min(found.index + found[0].length, from);
      add(found.index, stop, kindOf(found[0]));
      index = stop;
    }
    index = Math.max(index, to);
    if (to > from) add(from, to, kind);
  }
  return tokens.length > MAX_TOKENS ? undefined : tokens;
}

function chunkAt(text: string, from: number, max: number): number {
  let end = from;
  while (end < max && end - from < 2_048 && !/\s/.test(text[end] as string)) end++;
  return end - from;
}

function kindOf(text: string): TokenKind {
  if (REFERENCE.test(text)) return 'reference';
  if (/^\.?\d/.test(text)) return 'number';
  return /^\p{L}/u.test(text) ? 'word' : 'sign';
}
