import { isPlural } from '../forms.ts';
import type { Token } from '../tokens.ts';
import { nounPhraseEnd, skipDeterminer } from './noun-phrase.ts';
import { afterAdverbs, finite, PEOPLE } from './number.ts';
import { isGivenName } from './person-names.ts';
import { type Found, isNoun, isOne, isWord, type Rule, replace, type Sentence, words } from './rule.ts';

const PERSONS = words('i me you he him she her we us they them');
/** Words after which a clause begins, beside the beginning of a sentence. */
const OPENERS = words(
  'both because that think so but when if although while since hope know say says said yesterday today then now',
);

/** The last token of a pronoun, of a name, or of a noun with its determiner, that begins at `from`. */
function partyEnd(
  sentence: Sentence,
  from: number,
): { end: number; pronoun: boolean; determined: boolean } | undefined {
  if (isOne(sentence[from], PERSONS)) {
    // In "her brother" the word is a determiner.
    const her = sentence[from]?.lower === 'her' && nounPhraseEnd(sentence, from + 1) !== undefined;
    if (!her) return { end: from, pronoun: true, determined: true };
  }
  const isName = (token: Token | undefined): boolean => token?.pos === 'PROPN' && isWord(token);
  if (isName(sentence[from])) {
    let end = from;
    while (isName(sentence[end + 1])) end += 1;
    return { end, pronoun: false, determined: isGivenName(sentence[from]) };
  }
  const start = skipDeterminer(sentence, from);
  // "the API".
  const end = start > from && isName(sentence[start]) ? start : nounPhraseEnd(sentence, start);
  return end === undefined ? undefined : { end, pronoun: false, determined: start > from };
}

/** The plural of a verb whose subjects are several. */
const pluralOf = (verb: Token, plural: string): Found =>
  replace(verb, verb, plural, 'Two subjects joined by “and” are several, and the verb agrees with them.', 'agreement');

/** "Me and my brother has", "his mother and sisters is": two subjects take a plural verb. */
export const twoSubjects: Rule = {
  id: 'two-subjects',
  kind: 'pronoun',
  words: 'and',
  fixes: { 'Me and Sara was too busy.': 'Sara and I were too busy.' },
  leaves: ['The man who washes and the boy who dries are brothers.', 'One and one is two.'],
  *find(sentence) {
    if (sentence.at(-1)?.text === '?') return;
    for (let index = 0; index < sentence.length - 3; index += 1) {
      if (index > 0 && !isOne(sentence[index - 1], OPENERS)) continue;
      const first = partyEnd(sentence, index);
      if (first === undefined || !first.determined || sentence[first.end + 1]?.lower !== 'and') continue;
      // "every team and every project is", "The toilet flushes and the shower has".
      if (isOne(sentence[index], words('every each no'))) continue;
      const last0 = sentence[first.end] as Token;
      if (isNoun(sentence[first.end - 1]) && /s$/.test(last0.lower) && isPlural(last0.lower)) continue;
      const second = partyEnd(sentence, first.end + 2);
      if (second === undefined) continue;
      const last = (sentence[second.end] as Token).lower;
      const several = isPlural(last) || PEOPLE.has(last);
      // "Fish and chips is" and "my friend and colleague is" may be singular.
      if (!several && !(first.pronoun || second.pronoun) && !second.determined) continue;
      // In "I think he and …" and "you and I" the words before may govern the first.
      if (
        second.pronoun &&
        index > 0 &&
        /^(?:ADP|VERB)$/.test(sentence[index - 1]?.pos ?? '') &&
        !isOne(sentence[index - 1], OPENERS)
      )
        continue;
      const verb = sentence[afterAdverbs(sentence, second.end + 1)];
      if (sentence[index]?.lower === 'me' && !second.pronoun && /^(?:AUX|VERB)$/.test(verb?.pos ?? '')) {
        const other = sentence.slice(first.end + 2, second.end + 1).map(({ text }) => text);
        yield replace(
          sentence[index] as Token,
          sentence[second.end] as Token,
          `${other.join(' ')} and I`,
          'As a subject the pronoun is “I”, and it comes last.',
        );
      }
      const found = finite(verb);
      if (verb === undefined || found === undefined || found.number === 'many') continue;
      // In "the cat and the dog houses" the word is a noun, unless both are pronouns.
      const persons = [sentence[index], sentence[first.end + 2]].every(
        (token) => isOne(token, PERSONS) || isGivenName(token),
      );
      if (!found.clear && !persons && sentence[index - 1]?.lower !== 'both') continue;
      yield pluralOf(verb, found.many);
    }
  },
};
