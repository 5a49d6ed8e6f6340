import { spelledToDigits } from '../words/spelled-numbers.ts';

const MAX_FIGURES = 2_000;
/** A number takes all commas after it, so that a list can be read in only one way; an "and" or a sign may follow. */
const LISTED = '[+-]?(?:\\d[\\d.,]*(?![\\d.,])|\\.\\d+(?!\\d))';
const NUMBER_LIST = new RegExp(
  `^[\\s,;$€£]*${LISTED}(?:(?:[\\s,;$€£]+(?![\\s,;$€£])|(?<=,))(?:and\\s+)?${LISTED})*[\\s,;.]*$`,
);

const LIST_MAX = 8 * MAX_FIGURES;

/** "3, 5 and 9", one a line or with thousands separators, as `3, 5, 9`; undefined when it is no list of numbers. */
export function numberList(text: string): string | undefined {
  if (text.length > LIST_MAX) return undefined;
  const digits = spelledToDigits(text).trim();
  if (digits.length > MAX_FIGURES || !NUMBER_LIST.test(digits)) return undefined;
  // "1,250 and 3" has a thousands separator; "1,2,3" and "100,200,300" are three numbers.
  const apart = /[,;]\s|\sand\s|\n|;/.test(digits) || /\d\s+\d/.test(digits);
  const parts = digits.replace(/[$€£]/g, '').split(apart ? /[,;]?\s+(?:and\s+)?|;/ : ',');
  const numbers = parts.map((part) => part.replace(/,(?=\d{3}(?:\D|$))/g, '').replace(/[,.]$/, ''));
  const clean = numbers.filter((number) => number !== '');
  return clean.length > 0 && clean.every((number) => /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/.test(number))
    ? clean.join(', ')
    : undefined;
}
