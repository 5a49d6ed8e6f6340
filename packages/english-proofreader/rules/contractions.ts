import { baseOf, isPlural, past, plural } from '../forms.ts';
import { frequency, pairFrequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { nounPhraseEnd, skipDeterminer } from './noun-phrase.ts';
import { isCountable } from './nouns.ts';
import { isNoun, isOne, isWord, type Rule, replace, type Sentence, words } from './rule.ts';

const WHOSE: Readonly<Record<string, string>> = { you: 'your', they: 'their', it: 'its' };
const ends = (token: Token | undefined): boolean =>
  token === undefined || /^(?:PUNCT|ADP|CCONJ|AUX|SCONJ)$/.test(token.pos);

/** Corrects "Is this you're bag?" and "in they're house": the possessive precedes a noun that cannot describe a person. */
export const possessiveBeforeNoun: Rule = {
  id: 'possessive-not-you-are',
  kind: 'confused_word',
  words: 'you they it',
  fixes: { "Is this you're bag?": 'Is this your bag?' },
  leaves: ['Tell me when you will be ready.', "You're in your chair again, I see."],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const are = sentence[i + 1];
      const right = WHOSE[token.lower];
      if (right === undefined || !Object.hasOwn(WHOSE, token.lower) || token.locked) continue;
      if (are === undefined || !(token.lower === 'it' ? /^['’]s$/ : /^['’]re$/).test(are.lower)) continue;
      const thing = sentence[i + 2];
      const end = isWord(thing) && thing.pos === 'VERB' ? i + 2 : nounPhraseEnd(sentence, i + 2);
      const head = end === undefined ? undefined : sentence[end];
      if (!isWord(thing) || end === undefined || head === undefined || /(?:ing|ed|en)$/.test(head.lower)) continue;
      const previous = sentence[i - 1];
      const after = sentence[end + 1];
      const usual = pairFrequency(right, head.lower) >= 1_000_000 && pairFrequency('are', head.lower) === 0;
      // “They're doctors”: what they are is several; “you're boss”, but not “you are boss”: one thing takes an article.
      const several = previous?.pos !== 'ADP' && (!usual || token.lower === 'they');
      if (isPlural(head.lower) ? several : !usual && !isCountable(head.lower, 0.01)) continue;
      const isObject =
        previous !== undefined &&
        !isOne(previous, BEFORE_CLAUSES) &&
        (/^(?:VERB|ADP)$/.test(previous.pos) ||
          (usual && token.lower !== 'it' && isOne(previous, words('this that and or is are'))));
      const owned = token.lower === 'it' && isCountable(head.lower, 0.005) && after?.pos === 'AUX';
      const isSubject =
        (!/^(?:is|'s|and)$/.test(after?.lower ?? '') && owned && isOne(previous, BEFORE_ITS)) ||
        (token.lower !== 'it' &&
          (previous === undefined || (isOne(previous, BEFORE_CLAUSES) && isCountable(head.lower))) &&
          (/^(?:is|are|was|were|has|have|will)$/.test(after?.lower ?? '') ||
            (after?.pos === 'VERB' && after.lower === past(baseOf(after.lower)))));
      const closed = ends(after) || isOne(after, words('a the last next this yesterday today tomorrow'));
      if (!(isObject && closed) && !isSubject) continue;
      yield replace(token, are, right, `“${right}” says whose; “${token.lower}${are.lower}” is two words.`);
    }
  },
};
const BEFORE_ITS = words('and but because so when while since where if');
const BEFORE_CLAUSES = words(
  'think thinks thought say says said know knows knew believe hope hopes feel guess mean means see hear when if because so as that like since until',
);

const SEVERAL = words(
  'both all some many several few these those most other two three four five six seven eight nine ten',
);

/** Whether a plural phrase begins before the noun at `index`: "all employee's", "a lot of employee's". */
function isOfSeveral(sentence: Sentence, index: number): boolean {
  const previous = sentence[index - 1];
  if (isOne(previous, SEVERAL) || /^(?:[2-9]|[1-9]\d{1,2})$/.test(previous?.text ?? '')) return true;
  return (
    previous?.lower === 'of' &&
    isOne(sentence[index - 2], words('lot lots plenty hundreds thousands dozens number couple'))
  );
}

const SERVED = words(
  'customer client employee guest student user visitor member order item ticket book product photo picture email message file question question idea cookie banana apple',
);

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
      const day = /^(?:today|yesterday|tomorrow|this)$/.test(next?.lower ?? '');
      if (next !== undefined && !day && !/^(?:AUX|VERB|ADP|CCONJ|PUNCT|SCONJ|PRON)$/.test(next.pos)) continue;
      // "The photo's from the party are up": what follows is about several.
      const last = next?.pos === 'ADP' ? nounPhraseEnd(sentence, skipDeterminer(sentence, i + 3)) : undefined;
      const verb = last === undefined || isPlural(sentence[last]?.lower ?? '') ? next : sentence[last + 1];
      const isSubject = /^(?:are|were|have)$/.test(verb?.lower ?? '');
      // In "new employee's." there is no determiner and nothing possessed.
      const bare =
        sentence[i - 1]?.pos === 'ADJ' &&
        /^(?:ADP|VERB|CCONJ)$/.test(sentence[i - 2]?.pos ?? '') &&
        (next === undefined || next.pos === 'PUNCT');
      // "We can't refund customer's without": no place that is named by its owner, such as a baker's.
      const object =
        sentence[i - 1]?.pos === 'VERB' && isOne(token, SERVED) && /^(?:PUNCT|ADP|SCONJ)$/.test(next?.pos ?? 'PUNCT');
      if (!isOfSeveral(sentence, i) && !isSubject && !bare && !object) continue;
      const right = plural(token.lower);
      if (frequency(right) < 500_000) continue;
      yield replace(token, mark, right, `A plural takes no apostrophe: “${right}”.`);
    }
  },
};
