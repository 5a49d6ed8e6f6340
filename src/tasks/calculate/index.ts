import { Type } from 'typebox';
import { withoutTrailing } from '../../core/values/trailing.ts';
import type { Clause, Reading } from '../clause.ts';
import { subject } from '../clause.ts';
import { TaskError, task } from '../task.ts';
import { exchanged, exchangeOf } from '../words/currency.ts';
import { type Calculated, type Engine, engineNow, loadEngine, MAX_EXPRESSION } from './engine.ts';
import { ambiguous, grade, listFunction, numberList, plainSum, toExpression, unsaid } from './phrases.ts';

const Input = Type.Object(
  {
    expression: Type.String({
      minLength: 1,
      maxLength: 70_000,
      description: `What to calculate: "12*(3+4)", "15% of 80", "sum(3, 5, 9)", "3 km + 200 m in m". Up to ${MAX_EXPRESSION} characters.`,
    }),
  },
  { additionalProperties: false },
);

const Output = Type.Object(
  {
    result: Type.Union([Type.Number(), Type.String(), Type.Boolean()], {
      description:
        'The number; with its unit as text if it has one. Text too where a JSON number would not be exact. Whether a comparison holds.',
    }),
    value: Type.Union([Type.Number(), Type.String(), Type.Boolean()], { description: 'The number without its unit.' }),
    unit: Type.Union([Type.String(), Type.Null()]),
    text: Type.String({ description: 'For people, with thousands separators.' }),
    expression: Type.String({ description: 'What was calculated.' }),
  },
  { additionalProperties: false },
);

