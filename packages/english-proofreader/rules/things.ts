import { baseOf, isPlural, plural } from '../forms.ts';
import { frequency, pairFrequency } from '../frequency.ts';
import { headOf } from './head-noun.ts';
import { isCountable } from './nouns.ts';
import { isNoun, isOne, isWord, type Rule, remove, replace, type Sentence, words } from './rule.ts';

const ENDS =
  /^(?:[.,;:!?)]|and|or|but|in|on|at|for|from|to|with|because|when|if|that|which|who|than|about|here|there|today|now)$/;
const endsAt = (sentence: Sentence, at: number): boolean => {
  const next = sentence[at];
  return next === undefined || (ENDS.test(next.lower) && (next.spaced || /^[.,;:!?)]$/.test(next.text)));
};

/** Nouns that "there are more" and "enough" may leave in the singular. */
const MASS = words('room space time work food water help light sound noise traffic detail experience change hope life');

/** "there are more job", "there are other way", "read more book": several are meant. */
export const pluralAfterThereAre: Rule = {
  id: 'plural-after-there-are',
  kind: 'plural',
  words: 'are more enough other',
  fixes: {},
  leaves: [],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const there = token.lower === 'are' && !token.locked && sentence[i - 1]?.lower === 'there';
      const quantity = there && isOne(sentence[i + 1], words('more other no not enough also still so some'));
      const more = isOne(token, words('more enough other')) && !there && sentence[i - 1]?.lower !== 'are';
      if (!there && !more) continue;
      // "one more way", "another offer".
      if (more && isOne(sentence[i - 1], words('one another no any a some'))) continue;
      const from = quantity ? i + 2 : i + 1;
      const head = sentence[from];
      if (!isNoun(head) || isPlural(head.lower) || /s$/.test(head.lower) || MASS.has(head.lower)) continue;
      // "She is more friend than teacher".
      if (!endsAt(sentence, from + 1) || sentence[from + 1]?.lower === 'than') continue;
      const many = plural(head.lower);
      if (!isCountable(head.lower, there ? 0.04 : 0.03)) continue;
      if (more) {
        // Books write the plural after this word and hardly ever the singular: "more books".
        const quantifier = token.lower;
        if (
          pairFrequency(quantifier, many) < 10_000_000 ||
          pairFrequency(quantifier, head.lower) * 20 > pairFrequency(quantifier, many)
        )
          continue;
        if (quantifier === 'other' && /^(?:DET|PRON)$/.test(sentence[i - 1]?.pos ?? '')) continue;
        if (quantifier === 'other' && isOne(sentence[i - 1], words('each one any no every some'))) continue;
      }
      const said = there ? 'there are' : token.lower;
      yield replace(head, head, many, `“${said}” means several here, so the plural “${many}” follows.`);
    }
  },
};

/** "from others countries", "any furthers details": an adjective has no plural. */
export const noPluralAdjective: Rule = {
  id: 'no-plural-adjective',
  kind: 'plural',
  fixes: {},
  leaves: [],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const right = ADJECTIVES[token.lower];
      if (right === undefined || !Object.hasOwn(ADJECTIVES, token.lower) || token.locked) continue;
      const previous = sentence[i - 1];
      const found = headOf(sentence, i + 1);
      if (found === undefined || !isPlural(found.head.lower) || sentence[i + 1]?.spaced === false) continue;
      if (
        token.lower === 'others' &&
        !(
          previous?.pos === 'ADP' ||
          isOne(previous, words('many some any all the my your our their his her several these'))
        )
      )
        continue;
      // "some people like tea and others coffee": a subject of its own.
      if (token.lower === 'others' && sentence.slice(0, i).some((word) => isOne(word, words('some while')))) continue;
      yield replace(token, token, right, `An adjective has no plural: “${right}”.`);
    }
  },
};
/** "very comfortables": an adjective has no plural. */
export const noPluralAfterVery: Rule = {
  id: 'no-plural-after-very',
  kind: 'plural',
  words: 'very so too',
  fixes: {},
  leaves: [],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const right = token.lower.slice(0, -1);
      if (!isWord(token) || !/[a-z]{4}[^s]s$/.test(token.text) || !isOne(sentence[i - 1], words('very so too')))
        continue;
      if (frequency(right) < 5_000_000 || frequency(token.lower) > frequency(right) * 0.02 || !endsAt(sentence, i + 1))
        continue;
      yield replace(token, token, right, `An adjective has no plural: “${right}”.`);
    }
  },
};

