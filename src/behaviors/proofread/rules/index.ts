import * as agreement from './agreement.ts';
import * as articles from './articles.ts';
import * as commas from './commas.ts';
import * as confusions from './confusions.ts';
import * as after from './forms-after.ts';
import { phrases } from './phrases.ts';
import * as prepositions from './prepositions.ts';
import * as quantity from './quantity.ts';
import type { Rule } from './rule.ts';
import * as sentences from './sentences.ts';
import * as subjects from './subjects.ts';
import * as verbs from './verbs.ts';

/** All rules of our own, in the order of precedence: where two want the same words, the first has them. */
export const RULES: readonly Rule[] = [
  phrases,
  ...[
    confusions.yourYoure,
    confusions.itsIts,
    confusions.thereTheir,
    confusions.toToo,
    confusions.thenThan,
    confusions.realWords,
  ],
  ...[verbs.noBeBeforeVerb, verbs.baseAfterModal, verbs.baseAfterDo, verbs.baseAfterTo, verbs.participleAfterHave],
  ...[verbs.participleAfterBe, verbs.bareAfterMake, verbs.toAfterWant, verbs.gerundAfterEnjoy],
  ...[verbs.gerundAfterPreposition, verbs.interestedIn, verbs.lookForwardTo],
  ...[after.participleAfterBeing, after.participleAfterHaving, after.baseAfterAnyTo, after.joinedVerbs],
  ...[after.adjectiveAfterSense, after.verbPatterns, after.wordOrder, after.pastAfterTime],
  ...[after.pluralAfterAll, after.pluralAfterMost],
  ...[quantity.ownPlural, quantity.uncountable, quantity.fewerAndMany, quantity.theseBeforePlural],
  ...[
    quantity.noArticleBeforePlural,
    quantity.singularAfterEvery,
    quantity.pluralAfterQuantity,
    quantity.pluralAfterOf,
  ],
  ...[
    agreement.thereIs,
    agreement.twoSubjects,
    agreement.missingBe,
    agreement.pronounAndVerb,
    agreement.relativeClause,
    agreement.nounAndVerb,
    subjects.subjectAndVerb,
    subjects.relativeVerb,
    subjects.oneAndVerb,
  ],
  ...[prepositions.wrongPreposition, prepositions.timeAndMedium, prepositions.noToBeforeHome],
  ...[prepositions.missingPreposition, prepositions.easyFor],
  ...[articles.oneDeterminer, articles.uncountableArticle, articles.superfluous, articles.missingBeforeSuperlative],
  ...[
    articles.missingIndefinite,
    articles.missingAfterPreposition,
    articles.missingBeforeSubject,
    articles.mostOf,
    articles.missingDefinite,
  ],
  ...[
    sentences.oneConjunction,
    sentences.doubleNegative,
    sentences.cannot,
    sentences.almostMost,
    sentences.comparative,
  ],
  ...[
    commas.spacing,
    commas.etc,
    commas.afterLink,
    commas.afterOpeningClause,
    commas.afterOpeningPhrase,
    commas.beforeConjunction,
    sentences.fullStop,
    sentences.capital,
  ],
];
