import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { remembering } from './remembering.ts';

const NAMES: Readonly<Record<string, string>> = {
  USD: '$|dollar|us dollar|buck|us$',
  EUR: '€|euro',
  GBP: '£|pound|british pound|pound sterling|sterling|quid',
  JPY: '¥|yen',
  INR: '₹|rupee',
  CHF: 'franc|swiss franc',
  CNY: 'yuan|renminbi',
  RUB: 'rouble|ruble',
  MXN: 'peso',
  BRL: 'real|r$|brazilian real',
  CAD: 'canadian dollar|c$|ca$',
  AUD: 'australian dollar|a$|au$',
  NZD: 'nz$|new zealand dollar',
  HKD: 'hk$',
  SGD: 's$|singapore dollar',
  ZAR: 'rand|south african rand',
  NGN: '₦|naira',
  KES: 'ksh|kenyan shilling',
  PHP: '₱',
  THB: '฿|baht',
  MYR: 'rm|ringgit',
  SEK: 'krona',
  NOK: 'krone',
  PLN: 'zloty',
  TRY: 'lira',
  KRW: 'won|₩',
  ILS: 'shekel|₪',
  BTC: 'bitcoin',
};
const CODES = new Map(Object.entries(NAMES).flatMap(([code, names]) => names.split('|').map((name) => [name, code])));
const KNOWN = new Set(
  'USD EUR GBP JPY CHF INR CNY RUB MXN BRL CAD AUD NZD SEK NOK DKK PLN CZK HUF RON BGN TRY KRW ILS ZAR SGD HKD THB IDR MYR PHP VND AED SAR EGP UAH ARS CLP COP BTC ETH TWD NGN KES GHS PKR BDT LKR TZS UGX QAR'.split(
    ' ',
  ),
);

/** The ISO 4217 code of "USD", "$", "euros"; undefined for other names. */
export const currencyOf = remembering((name: string): string | undefined => {
  const plain = name.trim().replace(/^(?:the |an? )/i, '');
  if (plain.length > 20) return undefined;
  if (KNOWN.has(plain.toUpperCase())) return plain.toUpperCase();
  const small = plain.toLowerCase();
  return CODES.get(small) ?? (small.endsWith('s') ? CODES.get(small.slice(0, -1)) : undefined);
});

const MARKED = /(?<![\p{L}\d$])(R|(?:AU?|CA?|HK|NZ|R|S|US)\$|RM|K[Ss]h\.?|[₦₱₩₪฿¥₹]) ?(?=\d)(\d[\d.,]*\d|\d)/gu;
/** A text in which the sign before an amount is the code behind it: "R1,950" as "1,950 ZAR". */
export const withCodes = (text: string): string =>
  text.replace(MARKED, (whole, sign: string, amount: string) => {
    const code = sign === 'R' ? 'ZAR' : currencyOf(sign.replace('.', ''));
    return code === undefined ? whole : `${amount} ${code}`;
  });

/** Names of taxes on prices. */
export const TAXES = 'sales tax|tax|vat|gst|hst|pst|qst|iva|tva|mwst';

/** An amount of money: "100 USD", "$100", "€ 1,250.50". */
export interface Money {
  readonly amount: string;
  readonly code: string;
}

const AMOUNT = /^([$€£¥₹])? ?([+-]?\d[\d,]{0,20}(?:\.\d{1,20})?) ?([A-Za-z ]{1,20}|[$€£¥₹])?$/;

/** Undefined when it is no amount with a currency. */
export function moneyOf(text: string): Money | undefined {
  const found = AMOUNT.exec(text.trim());
  if (found === null) return undefined;
  const [, before, amount, after] = found;
  const code = currencyOf(after?.trim() || before || '');
  return code === undefined ? undefined : { amount: (amount as string).replaceAll(',', ''), code };
}

/** Exact, because the digits are multiplied as whole numbers. */
export function exchanged(amount: string, rate: string): string {
  const scale = (text: string): readonly [bigint, number] => [
    BigInt(text.replace('.', '')),
    text.includes('.') ? text.length - text.indexOf('.') - 1 : 0,
  ];
  const [a, aPlaces] = scale(amount);
  const [b, bPlaces] = scale(rate);
  const places = aPlaces + bPlaces;
  const product = a * b;
  const digits = String(product < 0n ? -product : product).padStart(places + 1, '0');
  const cut = digits.length - places;
  const fraction = withoutTrailing(digits.slice(cut), '0');
  return `${product < 0n ? '-' : ''}${digits.slice(0, cut)}${fraction === '' ? '' : `.${fraction}`}`;
}
