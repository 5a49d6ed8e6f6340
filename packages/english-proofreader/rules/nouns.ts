import { isPlural, plural, singular } from '../forms.ts';
import { frequency, PAIR_SCALE, pairFrequency } from '../frequency.ts';
import { words } from './rule.ts';

/** Nouns without a plural (Quirk et al. 1985, 5.3), with the plurals that people form. */
export const UNCOUNTABLE = words(
  'wifi information advice knowledge furniture equipment homework luggage baggage research software hardware evidence feedback traffic progress behavior behaviour pollution transportation entertainment happiness health weather money music luck news electricity housework garbage rubbish stuff jewelry scenery machinery clothing accommodation education violence poverty peace courage patience confidence safety intelligence ignorance importance',
);
/** Uncountable nouns with a plural in another sense. */
const WITH_PLURAL = words(
  'money education entertainment accommodation research evidence progress behavior behaviour health music confidence',
);

/** "informations" → "information". */
export function uncountablePlural(word: string): string | undefined {
  if (!word.endsWith('s')) return undefined;
  const stem = word.slice(0, -1);
  return UNCOUNTABLE.has(stem) && !WITH_PLURAL.has(stem) ? stem : undefined;
}

/**
 * Whether a singular noun needs a determiner, by how often books put "a" before it and whether it has a plural; false when
 * uncertain.
 */
export function isCountable(noun: string, least = 0.03): boolean {
  if (UNCOUNTABLE.has(noun) || isPlural(noun) || singular(noun) !== undefined) return false;
  const count = frequency(noun);
  if (count < 2_000_000) return false;
  const withArticle = pairFrequency('a', noun) + pairFrequency('an', noun);
  return withArticle / (count * PAIR_SCALE) > least && frequency(plural(noun)) > count * 0.08;
}

/** Whether a word is a verb rather than a noun: books write "to" before it far more often than "a". */
export const isMostlyVerb = (base: string): boolean =>
  frequency(base) > 3_000_000 &&
  pairFrequency('to', base) > 30_000_000 &&
  pairFrequency('to', base) > 20 * (pairFrequency('a', base) + pairFrequency('an', base));
