import type { Token } from '../tokens.ts';
import { DAYS } from './noun-phrase.ts';
import { isAdjective, isNoun, isOne, isWord, type Sentence } from './rule.ts';

/** The noun at the end of the phrase that begins at `at`, after its adjectives and nouns; undefined when it is unclear. */
export function headOf(sentence: Sentence, at: number): { head: Token; index: number } | undefined {
  let index = at;
  while (
    isAdjective(sentence[index]) ||
    (isWord(sentence[index]) && sentence[index]?.pos === 'ADV' && isAdjective(sentence[index + 1]))
  )
    index += 1;
  let head = sentence[index];
  if (!isNoun(head)) return undefined;
  while (isNoun(sentence[index + 1]) && !isOne(sentence[index + 1], DAYS)) {
    index += 1;
    head = sentence[index] as Token;
  }
  // A following hyphen or apostrophe makes the noun part of something larger.
  const next = sentence[index + 1];
  if (next !== undefined && !next.spaced && /^[-’'/]/.test(next.text)) return undefined;
  return { head, index };
}
