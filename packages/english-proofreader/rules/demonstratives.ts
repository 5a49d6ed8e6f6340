import { gerund, singular } from '../forms.ts';
import { frequency } from '../frequency.ts';
import { headOf } from './head-noun.ts';
import { uncountablePlural } from './nouns.ts';
import { isOne, type Rule, replace, words } from './rule.ts';

const TIMES = words('yesterday today tonight last');

/** "this cars" → "these cars". */
export const theseBeforePlural: Rule = {
  id: 'these-before-plural',
  kind: 'plural',
  words: 'this',
  fixes: {
    'This bacteria are dead.': 'These bacteria are dead.',
    'I read this books last week.': 'I read these books last week.',
  },
  leaves: ['This group of students is from Peru.', 'This news is not as bad as it sounds.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (token.lower !== 'this' || token.locked) continue;
      const found = headOf(sentence, i + 1);
      if (found === undefined || found.index > i + 3) continue;
      const singularForm = found.head.lower === 'people' ? 'person' : singular(found.head.lower);
      const next = sentence[found.index + 1];
      // "This moves `HEAD`", "This cuts into it": a verb, if the word is one and no verb follows.
      const timed = sentence[i - 1]?.pos === 'VERB' && isOne(next, TIMES);
      const isVerb =
        !timed && found.index === i + 1 && singularForm !== undefined && frequency(gerund(singularForm)) > 300_000;
      if (
        isVerb &&
        next !== undefined &&
        (next.locked || !/^(?:AUX|VERB)$/.test(next.pos)) &&
        !/^[.,;!?]$/.test(next.text)
      )
        continue;
      // "this breaks the rule": a verb.
      if (!timed && !/^(?:PUNCT|AUX|VERB|ADP|SCONJ|CCONJ|PRON)$/.test(next?.pos ?? 'PUNCT')) continue;
      if (
        singularForm === undefined ||
        /^(?:many|much|few)$/.test(sentence[i + 1]?.lower ?? '') ||
        (!timed && /^(?:NOUN|PROPN)$/.test(next?.pos ?? '')) ||
        (found.index > i + 1 && sentence[found.index - 1]?.pos === 'NOUN') ||
        /^(?:means|matters|series|works|sports|sales|politics|makes|needs|helps|looks|starts|shows|causes|leads|depends|happens|changes|plays|results|takes|times|comes)$/.test(
          found.head.lower,
        )
      )
        continue;
      // "this ones": "this one" and "these" may be meant.
      if (found.head.lower === 'ones' || uncountablePlural(found.head.lower) !== undefined) continue;
      // In "this cars is" two of three words are singular.
      if (isOne(next, words('is was has does')))
        yield replace(
          found.head,
          found.head,
          singularForm,
          `“${token.text}” and “${next?.text}” mean one, so the singular “${singularForm}” fits.`,
        );
      else
        yield replace(
          token,
          token,
          'these',
          `“${found.head.text}” is a plural, so “these” stands before it.`,
          'agreement',
        );
    }
  },
};
