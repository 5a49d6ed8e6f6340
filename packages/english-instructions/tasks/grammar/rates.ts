import type { Domain } from '../../language/grammar.ts';
import { type Unit, unitOf } from '../words/units.ts';
import { LEVEL, type Num, numeral, product, sum } from './number.ts';
import { rulesOf } from './rules.ts';
import { question } from './setting.ts';

/** An amount for each of a unit: "10 euros per hour". `paid`: of work, which is not done at all hours. */
interface Rate {
  readonly of: Num;
  readonly per: Unit;
  readonly paid?: boolean;
}
interface Measure {
  readonly unit: Unit;
}

/** How many there are in a year, as people count who earn and save: a month is a twelfth of it, and it has 52 weeks. */
const A_YEAR: Readonly<Record<string, number>> = { year: 1, month: 12, week: 52, day: 365 };
const tidy = (value: number): number => Number(value.toPrecision(12));

/** How many of a unit are in one of another. */
function within(unit: Unit, other: Unit): number | undefined {
  if (unit.kind !== other.kind) return undefined;
  const [a, b] = [A_YEAR[unit.math], A_YEAR[other.math]];
  const weekdays = unit.math === 'day' && other.math === 'week';
  return a === undefined || b === undefined || weekdays || (other.math === 'day' && unit.math === 'week')
    ? other.factor / unit.factor
    : a / b;
}
const scaled = (of: Num, by: number): Num =>
  by === 1 ? of : by >= 1 ? product(of, '*', numeral(tidy(by))) : product(of, '/', numeral(tidy(1 / by)));

/** `rate` for an amount of what it counts by. */
function forAmount({ of: amount, per }: Rate, { unit, plain }: Num): Num | undefined {
  const by = unit === undefined || plain === undefined ? undefined : within(per, unit);
  return by === undefined
    ? undefined
    : product(amount, '*', numeral(unit === per ? (plain as number) : tidy((plain as number) * by)));
}
const isHour = ({ symbol }: Unit): boolean => symbol === 'h';
function perOther({ of: amount, per, paid }: Rate, { unit }: Measure): Num | undefined {
  if (unit === per) return amount.ops > 0 ? amount : undefined;
  const by = paid === true && isHour(unit) !== isHour(per) ? undefined : within(per, unit);
  return by === undefined ? undefined : scaled(amount, by);
}
/** What is put aside each time to have an amount in the end. */
function eachTime(goal: Num, { unit }: Measure, time: Num): Num | undefined {
  const by = time.unit === undefined || time.plain === undefined ? undefined : within(unit, time.unit);
  return by === undefined ? undefined : product(goal, '/', numeral(tidy((time.plain as number) * by)));
}
const rule = rulesOf<Record<'per' | 'asked-per' | 'unit', Measure> & { over: Num; extra: Num; rate: Rate }>();

