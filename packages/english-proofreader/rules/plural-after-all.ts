import { baseOf, isPlural, plural } from '../forms.ts';
import { frequency, pairFrequency } from '../frequency.ts';
import { headOf } from './head-noun.ts';
import { isCountable } from './nouns.ts';
import { isOne, type Rule, replace, words } from './rule.ts';

const NOT_ALL = words(
  'day night morning afternoon evening week month year time weekend summer winter spring autumn season life way hope power money work part kind sort thing right order over round around about but alone along together else world season long well good bad other manner credit glory attention sense reason doubt mankind humanity content access data information weather water food traffic fun news stuff knowledge use control trade business property land income material matter damage liability interest responsibility risk loss cost tax support care energy blame evidence respect love hell heaven nature art music history society text code output input traffic communication advice research software hardware equipment judgment judgement',
);

/** Things and people that are counted wherever they are a subject. */
const ITEMS = words(
  'room product item user student employee customer guest file document page button member participant ticket book car house window door child worker player order price dish',
);

/** "all participant", "all public place", "which of the two option", "two knife". */
export const pluralAfterAll: Rule = {
  id: 'plural-after-all',
  kind: 'plural',
  words: 'all two three four five six seven eight nine ten',
  fixes: { 'I saw three cat on the roof.': 'I saw three cats on the roof.' },
  leaves: ['We saw two deer and a dozen sheep on the hill.', 'Besides the cat, we have two dogs.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const number = isOne(token, words('two three four five six seven eight nine ten'));
      if (!number && token.lower !== 'all') continue;
      if (token.locked || sentence[i + 1]?.spaced === false || (number && !token.first && token.text !== token.lower))
        continue;
      const from = !number && isOne(sentence[i + 1], words('the my our your his her their these')) ? i + 2 : i + 1;
      const found = headOf(sentence, from);
      if (found === undefined || found.index - from > 1 || isPlural(sentence[from]?.lower ?? '')) continue;
      if (!number && sentence[i - 1]?.pos === 'AUX') continue;
      const { head, index } = found;
      // "six left", "two given", "all set", "all plain": no nouns; "two dozen".
      if (
        baseOf(head.lower) !== head.lower ||
        /^(?:set|plain|dozen|head|deal|clear|right|sure|gone|feeling)$/.test(head.lower)
      )
        continue;
      // "all high school and college courses".
      if (/^(?:and|or)$/.test(sentence[index + 1]?.lower ?? '') && isPlural(sentence[index + 3]?.lower ?? '')) continue;
      const next = sentence[index + 1];
      if (
        NOT_ALL.has(head.lower) ||
        NOT_ALL.has(sentence[from]?.lower ?? '') ||
        isPlural(head.lower) ||
        head.lower.endsWith('s')
      )
        continue;
      if (
        next !== undefined &&
        !/^(?:[.,;:!?)]|and|or|in|on|at|of|for|from|with|to|is|are|was|were|has|have|will|can|who|which|that|must|should|by|i|we|you|he|she|they|because|when)$/.test(
          next.lower,
        )
      )
        continue;
      // "Would Friday at two suit you?": a time.
      if (number && next?.pos === 'PRON' && sentence[i - 1]?.lower === 'at') continue;
      if (next?.text === ',' && number && /^(?:NOUN|ADJ)$/.test(sentence[index + 2]?.pos ?? '')) continue;
      if (
        number &&
        /^(?:one|or|and|the|a|an|-|,)$/.test(sentence[i - 1]?.lower ?? '') &&
        sentence[i - 1]?.lower !== 'the'
      )
        continue;
      // "all the country is": the whole of it.
      if (
        from === i + 2 &&
        next !== undefined &&
        !/^(?:who|which|that|i|we|you|he|she|they|have|are|were)$/.test(next.lower)
      )
        continue;
      // "All product is made of wood": at the beginning it is a subject.
      const opens =
        ITEMS.has(head.lower) && /^(?:is|has|are|have|must|should|can|were|was|will)$/.test(next?.lower ?? '');
      if (!number && index === from && from === i + 1 && !isCountable(head.lower, opens ? 0.03 : 0.06)) continue;
      if (
        !isCountable(head.lower, 0.02) &&
        !(number && frequency(head.lower) > 1_000_000 && pairFrequency('a', head.lower) > 0)
      )
        continue;
      // "Ten percent" has no other form.
      if (head.lower === 'percent') continue;
      const many = plural(head.lower);
      yield replace(head, head, many, `“${token.text}” means more than one, so the plural “${many}” follows.`);
    }
  },
};
