import { adverbAfterVerb, objectBeforeAdverb } from './adverbs.ts';
import { verbAfterWho } from './after-relative.ts';
import * as agreement from './agreement.ts';
import * as articles from './articles.ts';
import * as bare from './bare-forms.ts';
import { articleBeforeDegree, articleBeforePlace } from './bare-places.ts';
import * as commas from './commas.ts';
import * as confusions from './confusions.ts';
import * as contractions from './contractions.ts';
import { bothAndVerb, joinedVerb, secondVerb, twoSubjects } from './coordination.ts';
import { joinedVerbs } from './joined-verbs.ts';
import { nounLikeVerb } from './noun-like-verbs.ts';
import { ordinalEnding } from './ordinals.ts';
import * as participles from './participles.ts';
import { lastOfThree, pastInNextClause } from './past-clauses.ts';
import { phrases } from './phrases/index.ts';
import * as plurals from './plural-after-all.ts';
import * as prepositions from './prepositions.ts';
import * as quantity from './quantity.ts';
import * as questions from './questions.ts';
import type { Rule } from './rule.ts';
import * as sentences from './sentences.ts';
import * as subjects from './subjects.ts';
import * as tense from './tense.ts';
import { missingBe, missingIt, missingSubject, thereIs } from './there-is.ts';
import * as things from './things.ts';
import * as patterns from './verb-patterns.ts';
import * as verbs from './verbs.ts';
import { reportedQuestion, wordOrder } from './word-order.ts';

/** All own rules in order of precedence: where two want the same words, the first has them. */
export const RULES: readonly Rule[] = [
  phrases,
  ordinalEnding,
  ...[
    tense.participleAlone,
    tense.unrealCondition,
    tense.unrealWish,
    tense.perfectSince,
    tense.perfectAfterTimes,
    tense.perfectSinceThen,
    tense.pastAfterTime,
    tense.pastBeforeTime,
    tense.pastAfterWhen,
  ],
  ...[
    tense.noWillInTimeClause,
    questions.helpInQuestion,
    questions.statementInQuestion,
    questions.baseInQuestion,
    questions.wantSomeoneTo,
    questions.whoInQuestion,
  ],
  ...[contractions.possessiveBeforeNoun, contractions.yourAfterPreposition, contractions.noApostropheInPlural],
  ...[
    confusions.yourYoure,
    confusions.itsIts,
    confusions.thereTheir,
    confusions.toToo,
    confusions.thenThan,
    confusions.realWords,
  ],
  ...[verbs.noBeBeforeVerb, verbs.baseAfterModal, verbs.baseAfterDo, verbs.baseAfterTo, verbs.participleAfterHave],
  ...[bare.baseAfterModalNotGerund, bare.baseAfterToNotGerund, bare.noBeAfterModal, bare.noContinuousState],
  ...[
    bare.toAfterLike,
    bare.afterHaveBeen,
    bare.baseAfterPlease,
    bare.baseAfterLet,
    bare.joinedWithMany,
    bare.ofThemMany,
  ],
  ...[verbs.participleAfterBe, verbs.bareAfterMake, verbs.toAfterWant, verbs.gerundAfterEnjoy],
  ...[verbs.gerundAfterPreposition, verbs.gerundAfterNot, verbs.gerundAfterOf, verbs.interestedIn, verbs.lookForwardTo],
  ...[
    participles.participleAfterBeing,
    participles.gerundAfterBe,
    participles.participleAfterHaving,
    patterns.baseAfterAnyTo,
    joinedVerbs,
    lastOfThree,
    pastInNextClause,
  ],
  ...[patterns.toAfterGoal, patterns.adjectiveAfterSense, patterns.verbPatterns, wordOrder, reportedQuestion],
  ...[
    things.pluralAfterThereAre,
    things.noPluralAdjective,
    things.noPluralAfterVery,
    things.noArticleBeforeCountry,
    things.thatForThings,
  ],
  ...[things.verbOfThing, things.manyAfterWhy],
  ...[plurals.pluralAfterAll, plurals.pluralAfterMost],
  ...[quantity.ownPlural, quantity.uncountable, quantity.fewerAndMany, quantity.theseBeforePlural, quantity.thisOnes],
  ...[
    quantity.noArticleBeforePlural,
    quantity.singularAfterEvery,
    quantity.singularAfterOne,
    quantity.pluralAfterQuantity,
    quantity.pluralAfterOf,
  ],
  ...[
    thereIs,
    twoSubjects,
    bothAndVerb,
    secondVerb,
    joinedVerb,
    questions.questionAgreement,
    missingBe,
    missingIt,
    missingSubject,
    agreement.pronounAndVerb,
    agreement.someoneFrom,
    agreement.relativeClause,
    agreement.nounAndVerb,
    agreement.doesNotOfOne,
    subjects.subjectAndVerb,
    subjects.relativeVerb,
    subjects.oneAndVerb,
    subjects.verbAfterRelative,
    verbAfterWho,
    nounLikeVerb,
  ],
  ...[prepositions.wrongPreposition, prepositions.timeAndMedium, prepositions.noToBeforeHome],
  ...[prepositions.missingPreposition, prepositions.easyFor, prepositions.byDeadline],
  ...[
    articles.oneDeterminer,
    articles.uncountableArticle,
    articles.superfluous,
    articles.missingBeforeSuperlative,
    articles.theSuperlative,
    articles.gameWithoutArticle,
  ],
  ...[
    articles.missingIndefinite,
    articles.suchA,
    articles.missingAfterPreposition,
    articles.missingBeforeSubject,
    articles.mostOf,
    articles.missingDefinite,
    articles.articleBeforeAbbreviation,
    articles.theBeforeCountry,
    articleBeforePlace,
    articleBeforeDegree,
  ],
  ...[
    sentences.oneConjunction,
    sentences.doubleNegative,
    sentences.cannot,
    sentences.splice,
    sentences.almostMost,
    sentences.comparative,
    sentences.superlative,
    adverbAfterVerb,
    objectBeforeAdverb,
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
