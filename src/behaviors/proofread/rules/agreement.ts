import { baseOf, isPlural, past, thirdPerson } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { isCountable, UNCOUNTABLE } from './nouns.ts';
import {
  ARTICLES,
  isAdjective,
  isAdverb,
  isNoun,
  isOne,
  isWord,
  MODALS,
  POSSESSIVES,
  type Rule,
  replace,
  type Sentence,
  words,
} from './rule.ts';

type Grammatical = 'one' | 'many';

const BE_OF: Readonly<Record<string, readonly [one: string, many: string]>> = {
  is: ['is', 'are'],
  are: ['is', 'are'],
  was: ['was', 'were'],
  were: ['was', 'were'],
  has: ['has', 'have'],
  have: ['has', 'have'],
  does: ['does', 'do'],
  do: ['does', 'do'],
  "isn't": ["isn't", "aren't"],
};

const ONE_DETERMINERS = words('a an this that each every another');
const MANY_DETERMINERS = words('these those many several both few various');
/** A subject that takes either, or whose number hangs on what follows. */
const UNSURE = words(
  'number majority minority lot lots rest part half percent per group team family staff couple pair variety range kind kinds type types sort series species means data media police public government committee percentage none all some any most more half people plenty bit amount audience crew company class majority quarter third fifth fraction who which that what politics statistics news economics physics mathematics athletics united states fish sheep deer dozen hundred thousand million headquarters youth following above latter former rich poor young old elderly',
);
const PEOPLE = words('people children men women');
const CONNECTORS = words('of in for from about on with to at between by');
const ADVERBS = words(
  'also always often never usually sometimes really only just still already even not generally mostly normally probably simply certainly currently',
);

/** The verb at a place, as one whose form shows its number, and what it would be for the other number. Undefined for others. */
function finiteVerb(
  sentence: Sentence,
  at: number,
): { verb: Token; number: Grammatical; one: string; many: string } | undefined {
  const verb = sentence[at];
  if (!isWord(verb)) return undefined;
  const pair = BE_OF[verb.lower];
  if (pair !== undefined) return { verb, number: verb.lower === pair[0] ? 'one' : 'many', one: pair[0], many: pair[1] };
  if (verb.pos !== 'VERB') return undefined;
  const base = baseOf(verb.lower);
  if (frequency(base) < 1_000_000) return undefined;
  const one = thirdPerson(base);
  // "he let me": past as well as present.
  if (verb.lower === base && past(base) === base) return undefined;
  if (verb.lower === one) return { verb, number: 'one', one, many: base };
  if (verb.lower === base && base !== 'be') return { verb, number: 'many', one, many: base };
  return undefined;
}

/** Skips adverbs: "the cats *also* like". */
function verbAt(sentence: Sentence, from: number): number {
  let at = from;
  while (isOne(sentence[at], ADVERBS) || (isAdverb(sentence[at]) && sentence[at]?.lower.endsWith('ly'))) at += 1;
  return at;
}

interface Subject {
  readonly head: Token;
  readonly number: Grammatical;
  /** Where what follows the subject begins. */
  readonly next: number;
  /** The noun that stands next to the verb, if it is another one. */
  readonly distant: boolean;
  /** A noun of one without a determiner. */
  readonly bare: boolean;
}

/** The subject that begins at `at`: determiner, adjectives, noun, and phrases with "of", "in", "for", … after it. */
function subjectAt(sentence: Sentence, at: number): Subject | undefined {
  let index = at;
  const determiner = sentence[index];
  let determined: Grammatical | undefined;
  let marked = false;
  if (isOne(determiner, ONE_DETERMINERS)) determined = 'one';
  else if (isOne(determiner, MANY_DETERMINERS)) determined = 'many';
  if (determined !== undefined || isOne(determiner, ARTICLES) || isOne(determiner, POSSESSIVES)) {
    index += 1;
    marked = true;
  }
  const phrase = nounPhraseEnd(sentence, index);
  if (phrase === undefined) return undefined;
  const head = sentence[phrase] as Token;
  if (UNSURE.has(head.lower) || UNSURE.has(sentence[index]?.lower ?? '')) {
    if (!(head.lower === 'people' && !marked)) return undefined;
  }
  const plain = PEOPLE.has(head.lower) || isPlural(head.lower) ? 'many' : 'one';
  // "this cars": what is wrong is another rule's.
  if (determined !== undefined && determined !== plain) return undefined;
  // A bare singular ("cat", "teacher") is a mistake of its own, a mass noun or a verb: only sure nouns of one.
  if (!marked && plain === 'one' && !UNCOUNTABLE.has(head.lower) && !isCountable(head.lower)) return undefined;
  let next = phrase + 1;
  let distant = false;
  while (isOne(sentence[next], CONNECTORS)) {
    const inner = skipDeterminer(sentence, next + 1);
    const end = nounPhraseEnd(sentence, inner);
    if (end === undefined) return undefined;
    next = end + 1;
    distant = true;
  }
  return { head, number: plain, next, distant, bare: !marked && plain === 'one' };
}

