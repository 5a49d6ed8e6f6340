import { isPlural, plural } from '../forms.ts';
import { pairFrequency } from '../frequency.ts';

import { isCountable } from './nouns.ts';
import { isNoun, isOne, type Rule, replace, type Sentence, words } from './rule.ts';

const ENDS =
  /^(?:[.,;:!?)]|and|or|but|in|on|at|for|from|to|with|because|when|if|that|which|who|than|about|here|there|today|now)$/;
const endsAt = (sentence: Sentence, at: number): boolean => {
  const next = sentence[at];
  return next === undefined || (ENDS.test(next.lower) && (next.spaced || /^[.,;:!?)]$/.test(next.text)));
};

/** Nouns that "there are more" and "enough" may leave in the singular. */
const MASS = words('room space time work food water help light sound noise traffic detail experience change hope life');

/** "there are more job", "there are other way", "read more book": several are meant. */
export const pluralAfterThereAre: Rule = {
  id: 'plural-after-there-are',
  kind: 'plural',
  words: 'are more enough other',
  fixes: { 'I need to read more book.': 'I need to read more books.' },
  leaves: ['Both the film and the book are sad.', 'The proofs of the new book are ready.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const there = token.lower === 'are' && !token.locked && sentence[i - 1]?.lower === 'there';
      const quantity = there && isOne(sentence[i + 1], words('more other no not enough also still so some'));
      const more = isOne(token, words('more enough other')) && !there && sentence[i - 1]?.lower !== 'are';
      if (!there && !more) continue;
      // "one more way", "another offer".
      if (more && isOne(sentence[i - 1], words('one another no any a some'))) continue;
      const from = quantity ? i + 2 : i + 1;
      const head = sentence[from];
      if (!isNoun(head) || isPlural(head.lower) || /s$/.test(head.lower) || MASS.has(head.lower)) continue;
      // "She is more friend than teacher".
      if (!endsAt(sentence, from + 1) || sentence[from + 1]?.lower === 'than') continue;
      const many = plural(head.lower);
      if (!isCountable(head.lower, there ? 0.04 : 0.03)) continue;
      if (more) {
        // Books write the plural after this word and hardly ever the singular: "more books".
        const quantifier = token.lower;
        if (
          pairFrequency(quantifier, many) < 10_000_000 ||
          pairFrequency(quantifier, head.lower) * 20 > pairFrequency(quantifier, many)
        )
          continue;
        if (quantifier === 'other' && /^(?:DET|PRON)$/.test(sentence[i - 1]?.pos ?? '')) continue;
        if (quantifier === 'other' && isOne(sentence[i - 1], words('each one any no every some'))) continue;
      }
      const said = there ? 'there are' : token.lower;
      yield replace(head, head, many, `“${said}” means several here, so the plural “${many}” follows.`);
    }
  },
};
