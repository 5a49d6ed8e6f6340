import type { Domain } from '../../language/grammar.ts';
import type { List, Num } from './number.ts';
import { call, LEVEL, list, made, numeral, sum } from './number.ts';
import { rule } from './rules.ts';
import { asks, type Request } from './setting.ts';

type Keeps = (value: number) => boolean;
const values = ({ items }: List): readonly number[] | undefined =>
  items.every(({ plain, ops }) => plain !== undefined && ops === 0)
    ? items.map(({ plain }) => plain as number)
    : undefined;

const MAX_LIST = 1_000;

const isPrime = (n: number): boolean => {
  if (!Number.isInteger(n) || n < 2 || n > 1e12) return false;
  for (let by = 2; by * by <= n; by++) if (n % by === 0) return false;
  return true;
};
const KINDS: Readonly<Record<string, Keeps>> = {
  even: (n) => n % 2 === 0,
  odd: (n) => Math.abs(n % 2) === 1,
  prime: isPrime,
  whole: Number.isInteger,
  positive: (n) => n > 0,
  negative: (n) => n < 0,
  square: (n) => Number.isInteger(Math.sqrt(n)),
};

const of = (numbers: readonly number[]): List =>
  list(
    numbers.map((n) => numeral(n)),
    false,
  );

function range(from: Num, to: Num, kind = 'whole', inside = true): List | undefined {
  const [a, b] = [from.plain as number, to.plain as number];
  if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b) || a > b || b - a > 100 * MAX_LIST) return undefined;
  const found: number[] = [];
  for (let n = inside ? a : a + 1; n <= (inside ? b : b - 1); n++) if (KINDS[kind]?.(n)) found.push(n);
  return found.length > 0 && found.length <= MAX_LIST ? of(found) : undefined;
}

function first(count: Num, kind: string): List | undefined {
  const found: number[] = [];
  const max = Math.min(count.plain as number, MAX_LIST);
  for (let n = 1; found.length < max && n < 100_000; n++) if (KINDS[kind]?.(n)) found.push(n);
  return found.length === count.plain ? of(found) : undefined;
}

const kept = (all: List, keeps: Keeps): List | undefined => {
  const found = all.items.filter(({ plain }) => keeps(plain as number));
  return values(all) === undefined || found.length === 0 ? undefined : list(found, false);
};
const MANY: readonly string[] = ['min', 'max'];
function extreme(count: number, name: string, all: List): List | undefined {
  const own = values(all);
  if (own === undefined || !MANY.includes(name) || count > own.length) return undefined;
  const order = own
    .map((_, at) => at)
    .sort((a, b) => ((own[a] as number) - (own[b] as number)) * (name === 'min' ? 1 : -1));
  const chosen = order.slice(0, count).sort((a, b) => a - b);
  return list(
    chosen.map((at) => all.items[at] as Num),
    false,
  );
}

const listed = (all: List | undefined): Request | undefined =>
  all === undefined
    ? undefined
    : asks('text', {
        op: 'parts',
        text: all.items.map(({ expr }) => expr).join(', '),
        selection: { of: 'numbers' },
        does: 'list',
      });

/** The sum of a long range has a formula, which is shorter to show. */
function aggregate(name: string, { items }: List): Num | undefined {
  const [one] = items;
  if (
    one === undefined ||
    !items.every(
      ({ kind }) =>
        kind === one.kind || kind === 'any' || one.kind === 'any' || (kind !== 'percent' && one.unit === undefined),
    )
  )
    return undefined;
  const [low, high] = [one.plain, items.at(-1)?.plain];
  const run = items.length > 10 && items.every(({ plain }, at) => plain === (low as number) + at);
  if (run && name === 'sum') return made(LEVEL.product, 'number', `(${low} + ${high}) * ${items.length} / 2`);
  return call(name, ...items);
}