function skipDeterminer(sentence: Sentence, at: number): number {
  const token = sentence[at];
  return isOne(token, ARTICLES) ||
    isOne(token, POSSESSIVES) ||
    isOne(token, ONE_DETERMINERS) ||
    isOne(token, MANY_DETERMINERS)
    ? at + 1
    : at;
}

function nounPhraseEnd(sentence: Sentence, at: number): number | undefined {
  let index = at;
  while (isAdjective(sentence[index])) index += 1;
  if (!isNoun(sentence[index])) return undefined;
  while (isNoun(sentence[index + 1])) index += 1;
  const after = sentence[index + 1];
  if (after !== undefined && !after.spaced && /^[-’'/]/.test(after.text)) return undefined;
  return index;
}

/** Words before a subject that make it one: the beginning, a conjunction, a comma after an introduction. */
const BEFORE_SUBJECT = words(
  'because if when although though while since whether but so that think believe says say know means mean hope',
);

function mayBegin(sentence: Sentence, at: number): boolean {
  const before = sentence[at - 1];
  if (before === undefined) return true;
  if (BEFORE_SUBJECT.has(before.lower))
    return before.lower !== 'that' || /^(?:VERB|PRON|SCONJ)$/.test(sentence[at - 2]?.pos ?? '');
  return (
    before.text === ',' &&
    at <= 7 &&
    !sentence.slice(0, at).some((token) => token.lower === 'and' || token.lower === 'or')
  );
}

const because = (head: Token, number: Grammatical): string =>
  `“${head.text}” ${number === 'many' ? 'is a plural' : 'is a singular'}, and the verb agrees with it.`;

/** "The list of items are" → "is", "people thinks" → "think", "the boys was" → "were". */
export const nounAndVerb: Rule = function* (sentence) {
  if (sentence.at(-1)?.text === '?') return;
  for (let at = 0; at < sentence.length - 1; at += 1) {
    if (!mayBegin(sentence, at)) continue;
    const subject = subjectAt(sentence, at);
    if (subject === undefined) continue;
    const { head, number, next, distant } = subject;
    const place = verbAt(sentence, next);
    const found = finiteVerb(sentence, place);
    if (found === undefined || found.number === number) continue;
    const { verb, one, many } = found;
    if (frequency(head.lower) < 500_000) continue;
    // "auto restart": a bare noun of one and a verb may be two nouns.
    if (subject.bare && verb.pos === 'VERB' && !/^(?:DET|PRON)$/.test(sentence[place + 1]?.pos ?? '')) continue;
    // "if the tree were not there".
    if (verb.lower === 'were' && sentence.slice(0, at).some((word) => isOne(word, SUBJUNCTIVE))) continue;
    // "suggest that he go", "make people think": the bare form may be right.
    if (found.number === 'many' && verb.pos === 'VERB') {
      const before = sentence[at - 1]?.lower ?? '';
      if (before === 'that' || distant || !sure(sentence, place)) continue;
      if (verb.lower === 'have' && isOne(sentence[place - 1], MODALS)) continue;
    }
    if (found.number === 'one' && verb.pos === 'VERB' && distant && !sure(sentence, place)) continue;
    if (distant && /^(?:and|or)$/.test(sentence[place - 1]?.lower ?? '')) continue;
    const right = number === 'many' ? many : one;
    yield replace(verb, verb, right, 'agreement', because(head, number));
  }
};

const SUBJUNCTIVE = words('if though unless whether wish wished wishes suppose supposing as until lest provided');

/** Whether a word the tagger calls a verb is really one: what follows is an object, a preposition or an adverb. */
function sure(sentence: Sentence, at: number): boolean {
  const next = sentence[at + 1];
  return next !== undefined && /^(?:DET|PRON|ADP|ADV|PART|SCONJ|ADJ|NUM|AUX)$/.test(next.pos);
}

const MANY_PRONOUNS = words('we they you these those');
const ONE_PRONOUNS = words(
  'he she it everyone everybody someone somebody anyone anybody nobody everything something anything nothing',
);
const BARE_AFTER = words(
  'let make makes made help helps helped see saw seen watch watched hear heard have had suggest suggests suggested recommend recommends recommended insist insists insisted demand demands demanded require requires required important essential necessary vital do does did can could will would shall should may might must lets than as if whether lest and or of for to with from by about at like is are was were am',
);

/** "he go", "they was", "everyone are": where the subject is a pronoun. */
export const pronounAndVerb: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (!isWord(token)) continue;
    const number =
      MANY_PRONOUNS.has(token.lower) || token.lower === 'i'
        ? 'many'
        : ONE_PRONOUNS.has(token.lower)
          ? 'one'
          : undefined;
    if (number === undefined) continue;
    const before = sentence[i - 1];
    if ((token.lower === 'these' || token.lower === 'those') && !(before === undefined)) continue;
    if (
      BARE_AFTER.has(before?.lower ?? '') &&
      !(
        before?.lower === 'if' ||
        before?.lower === 'whether' ||
        before?.lower === 'and' ||
        before?.lower === 'as' ||
        before?.lower === 'than'
      )
    )
      continue;
    if (
      before !== undefined &&
      /^(?:VERB|ADP|AUX)$/.test(before.pos) &&
      (token.lower === 'it' || token.lower === 'you' || ONE_PRONOUNS.has(token.lower)) &&
      !/^(?:think|know|believe|say|says|said|hope|mean|means|sure|that|because)$/.test(before.lower)
    )
      continue;
    if (
      before?.lower === 'and' &&
      !sentence.slice(0, i).some((word) => word.pos === 'VERB' || word.pos === 'AUX') &&
      ONE_PRONOUNS.has(token.lower) &&
      sentence[i - 2] !== undefined &&
      /^(?:NOUN|PROPN|PRON)$/.test(sentence[i - 2]?.pos ?? '')
    )
      continue;
    // "Doesn't she like it", "What does he want": the verb that agrees stands before.
    if (before?.lower === "n't" || (before?.pos === 'AUX' && sentence.at(-1)?.text === '?')) continue;
    const place = verbAt(sentence, i + 1);
    if (place > i + 1 && sentence.slice(i + 1, place).some((adverb) => adverb.lower === 'not')) continue;
    const found = finiteVerb(sentence, place);
    if (found === undefined || found.number === number) continue;
    const { verb, one, many } = found;
    if (verb.lower === 'like' && token.lower === 'it') continue;
    if (sentence.at(-1)?.text === '?' && i > 0 && before?.pos === 'AUX') continue;
    if (
      /^(?:was|were)$/.test(verb.lower) &&
      (before?.lower === 'if' ||
        before?.lower === 'wish' ||
        before?.lower === 'as' ||
        before?.lower === 'though' ||
        token.lower === 'i')
    )
      continue;
    if (
      number === 'one' &&
      verb.pos === 'VERB' &&
      !sure(sentence, place) &&
      !isNoun(sentence[place + 1]) &&
      !/^[.,!]$/.test(sentence[place + 1]?.text ?? '')
    )
      continue;
    if (number === 'one' && before?.lower === 'that' && verb.pos === 'VERB') continue;
    if (
      number === 'many' &&
      token.lower !== 'i' &&
      verb.pos === 'VERB' &&
      isNoun(sentence[place + 1]) &&
      token.lower.startsWith('th')
    ) {
      if (token.lower === 'these' || token.lower === 'those') continue;
    }
    const right = token.lower === 'i' && /^(?:is|are)$/.test(verb.lower) ? 'am' : number === 'many' ? many : one;
    const said =
      number === 'many'
        ? `“${token.text}” takes the verb without -s: “${right}”.`
        : `“${token.text}” takes “${right}”.`;
    yield replace(verb, verb, right, 'agreement', said);
  }
};

