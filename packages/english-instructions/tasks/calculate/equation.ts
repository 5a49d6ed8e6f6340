import { TaskError } from '../task.ts';
import type { Engine } from './engine.ts';

const EQUATION = /^solve\(([^=]{1,500}) = ([^=]{1,500}), ([a-z])\)$/;
const LETTER = /(?<![a-z])[a-z](?![a-z])/g;
const tidy = (value: number): number => Number(value.toPrecision(12)) + 0;

/** What an equation comes to. */
export interface Solved {
  readonly unknown: string;
  /** In ascending order. */
  readonly values: readonly number[];
  readonly equation: string;
}

/**
 * The solutions of `solve(LEFT = RIGHT, x)`, of degree one or two, which is seen by the values at six places; undefined for
 * other expressions. Throws TaskError for other equations and for those with no solution or with all numbers as solutions.
 */
export function solved(expression: string, engine: Engine): Solved | undefined {
  const [, leftSide = '', rightSide = '', unknown = ''] = EQUATION.exec(expression) ?? [];
  if (unknown === '') return undefined;
  const difference = `(${leftSide}) - (${rightSide})`;
  const differenceAt = (x: number): number =>
    Number(engine.calculate(difference.replace(LETTER, (letter) => (letter === unknown ? `(${x})` : letter))).value);
  const [c, atOne, atMinusOne] = [differenceAt(0), differenceAt(1), differenceAt(-1)];
  const size = Math.max(Math.abs(c), Math.abs(atOne), Math.abs(atMinusOne));
  // What is left of decimals that cancel out is nothing.
  const some = (value: number): number => (Math.abs(value) <= 1e-12 * size ? 0 : tidy(value));
  const [a, b] = [some((atOne + atMinusOne) / 2 - c), some((atOne - atMinusOne) / 2)];
  if (![2, 3, -5].every((x) => Math.abs(differenceAt(x) - (a * x * x + b * x + c)) <= 1e-9 * Math.max(1, size) * x * x))
    throw new TaskError(`I solve linear and quadratic equations, and “${leftSide} = ${rightSide}” is none.`);
  const equation = `${leftSide} = ${rightSide}`;
  if (a === 0 && b === 0)
    throw new TaskError(c === 0 ? `Every number solves “${equation}”.` : `No number solves “${equation}”.`);
  if (a === 0) return { unknown, values: [tidy(-c / b)], equation };
  const under = tidy(b * b - 4 * a * c);
  if (under < 0) throw new TaskError(`No real number solves “${equation}”.`);
  const roots = [(-b - Math.sqrt(under)) / (2 * a), (-b + Math.sqrt(under)) / (2 * a)].map(tidy);
  return { unknown, values: [...new Set(roots)].sort((x, y) => x - y), equation };
}
