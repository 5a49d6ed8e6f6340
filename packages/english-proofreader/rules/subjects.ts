import { isPlural } from '../forms.ts';
import { frequency, pairFrequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { agreed, mayBeLed, reason } from './agreement.ts';
import { joinsClauses } from './noun-phrase.ts';
import { isMostlyVerb } from './nouns.ts';
import { ADVERBS, becauseOf, EITHER_NUMBER, finite, type Grammatical, nounNumber, PEOPLE } from './number.ts';
import { isAdverb, isNoun, isOne, isWord, type Rule, replace, type Sentence, words } from './rule.ts';

const ONE = words('a an this that each every another');
const MANY = words('these those many several both few various all');
const THE = words('the my your his her its our their no some any');
const INDEFINITE = words(
  'everyone everybody someone somebody anyone anybody nobody everything something anything nothing',
);
/** Subjects without a clear number, beside those that take either. */
const MORE_UNSURE = words(
  'set list way ways reason thing board council management union department population army enemy opposition press crowd jury band club firm community generation party side store shop bunch host array collection amounts day time times year years',
);
const isUnsure = (word: string): boolean => EITHER_NUMBER.has(word) || MORE_UNSURE.has(word);
const OF = words('of in for on about with from to between at by');
/** Verbs that a clause can follow, with or without "that". */
const SAYING = words(
  'think thinks thought believe believes believed say says said know knows knew mean means hope hopes show shows showed suggest suggests find finds found feel feels conclude claim claims agree learn noticed notice see expect expects expected because',
);
/** Words after which the verb of a clause is in its base form. */
const BARE = words(
  'let lets make makes made help helps helped see saw watch watched hear heard feel felt have had having ensure',
);
/** Words after which a clause is in the subjunctive: "suggest that he go". */
const DEMANDS = words(
  'suggest suggests suggested recommend recommends recommended insist insists insisted demand demands demanded demanding insisting requiring require requires required propose proposes proposed request requests requested ask asks asked suggestion recommendation demand proposal insistence requirement request important essential necessary vital crucial imperative natural desirable advisable fitting proper urge urges urged prefer prefers preferred rather',
);
const NUMBERED = words('section chapter figure table appendix');
const SUBJUNCTIVE = words('if though unless whether wish wished wishes suppose as lest');
/** Helping verbs that the base form follows, in questions after the subject. */
const QUESTION = words('do does did can could will would shall should may might must');

interface Subject {
  readonly head: Token;
  readonly number: Grammatical;
  readonly start: number;
  /** Whether other nouns stand between it and the verb. */
  readonly distant: boolean;
}

/** The noun phrase that ends at `end`, searched to the left: its first token and its noun. */
function phraseBefore(
  sentence: Sentence,
  end: number,
): { start: number; head: Token; determiner: Token | undefined } | undefined {
  let index = end;
  // "Section 3", "Figure 2": at the beginning of a sentence the tagger sees a name.
  const numbered = sentence[index - 1];
  if (/^\d+(?:\.\d+)*$/.test(sentence[index]?.text ?? '') && (isNoun(numbered) || isOne(numbered, NUMBERED)))
    index -= 1;
  else if (
    isOne(sentence[index], words('one two three four five six')) &&
    isOne(numbered, words('item option step section chapter page part point question'))
  )
    index -= 1;
  const head = sentence[index];
  if (!(isNoun(head) || (index < end && isWord(head)))) return undefined;
  // "the way schools are organized".
  if (isPlural(head.lower) && isOne(sentence[index - 1], words('way ways reason time day place thing things moment')))
    return undefined;
  while (index > 0 && /^(?:NOUN|ADJ)$/.test(sentence[index - 1]?.pos ?? '') && isWord(sentence[index - 1])) index -= 1;
  if (/^(?:PROPN|NUM)$/.test(sentence[index - 1]?.pos ?? '')) return undefined;
  const before = sentence[index - 1];
  const determined = isOne(before, ONE) || isOne(before, MANY) || isOne(before, THE);
  return { start: determined ? index - 1 : index, head, determiner: determined ? before : undefined };
}

/** The subject that ends before `verb`; undefined where it is unclear. */
function subjectOf(sentence: Sentence, verb: number): Subject | undefined {
  let end = verb - 1;
  while (
    end > 0 &&
    (isOne(sentence[end], ADVERBS) || (isAdverb(sentence[end]) && /ly$/.test(sentence[end]?.lower ?? '')))
  )
    end -= 1;
  let distant = false;
  const named = sentence[end - 2];
  // "everyone except Anna".
  if (isOne(sentence[end - 1], words('except besides')) && isOne(named, INDEFINITE) && named !== undefined)
    return begins(sentence, end - 2, true) ? { head: named, number: 'one', start: end - 2, distant: true } : undefined;
  const each = oneOfThem(sentence, end);
  if (each !== undefined) return each;
  for (let hops = 0; hops < 3; hops += 1) {
    const someone = sentence[end];
    if (distant && isOne(someone, INDEFINITE) && someone !== undefined && begins(sentence, end, true))
      return { head: someone, number: 'one', start: end, distant };
    const phrase = phraseBefore(sentence, end);
    if (phrase === undefined) return undefined;
    const { start, head, determiner } = phrase;
    const previous = sentence[start - 1];
    if (isOne(previous, OF) && previous?.pos !== 'SCONJ') {
      if (start < 2) return undefined;
      const of = sentence[start - 2];
      if (previous?.lower === 'of' && of !== undefined) {
        const quantity = quantityOf(sentence, start - 2, head);
        if (quantity !== undefined) return quantity;
      }
      end = start - 2;
      distant = true;
      continue;
    }
    const number = numberOf(head, determiner);
    // "We waited and the waiter forget it": a base form behind one thing, where “and” joins clauses.
    const second = (): boolean =>
      determiner !== undefined &&
      !distant &&
      joinsClauses(sentence, start - 1) &&
      (number === 'one'
        ? isMostlyVerb((sentence[verb] as Token).lower) &&
          (sentence[verb + 1]?.pos === 'VERB' || !/^(?:have|do)$/.test((sentence[verb] as Token).lower))
        : isOne(sentence[verb], words('is was')) && !afterPreposition(sentence, start - 1));
    if (number === undefined || !(begins(sentence, start, determiner !== undefined) || second())) return undefined;
    // A bare singular may be part of a name or the object of an earlier word.
    if (determiner === undefined && number === 'one' && start > 0 && sentence[start - 1]?.lower !== 'that')
      return undefined;
    return { head, number, start, distant };
  }
  return undefined;
}

/** Whether the noun before `at` stands in a phrase with a preposition: "for all employees and their dependents". */
const afterPreposition = (sentence: Sentence, at: number): boolean =>
  sentence.slice(Math.max(0, at - 4), at).some(({ pos }) => pos === 'ADP');

/** "neither of them", "each of us". */
function oneOfThem(sentence: Sentence, end: number): Subject | undefined {
  const head = sentence[end - 2];
  if (!isOne(sentence[end], words('them us you these those')) || sentence[end - 1]?.lower !== 'of') return undefined;
  if (head === undefined || !isOne(head, words('each neither one everyone')) || !begins(sentence, end - 2, true))
    return undefined;
  return { head, number: 'one', start: end - 2, distant: true };
}

/** "most of the methods", "one of the rooms", "the number of guests", "a lot of people". */
function quantityOf(sentence: Sentence, index: number, head: Token): Subject | undefined {
  const word = sentence[index] as Token;
  const many = isPlural(head.lower) || PEOPLE.has(head.lower);
  const first = sentence[index - 1];
  if (/^(?:one|each|either|neither)$/.test(word.lower) && begins(sentence, index, true))
    return { head: word, number: 'one', start: index, distant: true };
  if (
    /^(?:most|many|some|all|both|few|several|half)$/.test(word.lower) &&
    many &&
    (begins(sentence, index, true) || (index === 1 && isOne(first, words('almost about nearly over only'))))
  )
    return { head, number: 'many', start: index, distant: true };
  if (word.lower === 'number' && first !== undefined && begins(sentence, index - 1, true)) {
    if (first.lower === 'the') return { head: word, number: 'one', start: index - 1, distant: true };
    if (first.lower === 'a' && many) return { head, number: 'many', start: index - 1, distant: true };
  }
  if (/^(?:lot|couple)$/.test(word.lower) && first?.lower === 'a' && many && begins(sentence, index - 1, true))
    return { head, number: 'many', start: index - 1, distant: true };
  return undefined;
}

function numberOf(head: Token, determiner: Token | undefined): Grammatical | undefined {
  const number = nounNumber(head.lower);
  if (number === undefined) return undefined;
  if (isUnsure(head.lower) || frequency(head.lower) < 500_000) return undefined;
  if (isOne(determiner, ONE) && number === 'many') return undefined;
  if (isOne(determiner, MANY) && number === 'one') return undefined;
  if (/s$/.test(head.lower) && number === 'one' && !/ss$/.test(head.lower)) return undefined;
  return number;
}

const TIMES = words('year years month months week weeks day days summer winter century decade decades');
const ABOUT_ALL = words('unfortunately luckily fortunately sadly');

/** Whether a subject can begin here, at the border of a clause. */
function begins(sentence: Sentence, start: number, determined: boolean): boolean {
  const previous = sentence[start - 1];
  if (previous === undefined) return true;
  if (previous.locked) return false;
  if (isOne(previous, ABOUT_ALL) && determined) return begins(sentence, start - 1, determined);
  if (/^(?:and|or|nor)$/.test(previous.lower)) {
    // In "…, and the dog barks" the words before have a verb of their own.
    const first = sentence.slice(0, start - 1);
    return (
      previous.lower === 'and' &&
      determined &&
      sentence[start - 2]?.text === ',' &&
      first.some((token) => token.pos === 'AUX')
    );
  }
  if (previous.text === ',') {
    const opener = sentence[0] as Token;
    return (
      determined &&
      /^(?:ADP|SCONJ|ADV)$/.test(opener.pos) &&
      sentence.slice(0, start - 1).every((token) => token.text !== ',')
    );
  }
  // "In the last year the number of guests has doubled".
  if (TIMES.has(previous.lower) && determined && sentence[0]?.pos === 'ADP' && start <= 6) return true;
  if (previous.text === ';' || previous.text === ':') return determined;
  if (
    previous.pos === 'SCONJ' ||
    /^(?:because|that|but|so|when|how|why|while|although|though|until|whether|since|where|if)$/.test(previous.lower)
  )
    return previous.lower !== 'as' && previous.lower !== 'like' && previous.lower !== 'than';
  return determined && isOne(previous, SAYING) && previous.pos === 'VERB';
}

/** Words that show that the word before is a verb rather than a noun. */
const isVerbBefore = (token: Token | undefined): boolean =>
  token !== undefined && /^(?:DET|PRON|ADP|ADV|PART|SCONJ|ADJ|NUM|AUX)$/.test(token.pos);

/** "this study aim to", "the number of guests have", "most of the methods requires". */
export const subjectAndVerb: Rule = {
  id: 'subject-and-verb',
  kind: 'agreement',
  fixes: { 'All of the windows was open.': 'All of the windows were open.' },
  leaves: ['Half of the cake is gone, and half of the guests have left.'],
  *find(sentence, context) {
    const question = sentence.at(-1)?.text === '?';
    for (let index = 1; index < sentence.length; index += 1) {
      const verb = sentence[index] as Token;
      const found = finite(verb, sentence[index + 1]);
      if (found === undefined) continue;
      const subject = subjectOf(sentence, index);
      if (subject === undefined || subject.number === found.number || isOne(subject.head, QUESTION)) continue;
      const opening = sentence.slice(0, subject.start);
      // "I prefer tea, but my wife": another clause.
      const lead = opening.slice(
        opening.findLastIndex(({ lower }, n) => lower === 'but' && opening[n - 1]?.text === ',') + 1,
      );
      // "Nobody but the twins was late".
      if (opening.at(-1)?.lower === 'but' && isOne(opening.at(-2), INDEFINITE)) continue;
      // "Everyone who knows the twins likes them", "One of each will do", "First grab a coffee".
      if (isOne(sentence[subject.start - 2], words('who which that')) || isOne(sentence[index - 1], QUESTION)) continue;
      if (subject.start === 0 && isOne(subject.head, words('first second third next last'))) continue;
      // "The street where the President lives is closed".
      if (subject.head.lower === 'lives' && lead.some((token) => isOne(token, words('where who that')))) continue;
      // "Make sure that" takes no base form.
      if (lead.some((token, n) => (isOne(token, BARE) && lead[n + 1]?.lower !== 'sure') || isOne(token, DEMANDS)))
        continue;
      // "Can you explain why the test fail?": a clause of its own.
      const why =
        subject.start > 2 && isOne(sentence[subject.start - 1], words('why that because how where when whether'));
      if (question && !why && lead.some((token) => token.pos === 'AUX' || isOne(token, QUESTION))) continue;
      if (verb.lower === 'were' && lead.some((token) => isOne(token, SUBJUNCTIVE))) continue;
      if (sentence[subject.start - 1]?.pos === 'AUX') continue;
      // "This shows the source code file": all nouns.
      if (
        !found.clear &&
        found.number === 'many' &&
        lead.at(-1)?.pos === 'VERB' &&
        sentence[subject.start]?.lower !== 'that' &&
        isOne(lead.at(-1), SAYING) &&
        !isMostlyVerb(verb.lower)
      )
        continue;
      const next = sentence[index + 1];
      // "How many cars does she have?": the subject follows.
      const asks = question && isOne(sentence[0], words('how what which whose'));
      if (asks && found.clear && /^(?:PRON|DET|PROPN)$/.test(next?.pos ?? '') && next?.lower !== 'there') continue;
      if (!found.clear) {
        if (next?.lower === 'of') continue;
        const ends =
          why && isOne(verb, words('fail work happen exist crash stop start matter')) && next?.pos === 'PUNCT';
        if (!ends && !isVerbBefore(next) && !(found.number === 'many' && isNoun(next) && !subject.distant)) continue;
        if (subject.distant && found.number === 'many' && lead.length > 0) continue;
        // "The auto restart feature restarts it": a noun before another noun, and the verb behind.
        if (isNoun(next) && finite(sentence[index + 2])?.number === 'one') continue;
        // "The auto restart is off": two nouns.
        if (found.number === 'many' && next?.pos === 'AUX') continue;
        if (
          found.number === 'one' &&
          (next?.pos === 'AUX' || (subject.distant && isPlural(verb.lower) && !/^(?:DET|PRON)$/.test(next?.pos ?? '')))
        )
          continue;
        // In "the build steps" and "the end user need" two nouns are more frequent than a noun and a verb.
        const beside = sentence[index - 1];
        if (isNoun(beside) && pairFrequency(beside.lower, verb.lower) > 3_000_000) continue;
      }
      const right = agreed(sentence, found, subject.number, context);
      if (right === undefined) continue;
      // "They found that less sleep lead to stress": what is so.
      const doubt = mayBeLed(found, context) && !lead.some((token) => isOne(token, SAYING));
      yield { ...replace(verb, verb, right, ...reason(found, right, becauseOf(subject.head, subject.number))), doubt };
    }
  },
};

/** Corrects "this have both" and "I expect that it open": a singular pronoun, and a verb that expresses no wish. */
export const oneAndVerb: Rule = {
  id: 'one-and-verb',
  kind: 'agreement',
  words: 'this he she it',
  fixes: { 'This give us a whole day more.': 'This gives us a whole day more.' },
  leaves: ['I suggest that this give way to a new plan.', 'There ready for us was a meal.'],
  *find(sentence, context) {
    for (const [i, token] of sentence.entries()) {
      const verb = sentence[i + 1];
      const found = finite(verb, sentence[i + 2]);
      if (verb === undefined || found === undefined || found.number === 'one' || token.locked) continue;
      const previous = sentence[i - 1];
      const tells =
        /^(?:show|mean|prove|suggest|imply|indicate)$/.test(verb.lower) && sentence[i + 2]?.lower === 'that';
      const deed = isMostlyVerb(verb.lower) && /^(?:DET|PRON|NOUN)$/.test(sentence[i + 2]?.pos ?? '');
      if (token.lower === 'this' && (tells || deed || /^(?:have|are|were|do)$/.test(verb.lower))) {
        if (deed && sentence.slice(0, i).some((word) => isOne(word, DEMANDS) || isOne(word, BARE))) continue;
        if (previous !== undefined && !/^(?:[,;]|and|but|because|that|so|opinion|when|if)$/.test(previous.lower))
          continue;
        if (verb.lower === 'were' && previous !== undefined) continue;
      } else if (
        /^(?:he|she|it)$/.test(token.lower) &&
        /^(?:that|when|if|because|until|although|though|unless|,|which|what|where|so)$/.test(previous?.lower ?? '')
      ) {
        if (sentence.slice(0, i).some((word) => isOne(word, DEMANDS) || isOne(word, BARE)) || verb.lower === 'were')
          continue;
        if (
          sentence.at(-1)?.text === '?' ||
          sentence.slice(Math.max(0, i - 3), i).some((word) => isOne(word, QUESTION))
        )
          continue;
        if (
          !found.clear &&
          !isVerbBefore(sentence[i + 2]) &&
          !isNoun(sentence[i + 2]) &&
          !/^[.,]$/.test(sentence[i + 2]?.text ?? '.')
        )
          continue;
      } else continue;
      const late = isOne(previous, words('until although though unless'));
      const right = late ? (agreed(sentence, found, 'one', context) ?? found.one) : found.one;
      yield replace(verb, verb, right, ...reason(found, right, `“${token.text}” takes “${right}”.`));
    }
  },
};
