import { createRequire } from 'node:module';
import type * as IbanTools from 'ibantools';
import type { Match } from './finding.ts';

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

/** Whether the last digit is the check digit of the others (ISO/IEC 7812-1, annex B: the Luhn formula). */
function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 0x30;
    sum += place % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0);
  }
  return sum % 10 === 0;
}

/** Networks by the first digits of a number and its length (ISO/IEC 7812, as their issuers publish them). */
const NETWORKS: readonly RegExp[] = [
  /^4\d{15}(?:\d{3})?$/,
  /^5[1-5]\d{14}$/,
  /^2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}$/,
  /^3[47]\d{13}$/,
  /^6(?:011|4[4-9]\d|5\d\d)\d{12}$/,
  /^35(?:2[89]|[3-8]\d)\d{12}$/,
  /^3(?:0[0-5]|[68]\d)\d{11}$/,
  /^62\d{14,17}$/,
];

/** Digits in one run, or in groups of four, or as American Express and Diners Club print them, with one separator. */
const NUMBER =
  /(?<![\w.,+/%#&$€£-])\d(?:\d{13,18}|\d{3}([ \u00a0.-])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{3}([ \u00a0.-])\d{6}\2\d{4,5})(?![\w%/]|[.,-]\d)/g;

/** The longest text before a number in which the beginning of a URL is looked for. */
const MAX_URL = 300;

/** Whether a position is within a URL, whose numbers are ids. */
const inUrl = (text: string, at: number): boolean =>
  /(?:https?:\/\/|www\.)\S*$/i.test(text.slice(Math.max(0, at - MAX_URL), at));

/** Numbers of payment cards. */
export function cards(text: string): Match[] {
  return [...text.matchAll(NUMBER)].flatMap(({ index, 0: shown }) => {
    const digits = shown.replace(/\D/g, '');
    const isCard = NETWORKS.some((network) => network.test(digits)) && isLuhn(digits) && !/^(\d)\1+$/.test(digits);
    return isCard && !inUrl(text, index)
      ? [{ start: index, length: shown.length, why: `This is the number of a payment card, with its check digit.` }]
      : [];
  });
}

let library: typeof IbanTools | undefined;
let lengths: ReadonlyMap<string, number> | undefined;

function load(): { readonly isValid: (iban: string) => boolean; readonly lengths: ReadonlyMap<string, number> } {
  library ??= createRequire(import.meta.url)('ibantools') as typeof IbanTools;
  lengths ??= new Map(
    Object.entries(library.getCountrySpecifications()).flatMap(([country, { chars }]) =>
      typeof chars === 'number' ? [[country, chars] as const] : [],
    ),
  );
  return { isValid: library.isValidIBAN, lengths };
}

const IBAN_BEGIN = /(?<![\p{L}\p{N}])[A-Za-z]{2}[ \u00a0]?\d{2}(?=[ \u00a0.-]?[A-Za-z0-9])/gu;
const isSeparator = (unit: number): boolean => unit === 0x20 || unit === 0xa0 || unit === 0x2d || unit === 0x2e;
const isAlphanumeric = (unit: number): boolean =>
  isDigit(unit) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a && unit < 0x80);

/** The characters of an account number that begins here, in any grouping, and where it ends; undefined when it is shorter. */
function readIban(text: string, start: number, length: number): { iban: string; end: number } | undefined {
  let iban = '';
  let index = start;
  for (; iban.length < length; index += 1) {
    const unit = text.charCodeAt(index);
    if (isAlphanumeric(unit)) iban += text[index];
    else if (!isSeparator(unit) || !isAlphanumeric(text.charCodeAt(index + 1))) return undefined;
  }
  return isAlphanumeric(text.charCodeAt(index)) ? undefined : { iban: iban.toUpperCase(), end: index };
}

/** International bank account numbers (ISO 13616) with the length of their country and right check digits. */
export function ibans(text: string): Match[] {
  const found: Match[] = [];
  for (const { index, 0: begin } of text.matchAll(IBAN_BEGIN)) {
    const { lengths, isValid } = load();
    const country = begin.slice(0, 2).toUpperCase();
    const length = lengths.get(country);
    const read = length === undefined ? undefined : readIban(text, index, length);
    if (read !== undefined && isValid(read.iban))
      found.push({
        start: index,
        length: read.end - index,
        why: `This is a bank account number (IBAN) of ${country}.`,
      });
  }
  return found;
}
