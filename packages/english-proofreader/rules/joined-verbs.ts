import { baseOf, isPlural, past, thirdPerson } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { nounPhraseEnd, skipDeterminer } from './noun-phrase.ts';
import { isMostlyVerb } from './nouns.ts';
import { isNoun, isOne, isWord, MODALS, type Rule, replace, type Sentence, skipAdverbs, words } from './rule.ts';

const OBJECT = /^(?:DET|PRON|NOUN|PROPN|NUM)$/;
const FIRST_AND_MANY = words('i you we they');

/**
 * Corrects "I will prepare it and sends you a copy" and "He opened the door and see", because joined verbs have the same
 * form.
 */
export const joinedVerbs: Rule = {
  id: 'joined-verbs',
  kind: 'verb_form',
  words: 'and',
  fixes: { 'I woke up late and miss the bus.': 'I woke up late and missed the bus.' },
  leaves: ['She set the table and cut the bread before we came.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (token.lower !== 'and' || token.locked || i < 2 || sentence[i - 1]?.text === ',') continue;
      const at = skipAdverbs(sentence, i + 1);
      const verb = sentence[at];
      const next = sentence[at + 1];
      if (
        !isWord(verb) ||
        !(verb.pos === 'VERB' || (verb.lower === 'have' && /^(?:DET|NUM)$/.test(next?.pos ?? ''))) ||
        (!OBJECT.test(next?.pos ?? '') && !/^(?:ADP|ADV|PART)$/.test(next?.pos ?? ''))
      )
        continue;
      const base = baseOf(verb.lower);
      if (frequency(base) < 3_000_000 || base === 'be') continue;
      const first = sentence.slice(0, i);
      const helper = first.findLastIndex(
        (word, at) =>
          isOne(word, MODALS) ||
          word.lower === "'ll" ||
          (word.lower === 'to' && /^(?:VERB|AUX)$/.test(first[at + 1]?.pos ?? '')),
      );
      if (helper > 0 && sentence[helper]?.lower !== 'to' && isOne(sentence[helper - 1], FIRST_AND_MANY)) {
        const between = sentence.slice(helper + 1, i);
        // With a subject of its own or a clause in between it is unclear what "and" joins.
        if (
          between.some(
            (word) =>
              word.pos === 'SCONJ' ||
              word.pos === 'AUX' ||
              word.text === ',' ||
              /^(?:who|which|that|and|i|he|she|we|they)$/.test(word.lower),
          )
        )
          continue;
        if (
          base === verb.lower ||
          /ing$/.test(verb.lower) ||
          /^(?:DET|ADP|PRON|ADV|NOUN)$/.test(next?.pos ?? '') === false
        )
          continue;
        if (!between.some((word) => word.pos === 'VERB')) continue;
        const isThird = verb.lower === thirdPerson(base) && /^(?:DET|PRON)$/.test(next?.pos ?? '');
        const isThirdNoun =
          verb.lower === thirdPerson(base) && isNoun(next) && (!isPlural(verb.lower) || isMostlyVerb(base));
        const isPast = verb.lower === past(base) && /^(?:DET|PRON)$/.test(next?.pos ?? '');
        if (isThird || isThirdNoun || isPast)
          yield replace(
            verb,
            verb,
            base,
            `“${sentence[helper]?.text}” is followed by the base form “${base}”, behind “and” as well.`,
          );
        continue;
      }
      // "pain and fear and anger all at once", "out and round the angle".
      if (verb.lower === 'round' || (isNoun(sentence[i - 1]) && !/^(?:DET|PRON|ADP)$/.test(next?.pos ?? ''))) continue;
      if (verb.lower !== base || helper >= 0) continue;
      const earlier = pastVerb(first);
      const present = presentVerb(first);
      if (
        present !== undefined &&
        (isMostlyVerb(base) ||
          isOne(verb, words('live work have')) ||
          (isOne(verb, words('love like hate play study help visit cook teach need want')) && next?.pos === 'DET')) &&
        /^(?:DET|PRON|ADP|NUM)$/.test(next?.pos ?? '')
      ) {
        const third = thirdPerson(base);
        yield replace(verb, verb, third, `“${present.text}” has one subject, and so has “${third}”.`, 'agreement');
      }
      if (earlier === undefined || past(base) === base) continue;
      yield replace(verb, verb, past(base), `“${earlier.text}” tells what happened, and so does “${past(base)}”.`);
    }
  },
};

/** The verb of a clause in the past that begins with its subject and has no other verbs but pasts. */
function pastVerb(clause: Sentence): Token | undefined {
  const [first] = clause;
  if (
    first === undefined ||
    clause.some(
      (word) =>
        word.pos === 'AUX' ||
        /^(?:PART|SCONJ)$/.test(word.pos) ||
        isOne(word, words('do does did let lets make made help helped see saw watch watched hear heard had have has')),
    )
  )
    return undefined;
  const pronoun = clause.findIndex((word) => /^(?:i|he|she|it|we|they)$/.test(word.lower));
  const start = skipDeterminer(clause, 0);
  const noun = start > 0 ? (nounPhraseEnd(clause, start) ?? -1) : -1;
  const subject = pronoun >= 0 && pronoun <= 3 ? pronoun : noun;
  if (subject < 0) return undefined;
  const verbs = clause.slice(subject).filter((word) => word.pos === 'VERB');
  const isPast = (word: Token): boolean => {
    const base = baseOf(word.lower);
    return word.lower === past(base) && past(base) !== base;
  };
  const verb = clause[subject + 1];
  return verb !== undefined && verb.pos === 'VERB' && isPast(verb) && verbs.every((word) => isPast(word))
    ? verb
    : undefined;
}

/** The verb of a clause about one in the present, which begins with its subject and has no other verb. */
function presentVerb(clause: Sentence): Token | undefined {
  const start = skipDeterminer(clause, 0);
  const noun = start > 0 ? nounPhraseEnd(clause, start) : undefined;
  const subject = isOne(clause[0], words('he she it')) ? 0 : noun;
  const verb = subject === undefined ? undefined : clause[skipAdverbs(clause, subject + 1)];
  if (
    !isWord(verb) ||
    clause.some(
      (word) => word !== verb && /^(?:VERB|AUX|SCONJ|PUNCT)$/.test(word.pos) && !isOne(word, words('as like')),
    )
  )
    return undefined;
  const base = baseOf(verb.lower);
  const helps = /^(?:help|make|let|see|hear|watch|have|can)$/.test(base);
  const third = verb.pos === 'VERB' && verb.lower === thirdPerson(base) && base !== verb.lower;
  return (third && !helps) || isOne(verb, words('is has')) ? verb : undefined;
}
