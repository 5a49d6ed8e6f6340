import type { Domain } from '../../language/grammar.ts';
import {
  calculation,
  call,
  LEVEL,
  type List,
  list,
  type Num,
  numeral,
  operation,
  power,
  sum,
  utmost,
} from './number.ts';
import { rulesOf } from './rules.ts';
import { whole } from './selecting.ts';
import { asks, type Request } from './setting.ts';
import { distributed } from './units.ts';

export type Keeps = (value: number) => boolean;
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
  cube: (n) => Number.isInteger(Math.cbrt(n)),
  leap: (n) =>
    Number.isInteger(n) && n > 0 && n < 10_000 && Temporal.PlainYearMonth.from({ year: n, month: 1 }).inLeapYear,
};

/** The numbers of a kind; of whole numbers there is no choice. */
export const isKind = (kind: string): Keeps | undefined => (kind === 'whole' ? undefined : KINDS[kind]);
const numberList = (numbers: readonly number[]): List =>
  list(
    numbers.map((n) => numeral(n)),
    false,
  );

export function range(from: Num, to: Num, kind = 'whole', inside = true): List | undefined {
  const [a, b] = [from.plain as number, to.plain as number];
  if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b) || a > b || b - a > 100 * MAX_LIST) return undefined;
  const found: number[] = [];
  for (let n = inside ? a : a + 1; n <= (inside ? b : b - 1); n++) if (KINDS[kind]?.(n)) found.push(n);
  return found.length > 0 && found.length <= MAX_LIST ? numberList(found) : undefined;
}

/** The next number of a kind, up or down. */
function neighbor(from: number, kind: string, step: 1 | -1): number | undefined {
  for (let n = from + step; n > 0 && Math.abs(n - from) < 10_000; n += step) if (KINDS[kind]?.(n)) return n;
  return undefined;
}

function first(count: Num, kind: string): List | undefined {
  const found: number[] = [];
  const max = Math.min(count.plain as number, MAX_LIST);
  for (let n = 1; found.length < max && n < 100_000; n++) if (KINDS[kind]?.(n)) found.push(n);
  return found.length === count.plain ? numberList(found) : undefined;
}

/** Each of so many of a list, from the one at a place. */
function stepped(all: List | undefined, by: number, from: number): List | undefined {
  const found = (by > 0 && all?.items.filter((_, at) => at >= from && (at - from) % by === 0)) || [];
  return found.length === 0 ? undefined : list(found, false);
}
const turned = (all: List | undefined): List | undefined => all && list(all.items.toReversed(), false);
const multiples = (by: Num, from: Num, to: Num): List | undefined =>
  whole(by) > 0 ? kept(range(from, to) ?? numberList([]), (n) => n % whole(by) === 0) : undefined;

export const kept = (all: List, keeps: Keeps): List | undefined => {
  const found = all.items.filter(({ plain }) => keeps(plain as number));
  return values(all) === undefined || found.length === 0 ? undefined : list(found, false);
};
const raised = (all: List | undefined, by: number): List | undefined =>
  all?.items.every(({ unit }) => unit === undefined)
    ? list(
        all.items.map((one) => power(one, by)),
        false,
      )
    : undefined;
const MANY: readonly string[] = ['min', 'max'];
function extreme(count: number, name: string, all: List): List | undefined {
  const amounts = values(all);
  if (amounts === undefined || !MANY.includes(name) || count > amounts.length) return undefined;
  const order = amounts
    .map((_, at) => at)
    .sort((a, b) => ((amounts[a] as number) - (amounts[b] as number)) * (name === 'min' ? 1 : -1));
  const chosen = order.slice(0, count).sort((a, b) => a - b);
  return list(
    chosen.map((at) => all.items[at] as Num),
    false,
  );
}

export const listed = (all: List | undefined, does: 'list' | 'count' = 'list'): Request | undefined =>
  all === undefined
    ? undefined
    : asks(
        'text',
        {
          op: 'parts',
          text: all.items.map(({ expr }) => expr).join(', '),
          selection: { of: 'numbers' },
          does,
        },
        `${does} the numbers in ${all.items.map(({ expr }) => expr).join(', ')}`,
      );

