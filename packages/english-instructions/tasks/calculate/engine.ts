import type { BigNumber, ConfigOptions, FactoryFunctionMap, MathJsInstance, Unit } from 'mathjs';
import { TaskError } from '../task.ts';
import { MATH_UNITS, symbolOf } from '../words/units.ts';
import { CONSTANTS, FUNCTIONS, OF_LIST } from './functions.ts';
import { type Parts, parseSum, percentagesClosed } from './sums.ts';

/** Maximum length of an expression, in characters. */
export const MAX_EXPRESSION = 2_000;
const MAX_NODES = 1_000;
/** Maximum nesting of parentheses, because the parser recurses about twenty times for each. */
const MAX_DEPTH = 50;
const MAX_DIGITS = 2_600;
const MAX_FACTORIAL = 1_000;
/** Maximum processor time of one expression, in ms; checked before each function. */
const MAX_MS = 100;
/** Significant decimal digits of calculations; results of functions are shown with 15. */
const PRECISION = 64;

/** A calculation that is written right and has no result. */
export class NoResult extends TaskError {
  /** What it has instead, such as "no result: a division by zero is undefined". */
  readonly outcome: string;

  constructor(outcome: string) {
    super(`That has ${outcome}.`);
    this.outcome = outcome;
  }
}

type Value = BigNumber | Unit | readonly Value[];

/** The result of an expression. */
export interface Calculated {
  /** A number when a JSON number is exact or its decimals never end (to 15 digits); else a string of all digits. */
  readonly value: number | string;
  readonly unit: string | undefined;
}

type Call = (...values: readonly unknown[]) => unknown;

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The part of mathjs that is used; the rest cannot be reached. */
export class Engine {
  readonly #parse: (text: string) => Parts;
  readonly #calls: Readonly<Record<string, Call>>;
  readonly #number: (text: string) => BigNumber;
  readonly #isUnit: (name: string) => boolean;
  readonly #unit: (name: string) => Unit;
  #nodes = 0;
  #until = 0;
  #before = 0;

  constructor(math: MathJsInstance) {
    this.#parse = math.parse as unknown as (text: string) => Parts;
    this.#calls = math as unknown as Record<string, Call>;
    const { BigNumber: Big, Unit: unitClass } = math as unknown as {
      readonly BigNumber: new (value: string | number) => BigNumber;
      readonly Unit: { isValuelessUnit(name: string): boolean };
    };
    // Short whole numbers need no parsing digit by digit.
    this.#number = (text) => new Big(text.length < 8 && Number.isInteger(Number(text)) ? Number(text) : text);
    this.#isUnit = (name) => unitClass.isValuelessUnit(name);
    this.#unit = (name) => math.unit(name);
  }

  calculate(expression: string): Calculated {
    if (expression.length > MAX_EXPRESSION) {
      throw new TaskError(`The calculation is longer than ${MAX_EXPRESSION.toLocaleString('en')} characters.`);
    }
    checkDepth(expression);
    this.#nodes = 0;
    this.#until = 0;
    let value: Value;
    try {
      value = this.#value(parseSum(expression, this.#number) ?? this.#parse(percentagesClosed(expression)));
    } catch (error) {
      if (error instanceof TaskError) throw error;
      throw new TaskError(explained(error), { cause: error });
    }
    if (isList(value))
      throw new TaskError('That is a list, not a number: say what of it, such as the sum or the average.');
    if (!isUnit(value)) return { value: figuresOf(value), unit: undefined };
    const unit = value.formatUnits();
    if (unit === '') return { value: figuresOf(value.toNumeric('') as unknown as BigNumber), unit: undefined };
    return {
      value: figuresOf(value.toNumeric(unit) as unknown as BigNumber, 12),
      unit: unit.replace(/[A-Za-z0-9]+/g, symbolOf),
    };
  }

