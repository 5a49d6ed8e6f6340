import { closed } from '@mailroom/behavior/values/closed';
import { Type } from 'typebox';
import { askedSum, type Clause, isSum, type Reading } from '../clause.ts';
import { inMixed } from '../convert/quantities.ts';
import { understand } from '../grammar/index.ts';
import { numberList } from '../grammar/number-list.ts';
import { TaskError, task } from '../task.ts';
import { type Figure, figureOf } from '../words/figures.ts';
import { type Unit, unitOf } from '../words/units.ts';
import { type Calculated, type Engine, engineNow, loadEngine, MAX_EXPRESSION, NoResult } from './engine.ts';
import { solved } from './equation.ts';
import { expressionOf, plainSum } from './expression.ts';

const Input = closed({
  expression: Type.String({
    minLength: 1,
    maxLength: 70_000,
    description: `What to calculate: "12*(3+4)", "15% of 80", "sum(3, 5, 9)", "3 km + 200 m in m". Up to ${MAX_EXPRESSION} characters.`,
  }),
  'currency?': Type.String({
    pattern: '^[A-Z]{3}$',
    description: 'ISO 4217 code of the amounts, which the answer is shown in.',
  }),
  'percent?': Type.Boolean({ description: 'Whether the answer is shown with a percent sign.' }),
});

/** How a result is shown. */
interface Shown {
  readonly currency: string | undefined;
  readonly percent: boolean | undefined;
}

const Output = closed({
  result: Type.Union(
    [Type.Number(), Type.String(), Type.Boolean(), Type.Null(), Type.Array(Type.Union([Type.Number(), Type.String()]))],
    {
      description:
        'The number; with its unit as text if it has one. Text too where a JSON number would not be exact. Whether a comparison holds. Null where there is no result. Of `[1 + 1, 2 + 1]` the list.',
    },
  ),
  value: Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()], {
    description: 'The number without its unit.',
  }),
  unit: Type.Union([Type.String(), Type.Null()]),
  text: Type.String({ description: 'For people, with thousands separators.' }),
  expression: Type.String({ description: 'What was calculated.' }),
  'found?': Type.Literal(0, { description: 'There is no result.' }),
});

const LOOKS_ELSE =
  /^\d{4}-\d{1,2}-\d{1,2}\b|^\d{1,2}\/\d{1,2}(?:\/\d{2,4})?$|^\+?\d{2,4}[ -]\d{3,}[ -]?\d{3,}$|^\d{3}-\d{4}$/;
