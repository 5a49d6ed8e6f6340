import type { Domain } from '../../language/grammar.ts';
import { LEVEL, type Num, numeral, product, within } from './number.ts';
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

const rule = rulesOf<{ equation: Equation; given: readonly [string, Num]; unknown: string }>();

/** Equations with one unknown. */
export const EQUATIONS: Domain = {
  lexicon: {
    SOLVE:
      "solve|find|calculate|compute|work out|determine|what is|what's|whats|solve for|find the value of|what is the value of|find out",
    EQUALS: '=|equals|is equal to',
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
    rule('equation = (the equation|equation)? :? <number:terms> EQUALS <number:terms>', ([a, b]) => equal(a, b)),
    rule('request -0.05 = SOLVE :? <equation>', ([one]) => solve(one)),
    rule('given = <unknown> EQUALS <number:atom>', ([letter, n]) => [letter, n]),
    rule(
      'request = (if|when|for|with|given|let|where) <given> SEP? SOLVE <number:terms>',
      '#21 SOLVE <number:terms> (if|when|for|with|given|where|at) <given>',
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
      'if? <equation> SEP? SOLVE for? <unknown>',
      '#21 SOLVE <unknown> (if|when|in|from|where|given|given that|such that|:|,)? :? <equation>',
      ([one, asked]) => solve(one, asked),
    ),
  ],
};
