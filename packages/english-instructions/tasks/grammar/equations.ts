import type { Domain } from '../../language/grammar.ts';
import { LEVEL, type Num, numeral, power, product, sum, within } from './number.ts';
import { rulesOf } from './rules.ts';
import { asks, type Request } from './setting.ts';

interface Equation {
  readonly sides: string;
  readonly unknown: string;
}

const LETTER = /(?<![a-z])[xyzn](?![a-z])/g;
const letters = (expr: string): ReadonlySet<string> => new Set(expr.match(LETTER));
/** Stands for each number of a list in what is done with all of them. */
export const HOLE = '□';
/** Whether a number contains an unknown, so that it can only be solved for, or one of a list. */
export const hasUnknown = ({ expr }: Num): boolean => letters(expr).size > 0 || expr.includes(HOLE);

const equal = (a: Num, b: Num): Equation | undefined => {
  const [unknown, more] = letters(`${a.expr} ${b.expr}`);
  return unknown === undefined || more !== undefined ? undefined : { sides: `${a.expr} = ${b.expr}`, unknown };
};
const solve = ({ sides, unknown }: Equation, asked?: string): Request | undefined =>
  asked === undefined || asked === unknown
    ? asks('calculate', { expression: `solve(${sides}, ${unknown})` })
    : undefined;
const unknownOf = (letter: string): Num => ({ ...numeral(letter, 'any'), plain: undefined, ops: 1 });

/** A formula with a number for its unknown. */
function filledIn({ expr }: Num, letter: string, n: Num): Request | undefined {
  const [unknown, more] = letters(expr);
  return unknown === letter && more === undefined && !hasUnknown(n)
    ? asks('calculate', { expression: expr.replace(LETTER, `(${n.expr})`) })
    : undefined;
}

type Operator = '+' | '-' | '*' | '/';
const INVERSE: Readonly<Record<Operator, Operator>> = { '+': '-', '-': '+', '*': '/', '/': '*' };
const operated = (a: Num, sign: Operator, b: Num): Num | undefined =>
  sign === '+' || sign === '-' ? sum(a, sign, b) : product(a, sign, b);

const rule = rulesOf<{
  operator: Operator;
  unknowing: Operator;
  thought: Num;
  equation: Equation;
  given: readonly [string, Num];
  unknown: string;
}>();

