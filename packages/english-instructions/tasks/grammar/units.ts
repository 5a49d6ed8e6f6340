import type { Domain, Recognizer } from '../../language/grammar.ts';
import type { Planned } from '../clause.ts';
import { mixedOf, quantityOf } from '../convert/quantities.ts';
import { currencyOf } from '../words/currency.ts';
import { beginsUnit, type Unit, unitOf } from '../words/units.ts';
import { LEVEL, type List, type Num, numeral, product, within } from './number.ts';
import { rulesOf } from './rules.ts';
import { asks, type Request } from './setting.ts';
import { isThing } from './times.ts';

/** A unit, or a quotient of two, as a target or behind a number. */
export interface Measure {
  readonly unit: Unit;
  readonly text: string;
}
const MAX_UNIT = 5;
const MAX_CURRENCY = 2;
const NO_UNIT = new Set(['a', 'an', 'the', 'are', 'as']);

const recognize: Recognizer = (tokens, add) => {
  for (const [start, token] of tokens.entries()) {
    if (token.kind === 'quoted' || token.kind === 'json' || token.kind === 'data' || NO_UNIT.has(token.lower)) continue;
    if (token.kind === 'number') continue;
    let text = '';
    const max = beginsUnit(token.lower) ? MAX_UNIT : MAX_CURRENCY;
    for (let to = start; to < Math.min(start + max, tokens.length); to++) {
      const { kind, text: part, spaced, lower } = tokens[to] as (typeof tokens)[number];
      if (kind !== 'word' && kind !== 'sign' && kind !== 'number') break;
      if (lower === ',' || lower === ':' || lower === ';') break;
      text += `${spaced && to > start ? ' ' : ''}${part}`;
      const unit = unitOf(text);
      // "300k" is a number of thousands before it is one of kelvin.
      const scaled = to === start && !spaced && /^[kKM]$/.test(text) && tokens[start - 1]?.kind === 'number';
      // "100 in the ratio" is no length, and "the two of us" no time.
      const link =
        (text === 'in' && /^(?:the|a|an|my|your|our|this|that|total|all)$/.test(tokens[to + 1]?.lower ?? '')) ||
        (text === 'us' && tokens[start - 1]?.lower === 'of');
      if (unit !== undefined) add('unit', start, to + 1, { unit, text } satisfies Measure, scaled || link ? -0.5 : 0);
      const money = to < start + MAX_CURRENCY ? currencyOf(text) : undefined;
      if (money !== undefined) add('currency', start, to + 1, money);
    }
    // The sign of the rand is no name elsewhere.
    if (token.text === 'R' && tokens[start + 1]?.kind === 'number') add('currency', start, start + 1, 'ZAR');
  }
};

/** "5 km". Units without a name in expressions can only be converted. */
const quantity = (n: Num, { unit, text }: Measure): Num => ({
  expr: `${n.expr} ${unit.math}`,
  level: LEVEL.atom,
  ops: n.ops,
  kind: unit.kind,
  plain: n.plain,
  unit,
  said: n.said === undefined ? undefined : `${n.said} ${text}`,
});

const money = (n: Num, currency: string): Num => ({ ...n, kind: 'money', said: undefined, currency });

function raised({ unit }: Measure, by: 2 | 3): Measure | undefined {
  const own = unit.kind === 'length' ? unitOf(`${unit.symbol}^${by}`) : undefined;
  return own && { unit: own, text: `${unit.symbol}^${by}` };
}

const tidy = (value: number): number => Number(value.toPrecision(12));

/** A difference of temperatures has no zero of its own. */
function difference(n: Num, unit: Unit): Request | undefined {
  if (n.unit === undefined || n.kind !== 'temperature' || unit.kind !== n.kind || n.plain === undefined)
    return undefined;
  const degree = (one: Unit): number => (one.symbol === '°F' ? 5 / 9 : 1);
  const by = degree(n.unit) / degree(unit);
  return asks('calculate', { expression: by < 1 ? `${n.plain} / ${tidy(1 / by)}` : `${n.plain} * ${tidy(by)}` });
}

/** A quotient of units: "MB/s". */
const per = (measure: Measure, other: Measure): Measure | undefined =>
  measure.unit.math === '' || other.unit.math === '' || measure.unit.kind === other.unit.kind
    ? undefined
    : {
        unit: {
          kind: `${measure.unit.kind}/${other.unit.kind}`,
          symbol: '',
          math: `${measure.unit.math}/${other.unit.math}`,
          factor: measure.unit.factor / other.unit.factor,
        },
        text: `${measure.text}/${other.text}`,
      };