/** Lists of numbers, ranges, choices from them, and what is calculated of them. */
export const LISTS: Domain = {
  lexicon: {
    aggregate: {
      'sum|total|sum up|add up|add together|add|total up|tally|tally up': 'sum',
      'average|mean|avg|arithmetic mean': 'mean',
      median: 'median',
      mode: 'mode',
      'max|maximum|largest|biggest|highest|greatest': 'max',
      'min|minimum|smallest|lowest|least': 'min',
      'product|multiply': 'prod',
      'standard deviation|std|stddev': 'std',
      variance: 'variance',
      'gcd|gcf|hcf|greatest common divisor|greatest common factor|highest common factor': 'gcd',
      'lcm|least common multiple|lowest common multiple|smallest common multiple': 'lcm',
    },
    sort: {
      'even|even numbers': 'even',
      'odd|odd numbers': 'odd',
      'prime|primes|prime numbers': 'prime',
      'square numbers|squares|perfect squares': 'square',
      'numbers|integers|whole numbers|natural numbers|positive integers': 'whole',
      'positive|positive numbers': 'positive',
      'negative|negative numbers': 'negative',
    },
  },
  tests: {
    several: ({ items }: List) => items.length > 1,
    open: ({ open }: List) => open,
    extreme: (name: string) => MANY.includes(name),
  },
  rules: [
    rule('list -0.01 = <number:terms> (and|&|or) <number:terms>', ([a, b]) => list([a, b], false)),
    rule('list = <number:terms> (,|;) <number:terms>', ([a, b]) => list([a, b])),
    rule('list = <list:open> (,|;) <number:terms>', ([all, n]) => list([...all.items, n])),
    rule('list = <list:open> ,? (and|&|or) <number:terms>', ([all, n]) => list([...all.items, n], false)),
    rule('list = OPEN <list> CLOSE', ([all]) => list(all.items, false)),
    rule(
      'list = (the|these|this|following|the following|all|all the|all of the|all these|all of)? (numbers|values|integers|figures|list|list of numbers|amounts) :? <list:several>',
    ),
    rule(
      'list = (the|all|all the)? <sort> (from|between) <number:whole> (to|and|through|until|till) <number:whole> inclusive?',
      ([kind, a, b]) => range(a, b, kind),
    ),
    rule('list -0.2 = <number:whole> (to|through) <number:whole>', ([a, b]) => range(a, b)),
    rule('list = (the|all|all the)? first <number:whole> <sort>', ([count, kind]) => first(count, kind)),
    // "The first 5 primes" is asked for by itself.
    rule(
      'request = (list|give me|show me|show|what are|print|tell me|name|find)? (the|all|all the)? first <number:whole> <sort> ENDSIGN?',
      ([count, kind]) => listed(first(count, kind)),
    ),
    rule(
      'request -0.02 = (list|give me|show me|show|what are|print|tell me|name|find|count)? (the|all|all the)? <sort> (from|between|up from) <number:whole> (to|and|through|until|till) <number:whole> inclusive? ENDSIGN?',
      ([kind, a, b]) => listed(range(a, b, kind)),
    ),
    rule(
      'request -0.02 = (list|give me|show me|show|what are|print|tell me|name|find)? (the|all|all the)? <sort> (up to|below|under|less than|smaller than) <number:whole> ENDSIGN?',
      ([kind, n]) => listed(range(numeral(1), n, kind)),
    ),
    rule('list = (the|all|all the)? <sort> (of|in|from|among)? :? <list:several>', ([kind, all]) =>
      kind === 'whole' ? undefined : kept(all, KINDS[kind] as Keeps),
    ),
    rule(
      'list = the? <number:whole> <aggregate:extreme> (numbers|values|of them)? (of|in|from|among) :? <list:several>',
      ([n, name, all]) => extreme(n.plain as number, name, all),
    ),
    rule(
      'number = the? <aggregate> (value|number|one|figure)? (of|in|from|among|up|for|and)? (the|all|all the|these|these up|those|them|these numbers up|these together|up these)? :? <list:several>',
      ([name, all]) => aggregate(name, all),
    ),
    rule(
      'number = (take|given|use|for|with) the? (list|numbers|values)? :? <list:several> ,? (and|then)? <aggregate> (it|them|these|those)? up?',
      ([all, name]) => aggregate(name, all),
    ),
    rule('number -0.2 = <list:several> (,|:|=)? <aggregate>', ([all, name]) => aggregate(name, all)),
    rule('number = the? <aggregate> of? <number:any> (up|together)?', ([name, n]) => call(name, n)),
    rule('number = the? difference (of|between) <number:terms> and <number:terms>', ([a, b]) => {
      const less = sum(a, '-', b);
      return less && call('abs', less);
    }),
    rule(
      'number -5 = (how many|the number of|number of) <sort> (are|are there|are there from|there are)? (from|between) <number:whole> (and|to) <number:whole> inclusive?',
      ([kind, a, b]) => {
        const all = range(a, b, kind);
        return all && made(LEVEL.atom, 'number', String(all.items.length));
      },
    ),
  ],
};
