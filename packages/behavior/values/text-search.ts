/** The number of UTF-16 code units. */
const UNITS = 0x1_0000;
/** Words that are looked for one by one; those that follow are one text. */
const MAX_WORDS = 8;

/** A phrase in quotes, or a word. */
const PART = /"([^"]+)"(?!\S)|“([^“”]+)”(?!\S)|(\S+)/g;

/** The words of a query, of which a phrase in quotes is one; white space alone is one too. */
export function wordsIn(query: string): readonly string[] {
  const words = Array.from(query.matchAll(PART), ([, phrase, curly, word]) =>
    (phrase ?? curly ?? word ?? '').replace(/\s+/g, ' ').trim(),
  ).filter((word) => word !== '');
  if (words.length === 0) return [query];
  return words.length <= MAX_WORDS ? words : [...words.slice(0, MAX_WORDS - 1), words.slice(MAX_WORDS - 1).join(' ')];
}

/** Line feed, tab, carriage return, and a blank that breaks no line. */
const BLANKS = [0x0a, 0x09, 0x0d, 0xa0];

type Texts = readonly (string | null | undefined)[];

/**
 * Returns a function that tells whether each word of the query is in one of the texts or addresses. `address` has what
 * each word means as a part of an address, where that is another text.
 */
export function wordsFinder(query: string, address = query): (texts: Texts, addresses: Texts) => boolean {
  const parts = wordsIn(address);
  const all = wordsIn(query).map((word, at) => {
    const [says, part = word] = [finder(word), parts[at]];
    return { says, names: part === word ? says : finder(part) };
  });
  return (texts, addresses) =>
    all.every(
      ({ says, names }) =>
        texts.some((text) => text != null && says(text)) || addresses.some((one) => one != null && names(one)),
    );
}

/** The unit that a text of one unit became; a letter whose other case is longer, such as ß, has none here. */
const unitOf = (text: string, otherwise: number): number => (text.length === 1 ? text.charCodeAt(0) : otherwise);
const lower = (unit: number): number => unitOf(String.fromCharCode(unit).toLowerCase(), unit);
const upper = (unit: number): number => unitOf(String.fromCharCode(unit).toUpperCase(), unit);

/**
 * Returns a function that tells whether a text contains `part`, ignoring the case of letters that have another. It takes
 * one step per character with the automaton of Knuth, Morris and Pratt (SIAM Journal on Computing 6, 1977), whereas
 * `indexOf` may take one per character of `part` for each of the text's.
 */
export function finder(part: string): (text: string) => boolean {
  const wanted = Array.from({ length: part.length }, (_, at) => lower(part.charCodeAt(at)));
  if (wanted.length === 0) return () => true;
  // Characters that are not in `part` have class 0.
  const classes = new Uint16Array(UNITS);
  let count = 1;
  for (const unit of wanted) {
    if (classes[unit] !== 0) continue;
    classes[unit] = count;
    const other = upper(unit);
    if (lower(other) === unit) classes[other] = count;
    // A phrase is found where a line is broken within it too.
    if (unit === 0x20) for (const blank of BLANKS) classes[blank] = count;
    count++;
  }
  // A state is the number of characters of `part` just read, times `count`: the offset of its row.
  const next = new Uint32Array(wanted.length * count);
  const end = wanted.length * count;
  let fallback = 0;
  for (const [index, unit] of wanted.entries()) {
    const row = index * count;
    if (index > 0) next.copyWithin(row, fallback, fallback + count);
    const own = classes[unit] as number;
    const before = next[row + own] as number;
    next[row + own] = row + count;
    if (index > 0) fallback = before;
  }
  return (text) => {
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      state = next[state + (classes[text.charCodeAt(at)] as number)] as number;
      if (state === end) return true;
    }
    return false;
  };
}
