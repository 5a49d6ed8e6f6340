import { baseOf, isPlural, plural, singular } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { headOf } from './head-noun.ts';
import { isCountable } from './nouns.ts';
import { isNoun, isOne, isWord, type Rule, replace, type Sentence, words } from './rule.ts';

const MANY = words('many several various numerous these those few');
const NUMBERS = words(
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand',
);

/** Units and words that stay singular before another noun; "a five year plan" needs a hyphen instead. */
const UNITS = words('percent per km kg mm cm mph am pm usd eur dozen hundred thousand million billion');
const NOT_COUNTED = words(
  'bit people police cattle more less other others fewer enough else such same different first last next good bad kind best most late early stone half quarter head sense effort given left set',
);

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
/** Whether the word at `at` may be the verb of its sentence, which has no other: "These need a look", "Many show a trend". */
const isVerbOf = (sentence: Sentence, at: number): boolean =>
  isOne(sentence[at], MAY_BE_VERBS) &&
  (sentence[at + 1]?.pos === 'DET' ||
    (/^(?:PRON|ADP|PART|ADV|NUM)$/.test(sentence[at + 1]?.pos ?? '') && hasNoVerb(sentence, at)));
const hasNoVerb = (sentence: Sentence, at: number): boolean =>
  !sentence.slice(at + 1).some(({ pos }, n) => /^(?:AUX|VERB)$/.test(pos) && sentence[at + n]?.lower !== 'to');
const MAY_BE_VERBS = words(
  'need cause answer result show help work change use play talk look study fear hope love hate cost matter report charge offer promise control test mark trust doubt end start fail act call form cover lack demand claim aim deal benefit contact sound taste smell feel touch visit worry care drive move turn rise fall point reply travel sleep cook drink share support serve practice question question sell suit fit reach join measure plan review order schedule limit exchange wonder travel',
);

export const pluralAfterQuantity: Rule = {
  id: 'plural-after-quantity',
  kind: 'plural',
  fixes: { 'These book are mine.': 'These books are mine.' },
  leaves: ['Many a sailor has lost his way in these waters.', 'Two cups of sugar is far too much.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const number =
        isOne(token, NUMBERS) ||
        (/^\d{1,6}$/.test(token.text) && isAmount(Number(token.text), sentence[i - 1]) && !token.locked);
      // “The Gang of Four book”.
      if (!(number || isOne(token, MANY)) || (!token.first && token.text !== token.lower)) continue;
      if (sentence[i + 1]?.spaced === false) continue;
      const previous = sentence[i - 1];
      // "Would Friday at two suit you?": a time.
      if (number && previous?.lower === 'at' && sentence[i + 2]?.pos === 'PRON') continue;
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
      if (!number && index === i + 1 && isVerbOf(sentence, index)) continue;
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
      if (index > i + 1 && isNoun(sentence[index - 1]) && /^(?:DET|ADP|PRON|ADJ|ADV)$/.test(nextPos) && !number)
        continue;
      if (
        sentence[index + 2]?.text === '-' ||
        (/^(?:NOUN|PROPN|ADJ|NUM)$/.test(nextPos) &&
          !/^(?:such|other|due|full|available|today|yesterday|ago)$/.test(next?.lower ?? '')) ||
        (number && nextPos === 'ADJ' && /^(?:old|long|tall|high|wide|deep)$/.test(next?.lower ?? ''))
      )
        continue;
      // "too many time": what is not counted is much.
      if (head.lower === 'time' && token.lower === 'many' && isOne(previous, words('too so')))
        yield replace(token, token, 'much', '“many” is for what is counted; “time” takes “much”.', 'confused_word');
      else if (head.lower === 'person')
        yield replace(head, head, 'people', `“${token.text}” means more than one, so the plural “people” follows.`);
      else if (isCountable(head.lower, 0.015)) {
        const many = plural(head.lower);
        yield replace(head, head, many, `“${token.text}” means more than one, so the plural “${many}” follows.`);
      }
    }
  },
};

/** "a lot of car", "one of the reason", "a variety of product": of several, so plural. */
// A kind “of” may be of one: "two types of branch".
const OF_MANY = words(
  'lot lots plenty variety range number couple series group set list pair dozens hundreds thousands millions majority',
);
export const pluralAfterOf: Rule = {
  id: 'plural-after-of',
  kind: 'plural',
  words: 'of',
  fixes: { 'We need a lot of car for the trip.': 'We need a lot of cars for the trip.' },
  leaves: ['A lot of time was lost because of the strike.', 'One of the deer had a broken leg.'],
  *find(sentence) {
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
      // "a lot of performance overhead".
      if (!oneOf && found.index > from && isNoun(sentence[found.index - 1])) continue;
      if (NOT_COUNTED.has(head.lower) || UNITS.has(head.lower) || GROUPS.has(head.lower)) continue;
      if (head.lower === 'person') yield replace(head, head, 'people', `“${token.text} of” takes a plural: “people”.`);
      else if (isCountable(head.lower, oneOf ? 0.02 : 0.05)) {
        const many = plural(head.lower);
        yield replace(head, head, many, `“${token.text} of” takes a plural: “${many}”.`);
      }
    }
  },
};

/** Things of two parts, which are bought in pairs. */
const PAIRS = words(
  'shoes boots socks gloves jeans trousers pants shorts glasses sunglasses scissors clothes headphones',
);

/** "a experts", "an ideas": no article of one before several. */
export const noArticleBeforePlural: Rule = {
  id: 'no-article-before-plural',
  kind: 'article',
  words: 'a an',
  fixes: { 'There is not a single clouds in the sky.': 'There is not a single cloud in the sky.' },
  leaves: ['Another few weeks and the house will be done.', 'Neither of the teams scored.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!(token.lower === 'a' || token.lower === 'an') || token.locked) continue;
      const found = headOf(sentence, i + 1);
      if (found === undefined || isNoun(sentence[found.index + 1])) continue;
      const { head, index } = found;
      const first = sentence[i + 1] as Token;
      // "an individual works on it": the adjective may be the noun, and the noun the verb.
      if (isOne(first, words('individual professional adult human native official'))) continue;
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
        /^(?:thanks|bits|arms|sports|sales|arts|goods|savings|stairs|times|customs|news|fries|ways|leaders)$/.test(
          head.lower,
        )
      )
        continue;
      const subject = sentence[0];
      const verb = sentence[i - 1];
      if (
        PAIRS.has(head.lower) ||
        /^(?:they|we|these|those|people|students)$/.test(subject?.lower ?? '') ||
        verb?.lower === 'are'
      ) {
        const next = sentence[i + 1] as Token;
        yield {
          start: token.start,
          end: next.end,
          replacement: next.text,
          explanation: `“${token.text}” stands before one thing; “${head.text}” are several.`,
        };
      } else
        yield replace(
          head,
          head,
          singularForm,
          `After “${token.text}” the singular “${singularForm}” follows.`,
          'plural',
        );
    }
  },
};
