import { baseOf, thirdPerson } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { agreed, mayBeLed, reason, SOMEONE, sure } from './agreement.ts';
import { afterAdverbs, finite } from './number.ts';
import {
  type Found,
  isAdjective,
  isNoun,
  isOne,
  isWord,
  NEGATIONS,
  type Rule,
  replace,
  type Sentence,
  words,
} from './rule.ts';

const MANY_PRONOUNS = words('we they you these those');
const ONE_PRONOUNS = words(
  'he she it everyone everybody someone somebody anyone anybody nobody everything something anything nothing',
);
const BARE_AFTER = words(
  'let make makes made help helps helped see saw seen watch watched hear heard have had suggest suggests suggested recommend recommends recommended insist insists insisted demand demands demanded require requires required important essential necessary vital do does did can could will would shall should may might must lets than as if whether lest and or of for to with from by about at like is are was were am',
);

/** What a group is called to do. */
const CALLS = words('take give grab get sit stand come go listen look stop wait keep turn open close bring hold stay');

const INDEFINITE = /^(?:every|some|any|no)(?:one|body|thing)$/;
/** A word that the tagger takes for a noun, as a verb, where it ends its clause: "but everyone answer." */
const asVerb = (token: Token | undefined, next: Token | undefined): Token | undefined =>
  isNoun(token) &&
  isOne(token, words('answer know care help like want come work reply call understand change happen')) &&
  (next === undefined || /^(?:[.,!]|and|me|us|my|the)$/.test(next.lower))
    ? { ...token, pos: 'VERB' }
    : token;
/** Whether “it” is a subject behind this word rather than the object of a verb. */
const mayPrecedeIt = (previous: Token): boolean =>
  /^(?:PUNCT|CCONJ|SCONJ|ADV|INTJ|PRON)$/.test(previous.pos) ||
  isOne(previous, words('weeks days months years hours minutes')) ||
  isOne(
    previous,
    words(
      'think thinks thought know knows believe believes say says said hope hopes mean means sure that because if when so and but then like where what how why guess feel',
    ),
  );

/** A second negation goes with its helping verb, and the verb agrees with its subject. */
function* withoutNegation(sentence: Sentence, subject: Token, at: number): Generator<Found> {
  const [help, verb] = [sentence[at], sentence[at + 2]];
  if (help?.lower !== 'do' || help.locked || !isWord(verb) || baseOf(verb.lower) !== verb.lower) return;
  const right = thirdPerson(verb.lower);
  if (frequency(verb.lower) < 3_000_000 || frequency(right) === 0) return;
  yield replace(help, verb, right, `“${subject.text}” says “not” already: “${right}”.`);
}

