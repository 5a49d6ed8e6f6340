import { singular } from '../forms.ts';
import { frequency } from '../frequency.ts';
import { headOf } from './head-noun.ts';

import { isNoun, isOne, type Rule, replace, words } from './rule.ts';

const ONE = words('each every another');

/** "every days", "another ideas": one, so singular. */
export const singularAfterEvery: Rule = {
  id: 'singular-after-every',
  kind: 'plural',
  words: 'each every another',
  fixes: { 'He goes there every days.': 'He goes there every day.' },
  leaves: ['Each sheep in the field has a number, and so does every deer.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!isOne(token, ONE) || sentence[i + 1]?.lower === 'other') continue;
      const found = headOf(sentence, i + 1);
      if (found === undefined || found.index - i > 3 || isNoun(sentence[found.index + 1])) continue;
      const { head } = found;
      // "another few minutes", "each received lots"; "each drives you to", "each lives for himself": a verb.
      const between = sentence.slice(i + 1, found.index);
      if (between.some((word) => word.pos === 'NUM' || /^(?:few|multiple)$|ed$/.test(word.lower))) continue;
      if (
        between.length === 0 &&
        token.lower === 'each' &&
        /^(?:PRON|ADP|DET)$/.test(sentence[found.index + 1]?.pos ?? '')
      )
        continue;
      // "Every night men came": two phrases.
      if (between.some((word) => isOne(word, words('night day morning evening week month year time')))) continue;
      // "each contributor licenses you", "each request defaults to it": the last noun may be the verb.
      if (between.length > 0 && isOne(sentence[found.index + 1], words('me you him her it us them'))) continue;
      if (isNoun(sentence[found.index - 1]) && !/^[.,;!?]$/.test(sentence[found.index + 1]?.text ?? '.')) continue;
      if (head.lower === 'people') {
        if (token.lower !== 'another')
          yield replace(head, head, 'person', `“${token.text}” means one at a time, so the singular “person” follows.`);
        continue;
      }
      const singularForm = singular(head.lower);
      if (
        singularForm === undefined ||
        frequency(singularForm) < 1_000_000 ||
        (token.lower === 'every' && (sentence[i + 1]?.pos === 'NUM' || sentence[i + 1]?.lower === 'few'))
      )
        continue;
      yield replace(
        head,
        head,
        singularForm,
        `“${token.text}” means one at a time, so the singular “${singularForm}” follows.`,
      );
    }
  },
};
