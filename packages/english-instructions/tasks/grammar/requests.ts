import type { Domain } from '../../language/grammar.ts';
import { HOLE, hasUnknown } from './equations.ts';
import {
  alike,
  calculation,
  call,
  LEVEL,
  type List,
  list,
  type Num,
  numeral,
  operation,
  power,
  product,
  sum,
  utmost,
  within,
} from './number.ts';
import { nearest, rounded } from './rounding.ts';
import { rulesOf } from './rules.ts';
import { answering, asks, type Request, type Setting } from './setting.ts';
import { each } from './text-words.ts';

const calculated = (n: Num): Request | undefined =>
  n.unit?.math === '' || hasUnknown(n) ? undefined : { steps: [calculation(n)], says: `calculate ${n.expr}` };
const several = (all: readonly (Num | undefined)[]): Request | undefined =>
  all.length > 0 && all.every((one) => one !== undefined) ? { steps: all.map(calculation) } : undefined;
/** One list of the results. */
function listed(all: readonly (Num | undefined)[]): Request | undefined {
  const [first] = all;
  if (first === undefined || !all.every((one) => one !== undefined)) return undefined;
  const expression = `[${all.map((one) => one.expr).join(', ')}]`;
  return { steps: [calculation({ ...first, expr: expression })], says: `calculate ${expression}` };
}
const inForm = (n: Num, form = 'fraction'): Request | undefined =>
  (n.kind !== 'number' && !(n.kind === 'percent' && n.ops === 0)) || hasUnknown(n)
    ? undefined
    : asks('calculate', { expression: `${form}(${n.expr})` });
/** A calculation with one number of a list in its hole. */
const inHole = (map: Num, one: Num): Num => ({
  ...map,
  currency: map.currency ?? one.currency,
  expr: map.expr.replace(HOLE, () => within(one, LEVEL.atom)),
});
const compared = (a: Num, sign: string, b: Num): Request | undefined =>
  alike(a, b) && !hasUnknown(a) && !hasUnknown(b)
    ? asks('calculate', { expression: `${within(a, LEVEL.sum)} ${sign} ${within(b, LEVEL.sum)}` })
    : undefined;
const chosen = (name: 'max' | 'min', { items }: List): Request | undefined => {
  const [a, b] = items;
  return a && b && items.every((one) => alike(a, one)) ? { steps: [calculation(utmost(name, items))] } : undefined;
};

/** A step on the earlier result, which is not named: "then subtract 35". */
const onIt = (make: (it: Num) => Num | undefined, { it }: Setting): Request | undefined => {
  if (it === undefined) return undefined;
  const done = make({ ...numeral(`({{${it}}})`, 'any'), plain: undefined });
  return done && calculated(done);
};

const rule = rulesOf<{
  summing: '+' | '-';
  scaling: '*' | '/';
  rising: '+' | '-';

  'number-form': string;
  decimals: number;
  dozens: Num;
  nearest: number;
}>();

