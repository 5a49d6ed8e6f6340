import type { Proposal } from '../edits.ts';
import { objectBeforeAdverb } from './adverbs.ts';
import { singularAfterEvery } from './after-every.ts';
import { nounAndVerb } from './agreement.ts';
import { missingIndefinite, mostOf, uncountableArticle } from './articles.ts';
import { questionWithDo } from './bare-questions.ts';
import { adverbBeforeVerb, wantSomeoneTo } from './clauses.ts';
import { afterOpeningClause, beforeConjunction, etc } from './commas.ts';
import { comparison } from './comparison.ts';
import { noApostropheInPlural, possessiveBeforeNoun } from './contractions.ts';
import { twoSubjects } from './coordination.ts';
import { theseBeforePlural } from './demonstratives.ts';
import { gerundAfterPreposition } from './gerunds.ts';
import { joinedVerbs } from './joined-verbs.ts';
import { afterLink } from './linking-commas.ts';
import { capitalOfName, nameAndVerb, possessiveOfName, possessiveOfPerson } from './names.ts';
import { ordinalEnding } from './ordinals.ts';
import { gerundAfterBe, participleAfterBeing, participleAfterHaving } from './participles.ts';
import { matcher } from './pattern.ts';
import { forHowLong, perfectSince } from './perfect.ts';
import { PHRASES } from './phrases/index.ts';
import { pluralAfterAll } from './plural-after-all.ts';
import { byDeadline, missingPreposition, wrongPreposition } from './prepositions.ts';
import { pronounAndVerb } from './pronoun-agreement.ts';
import { noArticleBeforePlural, pluralAfterOf, pluralAfterQuantity } from './quantity.ts';
import { baseInQuestion, questionAndSubject } from './questions.ts';
import { neitherNor, verbAfterWho } from './relative.ts';
import type { Context, Rule, RuleFacts, Sentence } from './rule.ts';
import { capital, doubleNegative, fullStop, oneConjunction, questionMark, splice } from './sentences.ts';
import { soundsAlike } from './sounds-alike.ts';
import { spacing } from './spacing.ts';
import { subjectTwice } from './subject-twice.ts';
import { oneAndVerb, subjectAndVerb } from './subjects.ts';
import {
  agoNotBefore,
  noWillInTimeClause,
  participleAlone,
  pastAfterTime,
  pastBeforeTime,
  unrealCondition,
} from './tense.ts';
import { missingBe, thereIs } from './there-is.ts';
import { fewerAndMany, uncountable } from './uncountable.ts';
import { baseAfterAnyTo } from './verb-patterns.ts';
import { baseAfterDo, baseAfterModal, baseAfterTo, noBeBeforeVerb, participleAfterHave } from './verbs.ts';
import { orderAfterDenial, reportedQuestion, wordOrder } from './word-order.ts';
import { ownPlural } from './wrong-plurals.ts';

/** The rules with a reader of their own, in order of precedence: where two want the same words, the first has them. */
const READERS: readonly Rule[] = [
  ordinalEnding,
  participleAlone,
  agoNotBefore,
  unrealCondition,
  pastAfterTime,
  pastBeforeTime,
  noWillInTimeClause,
  baseInQuestion,
  questionAndSubject,
  questionWithDo,
  perfectSince,
  forHowLong,
  wantSomeoneTo,
  adverbBeforeVerb,
  subjectTwice,
  comparison,
  soundsAlike,
  possessiveBeforeNoun,
  noApostropheInPlural,
  noBeBeforeVerb,
  baseAfterModal,
  baseAfterDo,
  baseAfterTo,
  participleAfterHave,
  gerundAfterPreposition,
  participleAfterBeing,
  gerundAfterBe,
  participleAfterHaving,
  baseAfterAnyTo,
  joinedVerbs,
  wordOrder,
  orderAfterDenial,
  reportedQuestion,
  pluralAfterAll,
  ownPlural,
  uncountable,
  fewerAndMany,
  theseBeforePlural,
  noArticleBeforePlural,
  singularAfterEvery,
  pluralAfterQuantity,
  pluralAfterOf,
  thereIs,
  twoSubjects,
  missingBe,
  pronounAndVerb,
  nameAndVerb,
  possessiveOfName,
  possessiveOfPerson,
  capitalOfName,
  nounAndVerb,
  subjectAndVerb,
  oneAndVerb,
  verbAfterWho,
  neitherNor,
  wrongPreposition,
  missingPreposition,
  byDeadline,
  uncountableArticle,
  missingIndefinite,
  mostOf,
  oneConjunction,
  doubleNegative,
  splice,
  objectBeforeAdverb,
  spacing,
  etc,
  afterLink,
  afterOpeningClause,
  beforeConjunction,
  fullStop,
  questionMark,
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