/** "he go", "they was", "everyone are": where the subject is a pronoun. */
export const pronounAndVerb: Rule = {
  id: 'pronoun-and-verb',
  kind: 'negation',
  fixes: { "He don't like coffee.": "He doesn't like coffee." },
  leaves: ['The girl sitting behind you and me knows the answer.', 'All you have to do is ask.'],
  *find(sentence, context) {
    for (const [i, token] of sentence.entries()) {
      if (!isWord(token)) continue;
      const number =
        MANY_PRONOUNS.has(token.lower) || token.lower === 'i'
          ? 'many'
          : ONE_PRONOUNS.has(token.lower)
            ? 'one'
            : undefined;
      if (number === undefined) continue;
      const previous = sentence[i - 1];
      // "Constantine I is", "the letter i is".
      if (token.text === 'i') continue;
      if (token.lower === 'i' && previous?.pos === 'PROPN') continue;
      if ((token.lower === 'these' || token.lower === 'those') && !(previous === undefined)) continue;
      // "an IT flavor", "Liking you becomes", "if anything", "if only anything were".
      if (token.text === 'IT' || (number === 'many' && /ing$/.test(previous?.lower ?? ''))) continue;
      if (token.lower === 'anything' && sentence.slice(Math.max(0, i - 2), i).some((word) => word.lower === 'if'))
        continue;
      // "algorithms that use it are", "the day it arrives".
      if (token.lower === 'it' && previous !== undefined && !mayPrecedeIt(previous)) continue;
      if (
        BARE_AFTER.has(previous?.lower ?? '') &&
        !(
          previous?.lower === 'if' ||
          previous?.lower === 'whether' ||
          previous?.lower === 'and' ||
          previous?.lower === 'as' ||
          previous?.lower === 'than'
        )
      )
        continue;
      if (
        previous !== undefined &&
        /^(?:VERB|ADP|AUX)$/.test(previous.pos) &&
        !(token.lower === 'you' && isOne(previous, words('before after until'))) &&
        (token.lower === 'it' || token.lower === 'you' || ONE_PRONOUNS.has(token.lower)) &&
        !/^(?:think|know|believe|say|says|said|hope|mean|means|sure|that|because)$/.test(previous.lower)
      )
        continue;
      if (
        previous?.lower === 'and' &&
        !sentence.slice(0, i).some((word) => word.pos === 'VERB' || word.pos === 'AUX') &&
        ONE_PRONOUNS.has(token.lower) &&
        sentence[i - 2] !== undefined &&
        /^(?:NOUN|PROPN|PRON)$/.test(sentence[i - 2]?.pos ?? '')
      )
        continue;
      // In "Doesn't she like it" and "What does he want" the verb that agrees comes first.
      if (previous?.lower === "n't" || (previous?.pos === 'AUX' && sentence.at(-1)?.text === '?')) continue;
      // "something urgent happen".
      const described = /thing$/.test(token.lower) && isAdjective(sentence[i + 1]) ? i + 2 : i + 1;
      const place = afterAdverbs(sentence, described);
      if (place > i + 1 && sentence.slice(i + 1, place).some((adverb) => adverb.lower === 'not')) continue;
      // A negative subject takes no second negation.
      if (isOne(token, words('nobody nothing')) && isOne(sentence[place + 1], NEGATIONS)) {
        yield* withoutNegation(sentence, token, place);
        continue;
      }
      const next = sentence[place + 1];
      // "He never clean the kitchen": no adjective stands there.
      const done =
        isOne(sentence[place], words('clean open close dry empty cook')) && place > described && next?.pos === 'DET';
      const deed = sentence[place] as Token;
      const verbal = INDEFINITE.test(token.lower) ? asVerb(deed, next) : done ? { ...deed, pos: 'VERB' } : deed;
      const found = finite(verbal, next);
      if (found === undefined || found.number === number) continue;
      const { verb } = found;
      // "The scene before you is": no subject.
      if (found.clear && isOne(previous, words('before after until'))) continue;
      if (verb.lower === 'like' && token.lower === 'it') continue;
      // "said it best", "think it right", "he sort of liked it", "he better go".
      if (isOne(verb, words('best better right well sort kind'))) continue;
      // "Everyone take a seat", "and somebody give me a pencil": a call to do it.
      if (
        SOMEONE.has(token.lower) &&
        !found.clear &&
        (isOne(verb, CALLS) || isOne(sentence[place + 1], words('me us')))
      )
        continue;
      // "Please everyone turn it off", "Anybody want tea?"
      if (
        SOMEONE.has(token.lower) &&
        !found.clear &&
        (previous?.lower === 'please' || (previous === undefined && /^[!?]$/.test(sentence.at(-1)?.text ?? '')))
      )
        continue;
      if (sentence.at(-1)?.text === '?' && i > 0 && previous?.pos === 'AUX') continue;
      if (
        /^(?:was|were)$/.test(verb.lower) &&
        (previous?.lower === 'if' ||
          previous?.lower === 'wish' ||
          previous?.lower === 'as' ||
          previous?.lower === 'though' ||
          token.lower === 'i')
      )
        continue;
      if (
        number === 'one' &&
        verb.pos === 'VERB' &&
        !sure(sentence, place) &&
        !isNoun(sentence[place + 1]) &&
        !(isOne(verb, words('stop start keep')) && /ing$/.test(sentence[place + 1]?.lower ?? '')) &&
        !/^[.,!]$/.test(sentence[place + 1]?.text ?? '')
      )
        continue;
      if (number === 'one' && previous?.lower === 'that' && (verb.pos === 'VERB' || verb.lower === 'were')) continue;
      if (
        number === 'many' &&
        token.lower !== 'i' &&
        verb.pos === 'VERB' &&
        isNoun(sentence[place + 1]) &&
        token.lower.startsWith('th')
      ) {
        if (token.lower === 'these' || token.lower === 'those') continue;
      }
      const right =
        token.lower === 'i' && /^(?:is|are)$/.test(verb.lower) ? 'am' : agreed(sentence, found, number, context);
      if (right === undefined) continue;
      const explanation =
        number === 'many' && !found.clear
          ? `“${token.text}” takes the verb without -s: “${right}”.`
          : `“${token.text}” takes “${right}”.`;
      yield { ...replace(verb, verb, right, ...reason(found, right, explanation)), doubt: mayBeLed(found, context) };
    }
  },
};
