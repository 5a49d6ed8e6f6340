import { isPlural, thirdPerson } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { agreed, reason } from './agreement.ts';
import { joinsClauses } from './noun-phrase.ts';
import { becauseOf, EITHER_NUMBER, helpingForms, PEOPLE } from './number.ts';
import { isAdjective, isNoun, isOne, isWord, type Rule, replace, type Sentence, words } from './rule.ts';
import { BARE, DEMANDS, QUESTION } from './subjects.ts';

/** Verbs that the tagger takes for a noun after a noun: "the function return a list". */
const ALSO_NOUNS = words(
  'show return crash fail cause offer need help use work start stop change support report display request claim result increase decrease',
);
/** Persons, of whom a deed rather than a thing is told: "my brother work in a garage". */
const KIN = words(
  'brother sister father mother uncle aunt cousin son daughter husband wife boss teacher friend neighbor neighbour grandmother grandfather dad mom mum colleague manager roommate girlfriend boyfriend',
);
const DEEDS = words(
  'work cook study play live drink teach love hate want need help sleep smoke drive visit dance paint',
);
const WITH_TO = words('aim need try fail tend');
const OBJECT = words('a an the this these our my your his her their its all every no some any me him us them it');
/** Determiners of one thing with which a clause begins. */
const DETERMINERS = words('the this that each every my our your his her its their');
const OPENERS = words('because that although though since whereas but so');
const CLAUSE_END = /^(?:[.,;:!?()–—]|and|but|or|that|which|who|because|when|if|while|so)$/;

/** Whether the part of a clause from `from` on has a verb that agrees with its subject. */
function hasVerb(sentence: Sentence, from: number): boolean {
  for (let index = from; index < sentence.length; index += 1) {
    const token = sentence[index] as Token;
    if (CLAUSE_END.test(token.lower)) return false;
    const infinitive = sentence[index - 1]?.lower === 'to';
    if (token.pos === 'AUX' || helpingForms(token.lower) !== undefined) return true;
    if (token.pos === 'VERB' && !infinitive && !/(?:ing|ed|en)$/.test(token.lower)) return true;
  }
  return false;
}

/** Whether the base form may be meant after this word. */
const mayTakeBase = (token: Token): boolean =>
  isOne(token, BARE) || isOne(token, DEMANDS) || isOne(token, QUESTION) || isOne(token, words('if lest to'));

/** The singular noun of a phrase with a determiner that begins at `at`, and its position. */
function singularAt(sentence: Sentence, at: number): { head: Token; index: number } | undefined {
  if (!isOne(sentence[at], DETERMINERS)) return undefined;
  let index = at + 1;
  while (isAdjective(sentence[index])) index += 1;
  // "the error rate decrease when": the last noun before a verb that another word shows to be one.
  if (
    isNoun(sentence[index + 1]) &&
    isNoun(sentence[index + 2]) &&
    isOne(sentence[index + 3], words('when if because'))
  )
    index += 1;
  const head = sentence[index];
  if (!isNoun(head) || isPlural(head.lower) || PEOPLE.has(head.lower) || EITHER_NUMBER.has(head.lower))
    return undefined;
  return /[^s]s$/.test(head.lower) || frequency(head.lower) < 500_000 ? undefined : { head, index };
}

/** Corrects "The function return a list", "The result show that" and "this study aim to find". */
export const nounLikeVerb: Rule = {
  id: 'noun-like-verb',
  kind: 'agreement',
  fixes: {},
  leaves: [],
  *find(sentence, context) {
    if (sentence.at(-1)?.text === '?') return;
    for (let start = 0; start < sentence.length - 3; start += 1) {
      const second = start > 3 && joinsClauses(sentence, start - 1);
      if (start > 0 && !second && !isOne(sentence[start - 1], OPENERS)) continue;
      if (sentence.slice(0, start).some((token) => mayTakeBase(token))) continue;
      const subject = singularAt(sentence, start);
      if (subject === undefined) continue;
      const { head, index } = subject;
      const verb = sentence[index + 1];
      const next = sentence[index + 2];
      const person =
        KIN.has(head.lower) && DEEDS.has(verb?.lower ?? '') && /^(?:ADP|NOUN|ADV|DET|PRON)$/.test(next?.pos ?? '');
      const rises =
        isOne(verb, words('increase decrease crash freeze fail')) &&
        isOne(next, words('when if because as while whenever after every'));
      if (isWord(verb) && (rises || (person && !hasVerb(sentence, index + 2)))) {
        const found = { verb, number: 'many', one: thirdPerson(verb.lower), many: verb.lower, clear: false } as const;
        const right = agreed(sentence, found, 'one', context);
        if (right !== undefined) yield replace(verb, verb, right, ...reason(found, right, becauseOf(head, 'one')));
        continue;
      }
      if (!isWord(verb) || verb.pos !== 'NOUN' || next === undefined || next.locked) continue;
      const object =
        ALSO_NOUNS.has(verb.lower) && (OBJECT.has(next.lower) || (next.lower === 'that' && next.pos !== 'PRON'));
      const infinitive = WITH_TO.has(verb.lower) && next.lower === 'to' && sentence[index + 3]?.pos === 'VERB';
      if (!(object || infinitive) || hasVerb(sentence, index + (next.lower === 'that' ? 2 : 3))) continue;
      const right = thirdPerson(verb.lower);
      yield replace(verb, verb, right, `“${head.text}” is a singular, and the verb agrees with it.`);
    }
  },
};