const LEAD =
  /^(?:(calculate|compute|calc|evaluate|work out|solve|do the math(?:s)?(?: on| for)?|do(?= [\d(]))|(what would|(?:what|which) (?:number|amount) is|which(?: (?:one|number|of (?:these|them|the two)))?(?: is)?(?= (?:the )?(?:bigger|larger|greater|higher|smaller|lower)\b)|what do (?:i|you|we) get (?:when|if) (?:i|you|we)|what(?:['’]?s| is| are| does| do| makes?)?|how much (?:is it|it is|is|are|does|do|makes?|would be)|how many (?:is|are)|tell me(?: what)?|give me|can i (?:get|have)|find|get|show me|i need|figure out|(?:take|make|form)(?= (?:the )?(?:sum|total|average|mean|median|product|difference|square|cube|root|sine?|cosine|tan|log|factorial|max|min))))(?: |$)(.*)$/i;
const TAIL =
  /(?: (?:for me|equals?|equal to|make|makes|come to|add up to|is|please|be))+$|,? (?:please|thanks|thank you)$/i;
/** A first letter, digit or sign that arithmetic can begin with; most other instructions are ruled out here. */
const BEGINS =
  /^(?:[\d(+\-.$€£√½¼¾{]|an? |the |one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|half|halve|double|twice|triple|treble|quadruple|quarter|add|subtract|take|deduct|multiply|divide|split|share|sum|total|tally|average|avg|mean|median|mode|max|min|difference|tip |gratuity|vat|tax|commission|start|begin|greatest|highest|least|lowest|hcf|gcf|largest|biggest|highest|greatest|smallest|lowest|bigger|larger|greater|higher|smaller|lower|knock|product|variance|standard|increase|raise|grow|decrease|apply|reduce|lower|cut|shrink|percent|square|cube|cubic|sqrt|cbrt|root|nthroot|factorial|natural|log|ln|exp|abs|sin|cos|tan|asin|acos|atan|round|floor|ceil|gcd|lcm|remainder|what|how (?:many|much|often)|it|that|this|pi\b|e\b)/i;
/** Something that can be calculated with. */
const NUMERIC =
  /[\d{½¼¾π]|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|dozen|pi)\b/i;
const LOOKS_ELSE =
  /^\d{4}-\d{1,2}-\d{1,2}\b|^\d{1,2}\/\d{1,2}(?:\/\d{2,4})?$|^\+?\d{2,4}[ -]\d{3,}[ -]?\d{3,}$|^\d{3}-\d{4}$/;
const CONVERSION = /^[-+]?[\d.,{}]+ ?[a-z0-9^]+(?: ?\/ ?[a-z]+)? (?:in|to) [a-z0-9^]+(?: ?\/ ?[a-z]+)?$/i;

/** The beginning of a chain of steps, as in "take 100". */
const START = /^(?:take|start with|begin with|start from|start at) (?:the number )?([$€£]?\d[\d,]*(?:\.\d+)?)$/i;

const asked = (sure: number): Reading => ({
  sure,
  ask: 'Calculate what?',
  answered: (answer) => `calculate ${answer}`,
});

function read(clause: Clause): Reading | undefined {
  const { text } = clause;
  if (text.length > MAX_EXPRESSION) return undefined;
  const lead = LEAD.exec(text);
  const explicit = lead?.[1] !== undefined;
  const question = lead?.[2] !== undefined;
  let rest = lead === null ? text : (lead[3] as string);
  if (
    !explicit &&
    (!BEGINS.test(rest) || !(NUMERIC.test(text) || clause.data !== undefined || clause.it !== undefined))
  )
    return undefined;
  rest = rest
    .replace(/[\s?=:]+$|(?<![\d)a-z])!+$/i, '')
    .replace(TAIL, '')
    .replace(/^(?:the )?(?:result|value|answer) of (?=.*\d)/i, '');
  if (explicit && /^(?:it|this|that|the following)?$/i.test(rest)) {
    const own = subject(rest, clause);
    if (own === undefined) return asked(0.9);
    if (own.length > MAX_EXPRESSION) return undefined;
    const list = /^\s*\S+\s*$/.test(own) ? undefined : numberList(own);
    if (list !== undefined) return undefined;
    return { sure: 0.95, input: { expression: own.startsWith('{{') ? `(${own})` : toExpression(own) } };
  }
  const compared =
    /^(?:the )?(?:bigger|larger|greater|higher|smaller|lower)$/i.test(rest) && (clause.data?.length ?? 999) < 99;
  if (compared) rest = `${rest}, ${withoutTrailing(clause.data ?? '', '?.!')}`;
  else if (clause.data !== undefined) return ofData(rest, clause.data, explicit || question);
  if (clause.it !== undefined) {
    const name = /^(?:sum|total|add|tally) (?:it|them|these|those)(?: (?:up|together))?$/i.test(rest)
      ? 'sum'
      : undefined;
    if (name !== undefined) return { sure: 0.9, input: { expression: `${name}({{${clause.it}}})` } };
  }
  const step = unsaid(rest, clause.after);
  // "Minus 12" alone is a number.
  if (step !== undefined && (clause.it !== undefined || !/^(?:minus|plus|times)\b/i.test(rest)))
    return continued(step, clause);
  if (clause.data === undefined && START.test(rest))
    return { sure: 0.8, input: { expression: toExpression(rest.replace(START, '$1')) } };
  const exchange = exchangeOf(rest);
  if (exchange !== undefined) {
    if (!explicit) return undefined;
    if (exchange.rate !== undefined) return { sure: 1, input: { expression: rest } };
    const { money, to } = exchange;
    return {
      sure: 0.95,
      ask: `What is the rate? One ${money.code} in ${to}.`,
      answered: (answer) => `calculate ${money.amount} ${money.code} in ${to} at ${answer}`,
    };
  }
  if (!explicit && LOOKS_ELSE.test(rest)) return undefined;
  const both = ambiguous(rest);
  if (both !== undefined) return { sure: 0.92, ask: both, answered: (answer) => `calculate ${answer}` };
  const phrase = /^(?:percent|percentage|%|per cent) /i.test(rest) && /^what/i.test(text) ? `what ${rest}` : rest;
  const expression = toExpression(phrase, clause);
  // An expression that ends with a sign is incomplete.
  if (/[-+*/^(,]$/.test(expression)) return explicit ? asked(0.9) : undefined;
  // Adding 10 °C is adding 18 °F, while 10 °C is 50 °F.
  const degrees = /deg[CF]\)? [-+] /.test(expression);
  if (degrees && (/ in deg|abs\(/.test(expression) || (expression.includes('degC') && expression.includes('degF'))))
    return {
      sure: 0.9,
      ask: 'I cannot tell a temperature from a difference of temperatures here. What is to be calculated, in one unit?',
      answered: (answer) => `calculate ${answer}`,
    };
  const made = grade(expression);
  if (made === undefined) {
    if (!explicit || !/\d/.test(expression)) return undefined;
    const word = /[a-z]{3,}(?!\()/i.exec(phrase)?.[0];
    return word === undefined
      ? { sure: 0.5, input: { expression } }
      : {
          sure: 0.5,
          ask: `I cannot calculate that: “${word}” is no number, unit or function I know here. What is to be calculated?`,
          answered: (answer) => `calculate ${answer}`,
        };
  }
  const converts = CONVERSION.test(expression);
  if (explicit) return { sure: converts ? 0.9 : 1, input: { expression } };
  if (made.operations === 0 || converts) return undefined;
  const words = expression !== phrase && /[a-z]{3}/i.test(phrase);
  // It would be odd to round only the last of several numbers.
  const whole = words && expression.startsWith('round(');
  return { sure: question || whole ? 0.92 : words ? 0.85 : 0.7, input: { expression } };
}

/** Reads "then subtract 35" as a step on the result before; without one the sender is asked which number. */
function continued(step: string, { it }: Clause): Reading | undefined {
  if (it !== undefined) return { sure: 0.93, input: { expression: toExpression(step.replace('#', `{{${it}}}`)) } };
  return { sure: 0.8, ask: 'Of what number?', answered: (answer) => step.replace('#', answer) };
}

/** "The sum of: 3, 5, 9" and "calculate: 2+3". */
function ofData(text: string, data: string, led: boolean): Reading | undefined {
  const name = listFunction(text);
  if (name === undefined || data.length > MAX_EXPRESSION) return undefined;
  const list = numberList(data);
  return list === undefined ? undefined : { sure: led ? 1 : 0.95, input: { expression: `${name}(${list})` } };
}

/** A comparison of two calculations. */
const COMPARED = /^([^<>=]{1,1000}) ([<>]=?|==) ([^<>=]{1,1000})$/;
const OF_WHOLE = /^(isPrime|factors)\((\d{1,13})\)$/;

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
  const [, left, sign, right] = COMPARED.exec(expression) ?? [];
  if (left === undefined || right === undefined) return undefined;
  // Nothing is compared across units, which the subtraction refuses.
  const { value } = engine.calculate(`(${left}) - (${right})`);
  const difference = Number(value);
  const holds = { '>': difference > 0, '<': difference < 0, '>=': difference >= 0, '<=': difference <= 0 }[sign as '>'];
  const is = holds ?? difference === 0;
  return answered(is, is ? 'Yes' : 'No', expression);
}

const answered = (result: boolean | string, text: string, expression: string) => ({
  result,
  value: result,
  unit: null,
  text,
  expression,
});

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

const inThousands = (digits: string): string => {
  const lead = digits.length % 3;
  return [digits.slice(0, lead), ...(digits.slice(lead).match(/\d{3}/g) ?? [])].filter((one) => one !== '').join(',');
};

const grouped = (value: number | string): string => {
  const text = String(value);
  return /e/.test(text)
    ? text
    : text.replace(/^(-?)(\d+)/, (_, sign: string, whole: string) => sign + inThousands(whole));
};

function output({ value, unit }: Calculated, expression: string) {
  return {
    result: unit === undefined ? value : `${value} ${unit}`,
    value,
    unit: unit ?? null,
    text: unit === undefined ? grouped(value) : `${grouped(value)} ${unit}`,
    expression,
  };
}

const escaped = (text: string): string => text.replace(/([*_`])/g, '\\$1');

/**
 * Arithmetic with a small part of mathjs, bounded by length, parts, depth and digits. The first run loads it; later ones
 * are synchronous. Throws TaskError for text that is no arithmetic or has no real result, and for values that are too
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
  run({ expression }) {
    if (expression.length > MAX_EXPRESSION) {
      throw new TaskError(`The calculation is longer than ${MAX_EXPRESSION.toLocaleString('en')} characters.`);
    }
    const sum = plainSum(expression);
    const exchange = sum === undefined ? exchangeOf(expression) : undefined;
    if (exchange !== undefined) {
      const { money, to, rate } = exchange;
      if (rate === undefined) {
        throw new TaskError(
          `I know no exchange rates: give it, such as “${money.amount} ${money.code} in ${to} at 0.92”.`,
        );
      }
      return output({ value: Number(exchanged(money.amount, rate)), unit: to }, expression);
    }
    const engine = engineNow();
    const calculated = (loaded: Engine) => {
      const own = sum === undefined ? special(expression, loaded) : undefined;
      if (own !== undefined) return own;
      const ready = sum ?? toExpression(expression);
      return output(loaded.calculate(ready), ready);
    };
    return engine === undefined ? loadEngine().then(calculated) : calculated(engine);
  },
  // A number from an earlier step needs no parentheses.
  show: ({ text, expression }) =>
    /^(?:Yes|No)\b/.test(text)
      ? `**${text}** (${escaped(expression.replace(/^isPrime\((\d+)\)$/, 'is $1 prime'))})`
      : `${escaped(expression.replace(/^factors\((\d+)\)$/, '$1').replace(/(?<![\w)])\(([\d.]+)\)/g, '$1'))} = **${text}**`,
  prepare() {
    loadEngine().catch(() => undefined);
  },
});
