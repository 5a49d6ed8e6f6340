import { numericIn } from '../words/numeric-dates.ts';
import { unitOf } from '../words/units.ts';

/**
 * Sort orders. `natural`: alphabetical in any case, with numbers inside by value; `last_word`: so by the last word, as names by
 * the family name.
 */
export const ORDERS = ['natural', 'number', 'length', 'code', 'last_word'] as const;
export type Order = (typeof ORDERS)[number];

const NUMBER = /-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|-?\.\d+/;

/** The first number in an item, if any. */
const numberIn = (item: string): number => {
  const [, above, below] = FRACTION.exec(item) ?? [];
  return below === undefined
    ? Number(NUMBER.exec(item.slice(0, 400))?.[0].replaceAll(',', '') ?? Number.NaN)
    : Number(above) / Number(below);
};
const FRACTION = /^(-?\d{1,9}) ?\/ ?(\d{1,9})$/;

const isNumber = (item: string): boolean =>
  item.length < 60 && (/^[-+]?[\d.,]+%?$/.test(item) || FRACTION.test(item)) && !Number.isNaN(numberIn(item));

/**
 * The sort key of an item, made once per item because collators are too slow for 100,000. Digits are preceded by their
 * count, so that 9 comes before 10.
 */
const key = (item: string): string =>
  item
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/^["'“‘([]+/, '')
    .replace(/\d+/g, (digits) => {
      const significant = digits.replace(/^0+(?=\d)/, '');
      return `${'9'.repeat(Math.floor(significant.length / 9))}${significant.length % 9}${significant}`;
    });

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const NAMED =
  /^(?:(\d{1,2})(?:st|nd|rd|th)?\.? (?:of )?)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?(?: (\d{1,2})(?:st|nd|rd|th)?(?![\d:]))?(?:,? (\d{4}))?$/i;
const NUMERIC = /^(\d{1,2})([/.])(\d{1,2})\2(\d{4}|\d{2})$/;

/** A date as a number that grows with time; undefined when it is none. `days`: the day comes before the month. */
function dateOf(item: string, days: boolean): readonly [value: number, year: boolean] | undefined {
  const [, first, month = '', second, year] = NAMED.exec(item) ?? [];
  if (month !== '' && (first === undefined) !== (second === undefined)) {
    const at = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
    return [Number(year ?? 0) * 10_000 + at * 100 + Number(first ?? second), year !== undefined];
  }
  const [, one, sign, other, yearDigits] = NUMERIC.exec(item) ?? [];
  if (yearDigits === undefined) return undefined;
  const [m, d] = days || sign === '.' ? [Number(other), Number(one)] : [Number(one), Number(other)];
  return m > 12 || d > 31
    ? undefined
    : [(Number(yearDigits) + (yearDigits.length < 4 ? 2_000 : 0)) * 10_000 + m * 100 + d, true];
}

/** All items as dates, if they all are, with a year or all without. Numeric dates are read as in the US where possible. */
function datesOf(items: readonly string[]): readonly number[] | undefined {
  if (items.length === 0 || items.some((item) => item.length > 30)) return undefined;
  for (const days of [false, true]) {
    const dates = items.map((item) => dateOf(item.trim(), days));
    if (dates.every((one) => one !== undefined && one[1] === dates[0]?.[1]))
      return dates.map((one) => (one as readonly [number, boolean])[0]);
  }
  return undefined;
}

/** Whether all items are dates. */
export const areDates = (items: readonly string[]): boolean => datesOf(items) !== undefined;

const DAYS = 'mon tue wed thu fri sat sun'.split(' ');
const DAY = /^(mon|tue|wed|thu|fri|sat|sun)(?:day|s|sday|nesday|r|rs|rsday|urday)?s?\.?$/i;
const MONTH =
  /^(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?$/i;
const CLOCK = /^(\d{1,2})(?:[:.](\d\d))? ?(?:([ap])\.?m\.?)?$/i;
const AMOUNT = /^(-?[\d.,]{1,20}) ?(\p{L}[\p{L}/²³]{0,20})$/u;

function clockOf(item: string): number | undefined {
  if (/^(?:noon|midday)$/i.test(item)) return 720;
  if (/^midnight$/i.test(item)) return 0;
  const [, hour = '', minutes, half] = CLOCK.exec(item) ?? [];
  if (hour === '' || (minutes === undefined && half === undefined)) return undefined;
  const h = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  return h > 24 || Number(minutes ?? 0) > 59 ? undefined : h * 60 + Number(minutes ?? 0);
}

function amountsOf(items: readonly string[]): readonly number[] | undefined {
  const found = items.map((item) => {
    const [, number = '', name = ''] = AMOUNT.exec(item) ?? [];
    const unit = name === '' ? undefined : unitOf(name);
    return unit === undefined || unit.kind === 'temperature'
      ? undefined
      : { kind: unit.kind, value: Number(number.replaceAll(',', '')) * unit.factor };
  });
  const [first] = found;
  return found.every((one) => one !== undefined && one.kind === first?.kind && !Number.isNaN(one.value))
    ? found.map((one) => (one as { readonly value: number }).value)
    : undefined;
}

/** Ranks of items with an order of their own: weekdays, months, times of the day, amounts in units of one kind. */
function ranksOf(given: readonly string[]): readonly number[] | undefined {
  if (given.length > 5_000 || given.some((item) => item.length > 40)) return undefined;
  const items = given.map((item) => item.trim());
  for (const rank of [
    (item: string) => DAYS.indexOf(DAY.exec(item)?.[1]?.toLowerCase() ?? ''),
    (item: string) => MONTHS.indexOf(MONTH.exec(item)?.[1]?.slice(0, 3).toLowerCase() ?? ''),
    (item: string) => clockOf(item) ?? -1,
  ]) {
    const ranks = items.map(rank);
    if (ranks.every((one) => one >= 0)) return ranks;
  }
  return amountsOf(items);
}

/** The first numeric date that was sorted with the month first but may begin with the day. */
export function numericAmong(items: readonly string[]): string | undefined {
  if (datesOf(items) === undefined || items.some((item) => dateOf(item.trim(), false) === undefined)) return undefined;
  return items.map((item) => numericIn(item)).find((one) => one !== undefined);
}

/** "Ann Lee" as "Lee, Ann". */
const lastFirst = (item: string): string => `${item.slice(item.trimEnd().lastIndexOf(' ') + 1)}, ${item}`;

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The items in a stable order. Without `by`: by value when all are numbers, else `natural`, which knows dates. Items
 * without a number come last.
 */
export function sorted(items: readonly string[], by: Order | undefined, descending: boolean): string[] {
  const order = by ?? (items.every(isNumber) ? 'number' : 'natural');
  const sign = descending ? -1 : 1;
  if (order === 'number') {
    const known = items.map((item) => ({ item, value: numberIn(item) }));
    const without = known.filter(({ value }) => Number.isNaN(value));
    const having = known.filter(({ value }) => !Number.isNaN(value));
    return [...having.sort((a, b) => sign * compare(a.value, b.value)), ...without].map(({ item }) => item);
  }
  const dates = order === 'natural' ? (datesOf(items) ?? (by === undefined ? ranksOf(items) : undefined)) : undefined;
  if (dates !== undefined) {
    const dated = items.map((item, at) => ({ item, by: dates[at] as number }));
    return dated.sort((a, b) => sign * compare(a.by, b.by)).map(({ item }) => item);
  }
  const keyed = items.map((item) => ({
    item,
    by: order === 'length' ? item.length : order === 'code' ? item : key(order === 'natural' ? item : lastFirst(item)),
  }));
  return keyed.sort((a, b) => sign * compare(a.by, b.by)).map(({ item }) => item);
}

/** The items without repetitions. */
export function unique(items: readonly string[], ignoreCase: boolean): string[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const same = ignoreCase ? item.toLowerCase() : item;
    if (seen.has(same)) return false;
    seen.add(same);
    return true;
  });
}
