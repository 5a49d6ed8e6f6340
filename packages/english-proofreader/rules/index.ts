import type { Proposal } from '../edits.ts';
import { adverbAfterVerb, objectBeforeAdverb } from './adverbs.ts';
import { singularAfterEvery, singularAfterOne } from './after-every.ts';
import { verbAfterWho } from './after-relative.ts';
import { doesNotOfOne, nounAndVerb, relativeClause, someoneFrom } from './agreement.ts';
import {
  articleBeforeAbbreviation,
  gameWithoutArticle,
  missingAfterPreposition,
  missingBeforeSubject,
  missingBeforeSuperlative,
  missingDefinite,
  missingIndefinite,
  mostOf,
  oneDeterminer,
  suchA,
  superfluous,
  theBeforeCountry,
  theSuperlative,
  uncountableArticle,
} from './articles.ts';
import {
  afterHaveBeen,
  baseAfterLet,
  baseAfterModalNotGerund,
  baseAfterPlease,
  baseAfterToNotGerund,
  joinedWithMany,
  noBeAfterModal,
  noContinuousState,
  ofThemMany,
  toAfterLike,
} from './bare-forms.ts';
import { articleBeforeDegree, articleBeforePlace } from './bare-places.ts';
import { afterOpeningClause, afterOpeningPhrase, beforeConjunction, etc } from './commas.ts';
import { itsIts, realWords, thenThan, thereTheir, toToo, yourYoure } from './confusions.ts';
import { noApostropheInPlural, possessiveBeforeNoun, yourAfterPreposition } from './contractions.ts';
import { bothAndVerb, joinedVerb, secondVerb, twoSubjects } from './coordination.ts';
import { theseBeforePlural, thisOnes } from './demonstratives.ts';
import {
  gerundAfterEnjoy,
  gerundAfterNot,
  gerundAfterOf,
  gerundAfterPreposition,
  interestedIn,
  lookForwardTo,
} from './gerunds.ts';
import { joinedVerbs } from './joined-verbs.ts';
import { afterLink } from './linking-commas.ts';
import { nounLikeVerb } from './noun-like-verbs.ts';
import { ordinalEnding } from './ordinals.ts';
import { gerundAfterBe, participleAfterBeing, participleAfterHaving } from './participles.ts';
import { lastOfThree, pastInNextClause } from './past-clauses.ts';
import { matcher } from './pattern.ts';
import { PHRASES } from './phrases/index.ts';
import { pluralAfterAll, pluralAfterMost } from './plural-after-all.ts';
import {
  byDeadline,
  easyFor,
  missingPreposition,
  noToBeforeHome,
  timeAndMedium,
  wrongPreposition,
} from './prepositions.ts';
import { pronounAndVerb } from './pronoun-agreement.ts';
import { noArticleBeforePlural, pluralAfterOf, pluralAfterQuantity } from './quantity.ts';
import {
  baseInQuestion,
  helpInQuestion,
  questionAgreement,
  statementInQuestion,
  tagQuestion,
  wantSomeoneTo,
  whoInQuestion,
} from './questions.ts';
import type { Context, Rule, RuleFacts, Sentence } from './rule.ts';
import {
  almostMost,
  cannot,
  capital,
  comparative,
  doubleNegative,
  fullStop,
  oneConjunction,
  splice,
  superlative,
} from './sentences.ts';
import { spacing } from './spacing.ts';
import { oneAndVerb, relativeVerb, subjectAndVerb, verbAfterRelative } from './subjects.ts';
import {
  noWillInTimeClause,
  participleAlone,
  pastAfterTime,
  pastAfterWhen,
  pastBeforeTime,
  perfectAfterTimes,
  perfectSince,
  perfectSinceThen,
  unrealCondition,
  unrealWish,
} from './tense.ts';
import { missingBe, missingIt, missingSubject, thereIs } from './there-is.ts';
import {
  manyAfterWhy,
  noArticleBeforeCountry,
  noPluralAdjective,
  noPluralAfterVery,
  pluralAfterThereAre,
  thatForThings,
  verbOfThing,
} from './things.ts';
import { fewerAndMany, uncountable } from './uncountable.ts';
import { adjectiveAfterSense, baseAfterAnyTo, toAfterGoal, verbPatterns } from './verb-patterns.ts';
import {
  bareAfterMake,
  baseAfterDo,
  baseAfterModal,
  baseAfterTo,
  noBeBeforeVerb,
  participleAfterBe,
  participleAfterHave,
  toAfterWant,
} from './verbs.ts';
import { reportedQuestion, wordOrder } from './word-order.ts';
import { ownPlural } from './wrong-plurals.ts';

