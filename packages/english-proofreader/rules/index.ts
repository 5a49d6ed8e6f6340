import type { Proposal } from '../edits.ts';
import { adverbAfterVerb, objectBeforeAdverb } from './adverbs.ts';
import * as every from './after-every.ts';
import { verbAfterWho } from './after-relative.ts';
import * as agreement from './agreement.ts';
import * as articles from './articles.ts';
import * as bare from './bare-forms.ts';
import { articleBeforeDegree, articleBeforePlace } from './bare-places.ts';
import * as commas from './commas.ts';
import * as confusions from './confusions.ts';
import * as contractions from './contractions.ts';
import { bothAndVerb, joinedVerb, secondVerb, twoSubjects } from './coordination.ts';
import { theseBeforePlural, thisOnes } from './demonstratives.ts';
import * as gerunds from './gerunds.ts';
import { joinedVerbs } from './joined-verbs.ts';
import { afterLink } from './linking-commas.ts';
import { nounLikeVerb } from './noun-like-verbs.ts';
import { ordinalEnding } from './ordinals.ts';
import * as participles from './participles.ts';
import { lastOfThree, pastInNextClause } from './past-clauses.ts';
import { phrases } from './phrases/index.ts';
import * as plurals from './plural-after-all.ts';
import * as prepositions from './prepositions.ts';
import * as pronouns from './pronoun-agreement.ts';
import * as quantity from './quantity.ts';
import * as questions from './questions.ts';
import type { Context, Rule, Sentence } from './rule.ts';
import * as sentences from './sentences.ts';
import { spacing } from './spacing.ts';
import * as subjects from './subjects.ts';
import * as tense from './tense.ts';
import { missingBe, missingIt, missingSubject, thereIs } from './there-is.ts';
import * as things from './things.ts';
import { fewerAndMany, uncountable } from './uncountable.ts';
import * as patterns from './verb-patterns.ts';
import * as verbs from './verbs.ts';
import { reportedQuestion, wordOrder } from './word-order.ts';
import { ownPlural } from './wrong-plurals.ts';

interface Gated {
  readonly rule: Rule;
  /** Words of which a sentence has at least one where the rule finds something; undefined where there are none. */
  readonly words: readonly string[] | undefined;
}

const always = (...rules: Rule[]): Gated[] => rules.map((rule) => ({ rule, words: undefined }));
const only = (words: string, ...rules: Rule[]): Gated[] => rules.map((rule) => ({ rule, words: words.split(' ') }));

