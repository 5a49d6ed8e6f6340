import { spelled } from '../../language/numerals.ts';
import { TaskError } from '../task.ts';
import { remembering } from '../words/remembering.ts';

const MAX_DIGITS = 1_000;
const NAMED: ReadonlyMap<string, number> = new Map([
  ['hex', 16],
  ['hexadecimal', 16],
  ['decimal', 10],
  ['dec', 10],
  ['binary', 2],
  ['bin', 2],
  ['octal', 8],
  ['oct', 8],
]);
const ARABIC = /^(?:(?:an? |the )?(?:(?:normal|ordinary|regular|arabic) )?(?:numbers?|numerals?|digits?)|arabic)$/i;
const WORDS_NAME = /^(?:(?:english |written |plain )?words|written form|word form)$/i;
const ROMAN_NAME = /^(?:an? |the )?roman(?: (?:numerals?|numbers?))?$/i;
const ROMAN = /^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/i;
const PREFIX: Readonly<Record<string, number>> = { x: 16, b: 2, o: 8 };
const NAME = '(hex(?:adecimal)?|dec(?:imal)?|bin(?:ary)?|oct(?:al)?|base[ -]?\\d{1,2})';
const AFTER = new RegExp(`^(-?(?:0[xbo])?[0-9a-z]+)(?: (?:in|from|as))? ${NAME}(?: number)?$`, 'i');
const BEFORE = new RegExp(`^${NAME}(?: number)? (-?(?:0[xbo])?[0-9a-z]+)$`, 'i');
const ROMANS: ReadonlyArray<readonly [number, string]> = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

/** Ways to write a whole number in letters. */
type Lettered = 'roman' | 'words';

/** A base from 2 to 36, `roman` or `words`; undefined for other names. */
export const baseOf = remembering((name: string): number | Lettered | undefined => {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/ (?:numbers?|notation|system|form)$/, '');
  if (ROMAN_NAME.test(name.trim())) return 'roman';
  if (WORDS_NAME.test(name.trim())) return 'words';
  if (ARABIC.test(name.trim())) return 10;
  const named = NAMED.get(plain);
  if (named !== undefined) return named;
  const base = Number(/^base[ -]?(\d{1,2})$/.exec(plain)?.[1] ?? 0);
  return base >= 2 && base <= 36 ? base : undefined;
});

function digitsOf(text: string, base: number): bigint | undefined {
  const negative = text.startsWith('-');
  const digits = (negative ? text.slice(1) : text).toLowerCase();
  if (digits === '' || digits.length > MAX_DIGITS) return undefined;
  let value = 0n;
  for (const digit of digits) {
    const worth = Number.parseInt(digit, 36);
    if (!(worth < base)) return undefined;
    value = value * BigInt(base) + BigInt(worth);
  }
  return negative ? -value : value;
}

/**
 * A whole number as people write it: "255", "0xff", "1010 binary", "hex ff", "base 7 123", "XIV". `to` decides how "ff" and
 * "xiv" are read. Undefined for other text.
 */
export function wholeNumber(text: string, to: number | Lettered): bigint | undefined {
  const plain = text.trim().replace(/(?<=\d)[,_](?=\d{3}\b)/g, '');
  const [, afterDigits, afterBase] = AFTER.exec(plain) ?? [];
  const [, beforeBase, beforeDigits] = BEFORE.exec(plain) ?? [];
  const named = afterBase ?? beforeBase;
  if (named !== undefined) {
    const base = baseOf(named);
    return typeof base === 'number'
      ? digitsOf((afterDigits ?? beforeDigits ?? '').replace(/^(-?)0[xbo](?=.)/i, '$1'), base)
      : undefined;
  }
  const [, sign = '', letter, digits] = /^(-?)0([xbo])([0-9a-f]+)$/i.exec(plain) ?? [];
  if (letter !== undefined) return digitsOf(`${sign}${digits}`, PREFIX[letter.toLowerCase()] as number);
  if (/^-?\d+$/.test(plain)) return digitsOf(plain, 10);
  const roman = /^(?:roman(?: numeral)? )?([MDCLXVI]+)(?: (?:in |from )?roman(?: numerals?)?)?$/i.exec(plain)?.[1];
  if (roman !== undefined && to !== 'roman' && ROMAN.test(roman)) {
    let rest = roman.toUpperCase();
    let value = 0n;
    for (const [worth, sign] of ROMANS) {
      while (rest.startsWith(sign)) {
        value += BigInt(worth);
        rest = rest.slice(sign.length);
      }
    }
    return value;
  }
  return /^(?=.*\d)[0-9a-f]+$/i.test(plain) && to !== 16 && typeof to === 'number' ? digitsOf(plain, 16) : undefined;
}

/**
 * The number as `0xff`, `0b101`, `0o17` or `MMXXVI`, or in words; in other bases the digits alone. Throws TaskError beyond the range of
 * Roman numerals.
 */
export function inBase(value: bigint, base: number | Lettered): string {
  if (base === 'words') {
    const said = spelled(value);
    if (said === undefined) throw new TaskError('Numbers are written in words up to 999 trillion.');
    return said;
  }
  if (base === 'roman') {
    if (value < 1n || value > 3999n) throw new TaskError('Roman numerals go from 1 to 3,999.');
    let rest = Number(value);
    let text = '';
    for (const [worth, sign] of ROMANS) {
      text += sign.repeat(Math.floor(rest / worth));
      rest %= worth;
    }
    return text;
  }
  const prefix = { 16: '0x', 2: '0b', 8: '0o' }[base] ?? '';
  return value < 0n ? `-${prefix}${(-value).toString(base)}` : `${prefix}${value.toString(base)}`;
}
