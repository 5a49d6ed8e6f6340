import { words } from '@mailroom/behavior/values/words';

/** The cases. `title`: English headlines, with small words in lower case; `each`: every word capitalized; `swap`: upper for lower and the reverse. */
export const CASES = words('upper lower title each sentence camel pascal snake kebab constant swap hashtag');
export type Case = (typeof CASES)[number];

const SMALL = new Set(
  'a an and as at but by en for from if in into nor of on onto or over per so than the to up via vs with yet'.split(
    ' ',
  ),
);

const capital = (word: string): string => {
  const first = String.fromCodePoint(word.codePointAt(0) ?? 32);
  return first.toUpperCase() + word.slice(first.length);
};

/** The words of a name as people and programs write them: "userAccountID", "user-account id". */
const nameWords = (text: string): string[] =>
  text.replace(/['’]/g, '').match(/\p{Lu}+(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{Lo}\p{Lt}\p{Lm}]+/gu) ??
  [];

const small = (text: string): string[] => nameWords(text).map((word) => word.toLowerCase());

const title = (line: string, each: boolean): string => {
  const words = line.match(/\S+|\s+/g) ?? [];
  const last = words.findLastIndex((word) => word.trim() !== '');
  const mixed = /\p{Ll}/u.test(line);
  let first = true;
  return words
    .map((word, index) => {
      if (word.trim() === '') return word;
      const lower = mixed && /^\p{Lu}[\p{Lu}\d.]+$/u.test(word) ? word : word.toLowerCase();
      const keep = !each && !first && index !== last && SMALL.has(lower);
      first = /[:.!?]$/.test(word);
      return keep ? lower : lower.replace(/[\p{L}\p{N}]/u, (letter) => letter.toUpperCase());
    })
    .join('');
};

const sentence = (text: string): string => {
  let begins = true;
  return (text.toLowerCase().match(/[\p{L}\p{M}\p{N}'’]+|[.!?…]+(?:["'”’)]?\s)?|[^\p{L}\p{M}\p{N}'’]/gu) ?? [])
    .map((part) => {
      if (/[\p{L}\p{N}]/u.test(part)) {
        const now = begins;
        begins = false;
        return now ? capital(part) : /^i(?:['’](?:m|ll|d|ve))?$/.test(part) ? capital(part) : part;
      }
      if (part === '\n' || (/^[.!?…]/.test(part) && /\s/.test(part.at(-1) as string))) begins = true;
      return part;
    })
    .join('');
};

const OF_LINE: { readonly [name in Exclude<Case, 'upper' | 'lower' | 'sentence' | 'swap'>]: (line: string) => string } =
  {
    title: (line) => title(line, false),
    each: (line) => title(line, true),
    camel: (line) =>
      small(line)
        .map((word, index) => (index === 0 ? word : capital(word)))
        .join(''),
    pascal: (line) => small(line).map(capital).join(''),
    hashtag: (line) => `#${small(line).map(capital).join('')}`,
    snake: (line) => small(line).join('_'),
    kebab: (line) => small(line).join('-'),
    constant: (line) => small(line).join('_').toUpperCase(),
  };

/** Cases of names, which have no commas in them. */
const OF_NAMES: ReadonlySet<Case> = new Set(['camel', 'pascal', 'snake', 'kebab', 'constant']);
/** Three names or more; with one comma it may be a title, such as "Hello, World". */
const NAMES = /^[^,]+(?:, [^,]+){2,}$/;

/** A text in another case, line by line, and name by name where a line is a list of them. */
export function inCase(text: string, to: Case): string {
  if (to === 'upper') return text.toUpperCase();
  if (to === 'lower') return text.toLowerCase();
  if (to === 'sentence') return sentence(text);
  if (to === 'swap')
    return text.replace(/\p{Lu}|(\p{Ll})/gu, (one, low) => (low ? one.toUpperCase() : one.toLowerCase()));
  const write = OF_LINE[to];
  const isList = (line: string): boolean => OF_NAMES.has(to) && NAMES.test(line);
  return text
    .split('\n')
    .map((line) => (isList(line) ? line.split(', ').map(write).join(', ') : write(line)))
    .join('\n');
}

/** The URL form of a title: a-z, 0-9 and single dashes; letters of other scripts stay. */
export const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('&', ' and ')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .normalize('NFC');
