import { baseOf, PAST_OF_PARTICIPLE, participle, past, thirdPerson } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import {
  type Found,
  isNoun,
  isOne,
  isWord,
  POSSESSIVES,
  type Rule,
  replace,
  type Sentence,
  skipAdverbs,
  words,
} from './rule.ts';
import { AMOUNTS, LENGTHS, type PastTime, pastTimes } from './times.ts';

const SUBJECTS = words('i he she it we they');
const NAMED_ONES = words('i he she it we they');
const SINGULAR_SUBJECTS = words('i he she it');
/** "I seen him", "they done it": a participle alone is no past. */
export const participleAlone: Rule = {
  id: 'participle-alone',
  kind: 'verb_form',
  words: 'i he she it we they',
  fixes: { 'They done it again.': 'They did it again.' },
  leaves: ['I saw what they had done.', 'The films seen by most people are not the best.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!isOne(token, NAMED_ONES)) continue;
      const previous = sentence[i - 1];
      const verb = sentence[skipAdverbs(sentence, i + 1)];
      if (!isWord(verb)) continue;
      if (previous !== undefined && !/^(?:PUNCT|CCONJ|SCONJ)$/.test(previous.pos) && !isOne(previous, BEGINNINGS))
        continue;
      const right = PAST_OF_PARTICIPLE.get(verb.lower);
      if (right === undefined || verb.text !== verb.lower) continue;
      yield replace(verb, verb, right, `“${verb.lower}” takes “have” before it; alone the past is “${right}”.`);
    }
  },
};
/** Words after which a clause begins. */
const BEGINNINGS = words('that said when then yesterday because where what how why since');

/** Verbs of present states, whatever time is named: "I think yesterday was fine", "I love what we had". */
const OF_THE_MIND = words(
  'think know believe guess hope remember want need love like mean wish prefer understand suppose agree miss be have feel see',
);

/** The past of a present verb; undefined when it is past already or is no plain verb. */
function pastOf(verb: Token, subject: Token): string | undefined {
  if (/^(?:am|is|are)$/.test(verb.lower)) return SINGULAR_SUBJECTS.has(subject.lower) ? 'was' : 'were';
  if (!(verb.pos === 'VERB' || /^(?:has|have|do|does)$/.test(verb.lower))) return undefined;
  const base = baseOf(verb.lower);
  if (frequency(base) < 3_000_000 || past(base) === base) return undefined;
  return verb.lower === base || verb.lower === thirdPerson(base) ? past(base) : undefined;
}

/** Corrects "Last summer we go" and "Yesterday I see", because a finished time takes the past. */
export const pastAfterTime: Rule = {
  id: 'past-after-time',
  kind: 'verb_form',
  fixes: { 'Last winter we go to the coast.': 'Last winter we went to the coast.' },
  leaves: ['We go back to the place where we met ten years ago.', 'We went from bank to bank.'],
  *find(sentence) {
    // "Dear team, two weeks ago I buy".
    const time = pastTimes(sentence).find(({ first }) => first === 0 || sentence[first - 1]?.text === ',');
    if (time === undefined) return;
    const index = sentence[time.last + 1]?.text === ',' ? time.last + 2 : time.last + 1;
    // "Yesterday my phone fall": "my" and one noun.
    const owned = isOne(sentence[index], POSSESSIVES) && isNoun(sentence[index + 1]) ? index + 1 : index;
    const subject = sentence[owned];
    if (!(isOne(subject, SUBJECTS) || owned > index) || subject === undefined) return;
    const verb = sentence[skipAdverbs(sentence, owned + 1)];
    if (owned > index && (verb?.pos !== 'VERB' || !sentence[sentence.indexOf(verb) + 1]?.spaced)) return;
    if (!isWord(verb)) return;
    // "Last night I have watched": the perfect.
    const next = sentence[skipAdverbs(sentence, sentence.indexOf(verb) + 1)];
    if (/^(?:have|has)$/.test(verb.lower) && next !== undefined && /^(?:VERB|AUX)$/.test(next.pos)) {
      const base = baseOf(next.lower);
      const right = base === 'be' ? (SINGULAR_SUBJECTS.has(subject.lower) ? 'was' : 'were') : past(base);
      if (isWord(next) && next.lower === participle(base) && sentence[sentence.indexOf(verb) + 1] === next)
        yield replace(verb, next, right, isOver(sentence, time, right));
      return;
    }
    const right = pastOf(verb, subject);
    if (right !== undefined) yield replace(verb, verb, right, isOver(sentence, time, right));
  },
};

