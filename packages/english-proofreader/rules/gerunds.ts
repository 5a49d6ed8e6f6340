import { gerund, isPlural } from '../forms.ts';

import { isMostlyVerb } from './nouns.ts';
import { isOne, isWord, type Rule, replace, SUBJECT_PRONOUNS, words } from './rule.ts';
import { ONLY_VERBS } from './verbs.ts';

/** Words after which a verb is a gerund: "by use", "without pay", "instead of go". */
const PREPOSITIONS = words('by without of about before after for in from at on with');

const ALSO_NOUNS = words(
  'use help work play study travel need talk live show stay try waste watch wear win drive increase buy find read lead leave wait increase say ask save pay produce',
);

const SIGNED = words('sign clean cook open close check submit enter cross install download cut wash paint');

const TIMES = words('years days months weeks hours minutes lifetime');

/** Verbs that are no nouns, not even in names of commands. */
const NEVER_NOUNS = words(
  'detect solve identify evaluate calculate analyze understand achieve obtain prevent avoid describe determine',
);

const OF_KIND = words(
  'kind kinds sort sorts type types form forms amount piece lot lots line bit deal much more most some any all part quality',
);

export const gerundAfterPreposition: Rule = {
  id: 'gerund-after-preposition',
  kind: 'verb_form',
  fixes: { 'He learns it by watch films.': 'He learns it by watching films.' },
  leaves: ['They make room for it by the open window.', 'People like to watch the traffic go by.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!isOne(token, PREPOSITIONS) || token.pos === 'ADV') continue;
      const verb = sentence[i + 1];
      const next = sentence[i + 2];
      // "before sign the contract".
      const clause =
        i > 0 && isOne(token, words('before after')) && (next?.pos === 'DET' || isOne(next, words('it them')));
      const isVerb =
        ONLY_VERBS.has(verb?.lower ?? '') || (clause && (isMostlyVerb(verb?.lower ?? '') || isOne(verb, SIGNED)));
      if (!isWord(verb) || !isVerb || !verb.spaced || next === undefined) continue;
      // "the kind of work you do".
      if (
        token.lower === 'of' &&
        (ALSO_NOUNS.has(verb.lower) || isOne(sentence[i - 1], words('kind sort'))) &&
        isOne(sentence[i - 1], OF_KIND)
      )
        continue;
      const object = /^(?:DET|PRON)$/.test(next.pos) && !/^(?:that|which|who|what|where|when|how)$/.test(next.lower);
      const other = next.pos === 'NOUN' || next.pos === 'ADJ';
      if (
        ALSO_NOUNS.has(verb.lower) &&
        !clause &&
        !(token.lower === 'by' || token.lower === 'without' || token.lower === 'of')
      )
        continue;
      const films = token.lower === 'by' && verb.pos === 'VERB' && next.pos === 'NOUN' && isPlural(next.lower);
      const never = token.lower === 'for' && NEVER_NOUNS.has(verb.lower) && /^(?:NOUN|ADJ)$/.test(next.pos);
      if (
        !object &&
        !never &&
        !films &&
        !(
          other &&
          !ALSO_NOUNS.has(verb.lower) &&
          verb.pos === 'VERB' &&
          /^(?:by|without|before|after|about)$/.test(token.lower)
        )
      )
        continue;
      // In "in have" and "with see" the preposition ends another phrase ("the world I live in is").
      if (
        /^(?:in|on|at|with|for|from|about|of)$/.test(token.lower) &&
        /^(?:have|be|do|is|need|go)$/.test(verb.lower) &&
        SUBJECT_PRONOUNS.has(sentence[i - 2]?.lower ?? '')
      )
        continue;
      const previousWord = sentence[i - 1]?.lower ?? '';
      if (
        (token.lower === 'before' || token.lower === 'after') &&
        (previousWord === '' || isOne(sentence[i - 1], words('never ever')))
      )
        continue;
      if (
        /^(?:VERB|ADV)$/.test(sentence[i - 1]?.pos ?? '') &&
        /^(?:in|on|about|by)$/.test(token.lower) &&
        sentence[i - 1]?.pos === 'VERB' &&
        token.lower !== 'by'
      )
        continue;
      // "Without help the team failed", "after years of work his".
      if (ALSO_NOUNS.has(verb.lower) && (i === 0 || (token.lower === 'of' && isOne(sentence[i - 1], TIMES)))) continue;
      const right = gerund(verb.lower);
      yield replace(verb, verb, right, `After “${token.text}” a verb takes the form “${right}”.`);
    }
  },
};
