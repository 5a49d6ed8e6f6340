import { baseOf, gerund, isPlural, plural, singular } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { DAYS } from './noun-phrase.ts';
import { isCountable, UNCOUNTABLE, uncountablePlural } from './nouns.ts';
import { isAdjective, isNoun, isOne, isWord, type Rule, replace, type Sentence, words } from './rule.ts';

const MANY = words('many several various numerous these those few');
const NUMBERS = words(
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand',
);
const ONE = words('each every another');
/** Units and words that stay singular before another noun; "a five year plan" needs a hyphen instead. */
const UNITS = words('percent per km kg mm cm mph am pm usd eur dozen hundred thousand million billion');
const NOT_COUNTED = words(
  'people police cattle more less other others fewer enough else such same different first last next good bad kind best most late early stone half quarter head sense effort given left set',
);

/** The noun at the end of the phrase that begins at `at`, after its adjectives and nouns; undefined when it is unclear. */
export function headOf(sentence: Sentence, at: number): { head: Token; index: number } | undefined {
  let index = at;
  while (
    isAdjective(sentence[index]) ||
    (isWord(sentence[index]) && sentence[index]?.pos === 'ADV' && isAdjective(sentence[index + 1]))
  )
    index += 1;
  let head = sentence[index];
  if (!isNoun(head)) return undefined;
  while (isNoun(sentence[index + 1]) && !isOne(sentence[index + 1], DAYS)) {
    index += 1;
    head = sentence[index] as Token;
  }
  // A following hyphen or apostrophe makes the noun part of something larger.
  const next = sentence[index + 1];
  if (next !== undefined && !next.spaced && /^[-’'/]/.test(next.text)) return undefined;
  return { head, index };
}

/** What follows a verb rather than a noun. */
const BEHIND_VERB = words(
  'that like out up down off away back me you him her it us them myself yourself himself herself itself ourselves themselves',
);
/** Nouns of several, of which someone or something is one: "one of the family". */
const GROUPS = words(
  'family band party company team group gang crew staff lot number two three four five six bunch club',
);

/** Whether a number without a sign says how many, and is no year. */
const isAmount = (number: number, before: Token | undefined): boolean =>
  (number > 1 && number < 1000) || (number > 2_200 && before?.pos === 'VERB');

/** "three cat", "many problem", "these car": a plural where several are meant. */
export const pluralAfterQuantity: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    const number =
      isOne(token, NUMBERS) ||
      (/^\d{1,6}$/.test(token.text) && isAmount(Number(token.text), sentence[i - 1]) && !token.locked);
    if (!number && !isOne(token, MANY)) continue;
    if (sentence[i + 1]?.spaced === false) continue;
    const previous = sentence[i - 1];
    if (
      token.lower === 'few' &&
      !(previous?.lower === 'a' || previous?.lower === 'very' || previous?.lower === 'these')
    )
      continue;
    if (
      number &&
      (previous === undefined ||
        /^(?:page|chapter|section|figure|table|step|level|version|room|number|no|day|week|part|line|rule|article|phase|grade|class|unit|question|item|type|the|a|an|this|that|error|code|port|size|'|’|no\.|\^|\$|€|£|#|-|\.|,|\/|:|\()$/i.test(
          previous.text,
        ) ||
        previous.pos === 'PROPN')
    )
      continue;
    const found = headOf(sentence, i + 1);
    if (found === undefined) continue;
    const { head, index } = found;
    if (index - i > 3 || /[^s]s$/.test(head.lower) || NOT_COUNTED.has(head.lower) || UNITS.has(head.lower)) continue;
    if (number && index > i + 1 && sentence[index - 1] !== undefined && isNoun(sentence[index - 1])) continue;
    if (number && isPlural(sentence[i + 1]?.lower ?? '')) continue;
    if (
      number &&
      index > i + 1 &&
      /^(?:second|minute|hour|day|week|month|year|story|way|page|bit|man|person|part|star|point)$/.test(
        sentence[i + 1]?.lower ?? '',
      )
    )
      continue;
    const next = sentence[index + 1];
    const nextPos = next?.pos ?? '';
    // "many suspect that", "these turn out", "so many judge themselves": a verb; "10 more next week".
    if (!number && index === i + 1 && (isOne(next, BEHIND_VERB) || (nextPos === 'ADV' && /^th/.test(token.lower))))
      continue;
    // "all three standing"; "many college bound students", "so many phone calls".
    if (number && previous?.lower === 'all' && baseOf(head.lower) !== head.lower) continue;
    if (
      (isPlural(next?.lower ?? '') && (nextPos !== 'VERB' || /^[.,;:!?]$/.test(sentence[index + 2]?.text ?? '.'))) ||
      // "many chemical and physical processes".
      (isOne(next, words('and or')) && isPlural(sentence[index + 3]?.lower ?? '')) ||
      (/^(?:ADJ|VERB)$/.test(nextPos) && isPlural(sentence[index + 2]?.lower ?? ''))
    )
      continue;
    if (sentence.slice(i + 1, index).some((word) => isOne(word, words('next last')))) continue;
    // "many people form friendships", "these tools deal with", "many customer technical issues".
    if (sentence.slice(i + 1, index).some((word) => word.lower === 'people' || isPlural(word.lower))) continue;
    if (index > i + 1 && isNoun(sentence[index - 1]) && /^(?:DET|ADP|PRON|ADJ|ADV)$/.test(nextPos) && !number) continue;
    if (
      sentence[index + 2]?.text === '-' ||
      (/^(?:NOUN|PROPN|ADJ|NUM)$/.test(nextPos) &&
        !/^(?:such|other|due|full|available|today|yesterday|ago)$/.test(next?.lower ?? '')) ||
      (number && nextPos === 'ADJ' && /^(?:old|long|tall|high|wide|deep)$/.test(next?.lower ?? ''))
    )
      continue;
    // "too many time": what is not counted is much.
    if (head.lower === 'time' && token.lower === 'many' && isOne(previous, words('too so')))
      yield replace(token, token, 'much', 'confused_word', '“many” is for what is counted; “time” takes “much”.');
    else if (head.lower === 'person')
      yield replace(
        head,
        head,
        'people',
        'plural',
        `“${token.text}” means more than one, so the plural “people” follows.`,
      );
    else if (isCountable(head.lower, 0.015)) {
      const many = plural(head.lower);
      yield replace(
        head,
        head,
        many,
        'plural',
        `“${token.text}” means more than one, so the plural “${many}” follows.`,
      );
    }
  }
};

