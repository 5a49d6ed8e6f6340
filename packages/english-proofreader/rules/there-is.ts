import { baseOf, gerund, isPlural, past } from '../forms.ts';
import type { Token } from '../tokens.ts';
import { nounPhraseEnd, ONE_DETERMINERS } from './noun-phrase.ts';
import { UNCOUNTABLE } from './nouns.ts';
import { afterAdverbs, EITHER_NUMBER, type Grammatical, helpingForms, PEOPLE } from './number.ts';
import { isAdjective, isOne, isWord, type Rule, replace, type Sentence, words } from './rule.ts';

/** "there is many problems" → "there are", "there are a problem" → "there is". */
export const thereIs: Rule = {
  id: 'there-is',
  kind: 'agreement',
  words: 'there',
  fixes: { 'There is a few things to do.': 'There are a few things to do.' },
  leaves: ['There is a bus, and there are two trains.', 'There is one more thing to discuss.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (token.lower !== 'there' || token.locked) continue;
      const verb = sentence[i + 1];
      const pair = verb === undefined ? undefined : helpingForms(verb.lower);
      if (!isWord(verb) || pair === undefined || /^(?:do|does)/.test(verb.lower)) continue;
      // "if there were a word".
      if (
        verb.lower === 'were' &&
        sentence.slice(0, i).some((word) => isOne(word, words('if though wish wished as suppose unless until')))
      )
        continue;
      const place = afterAdverbs(sentence, i + 2);
      const first = sentence[place];
      if (sentence[place - 1]?.lower === 'not' && !isOne(first, words('many several enough'))) continue;
      const number = numberOf(sentence, place);
      if (first === undefined || number === undefined) continue;
      const right = number === 'many' ? pair[1] : pair[0];
      if (right !== verb.lower)
        yield replace(
          verb,
          verb,
          right,
          `What is meant is ${number === 'many' ? 'more than one' : 'one'}, so “${right}” follows “there”.`,
        );
    }
  },
};

const isSeveral = (noun: string): boolean => isPlural(noun) || PEOPLE.has(noun);

function numberOf(sentence: Sentence, index: number): Grammatical | undefined {
  if (isOne(sentence[index], words('too so'))) return numberOf(sentence, index + 1);
  const first = sentence[index];
  if (
    isOne(
      first,
      words('many several enough few fewer various these those some no two three four five six seven eight nine ten'),
    )
  ) {
    // "two missing figures".
    const past =
      sentence[index + 1]?.pos === 'VERB' && /(?:ed|ing)$/.test(sentence[index + 1]?.lower ?? '')
        ? index + 2
        : index + 1;
    const end = nounPhraseEnd(sentence, past);
    return end !== undefined && isSeveral((sentence[end] as Token).lower) ? 'many' : undefined;
  }
  if (
    first?.lower === 'a' &&
    /^(?:lot|number|couple|variety)$/.test(sentence[index + 1]?.lower ?? '') &&
    sentence[index + 2]?.lower === 'of'
  ) {
    const end = nounPhraseEnd(sentence, index + 3);
    if (end === undefined) return undefined;
    const { lower } = sentence[end] as Token;
    if (sentence[index + 1]?.lower === 'lot' && UNCOUNTABLE.has(lower))
      return /^(?:ADJ|NOUN|PROPN|VERB)$/.test(sentence[end + 1]?.pos ?? '') ? undefined : 'one';
    return isSeveral(lower) ? 'many' : undefined;
  }
  if (first?.lower === 'a' && sentence[index + 1]?.lower === 'few') return numberOf(sentence, index + 1);
  if (first?.lower === 'lots' && sentence[index + 1]?.lower === 'of') return numberOf(sentence, index + 2);
  const determined = isOne(first, ONE_DETERMINERS);
  const end = nounPhraseEnd(sentence, determined ? index + 1 : index);
  if (end === undefined || sentence[end + 1]?.lower === 'and') return undefined;
  const head = sentence[end] as Token;
  if (determined) return !EITHER_NUMBER.has(head.lower) && !isPlural(head.lower) ? 'one' : undefined;
  return isPlural(head.lower) && !EITHER_NUMBER.has(head.lower) ? 'many' : undefined;
}

/** Whether the clause that begins there has a verb of its own. */
function hasFinite(rest: Sentence): boolean {
  const end = rest.findIndex(({ pos, lower }) => /^(?:SCONJ|CCONJ|PRON)$/.test(pos) || lower === 'that');
  return (end < 0 ? rest : rest.slice(0, end)).some(
    ({ pos, lower }, at) => pos === 'AUX' || (pos === 'VERB' && rest[at - 1]?.lower !== 'to' && !/ing$/.test(lower)),
  );
}

const BE_FOR: Readonly<Record<string, string>> = {
  i: 'am',
  he: 'is',
  she: 'is',
  it: 'is',
  we: 'are',
  you: 'are',
  they: 'are',
};

/** Corrects "It so expensive" and "but it dangerous", where the verb "be" is missing. */
export const missingBe: Rule = {
  id: 'missing-be',
  kind: 'verb_form',
  words: 'i he she it we they you',
  fixes: { 'I not sure about the price.': 'I am not sure about the price.' },
  leaves: ['I found it very cold in the office.', 'The sooner we leave, the better.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const be = BE_FOR[token.lower];
      if (be === undefined || token.locked) continue;
      const previous = sentence[i - 1];
      const doing = sentence[afterAdverbs(sentence, i + 1)];
      // "She being the eldest", "they, waiting": no sentence of their own; a greeting may stand before.
      const opens = !sentence.slice(0, i).some(({ pos }) => /^(?:VERB|AUX|CCONJ|SCONJ|ADP)$/.test(pos));
      if (
        opens &&
        (previous === undefined || previous.text === ',') &&
        doing?.pos === 'VERB' &&
        doing.lower === gerund(baseOf(doing.lower)) &&
        !isOne(doing, words('being having')) &&
        !sentence.slice(i + 1).some(({ text }) => text === ',') &&
        !hasFinite(sentence.slice(sentence.indexOf(doing) + 1))
      ) {
        yield {
          start: token.start,
          end: token.end,
          replacement: `${token.text} ${be}`,
          explanation: `A sentence needs a verb: “${be}” is missing.`,
        };
        continue;
      }
      if (token.lower === 'you') continue;
      if (
        previous !== undefined &&
        !/^(?:but|because|and|so|if|when|that)$/.test(previous.lower) &&
        previous.text !== ','
      )
        continue;
      if (previous?.lower === 'and' && sentence[i - 2]?.text !== ',') continue;
      let index = i + 1;
      while (isOne(sentence[index], words('so very really too not always also quite'))) index += 1;
      const adjective = sentence[index];
      const next = sentence[index + 1];
      // "she high-tailed it".
      if (next !== undefined && !next.spaced && next.text === '-') continue;
      if (!isAdjective(adjective) || /(?:ed|ly)$/.test(adjective.lower) || adjective.lower === 'own') continue;
      // "I bent over".
      const base = baseOf(adjective.lower);
      if (base !== adjective.lower && past(base) === adjective.lower) continue;
      if (!(next === undefined || /^(?:PUNCT|SCONJ|PART|ADP|CCONJ)$/.test(next.pos) || next.lower === 'that')) continue;
      if (
        sentence.slice(index + 1, index + 4).some((word) => word.pos === 'AUX' || word.pos === 'VERB') &&
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
        explanation: `A sentence needs a verb: “${be}” is missing.`,
      };
    }
  },
};