  #value(node: Parts): Value {
    if (++this.#nodes > MAX_NODES) throw new TaskError(`The calculation has more than ${MAX_NODES} parts.`);
    switch (node.type) {
      case 'ConstantNode':
        return bounded(this.#constant(node.value));
      case 'ParenthesisNode':
        return this.#value(node.content);
      case 'OperatorNode':
        return this.#operate(node);
      case 'FunctionNode':
        return this.#call(node.fn.name ?? '', this.#values(node.args));
      case 'ArrayNode':
        return this.#values(node.items);
      case 'SymbolNode': {
        const constant = CONSTANTS.get(node.name) ?? CONSTANTS.get(node.name.toLowerCase());
        if (constant !== undefined && node.name !== 'E') return this.#number(constant);
        if (this.#isUnit(node.name)) return this.#unit(node.name);
        throw new TaskError(`I do not know “${node.name.slice(0, 40)}” in a calculation.`);
      }
      default:
        throw new TaskError('A calculation is numbers, units, operators and functions such as sqrt or sum only.');
    }
  }

  #constant(value: unknown): BigNumber {
    if (typeof value === 'object' && value !== null) return value as BigNumber;
    // The 100 of a percentage.
    if (typeof value === 'number') return this.#number(String(value));
    // The items of a list that came as text.
    if (typeof value === 'string' && /^\s*[+-]?\d{1,40}(?:\.\d{1,40})?\s*$/.test(value))
      return this.#number(value.trim());
    throw new TaskError(`“${String(value).slice(0, 40)}” is no number.`);
  }

  #values(nodes: readonly Parts[]): Value[] {
    return nodes.map((node) => this.#value(node));
  }

  #operate({ fn, args }: Extract<Parts, { type: 'OperatorNode' }>): Value {
    const [first, second] = this.#values(args);
    if (first === undefined || isList(first) || (second !== undefined && isList(second))) {
      throw new TaskError('I calculate with the numbers of a list only in functions such as sum or average.');
    }
    if (second === undefined) {
      if (fn === 'unaryMinus') return isUnit(first) ? (this.#calls.unaryMinus?.(first) as Unit) : first.neg();
      if (fn === 'unaryPlus') return first;
      if (fn === 'factorial') return this.#factorial(first);
    } else {
      if (fn === 'pow') return this.#pow(first, second);
      if (fn === 'divide' && (isUnit(second) ? isZero(second) : second.isZero())) {
        throw new NoResult('no result: a division by zero is undefined');
      }
      if (!isUnit(first) && !isUnit(second)) {
        if (fn === 'add') return bounded(first.plus(second));
        if (fn === 'subtract') return bounded(first.minus(second));
        if (fn === 'multiply') return bounded(first.times(second));
        if (fn === 'divide') return bounded(first.div(second));
        if (fn === 'mod') return this.#call('mod', [first, second]);
      } else if ((fn === 'add' || fn === 'subtract') && isUnit(first) !== isUnit(second)) {
        throw new TaskError('One number has a unit and the other has none: write it with both.');
      } else if (UNIT_OPERATORS.has(fn)) return bounded(this.#calls[fn]?.(first, second) as Value);
    }
    throw new TaskError('I know the operators + - * / ^ % mod and ! here.');
  }

  /** Checks the time before a slow operation, because many of these take as long as each one does together. */
  #spend(): void {
    const now = performance.now();
    if (this.#until === 0) {
      this.#until = now + MAX_MS;
      this.#before = processorMs();
    } else if (now > this.#until && processorMs() > this.#before + MAX_MS) {
      throw new TaskError('The calculation takes too long: do it in several steps.');
    }
  }

  #pow(base: Value, power: Value): Value {
    this.#spend();
    if (isList(base) || isList(power) || isUnit(power))
      throw new TaskError('A power has a plain number as its exponent.');
    if (isUnit(base)) {
      if (power.abs().gt(9)) throw new TaskError('A unit has powers up to 9.');
      return this.#calls.pow?.(base, power) as Unit;
    }
    if (power.isZero()) return this.#number('1');
    if (base.isZero()) {
      if (power.isNeg()) throw new NoResult('no result: a division by zero is undefined');
      return base;
    }
    if (base.isNeg() && !power.isInteger()) throw new NoResult('no real result: a root of a negative number');
    // The size is estimated in plain numbers first, because the power may not fit in memory.
    const digits = Math.abs(power.toNumber()) * Math.abs(magnitude(base));
    if (digits > MAX_DIGITS || power.abs().gt(1e9)) throw tooLarge();
    if (base.isInteger() && power.isInteger() && !power.isNeg()) {
      return this.#number((BigInt(base.toFixed()) ** BigInt(power.toFixed())).toString());
    }
    return bounded(base.pow(power));
  }

