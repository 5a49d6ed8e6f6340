import { isPlural } from '../forms.ts';
import { pairFrequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { isCountable } from './nouns.ts';
import { type Found, insertBefore, isAdjective, isNoun, isOne, isWord, type Rule, remove, words } from './rule.ts';

/** Chooses by sound, for words that other rules here put an article before; Harper checks the rest. */
const indefinite = (word: string): string =>
  (/^[aeiou]/i.test(word) && !/^(?:uni(?!n|m)|use|usu|eu|one|once|uti|ubi)/i.test(word)) ||
  /^(?:hour|honest|honou?r|heir)/i.test(word)
    ? 'an'
    : 'a';

/** Inserts "a" or "an" before a noun, or before its first adjective. */
const articleBefore = (first: Token, noun: Token): Found =>
  insertBefore(
    first,
    indefinite(first.lower),
    `“${noun.text}” is one of several, so an article stands before it.`,
    'article',
  );

/** Verbs with a countable object that needs an article: "have car", "need computer". */
const TAKES_OBJECT = words(
  'have has had need needs needed want wants wanted buy buys bought become becomes became own owns drive drives drove is was be',
);
/** Nouns that count only with a preceding adjective: "got a good score". */
const TAKES_PLAIN_OBJECT = words(
  'get gets got make makes made find found create creates created give gave use uses used',
);
const PLAIN_ADJECTIVES = words(
  'good bad big small great nice huge new long short beautiful terrible serious wonderful perfect difficult better special',
);
/** Adjectives that stand before things that can be counted: "bought new car". */
const CONCRETE = words('new old big small red blue white black cheap expensive used second-hand');
/** Objects without an article in set phrases ("have fun", "take place", "make sense"). */
const SET_OBJECTS = words(
  'dessert taste plan place part care sense use time fun progress money love work need fault sure way sight order shape control note effect notice account charge advantage room trouble help lunch dinner breakfast school home college church bed war peace law practice reason business food fear faith hope access contact permission power pleasure respect support pain cause fire speed course doubt experience interest change thought evidence person people man woman member public half case fact conversation speech language key top back front center centre one other number determination injustice vision species copy steak leader year shelter variety kind sort crack eye variation',
);

/** Corrects "have car" to "have a car", because a countable noun needs a determiner. */
export const missingIndefinite: Rule = {
  id: 'missing-indefinite',
  kind: 'article',
  fixes: { 'I have car and a bike.': 'I have a car and a bike.' },
  leaves: ['What nonsense he talks after a glass of wine!', 'He works for love, not money.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const plain = isOne(token, TAKES_PLAIN_OBJECT) && isOne(sentence[i + 1], PLAIN_ADJECTIVES);
      if (!(plain || isOne(token, TAKES_OBJECT)) || !(token.pos === 'VERB' || token.pos === 'AUX')) continue;
      const from = i + 1;
      const first = sentence[from];
      if (!isWord(first) || !(first.pos === 'ADJ' || first.pos === 'NOUN') || /^[A-Z]/.test(first.text)) continue;
      let index = from;
      while (isAdjective(sentence[index])) index += 1;
      const noun = sentence[index];
      const next = sentence[index + 1];
      const nextPos = next?.pos ?? '';
      // "will be available next week".
      if (sentence.slice(from, index).some((word) => isOne(word, words('next last this')))) continue;
      if (!isNoun(noun) || index - from > 2 || /^(?:NOUN|PROPN|VERB|AUX)$/.test(nextPos) || SET_OBJECTS.has(noun.lower))
        continue;
      if (next !== undefined && !next.spaced && !/^[.,;!?]$/.test(next.text)) continue;
      const be = /^(?:is|was|be|become|becomes|became)$/.test(token.lower);
      // "be" needs an adjective in between, or the noun may be part of a passive or a name.
      if (be && index === from && !/^becom|^became/.test(token.lower)) continue;
      if (
        /^(?:more|most|less|such|same|other|much|many|few|several|own|enough|only|own|different|certain|various|all|both|next|last|first|second|third|possible|able|likely|due|full|part|high|low|public|global|social|human|free|further|total|better|best|worse)$/.test(
          first.lower,
        )
      )
        continue;
      const concrete = index > from && isOne(first, CONCRETE) && !be;
      if (!isCountable(noun.lower, plain ? 0.05 : index > from && !concrete ? 0.1 : 0.045)) continue;
      if (
        !/^(?:[.,;!?]|of|in|for|with|on|at|from|about|to|that|which|who|and|but|because|when|where|if|so|after|before|last|this|next|until|since)$/.test(
          next?.lower ?? '.',
        )
      )
        continue;
      if (token.text !== token.lower && !token.first) continue;
      // Books use the article far more often than not.
      if (index === from && pairFrequency(token.lower, noun.lower) > 0) continue;
      if (/^(?:and|or)$/.test(next?.lower ?? '') && isNoun(sentence[index + 2])) continue;
      yield articleBefore(first, noun);
    }
  },
};

