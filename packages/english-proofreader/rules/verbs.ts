import { baseOf, participle, past, thirdPerson } from '../forms.ts';
import { frequency, pairFrequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { isMostlyVerb } from './nouns.ts';
import {
  BE,
  DO,
  HAVE,
  isAdverb,
  isNoun,
  isOne,
  isWord,
  MODALS,
  NEGATIONS,
  POSSESSIVES,
  type Rule,
  remove,
  replace,
  type Sentence,
  SUBJECT_PRONOUNS,
  words,
} from './rule.ts';

const SKIPPED = words(
  "not n't never also always often really only just still even probably certainly definitely easily actually already recently yet",
);

/** The next word that is no adverb or negation. */
function afterAdverbs(sentence: Sentence, from: number): number {
  let at = from;
  while (isOne(sentence[at], SKIPPED) || (isAdverb(sentence[at]) && /ly$/.test(sentence[at]?.lower ?? ''))) at += 1;
  return at;
}

const isForm = (token: Token | undefined): token is Token =>
  isWord(token) && (token.pos === 'VERB' || token.pos === 'AUX');
const knownBase = (base: string): boolean => frequency(base) > 3_000_000;

/** Past forms that are often bases, adjectives or nouns as well. */
const NOT_JUDGED = words(
  'be read put set cut let cost hit hurt left found felt lay saw bore wound ground bound fell based used born need needs better best like',
);

const LIKE_ADJECTIVE = /(?:ing|able|ible|ful|ous|ive|less)$/;
const OF_WHAT = words('what all everything anything whatever than much best little');

/** "can goes", "will went", "should to do": the base form after a modal. */
export const baseAfterModal: Rule = {
  id: 'base-after-modal',
  kind: 'verb_form',
  words: 'can could will would shall should may might must ca wo',
  fixes: { 'You should to see a doctor.': 'You should see a doctor.' },
  leaves: ['She can and often does swim across the bay.', 'The tin can opened with a loud pop.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      // “ca” and “wo” are what the tagger leaves of “can't” and “won't”.
      const short = isOne(token, words('ca wo')) && sentence[i + 1]?.lower === "n't";
      if (!short && (!isOne(token, MODALS) || (token.pos !== 'AUX' && token.pos !== 'VERB'))) continue;
      const index = afterAdverbs(sentence, i + 1);
      const verb = sentence[index];
      if (verb === undefined) continue;
      // "An unbending will to dominate", "with all his might to win": a noun.
      const named =
        /^(?:ADJ|DET|NUM)$/.test(sentence[i - 1]?.pos ?? '') || LIKE_ADJECTIVE.test(sentence[i - 1]?.lower ?? '');
      // "Might is not always right", "The tin can opened".
      if ((i === 0 && sentence.at(-1)?.text !== '?') || sentence[i - 1]?.lower === 'tin') continue;
      if (verb.lower === 'to' && named) continue;
      // “her will was”, “Anna's will was”.
      if (isOne(sentence[i - 1], POSSESSIVES) || sentence[i - 1]?.pos === 'PART') continue;
      // "coulda done"; "should posts like this move?": the subject.
      if (sentence[i + 1]?.lower === 'a' && sentence[i + 1]?.spaced === false) continue;
      if (sentence.at(-1)?.text === '?' && /s$/.test(verb.lower) && !isOne(sentence[i - 1], SUBJECT_PRONOUNS)) continue;
      // "all that I can to help", "than others would to pull".
      if (verb.lower === 'to' && sentence.slice(0, i).some((word) => isOne(word, OF_WHAT))) continue;
      if (
        verb.lower === 'to' &&
        sentence.slice(i + 1, index).every((word) => isOne(word, NEGATIONS)) &&
        !verb.locked &&
        sentence[index + 1]?.pos === 'VERB' &&
        token.lower !== 'might'
      ) {
        yield remove(
          verb,
          sentence[index + 1] as Token,
          `“${short ? `${token.text}n't` : token.text}” is followed by the verb without “to”.`,
        );
        continue;
      }
      if (!isForm(verb) || NOT_JUDGED.has(verb.lower) || verb.lower.startsWith("'")) continue;
      const base = BE.has(verb.lower) && verb.lower !== 'be' ? 'be' : baseOf(verb.lower);
      if (base === verb.lower || !knownBase(base) || (/ing$/.test(verb.lower) && !isSubject(sentence, i - 1))) continue;
      yield replace(
        verb,
        verb,
        base,
        `“${short ? `${token.text}n't` : token.text}” is followed by the base form “${base}”.`,
      );
    }
  },
};

