import type { Json } from '@mailroom/behavior/values/json';
import { BLANKS, withoutTrailing } from '@mailroom/behavior/values/trailing';
import { type Edit, KINDS, type Kind, type Proposal, settle } from '@mailroom/english-proofreader/edits';
import { inoffensive } from '@mailroom/english-proofreader/offensive';
import { joinRanges, protectedRanges, type Range, touches } from '@mailroom/english-proofreader/protect';

/** Maximum corrections that are examined, and maximum characters of one. */
const MAX_EDITS = 500;
const MAX_ORIGINAL = 400;
const MAX_EXPLANATION = 300;
/** Maximum originals that are not found, because each costs a search of the text; after that the list counts as unusable. */
const MAX_MISSES = 100;

interface WantedEdit {
  readonly original: string;
  readonly replacement: string;
  readonly explanation: string;
  readonly kind: Kind;
}

/**
 * A model's corrections as edits of the text. Nothing of the answer is trusted: each original is searched in order, and
 * corrections that are not found, change nothing, overlap, touch protected text or `kept` ranges, or write an offensive
 * word are left out. Undefined when the answer is no list of corrections or none of a list is left.
 */
export function place(text: string, said: Json, kept: readonly Range[] = []): Edit[] | undefined {
  const list = Array.isArray(said) ? said : field(said, 'edits');
  if (!Array.isArray(list)) return undefined;
  const locked = joinRanges([...protectedRanges(text), ...kept]);
  const proposals: Proposal[] = [];
  let from = 0;
  let misses = 0;
  for (const item of list.slice(0, MAX_EDITS)) {
    const wanted = read(item);
    if (wanted === undefined) continue;
    const start = find(text, wanted.original, from);
    if (start === undefined) {
      misses += 1;
      if (misses > MAX_MISSES) break;
      continue;
    }
    from = Math.max(from, start + wanted.original.length);
    const proposal = narrowed(start, wanted);
    if (!touches(locked, proposal.start, proposal.end)) proposals.push(proposal);
  }
  const edits = settle(text, inoffensive(text, proposals));
  return edits.length === 0 && list.length > 0 ? undefined : edits;
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** Accepts a correction that replaces words by about as many words without invisible characters. */
function read(item: unknown): WantedEdit | undefined {
  const original = field(item, 'original');
  const replacement = field(item, 'replacement');
  if (typeof original !== 'string' || typeof replacement !== 'string' || original.trim() === '') return undefined;
  if (original === replacement || original.length > MAX_ORIGINAL) return undefined;
  if (replacement.length > original.length * 2 + 40 || !alike(original, replacement)) return undefined;
  if (!original.isWellFormed() || !replacement.isWellFormed() || UNSEEN.test(replacement)) return undefined;
  const kind = KINDS.find((known) => known === field(item, 'kind')) ?? 'grammar';
  return { original, replacement, kind, explanation: plain(field(item, 'explanation'), kind) };
}

/**
 * Rejects a replacement of many words that shares few with the original, or that adds a URL, an address or a tag, because
 * it may follow instructions hidden in the text.
 */
function alike(original: string, replacement: string): boolean {
  const oldWords = wordsOf(original);
  const newWords = wordsOf(replacement);
  const most = Math.max(oldWords.length, newWords.length);
  const known = new Set(oldWords);
  const shared = newWords.filter((word) => known.has(word)).length;
  if (most > FEW_WORDS && Math.min(shared, oldWords.length) < most / 3) return false;
  return protectedRanges(replacement).every(([start, end]) => original.includes(replacement.slice(start, end)));
}
const FEW_WORDS = 8;
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Control characters, and characters that change the direction of text or are invisible. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/** One plain statement; text with markup or links is not shown, because the reply is Markdown. */
function plain(explanation: unknown, kind: Kind): string {
  const line = typeof explanation === 'string' ? explanation.replace(/\s+/g, ' ').trim() : '';
  const shown = line !== '' && line.isWellFormed() && !UNSEEN.test(line) && !/[<>[\]`\\@]|:\/\/|www\./i.test(line);
  if (!shown || line.length > MAX_EXPLANATION) return `This is a matter of ${kind.replace('_', ' ')}.`;
  return /[.!]$/.test(line) ? line : `${withoutTrailing(line, `${BLANKS}?:;,…`)}.`;
}

/** The next position of the original; an earlier one only where it is unambiguous, because models lose the order. */
function find(text: string, original: string, from: number): number | undefined {
  const next = standing(text, original, from);
  if (next !== undefined || from === 0) return next;
  const first = standing(text, original, 0);
  return first !== undefined && standing(text, original, first + 1) === undefined ? first : undefined;
}

/** Matches whole words only: the article "a" is not the "a" of "plan". */
function standing(text: string, original: string, from: number): number | undefined {
  for (let at = text.indexOf(original, from); at >= 0; at = text.indexOf(original, at + 1)) {
    const end = at + original.length;
    if (!(inWord(text, at) || inWord(text, end))) return at;
  }
  return undefined;
}

const inWord = (text: string, at: number): boolean =>
  /[\p{L}\p{N}\p{M}]$/u.test(text.slice(Math.max(0, at - 2), at)) && /^[\p{L}\p{N}\p{M}]/u.test(text.slice(at, at + 2));

/** Removes unchanged words at both ends, which the model added to locate the original. */
function narrowed(start: number, { original, replacement, kind, explanation }: WantedEdit): Proposal {
  const oldParts = original.split(/(?<=\s)(?=\S)|(?<=\S)(?=\s)/);
  const newParts = replacement.split(/(?<=\s)(?=\S)|(?<=\S)(?=\s)/);
  const shorter = Math.min(oldParts.length, newParts.length);
  let head = 0;
  while (head < shorter && oldParts[head] === newParts[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && oldParts.at(-1 - tail) === newParts.at(-1 - tail)) tail += 1;
  const old = oldParts.slice(head, oldParts.length - tail).join('');
  const fresh = newParts.slice(head, newParts.length - tail).join('');
  // An insertion or a deletion is easier to read with a word beside it.
  if (old.trim() === '' || fresh.trim() === '') {
    return { start, end: start + original.length, replacement, kind, explanation, rule: 'model' };
  }
  const at = start + oldParts.slice(0, head).join('').length;
  return { start: at, end: at + old.length, replacement: fresh, kind, explanation, rule: 'model' };
}
