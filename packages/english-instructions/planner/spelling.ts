import { vocabulary } from '../tasks/grammar/index.ts';
import { unitOf, unitWords } from '../tasks/words/units.ts';

/** Shorter words have too many others one letter away. */
const MIN_LENGTH = 5;
/** English words that are no slip for the word of an instruction one letter away. */
const OTHERS = new Set('covert convent dimes tiles tires tides tines limes mimes timer timed menus divine'.split(' '));
const MAX_WORDS = 3;

let known: ReadonlySet<string> | undefined;
let byLength: ReadonlyMap<number, readonly string[]> | undefined;

function words(): ReadonlySet<string> {
  known ??= new Set([...vocabulary(), ...unitWords()].filter((word) => /^[a-z]+$/.test(word)));
  return known;
}

const ofLength = (length: number): readonly string[] => {
  byLength ??= Map.groupBy(words(), (word) => word.length);
  return byLength.get(length) ?? [];
};

/** Words between figures, of which shorter ones are known too. */
const BETWEEN_FIGURES = 'times plus minus percent divided multiplied'.split(' ');

/** The only word of instructions that is one slip away from another word; undefined for one that is a word itself. */
function meant(word: string, names: readonly string[], figures: boolean): string | undefined {
  const lower = word.toLowerCase();
  if (lower.length < MIN_LENGTH - 1 || words().has(lower) || OTHERS.has(lower)) return undefined;
  const link = figures ? BETWEEN_FIGURES.find((one) => isNearly(lower, one)) : undefined;
  if (link !== undefined || lower.length < MIN_LENGTH) return link;
  const lengths = [-1, 0, 1].map((by) => lower.length + by).filter((length) => length >= MIN_LENGTH);
  const all = [...lengths.flatMap(ofLength), ...names.filter((name) => name.length >= MIN_LENGTH)];
  const [first, ...others] = new Set(
    all.filter((one) => (one[0] === lower[0] || one[0] === lower[1]) && isNearly(lower, one)),
  );
  // "Kilometers" and "kilometres" are one, while "squares" and "squared" are two.
  const unit = first === undefined ? undefined : unitOf(first);
  return others.every((one) => unit !== undefined && unitOf(one) === unit) ? first : undefined;
}

/**
 * The text with each word outside of quotations that is one slip away from a single word of instructions corrected, and
 * the words that came in; undefined when there is none, or there are too many to be slips. `names`: those of tasks.
 */
export function respelled(
  text: string,
  names: readonly string[],
): { readonly text: string; readonly words: readonly string[] } | undefined {
  if (text.length > 200 || /["“{]/.test(text)) return undefined;
  const corrected: string[] = [];
  const figures = (text.match(/\d+/g) ?? []).length > 1;
  const fixed = text.replace(/(?<![\p{L}\p{N}'’@.:/-])\p{L}+(?![\p{L}\p{N}'’@/-]|[.:]\p{L})/gu, (word) => {
    const right = meant(word, names, figures);
    if (right !== undefined) corrected.push(right);
    return right ?? word;
  });
  return corrected.length === 0 || corrected.length > MAX_WORDS ? undefined : { text: fixed, words: corrected };
}

function isNearly(word: string, entry: string): boolean {
  if (word === entry || Math.abs(word.length - entry.length) > 1) return false;
  let at = 0;
  while (word[at] === entry[at]) at++;
  const [rest, wanted] = [word.slice(at), entry.slice(at)];
  return (
    rest.slice(1) === wanted.slice(1) ||
    rest === wanted.slice(1) ||
    rest.slice(1) === wanted ||
    (rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2))
  );
}