/** What is asked about numbers. */
export const REQUESTS: Domain = {
  lexicon: {
    LEAD: "what was|need|want|i'd like|wats|wat is|wots|waht is|hw much is|how mch is|what do|what will|what did|how much will|how much would|how much did|how much for|what's left if i|what is left if i|how much is left if i|how much remains if i|what remains if i|what is left when i|what's left when i|what do i have left if i|what is|what's|whats|what are|what does|what would|what would be|how much is|how much are|how much does|how much do|how much would be|how much is it|how much makes|what makes|how many is|how many are|calculate|compute|calc|evaluate|work out|solve|do|give me|tell me|tell me what|tell me how much|find|get|show me|figure out|can i get|can i have|i need|do the math on|do the math for|do the maths on|find out|what would|what do you get if you|what do i get if i|what do we get if we|what do you get when you|what do i get when i|what do we get when we|what do i get if you|how much it is|what it is|what is the result of|what number is|what's the result of|the result of|the answer to|the value of|what would i pay for|how much would i pay for|take|make",
    TAIL: 'then|would be|will be|comes out at|comes out as|exactly|comes to|come out to|works out to|amounts to|adds up to|total|?|=|= ?|equals|equal|is|make|makes|be|come to|cost|in total|altogether|for me|equal to|.',
    ROUNDIT: 'round|rounded|round off|round it|round it off|round that|round the result|round the answer|rounding',
    'number-form': {
      'a fraction|fraction|fractions|a simple fraction|a common fraction|a reduced fraction|simplest form|lowest terms|its simplest form':
        'fraction',
      'scientific notation|scientific form|scientific|exponential notation|exponential form|e notation': 'scientific',
    },
    OFEACH: each(
      'each|each of|each one of|every|every one of|all|all of',
      'number|numbers|value|values|amount|amounts|price|prices|item|items|one|ones|figure|figures|of these|these|these numbers|them|these values|the numbers|the values',
    ).concat('|each|each one|every one|these|them|these numbers|these values|these prices'),
    SURELY:
      "right|correct|true|yes|no|is that right|is that correct|is it right|is it correct|is that true|true or false|isn't it|am i right",
    COMMAS: 'commas|thousands separators|thousand separators|a thousands separator|thousand commas|separators',
    greater: {
      'greater|bigger|larger|higher|more|longer|heavier|hotter|faster': '>',
      'smaller|less|lower|fewer|shorter|lighter|colder|slower': '<',
    },
    WHICH:
      "which one's|which is|which one is|what is|what's|whats|which|which number is|which of these is|tell me which is",
  },
  tests: {
    worked: ({ ops, kind }: Num) => ops > 0 && !(kind === 'any'),
    entire: ({ items, partial }: List) => items.length > 1 && partial !== true,
    mapping: ({ expr, ops }: Num) => ops > 0 && expr.split(HOLE).length === 2,
  },
  rules: [
    rule('request = <number> TAIL?', 'LEAD the? :? <number> TAIL?', '(what|how much) :? <number> TAIL', ([n]) =>
      n.ops > 0 ? calculated(n) : undefined,
    ),
    rule('request = (take|start with|begin with|start from) <number:plain>', ([n], { it }) =>
      it === undefined || it === 0 ? calculated(n) : undefined,
    ),
    rule('request = LEAD? <number> (as|in|to|into) (a|an)? (decimal|decimals|decimal number|number) TAIL?', ([n]) =>
      n.ops > 0 && n.kind === 'number' ? calculated(n) : undefined,
    ),
    rule('request = LEAD? (its|the|take the|take its)? <function> (of it|of that|of the result)?', ([name], setting) =>
      onIt((it) => call(name, it), setting),
    ),
    rule('request = (take|find|get|keep)? (a|one) <fraction> (of it|of that)?', ([by], setting) =>
      onIt((it) => product(it, '/', numeral(by)), setting),
    ),
    // Yes or no.
    rule('request = (is|are) <number:terms> <greater> than <number:terms> TAIL?', ([a, sign, b]) =>
      compared(a, sign, b),
    ),
    rule(
      'request = (is|are) <number:terms> (equal to|the same as|equals|=) <number:terms> TAIL? ,? SURELY?',
      '(does|do) <number:terms> (equal|make) <number:terms> TAIL?',
      '<number:terms> (=|==|equals|is) <number:terms> ,? SURELY? ENDSIGN?',
      ([a, b]) => compared(a, '==', b),
    ),
    rule('request = is <number:plain> (divisible by|a multiple of) <number:plain> TAIL?', ([a, b]) =>
      asks('calculate', { expression: `${a.expr} mod ${b.expr} == 0` }),
    ),
    rule('request = is <number:plain> (a|an)? <parity> number? TAIL?', ([a, parity]) =>
      asks('calculate', { expression: `${a.expr} mod 2 == ${parity === 'even' ? 0 : 1}` }),
    ),
    rule(
      'request = is <number:whole> a? (prime|prime number) TAIL?',
      'is <number:any> a? (prime|prime number) TAIL?',
      ([a]) => asks('calculate', { expression: `isPrime(${a.expr})` }),
    ),
    rule(
      'request = LEAD? the? (prime factors|prime factorization|prime factorisation|factorization) of <number:whole> TAIL?',
      '(factor|factorize|factorise) <number:whole> (into primes|into prime factors)?',
      ([n]) => asks('calculate', { expression: `factors(${n.expr})` }),
    ),
    rule(
      'request = WHICH the? <greater> (one|number)? (,|:|of)? <list:several> TAIL?',
      '#21 LEAD <list:several> ,? whichever is <greater>',
      '#21 which one? of <list:several> is the? <greater> TAIL?',
      ([sign, all]) => chosen(sign === '>' ? 'max' : 'min', all),
    ),
    rule(
      'request = WHICH? (of these|of them|number|one|value|of the following|of the numbers|of these numbers)? (is|are)? the? <aggregate:extreme> (number|one|value|of them|number here|one here|here)? (,|:|of)? <list:several> TAIL?',
      ([name, all]) => chosen(name as 'max' | 'min', all),
    ),
    // Two amounts of things that may be the same: "a kilo of feathers or a kilo of lead".
    rule(
      'request = WHICH the? <greater> (one)? (,|:)? <number:unit> of <topic> (or|and) <number:unit> of <topic> ENDSIGN?',
      ([sign, a, , b]) => {
        const [first, second] = [a, b].map(({ plain = Number.NaN, unit }) => plain * (unit?.factor ?? Number.NaN));
        if (a.kind !== b.kind || first === undefined) return undefined;
        return first === second ? answering('They are the same') : chosen(sign === '>' ? 'max' : 'min', list([a, b]));
      },
    ),
    // One operation for each of a list.
    rule(
      'request = LEAD? <list:several> ,? (and|plus|with) (the|their|a)? (total|sum|grand total) TAIL?',
      ([{ items }]) => several([...items.filter(({ ops }) => ops > 0), call('sum', ...items)]),
    ),
    rule('request = LEAD? <number:share> of (each of)? <list:entire> TAIL?', ([share, { items }]) =>
      items.every(({ ops }) => ops === 0) ? listed(items.map((n) => product(share, '*', n))) : undefined,
    ),
    rule(
      'request = (subtract|take|deduct) <number:amount> from (each|each of|all of|all|every one of) <list:entire>',
      ([n, { items }]) => listed(items.map((one) => sum(one, '-', n))),
    ),
    rule('request = LEAD? <mapped> TAIL?', ([{ items }]) => listed(items)),
    rule('request -0.05 = LEAD? <raise> <list:entire> TAIL?', ([by, { items }]) =>
      listed(items.map((one) => power(one, by))),
    ),
    rule('request -0.05 = LEAD? the? <function> of <list:entire> TAIL?', ([name, { items }]) =>
      listed(items.map((one) => call(name, one))),
    ),
    rule('number -0.1 = (it|that)', (_, { it }) =>
      it === undefined ? { ...numeral(HOLE), plain: undefined, said: undefined } : undefined,
    ),
    rule('number = OFEACH', () => ({ ...numeral(HOLE), plain: undefined, said: undefined })),
    rule(
      'request = LEAD? <number:mapping> (of|in)? (the|these|the following)? (numbers|values|list)? :? <list:entire>',
      ([map, { items }]) =>
        items.some(({ ops }) => ops > 0) ? undefined : listed(items.map((one) => inHole(map, one))),
    ),
    // Fractions, ratios and dozens.
    rule(
      'request = LEAD? <number:terms> (as|in|to|into|using) <number-form> TAIL?',
      '(write|express|convert|turn|show|give me|format|put) <number:terms> (as|in|to|into|using) <number-form>',
      ([n, form]) => inForm(n, form),
    ),
    rule('request = what fraction (is|are|does) <number:plain> (make|equal)? TAIL?', ([n]) => inForm(n)),
    rule(
      'request = (write|format|show|give me|print|put|display) <number:plain> (with|using) COMMAS',
      'add (the)? COMMAS to <number:plain>',
      ([n]) => calculated(n),
    ),
    rule(
      'request = (simplify|reduce) (the fraction)? <number:terms> (to lowest terms|to its lowest terms|fully)?',
      ([n]) => (n.ops > 0 ? inForm(n) : undefined),
    ),
    rule(
      'request = what fraction of <number:terms> (is|are) <number:terms> TAIL?',
      '#21 what fraction (is|are) <number:terms> of <number:terms> TAIL?',
      '#21 <number:terms> (is|are) what fraction of <number:terms> TAIL?',
      ([whole, n]) => inForm(product(n, '/', whole)),
    ),
    rule('request -0.05 = LEAD? <dozens> TAIL?', ([n]) => calculated(product(n, '*', numeral(12)))),
    // Steps on the earlier results.
    rule('request = the? (total|sum|grand total) of? (all|both|them|these|those|everything)?', (_, { tasks = [] }) =>
      tasks.length > 1 && tasks.every((task) => task === 'calculate')
        ? asks('calculate', { expression: `sum(${tasks.map((_, at) => `({{${at + 1}}})`).join(', ')})` })
        : undefined,
    ),
    rule(
      'request = (add|plus|+) (another|a further|an extra)? <number:factor> SHIPPING?',
      '(increase|raise|grow) by <number:factor>',
      ([n], setting) => (n.kind === 'any' ? undefined : onIt((it) => sum(it, '+', n), setting)),
    ),
    rule(
      'request = (subtract|deduct|minus|take away|take off|knock off|-) (another|a further|an extra)? <number:factor>',
      ([n], setting) => onIt((it) => sum(it, '-', n), setting),
    ),
    rule('request = (it|and it)? <rising> by? <number:share>', ([sign, n], setting) =>
      onIt((it) => sum(it, sign, n), setting),
    ),
    rule('request = (multiply by|multiply with|multiplied by|times|*|×) <number:factor>', ([n], setting) =>
      onIt((it) => product(it, '*', n), setting),
    ),
    rule(
      'request = (divide by|divided by|/|÷|divide it by|split by|split it by|split that by|split it between|split it among|split between|split among|share it between|share between) <number:factor> PEOPLE?',
      ([n], setting) => onIt((it) => product(it, '/', n), setting),
    ),
    rule('request = <squared>', ([by], setting) =>
      onIt((it) => operation(LEVEL.power, 'number', `${it.expr}^${by}`, it), setting),
    ),
    rule('request = ROUNDIT <decimals>?', ([places], setting) => onIt((it) => rounded('round', it, places), setting)),
    rule('request = ROUNDIT <way>', ([way], setting) => onIt((it) => call(way, it), setting)),
    rule('request = ROUNDIT <nearest>', ([to], setting) => onIt((it) => nearest(it, to), setting)),
    // Behind a die “twice” is how often it is rolled.
    rule('request -0.5 = <fold>', ([by], setting) =>
      setting.previous?.task === 'random' || setting.after === 'random'
        ? undefined
        : onIt((it) => product(numeral(by), '*', it), setting),
    ),
  ],
};
