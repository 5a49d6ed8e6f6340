import type { Planned } from '../clause.ts';
import type { Unit } from '../words/units.ts';

/** How tightly the outermost operation of an expression binds; a lower level needs no parentheses in a higher one. */
export const LEVEL = { atom: 0, power: 1, of: 2, product: 3, sum: 4, phrase: 5 } as const;

/** A number, an amount or a calculation, as `calculate` reads it. */
export interface Num {
  readonly expr: string;
  readonly level: number;
  /** The number of operations in it. */
  readonly ops: number;
  /** `number`, `percent`, `money`, the kind of its unit, `any` for a reference, or `compound`. */
  readonly kind: string;
  /** Its value where it is written in figures or words, without a unit. */
  readonly plain?: number | undefined;
  /** The amount as written, for `convert` and `time`. */
  readonly said?: string | undefined;
  readonly unit?: Unit | undefined;
  /** The ISO 4217 code of an amount of money, where it is written. */
  readonly currency?: string | undefined;
  /** What it is a part of and added to, with it: of a tip, the bill with it. */
  readonly extended?: Num | undefined;
  /** What it counts, where that is said. */
  readonly thing?: string | undefined;
  /** Whether it says how many of a hundred. */
  readonly hundred?: boolean | undefined;
  /** Whether it is written in words, which may as well be text. */
  readonly spelled?: boolean;
}

/** The expression with parentheses where its operation binds less tightly than `level`. */
export const within = ({ expr, level }: Num, max: number): string => (level > max ? `(${expr})` : expr);

/** The result of an operation. */
export const operation = (level: number, kind: string, expr: string, ...operands: readonly Num[]): Num => ({
  expr,
  level,
  kind,
  ops: 1 + operands.reduce((all, one) => all + one.ops, 0),
  ...(kind === 'money' && { currency: operands.find(({ currency }) => currency !== undefined)?.currency }),
});

const isPlain = ({ kind }: Num): boolean => kind === 'number' || kind === 'any';
/** Whether two amounts can be added or compared. */
export const alike = (amount: Num, other: Num): boolean =>
  (amount.kind === other.kind &&
    (amount.currency === undefined || other.currency === undefined || amount.currency === other.currency)) ||
  amount.kind === 'any' ||
  other.kind === 'any' ||
  (amount.kind === 'money' && other.kind === 'number') ||
  (amount.kind === 'number' && other.kind === 'money');

/** `amount + other` or `amount - other`; a percentage is taken of `amount`. */
export function sum(amount: Num, sign: '+' | '-', other: Num): Num | undefined {
  const share = other.kind === 'percent' && amount.kind !== 'percent';
  if (!share && !alike(amount, other)) return undefined;
  // Adding 10 °C is adding 18 °F, while 10 °C is 50 °F.
  if (amount.kind === 'temperature' && amount.unit !== other.unit) return undefined;
  const kind = amount.kind === 'any' || (amount.kind === 'number' && !share) ? other.kind : amount.kind;
  const right = within(other, LEVEL.product);
  return operation(
    LEVEL.sum,
    share ? amount.kind : kind,
    `${amount.expr} ${sign} ${right.startsWith('-') ? `(${right})` : right}`,
    amount,
    other,
  );
}

function kindOf(amount: Num, sign: string, other: Num): string {
  if (other.kind === 'percent' || isPlain(other))
    return amount.kind === 'percent' ? (sign === '*' ? other.kind : 'percent') : amount.kind;
  if (sign === '/') return amount.kind === other.kind ? 'number' : 'compound';
  return isPlain(amount) || amount.kind === 'percent' ? other.kind : 'compound';
}

/** `amount * other` and the like; `sign` is `*`, `/` or `mod`. */
export const product = (amount: Num, sign: '*' | '/' | 'mod', other: Num): Num => {
  const otherExpr = within(other, other.unit === undefined ? LEVEL.of : -1);
  const amountExpr = within(amount, LEVEL.product);
  return operation(
    LEVEL.product,
    kindOf(amount, sign, other),
    `${amountExpr} ${sign} ${otherExpr.startsWith('-') ? `(${otherExpr})` : otherExpr}`,
    amount,
    other,
  );
};