/** "5 ft 3 in": the smaller unit stands second and fills less than one of the larger. */
function both(larger: Num, smaller: Num): Num | undefined {
  if (larger.unit === undefined || smaller.unit === undefined || larger.unit.kind !== smaller.unit.kind)
    return undefined;
  if (larger.unit.factor <= smaller.unit.factor || larger.unit.kind === 'temperature' || larger.ops + smaller.ops > 0)
    return undefined;
  const wording =
    larger.said === undefined || smaller.said === undefined ? undefined : `${larger.said} ${smaller.said}`;
  return {
    expr: `(${bareOf(larger)} + ${smaller.expr})`,
    level: LEVEL.atom,
    ops: 0,
    kind: larger.kind,
    unit: smaller.unit,
    said: wording,
  };
}
const bareOf = ({ expr }: Num): string => expr.replace(/^\((.*)\)$/, '$1');

/** A unit that has its own size in a region: "gallons (US)". */
function local(text: string, region: string): Measure | undefined {
  const named = `${region} ${text}`;
  const unit = unitOf(named);
  return unit && { unit, text: named };
}

const fits = (n: Num, unit: Unit): boolean =>
  n.kind === unit.kind ||
  n.kind === 'compound' ||
  (n.unit?.symbol === 'oz' && unit.kind === 'volume') ||
  (n.kind === 'volume' && unit.symbol === 'oz');

/** The conversion of an amount: what is only an amount goes to `convert`, a calculation to `calculate`. */
function converted(n: Num, { unit, text }: Measure): Planned | undefined {
  if (!fits(n, unit) || (n.kind === 'temperature' && n.ops > 0)) return undefined;
  if (n.said !== undefined && n.ops === 0 && n.unit !== undefined && !unit.kind.includes('/'))
    return { task: 'convert', input: { from: n.said, to: text } };
  if (unit.math === '' || n.unit?.math === '') return undefined;
  return { task: 'calculate', input: { expression: `${within(n, LEVEL.product)} to ${unit.math}` } };
}

/** One conversion for each of several amounts or units. */
export function conversions(all: readonly Num[], to: readonly Measure[]): Request | undefined {
  const steps = all.flatMap((n) => to.map((one) => converted(n, one)));
  return steps.every((one) => one !== undefined) && steps.length > 0 ? { steps } : undefined;
}

/** The amounts of a list of numbers before one unit: "5, 10 and 15 miles"; undefined for a mixture with calculations. */
export function distributed({ items }: List): readonly Num[] | undefined {
  const [one, other, more] = items;
  // "2 hours and 15 minutes" is one amount.
  if (one !== undefined && other !== undefined && more === undefined && both(one, other) !== undefined)
    return undefined;
  const { unit, said } = items.at(-1) ?? {};
  const text = said?.replace(/^[-+\d.,/ ]+/, '');
  if (unit === undefined || text === undefined || items.some(({ ops }) => ops > 0)) return undefined;
  return items.map((one) => (one.unit === undefined ? quantity(one, { unit, text }) : one));
}

const areaOf = (a: Num, b: Num): Num | undefined =>
  a.kind === 'length' && b.kind === 'length' ? { ...product(a, '*', b), kind: 'area' } : undefined;

/** The mass of so much water, or the room that it fills. */
const weighed = (n: Num, { unit }: Measure): Request | undefined =>
  (n.kind === 'volume' && unit.kind === 'mass') || (n.kind === 'mass' && unit.kind === 'volume')
    ? asks('calculate', { expression: `${n.expr} ${n.kind === 'volume' ? '*' : '/'} 1 kg/L to ${unit.math}` })
    : undefined;

/** The unit that is left out behind another one. */
const PARTS_OF: Readonly<Record<string, string>> = { ft: 'in', st: 'lb', lb: 'oz' };

const rule = rulesOf<
  Record<'in-that' | 'unit', Measure> &
    Record<'share-of-one' | 'statement' | 'surface', Num> & {
      request: Request;
      decimals: number;
      pairs: readonly Planned[];
      target: readonly Measure[];
    }
>();

