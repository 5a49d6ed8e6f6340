/**
 * The cost of a typing slip, in edits: likely slips such as a doubled letter, a swapped pair or another vowel cost less
 * than one.
 */
const DOUBLED = 0.55;
const SWAPPED = 0.75;
const VOWEL_FOR_VOWEL = 0.8;
const SOUNDS_ALIKE = 0.75;
const KEY_BESIDE = 0.9;
const OTHER_LETTER = 1.1;
const SILENT = 0.85;
const APOSTROPHE = 0.3;
/** The factor for the first letter, which is rarely wrong. */
const FIRST_LETTER = 0.5;

const VOWELS = 'aeiouy';
const ALIKE = new Set(
  'ck cs sz sx fv dt bp gj iy mn uw kq'.split(' ').flatMap((pair) => [pair, `${pair[1]}${pair[0]}`]),
);
const KEY_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Letters as numbers: a to z are 0 to 25, the apostrophe 26, all else 27. */
const OTHER = 27;
const SIGNS = 28;
const QUOTE = 26;

export function encode(word: string, into: Uint8Array): number {
  const length = Math.min(word.length, into.length);
  for (let i = 0; i < length; i += 1) {
    const code = word.charCodeAt(i);
    into[i] = code >= 97 && code <= 122 ? code - 97 : code === 39 ? QUOTE : OTHER;
  }
  return length;
}

const substitutions = new Float64Array(SIGNS * SIGNS);
for (let a = 0; a < SIGNS; a += 1) {
  for (let b = 0; b < SIGNS; b += 1) substitutions[a * SIGNS + b] = substitution(a, b);
}

function substitution(a: number, b: number): number {
  if (a === b) return 0;
  const letterA = String.fromCharCode(97 + a);
  const letterB = String.fromCharCode(97 + b);
  if (VOWELS.includes(letterA) && VOWELS.includes(letterB)) return VOWEL_FOR_VOWEL;
  if (ALIKE.has(letterA + letterB)) return SOUNDS_ALIKE;
  return keysBeside(letterA, letterB) ? KEY_BESIDE : OTHER_LETTER;
}

function keysBeside(a: string, b: string): boolean {
  const rowA = KEY_ROWS.findIndex((row) => row.includes(a));
  const rowB = KEY_ROWS.findIndex((row) => row.includes(b));
  if (rowA < 0 || rowB < 0 || Math.abs(rowA - rowB) > 1) return false;
  const columns = (KEY_ROWS[rowA] ?? '').indexOf(a) + rowA / 2 - ((KEY_ROWS[rowB] ?? '').indexOf(b) + rowB / 2);
  return Math.abs(columns) <= 1;
}

/** Whether one letter may be typed for the other at the beginning of a word. */
export const firstsAlike = (a: number, b: number): boolean =>
  (substitutions[a * SIGNS + b] as number) <= VOWEL_FOR_VOWEL;

/** The cost of an extra or missing letter between `before` and `after`. */
function extra(letter: number, before: number, after: number): number {
  if (letter === before || letter === after) return DOUBLED;
  if (letter === QUOTE) return APOSTROPHE;
  return letter === 4 || letter === 7 ? SILENT : 1; // e, h
}

const LONGEST = 48;
const NONE = 255;
let beforeLast = new Float64Array(LONGEST + 1);
let last = new Float64Array(LONGEST + 1);
let row = new Float64Array(LONGEST + 1);
const addedTo = new Float64Array(LONGEST + 1);

/**
 * The distance of a misspelling from a word: the optimal string alignment distance (Damerau 1964, swaps of neighbors only)
 * with weighted edits. Both are encoded by `encode`; `wordAt` is the word's position in `words`. Infinity above `most`.
 */
export function slipDistance(
  typed: Uint8Array,
  typedLength: number,
  words: Uint8Array,
  wordAt: number,
  wordLength: number,
  most: number,
): number {
  if (typedLength > LONGEST || wordLength > LONGEST) return Infinity;
  last[0] = 0;
  for (let j = 1; j <= wordLength; j += 1) {
    const letter = words[wordAt + j - 1] as number;
    const cost = extra(
      letter,
      j > 1 ? (words[wordAt + j - 2] as number) : NONE,
      j < wordLength ? (words[wordAt + j] as number) : NONE,
    );
    addedTo[j] = cost + (j === 1 ? FIRST_LETTER : 0);
    last[j] = (last[j - 1] as number) + (addedTo[j] as number);
  }
  for (let i = 1; i <= typedLength; i += 1) {
    const a = typed[i - 1] as number;
    const first = i === 1 ? FIRST_LETTER : 0;
    const dropped =
      extra(a, i > 1 ? (typed[i - 2] as number) : NONE, i < typedLength ? (typed[i] as number) : NONE) + first;
    let leftCost = (last[0] as number) + dropped;
    row[0] = leftCost;
    let least = leftCost;
    for (let j = 1; j <= wordLength; j += 1) {
      const b = words[wordAt + j - 1] as number;
      let cost =
        (last[j - 1] as number) + (a === b ? 0 : (substitutions[a * SIGNS + b] as number) + (j === 1 ? first : 0));
      const drop = (last[j] as number) + dropped;
      if (drop < cost) cost = drop;
      const add = leftCost + (addedTo[j] as number);
      if (add < cost) cost = add;
      if (i > 1 && j > 1 && a !== b && a === words[wordAt + j - 2] && typed[i - 2] === b) {
        const swap = (beforeLast[j - 2] as number) + SWAPPED;
        if (swap < cost) cost = swap;
      }
      row[j] = leftCost = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return Infinity;
    const spare = beforeLast;
    beforeLast = last;
    last = row;
    row = spare;
  }
  const distance = last[wordLength] as number;
  return distance <= most ? distance : Infinity;
}