/** Whether what stands there is a subject, so that a modal behind it is no noun: “you can”, “my brother can”. */
const isSubject = (sentence: Sentence, at: number): boolean =>
  !sentence.slice(0, at + 1).some((word) => isOne(word, OF_WHAT) || isOne(word, words('as who that'))) &&
  (isOne(sentence[at], SUBJECT_PRONOUNS) ||
    (at === 1 && isNoun(sentence[1]) && isOne(sentence[0], POSSESSIVES)) ||
    (at === 0 && sentence[0]?.pos === 'PROPN'));

/** "does not has", "didn't went", "do they goes". */
export const baseAfterDo: Rule = {
  id: 'base-after-do',
  kind: 'verb_form',
  words: 'do does did',
  fixes: { "We don't needs it.": "We don't need it." },
  leaves: ['What we are is what we do.', 'What we are doing is right?'],
  *find(sentence, context) {
    for (const [i, token] of sentence.entries()) {
      if (!isOne(token, DO)) continue;
      const at = afterAdverbs(sentence, i + 1);
      const negated = sentence.slice(i + 1, at).some((word) => NEGATIONS.has(word.lower));
      const verb = sentence[at];
      const needs = verb?.lower === 'needs' && verb.pos !== 'NOUN';
      // "He don't saw it": no one works with a saw where the text tells what was.
      const told = isOne(verb, words('saw found felt left')) && context.tense(token)?.tense === 'past';
      if (!negated || !isForm(verb) || (NOT_JUDGED.has(verb.lower) && !needs && !told)) continue;
      const base = baseOf(verb.lower);
      if (base === verb.lower || base === 'be' || !knownBase(base) || /ing$/.test(verb.lower)) continue;
      // "She don't knew": the past form says the tense.
      if (token.lower !== 'did' && verb.lower === past(base)) {
        const why = `“${verb.lower}” tells what was, and its past is negated with “did”.`;
        const doubt = context.tense(token)?.tense !== 'past';
        yield { ...replace(token, token, 'did', why), doubt };
        yield { ...replace(verb, verb, base, why), doubt };
        continue;
      }
      yield replace(verb, verb, base, `“${token.text}” is followed by the base form “${base}”.`);
    }
  },
};

const WANTS = words(
  'want wants wanted need needs needed try tries tried trying like likes liked have has had able going order hope hopes decide decides decided begin begins began start starts started continue learn learned how plan plans planned refuse agree agreed manage managed expect hard easy difficult important necessary possible used ready better best wish love prefer way chance opportunity ability right time seem seems seemed tend tends forget remember fail afford choose people',
);