const BARE = /^(?:calculate|compute|calc|evaluate|work out)(?: (?:it|this|that|the following))?$/i;
const LED = /^(?:calculate|compute|calc|evaluate|work out) (?=\S)/i;
/** A question with spaces around its signs, which is read as it is written; a share of what is not said is none. */
const ASKED = /^what(?:['’]?s| is) (?=(?:% of |%(?! [-+])|[\d.()]| [-+*/] )+$)/i;
const DEGREES = /(?:[+-]|plus|minus|difference|sum)/i;
const TWO_TEMPERATURES = /(?:° ?[cf]|celsius|fahrenheit)\b[^°]{0,60}?(?:° ?[cf]|celsius|fahrenheit)\b/i;

const question = (sure: number, ask: string): Reading => ({ sure, ask, answered: (answer) => `calculate ${answer}` });

function read(clause: Clause): Reading | undefined {
  const { text, data, it } = clause;
  if (text.length > MAX_EXPRESSION) return undefined;
  if (BARE.test(text)) return ofGiven(data ?? (it === undefined ? undefined : `({{${it}}})`));
  const sum = data === undefined ? (askedSum(text) ?? (isSum(clause) ? text : undefined)) : undefined;
  if (sum !== undefined) {
    const bare = sum.replace(LED, '').replace(ASKED, '');
    const expression = plainSum(bare);
    const led = LED.test(text);
    // A number alone is nothing to calculate, and neither is a date or a telephone number.
    if (
      expression !== undefined &&
      (led || (/\d ?%?\)? ?[-+*/^ ].*\d/.test(expression) && !LOOKS_ELSE.test(expression)))
    )
      return { sure: bare === sum ? 0.7 : 1, input: { expression } };
  }
  const covered = understand(clause);
  if (covered?.task === 'calculate') return covered.reading;
  if (data !== undefined) return undefined;
  if (text.length < 200 && DEGREES.test(text) && TWO_TEMPERATURES.test(text) && /\d/.test(text))
    return question(
      0.9,
      'I cannot tell a temperature from a difference of temperatures here. What is to be calculated, in one unit?',
    );
  return undefined;
}

/** "calculate: 2+3", with the calculation behind the colon, or from the step before. */
function ofGiven(given: string | undefined): Reading | undefined {
  if (given === undefined) return question(0.9, 'Calculate what?');
  if (given.length > MAX_EXPRESSION || numberList(given) !== undefined) return undefined;
  return { sure: 0.95, input: { expression: given.startsWith('(') ? given : expressionOf(given) } };
}

const COMPARED = /^([^<>=]{1,1000}) ([<>]=?|==) ([^<>=]{1,1000})$/;
const IN_FORM = /^(fraction|scientific)\((.{1,1000})\)$/;
/** A result that is filled in stands in brackets of its own. */
const OF_WHOLE = /^(isPrime|factors)\({1,3}(\d{1,13})\){1,3}$/;

/** The answer to a yes-no question, or the prime factors; undefined for an expression. */
function special(expression: string, engine: Engine) {
  const [, name, whole] = OF_WHOLE.exec(expression) ?? [];
  if (name !== undefined) {
    const factors = primeFactors(Number(whole));
    if (name === 'factors') return answered(factors.join(' × '), factors.join(' × '), expression);
    const prime = factors.length === 1 && Number(whole) > 1;
    const parts = prime || factors.length < 2 ? '' : `: ${whole} = ${factors.join(' × ')}`;
    return answered(prime, `${prime ? 'Yes' : 'No'}${parts}`, expression);
  }
  const [, form, calculation] = IN_FORM.exec(expression) ?? [];
  if (calculation !== undefined) {
    const value = Number(engine.calculate(expressionOf(calculation)).value);
    const text = form === 'fraction' ? fractionOf(value) : value.toExponential().replace(/e\+?/, ' × 10^');
    if (text === undefined) throw new TaskError('That is no fraction of small whole numbers.');
    return answered(text, text, calculation);
  }
  const solution = solved(expression, engine);
  if (solution !== undefined) {
    const { unknown, values, equation } = solution;
    const [only, other] = values;
    const text = values.map((value) => `${unknown} = ${value}`).join(' or ');
    return answered(only !== undefined && other === undefined ? only : values.join(' or '), text, equation);
  }
  const [, leftSide, sign, rightSide] = COMPARED.exec(expression) ?? [];
  if (leftSide === undefined || rightSide === undefined) return undefined;
  const difference = differenceOf(leftSide, rightSide, engine);
  const relation = difference > 0 ? '>' : difference < 0 ? '<' : '=';
  const holds = { '>': difference > 0, '<': difference < 0, '>=': difference >= 0, '<=': difference <= 0 }[sign as '>'];
  const is = holds ?? difference === 0;
  // Only what is true stands behind the answer.
  const differs = sign === '==' && !is && /[^\d.\s]/.test(leftSide);
  const statement = differs
    ? `${leftSide} = ${figureOf(engine.calculate(leftSide).value).text}`
    : `${leftSide} ${relation} ${rightSide}`;
  return answered(is, `${is ? 'Yes' : 'No'}: ${statement}`, expression);
}

/** The parts of a list in brackets, which are calculated each by itself; undefined for another expression. */
function partsOf(expression: string): readonly string[] | undefined {
  if (!/^\[.*\]$/s.test(expression)) return undefined;
  const parts = [''];
  let depth = 0;
  for (const sign of expression.slice(1, -1)) {
    if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth--;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return depth === 0 && parts.every((part) => /\d/.test(part) && !part.includes('[')) ? parts : undefined;
}

/** Kelvin of a temperature; undefined of anything else. */
function kelvinOf({ value, unit }: Calculated): number | undefined {
  const degrees = Number(value);
  if (unit === '°C') return degrees + 273.15;
  if (unit === '°F') return ((degrees - 32) * 5) / 9 + 273.15;
  return unit === 'K' ? degrees : undefined;
}

/** How much the one side is more than the other. Nothing is compared across units, which the subtraction refuses. */
function differenceOf(leftSide: string, rightSide: string, engine: Engine): number {
  const [one, other] = [leftSide, rightSide].map((side) => kelvinOf(engine.calculate(side)));
  // The library subtracts degrees of different scales as if they had one zero.
  if (one !== undefined && other !== undefined) return Math.abs(one - other) < 1e-9 ? 0 : one - other;
  return Number(engine.calculate(`(${leftSide}) - (${rightSide})`).value);
}

const answered = (result: boolean | string | number, text: string, expression: string) => ({
  result,
  value: result,
  unit: null,
  text,
  expression,
});

const MAX_BELOW = 100_000;
/** A number as a fraction in lowest terms, by its continued fraction; undefined when it is none of small whole numbers. */
function fractionOf(value: number): string | undefined {
  let rest = Math.abs(value);
  let [above, below, aboveBefore, belowBefore] = [1, 0, 0, 1];
  while (below <= MAX_BELOW && rest < 1e12) {
    const whole = Math.floor(rest + 1e-9);
    [above, aboveBefore] = [whole * above + aboveBefore, above];
    [below, belowBefore] = [whole * below + belowBefore, below];
    if (Math.abs(above / below - Math.abs(value)) < 1e-12 * Math.max(1, above / below))
      return `${value < 0 ? '-' : ''}${above}${below === 1 ? '' : `/${below}`}`;
    rest = 1 / (rest - whole);
  }
  return undefined;
}

/** In ascending order; takes some ms for the largest ones. */
function primeFactors(number: number): readonly number[] {
  const factors: number[] = [];
  let rest = number;
  for (let by = 2; by * by <= rest; by++)
    while (rest % by === 0) {
      factors.push(by);
      rest /= by;
    }
  return rest > 1 || factors.length === 0 ? [...factors, rest] : factors;
}

const CLOCK = ['h', 'min'].map((name) => unitOf(name)) as [Unit, Unit];
/** A length of time that is not whole in its unit, as hours and minutes; undefined where it is not whole in minutes either. */
function clocked(value: number | string, name: string): string | undefined {
  const unit = unitOf(name);
  const minutes = unit?.kind === 'time' ? (Number(value) * unit.factor) / 60 : Number.NaN;
  if (Number.isInteger(Number(value)) || !(Math.abs(minutes) >= 1 && Math.abs(minutes - Math.round(minutes)) < 1e-6))
    return undefined;
  return Math.abs(minutes) < 60
    ? `${Math.round(minutes)} min`
    : inMixed({ amount: Math.round(minutes), unit: CLOCK[1] }, CLOCK).replace(/ 0 min$/, '');
}

const WHOLE_NUMBERS = /^[\d ()+*/-]+$/;
const MAX_FRACTION = 1_000;
/** The fraction that a calculation with fractions of whole numbers gives; undefined for another. */
function fractionIn(expression: string, value: number | string, rounded: boolean): string | undefined {
  if (!WHOLE_NUMBERS.test(expression) || !expression.includes('/') || Number.isInteger(Number(value))) return undefined;
  const several = expression.split('/').length > 2 && /[+-]/.test(expression);
  if (!rounded && !several) return undefined;
  const fraction = fractionOf(Number(value));
  return Number(fraction?.split('/')[1]) <= MAX_FRACTION ? fraction : undefined;
}

/** An amount of money with its sign, in cents where it has a fraction. */
function priced(value: number | string, currency: string): Figure {
  const amount = Number(value);
  const digits = Number.isInteger(amount) ? 0 : 2;
  const text = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
  return { text, rounded: Number(amount.toFixed(2)) !== amount };
}

/** The number for people, marked with a sign where it is rounded, and in the unit that people use. */
function shownAs({ value, unit }: Calculated, expression: string, { currency, percent }: Shown): string {
  const exact = /^round\(/.test(expression);
  const found: Figure =
    currency !== undefined && unit === undefined
      ? priced(value, currency)
      : exact
        ? { text: String(value), rounded: false }
        : figureOf(value);
  const clock = unit === undefined ? undefined : clocked(value, unit);
  if (clock !== undefined) return clock;
  const fraction =
    unit === undefined && currency === undefined && percent !== true
      ? fractionIn(expression, value, found.rounded)
      : undefined;
  const behind = unit === undefined ? (percent === true ? '%' : '') : ` ${unit}`;
  return `${found.rounded ? '≈ ' : ''}${found.text}${behind}${fraction === undefined ? '' : ` (${fraction})`}`;
}

const output = (found: Calculated, expression: string, shown: Shown) => ({
  result: found.unit === undefined ? found.value : `${found.value} ${found.unit}`,
  value: found.value,
  unit: found.unit ?? null,
  text: shownAs(found, expression, shown),
  expression,
});

/** A list from an earlier step, which stands in its place as lines or in parentheses of its own, as arguments. */
const withList = (given: string): string => {
  const expression = given.includes('\n')
    ? given
        .trim()
        .split('\n')
        .map((line) => line.trim())
        .join(', ')
    : given;
  const [, name, list] = /^(\w{1,12})\(\(([^()]*)\)\)$/.exec(expression) ?? [];
  return list?.includes(',') === true ? `${name}(${list})` : expression;
};

const escaped = (text: string): string => text.replace(/([*_`])/g, '\\$1');

/**
 * Arithmetic with a small part of mathjs, bounded by length, parts, depth and digits. The first run loads it; later ones
 * are synchronous. Throws TaskError for text that is no arithmetic, and for values that are too
 * large.
 */
export const calculate = task({
  name: 'calculate',
  description:
    'Calculates: arithmetic, percentages, powers, roots, functions, units, and the sum, average, median, max or min of a list. Exact decimals.',
  input: Input,
  output: Output,
  effects: 'none',
  repeatable: true,
  sums: true,
  examples: ['calculate 12*(3+4)', 'what is 15% of 80', 'average of 3, 5 and 9', '60 mph * 2 h in km'],
  read,
  run({ expression: given, currency, percent }) {
    const expression = withList(given);
    if (expression.length > MAX_EXPRESSION) {
      throw new TaskError(`The calculation is longer than ${MAX_EXPRESSION.toLocaleString('en')} characters.`);
    }
    const sum = plainSum(expression);
    const engine = engineNow();
    const calculated = (loaded: Engine) => {
      const own = sum === undefined ? special(expression, loaded) : undefined;
      if (own !== undefined) return own;
      const ready = sum ?? expressionOf(expression);
      const found = (part: string) => output(loaded.calculate(part), part, { currency, percent });
      try {
        const parts = partsOf(expression)?.map((part) => found(expressionOf(part)));
        if (parts === undefined) return found(ready);
        const text = parts.map((part) => part.text).join('\n');
        return { result: parts.map(({ result }) => result), value: null, unit: null, text, expression };
      } catch (error) {
        if (!(error instanceof NoResult)) throw error;
        return { result: null, value: null, unit: null, text: error.outcome, expression: ready, found: 0 as const };
      }
    };
    return engine === undefined ? loadEngine().then(calculated) : calculated(engine);
  },
  // A number from an earlier step needs no parentheses.
  show: ({ text, expression, result }) =>
    Array.isArray(result)
      ? text.replace(/^/gm, '- ')
      : /^(?:Yes|No)\b/.test(text)
        ? escaped(
            text.includes(':') ? text : `${text}: ${expression.replace(/^isPrime\(+(\d+)\)+$/, '$1 is prime')}`,
          ).replace(/^\w+/, '**$&**')
        : /^[a-z] = /.test(text)
          ? `**${text}** (${escaped(expression)})`
          : `${escaped(expression.replace(/^factors\((\d+)\)$/, '$1').replace(/(?<![\w)])\(([\d.]+)\)/g, '$1'))} ${text.startsWith('no ') ? 'has' : text.startsWith('≈ ') ? '≈' : '='} **${text.replace(/^≈ /, '')}**`,
  prepare() {
    loadEngine().catch(() => undefined);
  },
});
