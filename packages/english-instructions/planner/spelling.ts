import { vocabulary } from '../tasks/grammar/index.ts';
import { unitOf, unitWords } from '../tasks/words/units.ts';

/** Shorter words have too many others one letter away. */
const MIN_LENGTH = 5;
/** English words that are no slip for the word of an instruction one letter away. */
const OTHERS = new Set('covert convent dimes tiles tires tides tines limes mimes timer timed menus divine'.split(' '));
const MAX_WORDS = 4;

let known: ReadonlySet<string> | undefined;
let byLength: ReadonlyMap<number, readonly string[]> | undefined;

/** Names of days and months, which no list of words has. */
const DATES =
  'monday tuesday wednesday thursday friday saturday sunday january february august september october november december'.split(
    ' ',
  );

function words(): ReadonlySet<string> {
  known ??= new Set([...vocabulary(), ...unitWords(), ...DATES].filter((word) => /^[a-z]+$/.test(word)));
  return known;
}

let bySound: ReadonlyMap<string, readonly string[]> | undefined;
const consonants = (word: string): string => word.replace(/[aeiou]/g, '');
/** The only word whose consonants these are: "pnds", "wght". */
function spokenAs(word: string): string | undefined {
  bySound ??= Map.groupBy(words(), consonants);
  const [only, more] = (bySound.get(word) ?? []).filter((one) => one[0] === word[0] && one.length < 2 * word.length);
  return more === undefined ? only : undefined;
}

const ofLength = (length: number): readonly string[] => {
  byLength ??= Map.groupBy(words(), (word) => word.length);
  return byLength.get(length) ?? [];
};

/** Words between figures, of which shorter ones are known too. */
const BETWEEN_FIGURES = 'times plus minus percent divided multiplied'.split(' ');

/** How words are written in chats, by the word that is meant. */
const CHAT: Readonly<Record<string, string>> = {
  what: 'wat wut wht waht whut',
  "what's": 'wats wuts',
  the: 'teh hte da',
  to: 'too 2',
  many: 'mny meny',
  much: 'mch',
  how: 'hw hwo',
  you: 'u',
  can: 'cn kan',
  could: 'cud cld',
  would: 'wud wld',
  are: 'r',
  your: 'ur',
  and: 'n nd adn an',
  from: 'frm fro form',
  for: '4 fr',
  before: 'b4',
  'right now': 'rn',
  remind: 'rmnd remnd rimind',
  tonight: '2nite 2night tonite',
  tomorrow: 'tmrw tmr tmw tmrow tomoz 2moro 2morrow',
  today: 'tdy',
  minutes: 'mins',
  which: 'wich whihc whcih',
  with: 'wiht wth w/',
  of: 'fo',
  is: 'si iz',
  this: 'tihs dis',
  that: 'taht dat',
  give: 'giv gimme',
  people: 'ppl peeps',
  percent: 'pct prcnt',
  please: 'pls plz plese pleas plase',
  alphabetical: 'alfabetical alphabetcal alfabetic',
  add: 'ad',
  separate: 'seperate',
};
const MEANT = new Map(
  Object.entries(CHAT).flatMap(([word, all]) => all.split(' ').map((written) => [written, word] as const)),
);

/** Words of so many letters stay known with two of them left out: "alphabeticly". */
const LONG = 9;
const longAs = (word: string): readonly string[] =>
  ofLength(word.length + 2).filter((one) => one.startsWith(word.slice(0, 4)) && isSubsequence(word, one));
function isSubsequence(word: string, entry: string): boolean {
  let at = 0;
  for (const letter of entry) if (letter === word[at]) at++;
  return at === word.length;
}

const lettersOf = (word: string): string => word.split('').sort().join('');
const isSwapped = (word: string, entry: string): boolean =>
  word.length === entry.length && word[0] === entry[0] && lettersOf(word) === lettersOf(entry);

/** The words of instructions that are one slip away from another word; none for one that is a word itself. */
function meant(word: string, names: readonly string[], figures: boolean): readonly string[] {
  const lower = word.toLowerCase();
  if (OTHERS.has(lower)) return [];
  const chat = MEANT.get(lower);
  if (chat !== undefined) return [chat];
  const link = figures && lower.length > 2 ? BETWEEN_FIGURES.find((one) => isNearly(lower, one)) : undefined;
  if (link !== undefined && lower !== link) return [link];
  if (lower.length < MIN_LENGTH - 1 || words().has(lower)) return [];
  const spoken = /[aeiouy]/.test(lower) ? undefined : spokenAs(lower);
  if (spoken !== undefined) return [spoken];
  if (lower.length < MIN_LENGTH)
    return ofLength(lower.length).filter((one) => isSwapped(lower, one) && isNearly(lower, one));
  const lengths = [-1, 0, 1].map((by) => lower.length + by).filter((length) => length >= MIN_LENGTH - 1);
  const all = [...lengths.flatMap(ofLength), ...names.filter((name) => name.length >= MIN_LENGTH)];
  const near = [...new Set(all.filter((one) => (one[0] === lower[0] || one[0] === lower[1]) && isNearly(lower, one)))];
  const found = near.length > 0 || lower.length < LONG ? near : longAs(lower);
  // "Kilometers" and "kilometres" are one, while "squares" and "squared" are two.
  const unit = found[0] === undefined ? undefined : unitOf(found[0]);
  return unit !== undefined && found.every((one) => unitOf(one) === unit) ? found.slice(0, 1) : found;
}

/** An instruction in other words, and those that came in. */
export interface Respelled {
  readonly text: string;
  readonly words: readonly string[];
}
const MAX_WAYS = 6;
/** Characters of a text whose words are looked at. */
const MAX_SEEN = 4_000;

/**
 * The texts in which each word outside of quotations that is one slip away from words of instructions is one of those, with
 * the words that came in; none when there are too many to be slips. `names`: those of tasks; `data`: the text beside it,
 * of which the first word may be a name.
 */
export function respelled(text: string, names: readonly string[], data = ''): readonly Respelled[] {
  if (text.length > 200 || /["“{]/.test(text)) return [];
  const written = new Set(data.slice(0, MAX_SEEN).match(SINGLE));
  const figures = (text.match(/\d+/g) ?? []).length > 1;
  let ways: readonly Respelled[] = [{ text: '', words: [] }];
  let end = 0;
  for (const { index, 0: word } of text.matchAll(SINGLE)) {
    const right = index === 0 && written.has(word) ? [] : meant(word, names, figures);
    if (right.length === 0) continue;
    const kept = text.slice(end, index);
    end = index + word.length;
    ways = ways
      .flatMap((way) => right.map((one) => ({ text: way.text + kept + one, words: [...way.words, one] })))
      .slice(0, MAX_WAYS);
  }
  const whole = ways.map((way) => ({ ...way, text: way.text + text.slice(end) }));
  return whole.filter(({ words: all }) => all.length > 0 && all.length <= MAX_WORDS);
}
const SINGLE = /(?<![\p{L}\p{N}'’@.:/-])(?:\p{L}+|2moro|2morrow|b4)(?![\p{L}\p{N}'’@/-]|[.:]\p{L})/gu;

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