/** "a lot of car", "one of the reason", "a variety of product": of several, so plural. */
// A kind “of” may be of one: "two types of branch".
const OF_MANY = words(
  'lot lots plenty variety range number couple series group set list pair dozens hundreds thousands millions majority',
);
export const pluralAfterOf: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (!isWord(token) || sentence[i + 1]?.lower !== 'of') continue;
    let from = i + 2;
    const oneOf = /^(?:one|some|many|most|few|several|each|two|three|four|five)$/.test(token.lower);
    const definite = sentence[from];
    if (
      oneOf &&
      (definite?.lower === 'the' ||
        definite?.lower === 'these' ||
        definite?.lower === 'those' ||
        /^(?:my|your|his|our|their|its)$/.test(definite?.lower ?? ''))
    )
      from += 1;
    else if (oneOf || !OF_MANY.has(token.lower)) continue;
    if (/^(?:some|most)$/.test(token.lower)) continue;
    const found = headOf(sentence, from);
    const behind = sentence[found?.index === undefined ? i : found.index + 1];
    if (found === undefined || (/^(?:NOUN|PROPN|ADJ|CCONJ)$/.test(behind?.pos ?? '') && behind?.lower !== 'such'))
      continue;
    if (sentence.slice(from, found.index).some((word) => isPlural(word.lower))) continue;
    // "many of the deaf use sign language".
    if (found.index > from + 1 && isOne(sentence[from], words('deaf blind poor rich sick dead young old'))) continue;
    // "one of its principal aims".
    if (isPlural(behind?.lower ?? '') || (behind?.pos === 'VERB' && isPlural(sentence[found.index + 2]?.lower ?? '')))
      continue;
    const { head } = found;
    if (NOT_COUNTED.has(head.lower) || UNITS.has(head.lower) || GROUPS.has(head.lower)) continue;
    if (head.lower === 'person')
      yield replace(head, head, 'people', 'plural', `“${token.text} of” takes a plural: “people”.`);
    else if (isCountable(head.lower, oneOf ? 0.02 : 0.05)) {
      const many = plural(head.lower);
      yield replace(head, head, many, 'plural', `“${token.text} of” takes a plural: “${many}”.`);
    }
  }
};

/** "every days", "another ideas": one, so singular. */
export const singularAfterEvery: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (!isOne(token, ONE)) continue;
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
        yield replace(
          head,
          head,
          'person',
          'plural',
          `“${token.text}” means one at a time, so the singular “person” follows.`,
        );
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
      'plural',
      `“${token.text}” means one at a time, so the singular “${singularForm}” follows.`,
    );
  }
};