/** Amounts for each of a unit of time or of something else, and what they come to. */
export const RATES: Domain = {
  lexicon: {
    period: {
      'hourly|hour|an hour': 'h',
      'daily|day': 'day',
      'weekly|week': 'week',
      'monthly|month': 'month',
      'yearly|annual|annually|year|per annum|p.a.': 'year',
    },
    PER: 'per|a|an|/|each|every|for each|for every|in a|in one|for a|over a|by the',
    EARN: 'earn|make|get|get paid|am paid|earns|makes|gets|is paid|earned|made|earning|making',
    SPEND:
      'charge|charges|pay|spend|save|need|use|pays|spends|saves|saved|saving|put aside|set aside|put away|put by|putting aside|drink|eat|walk|run|drive|read|spending|paying|invest',
    WAGE: 'wage|wages|pay|salary|income|earnings|job|rate|pension',
    DUE: 'rent|cost|fee|price|subscription|bill|mortgage|payment|insurance|loan|allowance|netflix|gym|membership',
    ASKS: "how much|what|whats|what's|how much money|how many|hw much|how mch",
    COMESTO:
      'be|make|makes|earn|earns|get|gets|pay|pays|spend|save|cost|costs|come to|add up to|have|have saved|saved|get to|owe',
    ENOUGH:
      "until|till|until i|until we|till i|till we|until i have|until we have|until i've|until we've|does it take until i have|does it take until|does it take to|will it take to|do i need to|do we need to|to|for me to|before i have",
    ATTAIN: 'save|saved|saved up|save up|reach|reached|get|got|have|pay off|paid off|repay',
    SUPPOSE: 'if|when|say|suppose|assuming|given|so if|with',
  },
  tests: {},
  rules: [
    rule('per = PER <unit>'),
    rule('per = <period>', ([period]) => ({ unit: unitOf(period) })),
    rule('rate = <number> <per>', ([of, { unit }]) =>
      of.unit === undefined && of.kind !== 'percent' && of.level < LEVEL.sum ? { of, per: unit } : undefined,
    ),
    rule('rate = (a|an|the|my)? <period> WAGE (of|is) <number:terms>', ([period, of]) => ({
      of,
      per: unitOf(period),
      paid: true,
    })),
    rule('rate = (a|an|the|my)? <period> DUE (of|is) <number:terms>', ([period, of]) => ({ of, per: unitOf(period) })),
    rule('rate = SUPPOSE? (i|we|he|she|they|you)? EARN <rate>', ([rate]) => ({ ...rate, paid: true })),
    rule('rate = SUPPOSE? (i|we|he|she|they|you)? SPEND <rate>'),
    rule(
      'rate = (i|we|he|she|they)? (work|works|working) <number:time> <per> (at|for|and earn|and get|,) <number:terms> (an hour|per hour|each hour|hourly)?',
      ([time, { unit }, wage]) =>
        time.plain === undefined || wage.kind === 'percent' || (time.unit && !isHour(time.unit))
          ? undefined
          : { of: product(numeral(time.plain), '*', wage), per: unit },
    ),
    rule(
      'over = <rate> ,? (for|times|*|over|in|,|during|and work|and i work|i work|and i worked|and worked|and did|and i did|worked|after)? <number:time> (this week|last week|this month|last month|today|yesterday)?',
      ([rate, n]) => forAmount(rate, n),
    ),
    rule('TOTALED = <sum-asked>'),
    rule(
      'HOWMUCH = SEP? (is|makes)? ASKS (is|are|was|will|would|do|does|did|have|can|must|should)? (that|it|this|i|we|he|she|they|you)? (have to|need to)? COMESTO?',
    ),
    rule('number = <over>', 'SUPPOSE <over>', '<over> TOTALED'),
    rule(
      'number = <rate> HOWMUCH INALL? (after|in|over|within|by the end of|for) <number:time>',
      '-0.1 = <rate> SEP? (and|for|i need|i buy|i bought|i used|we used|we need|i put in|buying|we buy|times|x|used|at)? <number:unit> <sum-asked>',
      ([rate, n]) => forAmount(rate, n),
    ),
    rule(
      'number 0.1 = WHATIS? (the|my)? (total|overall)? <period> (cost|costs|price|total|amount|spending|expense|bill) (of|for|at|from) <rate>',
      ([period, rate]) => perOther(rate, { unit: unitOf(period) as Unit }),
    ),
    rule('number = <number:unit> (at|for|of|x|times) <rate>', ([n, rate]) => forAmount(rate, n)),
    // So much of a thing, and something on top of it.
    rule(
      'number -0.15 = <number:terms> SEP? (plus|and|+|with) (a|an|the)? <extra> <sum-asked>?',
      '-0.1 = <over> SEP? (plus|and|+|with) (a|an|the)? <extra> <sum-asked>?',
      ([n, more]) => (n.ops > 0 ? sum(n, '+', more) : undefined),
    ),
    rule('extra = <number:atom> (in|for|of)? <topic>', '#2 <topic> (of|for)? <number:atom>', ([n]) =>
      n.kind === 'number' || n.kind === 'money' ? n : undefined,
    ),
    rule('number -0.1 = <number:time> (at|of) <number:terms>', ([n, of]) =>
      n.plain !== undefined && n.ops === 0 && (of.kind === 'number' || of.kind === 'money')
        ? product(numeral(n.plain), '*', of)
        : undefined,
    ),
    rule(
      'asked-per = HOWMUCH <per>',
      'SEP? WHATIS? (my|the|his|her|our|total|your)? <per> WAGE ENDSIGN?',
      'SEP? WHATIS? (my|the|his|her|our|total|your)? <per> DUE ENDSIGN?',
      'HOWMUCH (my|the|a) <per> WAGE',
      'HOWMUCH (my|the|a) <per> DUE',
    ),
    rule('number = <rate> <asked-per>', '<rate> SEP? (in|as|to)? <per> ENDSIGN?', ([rate, to]) => perOther(rate, to)),
    rule('number -0.3 = <rate> (for|on|in) …:thing <asked-per>', ([rate, , to]) => perOther(rate, to)),
    rule(
      'number = (how much|what|how much money) (do|must|should|would|will) (i|we|you) (need to|have to|want to)? SPEND <per> (to|for|if i want to|in order to) (have|get|reach|save|make|afford|save up|pay|get to)? <number:terms> (in|within|after|over|by) <number:time>',
      '#312 <number:terms> (in|within|over) <number:time> ,? (how much|what) (is that|is it|must i save|do i save|do i need)? <per>',
      ([unit, goal, time]) => eachTime(goal, unit, time),
    ),
    rule(
      'number = WHATIS? (my|the)? <period> WAGE (if|when) (i|we|he|she)? EARN <number:terms> (for|in) <number:time> ENDSIGN?',
      ([period, n, time]) => eachTime(n, { unit: unitOf(period) as Unit }, time),
    ),
    // How often something is put aside until it is enough.
    rule(
      'number = how many <unit> ENOUGH ATTAIN? <number:terms> (,|if|when|with|at|and)? <rate>',
      '#231 <rate> SEP? how many <unit> ENOUGH ATTAIN? <number:terms>',
      ([{ unit }, goal, { of: amount, per }]) => {
        const by = within(unit, per);
        return by === undefined ? undefined : scaled(product(goal, '/', amount), by);
      },
    ),
    rule(
      'number = how many <number:terms> (coins|coin|bills|notes|stamps|pieces) (make up|make|are in|in|go into|are there in|do i need for|are needed for|add up to) <number:terms>',
      ([one, all]) =>
        one.kind === 'money' && all.kind === 'money' && (one.currency ?? 'GBP') === all.currency
          ? product(all, '/', one)
          : undefined,
    ),
    // Work is not done at all hours.
    rule('request = <rate> <asked-per>', ([{ of: amount, per, paid }, { unit }]) =>
      paid === true && isHour(per) && !isHour(unit)
        ? question(
            'calculate',
            'For how many hours of work a week?',
            `${amount.expr} an hour, {} hours a week, how much is that per ${unit.math}`,
          )
        : undefined,
    ),
  ],
};
