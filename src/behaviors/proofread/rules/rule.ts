import type { Kind, Proposal } from '../edits.ts';
import type { Token } from '../tokens.ts';

/** The tokens of one sentence, in order. */
export type Sentence = readonly Token[];

/** Looks at one sentence and proposes what it would change. */
export type Rule = (sentence: Sentence) => Iterable<Proposal>;

/** Replaces what stands from the first to the last of these tokens. Keeps a capital at the beginning. */
export function replace(first: Token, last: Token, replacement: string, kind: Kind, explanation: string): Proposal {
  const capital = /^\p{Lu}/u.test(first.text) && (first.text.length === 1 || !/^\p{Lu}+$/u.test(first.text));
  const text = capital && first.text !== 'I' ? replacement.charAt(0).toUpperCase() + replacement.slice(1) : replacement;
  return { start: first.start, end: last.end, replacement: text, kind, explanation };
}