  #factorial(value: Value): BigNumber {
    this.#spend();
    if (isList(value) || isUnit(value) || !value.isInteger() || value.isNeg()) {
      throw new TaskError('A factorial is of a whole number that is not negative.');
    }
    if (value.gt(MAX_FACTORIAL)) throw new TaskError(`I compute factorials up to ${MAX_FACTORIAL}.`);
    let product = 1n;
    for (let n = BigInt(value.toFixed()); n > 1n; n--) product *= n;
    return this.#number(product.toString());
  }

  #call(written: string, given: readonly Value[]): Value {
    this.#spend();
    const name = written.toLowerCase();
    const ofList = OF_LIST.get(name);
    if (ofList !== undefined) {
      const all = given.flatMap((one) => (isList(one) ? one : [one])) as Value[];
      if (all.length === 0 || all.some(isList)) throw new TaskError(`“${name}” needs a list of numbers.`);
      if (all.length === 1 && SPREADS.has(ofList)) return this.#number('0');
      const found = this.#calls[ofList]?.(all, ...((name.endsWith('p') ? ['uncorrected'] : []) as never[])) as Value;
      return bounded(isList(found) ? (found[0] as Value) : found);
    }
    const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (known === undefined) throw new TaskError(`I do not know the function “${written.slice(0, 40)}”.`);
    const [math, from, to, power] = known;
    if (given.length < from || given.length > to || given.some(isList)) {
      throw new TaskError(`“${name}” takes ${from === to ? from : `${from} to ${to}`} number${to === 1 ? '' : 's'}.`);
    }
    if (name === 'pow') return this.#pow(given[0] as Value, given[1] as Value);
    if (name === 'factorial') return this.#factorial(given[0] as Value);
    const by = name === 'mod' ? given[1] : undefined;
    if (by !== undefined && !isList(by) && !isUnit(by) && by.isZero())
      throw new NoResult('no result: a division by zero is undefined');
    if (given.some((one) => power !== undefined && !isUnit(one) && !isList(one) && magnitude(one) > power)) {
      throw new TaskError(`That number is too large for “${name}”.`);
    }
    const [of] = given;
    if (/^l(?:n|og)/.test(name) && of !== undefined && !isUnit(of) && !isList(of) && !of.gt(0))
      throw new NoResult(`no real result: a logarithm of ${of.isZero() ? 'zero' : 'a negative number'}`);
    if (name === 'sqrt' && of !== undefined && !isUnit(of) && !isList(of) && of.isNeg() && !of.isZero())
      throw new NoResult('no real result: a root of a negative number');
    const second = given[1];
    if (name.endsWith('root') && second !== undefined && !isUnit(second) && !isList(second) && second.abs().gt(1000)) {
      throw new TaskError('I take roots up to the 1000th.');
    }
    // A quantity is rounded in its own unit.
    const values =
      of !== undefined && isUnit(of) && ROUNDS.has(name) ? [...given, this.#unit(of.formatUnits())] : given;
    const result = bounded(this.#calls[math === 'log10' && given.length === 2 ? 'log' : math]?.(...values) as Value);
    // The sine of pi with 64 digits is not exactly zero.
    const nearly = /^(?:sin|cos|tan)$/.test(name) && !isUnit(result) && !isList(result) && result.abs().lt(1e-55);
    return nearly ? this.#number('0') : result;
  }
}