/** Equations with one unknown. */
export const EQUATIONS: Domain = {
  lexicon: {
    SOLVE:
      "solve|find|calculate|compute|work out|determine|what is|what's|whats|solve for|find the value of|what is the value of|find out",
    EQUALS: '=|equals|is equal to',
    WHATNUMBER:
      'what number|which number|what|a number|some number|a certain number|how much|what value|what amount|?|_|the number|find the number|find a number that',
    MISSING:
      'the missing number|the missing number :|missing number|missing number :|what is the missing number|what is the missing number :|whats the missing number|whats the missing number :|find the missing number|find the missing number :|fill in the blank :|fill in :|what is missing :',
    EQUATES:
      'is|gives|makes|make|equals|=|gives you|gives me|will give|comes to|is equal to|to get|to make|to reach|leaves|to give|to be|to have|and get|adds up to|will be',
    operator: {
      'plus|added to|+|increased by|and': '+',
      'minus|less|-|−|–|decreased by|take away': '-',
      'times|multiplied by|x|*|×': '*',
      'divided by|over|/|÷': '/',
    },
    unknowing: {
      'add to|be added to': '+',
      'take from|subtract from|take away from|deduct from|take off|be subtracted from|be taken from': '-',
      multiply: '*',
      divide: '/',
    },
    THINKOF:
      "think of|i think of|i'm thinking of|im thinking of|i am thinking of|i thought of|if i take|take|i take|i pick|i have|there is|start with|i started with|i start with|you think of",
    MYNUMBER: 'a number|some number|a certain number|a secret number|my number',
    THENI: 'i|you|he|she|we|then i|if i|i then|if you',
    ASKSNUMBER:
      "what was it|what is it|what's it|what is the number|what was the number|what's the number|whats the number|what was my number|what is my number|which number is it|which number was it|what number did i think of|what number did i start with|which number is that|find the number|find it|what number is it|what number|what is my number|what number was it|which number",
    ENDINGIN:
      'get|end up with|the answer is|it is|the result is|makes|gives|is|and get|to get|result is|got|the result was|the answer was|it makes|it gives|have|and i get|this gives|that gives',
  },
  /** A single letter is an unknown only where something is equal to something. */
  recognize: (tokens, add) => {
    if (!tokens.some(({ lower }) => lower === '=' || lower.startsWith('equal'))) return;
    for (const [index, { kind, lower }] of tokens.entries())
      if (kind === 'word' && /^[xyzn]$/.test(lower)) {
        add('unknown', index, index + 1, lower);
        add('number', index, index + 1, unknownOf(lower), -0.01);
      }
  },
  rules: [
    rule('number = <number:plain> <unknown>', ([n, letter]) => product(n, '*', unknownOf(letter))),
    rule('number = <number:plain> <unknown> (^|**) <number:whole>', ([n, letter, by]) => {
      const power = { ...unknownOf(letter), expr: `${letter}^${within(by, LEVEL.atom)}`, level: LEVEL.power };
      return product(n, '*', power);
    }),
    rule('number = <number:plain> <unknown> <squared>', ([n, letter, by]) =>
      product(n, '*', { ...unknownOf(letter), expr: `${letter}^${by}`, level: LEVEL.power }),
    ),
    // The number is the other one, calculated back.
    rule(
      'number -0.05 = MISSING? if? WHATNUMBER <operator> <number:plain> EQUATES <number:plain> SEP? ASKSNUMBER? ENDSIGN?',
      ([sign, n, result]) => operated(result, INVERSE[sign], n),
    ),
    rule(
      'number -0.05 = MISSING? if? <number:plain> <operator> WHATNUMBER EQUATES <number:plain> SEP? ASKSNUMBER? ENDSIGN?',
      ([n, sign, result]) =>
        sign === '-' || sign === '/' ? operated(n, sign, result) : operated(result, INVERSE[sign], n),
    ),
    rule(
      'number -0.05 = (what|how much|which number|what number|how many|how much more) (do|must|should|can|does|would|has|have)? (i|you|we|one)? (need to|have to|need|to)? <unknowing> <number:plain> (by|with)? EQUATES <number:plain> SEP? ASKSNUMBER? ENDSIGN?',
      ([sign, n, result]) =>
        sign === '-' || sign === '/' ? operated(n, sign, result) : operated(result, INVERSE[sign], n),
    ),
    // A number in a riddle, and what is done with it.
    rule('thought = THINKOF MYNUMBER', () => unknownOf('x')),
    rule('thought = (if|when)? THENI? <fold> MYNUMBER', ([by]) => product(numeral(by), '*', unknownOf('x'))),
    rule('thought = <thought> SEP? THENI? <fold> (it|that|the number|the result)?', ([n, by]) =>
      by < 1 ? product(n, '/', numeral(1 / by)) : product(numeral(by), '*', n),
    ),
    rule('thought = <thought> SEP? THENI? (square) (it|that)?', ([n]) => power(n, 2)),
    rule('thought = <thought> SEP? THENI? (add|plus) <number:plain> (to it|to that)?', ([n, by]) => sum(n, '+', by)),
    rule('request = <thought> SEP? THENI? ENDINGIN <number:plain> SEP? ASKSNUMBER ENDSIGN?', ([n, result]) =>
      n.ops > 1 ? asks('calculate', { expression: `solve(${n.expr} = ${result.expr}, x)` }) : undefined,
    ),
    rule('equation = (the equation|equation)? :? <number:terms> EQUALS <number:terms>', ([a, b]) => equal(a, b)),
    rule('request -0.05 = SOLVE :? <equation>', ([one]) => solve(one)),
    rule('given = <unknown> EQUALS <number:atom>', ([letter, n]) => [letter, n]),
    rule(
      'request = (if|when|for|with|given|let|where) <given> SEP? SOLVE <number:terms>',
      '#32 <unknown> EQUALS <number:terms> (if|when|for|with|given|where|at) <given>',
      ([[letter, n], of]) => filledIn(of, letter, n),
    ),
    // "x = 5" alone is no question.
    rule('request -0.05 = <equation>', ([one]) => (/[*^+]| - /.test(one.sides) ? solve(one) : undefined)),
    rule('number = <number:plain> OPEN <number> CLOSE', ([a, b]) =>
      hasUnknown(b) ? product(a, '*', { ...b, expr: `(${b.expr})`, level: LEVEL.atom }) : undefined,
    ),
    rule(
      'request = SOLVE :? <equation> (for|to find|to get|,)? (the value of|for)? <unknown>',
      'if? <equation> SEP? SOLVE? for? <unknown> ENDSIGN?',
      '#21 SOLVE <unknown> (if|when|in|from|where|given|given that|such that|:|,)? :? <equation>',
      ([one, asked]) => solve(one, asked),
    ),
  ],
};
