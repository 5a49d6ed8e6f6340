import { isPlural, plural } from '../forms.ts';
import { frequency, pairFrequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { isNoun, isOne, isWord, type Rule, replace, type Sentence, words } from './rule.ts';

const WHOSE: Readonly<Record<string, string>> = { you: 'your', they: 'their' };
const ends = (token: Token | undefined): boolean =>
  token === undefined || /^(?:PUNCT|ADP|CCONJ|AUX|SCONJ)$/.test(token.pos);

/** Corrects "Is this you're bag?" and "in they're house": the possessive precedes a noun that cannot describe a person. */
export const possessiveBeforeNoun: Rule = {
  id: 'possessive-not-you-are',
  kind: 'confused_word',
  words: 'you they',
  fixes: { "Is this you're bag?": 'Is this your bag?' },
  leaves: ['Tell me when you will be ready.', "You're in your chair again, I see."],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const are = sentence[i + 1];
      const thing = sentence[i + 2];
      const right = WHOSE[token.lower];
      if (right === undefined || !Object.hasOwn(WHOSE, token.lower) || token.locked) continue;
      if (!/^['’]re$/.test(are?.lower ?? '') || are === undefined || !isWord(thing)) continue;
      if (!/^(?:NOUN|VERB)$/.test(thing.pos) || /(?:ing|ed|en)$/.test(thing.lower) || !ends(sentence[i + 3])) continue;
      if (pairFrequency(right, thing.lower) < 1_000_000 || pairFrequency('are', thing.lower) > 0) continue;
      // “They're doctors”: what they are is several.
      if (token.lower === 'they' && isPlural(thing.lower)) continue;
      const previous = sentence[i - 1];
      const after = sentence[i + 3];
      const isObject =
        previous !== undefined &&
        (/^(?:VERB|ADP)$/.test(previous.pos) || isOne(previous, words('this that and or is are')));
      if (!isObject && !(previous === undefined && /^(?:is|are|was|were|has|have|will)$/.test(after?.lower ?? '')))
        continue;
      yield replace(token, are, right, `“${right}” says whose; “${token.lower}’re” is “${token.lower} are”.`);
    }
  },
};

const SEVERAL = words('all some many several few these those most other two three four five six seven eight nine ten');

/** Whether a plural phrase begins before the noun at `index`: "all employee's", "a lot of employee's". */
function isOfSeveral(sentence: Sentence, index: number): boolean {
  const previous = sentence[index - 1];
  if (isOne(previous, SEVERAL) || /^(?:[2-9]|[1-9]\d{1,2})$/.test(previous?.text ?? '')) return true;
  return (
    previous?.lower === 'of' &&
    isOne(sentence[index - 2], words('lot lots plenty hundreds thousands dozens number couple'))
  );
}

/** Corrects "All employee's must" and "some apple's and pears", where the apostrophe is no plural. */
export const noApostropheInPlural: Rule = {
  id: 'no-apostrophe-in-plural',
  kind: 'punctuation',
  words: "'s",
  fixes: { "There are four car's.": 'There are four cars.' },
  leaves: ["The boys' bikes and the girl's helmet are here.", "It's a house whose roof leaks."],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const mark = sentence[i + 1];
      const next = sentence[i + 2];
      if (!isNoun(token) || mark === undefined || !/^['’]s$/.test(mark.text) || mark.spaced || mark.locked) continue;
      // "bull's-eyes", "other people's".
      if (/^[-“"]$/.test(next?.text ?? '') || isPlural(token.lower)) continue;
      const day = /^(?:today|yesterday|tomorrow)$/.test(next?.lower ?? '');
      if (next !== undefined && !day && !/^(?:AUX|VERB|ADP|CCONJ|PUNCT|SCONJ|PRON)$/.test(next.pos)) continue;
      const isSubject = /^(?:are|were|have)$/.test(next?.lower ?? '');
      // In "new employee's." there is no determiner and nothing possessed.
      const bare =
        sentence[i - 1]?.pos === 'ADJ' &&
        /^(?:ADP|VERB|CCONJ)$/.test(sentence[i - 2]?.pos ?? '') &&
        (next === undefined || next.pos === 'PUNCT');
      if (!isOfSeveral(sentence, i) && !isSubject && !bare) continue;
      const right = plural(token.lower);
      if (frequency(right) < 500_000) continue;
      yield replace(token, mark, right, `A plural takes no apostrophe: “${right}”.`);
    }
  },
};
