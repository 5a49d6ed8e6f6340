import { isPlural } from '../forms.ts';
import { isMostlyVerb } from './bare-forms.ts';
import { nounPhraseEnd, skipDeterminer } from './noun-phrase.ts';
import { afterAdverbs, becauseOf, EITHER_NUMBER, finite, nounNumber, PEOPLE } from './number.ts';
import { isNoun, isOne, isWord, type Rule, replace, words } from './rule.ts';

/** Verbs after which a clause may begin: "The man who says dogs are nice". */
const TAKES_CLAUSE = words(
  'think say know believe hope feel see claim guess show hear notice decide understand learn tell mean suggest argue find wonder ask want thinks says knows believes hopes feels sees claims shows hears notices decides understands learns tells means suggests argues finds wonders asks wants thought said knew believed felt saw claimed showed heard noticed decided understood learned told meant suggested argued found asked wanted',
);

/** "The students who failed has to repeat it": the verb behind a relative clause agrees with the noun before it. */
export const verbAfterWho: Rule = {
  id: 'verb-after-who',
  kind: 'agreement',
  words: 'who',
  fixes: {},
  leaves: [],
  *find(sentence) {
    const start = skipDeterminer(sentence, 0);
    const end = nounPhraseEnd(sentence, start);
    if (end === undefined || sentence[end + 1]?.lower !== 'who' || sentence.at(-1)?.text === '?') return;
    const head = sentence[end];
    if (!isNoun(head) || EITHER_NUMBER.has(head.lower)) return;
    const number = nounNumber(head.lower);
    const several = isPlural(head.lower) || PEOPLE.has(head.lower);
    if (number === undefined || (number === 'one' && start === 0) || (number === 'many') !== several) return;
    const first = afterAdverbs(sentence, end + 2);
    const inner = sentence[first];
    if (!isWord(inner) || !/^(?:VERB|AUX)$/.test(inner.pos) || isOne(inner, TAKES_CLAUSE)) return;
    for (let index = first + 1; index < Math.min(sentence.length - 1, first + 7); index += 1) {
      const token = sentence[index];
      if (
        !isWord(token) ||
        /^(?:PUNCT|CCONJ|SCONJ|PART)$/.test(token.pos) ||
        isOne(token, words('that who which when if to'))
      )
        return;
      const found = finite(token, sentence[index + 1]);
      if (found === undefined) {
        if (/^(?:VERB|AUX)$/.test(token.pos)) return;
        continue;
      }
      // "who have been": one verb of two words.
      if (index === first + 1 && inner.pos === 'AUX') return;
      if (found.number === number) return;
      const before = sentence[index - 1];
      if (before?.pos === 'DET' || (before?.pos === 'PRON' && !isOne(before, words('it them him us me')))) return;
      if (!found.clear && !(number === 'many' && isMostlyVerb(found.many))) return;
      const right = number === 'many' ? found.many : found.one;
      yield replace(token, token, right, becauseOf(head, number));
      return;
    }
  },
};