const isOver = (sentence: Sentence, { first, last }: PastTime, right: string): string => {
  const time = sentence.slice(first, last + 1).map(({ text }) => text);
  return `“${time.join(' ')}” names a time that is over, so the past “${right}” follows.`;
};

const ENDS_CLAUSE = /^(?:[.,;:!?)]|and|but|so|because|when|while|where)$/;

/** Corrects "the letter we send you last week" and "I have seen him yesterday", where the time ends the clause. */
export const pastBeforeTime: Rule = {
  id: 'past-before-time',
  kind: 'verb_form',
  fixes: { 'I have seen him yesterday.': 'I saw him yesterday.' },
  leaves: ['She says she went home an hour ago.', 'I have been ill since last Tuesday.'],
  *find(sentence) {
    for (const time of pastTimes(sentence)) {
      if (time.first < 2) continue;
      const next = sentence[time.last + 1];
      if (next !== undefined && !ENDS_CLAUSE.test(next.lower)) continue;
      const before = sentence[time.first - 1] as Token;
      if (before.pos === 'ADP' || before.pos === 'SCONJ' || /^(?:of|than|like|the)$/.test(before.lower)) continue;
      const found = onlyVerb(sentence, time.first);
      if (found !== undefined) yield* inThePast(sentence, found, time);
    }
  },
};

/** The pronoun and first verb of the clause that ends before `end`, if no other clause stands between. */
function onlyVerb(sentence: Sentence, end: number): { subject: number; verb: number } | undefined {
  let subject = end - 1;
  // "for it", "saw it": no subject.
  const isObject = (at: number): boolean =>
    sentence[at]?.lower === 'it' && /^(?:VERB|ADP)$/.test(sentence[at - 1]?.pos ?? '');
  while (subject >= 0 && (!isOne(sentence[subject], SUBJECTS) || isObject(subject))) {
    const token = sentence[subject] as Token;
    const infinitive = token.lower === 'to' && /^(?:VERB|AUX)$/.test(sentence[subject + 1]?.pos ?? '');
    if (infinitive || /^(?:PUNCT|CCONJ|SCONJ)$/.test(token.pos) || isOne(token, words('that who which what how why')))
      return undefined;
    subject -= 1;
  }
  if (subject < 0 || /^(?:if|wish|do|does|did)$/.test(sentence[subject - 1]?.lower ?? '')) return undefined;
  const verb = skipAdverbs(sentence, subject + 1);
  return verb < end ? { subject, verb } : undefined;
}

function* inThePast(
  sentence: Sentence,
  { subject, verb: index }: { subject: number; verb: number },
  time: PastTime,
): Generator<Found> {
  const verb = sentence[index];
  const owner = sentence[subject] as Token;
  if (!isWord(verb) || sentence.slice(subject, index).some((word) => word.lower === "n't" || word.lower === 'not'))
    return;
  const second = sentence[skipAdverbs(sentence, index + 1)];
  const others = sentence.slice(index + 1, time.first).filter((word) => /^(?:VERB|AUX)$/.test(word.pos));
  if (/^(?:have|has)$/.test(verb.lower) && isWord(second) && others.length === 1 && others[0] === second) {
    const base = baseOf(second.lower);
    const right = base === 'be' ? (SINGULAR_SUBJECTS.has(owner.lower) ? 'was' : 'were') : past(base);
    if ((second.lower !== participle(base) && second.lower !== past(base)) || sentence[index + 1] !== second) return;
    // "has been to Paris last year".
    const been = second.lower === 'been' && sentence[index + 2]?.lower === 'to' ? 'went' : right;
    yield replace(verb, second, been, isOver(sentence, time, been));
    return;
  }
  if (others.length > 0 || OF_THE_MIND.has(baseOf(verb.lower))) return;
  const right = pastOf(verb, owner);
  if (right !== undefined) yield replace(verb, verb, right, isOver(sentence, time, right));
}

