import { withoutTrailing } from '../../core/values/trailing.ts';
import { remembering } from './remembering.ts';

const CODES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    $: 'USD',
    '€': 'EUR',
    '£': 'GBP',
    '¥': 'JPY',
    '₹': 'INR',
    dollar: 'USD',
    'us dollar': 'USD',
    buck: 'USD',
    euro: 'EUR',
    pound: 'GBP',
    'british pound': 'GBP',
    'pound sterling': 'GBP',
    sterling: 'GBP',
    quid: 'GBP',
    yen: 'JPY',
    franc: 'CHF',
    'swiss franc': 'CHF',
    rupee: 'INR',
    yuan: 'CNY',
    renminbi: 'CNY',
    rouble: 'RUB',
    ruble: 'RUB',
    peso: 'MXN',
    real: 'BRL',
    'canadian dollar': 'CAD',
    'australian dollar': 'AUD',
    krona: 'SEK',
    krone: 'NOK',
    zloty: 'PLN',
    lira: 'TRY',
    won: 'KRW',
    shekel: 'ILS',
    bitcoin: 'BTC',
  }),
);
const KNOWN = new Set(
  'USD EUR GBP JPY CHF INR CNY RUB MXN BRL CAD AUD NZD SEK NOK DKK PLN CZK HUF RON BGN TRY KRW ILS ZAR SGD HKD THB IDR MYR PHP VND AED SAR EGP UAH ARS CLP COP BTC ETH TWD'.split(
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

/** A conversion at a rate: "100 USD in EUR at 0.92". `rate`: the price of one unit of `money` in `to`. */
export interface Exchange {
  readonly money: Money;
  readonly to: string;
  /** A decimal number; undefined when none was given. */
  readonly rate: string | undefined;
}

const EXCHANGE = /^(.{1,40}?) (?:to|in|into|as|=) ([A-Za-z$€£¥₹ ]{1,20})$/i;
/** The words before a rate; the texts are short. */
const AT =
  /,? \(?(?:at|with|using|by|@|if|when|given|assuming|where)(?: that)?(?: (?:an?|the))?(?: (?:current |exchange |conversion )?rate)?(?: of| is)?:? (?=[^ ])|, (?=(?:1|one) [^ ])/i;
const BARE = /^\d{1,9}(?:\.\d{1,12})?$/;
const PER = /^(.{1,30}?) ?(?:per|\/|for(?: an?| one| 1| each| every)?|to the)(?: 1| one)? ?([A-Za-z$€£¥₹ ]{1,20})$/i;
const EQUALS = /^(.{1,30}?) ?(?:=|is worth|is|are|equals|costs|buys|makes|gives) ?(.{1,30})$/i;

const ratio = (of: string, by: string): string | undefined => {
  const value = by === '1' ? of : String(Number((Number(of) / Number(by)).toPrecision(15)));
  return /^\d{1,20}(?:\.\d{1,20})?$/.test(value) && Number(value) > 0 ? value : undefined;
};

/** The rate between two currencies in a text: "0.92", "0.92 EUR per USD", "1 EUR = 1.08 USD". */
function rateOf(text: string, from: string, to: string): string | undefined {
  if (BARE.test(text)) return text;
  const [, price = '', per = ''] = PER.exec(text) ?? [];
  const [, left = '', right = ''] = EQUALS.exec(text) ?? [];
  const one = price === '' ? moneyOf(left.replace(/^(?:one|an?) /i, '1 ')) : moneyOf(`1 ${per}`);
  const other = moneyOf(price === '' ? right : price);
  if (one === undefined || other === undefined) return undefined;
  if (one.code === from && other.code === to) return ratio(other.amount, one.amount);
  return one.code === to && other.code === from ? ratio(one.amount, other.amount) : undefined;
}

/** Undefined when it is not about two currencies. */
export function exchangeOf(text: string): Exchange | undefined {
  if (text.length > 120 || !/[A-Za-z$€£¥₹]$|\d$/.test(text) || !/ (?:to|in|into|as|=) /i.test(text)) return undefined;
  const plain = text.trim();
  const at = AT.exec(plain);
  const [, from, name] = EXCHANGE.exec(at === null ? plain : plain.slice(0, at.index)) ?? [];
  const money = moneyOf(from ?? '');
  const to = currencyOf(name ?? '');
  if (money === undefined || to === undefined) return undefined;
  if (at === null) return { money, to, rate: undefined };
  const rate = rateOf(plain.slice(at.index + at[0].length).replace(/\)$/, ''), money.code, to);
  return rate === undefined ? undefined : { money, to, rate };
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
