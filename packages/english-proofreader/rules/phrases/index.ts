import type { Phrases } from '../pattern.ts';
import { AGREEMENT } from './agreement.ts';
import { APOSTROPHES } from './apostrophes.ts';
import { ARTICLES } from './articles.ts';
import { CHOICES } from './choices.ts';
import { CONFUSIONS } from './confusions.ts';
import { HOMOPHONES } from './homophones.ts';
import { NOUNS } from './nouns.ts';
import { PREPOSITIONS } from './prepositions.ts';
import { PRONOUNS } from './pronouns.ts';
import { VERBS } from './verbs.ts';

/** All rules about fixed words; of two that find the same words the first has them. */
export const PHRASES: readonly Phrases[] = [
  ...HOMOPHONES,
  ...CONFUSIONS,
  ...APOSTROPHES,
  ...VERBS,
  ...PRONOUNS,
  ...PREPOSITIONS,
  ...ARTICLES,
  ...NOUNS,
  ...CHOICES,
  ...AGREEMENT,
];
