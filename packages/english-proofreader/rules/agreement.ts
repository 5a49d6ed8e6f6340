import type { Kind } from '../edits.ts';
import { baseOf, past, thirdPerson } from '../forms.ts';
import { frequency, pairFrequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { MANY_DETERMINERS, nounPhraseEnd, ONE_DETERMINERS, skipDeterminer } from './noun-phrase.ts';
import { isCountable, UNCOUNTABLE } from './nouns.ts';
import { afterAdverbs, becauseOf, EITHER_NUMBER, type Finite, finite, type Grammatical, nounNumber } from './number.ts';
import {
  ARTICLES,
  type Context,
  isNoun,
  isOne,
  isWord,
  MODALS,
  POSSESSIVES,
  type Rule,
  replace,
  type Sentence,
  skipAdverbs,
  words,
} from './rule.ts';

/** Subjects without a clear number, beside those that take either. */
const MORE_UNSURE = words(
  'kinds types people who which that what united states council board management union press jury band club firm community company department',
);
const isUnsure = (word: string): boolean => EITHER_NUMBER.has(word) || MORE_UNSURE.has(word);
const CONNECTORS = words('of in for from about on with to at between by');

interface Subject {
  readonly head: Token;
  readonly number: Grammatical;
  /** Where what follows the subject begins. */
  readonly next: number;
  /** The noun that stands next to the verb, if it is another one. */
  readonly distant: boolean;
  /** Whether the noun is singular without a determiner. */
  readonly bare: boolean;
}

/** The subject that begins at `start`: determiner, adjectives, noun, and phrases with "of", "in", "for", … after it. */
function subjectAt(sentence: Sentence, start: number): Subject | undefined {
  let index = start;
  // "all our products".
  if (
    isOne(sentence[start], words('all both')) &&
    (isOne(sentence[start + 1], POSSESSIVES) || sentence[start + 1]?.lower === 'the')
  )
    index += 1;
  const determiner = sentence[index];
  let determined: Grammatical | undefined;
  let marked = false;
  if (isOne(determiner, ONE_DETERMINERS)) determined = 'one';
  else if (isOne(determiner, MANY_DETERMINERS)) determined = 'many';
  if (determined !== undefined || isOne(determiner, ARTICLES) || isOne(determiner, POSSESSIVES)) {
    index += 1;
    marked = true;
    if (sentence[index]?.lower === 'only') index += 1;
    // "the proposed approach".
    if (isWord(sentence[index]) && /ed$/.test(sentence[index]?.lower ?? '') && isNoun(sentence[index + 1])) index += 1;
  }
  const phrase = nounPhraseEnd(sentence, index);
  if (phrase === undefined) return undefined;
  const head = sentence[phrase] as Token;
  if (isUnsure(head.lower) || isUnsure(sentence[index]?.lower ?? '')) {
    if (!(head.lower === 'people' && (!marked || determined === 'many'))) return undefined;
  }
  const plain = nounNumber(head.lower);
  if (plain === undefined) return undefined;
  // Another rule corrects "this cars".
  if (determined !== undefined && determined !== plain) return undefined;
  // A bare singular ("cat", "teacher") is another mistake, a mass noun or a verb, so only certain singular nouns count.
  if (
    !marked &&
    plain === 'one' &&
    !UNCOUNTABLE.has(head.lower) &&
    !isCountable(head.lower) &&
    !BARE.has(head.lower) &&
    !isSubjectOf(head.lower, sentence[phrase + 1]?.lower ?? '')
  )
    return undefined;
  let next = phrase + 1;
  let distant = false;
  while (isOne(sentence[next], CONNECTORS)) {
    const inner = skipDeterminer(sentence, next + 1);
    const end = nounPhraseEnd(sentence, inner);
    if (end === undefined) return undefined;
    next = end + 1;
    distant = true;
  }
  // "My cousin, who lives in Rome, speaks".
  if (marked && sentence[next]?.text === ',' && isOne(sentence[next + 1], words('who which whose'))) {
    const end = sentence.findIndex(({ text }, at) => text === ',' && at > next + 2);
    if (end > 0) next = end + 1;
  }
  return { head, number: plain, next, distant, bare: !marked && plain === 'one' };
}

/** Nouns that are a subject without a determiner: "technology plays a role". */
const BARE = words('technology society nature science internet tourism advertising globalization education');

/** Whether books write this noun before the verb's form for one, and hardly ever before its base form: "technology makes". */
const isSubjectOf = (noun: string, verb: string): boolean =>
  pairFrequency(noun, thirdPerson(verb)) > 1_000_000 &&
  pairFrequency(noun, thirdPerson(verb)) > 10 * pairFrequency(noun, verb);

/** Words that can precede a subject: none at the beginning, a conjunction, a comma after an introduction. */
const BEFORE_SUBJECT = words(
  'because if when although though while since whether but so that think believe says say know means mean hope',
);

/** Adverbs of a whole sentence. */
const ABOUT_ALL = words(
  'unfortunately fortunately luckily sadly usually normally recently finally currently generally hopefully obviously apparently basically actually sometimes yesterday today',
);

function mayBegin(sentence: Sentence, start: number): boolean {
  const previous = sentence[start - 1];
  // "Unfortunately the shoes doesn't fit".
  if (previous === undefined || (start === 1 && isOne(previous, ABOUT_ALL))) return true;
  if (BEFORE_SUBJECT.has(previous.lower))
    return (
      previous.lower !== 'that' ||
      /^(?:VERB|PRON|SCONJ)$/.test(sentence[start - 2]?.pos ?? '') ||
      isOne(sentence[start - 2], words('sure certain glad happy afraid'))
    );
  return (
    previous.text === ',' &&
    start <= 7 &&
    !sentence.slice(0, start).some((token) => token.lower === 'and' || token.lower === 'or')
  );
}

/**
 * The correct form of a verb with the wrong number: the other number, or the past where the sentence is in the past;
 * undefined where the tense is unclear.
 */
export function agreed(sentence: Sentence, found: Finite, number: Grammatical, context: Context): string | undefined {
  const { verb, one, many, clear } = found;
  const right = number === 'many' ? many : one;
  const after = sentence[skipAdverbs(sentence, sentence.indexOf(verb) + 1)];
  // "She don't knew": “did” is meant.
  if (
    /^do(?:es)?$/.test(verb.lower) &&
    after?.lower === past(baseOf(after?.lower ?? '')) &&
    baseOf(after.lower) !== after.lower
  )
    return undefined;
  // "a ship run by pirates".
  if (isOne(verb, words('run overcome')) && sentence[sentence.indexOf(verb) + 1]?.lower === 'by') return undefined;
  if (clear && verb.lower !== 'have' && verb.lower !== 'has') return right;
  // "has complained": the perfect.
  if (clear && /^(?:VERB|AUX)$/.test(after?.pos ?? '')) return right;
  // "the problem still exist".
  if (sentence[sentence.indexOf(verb) - 1]?.lower === 'still') return right;
  const narration = context.tense(verb);
  if (narration === undefined || narration.tense === 'present') return right;
  // "He said he would, but he never come": the past may be meant.
  if (
    narration.tense === 'mixed' &&
    narration.own &&
    !clear &&
    verb.lower === many &&
    number === 'one' &&
    !OF_STATE.has(baseOf(verb.lower))
  )
    return undefined;
  if (narration.tense === 'mixed' || (!clear && verb.lower === thirdPerson(baseOf(verb.lower)))) return right;
  const base = baseOf(verb.lower);
  return narration.own || !OF_STATE.has(base) ? past(base) : right;
}

/** Whether “lead” may be “leads” or “led”, since both are said alike and nothing tells the time. */
export const mayBeLed = ({ verb }: Finite, context: Context): boolean =>
  verb.lower === 'lead' && context.tense(verb) === undefined;

/** The kind and the reason of a correction by `agreed`. */
export const reason = ({ one, many }: Finite, right: string, said: string): readonly [string, Kind] =>
  right === one || right === many || right === 'am'
    ? [said, 'agreement']
    : [`The text tells what happened, so the past “${right}” fits.`, 'verb_form'];

const OF_STATE = words(
  'exist have know like love live work want need think believe mean own belong seem contain cost depend include consist',
);

/** "The list of items are" → "is", "people thinks" → "think", "the boys was" → "were". */
export const nounAndVerb: Rule = {
  id: 'noun-and-verb',
  kind: 'agreement',
  fixes: { 'The colors was nice.': 'The colors were nice.' },
  leaves: ['Ten pounds is too much for a sandwich.', 'The United States has fifty states.'],
  *find(sentence, context) {
    if (sentence.at(-1)?.text === '?') return;
    for (let start = 0; start < sentence.length - 1; start += 1) {
      const opening = start === 1 && isOne(sentence[0], words('after before once until'));
      if (!opening && !mayBegin(sentence, start)) continue;
      const subject = subjectAt(sentence, start);
      if (subject === undefined) continue;
      // "Nobody but the twins was late".
      if (sentence[start - 1]?.lower === 'but' && isOne(sentence[start - 2], SOMEONE)) continue;
      const { head, number, next, distant } = subject;
      const aside = sentence[next - 1]?.text === ',';
      const place = afterAdverbs(sentence, next);
      const found = finite(sentence[place], sentence[place + 1]);
      if (found === undefined || found.number === number) continue;
      const { verb } = found;
      // "the croissants is": a rare noun has to be a plural for sure.
      const headFrequency = frequency(head.lower);
      const rare =
        found.clear && number === 'many' && (isOne(sentence[start], ARTICLES) || isOne(sentence[start], POSSESSIVES));
      if (headFrequency < (rare ? 100_000 : 500_000)) continue;
      // "After the tree falls"; but "After the war were two years": another clause.
      if (opening && (verb.lower !== 'have' || distant || sentence[place + 1]?.pos !== 'VERB')) continue;
      // "Each will decide".
      if (isOne(head, MODALS) || isOne(sentence[place - 1], MODALS)) continue;
      // "the cause of death": nouns; "so many times": no subject.
      if (verb.pos === 'VERB' && sentence[place + 1]?.lower === 'of') continue;
      if (sentence[start - 1]?.lower === 'so' && isOne(sentence[start], words('many much few little'))) continue;
      // "auto restart": a bare noun of one and a verb may be two nouns.
      if (subject.bare && verb.pos === 'VERB' && !/^(?:DET|PRON)$/.test(sentence[place + 1]?.pos ?? '')) continue;
      // "if the tree were not there".
      if (verb.lower === 'were' && sentence.slice(0, start).some((word) => isOne(word, SUBJUNCTIVE))) continue;
      // "suggest that he go", "make people think": the bare form may be right.
      if (found.number === 'many' && verb.pos === 'VERB') {
        const previousWord = sentence[start - 1]?.lower ?? '';
        const stated = isOne(sentence[start - 2], STATING) && isOne(sentence[start], ONE_DETERMINERS);
        const ends = (stated || isOne(verb, OF_BEING)) && sentence[place + 1]?.text === '.';
        if ((previousWord === 'that' && !stated) || distant) continue;
        if (!(sure(sentence, place) || ends) || sentence[place + 1]?.pos === 'AUX') continue;
        if (verb.lower === 'have' && isOne(sentence[place - 1], MODALS)) continue;
      }
      if (found.number === 'one' && verb.pos === 'VERB' && distant && !sure(sentence, place)) continue;
      if (distant && /^(?:and|or)$/.test(sentence[place - 1]?.lower ?? '')) continue;
      // “The house, which was built in 1920, have”: the tense of the aside is not that of the sentence.
      const right = aside && found.clear ? found[number] : agreed(sentence, found, number, context);
      if (right === undefined) continue;
      const doubt = mayBeLed(found, context);
      yield { ...replace(verb, verb, right, ...reason(found, right, becauseOf(head, number))), doubt };
    }
  },
};

/** Verbs without an object, which may end a sentence. */
const OF_BEING = words('exist remain happen occur continue disappear persist');
/** Verbs that state what is so, after which “that” has no base form. */
const STATING = words(
  'show shows showed shown think thinks thought say says said know knows knew believe believes found find finds mean means meant prove proves proved see sees saw notice noticed',
);

const SUBJUNCTIVE = words('if though unless whether wish wished wishes suppose supposing as until lest provided');

/** Whether a word the tagger calls a verb is really one: what follows is an object, a preposition or an adverb. */
export function sure(sentence: Sentence, at: number): boolean {
  const next = sentence[at + 1];
  return next !== undefined && (/^(?:DET|PRON|ADP|ADV|PART|SCONJ|ADJ|NUM|AUX)$/.test(next.pos) || isOne(next, ALL));
}

/** Pronouns that the tagger takes for verbs. */
const ALL = words('everything everyone everybody something anything nothing someone nobody');

/** Pronouns of a person. */
export const SOMEONE = words('everyone everybody someone somebody anyone anybody nobody');
