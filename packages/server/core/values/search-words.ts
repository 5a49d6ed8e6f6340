/** A word of a text as the index has it, with its place in the text in UTF-16 code units. */
export interface Word {
  readonly text: string;
  readonly offset: number;
  readonly length: number;
  /** It is one character that was written without blanks, of which the beginning of a pair is looked for. */
  readonly single?: true;
}

/** Longer words count by their beginning, in UTF-16 code units. */
const MAX_WORD = 64;
const ASCII = /^\p{ASCII}*$/u;
const ASCII_WORD = /[a-z0-9]+/gi;
/** What has no form of its own, such as soft hyphens and selectors of variants, parts no word. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}\p{DI}]*/gu;
const IGNORED = /\p{DI}+/gu;
/** Writing without blanks, of which pairs of characters are words. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}][\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{DI}]*|[^\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]+/gu;
const IS_UNSPACED = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]/u;
/** A character with its marks, those of half width too. */
const CHARACTER = /[^\p{M}\p{DI}ﾞﾟ][\p{M}\p{DI}ﾞﾟ]*|[\p{M}\p{DI}ﾞﾟ]+/gu;
/** What marks are left out of; those of other scripts are letters of their own. */
const MARKED = /([\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{scx=Arab}\p{scx=Hebr}\p{N}])\p{M}+/gu;
/** Dotless i, the final sigma, the lengthening line of Arabic, forms of alef, and letters with a stroke. */
const SAME: Readonly<Record<string, string>> = {
  ...{ ı: 'i', ς: 'σ', ـ: '', ٱ: 'ا', ٲ: 'ا', ٳ: 'ا', ٵ: 'ا' },
  ...{ ß: 'ss', ø: 'o', đ: 'd', ł: 'l' },
};
const SAMES = /[ıςـٱٲٳٵßøđł]/g;

/** The form in which words are compared: without case, marks, and forms of alef; both letters i are one. */
function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .replace(IGNORED, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFD')
    .replace(MARKED, '$1')
    .normalize('NFC')
    .replace(SAMES, (character) => SAME[character] ?? character);
}

/** A text in NFKC, and from and to where in the text each of its code units comes. */
interface Normal {
  readonly text: string;
  readonly from: (at: number) => number;
  readonly to: (at: number) => number;
}

function normalized(written: string): Normal {
  if (written.normalize('NFKC') === written) return { text: written, from: (at) => at, to: (at) => at };
  let text = '';
  const [froms, tos]: [number[], number[]] = [[], []];
  for (const { 0: part, index } of written.matchAll(CHARACTER)) {
    const normal = part.normalize('NFKC');
    for (let position = 0; position < normal.length; position++) {
      // A part that stays as it is keeps the place of each unit.
      const same = normal === part;
      froms.push(same ? index + position : index);
      tos.push(same ? index + position + 1 : index + part.length);
    }
    text += normal;
  }
  return { text, from: (at) => froms[at] ?? written.length, to: (at) => (at === 0 ? 0 : (tos[at - 1] as number)) };
}

/**
 * The words of a text in their order, the same for both databases: NFKC, folded. Of Han, Kana and Thai, which are written
 * without blanks, each pair of neighbors is one, and the last character alone.
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  if (ASCII.test(text)) {
    for (const { 0: found, index } of text.matchAll(ASCII_WORD))
      words.push({ text: found.slice(0, MAX_WORD).toLowerCase(), offset: index, length: found.length });
    return words;
  }
  const normal = normalized(text);
  const add = (word: string, begin: number, end: number, single = false): void => {
    const [offset, form] = [normal.from(begin), folded(word).slice(0, MAX_WORD)];
    if (form === '') return;
    words.push({ text: form, offset, length: normal.to(end) - offset, ...(single && { single }) });
  };
  for (const { 0: found, index } of normal.text.matchAll(WORD)) {
    if (ASCII.test(found)) add(found, index, index + found.length);
    else
      for (const { 0: part, index: at } of found.matchAll(UNSPACED)) {
        const begin = index + at;
        if (!IS_UNSPACED.test(part)) {
          add(part, begin, begin + part.length);
          continue;
        }
        const characters = [...part.matchAll(CHARACTER)];
        for (const [nth, { 0: character, index: place }] of characters.entries()) {
          const next = characters[nth + 1]?.[0] ?? '';
          const end = begin + place + character.length + next.length;
          add(character + next, begin + place, end, characters.length === 1);
        }
      }
  }
  return words;
}

/**
 * The words of a part of a query: as `wordsOf`, but without the last character alone of what is written without blanks at
 * its end, since more may follow it in the text.
 */
export function queryWords(text: string): Word[] {
  const words = wordsOf(text);
  const [last, before] = [words.at(-1), words.at(-2)];
  const isEnd =
    last !== undefined && before !== undefined && before.offset + before.length === last.offset + last.length;
  return isEnd ? words.slice(0, -1) : words;
}
