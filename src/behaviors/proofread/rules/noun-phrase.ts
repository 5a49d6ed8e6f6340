import { ARTICLES, isAdjective, isNoun, isOne, POSSESSIVES, type Sentence, words } from './rule.ts';

/** Nouns that say when, and are no part of the phrase before them. */
export const DAYS = words('today tomorrow yesterday tonight');
/** Singular determiners. */
export const ONE_DETERMINERS = words('a an this that each every another');
/** Plural determiners. */
export const MANY_DETERMINERS = words('these those many several both few various');

/** The position after the determiner at `at`, or `at` where there is none. */
export function skipDeterminer(sentence: Sentence, at: number): number {
  const token = sentence[at];
  return isOne(token, ARTICLES) ||
    isOne(token, POSSESSIVES) ||
    isOne(token, ONE_DETERMINERS) ||
    isOne(token, MANY_DETERMINERS)
    ? at + 1
    : at;
}

/** The last noun of the phrase of adjectives and nouns that begins at `at`; undefined where there is none. */
export function nounPhraseEnd(sentence: Sentence, at: number): number | undefined {
  let index = at;
  while (isAdjective(sentence[index])) index += 1;
  if (!isNoun(sentence[index])) return undefined;
  while (isNoun(sentence[index + 1]) && !isOne(sentence[index + 1], DAYS)) index += 1;
  const after = sentence[index + 1];
  if (after !== undefined && !after.spaced && /^[-’'/]/.test(after.text)) return undefined;
  return index;
}