/** "wants to goes", "to developed": the base form after "to". */
export const baseAfterTo: Rule = {
  id: 'base-after-to',
  kind: 'verb_form',
  words: 'to',
  fixes: { 'She wants to goes home.': 'She wants to go home.' },
  leaves: ['They go to work by bus and come home on foot.', 'I used to get up early.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (token.lower !== 'to' || token.locked || i === 0) continue;
      const index = isAdverb(sentence[i + 1]) && /ly$/.test(sentence[i + 1]?.lower ?? '') ? i + 2 : i + 1;
      const verb = sentence[index];
      if (!isForm(verb) || NOT_JUDGED.has(verb.lower) || !WANTS.has(sentence[i - 1]?.lower ?? '')) continue;
      const base = BE.has(verb.lower) && verb.lower !== 'be' ? 'be' : baseOf(verb.lower);
      if (base === verb.lower || !knownBase(base) || /ing$/.test(verb.lower)) continue;
      // "How to guides": a noun.
      if (/s$/.test(verb.lower) && !/^(?:DET|PRON|ADP|ADV|PUNCT)$/.test(sentence[index + 1]?.pos ?? 'PUNCT')) continue;
      // "used to increased demand": an adjective before a noun.
      const habit = sentence[i - 1]?.lower === 'used' && isOne(sentence[i - 2], SUBJECT_PRONOUNS);
      if (/ed$/.test(verb.lower) && isNoun(sentence[index + 1]) && !habit) continue;
      yield replace(verb, verb, base, `“to” is followed by the base form “${base}”.`);
    }
  },
};

const STEPS = words('start change answer call visit finish pay order reply test check clean');
const AFTER_DONE = /^(?:DET|PRON|ADP|ADV|PUNCT)$/;

/** "has went", "have already change": the participle after "have". */
/** Whether a noun, “all” or “that” behind one ends at `at`, so that a clause about it may follow: "the friends he had". */
const isDescribed = (sentence: Sentence, at: number): boolean =>
  isNoun(sentence[at]) ||
  isOne(sentence[at], words('all what everything')) ||
  (sentence[at]?.lower === 'that' && isNoun(sentence[at - 1]));

export const participleAfterHave: Rule = {
  id: 'participle-after-have',
  kind: 'verb_form',
  words: "have has had 've",
  fixes: { 'We have already ate, thank you.': 'We have already eaten, thank you.' },
  leaves: ['I have to see a doctor about my knee.', 'Never have I seen where she works.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!(isOne(token, words('have has had')) || token.lower === "'ve")) continue;
      const index = afterAdverbs(sentence, i + 1);
      const verb = sentence[index];
      const adverb = sentence[index - 1];
      const done =
        isOne(adverb, words('not still yet ever')) && (isMostlyVerb(verb?.lower ?? '') || isOne(verb, STEPS));
      const behindAdverb = isWord(verb) && (done || isOne(adverb, words('already just never recently also')));
      if (
        !(behindAdverb || isForm(verb)) ||
        (NOT_JUDGED.has(verb.lower) &&
          !(verb.lower === 'saw' && (index > i + 1 || /^(?:PRON|DET)$/.test(sentence[index + 1]?.pos ?? '')))) ||
        /(?:ing|en|ed)$/.test(verb.lower) ||
        HAVE.has(verb.lower) ||
        verb.pos === 'AUX'
      )
        continue;
      // "The book I had went missing": the verb of what the clause describes.
      const at = sentence[i - 1]?.lower === 'ever' ? i - 2 : i - 1;
      if (isOne(sentence[at], SUBJECT_PRONOUNS) && isDescribed(sentence, at - 1)) continue;
      const base = baseOf(verb.lower);
      const right = participle(base);
      if (right === verb.lower || !knownBase(base)) continue;
      const isPast = verb.lower === past(base) && past(base) !== base;
      const isBase =
        verb.lower === base &&
        (index > i + 1 || pairFrequency('have', right) > 0) &&
        (behindAdverb && verb.pos === 'VERB' && (isMostlyVerb(base) || isOne(verb, STEPS))
          ? AFTER_DONE
          : /^(?:DET|PRON)$/
        ).test(sentence[index + 1]?.pos ?? 'PUNCT');
      if (!isPast && !isBase) continue;
      // "she has ADD", "you have work you would like merged".
      // "whatever talent he might have did not lie there".
      if (/^d(?:id|o|oes)$/.test(verb.lower) && isOne(sentence[index + 1], NEGATIONS)) continue;
      if (verb.text !== verb.lower || (isBase && isOne(sentence[index + 1], words('i you he she we they')))) continue;
      if (isBase && ((token.lower === 'had' && !behindAdverb) || sentence[i - 1]?.lower === 'to')) continue;
      yield replace(verb, verb, right, `“${token.text}” is followed by the participle “${right}”.`);
    }
  },
};

