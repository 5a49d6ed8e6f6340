import { encode, firstsAlike, slipDistance } from './distance.ts';
import { frequency, knownWords, PAIR_SCALE, pairFrequency, WORDS_COUNTED as WORDS } from './frequency.ts';

/** The words beside a misspelled one, in lower case; empty at the border of a sentence. */
export interface Beside {
  readonly before: string;
  readonly after: string;
}

/** A word that may have been meant. */
export interface Candidate {
  readonly word: string;
  readonly distance: number;
  readonly score: number;
}

/** The weight of one edit against frequency, in natural logarithms; measured. */
const SLIP = 6.2;
/**
 * The assumed frequency of contractions, which the lists do not count as people write them: "don't" is frequent, "table's"
 * rare.
 */
const CONTRACTION = 3e8;
const UNLISTED = 1e4;

/** The known words, indexed so that a typed word is compared with all near ones in a fraction of a millisecond. */
interface Index {
  readonly words: readonly string[];
  /** The letters of each word, as bits. */
  readonly bits: Uint32Array;
  readonly starts: Uint32Array;
  readonly letters: Uint8Array;
  /** The words of a length by first letter; beside it by second letter, in groups of `group`. */
  readonly byFirst: ReadonlyMap<number, readonly number[]>;
  readonly bySecond: ReadonlyMap<number, readonly number[]>;
}

let index: Index | undefined;

/** A word below this frequency is more likely a slip than intended. */
const RAREST = 150_000;

const group = (length: number, letter: number): number => length * 32 + letter;

function makeIndex(): Index {
  const words = knownWords().filter((word) => frequency(word) >= RAREST && word.length < 40);
  const starts = new Uint32Array(words.length + 1);
  for (const [i, word] of words.entries()) starts[i + 1] = (starts[i] as number) + word.length;
  const letters = new Uint8Array(starts[words.length] as number);
  for (const [i, word] of words.entries()) encode(word, letters.subarray(starts[i] as number, starts[i + 1] as number));
  const numbers = words.map((_, i) => i);
  const byLetter = (place: number): Map<number, number[]> =>
    Map.groupBy(numbers, (i) => group((words[i] as string).length, letters[(starts[i] as number) + place] ?? 31));
  return { words, bits: Uint32Array.from(words, bitsOf), starts, letters, byFirst: byLetter(0), bySecond: byLetter(1) };
}

function bitsOf(word: string): number {
  let bits = 0;
  for (let i = 0; i < word.length; i += 1) {
    const code = word.charCodeAt(i) - 97;
    bits |= code >= 0 && code < 26 ? 1 << code : 1 << 26;
  }
  return bits >>> 0;
}

function bitsIn(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const typedLetters = new Uint8Array(48);

/** Known words near a typed one, with their distances. */
function near(typed: string, most: number): [string, number][] {
  index ??= makeIndex();
  const { words, bits, starts, letters, byFirst, bySecond } = index;
  const typedBits = bitsOf(typed);
  const length = encode(typed, typedLetters);
  const first = typedLetters[0] as number;
  const second = length > 1 ? (typedLetters[1] as number) : first;
  // The first letter is rarely wrong, and then it is swapped, missing, or replaced by a vowel or a similar sound.
  const initials: number[] = [];
  for (let letter = 0; letter < 26; letter += 1) {
    if (letter === first || letter === second || firstsAlike(letter, first)) initials.push(letter);
  }
  const found: [string, number][] = [];
  const compare = (i: number, longer: number): void => {
    // Of two slips at most, an added or dropped letter changes one bit and a replaced letter two.
    if (bitsIn((bits[i] as number) ^ typedBits) > 4 - Math.abs(longer)) return;
    const start = starts[i] as number;
    const distance = slipDistance(typedLetters, length, letters, start, length + longer, most);
    if (distance <= most && distance > 0) found.push([words[i] as string, distance]);
  };
  for (let longer = -2; longer <= 2; longer += 1) {
    for (const initial of initials)
      for (const i of byFirst.get(group(length + longer, initial)) ?? []) compare(i, longer);
    for (const i of bySecond.get(group(length + longer, first)) ?? []) {
      if (!initials.includes(letters[starts[i] as number] as number)) compare(i, longer);
    }
  }
  return found;
}

const givenLetters = new Uint8Array(48);

function distanceBetween(typed: string, word: string): number {
  const length = encode(typed, typedLetters);
  return slipDistance(typedLetters, length, givenLetters, 0, encode(word, givenLetters), 8);
}

/** log P(word | before) + log P(after | word), by pairs smoothed with single words. */
function fits(word: string, { before: previous, after: next }: Beside): number {
  const single = /n't$|'(?:re|ll|ve|m)$/.test(word) ? CONTRACTION : Math.max(frequency(word), UNLISTED);
  const probability = single / WORDS;
  const follows = previous === '' ? probability : interpolate(previous, word, probability);
  const followed = next === '' ? 0 : Math.log(interpolate(word, next, frequency(next) / WORDS + 1e-9));
  return Math.log(follows) + followed;
}

function interpolate(first: string, second: string, single: number): number {
  const firstCount = Math.max(frequency(first), 1e5) * PAIR_SCALE;
  return 0.6 * Math.min(1, pairFrequency(first, second) / firstCount) + 0.4 * single;
}

/**
 * Candidates for a word that no dictionary has: the noisy channel model (Kernighan, Church and Gale 1990) over the known
 * words, the given suggestions, and the word split in two.
 */
export function candidates(typed: string, given: readonly string[], beside: Beside): Candidate[] {
  const lower = typed.toLowerCase().replace('’', "'");
  const most = lower.length <= 3 ? 1.3 : lower.length <= 5 ? 1.9 : 2.6;
  const found = new Map<string, number>(near(lower, most));
  for (const word of given) {
    const plain = word.toLowerCase();
    if (plain !== lower) found.set(word, distanceBetween(lower, plain.replace('’', "'")));
  }
  const scored: Candidate[] = [];
  for (const [word, distance] of found) {
    if (distance === Infinity) continue;
    const plain = word.toLowerCase();
    scored.push({ word, distance, score: fits(plain, beside) - SLIP * distance });
  }
  for (const [first, second] of halves(lower)) {
    const { before: previous, after: next } = beside;
    const followed = next === '' ? 0 : Math.log(interpolate(second, next, frequency(next) / WORDS + 1e-9));
    const score =
      Math.log(interpolate(previous, first, frequency(first) / WORDS)) +
      Math.log(pairFrequency(first, second) / PAIR_SCALE / frequency(first)) +
      followed -
      SLIP * 1.1;
    scored.push({ word: `${first} ${second}`, distance: 1.1, score });
  }
  return scored.sort((a, b) => b.score - a.score);
}

/** Splits a word into two frequent words that were written together. */
function* halves(word: string): Generator<[string, string]> {
  for (let at = 1; at < word.length; at += 1) {
    const first = word.slice(0, at);
    const second = word.slice(at);
    if (first.length === 1 && first !== 'a' && first !== 'i') continue;
    if (second.length === 1 && second !== 'a' && second !== 'i') continue;
    if (pairFrequency(first, second) > 0) yield [first, second];
  }
}