const SPREADS = new Set(['std', 'variance']);
const ROUNDS = new Set(['round', 'floor', 'ceil', 'trunc', 'fix']);
const UNIT_OPERATORS = new Set(['add', 'subtract', 'multiply', 'divide', 'to']);

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
const isUnit = (value: Value): value is Unit => (value as { readonly type?: string }).type === 'Unit';
const isZero = (unit: Unit): boolean => (unit as unknown as { value: BigNumber | null }).value?.isZero() === true;
/** Roughly the decimal logarithm of a number of any size. */
function magnitude(value: BigNumber): number {
  const near = Math.log10(Math.abs(value.toNumber()));
  return Number.isFinite(near) ? near : value.isZero() ? 0 : value.e;
}

const tooLarge = (): TaskError =>
  new TaskError(`The number is too large or too small: I go to ${MAX_DIGITS.toLocaleString('en')} digits.`);

function bounded(value: Value): Value {
  if (isList(value)) return value;
  if (isUnit(value)) return value;
  if ((value as { readonly type?: string }).type !== 'BigNumber') throw new NoResult('no real result');
  if (value.isNaN()) throw new NoResult('no result: it is undefined');
  if (!value.isFinite() || value.e > MAX_DIGITS || value.e < -MAX_DIGITS) throw tooLarge();
  return value;
}

function checkDepth(expression: string): void {
  let depth = 0;
  let signs = 0;
  for (let at = 0; at < expression.length; at++) {
    const code = expression.charCodeAt(at);
    if (code === 40 || code === 91 || code === 123) depth++;
    else if (code === 41 || code === 93 || code === 125) depth--;
    // Signs and powers bind to the right, so the parser recurses for each.
    else if (code === 43 || code === 45 || code === 126 || code === 94 || code === 63) signs++;
    if (depth > MAX_DEPTH) throw new TaskError(`Parentheses go ${MAX_DEPTH} deep at most.`);
  }
  if (signs > MAX_NODES) throw new TaskError(`The calculation has more than ${MAX_NODES} parts.`);
}

function explained(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/Units do not match/.test(message)) return 'The units are not compatible: one cannot be converted to the other.';
  if (/Precision limit/.test(message)) return 'That number is too large or too small to compute.';
  if (/\(char (\d+)\)/.test(message))
    return `I cannot read this calculation, from character ${/\(char (\d+)\)/.exec(message)?.[1]} on.`;
  return 'I cannot compute this.';
}

function figuresOf(value: BigNumber, digits = 15): number | string {
  if (!value.isFinite()) throw new NoResult('no result: it is undefined');
  // The last digits come from rounding: 1/3*3 is 1.
  const near = value.isInteger() ? value : value.toSignificantDigits(50);
  if (near.isZero()) return 0;
  if (near.e > MAX_DIGITS || near.e < -300) throw tooLarge();
  if (digits < 15 && near.e > 300) throw tooLarge();
  if (near.isInteger() && digits === 15) {
    return near.precision() <= 15 && near.e < 21 ? near.toNumber() : near.toFixed();
  }
  if (near.precision() <= digits || (near.precision() > 30 && near.e < 300) || digits < 15)
    return near.toSignificantDigits(digits).toNumber();
  return near.toString();
}

let engine: Engine | undefined;
let loading: Promise<Engine> | undefined;

/** Loads mathjs once, which takes about a second and 114 MB. */
export async function loadEngine(): Promise<Engine> {
  loading ??= import('mathjs').then(({ create, all }) => {
    const config: ConfigOptions = { number: 'BigNumber', precision: PRECISION, matrix: 'Array' };
    const math = create(all as FactoryFunctionMap, config);
    for (const [name, definition] of Object.entries(MATH_UNITS)) math.createUnit(name, definition);
    engine = new Engine(math);
    return engine;
  });
  return loading;
}

/** The engine once it is loaded, so that calculations are synchronous. */
export const engineNow = (): Engine | undefined => engine;