/** "one salads, please": one, so singular. */
export const singularAfterOne: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    const noun = sentence[i + 1];
    const next = sentence[i + 2];
    if (token.lower !== 'one' || token.locked || !token.spaced || !isNoun(noun) || !noun.spaced) continue;
    // "no one cares", "this one takes", "thirty-one minutes".
    if (
      !/^(?:VERB|AUX|ADP|PUNCT)$/.test(sentence[i - 1]?.pos ?? '') ||
      /^(?:NOUN|PROPN|ADJ|PRON|DET)$/.test(next?.pos ?? '')
    )
      continue;
    const singularForm = singular(noun.lower);
    // "for one people to dissolve".
    if (
      singularForm === undefined ||
      noun.lower === 'people' ||
      !isCountable(singularForm, 0.015) ||
      UNITS.has(singularForm) ||
      frequency(gerund(singularForm)) > 300_000
    )
      continue;
    yield replace(noun, noun, singularForm, 'plural', `“one” is followed by the singular “${singularForm}”.`);
  }
};

/** "a experts", "an ideas": no article of one before several. */
export const noArticleBeforePlural: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (!(token.lower === 'a' || token.lower === 'an') || token.locked) continue;
    const found = headOf(sentence, i + 1);
    if (found === undefined || isNoun(sentence[found.index + 1])) continue;
    const { head, index } = found;
    const first = sentence[i + 1] as Token;
    // "an idle few minutes".
    if (sentence.slice(i + 1, index).some((word) => isOne(word, words('few many')))) continue;
    // "a user interface displays it": the last noun may be the verb.
    if (isNoun(sentence[index - 1]) && index > i + 1) continue;
    // "node A crashes", "a capabilities map", "a future drops the rest".
    if (token.text === 'A' && !token.first) continue;
    const behind = sentence[index + 1];
    if (
      behind !== undefined &&
      !/^(?:[.,;:!?)]|of|in|for|with|on|at|from|about|that|which|who|and|but|or|is|was|due|to|such|than|because|when|if)$/.test(
        behind.lower,
      )
    )
      continue;
    if (
      /^(?:few|half|lot|lots|couple|bit|number|hundred|thousand|million|dozen|great|good|means|series)$/.test(
        first.lower,
      )
    )
      continue;
    const singularForm = head.lower === 'people' ? undefined : singular(head.lower);
    if (
      singularForm === undefined ||
      frequency(singularForm) < 2_000_000 ||
      sentence[index + 1]?.text === '-' ||
      /^(?:thanks|bits|arms|sports|sales|arts|goods|savings|glasses|stairs|jeans|trousers|pants|scissors|clothes|headphones|times|customs|news|fries)$/.test(
        head.lower,
      )
    )
      continue;
    const subject = sentence[0];
    const verb = sentence[i - 1];
    if (/^(?:they|we|these|those|people|students)$/.test(subject?.lower ?? '') || verb?.lower === 'are') {
      const next = sentence[i + 1] as Token;
      yield {
        start: token.start,
        end: next.end,
        replacement: next.text,
        kind: 'article',
        explanation: `“${token.text}” stands before one thing; “${head.text}” are several.`,
      };
    } else
      yield replace(
        head,
        head,
        singularForm,
        'plural',
        `After “${token.text}” the singular “${singularForm}” follows.`,
      );
  }
};

/** "this ones" → "these ones", or "this one" beside another one: "the old one and this ones". */
export const thisOnes: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    const ones = sentence[i + 1];
    if (token.lower !== 'this' || token.locked || ones?.lower !== 'ones' || ones.locked) continue;
    if (sentence.slice(0, i).some(({ lower }) => lower === 'one'))
      yield replace(ones, ones, 'one', 'plural', '“this” stands before one thing: “this one”.');
    else yield replace(token, token, 'these', 'plural', '“ones” are several, so “these” stands before it.');
  }
};

/** "this cars" → "these cars". */
export const theseBeforePlural: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (token.lower !== 'this' || token.locked) continue;
    const found = headOf(sentence, i + 1);
    if (found === undefined || found.index > i + 3) continue;
    const singularForm = found.head.lower === 'people' ? 'person' : singular(found.head.lower);
    const next = sentence[found.index + 1];
    // "This moves `HEAD`", "This cuts into it": a verb, if the word is one and no verb follows.
    const isVerb = found.index === i + 1 && singularForm !== undefined && frequency(gerund(singularForm)) > 300_000;
    if (
      isVerb &&
      next !== undefined &&
      (next.locked || !/^(?:AUX|VERB)$/.test(next.pos)) &&
      !/^[.,;!?]$/.test(next.text)
    )
      continue;
    // "this breaks the rule": a verb.
    if (!/^(?:PUNCT|AUX|VERB|ADP|SCONJ|CCONJ|PRON)$/.test(next?.pos ?? 'PUNCT')) continue;
    if (
      singularForm === undefined ||
      /^(?:many|much|few)$/.test(sentence[i + 1]?.lower ?? '') ||
      /^(?:NOUN|PROPN)$/.test(next?.pos ?? '') ||
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
        'plural',
        `“${token.text}” and “${next?.text}” mean one, so the singular “${singularForm}” fits.`,
      );
    else
      yield replace(
        token,
        token,
        'these',
        'agreement',
        `“${found.head.text}” is a plural, so “these” stands before it.`,
      );
  }
};