/** The rules with a reader of their own, in order of precedence: where two want the same words, the first has them. */
const READERS: readonly Rule[] = [
  ordinalEnding,
  participleAlone,
  unrealCondition,
  unrealWish,
  perfectSince,
  perfectAfterTimes,
  perfectSinceThen,
  pastAfterTime,
  pastBeforeTime,
  pastAfterWhen,
  noWillInTimeClause,
  helpInQuestion,
  statementInQuestion,
  baseInQuestion,
  tagQuestion,
  wantSomeoneTo,
  whoInQuestion,
  possessiveBeforeNoun,
  yourAfterPreposition,
  noApostropheInPlural,
  yourYoure,
  itsIts,
  thereTheir,
  toToo,
  thenThan,
  realWords,
  noBeBeforeVerb,
  baseAfterModal,
  baseAfterDo,
  baseAfterTo,
  participleAfterHave,
  baseAfterModalNotGerund,
  baseAfterToNotGerund,
  noBeAfterModal,
  noContinuousState,
  toAfterLike,
  afterHaveBeen,
  baseAfterPlease,
  baseAfterLet,
  joinedWithMany,
  ofThemMany,
  participleAfterBe,
  bareAfterMake,
  toAfterWant,
  gerundAfterEnjoy,
  gerundAfterPreposition,
  gerundAfterNot,
  gerundAfterOf,
  interestedIn,
  lookForwardTo,
  participleAfterBeing,
  gerundAfterBe,
  participleAfterHaving,
  baseAfterAnyTo,
  joinedVerbs,
  lastOfThree,
  pastInNextClause,
  toAfterGoal,
  adjectiveAfterSense,
  verbPatterns,
  wordOrder,
  reportedQuestion,
  pluralAfterThereAre,
  noPluralAdjective,
  noPluralAfterVery,
  noArticleBeforeCountry,
  thatForThings,
  verbOfThing,
  manyAfterWhy,
  pluralAfterAll,
  pluralAfterMost,
  ownPlural,
  uncountable,
  fewerAndMany,
  theseBeforePlural,
  thisOnes,
  noArticleBeforePlural,
  singularAfterEvery,
  singularAfterOne,
  pluralAfterQuantity,
  pluralAfterOf,
  thereIs,
  twoSubjects,
  bothAndVerb,
  secondVerb,
  joinedVerb,
  questionAgreement,
  missingBe,
  missingIt,
  missingSubject,
  pronounAndVerb,
  someoneFrom,
  relativeClause,
  nounAndVerb,
  doesNotOfOne,
  subjectAndVerb,
  relativeVerb,
  oneAndVerb,
  verbAfterRelative,
  verbAfterWho,
  nounLikeVerb,
  wrongPreposition,
  timeAndMedium,
  noToBeforeHome,
  missingPreposition,
  easyFor,
  byDeadline,
  oneDeterminer,
  uncountableArticle,
  superfluous,
  missingBeforeSuperlative,
  theSuperlative,
  gameWithoutArticle,
  missingIndefinite,
  suchA,
  missingAfterPreposition,
  missingBeforeSubject,
  mostOf,
  missingDefinite,
  articleBeforeAbbreviation,
  theBeforeCountry,
  articleBeforePlace,
  articleBeforeDegree,
  oneConjunction,
  doubleNegative,
  cannot,
  splice,
  almostMost,
  comparative,
  superlative,
  adverbAfterVerb,
  objectBeforeAdverb,
  spacing,
  etc,
  afterLink,
  afterOpeningClause,
  afterOpeningPhrase,
  beforeConjunction,
  fullStop,
  capital,
];

/** All own rules. */
export const RULES: readonly RuleFacts[] = [...PHRASES, ...READERS];

const ALWAYS = Uint8Array.from(READERS, ({ words }) => (words === undefined ? 1 : 0));
/** The places of the rules that a word lets in. */
const BY_WORD = new Map<string, number[]>();
for (const [place, { words }] of READERS.entries())
  for (const word of words?.split(' ') ?? []) BY_WORD.set(word, [...(BY_WORD.get(word) ?? []), place]);

const phrases = matcher(PHRASES);

/** What the own rules find in a sentence; a rule is entered only where one of its words stands. */
export function* findings(sentence: Sentence, context: Context): Generator<Proposal> {
  yield* phrases(sentence);
  const entered = ALWAYS.slice();
  for (const { lower } of sentence) for (const place of BY_WORD.get(lower) ?? []) entered[place] = 1;
  for (const [place, rule] of READERS.entries()) {
    if (entered[place] !== 1) continue;
    const { id, kind, doubt = false } = rule;
    for (const found of rule.find(sentence, context)) yield { kind, rule: id, doubt, ...found };
  }
}