/** "people who is", "a man who have": the verb of a relative clause agrees with the noun before it. */
export const relativeClause: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (token.lower !== 'who' || token.locked) continue;
    const head = sentence[i - 1];
    if (!isNoun(head)) continue;
    // "one of the people who …", "a group of people who …": either may be meant.
    const nearBy = sentence.slice(Math.max(0, i - 4), i - 1).map((near) => near.lower);
    if (nearBy.includes('of') || nearBy.includes('only') || nearBy.includes('and')) continue;
    const plain: Grammatical = PEOPLE.has(head.lower) || isPlural(head.lower) ? 'many' : 'one';
    if (plain === 'one' && !nearBy.some((near) => ONE_DETERMINERS.has(near) || near === 'the')) continue;
    if (plain === 'one' && UNSURE.has(head.lower)) continue;
    const place = verbAt(sentence, i + 1);
    const found = finiteVerb(sentence, place);
    if (found === undefined || found.number === plain) continue;
    if (plain === 'one' && found.verb.pos === 'VERB' && !sure(sentence, place)) continue;
    yield replace(found.verb, found.verb, plain === 'many' ? found.many : found.one, 'agreement', because(head, plain));
  }
};

/** "there is many problems" → "there are", "there are a problem" → "there is". */
export const thereIs: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (token.lower !== 'there' || token.locked) continue;
    const verb = sentence[i + 1];
    const pair = verb === undefined ? undefined : BE_OF[verb.lower];
    if (!isWord(verb) || pair === undefined || /^(?:do|does)/.test(verb.lower)) continue;
    const place = verbAt(sentence, i + 2);
    const first = sentence[place];
    if (sentence[place - 1]?.lower === 'not') continue;
    const number = numberOf(sentence, place);
    if (first === undefined || number === undefined) continue;
    const right = number === 'many' ? pair[1] : pair[0];
    if (right !== verb.lower)
      yield replace(
        verb,
        verb,
        right,
        'agreement',
        `What is there ${number === 'many' ? 'are several' : 'is one'}, and the verb agrees with it.`,
      );
  }
};