/** "informations" → "information", "many informations" → "much information". */
export const uncountable: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (!isWord(token) || !(token.pos === 'NOUN' || token.pos === 'VERB')) continue;
    const mass = uncountablePlural(token.lower);
    if (mass !== undefined) {
      yield replace(token, token, mass, 'plural', `“${mass}” is not counted and has no plural.`);
      continue;
    }
    const previous = sentence[i - 1];
    if (!UNCOUNTABLE.has(token.lower) || token.pos !== 'NOUN' || isNoun(sentence[i + 1]) || !isWord(previous)) continue;
    if (previous.lower === 'many')
      yield replace(
        previous,
        previous,
        'much',
        'plural',
        `“${token.text}” is not counted, so “much” stands before it.`,
      );
    else if (previous.lower === 'these' || previous.lower === 'those') {
      const determiner = previous.lower === 'these' ? 'this' : 'that';
      yield replace(
        previous,
        previous,
        determiner,
        'agreement',
        `“${token.text}” is not counted, so “${determiner}” stands before it.`,
      );
    }
  }
};

const COUNTED_PLURALS = (word: string): boolean =>
  (isPlural(word) || word === 'people') &&
  !/^(?:dollars|euros|pounds|miles|kilometers|kilometres|meters|metres|minutes|hours|days|weeks|months|years|calories|grams|times|seconds)$/.test(
    word,
  );

/** "less people" → "fewer people", "much books" → "many books", "amount of cars" → "number of cars". */
export const fewerAndMany: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    const next = sentence[i + 1];
    if (!isWord(token) || next === undefined) continue;
    if (token.lower === 'amount' && next.lower === 'of') {
      const found = headOf(sentence, i + 2);
      if (found !== undefined && COUNTED_PLURALS(found.head.lower) && !/^(?:goods|equations)$/.test(found.head.lower))
        yield replace(
          token,
          token,
          'number',
          'word_choice',
          `“${found.head.text}” are counted, so it is their “number”.`,
        );
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
    yield replace(
      token,
      token,
      right,
      'word_choice',
      `“${found.head.text}” are counted, so “${right}” stands before them.`,
    );
  }
};

/** Plurals made by rule where the word has its own: "childs", "mans", "peoples". */
const WRONG_PLURALS: Readonly<Record<string, string>> = {
  childs: 'children',
  childrens: 'children',
  mans: 'men',
  mens: 'men',
  womans: 'women',
  womens: 'women',
  peoples: 'people',
  persons: 'people',
  foots: 'feet',
  feets: 'feet',
  tooths: 'teeth',
  teeths: 'teeth',
  mouses: 'mice',
  mices: 'mice',
  sheeps: 'sheep',
  deers: 'deer',
  fishs: 'fish',
  lifes: 'lives',
  wifes: 'wives',
  knifes: 'knives',
  leafs: 'leaves',
  thiefs: 'thieves',
  gooses: 'geese',
  criterias: 'criteria',
  phenomenons: 'phenomena',
  medias: 'media',
  datas: 'data',
  staffs: 'staff',
  moneys: 'money',
  youths: 'youth',
  vocabularys: 'vocabularies',
};
const SOMETIMES_RIGHT = words('peoples persons staffs moneys youths leafs mouses foots mans');
export const ownPlural: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (!isWord(token) || !Object.hasOwn(WRONG_PLURALS, token.lower)) continue;
    const right = WRONG_PLURALS[token.lower] as string;
    const next = sentence[i + 1];
    if (next !== undefined && !next.spaced && /^['’]/.test(next.text)) continue;
    if (token.lower === 'lifes' && sentence[i - 1]?.lower === 'still') continue;
    if (isOne(sentence[i - 1], words('one each every another')) && singular(right) === token.lower.slice(0, -1)) {
      const one = token.lower.slice(0, -1);
      yield replace(token, token, one, 'plural', `“${sentence[i - 1]?.text}” is followed by the singular “${one}”.`);
      continue;
    }
    // "the mens room": of men; "five mans".
    if (/^(?:mens|womens|childrens)$/.test(token.lower) && isNoun(next)) {
      yield replace(token, token, `${right}'s`, 'punctuation', `What is theirs takes an apostrophe: “${right}'s”.`);
      continue;
    }
    if (token.lower === 'mans' && sentence[i - 1]?.pos === 'NUM') {
      yield replace(token, token, right, 'plural', `The plural is “${right}”.`);
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
    yield replace(token, token, right, 'plural', `The plural is “${right}”.`);
  }
};