/** All own rules in order of precedence: where two want the same words, the first has them. */
const RULES: readonly Gated[] = [
  always(phrases, ordinalEnding),
  only('i he she we they', tense.participleAlone),
  only('if', tense.unrealCondition),
  only('wish wishes', tense.unrealWish),
  only('since', tense.perfectSince),
  only('time', tense.perfectAfterTimes),
  only('since', tense.perfectSinceThen),
  always(tense.pastAfterTime, tense.pastBeforeTime),
  only('when while', tense.pastAfterWhen),
  only('will', tense.noWillInTimeClause),
  only('?', questions.helpInQuestion, questions.statementInQuestion, questions.baseInQuestion),
  only('?', questions.tagQuestion),
  only('want wants wanted', questions.wantSomeoneTo),
  only('who', questions.whoInQuestion),
  only('you they', contractions.possessiveBeforeNoun),
  only('you', contractions.yourAfterPreposition),
  only("'s", contractions.noApostropheInPlural),
  only('your', confusions.yourYoure),
  only('its', confusions.itsIts),
  only('their', confusions.thereTheir),
  only('to', confusions.toToo),
  only('then than', confusions.thenThan),
  always(confusions.realWords),
  only("am is are was were 'm", verbs.noBeBeforeVerb),
  only('can could will would shall should may might must', verbs.baseAfterModal),
  only('do does did', verbs.baseAfterDo),
  only('to', verbs.baseAfterTo),
  only("have has had 've", verbs.participleAfterHave),
  only('can could will would shall should may might must', bare.baseAfterModalNotGerund),
  only('to', bare.baseAfterToNotGerund),
  only('be', bare.noBeAfterModal),
  only('am is are was were', bare.noContinuousState),
  only('like want', bare.toAfterLike),
  only('have has had', bare.afterHaveBeen),
  only('please', bare.baseAfterPlease),
  only('let', bare.baseAfterLet),
  always(bare.joinedWithMany),
  only('of', bare.ofThemMany),
  only('be been', verbs.participleAfterBe),
  only('make makes made making let lets', verbs.bareAfterMake),
  always(verbs.toAfterWant),
  only('to', gerunds.gerundAfterEnjoy),
  always(gerunds.gerundAfterPreposition),
  only('not', gerunds.gerundAfterNot),
  only('of', gerunds.gerundAfterOf),
  only('interesting', gerunds.interestedIn),
  only('forward', gerunds.lookForwardTo),
  only('am is are was were be been being', participles.participleAfterBeing),
  always(participles.gerundAfterBe),
  only("have has had having 've", participles.participleAfterHaving),
  only('to', patterns.baseAfterAnyTo),
  only('and', joinedVerbs, lastOfThree),
  always(pastInNextClause, patterns.toAfterGoal, patterns.adjectiveAfterSense, patterns.verbPatterns),
  only('?', wordOrder),
  only('where what when how why who', reportedQuestion),
  only('are more enough other', things.pluralAfterThereAre),
  always(things.noPluralAdjective),
  only('very so too', things.noPluralAfterVery),
  always(things.noArticleBeforeCountry),
  only('who what', things.thatForThings),
  always(things.verbOfThing),
  only('why how where when', things.manyAfterWhy),
  only('all two three four five six seven eight nine ten', plurals.pluralAfterAll),
  only('of', plurals.pluralAfterMost),
  always(ownPlural, uncountable, fewerAndMany),
  only('this', theseBeforePlural, thisOnes),
  only('a an', quantity.noArticleBeforePlural),
  only('each every another', every.singularAfterEvery),
  only('one', every.singularAfterOne),
  always(quantity.pluralAfterQuantity),
  only('of', quantity.pluralAfterOf),
  only('there', thereIs),
  only('and', twoSubjects),
  only('both', bothAndVerb),
  only("n't", secondVerb),
  only('and', joinedVerb),
  only('?', questions.questionAgreement),
  only('i he she it we they', missingBe),
  only('is', missingIt),
  only('is are', missingSubject),
  always(pronouns.pronounAndVerb, agreement.someoneFrom),
  only('who', agreement.relativeClause),
  always(agreement.nounAndVerb),
  only("n't", agreement.doesNotOfOne),
  always(subjects.subjectAndVerb),
  only('who which that', subjects.relativeVerb),
  only('this he she it', subjects.oneAndVerb),
  only('which who', subjects.verbAfterRelative),
  only('who', verbAfterWho),
  always(nounLikeVerb, prepositions.wrongPreposition, prepositions.timeAndMedium),
  only('to', prepositions.noToBeforeHome),
  always(prepositions.missingPreposition, prepositions.easyFor),
  only('until till', prepositions.byDeadline),
  only('a an the', articles.oneDeterminer),
  only('a an', articles.uncountableArticle),
  only('the', articles.superfluous),
  always(articles.missingBeforeSuperlative),
  only('a an', articles.theSuperlative),
  only('the', articles.gameWithoutArticle),
  always(articles.missingIndefinite),
  only('such', articles.suchA),
  always(articles.missingAfterPreposition),
  only('when if because that while but and so however', articles.missingBeforeSubject),
  only('of', articles.mostOf),
  always(articles.missingDefinite),
  only('a an', articles.articleBeforeAbbreviation),
  always(articles.theBeforeCountry),
  only('in at to from near inside outside behind', articleBeforePlace),
  only('degree', articleBeforeDegree),
  only('although though because since even', sentences.oneConjunction),
  only("n't not never", sentences.doubleNegative),
  only('can', sentences.cannot),
  always(sentences.splice),
  only('almost', sentences.almostMost),
  only('more', sentences.comparative),
  only('most', sentences.superlative),
  always(adverbAfterVerb, objectBeforeAdverb, spacing),
  only('etc etc.', commas.etc),
  always(afterLink, commas.afterOpeningClause, commas.afterOpeningPhrase),
  only('but so', commas.beforeConjunction),
  always(sentences.fullStop, sentences.capital),
].flat();

const ALWAYS = Uint8Array.from(RULES, ({ words }) => (words === undefined ? 1 : 0));
/** The places of the rules that a word lets in. */
const BY_WORD = new Map<string, number[]>();
for (const [place, { words }] of RULES.entries())
  for (const word of words ?? []) BY_WORD.set(word, [...(BY_WORD.get(word) ?? []), place]);

const idOf = ({ name }: Rule): string => name.replace(/(?=[A-Z])/g, '-').toLowerCase();

/** What the own rules find in a sentence; a rule is entered only where one of its words stands. */
export function* findings(sentence: Sentence, context: Context): Generator<Proposal> {
  const entered = ALWAYS.slice();
  for (const { lower } of sentence) for (const place of BY_WORD.get(lower) ?? []) entered[place] = 1;
  for (const [place, { rule }] of RULES.entries()) {
    if (entered[place] !== 1) continue;
    for (const found of rule(sentence, context)) yield { ...found, rule: idOf(rule) };
  }
}
