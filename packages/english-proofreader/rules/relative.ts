import { MANY_DETERMINERS, ONE_DETERMINERS } from './noun-phrase.ts';
import { isMostlyVerb } from './nouns.ts';
import { afterAdverbs, becauseOf, EITHER_NUMBER, finite, nounNumber, PEOPLE } from './number.ts';
import { ARTICLES, isAdjective, isNoun, isOne, POSSESSIVES, type Rule, replace, words } from './rule.ts';

/** Words before a noun of several that leave open whom a clause is about: "one of those people who thinks". */
const OPEN = words('of than as in with one only');

/** "people who knows", "a designer who have": the verb of a clause agrees with the noun that it is about. */
export const verbAfterWho: Rule = {
  id: 'verb-after-who',
  kind: 'agreement',
  words: 'who which that',
  fixes: {
    'There are people who knows it.': 'There are people who know it.',
    'We need a designer who have time.': 'We need a designer who has time.',
  },
  leaves: [
    'He is one of those people who thinks too much.',
    'Ask the teacher of the boys who is ill.',
    'I know people who work at night.',
    'Tell the children that is enough.',
  ],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const head = sentence[i - 1];
      if (!isOne(token, words('who which that')) || !isNoun(head) || EITHER_NUMBER.has(head.lower)) continue;
      // "the man that have": after “that” only a helping verb tells; "the rooms, which is nice": of all that.
      if (token.lower === 'that' && !isOne(sentence[i + 1], words('have has was were'))) continue;
      let start = i - 1;
      while (
        isAdjective(sentence[start - 1]) ||
        isNoun(sentence[start - 1]) ||
        /ed$/.test(sentence[start - 1]?.lower ?? '')
      )
        start -= 1;
      const first = sentence[start - 1];
      const single = isOne(first, ONE_DETERMINERS) && !isOne(first, words('that'));
      const number = nounNumber(head.lower);
      if (number === undefined || (number === 'one' ? !single : single)) continue;
      const determined = isOne(first, ARTICLES) || isOne(first, POSSESSIVES) || isOne(first, MANY_DETERMINERS);
      const leadPlace = single || determined ? start - 2 : start - 1;
      const lead = sentence[leadPlace];
      // "people in this world who have": the clause may be about the noun before.
      if (number === 'one' && isNoun(sentence[leadPlace - 1]) && lead?.pos === 'ADP') continue;
      if (isOne(lead, OPEN) || (number === 'many' && token.lower !== 'who' && !PEOPLE.has(head.lower))) continue;
      const place = afterAdverbs(sentence, i + 1);
      const found = finite(sentence[place], sentence[place + 1]);
      if (found === undefined || found.number === number) continue;
      const next = sentence[place + 1];
      const base = found.number === 'many' ? found.verb.lower : found.many;
      if (!found.clear && !isMostlyVerb(base) && !/^(?:DET|PRON|ADP|ADV|PART)$/.test(next?.pos ?? '')) continue;
      yield replace(found.verb, found.verb, found[number], becauseOf(head, number));
    }
  },
};

/** "neither the manager or the staff": “nor” goes with “neither”. */
export const neitherNor: Rule = {
  id: 'neither-nor',
  kind: 'grammar',
  words: 'neither',
  fixes: { 'Neither Tom or Ana came.': 'Neither Tom nor Ana came.' },
  leaves: ['Neither of the two or three who came stayed.', 'Neither he nor she is late or ill.'],
  *find(sentence) {
    const neither = sentence.findIndex(({ lower }) => lower === 'neither');
    const or = sentence.findIndex((token, at) => at > neither && isOne(token, words('or')));
    const between = sentence.slice(neither + 1, or);
    if (or < 0 || between.length === 0 || between.length > 3 || sentence.some(({ lower }) => lower === 'nor')) return;
    if (!between.every(({ pos, lower }) => /^(?:DET|ADJ|NOUN|PROPN|PRON)$/.test(pos) && lower !== 'of')) return;
    const word = sentence[or] as (typeof sentence)[number];
    yield replace(word, word, 'nor', '“neither” goes with “nor”.');
  },
};
