import type { Clause } from '../clause.ts';
import { operand, withReferences } from '../clause.ts';
import { anyOf } from '../words/any-of.ts';
import { spelledToDigits } from '../words/spelled-numbers.ts';
import { unitOf } from '../words/units.ts';
import { MAX_EXPRESSION } from './engine.ts';
import { isConstant, isFunction } from './functions.ts';

type Reference = Pick<Clause, 'it'>;

/** Multiplication in "5% of 80". */
const OF = /(%|\)|\d) of (?:the )?(?=[\d({.])/gi;
/** Only digits and signs: no words to convert, and no `**`. */
const PLAIN = /^(?!.*\*\*)[\d\s.+\-*/^()]+$/;
/** The same with percentages and shares, and without spaces between digits. */
const SHARES = /^(?!.*\*\*)(?:[\d.+\-*/^()%] ?)+$/;
const LIST_NAMES: Readonly<Record<string, string>> = {
  'greatest common divisor': 'gcd',
  'greatest common factor': 'gcd',
  'highest common factor': 'gcd',
  gcd: 'gcd',
  gcf: 'gcd',
  hcf: 'gcd',
  'least common multiple': 'lcm',
  'lowest common multiple': 'lcm',
  'smallest common multiple': 'lcm',
  lcm: 'lcm',
  sum: 'sum',
  total: 'sum',
  average: 'mean',
  avg: 'mean',
  mean: 'mean',
  median: 'median',
  mode: 'mode',
  max: 'max',
  maximum: 'max',
  largest: 'max',
  biggest: 'max',
  highest: 'max',
  greatest: 'max',
  min: 'min',
  minimum: 'min',
  smallest: 'min',
  lowest: 'min',
  product: 'prod',
  variance: 'variance',
  'standard deviation': 'std',
};
const LIST_NAME = Object.keys(LIST_NAMES).join('|');
/** A number takes all commas after it, so that a list can be read in only one way; an "and" or a sign may follow. */
const LISTED = '[+-]?(?:\\d[\\d.,]*(?![\\d.,])|\\.\\d+(?!\\d))';
const NUMBER_LIST = new RegExp(
  `^[\\s,;$€£]*${LISTED}(?:(?:[\\s,;$€£]+(?![\\s,;$€£])|(?<=,))(?:and\\s+)?${LISTED})*[\\s,;.]*$`,
);

/** Maximum characters of a list with spelled numbers. */
const LIST_MAX = 8 * MAX_EXPRESSION;

/** "3, 5 and 9", one a line or with thousands separators, as `3, 5, 9`; undefined when it is no list of numbers. */
export function numberList(text: string): string | undefined {
  if (text.length > LIST_MAX) return undefined;
  const digits = spelledToDigits(text).trim();
  if (digits.length > MAX_EXPRESSION || !NUMBER_LIST.test(digits)) return undefined;
  // "1,250 and 3" has a thousands separator; "1,2,3" and "100,200,300" are three numbers.
  const apart = /[,;]\s|\sand\s|\n|;/.test(digits) || /\d\s+\d/.test(digits);
  const parts = digits.replace(/[$€£]/g, '').split(apart ? /[,;]?\s+(?:and\s+)?|;/ : ',');
  const numbers = parts.map((part) => part.replace(/,(?=\d{3}(?:\D|$))/g, '').replace(/[,.]$/, ''));
  const clean = numbers.filter((number) => number !== '');
  return clean.length > 0 && clean.every((number) => /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/.test(number))
    ? clean.join(', ')
    : undefined;
}

/** An operand within a larger expression; a percentage stays bare, for "80 + 10%". */
const part = (text: string): string => (/^[\w.]+%?$|^\([^()]*\)$/.test(text) ? text : `(${text})`);

/** Steps such as "then subtract 35", which apply to an earlier result without naming it. */
const STEPS: readonly (readonly [pattern: RegExp, whole: string])[] = [
  [/^(?:add|plus) (.+)$/i, '# + $1'],
  [/^(?:subtract|deduct|minus|(?:take|knock) (?:away|off)) (.+)$/i, '# - $1'],
  [/^(?:take|knock) (.+?) (?:away|off)$/i, '# - $1'],
  [/^(?:multipl(?:y|ied)(?: by| with)?|times|[×*]) ?(.+)$/i, '# * $1'],
  [
    /^(?:divided?(?: by| into)?|(?:split|share)(?: it)? (?:among|amongst|between)|[/÷]) ?(.+?)(?: (?:people|persons|parts|ways))?$/i,
    '# / $1',
  ],
  [/^(?:increase|raise|grow) by (.+)$/i, 'increase # by $1'],
  [/^(?:decrease|reduce|lower|cut|discount) by (.+)$/i, 'decrease # by $1'],
];
/** The same without a number of their own. */
const TURNS: readonly (readonly [pattern: RegExp, whole: string])[] = [
  [/^(double|triple|treble|quadruple|halve|square|cube)$/i, '$1 #'],
  [
    /^(?:take |get |find |calculate |compute |extract )?(?:the |its |their )?(square root|sqrt|cube root|factorial|absolute value)$/i,
    '$1 of #',
  ],
  [/^round(?: off)?( to .+)?$/i, 'round #$1'],
];
const ONE_NUMBER = /^[$€£]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?: ?(?:%|percent|per cent))?$/i;

/** A step with `#` where the missing operand belongs; undefined when nothing is missing. */
export function unsaid(text: string, after?: string): string | undefined {
  if (text.length > 80) return undefined;
  for (const [pattern, whole] of TURNS) if (pattern.test(text)) return text.replace(pattern, whole);
  for (const [pattern, whole] of STEPS) {
    const of = pattern.exec(text)?.[1];
    if (of === undefined) continue;
    const number = spelledToDigits(of);
    // Days are added to a date, by another task.
    const fits = ONE_NUMBER.test(number) || (after !== undefined && after !== 'time' && isAmount(number));
    if (fits) return text.replace(pattern, whole);
  }
  return undefined;
}

/** A number with a unit. */
function isAmount(text: string): boolean {
  const [, name] = /^\d[\d,]*(?:\.\d+)? ?([a-zµ°]{1,20})$/i.exec(text) ?? [];
  return name !== undefined && unitOf(name) !== undefined;
}

/** Names of shares, by the number of parts: "half" at 2. */
const SHARES_NAMED = ['', '', 'half', 'third', 'quarter', 'fifth', '', '', '', '', 'tenth'];

type Template = readonly [pattern: RegExp, make: (...parts: string[]) => string];
const two = (pattern: RegExp, make: (a: string, b: string) => string): Template => [pattern, make as Template[1]];

const SHARE = '(?:tip|gratuity|tax|sales tax|vat|gst|commission|fee|surcharge|service charge|interest|markup)';
const LESS = '(?:discount|rebate|reduction|tax|vat|commission|fee)';
const PERCENT = '(.+ ?(?:%|percent|per cent))';

/** Words that apply to everything before them: "the average of 3 and 4 rounded to 1 decimal". */
const ROUNDED =
  /^(?!round )(.+?),? (?:(?:rounded|round it|round that)(?: off)? )?to (?:(\d+|one|two|three|four|five|six) (?:decimals?|(?:decimal )?(?:places?|digits))|(?:the nearest )?(?:an? )?(?:integer|whole number|whole))$/i;
/** The owner of an amount, as in "a restaurant bill of 84.50 …". */
const THING =
  /^(?:an?|the) (?:[a-z]{1,20} ){0,2}(?:bill|price|amount|cost|invoice|check|budget|salary|order|purchase) (?:of|is|was) (?=[$€£]? ?\d)/i;

/** An operation before one number and "plus" or "minus" another, which may apply to the number or to the sum. */
const OF_ONE =
  /^(?:the )?(double|twice|triple|treble|quadruple|halve|square|cube|(?:square |cube |cubic |third )?root(?: of)?|sqrt|factorial of|log(?:arithm)? of|(?:sine?|cosine|cos|tangent|tan) of|absolute value of) (\d[\d.,]*) ?(plus|minus|less|[-+]) ?\S/i;
const OF_SEVERAL = new RegExp(
  `^(?:the )?(${LIST_NAME}) (?:of )?\\d[\\d., ]{0,200}(?:and|&) (\\d[\\d.,]*) ?(plus|minus|times|[-+*/]|divided by|multiplied by) ?\\S`,
  'i',
);

/** The question about words that may apply to one number or to everything after it; undefined when they are clear. */
export function ambiguous(text: string): string | undefined {
  const [, name, number, sign] = OF_ONE.exec(text) ?? OF_SEVERAL.exec(text) ?? [];
  return name === undefined
    ? undefined
    : `Does “${name}” end at ${number}, or does it take in what stands behind “${sign}”? Write it with parentheses.`;
}

/** Patterns of whole phrases, whose operands are phrases too. */
const TEMPLATES: readonly Template[] = [
  // The share applies to what is divided.
  [
    /^(?:divide|split|share) (.+) (?:by|among|amongst|between|into|over) (\d{1,6})(?: (?:equal )?(?:people|persons|parts|ways|friends|of us))?,? (?:with|plus|and add|after adding) (?:an? )?(?:(\d[\d.]* ?(?:%|percent|per cent))(?: (?:tip|gratuity|tax|vat|service charge|fee))?|(?:tip|gratuity|tax|vat) of (\d[\d.]* ?(?:%|percent|per cent)))$/i,
    (...[whole = '', by = '', share = '', other = '']) => `(${part(whole)} + ${share || other}) / ${by}`,
  ],
  two(
    /^(.+), (?:(?:and|all) )?divided (?:by|among|amongst|between) (.+?)(?: (?:equal )?(?:people|persons|parts|ways|friends|of us))?$/i,
    (a, b) => `${part(a)} / ${part(b)}`,
  ),
  two(
    /^(.+) (?:divided|split|shared) (?:by|among|amongst|between) (.+?) (?:equal )?(?:people|persons|parts|ways|friends|of us)$/i,
    (a, b) => `${part(a)} / ${part(b)}`,
  ),
  two(
    /^(.+) (?:is|are) (.+ ?(?:%|percent|per cent)) of (?:what|which)(?: number| amount| value)?$/i,
    (a, b) => `${part(a)} / (${b})`,
  ),
  two(
    /^(.+ ?(?:%|percent|per cent)) (?:less|lower|cheaper|smaller|fewer) than (.+)$/i,
    (a, b) => `${part(b)} - ${part(a)}`,
  ),
  two(
    /^(.+ ?(?:%|percent|per cent)) (?:more|higher|greater|larger|bigger) than (.+)$/i,
    (a, b) => `${part(b)} + ${part(a)}`,
  ),
  // A share applies to the number after it, as a percentage does.
  [
    /^((?:half|(?:(?:a|one|two|three|2|3)[ -])?(?:half|thirds?|quarters?|fourths?|fifth|tenth)) of (?:[$€£] ?)?\d[\d.,]*) (plus|minus|\+|-) (.+)$/i,
    (...[share = '', sign = '', rest = '']) => `${share} ${sign} ${part(rest)}`,
  ],
  // "12 eggs at 0.35 each" and "6 friends share a bill of 84" have one number of each kind and one operation.
  two(
    /^(\d{1,9}) (?:[a-z-]{1,20} ){1,3}(?:at|for|costing) ([$€£]? ?\d+(?:,\d{3})*(?:\.\d+)?) (?:each|apiece)(?: cost)?$/i,
    (a, b) => `${a} * ${b}`,
  ),
  two(
    /^(\d{1,9}) (?:of us|people|persons|friends|colleagues|students|children|kids|siblings|brothers|sisters|flatmates|roommates) (?:share|split|divide) (?:(?:an?|the) )?(?:[a-z]{1,20} ){0,2}(?:of )?([$€£]? ?\d+(?:,\d{3})*(?:\.\d+)?)(?: (?:evenly|equally))?(?:,? (?:and )?(?:so )?(?:how much|what) (?:does|do|must|should|will|is) (?:each|everyone|everybody)(?: (?:of (?:us|them)|one|person|have to|need to|pay|owe|get|share))*)?$/i,
    (a, b) => `${b} / ${a}`,
  ),
  // "Which is bigger, 3/7 or 0.43".
  [
    /^(?:the )?(?:(bigger|larger|greater|higher)|smaller|lower)(?: (?:one|number))?[,:]? (?:of )?([^,]{1,60}) (?:or|and) ([^,]{1,60})$/i,
    (...[bigger = '', one = '', other = '']) => `${bigger === '' ? 'min' : 'max'}(${one}, ${other})`,
  ],
  two(/^(?:the )?difference (?:between|of) (.+) and (.+)$/i, (a, b) => `abs(${a} - ${part(b)})`),
  two(/^what (?:percent|per cent|percentage|%) of (.+) (?:is|are) (.+)$/i, (a, b) => `${part(b)} / ${part(a)} * 100`),
  two(/^(.+) (?:is|are) what (?:percent|per cent|percentage|%) of (.+)$/i, (a, b) => `${part(a)} / ${part(b)} * 100`),
  two(/^(.+) as an? (?:percent|per cent|percentage|%) of (.+)$/i, (a, b) => `${part(a)} / ${part(b)} * 100`),
  two(
    /^(?:the )?(?:percentage|percent|per cent|%) (?:change|increase|difference|decrease) (?:from|between) (.+) (?:to|and) (.+)$/i,
    (a, b) => `(${part(b)} - ${part(a)}) / ${part(a)} * 100`,
  ),
  two(
    /^(?:increase|raise|grow) (.+) by (?:an? |one )(half|third|quarter|fifth|tenth)$/i,
    (a, b) => `${part(a)} * (1 + 1/${SHARES_NAMED.indexOf(b.toLowerCase())})`,
  ),
  two(
    /^(?:decrease|reduce|lower|cut|shrink) (.+) by (?:an? |one )(half|third|quarter|fifth|tenth)$/i,
    (a, b) => `${part(a)} * (1 - 1/${SHARES_NAMED.indexOf(b.toLowerCase())})`,
  ),
  two(/^(?:increase|raise|grow) (.+) by (.+)$/i, (a, b) => `${part(a)} + ${part(b)}`),
  two(/^(?:decrease|reduce|lower|cut|shrink) (.+) by (.+)$/i, (a, b) => `${part(a)} - ${part(b)}`),
  two(
    new RegExp(`^add (?:an? |the )?${PERCENT} ${SHARE} (?:to|on|onto|on top of) (?:an? |the )?(.+?)(?: bill)?$`, 'i'),
    (a, b) => `${part(b)} + ${part(a)}`,
  ),
  two(
    new RegExp(
      `^add (?:an? |the )?${SHARE} of ${PERCENT} (?:to|on|onto|on top of) (?:an? |the )?(.+?)(?: bill)?$`,
      'i',
    ),
    (a, b) => `${part(b)} + ${part(a)}`,
  ),
  two(
    new RegExp(
      `^(?:subtract|take|deduct|apply) (?:an? |the )?${PERCENT} ${LESS}(?: off)? (?:from|off|to|on) (.+)$`,
      'i',
    ),
    (a, b) => `${part(b)} - ${part(a)}`,
  ),
  two(/^add (.+) to (.+)$/i, (a, b) => `${part(b)} + ${part(a)}`),
  two(/^(?:subtract|take|deduct) (.+?)(?: away| off)? from (.+)$/i, (a, b) => `${part(b)} - ${part(a)}`),
  two(/^(?:take|get) (.+ ?(?:%|percent)) off(?: of)? (.+)$/i, (a, b) => `${part(b)} - ${part(a)}`),
  two(/^(?:add|sum) ([^,]+) (?:and|with|plus) ([^,]+)$/i, (a, b) => `${part(a)} + ${part(b)}`),
  [
    /^multiply (.+) (?:by|with) itself$|^(.+) (?:times|multiplied by) itself$/i,
    (a, b) => `${part(a || (b as string))}^2`,
  ],
  two(/^multiply (.+) (?:by|with|and|times) (.+)$/i, (a, b) => `${part(a)} * ${part(b)}`),
  two(
    /^(?:divide|split|share) (.+) (?:by|among|amongst|between|into|over) (.+?)(?: (?:equal )?(?:people|persons|parts|ways|friends|of us))?$/i,
    (a, b) => `${part(a)} / ${part(b)}`,
  ),
  two(
    /^how (?:many times|often) (?:does|do|will|can) (.+) (?:go|fit) in(?:to)? (.+)$/i,
    (a, b) => `${part(b)} / ${part(a)}`,
  ),
  two(
    /^(?:the |an? )?(?:remainder|rest) (?:of|when) (.+?)(?: is)? divided by (.+)$/i,
    (a, b) => `${part(a)} mod ${part(b)}`,
  ),
  two(
    /^(?:an? |the )?(.+ ?(?:%|percent)) (?:tip|tax|vat|discount|commission) (?:on|of|for|from) (?:an? |the )?(.+?)(?: bill)?$/i,
    (a, b) => `${part(a)} * ${part(b)}`,
  ),
  two(/^(.+ ?(?:%|percent)) (?:off|discount on)(?: of)? (.+)$/i, (a, b) => `${part(b)} - ${part(a)}`),
  two(
    /^(.+) (?:plus|with) (?:an? )?(?:(.+ ?(?:%|percent)) (?:tip|tax|vat)|(?:tax|tip|vat)(?: (?:of|at))? (.+))$/i,
    (a, b, ...c: string[]) => `${part(a)} + ${part(b === '' ? (c[0] ?? '') : b)}`,
  ),
  two(/^(?:the )?(\d+)(?:st|nd|rd|th) root of (.+)$/i, (a, b) => `nthRoot(${b}, ${a})`),
  two(/^(?:the )?log(?:arithm)? base (.+) of (.+)$/i, (a, b) => `log(${b}, ${a})`),
  two(
    /^(.+?) (?:raised )?to the (?:power of )?(-?\d+)(?:st|nd|rd|th)?(?: power)?$/i,
    (a, b) => `${part(a)}^${part(b)}`,
  ),
  two(
    new RegExp(`^${SHARE} of ${PERCENT} (?:on|of|for|from) (?:an? |the )?(.+?)(?: bill)?$`, 'i'),
    (a, b) => `${part(a)} * ${part(b)}`,
  ),
  two(
    /^(?:the )?sum (?:of )?(?:all )?(?:of )?(?:the )?(?:(?:whole|natural) )?(?:numbers|integers)? ?(?:from|between) (\d+) (?:to|and|through|until) (\d+)$/i,
    (a, b) => `(${a} + ${b}) * (${b} - ${a} + 1) / 2`,
  ),
  [/^double (.+)$|^twice (.+)$/i, (a, b) => `2 * ${part(a || (b as string))}`],
  [/^(?:triple|treble) (.+)$/i, (a) => `3 * ${part(a as string)}`],
  [/^quadruple (.+)$/i, (a) => `4 * ${part(a as string)}`],
  [/^(?:halve|(?:a |one )?half(?: of)?) (.+)$/i, (a) => `${part(a as string)} / 2`],
  [/^(?:a|one) third of (.+)$/i, (a) => `${part(a as string)} / 3`],
  [/^two[ -]thirds of (.+)$|^2[ -]thirds of (.+)$/i, (a, b) => `${part(a || (b as string))} * 2 / 3`],
  [/^(?:a|one)? ?(?:quarter|fourth) of (.+)$/i, (a) => `${part(a as string)} / 4`],
  [/^(?:three|3)[ -](?:quarters|fourths) of (.+)$/i, (a) => `${part(a as string)} * 3 / 4`],
  [/^(?:a|one) (?:fifth) of (.+)$/i, (a) => `${part(a as string)} / 5`],
  [/^(?:a|one) (?:tenth) of (.+)$/i, (a) => `${part(a as string)} / 10`],
  [/^(?:the )?(?:(?:square root|sqrt|root) of|sqrt|square root) (?!\()(.+)$/i, (a) => `sqrt(${a})`],
  [/^(?:the )?(?:cube|cubic|third) root of (.+)$/i, (a) => `cbrt(${a})`],
  [
    /^square (?!root|feet|foot|m|k|c|y|i(?!t\b))(.+)$|^(?:the )?square of (.+)$/i,
    (a, b) => `${part(a || (b as string))}^2`,
  ],
  [/^cube (?!root)(.+)$|^(?:the )?cube of (.+)$/i, (a, b) => `${part(a || (b as string))}^3`],
  [/^(?:the )?factorial of (.+)$|^(.+) factorial$/i, (a, b) => `${part(a || (b as string))}!`],
  [/^(?:the )?(?:natural log(?:arithm)?|ln) of (.+)$/i, (a) => `ln(${a})`],
  [/^(?:the )?log(?:arithm)? of (.+)$/i, (a) => `log10(${a})`],
  [/^(?:the )?absolute value of (.+)$/i, (a) => `abs(${a})`],
  [
    /^(?:the )?(sine|cosine|tangent|sin|cos|tan) of (.+)$/i,
    (a, b) => `${(a as string).slice(0, 3).toLowerCase()}(${b})`,
  ],
  [
    /^round (.+) to (\d+|one|two|three|four|five|six) (?:decimals?|(?:decimal )?(?:places|digits)|decimal place)$/i,
    (a, b) => `round(${a}, ${b})`,
  ],
  [/^round(?: off)? (.+?)(?: to (?:the nearest )?(?:an? )?(?:integer|whole number|whole))?$/i, (a) => `round(${a})`],
];
const SOME_TEMPLATE = anyOf(TEMPLATES.map(([pattern]) => pattern));
const LIST_OF = new RegExp(`^(?:the )?(${LIST_NAME})(?: value| number)?(?: (?:of|for|from|among))? (.+)$`, 'i');
const FILLER =
  /^(?:(?:of|these|those|the|this|all|my|following|numbers?|values?|amounts?|figures?|list|below|up|here|them|it|together) ?)*$/i;
const ADD_UP = /^(?:add(?: up| together)?|sum(?: up)?|total(?: up)?|tally(?: up)?) (.+?)(?: (?:up|together))?$/i;

const UNIT_WORDS =
  /\b(?:(?:square|cubic|sq|cu|fluid|fl|nautical|light|imperial|us|degrees?|metric) )(?:[a-z]+)\b|\b(?:miles|meters|kilometers|feet) per (?:hour|second)\b/gi;
const IDENTIFIER = /(?<![\d.])[A-Za-zµμ°][A-Za-z0-9µμ°]*|(?<=\d)(?![eE][+-]?\d)[A-Za-zµμ°][A-Za-z0-9µμ°]*/g;

/** Replaces words between numbers by signs. */
function infix(text: string): string {
  return text
    .replace(/\b(?:multiplied by|times)\b/gi, '*')
    .replace(/([\d)%}]) ?[x×] ?(?=[\d({.-])/g, '$1 * ')
    .replace(/\bdivided by\b|\bover\b/gi, '/')
    .replace(/\b(?:plus|added to)\b/gi, '+')
    .replace(/\b(?:minus|less|subtract)\b/gi, '-')
    .replace(/\bmodulo\b/gi, 'mod')
    .replace(/\b(?:raised )?to the (?:power of|power)\b/gi, '^')
    .replace(/ ?\bsquared\b/gi, '^2')
    .replace(/ ?\bcubed\b/gi, '^3')
    .replace(/ ?(?:\bper ?cent\b|\bpercentage\b|\bpct\b)/gi, '%')
    .replace(OF, '$1 * ');
}

const SIGNS: ReadonlyArray<readonly [RegExp, string]> = [
  [/[×✕∙·⋅]/g, '*'],
  [/[÷∕]/g, '/'],
  [/[−–—]/g, '-'],
  [/√ ?(\d[\d.]*)/g, 'sqrt($1)'],
  [/√/g, 'sqrt'],
  [/π/g, 'pi'],
  [/½/g, '(1/2)'],
  [/¼/g, '(1/4)'],
  [/¾/g, '(3/4)'],
  [/\*\*/g, '^'],
];

const SOME_SIGN = anyOf(SIGNS.map(([pattern]) => pattern));

function signs(text: string): string {
  if (!SOME_SIGN.test(text)) return text;
  let made = text;
  for (const [pattern, sign] of SIGNS) made = made.replace(pattern, sign);
  return made;
}

function inner(text: string, clause: Reference, depth: number): string {
  const plain = text
    .trim()
    .replace(THING, '')
    .replace(/^the (?=\d)/i, '');
  if (depth < 6) {
    const rounded = ROUNDED.exec(plain);
    if (rounded !== null) {
      const [, of = '', places] = rounded;
      const value = inner(of, clause, depth + 1);
      return places === undefined ? `round(${value})` : `round(${value}, ${spelledToDigits(places)})`;
    }
    const list = LIST_OF.exec(plain) ?? ADD_UP.exec(plain);
    if (list !== null) {
      const name = list.length > 2 ? (LIST_NAMES[(list[1] as string).toLowerCase()] as string) : 'sum';
      const of = (list.at(-1) as string).replace(/^(?:these |the )?(?:numbers?|values?) /i, '');
      const numbers = numberList(of);
      if (numbers !== undefined && (numbers.includes(',') || list.length < 3)) return `${name}(${numbers})`;
      const it = operand(of, clause);
      if (/^\{\{[\d.\w]+\}\}$/.test(it)) return `${name}(${it})`;
      if (/,| and /.test(of) && list.length > 2) {
        const [, all = of, unit] = / (?:in|to) [a-z]{1,20}$/i.test(of)
          ? (/^(.*) (?:in|to) (\S+)$/i.exec(of) ?? [])
          : [];
        const math = unit === undefined ? undefined : unitOf(unit)?.math;
        if (math) return `${inner(`${list[1]} of ${all}`, clause, depth + 1)} to ${math}`;
        return `${name}(${of
          .split(/,(?: ?and)? | and /)
          .map((one) => inner(one, clause, depth + 1))
          .join(', ')})`;
      }
    }
    for (const [pattern, make] of SOME_TEMPLATE.test(plain) ? TEMPLATES : []) {
      const found = pattern.exec(plain);
      if (found !== null)
        return make(...found.slice(1).map((one) => (one === undefined ? '' : inner(one, clause, depth + 1))));
    }
  }
  const alone = operand(plain, clause);
  const referred = /^\{\{[\d.\w]+\}\}$/.test(alone) ? alone : withReferences(plain, clause);
  // A value may be negative or a sum.
  let made = infix(spelledToDigits(referred.replace(/\(?(\{\{[^}]*\}\})\)?/g, '($1)')));
  if (!/[A-Za-z]\w*\(/.test(made))
    made = made.replace(/(?<![\d.])(\d{1,3}(?:,\d{3})+)(?!\d)/g, (n) => n.replaceAll(',', ''));
  made = made.replace(UNIT_WORDS, (name) => unitOf(name)?.math || name);
  return made
    .replace(/(\d(?:\.\d+)?) ?°(?![CFK])/g, '$1 deg')
    .replace(IDENTIFIER, (name, at: number) => {
      if (isConstant(name) || (isFunction(name.toLowerCase()) && made[at + name.length] === '(')) return name;
      if (name === 'in' || name === 'to' || name === 'mod') return name;
      if (name === 'as' || name === 'into') return 'to';
      return unitOf(name)?.math || name;
    })
    .replace(/\s+/g, ' ')
    .trim();
}

/** Numbers, signs and shares as an expression; undefined when there is a word, a currency or anything else. */
export function plainSum(text: string): string | undefined {
  if (PLAIN.test(text)) return text.trim();
  const shares = text.replace(OF, '$1 * ');
  return SHARES.test(shares) ? shares.trim() : undefined;
}

/** Superscripts are converted before digits are, because "5²" is not 52. */
const RAISED = /⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g;

const CURRENCY = /(?<=\d) ?(€|\$|£|(?:EUR|USD|GBP|CHF|euros?|dollars?|bucks?|quid)\b)/gi;

const THOUSANDS = /(?<![\w.])(\d{1,12}(?:\.\d{1,12})?)([kM])(?![\w°])/g;
const HOURS_MINUTES =
  /(?<![\w.])(\d{1,9}(?:\.\d{1,9})?) ?(?:hours?|hrs?|h) (?:and )?(\d{1,9}(?:\.\d{1,9})?) ?(?:minutes?|mins?)(?!\w)/gi;

/** Expands "2k" and "1.5M", and joins hours with minutes. */
const counted = (text: string): string =>
  text
    .replace(THOUSANDS, (_, number: string, sign: string) =>
      String(Number((Number(number) * (sign === 'k' ? 1e3 : 1e6)).toPrecision(15))),
    )
    .replace(HOURS_MINUTES, '($1 h + $2 min)');

/** Converts words, signs and numbers to an expression for the engine; unknown words stay. */
export function toExpression(text: string, clause: Reference = { it: undefined }): string {
  const sum = plainSum(text);
  if (sum !== undefined) return sum;
  const plain = signs(
    counted(text)
      .replace(RAISED, (power) => `^${power.normalize('NFKC')}`)
      .normalize('NFKC'),
  )
    .replace(/\n+/g, ', ')
    .trim()
    .replace(/ ?=? ?\?*$/, '')
    .trim();
  const bare = plain.replace(/[$€£] ?(?=\d)/g, '');
  // A single currency throughout is dropped, because it changes nothing.
  const currencies = new Set([...bare.matchAll(CURRENCY)].map(([, name = '']) => name.toLowerCase().replace(/s$/, '')));
  if (currencies.size === 1) {
    const expression = inner(bare.replace(CURRENCY, ''), clause, 0);
    // With another unit it must stay: an hourly wage is not a time.
    if (grade(expression)?.units === 0) return expression;
  }
  return inner(bare, clause, 0);
}

const TOKEN = /\s+|\{\{[\d.\w]+\}\}|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+|[-+*/^%!(),]|([A-Za-z][A-Za-z0-9]*)/y;

/** The certainty of an expression by its parts; undefined when one is unknown. */
export function grade(
  expression: string,
): { readonly numbers: number; readonly operations: number; readonly units: number } | undefined {
  let numbers = 0;
  let operations = 0;
  let units = 0;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const token = TOKEN.exec(expression);
    if (token === null) return undefined;
    const [text, name] = token;
    if (name !== undefined) {
      if (isFunction(name.toLowerCase()) && expression[TOKEN.lastIndex] === '(') operations++;
      else if (name === 'mod') operations++;
      else if (isConstant(name)) numbers++;
      else if (name !== 'in' && name !== 'to') {
        if (unitOf(name) === undefined) return undefined;
        units++;
      }
    } else if (/^[\d.{]/.test(text)) numbers++;
    else if (/[-+*/^%!]/.test(text)) operations++;
  }
  return numbers === 0 ? undefined : { numbers, operations, units };
}

/** The function, such as `sum` or `mean`, of "the sum of these numbers" with the numbers as data. */
export function listFunction(text: string): string | undefined {
  const plain = text.trim().replace(/ (?:of|these|the)$/i, '');
  const named = new RegExp(`^(?:the )?(${LIST_NAME})\\b(.*)$`, 'i').exec(plain);
  if (named !== null)
    return FILLER.test((named[2] as string).trim()) ? LIST_NAMES[(named[1] as string).toLowerCase()] : undefined;
  const added = /^(?:add|tally)\b(.*)$/i.exec(plain);
  return added !== null && FILLER.test((added[1] as string).trim()) ? 'sum' : undefined;
}
