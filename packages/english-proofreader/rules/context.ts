import { baseOf, past, thirdPerson } from '../forms.ts';
import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { BE, type Context, HAVE, isOne, isWord, type Sentence, skipBackAdverbs, type Tense, words } from './rule.ts';
import { pastTimes } from './times.ts';

/** A token that shows the time of an event. */
interface Sign {
  readonly token: Token;
  readonly tense: 'past' | 'present';
}

const cachedSigns = new WeakMap<Sentence, readonly Sign[]>();

/** The context of the sentence at `index` for rules; each sentence is read once. */
export function contextOf(sentences: readonly Sentence[], index: number): Context {
  return {
    tense(except) {
      const own = tenseOf([sentences[index]], except);
      if (own !== undefined) return { tense: own, own: true };
      const beside = tenseOf([sentences[index - 1], sentences[index + 1]], except);
      return beside === undefined ? undefined : { tense: beside, own: false };
    },
  };
}

function tenseOf(sentences: readonly (Sentence | undefined)[], except: Token): Tense | undefined {
  const tenses = new Set(
    sentences
      .flatMap((sentence) => (sentence === undefined ? [] : signsOf(sentence)))
      .filter(({ token }) => token !== except)
      .map(({ tense }) => tense),
  );
  const [first] = tenses;
  return tenses.size > 1 ? 'mixed' : first;
}

function signsOf(sentence: Sentence): readonly Sign[] {
  let signs = cachedSigns.get(sentence);
  if (signs === undefined) {
    signs = readSigns(sentence);
    cachedSigns.set(sentence, signs);
  }
  return signs;
}

const PAST_HELP = words('was were had did');
const PRESENT_HELP = words("am is are 'm 're has have does do will can 'll");
const UNREAL = words('if wish wished though unless');

function readSigns(sentence: Sentence): Sign[] {
  const signs: Sign[] = pastTimes(sentence).map(({ last }) => ({ token: sentence[last] as Token, tense: 'past' }));
  for (const [i, token] of sentence.entries()) {
    const tense = tenseAt(sentence, i);
    if (tense !== undefined) signs.push({ token, tense });
  }
  return signs;
}

function tenseAt(sentence: Sentence, index: number): 'past' | 'present' | undefined {
  const token = sentence[index];
  if (!isWord(token)) return undefined;
  if (sentence.slice(Math.max(0, index - 3), index).some((word) => UNREAL.has(word.lower))) return undefined;
  // A mistake such as "I has" or "they goes" shows no tense.
  const several = /^(?:i|you|we|they)$/.test(sentence[index - 1]?.lower ?? '');
  if (PAST_HELP.has(token.lower)) return 'past';
  if (several && (token.lower === 'has' || token.lower === 'does' || token.lower === 'is')) return undefined;
  if (PRESENT_HELP.has(token.lower) && token.pos === 'AUX') return 'present';
  if (token.pos !== 'VERB') return undefined;
  const base = baseOf(token.lower);
  if (frequency(base) < 1_000_000 || past(base) === base) return undefined;
  if (token.lower === thirdPerson(base)) return several ? undefined : 'present';
  if (token.lower !== past(base)) return undefined;
  const previous = sentence[skipBackAdverbs(sentence, index - 1)];
  const isParticiple =
    previous === undefined ||
    isOne(previous, BE) ||
    isOne(previous, HAVE) ||
    /^['’](?:ve|s|re|m|d)$/.test(previous.lower);
  return isParticiple || !/^(?:PRON|NOUN|PROPN|CCONJ)$/.test(previous.pos) ? undefined : 'past';
}