/** "an advice", "a furniture": no article of one before what is not counted. */
export const uncountableArticle: Rule = {
  id: 'uncountable-article',
  kind: 'article',
  words: 'a an',
  fixes: { 'She asked for an advice.': 'She asked for advice.' },
  leaves: ['She works for a tourism office by the sea.', 'The bus we came by was late.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!(token.lower === 'a' || token.lower === 'an') || token.locked) continue;
      const next = sentence[i + 1];
      let index = i + 1;
      while (isAdjective(sentence[index])) index += 1;
      const noun = sentence[index];
      const after = sentence[index + 1];
      if (
        !isNoun(noun) ||
        next === undefined ||
        !NEVER_ONE.has(noun.lower) ||
        /^(?:NOUN|PROPN)$/.test(after?.pos ?? '') ||
        (after?.pos === 'CCONJ' && isAdjective(sentence[index + 2]))
      )
        continue;
      if (after !== undefined && !after.spaced && !/^[.,;!?]$/.test(after.text)) continue;
      // "a little money", "a software update".
      if (next.lower === 'little' || after?.pos === 'VERB' || (noun.lower === 'traffic' && after?.lower === 'light'))
        continue;
      // "a knowledge of the law".
      if (noun.lower === 'knowledge' && after?.lower === 'of') continue;
      if (
        /^(?:good|great|little|certain|deep|working|thorough|better|broad|wide)$/.test(next.lower) &&
        noun.lower === 'knowledge'
      )
        continue;
      yield remove(token, next, `“${noun.text}” is not counted and takes no “${token.text}”.`);
    }
  },
};
const NEVER_ONE = words(
  'information advice furniture equipment homework luggage baggage software hardware traffic money weather housework stuff scenery machinery clothing progress fun luck transportation pollution knowledge wifi conditioning feedback evidence accommodation attention seafood bread snow rice marketing',
);

/** "most of people" → "most people". */
export const mostOf: Rule = {
  id: 'most-of',
  kind: 'preposition',
  words: 'of',
  fixes: { 'All of students passed.': 'All students passed.' },
  leaves: ['She ate all she could of the cake.', 'All of the furniture was sold at once.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (
        !isOne(token, words('most some many all few both')) ||
        sentence[i + 1]?.lower !== 'of' ||
        sentence[i + 1]?.locked
      )
        continue;
      // "no impact at all of human activities", "a few of many problems".
      if (isOne(token, words('all few both')) && i > 0 && sentence[i - 1]?.pos !== 'SCONJ') continue;
      const preposition = sentence[i + 1] as Token;
      let at = i + 2;
      while (isAdjective(sentence[at])) at += 1;
      const noun = sentence[at];
      const next = sentence[i + 2];
      if (!isNoun(noun) || next === undefined || next.locked || !isPlural(noun.lower)) continue;
      yield {
        start: preposition.start,
        end: next.end,
        replacement: next.text,
        explanation: `“${token.text}” takes “of” only before “the”, “these”, “my” and the like.`,
      };
    }
  },
};
