/** A word of a text as the index has it, with its place in the text in UTF-16 code units. */
export interface Word {
  readonly text: string;
  readonly offset: number;
  readonly length: number;
  /** It is the beginning of what was written without blanks: a single character of Han, Kana or Thai. */
  readonly single?: true;
}

/** Longer words count by their beginning, in UTF-16 code units. */
const MAX_WORD = 64;
const ASCII = /^\p{ASCII}*$/u;
const ASCII_WORD = /[a-z0-9]+/gi;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Writing without blanks, of which pairs of characters are words. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]+|[^\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]+/gu;
const IS_UNSPACED = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]/u;
/** A character with its marks, those of half width too. */
const CHARACTER = /[^\p{M}ﾞﾟ][\p{M}ﾞﾟ]*|[\p{M}ﾞﾟ]+/gu;
/** Letters whose marks are left out; those of other scripts are letters of their own. */
const MARKED = /([\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{scx=Arab}\p{scx=Hebr}])\p{M}+/gu;
/** Dotless i, the final sigma, and the lengthening line of Arabic. */
const SAME: Readonly<Record<string, string>> = { ı: 'i', ς: 'σ', ـ: '', ٱ: 'ا', ß: 'ss', ø: 'o', đ: 'd', ł: 'l' };
const SAMES = /[ıςـٱßøđł]/g;

/** The form in which words are compared: NFKC, without case, marks and forms of alef; both letters i are one. */
function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const small = text.normalize('NFKC').toUpperCase().toLowerCase();
  return small
    .normalize('NFD')
    .replace(MARKED, '$1')
    .normalize('NFC')
    .replace(SAMES, (letter) => SAME[letter] ?? letter);
}

/**
 * The words of a text in their order, the same for both databases. Of Han, Kana and Thai, which are written without
 * blanks, each pair of neighbors is one, and the last character alone.
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  if (ASCII.test(text)) {
    for (const { 0: found, index } of text.matchAll(ASCII_WORD))
      words.push({ text: found.slice(0, MAX_WORD).toLowerCase(), offset: index, length: found.length });
    return words;
  }
  for (const { 0: found, index } of text.matchAll(WORD)) {
    if (ASCII.test(found))
      words.push({ text: found.slice(0, MAX_WORD).toLowerCase(), offset: index, length: found.length });
    else for (const { 0: part, index: at } of found.matchAll(UNSPACED)) addPart(words, part, index + at);
  }
  return words;
}

function addPart(words: Word[], part: string, offset: number): void {
  if (!IS_UNSPACED.test(part)) {
    const text = folded(part).slice(0, MAX_WORD);
    if (text !== '') words.push({ text, offset, length: part.length });
    return;
  }
  // A mark belongs to the character before it, and a wide form may be several characters.
  const characters = [...part.matchAll(CHARACTER)].map(({ 0: written, index }) => ({
    text: folded(written),
    offset: offset + index,
    length: written.length,
  }));
  for (const [at, { text, offset: begin, length }] of characters.entries()) {
    const next = characters[at + 1];
    if (next === undefined)
      words.push({ text, offset: begin, length, ...(characters.length === 1 && { single: true }) });
    else words.push({ text: text + next.text, offset: begin, length: next.offset + next.length - begin });
  }
}

/**
 * The words of a part of a query: as `wordsOf`, but without the last character alone of what is written without blanks,
 * since more may follow it in the text.
 */
export const queryWords = (text: string): Word[] =>
  wordsOf(text).filter(({ offset, length }, at, words) => {
    const before = words[at - 1];
    return before === undefined || before.offset + before.length !== offset + length;
  });