/** "If I would have more time, I would come" → "If I had"; "If I were rich, I will" → "would". */
export const unrealCondition: Rule = {
  id: 'unreal-condition',
  kind: 'verb_form',
  words: 'if',
  fixes: { 'If I had money, I will buy it.': 'If I had money, I would buy it.' },
  leaves: ['If you would be so kind, wait here.', 'I wonder if it will work.'],
  *find(sentence) {
    const [opener, subject, help] = sentence;
    if (opener?.lower !== 'if' || !isOne(subject, SUBJECTS) || !isWord(help)) return;
    const comma = sentence.findIndex((token) => token.text === ',');
    const main = sentence.slice(comma + 1, comma + 4);
    if (comma < 3 || !isOne(sentence[comma + 1], words('i you he she it we they'))) return;
    if (help.lower === 'were') {
      const will = main.find((token) => token.lower === 'will');
      if (will !== undefined && !will.locked)
        yield replace(will, will, 'would', 'What follows a condition that is not real takes “would”.');
      return;
    }
    const will = main.find((token) => token.lower === 'will' && !token.locked);
    const verb = sentence[3];
    // "If I had money, I will buy it".
    if (help.lower === 'had' && will !== undefined && /^(?:NOUN|DET|ADJ)$/.test(verb?.pos ?? '')) {
      yield replace(will, will, 'would', 'What follows a condition that is not real takes “would”.');
      return;
    }
    const dreamt = help.lower === 'was' && sentence.slice(3, comma).some((token) => isOne(token, DREAMS));
    const wished = help.lower === 'would' && subject?.lower !== 'you' && isOne(verb, words('have be know'));
    if (will !== undefined && (dreamt || wished))
      yield replace(will, will, 'would', 'What follows a condition that is not real takes “would”.');
    const conditional = main.some((token) => /^(?:would|could|might|'d)$/.test(token.lower));
    if (help.lower !== 'would' || !(conditional || (will !== undefined && wished))) return;
    if (
      !isWord(verb) ||
      /^(?:like|prefer|please|mind|rather|love)$/.test(verb.lower) ||
      baseOf(verb.lower) !== verb.lower
    )
      return;
    const next = sentence[4];
    const isPerfect =
      verb.lower === 'have' && isWord(next) && next.lower === participle(baseOf(next.lower)) && next.pos !== 'NOUN';
    const right = verb.lower === 'be' ? 'were' : isPerfect ? 'had' : past(verb.lower);
    yield replace(help, verb, right, `“if” takes no “would”: “${right}”.`);
  },
};

/** What is hardly ever real: "if I was rich". */
const DREAMS = words(
  'rich millionaire billionaire president king queen bird younger taller famous invisible immortal superhero astronaut you',
);

/** Verbs of asking and knowing, after which “when” begins an indirect question. */
const ASKING = words('know say tell ask see decide wonder inform remember show explain');

const UNTIL = words('before after until till once');

/** "I will call you when I will arrive" → "when I arrive": a clause of time takes no "will". */
export const noWillInTimeClause: Rule = {
  id: 'no-will-in-time-clause',
  kind: 'verb_form',
  words: 'will',
  fixes: { 'When I will have time, I call you.': 'When I have time, I call you.' },
  leaves: ['I do not know when I will arrive.', 'We will call you when the parts arrive.'],
  *find(sentence) {
    if (sentence.at(-1)?.text === '?') return;
    for (const [i, token] of sentence.entries()) {
      const will = sentence[i + 2];
      const verb = sentence[i + 3];
      const subject = sentence[i + 1];
      if (!isOne(subject, words('i you he she it we they')) || will?.lower !== 'will' || will.locked) continue;
      if (!isWord(verb) || !/^(?:VERB|AUX)$/.test(verb.pos) || baseOf(verb.lower) !== verb.lower) continue;
      const asSoonAs = token.lower === 'as' && sentence[i - 1]?.lower === 'soon';
      const planned = sentence.slice(0, i).some((word) => /^(?:will|['’]ll|can|please)$/.test(word.lower));
      const governor = isOne(sentence[i - 1], words('me you us him her them')) ? sentence[i - 2] : sentence[i - 1];
      const clause = i === 0 && token.lower === 'when' ? sentence.findIndex(({ text }) => text === ',') : -1;
      const opens = clause > 3 && clause < 9 && isOne(sentence[clause + 1], words('i you he she it we they please'));
      const later = sentence.findIndex((word, at) => at > i + 3 && /^(?:will|['’]ll)$/.test(word.lower));
      const answers = i === 0 && later > 0 && isOne(sentence[later - 1], words('i you he she it we they'));
      const when =
        token.lower === 'when' &&
        (planned || opens || answers) &&
        !isOne(governor, ASKING) &&
        !isOne(governor, words('day time moment and or'));
      if (!asSoonAs && !when && !isOne(token, UNTIL)) continue;
      // "He must fetch it before he will be allowed to push": a result.
      if (token.lower === 'before' && verb.lower === 'be' && sentence[i + 4]?.pos === 'VERB') continue;
      const isSingular = /^(?:he|she|it)$/.test(subject?.lower ?? '');
      const right =
        verb.lower === 'be'
          ? isSingular
            ? 'is'
            : subject?.lower === 'i'
              ? 'am'
              : 'are'
          : isSingular
            ? thirdPerson(verb.lower)
            : verb.lower;
      yield replace(will, verb, right, `After “${token.text}” the present stands for the future: “${right}”.`);
    }
  },
};

const MAY_FOLLOW = words('. , ; ! ? and but yet because in at by with on for from to when');

/** "I moved before two months": how long it is since then is said with “ago”. */
export const agoNotBefore: Rule = {
  id: 'ago-not-before',
  kind: 'word_choice',
  words: 'before',
  fixes: { 'I moved here before two months.': 'I moved here two months ago.' },
  leaves: ['We left before two hours had passed.', 'I saw him two days before the exam.'],
  *find(sentence, context) {
    const place = sentence.findIndex(({ lower }) => lower === 'before');
    let end = place + 1;
    while (AMOUNTS.test(sentence[end]?.lower ?? '') || sentence[end]?.pos === 'NUM') end += 1;
    const [preposition, unit, next] = [sentence[place], sentence[end], sentence[end + 1]];
    if (
      preposition === undefined ||
      unit === undefined ||
      end === place + 1 ||
      unit.locked ||
      !LENGTHS.test(unit.lower)
    )
      return;
    if (/^(?:NOUN|ADV)$/.test(sentence[place - 1]?.pos ?? '') && LENGTHS.test(sentence[place - 1]?.lower ?? '')) return;
    if (isOne(sentence[place - 1], words('never not just shortly')) || context.tense(preposition)?.tense !== 'past')
      return;
    if (next !== undefined && !isOne(next, MAY_FOLLOW) && !(place === 0 && /^(?:PRON|DET|PROPN)$/.test(next.pos)))
      return;
    const amount = sentence
      .slice(place + 1, end + 1)
      .map(({ text }) => text)
      .join(' ');
    yield replace(preposition, unit, `${amount} ago`, `How long it is since then is said with “ago”: “${amount} ago”.`);
  },
};