/** A whole phrase, which is an operand only in parentheses. */
export const phrase = (n: Num | undefined): Num | undefined => n && { ...n, level: LEVEL.phrase };

/** A number raised to a power, which is a root or a reciprocal where that is shorter to read. */
export const power = (of: Num, by: number | string): Num =>
  by === 0.5
    ? call('sqrt', of)
    : by === -1
      ? product(numeral(1), '/', of)
      : operation(LEVEL.power, of.kind, `${within(of, LEVEL.atom)}^${by}`, of);

/** The step that calculates it. */
export const calculation = ({ expr, currency, hundred }: Num): Planned => ({
  task: 'calculate',
  input: { expression: expr, ...(currency !== undefined && { currency }), ...(hundred === true && { percent: true }) },
});

/** A function of mathjs. */
export const call = (name: string, ...of: readonly Num[]): Num => ({
  ...operation(LEVEL.atom, of[0]?.kind ?? 'number', `${name}(${of.map(({ expr }) => bare(expr)).join(', ')})`, ...of),
  ...(of[0]?.hundred === true && { hundred: true }),
});

/** The value of a number or a fraction of two. */
const amountOf = ({ expr, plain, ops }: Num): number => {
  const [, above, below] = /^\(?(\d+(?:\.\d+)?) ?\/ ?(\d+(?:\.\d+)?)\)?$/.exec(expr) ?? [];
  return below === undefined ? (ops === 0 ? (plain ?? Number.NaN) : Number.NaN) : Number(above) / Number(below);
};
/** The largest or smallest of some numbers, which is a fraction where it was written as one. */
export function utmost(name: 'max' | 'min', numbers: readonly Num[]): Num {
  const all = call(name, ...numbers);
  const best = Math[name](...numbers.map(amountOf));
  const one = numbers.find((each) => amountOf(each) === best);
  return one?.expr.includes('/') === true ? { ...all, expr: `fraction(${all.expr})`, level: LEVEL.phrase } : all;
}

function bare(expr: string): string {
  if (!expr.startsWith('(') || !expr.endsWith(')')) return expr;
  let depth = 0;
  for (let at = 0; at < expr.length - 1; at++) {
    if (expr[at] === '(') depth++;
    else if (expr[at] === ')') depth--;
    if (depth === 0) return expr;
  }
  return expr.slice(1, -1);
}

/** A number without unit. */
export const numeral = (value: number | string, kind = 'number'): Num => ({
  expr: String(value),
  level: LEVEL.atom,
  ops: 0,
  kind,
  plain: Number(value),
  said: String(value),
});

/** A list of numbers. `open`: whether more may follow, which is over after an "and". */
export interface List {
  readonly items: readonly Num[];
  readonly open: boolean;
  /** Whether something was left out of it, so that what is done with each may leave that as it is. */
  readonly partial?: true;
}
export const list = (items: readonly Num[], open = true): List => ({ items, open });

/** The value of a calculation that only multiplies and divides, where the order makes no difference; undefined for other steps. */
export function productOf([step, more]: readonly Planned[]): number | undefined {
  const expression = step?.task === 'calculate' && more === undefined ? step.input.expression : undefined;
  if (typeof expression !== 'string' || !/^[\d.]+%?(?: [*/] [\d.]+%?)+$/.test(expression)) return undefined;
  let value = 1;
  for (const [, sign, figure, percent] of expression.matchAll(/([*/]?) ?([\d.]+)(%?)/g)) {
    const factor = Number(figure) / (percent === '%' ? 100 : 1);
    value = sign === '/' ? value / factor : value * factor;
  }
  return Number(value.toPrecision(12));
}