const ADJECTIVES: Readonly<Record<string, string>> = {
  others: 'other',
  furthers: 'further',
  differents: 'different',
  importants: 'important',
  beautifuls: 'beautiful',
  interestings: 'interesting',
};

const COUNTRIES = words(
  'england scotland ireland france germany spain portugal italy greece turkey poland russia ukraine sweden norway denmark finland belgium austria switzerland hungary romania bulgaria croatia serbia china japan korea india pakistan bangladesh vietnam thailand indonesia malaysia singapore australia egypt morocco algeria tunisia libya syria iraq iran israel jordan lebanon mexico brazil argentina chile peru colombia venezuela canada america nigeria kenya ethiopia ghana europe asia africa london paris berlin madrid rome moscow beijing tokyo delhi cairo munich hamburg vienna lisbon barcelona milan warsaw prague budapest istanbul shanghai mumbai bangalore toronto sydney',
);

/** "from the Egypt", "in the Germany": most countries and cities have no article. */
export const noArticleBeforeCountry: Rule = {
  id: 'no-article-before-country',
  kind: 'article',
  fixes: {},
  leaves: [],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const name = sentence[i + 1];
      const next = sentence[i + 2];
      if (token.lower !== 'the' || token.locked || !isOne(name, COUNTRIES) || name === undefined) continue;
      if (
        !/^\p{Lu}/u.test(name.text) ||
        !isOne(sentence[i - 1], words('in from to of visit visited visiting leave left around through'))
      )
        continue;
      // "the China of today", "the Germany game", "the Paris that I know".
      if (
        next !== undefined &&
        !/^(?:[.,;!?]|and|but|because|is|was|last|next|this|for|with|when|where|since|to)$/.test(next.lower)
      )
        continue;
      if (sentence[i + 3]?.text === '’' || sentence[i + 2]?.text === '-') continue;
      if (next?.lower === 'and' && /^\p{Lu}/u.test(sentence[i + 3]?.text ?? '')) continue;
      yield remove(token, name, `“${name.text}” is a name that takes no article.`);
    }
  },
};

/** Things, for which "who" is not said. */
const THINGS = words(
  'machine computer laptop phone camera car bike house flat apartment book film movie letter email message problem mistake product app program website page shirt jacket dress shoes table chair room hotel city town country school song story idea job course exam test package parcel order bag watch game word sentence picture question',
);
const TELLING = words(
  'tell tells told ask asks asked show shows showed teach teaches taught remind reminds reminded explain explains explained inform see sees saw seen know knows knew say says said wonder understand decide discuss mean means guess imagine check describe learn give gives gave',
);

/** "the machine who I bought", "the flat what you offer": a thing is "that". */
export const thatForThings: Rule = {
  id: 'that-for-things',
  kind: 'pronoun',
  words: 'who what',
  fixes: {},
  leaves: [],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!isOne(token, words('who what'))) continue;
      const noun = sentence[i - 1];
      const determiner = sentence[i - 2];
      const next = sentence[i + 1];
      if (!isWord(noun) || !/^(?:NOUN|ADJ)$/.test(noun.pos) || !THINGS.has(noun.lower) || next === undefined) continue;
      if (!isOne(determiner, words('the a an my this our your his her new old')) && determiner?.pos !== 'ADJ') continue;
      const first = determiner?.pos === 'ADJ' ? i - 3 : i - 2;
      const previous = sentence[first - 1];
      const subject = isOne(next, words('i you we they he she'));
      const lead = sentence.slice(0, first);
      // "He told the hotel what he needed", "the man in the car who waved".
      if (lead.some((word) => isOne(word, TELLING))) continue;
      if (token.lower === 'what' && !subject) continue;
      if (!subject && !/^(?:AUX|VERB)$/.test(next.pos)) continue;
      if (!subject && lead.some((word) => /^(?:NOUN|PROPN)$/.test(word.pos))) continue;
      if (previous?.pos === 'PUNCT' && token.lower === 'what') continue;
      yield replace(token, token, 'that', `What is told about a thing is joined with “that”, not “${token.lower}”.`);
    }
  },
};