function numberOf(sentence: Sentence, at: number): Grammatical | undefined {
  const first = sentence[at];
  if (
    isOne(first, words('many several few various these those some no two three four five six seven eight nine ten'))
  ) {
    const end = nounPhraseEnd(sentence, at + 1);
    return end !== undefined && isPlural((sentence[end] as Token).lower) ? 'many' : undefined;
  }
  if (
    first?.lower === 'a' &&
    /^(?:lot|number|couple|variety)$/.test(sentence[at + 1]?.lower ?? '') &&
    sentence[at + 2]?.lower === 'of'
  ) {
    const end = nounPhraseEnd(sentence, at + 3);
    return end !== undefined && isPlural((sentence[end] as Token).lower) ? 'many' : undefined;
  }
  if (first?.lower === 'lots' && sentence[at + 1]?.lower === 'of') return numberOf(sentence, at + 2);
  const determined = isOne(first, ONE_DETERMINERS);
  const end = nounPhraseEnd(sentence, determined ? at + 1 : at);
  if (end === undefined || sentence[end + 1]?.lower === 'and') return undefined;
  const head = sentence[end] as Token;
  if (determined) return !UNSURE.has(head.lower) && !isPlural(head.lower) ? 'one' : undefined;
  return isPlural(head.lower) && !UNSURE.has(head.lower) ? 'many' : undefined;
}

/** "his mother and sisters is" → "are": two subjects, the second of several. */
export const twoSubjects: Rule = function* (sentence) {
  const start = skipDeterminer(sentence, 0);
  const first = nounPhraseEnd(sentence, start);
  // "Fish and chips is": without a determiner it may be one thing.
  if (first === undefined || start === 0 || sentence[first + 1]?.lower !== 'and') return;
  const second = nounPhraseEnd(sentence, skipDeterminer(sentence, first + 2));
  if (second === undefined || !isPlural((sentence[second] as Token).lower)) return;
  const verb = sentence[second + 1];
  if (!isOne(verb, words('is was has')) || verb === undefined) return;
  yield replace(
    verb,
    verb,
    BE_OF[verb.lower]?.[1] ?? verb.lower,
    'agreement',
    'Two subjects joined by “and” are several, and the verb agrees with them.',
  );
};

const BE_FOR: Readonly<Record<string, string>> = {
  i: 'am',
  he: 'is',
  she: 'is',
  it: 'is',
  we: 'are',
  you: 'are',
  they: 'are',
};

/** "It so expensive", "but it dangerous": the verb "be" is missing. */
export const missingBe: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    const be = BE_FOR[token.lower];
    if (be === undefined || token.locked || token.lower === 'you') continue;
    const before = sentence[i - 1];
    if (before !== undefined && !/^(?:but|because|and|so|if|when|that)$/.test(before.lower) && before.text !== ',')
      continue;
    if (before?.lower === 'and' && sentence[i - 2]?.text !== ',') continue;
    let at = i + 1;
    while (isOne(sentence[at], words('so very really too not always also quite'))) at += 1;
    const adjective = sentence[at];
    const next = sentence[at + 1];
    if (!isAdjective(adjective) || /(?:ed|ly)$/.test(adjective.lower) || adjective.lower === 'own') continue;
    if (!(next === undefined || /^(?:PUNCT|SCONJ|PART|ADP|CCONJ)$/.test(next.pos) || next.lower === 'that')) continue;
    if (
      sentence.slice(at + 1, at + 4).some((word) => word.pos === 'AUX' || word.pos === 'VERB') &&
      next?.pos !== 'SCONJ' &&
      next?.lower !== 'that' &&
      next?.pos !== 'PART' &&
      next?.text !== ','
    )
      continue;
    yield {
      start: token.start,
      end: token.end,
      replacement: `${token.text} ${be}`,
      kind: 'verb_form',
      explanation: `A sentence needs a verb: “${be}” is missing.`,
    };
  }
};