/** Amounts with units and currencies, rates, and conversions. */
export const UNITS: Domain = {
  lexicon: {
    CONVERT: 'convert|change|turn|express|transform|translate|give me|show|show me|write|put',
    INTO: 'to|in|into|as|=|in to|->|→|=>|= ?',
    region: { 'us|american': 'US', 'uk|imperial|british': 'imperial' },
    FITS: 'are|fit|go|are there|can i get|can i fill|do i get|do i need|do i need for|cover|fill|will fit|are needed for|needed for|would fit',
    CENTS: 'cents|cent|pence|p|¢',
    SIZED: 'long|far|tall|heavy|hot|cold|warm|big|fast|much|old|high|wide|deep|many',
    SAIDIT: 'that|it|this|they|those',
    MEASURES: 'weigh|weighs|am|is|have|has|need|needs|drove|ran|walked|bought|got|are|was|measure|measures|says',
    MEASURED: 'tall|long|heavy|old|far|wide|high|here',
  },
  recognize,
  tests: {
    unit: ({ unit, ops }: Num) => unit !== undefined && ops === 0,
    money: ({ kind }: Num) => kind === 'money',
    time: ({ kind }: Num) => kind === 'time',
    hours: ({ unit, ops }: Num) => unit?.symbol === 'h' && ops === 0,
    divided: ({ unit, ops }: Num) => PARTS_OF[unit?.symbol ?? ''] !== undefined && ops === 0,
    measured: ({ kind }: Num) => kind !== 'number' && kind !== 'percent' && kind !== 'money' && kind !== 'any',
  },
  rules: [
    rule('unit -0.05 = <unit> (per|/|a|an) <unit>', ([a, b]) => per(a, b)),
    rule('number = <number:plain> of? <unit>', '0.1 = <share-of-one> (of a|of an|of)? <unit>', ([n, unit]) =>
      quantity(n, unit),
    ),
    rule('number -0.05 = (a|an|one) <unit>', ([unit]) => quantity(numeral(1), unit)),
    rule('number = (half a|half an|half of a) <unit>', ([unit]) => quantity(numeral(0.5), unit)),
    rule('number = (a|an|one) <unit> and a <fraction>', ([unit, by]) => quantity(numeral(1 + 1 / by), unit)),
    rule('number = <number:plain> <unit> and a half', ([n, unit]) =>
      quantity(numeral((n.plain as number) + 0.5), unit),
    ),
    rule('number = a <fraction> of (a|an) <unit>', '-0.05 = (a|one)? <fraction> <unit>', ([by, unit]) =>
      quantity(numeral(1 / by), unit),
    ),
    rule('number 0.05 = <number:unit> and? <number:unit>', '-0.1 = <number:unit> , <number:unit>', ([a, b]) =>
      both(a, b),
    ),
    // "5 foot 7", "12 stone 4", "7 lb 3".
    rule('number = <number:divided> <number:plain>', ([a, b]) => {
      const text = PARTS_OF[a.unit?.symbol ?? ''] as string;
      return both(a, quantity(b, { unit: unitOf(text) as Unit, text: text === 'in' ? '' : text }));
    }),
    rule('number = <currency> <number:plain>', '#21 <number:plain> <currency>', ([currency, n]) => money(n, currency)),
    // Of several countries, so that it has no code.
    rule('number -0.1 = <number:plain> (kr|kr.|kronor|kroner|rs|rs.)', '#2 (kr|kr.|rs|rs.) <number:plain>', ([n]) => ({
      ...n,
      kind: 'money',
      said: undefined,
    })),
    rule('number = <number:plain> CENTS', ([n]) => ({
      ...numeral(Number(((n.plain as number) / 100).toPrecision(12)), 'money'),
      said: undefined,
    })),
    rule('number = <number:money> (and|,)? <number:whole> CENTS', ([a, b]) => ({
      ...numeral(Number(((a.plain as number) + (b.plain as number) / 100).toPrecision(12)), 'money'),
      said: undefined,
      currency: a.currency,
    })),
    rule('request = LEAD? a? temperature difference of <number:unit> INTO <unit>', ([n, { unit }]) =>
      difference(n, unit),
    ),
    rule('number -0.1 = (a|one) leap year', () =>
      quantity(numeral(366), { unit: unitOf('day') as Unit, text: 'days' }),
    ),
    rule('number -0.05 = <surface>'),
    rule('unit -0.1 = (square|sq) <unit>', ([m]) => raised(m, 2)),
    rule('unit -0.1 = (cubic|cu) <unit>', ([m]) => raised(m, 3)),
    rule('unit = <unit> OPEN <region> CLOSE', ([{ text }, region]) => local(text, region)),
    rule(
      'request = (how many|how much) <unit> (is|are|in|are in|are there in|is in) <number:measured> ENDSIGN? OPEN <region> CLOSE',
      ([{ text }, n, region]) => {
        const to = local(text, region);
        return to && conversions([n], [to]);
      },
    ),
    rule('number -0.2 = <number:hours> <number:whole>', ([a, b]) =>
      (b.plain as number) < 60 ? both(a, quantity(b, { unit: unitOf('min') as Unit, text: 'min' })) : undefined,
    ),
    rule('number = <number:hours> <number:plain> m', ([a, b]) =>
      both(a, quantity(b, { unit: unitOf('min') as Unit, text: 'min' })),
    ),
    rule(
      'number -0.3 = how many <number:unit> … FITS? (in|into|in a|from|out of|with|along|across|on|over) (a|an|the|my)? <number:unit> <topic>?',
      ([a, thing, b]) => (a.kind === b.kind && isThing(thing.text) ? product(b, '/', a) : undefined),
    ),
    rule('surface = (a|an|the|my)? <number:unit> (by|x|×) <number:unit> <topic>?', ([a, b]) => areaOf(a, b)),
    rule(
      'number -0.2 = how many <topic> (of|that are|measuring)? <surface> FITS (in|into|on|across|over|up)? <surface> ENDSIGN?',
      ([thing, one, all]) =>
        unitOf(thing.split(' ')[0] as string) === undefined
          ? product(all, '/', { ...one, expr: `(${one.expr})`, level: LEVEL.atom })
          : undefined,
    ),
    rule(
      'number -0.3 = <number:whole> …:thing (at|for|costing|of) <number> (each|apiece|a piece|per piece|per unit|each one)',
      ([n, , price]) => product(n, '*', price),
    ),
    rule(
      'request -0.1 = (i have|we have|there are|i bought|we bought)? <number:whole> <topic> (of|at|with|holding) <number:unit> each? SEP? (how many|how much) <unit> (is that|is it|are there|do i have|in it)? INALL? ENDSIGN?',
      ([n, , one, to]) => conversions([product(n, '*', one)], [to]),
    ),
    rule('number -0.3 = (a|one) dozen …:thing (at|for) <number> (each|apiece|a piece|per piece)', ([, price]) =>
      product(numeral(12), '*', price),
    ),
    rule(
      'number -0.3 = total? (weight|length|cost|price|volume|height|thickness) (of|for) <number:whole> …:thing (of|at|with) <number:terms> (each|apiece)?',
      ([n, , one]) => (one.kind === 'percent' ? undefined : product(n, '*', one)),
    ),
    // Conversions.
    rule('target = <unit>', ([unit]) => [unit]),
    rule(
      'target = <target> ,? (and|and then|then|and also|and after that|as well as) (to|in|into) <unit>',
      '<target> , (to|in|into) <unit>',
      ([all, unit]) => [...all, unit],
    ),
    rule(
      'request = CONVERT? LEAD? <number:measured> INTO <target>',
      '(what|how much) <number:measured> (is|are|would be|equals) INTO <target>',
      '-0.1 = <number:measured> SEP? (how many|how much) (is that in)? <target>',
      '-0.2 = CONVERT? LEAD? (a|an|my|the)? <number:unit> (run|race|walk|swim|drive|trip|ride|hike|journey|flight) INTO <target>',
      ([n, to]) => conversions([n], to),
    ),
    rule('request -0.2 = CONVERT <unit> <number:plain> INTO <target>', ([named, n, to]) =>
      named.unit.kind === 'temperature' ? conversions([quantity(n, named)], to) : undefined,
    ),
    // Several amounts, each into its own unit.
    rule('pairs = CONVERT <number:unit> INTO <unit>', ([n, to]) => conversions([n], [to])?.steps),
    rule('pairs = <pairs> (,|and|, and|&) <number:unit> INTO <unit>', ([all, n, to]) => {
      const { steps } = conversions([n], [to]) ?? {};
      return steps && [...all, ...steps];
    }),
    rule('request = <pairs>', ([steps]) => (steps.length > 1 ? { steps } : undefined)),
    rule('request = CONVERT? LEAD? <list:several> INTO <target>', ([all, to]) =>
      conversions(distributed(all) ?? [], to),
    ),
    rule(
      'request = CONVERT? LEAD? <number:unit> INTO <unit> (and|n|&) <unit>',
      '(how|so how) SIZED (is|are) <number:unit> INTO <unit> (and|n|&) <unit>',
      '#312 how many <unit> (and|n|&) <unit> (is|are|in|are in|are there in) <number:unit>',
      ([n, a, b]) => mixed(n, a, b),
    ),
    rule('request = CONVERT? LEAD? <number:unit> INTO <unit> ,? <unit> (and|, and) <unit>', ([n, ...units]) =>
      mixed(n, ...units),
    ),
    rule(
      'request = (how many|how much) <unit> SIZED? (is|are|in|are in|are there in|is in|make|makes|make up) <number:measured>',
      '#21 <number:unit> (is|are|=|equals|makes|in|to|,)? how many <unit>',
      '#21 (how|so how) SIZED (is|are) <number:measured> INTO <unit>',
      '#21 <statement> SEP? <in-that>',
      ([to, n]) => conversions([n], [to]),
    ),
    rule('request -0.1 = <unit> in <number:unit>', ([to, n]) =>
      to.unit.kind === n.kind ? conversions([n], [to]) : undefined,
    ),
    // A litre of water weighs a kilogram.
    rule(
      'request = CONVERT? LEAD? (the|a|an)? (weight of|mass of)? (a|an|the)? <number:unit> of? water INTO <unit>',
      '(how heavy is|how heavy are|how much do|how much does|what does|what do) <number:unit> of? water weigh? INTO <unit>',
      ([n, to]) => weighed(n, to),
    ),
    rule('request -0.2 = <unit> (in|per) (a|an|one|1) <unit>', ([to, one]) =>
      to.unit.kind === one.unit.kind && to.unit !== one.unit
        ? conversions([quantity(numeral(1), one)], [to])
        : undefined,
    ),
    rule('request -0.3 = (how many|how much) <unit> (is|are|in) (a|an|the|my) …:thing of <number:unit>', ([to, , n]) =>
      conversions([n], [to]),
    ),
    rule(
      'statement = (i|we|it|he|she|this|that|they|my) MEASURES <number:unit> MEASURED?',
      "(i'm|im|he's|she's|it's|its|hes|shes|they're) <number:unit> MEASURED?",
      '-0.1 = MEASURES <number:unit> MEASURED?',
      '-0.3 = #2 (the|my|a|an)? <topic> (at|of|set to|set at|on) <number:unit>',
      '-0.3 = (i|we|he|she|they) MEASURES <number:unit> of <literal>',
      '-0.3 = #2 (the|my|a|an|our|his|her)? <topic> MEASURES <number:unit> MEASURED?',
      '-0.1 = #2 (the|a)? <unit> (is|are) <number:unit>',
    ),
    // What is rounded is the result, in its own unit.
    rule('request 0.1 = <request> ,? ROUNDED? <decimals>', ([{ steps }, places]) => roundedIn(steps, places)),
    rule(
      'in-that = so? ASK SAIDIT INTO <unit>',
      '-0.1 = (what|whats|how much)? (in|to|into) <unit> ENDSIGN?',
      'so? how SIZED is SAIDIT INTO <unit>',
      'so? how many <unit> (is|are|would|makes|make) SAIDIT (be|make)?',
      '-0.2 = SEP (what|how much)? (in|to|into)? <unit> ENDSIGN?',
    ),
  ],
};

/** A conversion that is rounded to so many decimals. */
function roundedIn([step, more]: readonly Planned[], places: number): Request | undefined {
  const { from, to } = step?.task === 'convert' && more === undefined ? step.input : {};
  const unit = typeof to === 'string' ? unitOf(to) : undefined;
  const amount = typeof from === 'string' ? quantityOf(from) : undefined;
  return amount === undefined || unit === undefined || amount.unit.math === '' || unit.math === ''
    ? undefined
    : asks('calculate', { expression: `round(${amount.amount} ${amount.unit.math} to ${unit.math}, ${places})` });
}

function mixed(n: Num, ...units: readonly Measure[]): Request | undefined {
  const names = units.map(({ text }) => text);
  const to = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return n.said === undefined || n.unit?.kind !== units[0]?.unit.kind || mixedOf(to) === undefined
    ? undefined
    : asks('convert', { from: n.said, to });
}