/** The sum of a long range has a formula, which is shorter to show. */
function aggregate(name: string, { items }: List): Num | undefined {
  const [head] = items;
  const mixed = items.some(({ unit }) => unit === undefined) && items.at(-1)?.unit !== undefined;
  const measured = mixed ? distributed(list(items)) : undefined;
  if (measured !== undefined) return aggregate(name, list(measured));
  if (
    head === undefined ||
    !items.every(
      ({ kind }) =>
        kind === head.kind || kind === 'any' || head.kind === 'any' || (kind !== 'percent' && head.unit === undefined),
    )
  )
    return undefined;
  const [low, high] = [head.plain, items.at(-1)?.plain];
  const run = items.length > 10 && items.every(({ plain }, at) => plain === (low as number) + at);
  // In "the product of 3 and 4 minus the sum of 5 and 6" the list ends before the minus.
  if (/ [-+] (?:sum|mean|prod|max|min|median)\(/.test(items.at(-1)?.expr ?? '')) return undefined;
  if (run && name === 'sum') return operation(LEVEL.product, 'number', `(${low} + ${high}) * ${items.length} / 2`);
  if (name === 'range') return items.length > 1 ? sum(utmost('max', items), '-', utmost('min', items)) : undefined;
  return name === 'max' || name === 'min' ? utmost(name, items) : call(name, ...items);
}

function figured(names: readonly string[], all: List): Request | undefined {
  const each = names.map((name) => aggregate(name, all));
  return each.every((one) => one !== undefined) ? { steps: each.map(calculation) } : undefined;
}

const rule = rulesOf<{
  limits: readonly [Num, Num];
  naming: true;
  series: List;
  powers: number;
  'told-list': List;
  'nearest-one': 1 | -1;
  beyond: 1 | -1;
  statistics: readonly string[];
}>();

/** Lists of numbers, ranges, choices from them, and what is calculated of them. */
export const LISTS: Domain = {
  lexicon: {
    aggregate: {
      'sum|total|sum up|add up|add together|add|total up|tally|tally up': 'sum',
      'average|mean|avg|arithmetic mean': 'mean',
      'median|middle number|middle value|middle one': 'median',
      mode: 'mode',
      'max|maximum|largest|biggest|highest|greatest': 'max',
      'min|minimum|smallest|lowest|least': 'min',
      'product|multiply': 'prod',
      'standard deviation|std|stddev|sample standard deviation': 'std',
      'population standard deviation|population std|standard deviation of the population': 'stdevp',
      'variance|sample variance': 'variance',
      'population variance|variance of the population': 'varp',
      'range|spread': 'range',
      'gcd|gcf|hcf|greatest common divisor|greatest common factor|highest common factor': 'gcd',
      'lcm|least common multiple|lowest common multiple|smallest common multiple': 'lcm',
    },
    NAMETHEM:
      'list|give me|show me|show|what are|print|tell me|name|find|count|write|say|which are|what are all|list all',
    'nearest-one': { 'next|first|smallest|lowest|following': 1, 'last|largest|biggest|highest|previous|greatest': -1 },
    beyond: {
      'after|above|over|greater than|bigger than|larger than|following|more than': 1,
      'before|below|under|less than|smaller than': -1,
    },
    LISTEDAS:
      'weigh|weighs|weighed|cost|costs|are|were|is|got|have|had|scored|measured|measure|took|take|i got|i have|i had|i scored|we got|i spent|i ran|i walked|he got|she got|i paid',
    RUNNING:
      'running total|running totals|running sum|cumulative sum|cumulative total|cumulative sums|cumulative totals|partial sums',
    powers: { 'squares|the squares': 2, 'cubes|the cubes': 3, 'square roots': 0.5, reciprocals: -1 },
    sort: {
      'even|even numbers|even number': 'even',
      'odd|odd numbers|odd number': 'odd',
      'prime|primes|prime numbers|prime number': 'prime',
      'square numbers|squares|perfect squares|square number|perfect square': 'square',
      'cube numbers|cubes|perfect cubes|cube number|perfect cube': 'cube',
      'leap years': 'leap',
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
    rule('list = <naming> :? <list:several>', ([, all]) => all),
    rule('list = <series>'),
    rule(
      'request -0.02 = (how many|number of|the number of|count the|count all|count all the) <series> (are there|exist|are they)? ENDSIGN?',
      ([all]) => listed(all, 'count'),
    ),
    rule('request = is <number:whole> (a|an)? <sort> ENDSIGN?', ([n, kind]) =>
      kind === 'square' || kind === 'cube'
        ? asks('calculate', { expression: `${kind === 'square' ? 'sqrt' : 'cbrt'}(${n.expr}) mod 1 == 0` })
        : undefined,
    ),
    rule('request 0.1 = LEAD? the? <nearest-one> <sort> <beyond> <number:whole> TAIL?', ([side, kind, sign, n]) =>
      neighbor(whole(n), kind, sign) === undefined || side !== sign
        ? undefined
        : asks('text', { op: 'say', text: String(neighbor(whole(n), kind, sign)) }),
    ),
    rule('request -0.02 = NAMETHEM? <series> ENDSIGN?', ([all]) => listed(all)),
    rule(
      'request = NAMETHEM? the? leap years (of|in|from|among) <list:several>',
      'which of? <list:several> (are|is) (leap years|a leap year)',
      ([all]) => listed(kept(all, KINDS.leap as Keeps)),
    ),
    rule('series = (the|all|all the)? <sort> (are there|there are)? <limits> inclusive?', ([kind, [a, b]]) =>
      range(a, b, kind),
    ),
    rule(
      'limits = (from|between|up from|starting from|starting at) <number:whole> (to|and|through|until|till|up to) <number:whole>',
      ([a, b]) => [a, b],
    ),
    rule(
      'limits = (that are|which are)? (up to|until|to|at most|no more than|not more than|no greater than|not above|up to and including) <number:whole>',
      ([n]) => [numeral(1), n],
    ),
    rule('limits = (that are|which are)? (below|under|less than|smaller than) <number:whole>', ([n]) => [
      numeral(1),
      numeral(whole(n) - 1),
    ]),
    rule('list -0.2 = <number:whole> (to|through) <number:whole>', ([a, b]) => range(a, b)),
    rule('series = (the|all|all the)? first <number:whole> <sort>', ([count, kind]) => first(count, kind)),
    // "The fifth number from 5 to 30" counts the numbers, "in steps of 5" begins with the first.
    rule('series = (every|each) <ordinal> (number|integer|one) <limits>', ([every, [a, b]]) =>
      every > 1 ? stepped(range(a, b), every, every - 1) : undefined,
    ),
    rule(
      'series = (every|each) <ordinal> (number|integer|one) from <number:whole> to <number:whole>',
      ([every, a, b]) => (every > 1 ? stepped(range(a, b), every, 0) : undefined),
    ),
    rule('series = every (other|second) (number|integer|one) <limits>', ([[a, b]]) => stepped(range(a, b), 2, 0)),
    rule('series = every other (number|integer|one) <limits>', ([[a, b]]) => stepped(range(a, b), 2, 1)),
    rule(
      'series = (count|count up|numbers|the numbers|integers)? <limits> (in steps of|by|counting by|in increments of|step|with a step of) <number:whole> s?',
      ([[a, b], by]) => stepped(range(a, b), whole(by), 0),
    ),
    // "The squares from 1 to 5" are those of the numbers, or the square numbers among them.
    rule('mapped = <powers> <limits>', ([by, [a, b]]) => raised(range(a, b), by)),
    rule(
      'mapped 0.1 = the? <powers> of (the|these|all|all the|each of)? (numbers|integers)? :? <list:several>',
      ([by, all]) => raised(all, by),
    ),
    rule('list = <mapped>'),
    rule(
      'series = (count|count down|count backwards|numbers|the numbers|counting down)? from? <number:whole> (down to|backwards to|back to|back down to) <number:whole>',
      '(count down|count backwards|countdown) from? <number:whole> to <number:whole>',
      ([b, a]) => turned(range(a, b)),
    ),
    rule(
      'series = (the|all|all the)? (multiples of|numbers divisible by|multiples for) <number:whole> (are there|there are)? <limits>',
      ([by, [a, b]]) => multiples(by, a, b),
    ),
    rule('series = (the|all|all the)? first <number:whole> multiples of <number:whole>', ([n, by]) =>
      multiples(by, numeral(1), numeral(whole(n) * whole(by))),
    ),
    rule('series = (the|all|all the)? (factors|divisors|factor pairs) of <number:whole>', ([n]) =>
      kept(range(numeral(1), n) ?? numberList([]), (by) => whole(n) % by === 0),
    ),
    rule('list = (the|all|all the)? <sort> (of|in|from|among)? :? <list:several>', ([kind, all]) =>
      kind === 'whole' ? undefined : kept(all, KINDS[kind] as Keeps),
    ),
    rule(
      'list = the? <number:whole> <aggregate:extreme> (numbers|values|of them)? (of|in|from|among) :? <list:several>',
      ([n, name, all]) => extreme(n.plain as number, name, all),
    ),
    rule(
      'number = the? <aggregate> (value|number|one|figure)? (of|in|from|among|up|for)? (the|all|all the|these|these up|those|them|these numbers up|these together|up these|the following|the following numbers)? (:|,|-)? <list:several> (together|altogether|up)?',
      '#21 (take|given|use|for|with) the? (list|numbers|values)? :? <list:several> ,? (and|then)? <aggregate> (it|them|these|those)? up?',
      '-0.2 = #21 <list:several> (,|:|=)? <aggregate>',
      ([name, all]) => aggregate(name, all),
    ),
    // A list that is told, and what is asked of it.
    rule('told-list = (my|the|our|these|his|her)? <number:whole>? <topic>? LISTEDAS <list:several>', (values) =>
      values.find((one) => typeof one === 'object' && 'items' in one),
    ),
    rule(
      'number -0.2 = <told-list> SEP WHATIS? (the|my|our|their|his|her)? <aggregate> (weight|height|score|age|price|cost|time|distance|amount)? ENDSIGN?',
      ([all, name]) => aggregate(name, all),
    ),
    // Sums of a list from its beginning.
    rule('request = LEAD? (the|a)? RUNNING (of|for|on)? :? <list:several> ENDSIGN?', ([{ items }]) => {
      let total = 0;
      const sums = items.map(({ plain, unit }) => (total += unit === undefined ? (plain ?? Number.NaN) : Number.NaN));
      return sums.every(Number.isFinite)
        ? listed(numberList(sums.map((one) => Number(one.toPrecision(12)))))
        : undefined;
    }),
    // Several figures of one list.
    rule('statistics = <aggregate> (,|and|, and|&|+|plus) the? <aggregate>', (both) => both),
    rule('statistics = <aggregate> <aggregate> (and|&) <aggregate>', (all) => all),
    rule('statistics = <statistics> (,|and|, and|&|+|plus) the? <aggregate>', ([all, one]) => [...all, one]),
    rule(
      'request = LEAD? the? <statistics> (value|values)? (of|for|in|from)? (the|these|those|the following|all)? (numbers|values|list)? :? <list:several> TAIL?',
      '#21 (for|of|from|with|given|take)? <list:several> (,|:|=)? LEAD? the? <statistics> (of it|of them|of these)? TAIL?',
      ([names, all]) => figured(names, all),
    ),
    rule(
      'number = the? <aggregate:extreme> (minus|-|less) the? <aggregate:extreme> (of|in|from|among|for)? (the|these|all|those)? :? <list:several>',
      'the? difference between the? <aggregate:extreme> and the? <aggregate:extreme> (of|in|from|among|for)? (the|these|all|those)? :? <list:several>',
      ([one, other, { items }]) =>
        one === other ? undefined : sum(utmost(one as 'max', items), '-', utmost(other as 'max', items)),
    ),
    rule('number = the? <aggregate> of? <number:any> (up|together)?', ([name, n]) =>
      name === 'range' ? undefined : call(name, n),
    ),
    rule('number = the? difference (of|between) <number:terms> and <number:terms>', ([a, b]) => {
      const less = sum(a, '-', b);
      const more = less?.kind === 'temperature' ? sum(b, '-', a) : undefined;
      // The absolute value of a temperature is measured from another zero.
      return less && (more === undefined ? call('abs', less) : call('max', less, more));
    }),
  ],
};
