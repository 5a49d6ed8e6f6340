import { baseOf } from '../forms.ts';
import { ARTICLES, isAdjective, isNoun, isOne, POSSESSIVES, type Sentence, words } from './rule.ts';

/** Verbs after which a clause may begin without “that”, or two things with a base form: "I think the cat and the dog sleep". */
const BEFORE_CLAUSE = words(
  'think say know believe hope feel see hear guess mean find suppose wish let make help watch have tell show ask imagine understand remember notice learn decide suggest recommend insist demand require request prefer',
);

/** Whether “and” at `and` joins two clauses: what stands before it has a verb, and no other clause begins behind that. */
export function joinsClauses(sentence: Sentence, and: number): boolean {
  if (sentence[and]?.lower !== 'and') return false;
  const verb = sentence.findLastIndex(
    (token, at) => at < and && /^(?:VERB|AUX)$/.test(token.pos) && sentence[at - 1]?.lower !== 'to',
  );
  const last = sentence[verb];
  if (/^(?:i|you|he|she|it|we|they|,)$/.test(sentence[and - 1]?.lower ?? '')) return false;
  if (last === undefined || verb === 0 || BEFORE_CLAUSE.has(baseOf(last.lower))) return false;
  if (!/^(?:PRON|NOUN|PROPN|AUX|ADV|PART)$/.test(sentence[verb - 1]?.pos ?? '')) return false;
  return !sentence
    .slice(verb + 1, and)
    .some(
      ({ pos, lower }) =>
        /^(?:SCONJ|CCONJ)$/.test(pos) ||
        /^(?:that|because|when|if|while|who|which|where|as|than|so|what|how|why|both|between|before|after|since|until|[:;?])$/.test(
          lower,
        ),
    );
}

/** Nouns that say when, and are no part of the phrase before them. */
export const DAYS = words('today tomorrow yesterday tonight');
/** Singular determiners. */
export const ONE_DETERMINERS = words('a an this that each every another');
/** Plural determiners. */
export const MANY_DETERMINERS = words('these those many several both few various');

/** The position after the determiner at `index`, or `index` where there is none. */
export function skipDeterminer(sentence: Sentence, index: number): number {
  const token = sentence[index];
  return isOne(token, ARTICLES) ||
    isOne(token, POSSESSIVES) ||
    isOne(token, ONE_DETERMINERS) ||
    isOne(token, MANY_DETERMINERS)
    ? index + 1
    : index;
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
