import { patternRule } from '../pattern.ts';
import { AGREEMENT } from './agreement.ts';
import { APOSTROPHES } from './apostrophes.ts';
import { ARTICLES } from './articles.ts';
import { CARRIED_OVER } from './carried-over.ts';
import { COLLOCATIONS } from './collocations.ts';
import { COMPARISONS } from './comparisons.ts';
import { COMPLEMENTS } from './complements.ts';
import { CONFUSED_WORDS } from './confused-words.ts';
import { EVERYDAY } from './everyday.ts';
import { GERUNDS } from './gerunds.ts';
import { HOMOPHONES } from './homophones.ts';
import { HYPHENS } from './hyphens.ts';
import { LEARNERS } from './learners.ts';
import { MISSING_ARTICLES } from './missing-articles.ts';
import { PLURALS } from './plurals.ts';
import { PREPOSITIONS } from './prepositions.ts';
import { PRONOUNS } from './pronouns.ts';
import { REAL_WORDS } from './real-words.ts';
import { VERBS } from './verbs.ts';

/** All corrections of fixed phrases. */
export const phrases = patternRule([
  ...CONFUSED_WORDS,
  ...APOSTROPHES,
  ...VERBS,
  ...PRONOUNS,
  ...PREPOSITIONS,
  ...ARTICLES,
  ...PLURALS,
  ...LEARNERS,
  ...COLLOCATIONS,
  ...MISSING_ARTICLES,
  ...GERUNDS,
  ...COMPLEMENTS,
  ...REAL_WORDS,
  ...COMPARISONS,
  ...HYPHENS,
  ...AGREEMENT,
  ...HOMOPHONES,
  ...EVERYDAY,
  ...CARRIED_OVER,
]);