/** Verbs of states and events that "be" does not precede: "I am agree", "it is depend on". */
const NO_BE = words(
  'agree disagree depend exist happen belong occur consist want need believe think know like prefer understand remember appear become contain include mean require seem care hope hate love recommend suggest',
);

/** "I am agree" → "I agree". */
export const noBeBeforeVerb: Rule = {
  id: 'no-be-before-verb',
  kind: 'verb_form',
  words: "am is are was were 'm",
  fixes: { 'I am agree with you.': 'I agree with you.' },
  leaves: ['I am in agreement with you about the price.', 'Who you are depends on what you do.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!(isOne(token, words('am is are was were')) || token.lower === "'m")) continue;
      const index = afterAdverbs(sentence, i + 1);
      const verb = sentence[index];
      if (!isWord(verb) || !NO_BE.has(verb.lower) || verb.pos !== 'VERB') continue;
      // "it isn't like music", "they are mean".
      if (/^(?:like|mean)$/.test(verb.lower) && sentence[index + 1]?.lower !== 'to') continue;
      if (sentence.at(-1)?.text === '?' && i === 0) continue;
      const subject = sentence[i - 1];
      // "there was hope", "it was love".
      if (subject?.lower === 'there' || (verb.lower === 'love' && subject?.lower === 'it')) continue;
      if (
        subject === undefined ||
        !/^(?:PRON|NOUN|PROPN)$/.test(subject.pos) ||
        /^(?:what|this|that|thing|point|idea|all|dream|goal|wish|plan|aim|hope|task|job|purpose|problem)$/.test(
          subject.lower,
        )
      )
        continue;
      // "Breakfast is include in the price": a passive.
      if (
        /^(?:include|mean|require|contain)$/.test(verb.lower) &&
        /^(?:ADP|PUNCT)$/.test(sentence[index + 1]?.pos ?? 'PUNCT')
      )
        continue;
      const negated = sentence.slice(i + 1, index).some((word) => NEGATIONS.has(word.lower) && word.lower !== 'never');
      const plural = token.lower === 'are' || token.lower === 'am' || token.lower === "'m";
      const isPast = token.lower === 'was' || token.lower === 'were';
      const form = negated ? verb.lower : isPast ? past(verb.lower) : plural ? verb.lower : thirdPerson(verb.lower);
      const help = negated ? `${isPast ? 'did' : plural ? 'do' : 'does'} not ` : '';
      const between = sentence
        .slice(i + 1, index)
        .filter((word) => !(NEGATIONS.has(word.lower) && word.lower !== 'never'))
        .map((word) => `${word.text} `)
        .join('');
      const replacement = `${token.spaced ? '' : ' '}${help}${between}${form}`;
      yield {
        start: token.start,
        end: verb.end,
        replacement,
        explanation: `“${verb.lower}” is a verb of its own and takes no “be”.`,
      };
    }
  },
};

/** Verbs that are hardly ever nouns. */
export const ONLY_VERBS = words(
  'take make give get go do have be become bring buy sell keep know learn teach think understand use solve detect carry calculate analyze identify evaluate connect repair fix translate install manage improve reduce increase develop create build protect provide produce choose eat spend send receive write read speak talk tell say ask find lose save pay play prepare prevent avoid achieve add allow apply become believe carry compare consider consume destroy discover drive enjoy explain follow grow happen hear help include introduce invest join lead leave listen live maintain manage meet need obtain organize perform remember remove see show sit stay study travel try wait waste watch wear win work',
);
