/** What items are sorted by. `natural`: the alphabet in any case, numbers within by value. */
export const ORDERS = ['natural', 'number', 'length', 'code'] as const;
export type Order = (typeof ORDERS)[number];

const NUMBER = /-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|-?\.\d+/;

/** The first number in an item, if any. */
const numberIn = (item: string): number =>
  Number(NUMBER.exec(item.slice(0, 400))?.[0].replaceAll(',', '') ?? Number.NaN);

const isNumber = (item: string): boolean =>
  item.length < 60 && /^[-+]?[\d.,]+%?$/.test(item) && !Number.isNaN(numberIn(item));

/**
 * By what strings compare as people sort: made once per item, since collators are too slow for 100,000. Digits are led by
 * their count, so that 9 is before 10.
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

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** The items in order; equals stay as they are. Without `by`: by value when all are numbers, else `natural`. Items without a number come last. */
export function sorted(items: readonly string[], by: Order | undefined, descending: boolean): string[] {
  const order = by ?? (items.every(isNumber) ? 'number' : 'natural');
  const sign = descending ? -1 : 1;
  if (order === 'number') {
    const known = items.map((item) => ({ item, value: numberIn(item) }));
    const without = known.filter(({ value }) => Number.isNaN(value));
    const having = known.filter(({ value }) => !Number.isNaN(value));
    return [...having.sort((a, b) => sign * compare(a.value, b.value)), ...without].map(({ item }) => item);
  }
  const keyed = items.map((item) => ({
    item,
    by: order === 'length' ? item.length : order === 'code' ? item : key(item),
  }));
  return keyed.sort((a, b) => sign * compare(a.by, b.by)).map(({ item }) => item);
}

/** The items without those that were there before. */
export function unique(items: readonly string[], ignoreCase: boolean): string[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const same = ignoreCase ? item.toLowerCase() : item;
    if (seen.has(same)) return false;
    seen.add(same);
    return true;
  });
}
