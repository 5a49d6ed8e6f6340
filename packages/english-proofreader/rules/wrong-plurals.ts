import { singular } from '../forms.ts';
import { isNoun, isOne, isWord, type Rule, replace, words } from './rule.ts';

/** Plurals made by rule where the word has its own: "childs", "mans", "peoples". */
const WRONG_PLURALS = new Map(
  'childs>children childrens>children mans>men mens>men womans>women womens>women peoples>people persons>people foots>feet feets>feet tooths>teeth teeths>teeth mouses>mice mices>mice sheeps>sheep deers>deer fishs>fish lifes>lives wifes>wives knifes>knives leafs>leaves thiefs>thieves gooses>geese criterias>criteria phenomenons>phenomena medias>media datas>data staffs>staff moneys>money youths>youth vocabularys>vocabularies'
    .split(' ')
    .map((pair) => pair.split('>') as [string, string]),
);

const SOMETIMES_RIGHT = words('peoples persons staffs moneys youths leafs mouses foots mans');
export const ownPlural: Rule = {
  id: 'own-plural',
  kind: 'plural',
  fixes: { 'The mens room is on the left.': "The men's room is on the left." },
  leaves: ['The peoples of the north share many customs.', 'The captain mans the radio at night.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!isWord(token) || !WRONG_PLURALS.has(token.lower)) continue;
      const right = WRONG_PLURALS.get(token.lower) as string;
      const next = sentence[i + 1];
      if ((next !== undefined && !next.spaced && /^['’]/.test(next.text)) || next?.lower === 'rea') continue;
      // "the villain knifes his brother".
      if (token.lower === 'knifes' && /^(?:DET|PRON)$/.test(next?.pos ?? '')) continue;
      if (token.lower === 'lifes' && sentence[i - 1]?.lower === 'still') continue;
      if (isOne(sentence[i - 1], words('one each every another')) && singular(right) === token.lower.slice(0, -1)) {
        const one = token.lower.slice(0, -1);
        yield replace(token, token, one, `“${sentence[i - 1]?.text}” is followed by the singular “${one}”.`);
        continue;
      }
      // "the mens room": of men; "five mans".
      const room = isNoun(next) || (/ing$/.test(next?.lower ?? '') && isNoun(sentence[i + 2]));
      const alone = sentence[i - 1]?.lower === 'the' && isOne(next, words('is was has'));
      if (/^(?:mens|womens|childrens)$/.test(token.lower) && (room || alone)) {
        yield replace(token, token, `${right}'s`, `What is theirs takes an apostrophe: “${right}'s”.`, 'punctuation');
        continue;
      }
      if (token.lower === 'mans' && sentence[i - 1]?.pos === 'NUM') {
        yield replace(token, token, right, `The plural is “${right}”.`);
        continue;
      }
      if (SOMETIMES_RIGHT.has(token.lower)) {
        const previous = sentence[i - 1];
        const counted =
          // "Peoples are": at the beginning, before a verb.
          (token.first && token.lower === 'peoples' && /^(?:AUX|VERB)$/.test(next?.pos ?? '')) ||
          (previous !== undefined &&
            (/^(?:many|some|other|all|most|of|these|those|young|old|more|for|few|several|much|different|lot)$/.test(
              previous.lower,
            ) ||
              previous.pos === 'NUM'));
        if (!counted || !/^(?:NOUN|PROPN)$/.test(token.pos) || (token.lower !== 'peoples' && token.lower !== 'persons'))
          continue;
        // A legal “person”, and a “people” that is a nation: "some peoples of the steppe".
        if (
          token.lower === 'persons' &&
          (previous?.pos === 'NUM' || !/^(?:many|most|young|old|lot)$/.test(previous?.lower ?? ''))
        )
          continue;
        if (
          token.lower === 'peoples' &&
          (next?.lower === 'of' || /^(?:of|all|different|these|those|other)$/.test(previous?.lower ?? ''))
        )
          continue;
      }
      yield replace(token, token, right, `The plural is “${right}”.`);
    }
  },
};
