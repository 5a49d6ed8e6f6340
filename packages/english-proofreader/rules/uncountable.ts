import { isPlural } from '../forms.ts';
import { headOf } from './head-noun.ts';
import { DAYS } from './noun-phrase.ts';
import { UNCOUNTABLE, uncountablePlural } from './nouns.ts';
import { isNoun, isOne, isWord, type Rule, replace } from './rule.ts';

/** "informations" → "information", "many informations" → "much information". */
export const uncountable: Rule = {
  id: 'uncountable',
  kind: 'plural',
  fixes: { 'He gave me many informations about the city.': 'He gave me much information about the city.' },
  leaves: ['Many peoples of the region share one language.', 'Three coffees and two teas, please.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!isWord(token) || !(token.pos === 'NOUN' || token.pos === 'VERB')) continue;
      const mass = uncountablePlural(token.lower);
      if (mass !== undefined) {
        yield replace(token, token, mass, `“${mass}” is not counted and has no plural.`);
        continue;
      }
      const previous = sentence[i - 1];
      if (!UNCOUNTABLE.has(token.lower) || token.pos !== 'NOUN' || isNoun(sentence[i + 1]) || !isWord(previous))
        continue;
      if (previous.lower === 'many')
        yield replace(previous, previous, 'much', `“${token.text}” is not counted, so “much” stands before it.`);
      else if (previous.lower === 'these' || previous.lower === 'those') {
        const determiner = previous.lower === 'these' ? 'this' : 'that';
        yield replace(
          previous,
          previous,
          determiner,
          `“${token.text}” is not counted, so “${determiner}” stands before it.`,
          'agreement',
        );
      }
    }
  },
};

const COUNTED_PLURALS = (word: string): boolean =>
  (isPlural(word) || word === 'people') &&
  !/^(?:dollars|euros|pounds|miles|kilometers|kilometres|meters|metres|minutes|hours|days|weeks|months|years|calories|grams|times|seconds)$/.test(
    word,
  );

/** "less people" → "fewer people", "much books" → "many books", "amount of cars" → "number of cars". */
export const fewerAndMany: Rule = {
  id: 'fewer-and-many',
  kind: 'word_choice',
  fixes: { 'Less people came this year.': 'Fewer people came this year.' },
  leaves: ['The amount of news we get each day is too much.', 'Ten pounds is a small amount.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const next = sentence[i + 1];
      if (!isWord(token) || next === undefined) continue;
      if (token.lower === 'amount' && next.lower === 'of') {
        const found = headOf(sentence, i + 2);
        if (
          found !== undefined &&
          COUNTED_PLURALS(found.head.lower) &&
          !/^(?:goods|equations|resources)$/.test(found.head.lower)
        )
          yield replace(token, token, 'number', `“${found.head.text}” are counted, so it is their “number”.`);
        continue;
      }
      if (token.lower !== 'less' && token.lower !== 'much') continue;
      // "how much programmers like it": how much they do.
      if (token.lower === 'much' && sentence[i - 1]?.lower === 'how' && sentence.at(-1)?.text !== '?') continue;
      if (
        token.lower === 'less' &&
        /^(?:or|more|a|the|no|far|much|even)$/.test(sentence[i - 1]?.lower ?? '') &&
        sentence[i - 1]?.lower === 'or'
      )
        continue;
      const found = headOf(sentence, i + 1);
      if (
        found === undefined ||
        found.index !== i + 1 ||
        !COUNTED_PLURALS(found.head.lower) ||
        (isNoun(sentence[found.index + 1]) && !isOne(sentence[found.index + 1], DAYS))
      )
        continue;
      if (
        /^(?:means|news|physics|politics|economics|mathematics|thanks|likes|works|sales|savings|earnings|goods|costs)$/.test(
          found.head.lower,
        )
      )
        continue;
      const right = token.lower === 'less' ? 'fewer' : 'many';
      yield replace(token, token, right, `“${found.head.text}” are counted, so “${right}” stands before them.`);
    }
  },
};