/** "the battery last all day", "the app crash with an error": the verb of one thing, which the tagger takes for another word. */
const VERB_SIGNS: Readonly<Record<string, readonly [right: string, next: ReadonlySet<string>]>> = {
  last: [
    'lasts',
    words('all for only about up longer very less more NUM several many two three four five six eight ten'),
  ],
  crash: ['crashes', words('with when every after each all on if as again')],
  work: ['works', words('with when very well perfectly fine great for again')],
  stop: ['stops', words('working when after')],
  start: ['starts', words('with when at on')],
  cost: ['costs', words('only about around more less too')],
  look: ['looks', words('like very good nice great so really')],
  smell: ['smells', words('like very good nice bad so')],
  taste: ['tastes', words('like very good nice great so')],
  feel: ['feels', words('like very good nice great so soft')],
  fit: ['fits', words('perfectly very well in into me him her')],
  open: ['opens', words('at the a')],
  close: ['closes', words('at')],
  fix: ['fixes', words('a the several many some this all')],
  include: ['includes', words('a an the all breakfast')],
  allow: ['allows', words('you users us me')],
  support: ['supports', words('a the all')],
  require: ['requires', words('a an the')],
  come: ['comes', words('with in from only every')],
  contain: ['contains', words('a an the all everything two three many')],
  need: ['needs', words('a an the to more some')],
};

export const verbOfThing: Rule = {
  id: 'verb-of-thing',
  kind: 'agreement',
  fixes: {},
  leaves: [],
  *find(sentence) {
    if (sentence.at(-1)?.text === '?') return;
    for (const [i, token] of sentence.entries()) {
      const found = VERB_SIGNS[token.lower];
      if (found === undefined || !Object.hasOwn(VERB_SIGNS, token.lower) || token.locked) continue;
      const noun = sentence[i - 1];
      const next = sentence[i + 1];
      const [right, signs] = found;
      if (!isNoun(noun) || isPlural(noun.lower) || /s$/.test(noun.lower) || frequency(noun.lower) < 1_000_000) continue;
      if (!isOne(sentence[i - 2], words('the this that my our your his her'))) continue;
      const border = sentence[i - 3];
      const said = border?.lower === 'that' && isOne(sentence[i - 4], words('say says said know think sure believe'));
      if (border !== undefined && !said && !/^(?:[,;]|and|but|because|when|so)$/.test(border.lower)) continue;
      if (border?.lower === 'and' && sentence[i - 4]?.text !== ',') continue;
      if (!isOne(next, signs) || pairFrequency(noun.lower, token.lower) > 2_000_000) continue;
      // The clause has no verb of its own.
      const rest = sentence.slice(i + 1);
      const end = rest.findIndex((word) =>
        /^(?:[.,;:!?]|and|but|because|when|if|that|which|who|so|everything|something|anything|what|how|why|where|you|we|they|i|he|she)$/.test(
          word.lower,
        ),
      );
      const clause = end < 0 ? rest : rest.slice(0, end);
      if (
        clause.some(
          (word, n) =>
            (word.pos === 'AUX' && clause[n - 1]?.lower !== 'to') ||
            (word.pos === 'VERB' && !/ing$/.test(word.lower) && !isOne(clause[n - 1], words('to be'))),
        )
      )
        continue;
      if (
        sentence
          .slice(0, i)
          .some((word) =>
            isOne(
              word,
              words('let lets make makes made help helps see saw suggest recommend insist demand require if'),
            ),
          )
      )
        continue;
      yield replace(token, token, right, `“${noun.text}” is a singular, and the verb agrees with it.`);
    }
  },
};

/** "reasons why people learns", "how children grows": a plural behind a question word. */
export const manyAfterWhy: Rule = {
  id: 'many-after-why',
  kind: 'agreement',
  words: 'why how where when',
  fixes: {},
  leaves: [],
  *find(sentence) {
    if (sentence.at(-1)?.text === '?') return;
    for (const [i, token] of sentence.entries()) {
      if (!isOne(token, words('why how where when')) || i === 0) continue;
      const noun = sentence[i + 1];
      const verb = sentence[i + 2];
      if (!isOne(noun, words('people children men women students parents')) || !isWord(verb) || verb.pos !== 'VERB')
        continue;
      if (!/[^s]s$/.test(verb.lower) || !/^(?:DET|PRON|ADP|ADJ|PART|ADV|NOUN)$/.test(sentence[i + 3]?.pos ?? ''))
        continue;
      const right = baseOf(verb.lower);
      if (frequency(right) < 3_000_000) continue;
      yield replace(verb, verb, right, `“${noun?.text}” is a plural, and the verb agrees with it.`);
    }
  },
};
