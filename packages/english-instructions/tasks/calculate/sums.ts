import type { BigNumber } from 'mathjs';

/** The properties of a parser's nodes that are used. */
export type Parts =
  | { readonly type: 'ConstantNode'; readonly value: unknown }
  | { readonly type: 'ParenthesisNode'; readonly content: Parts }
  | { readonly type: 'OperatorNode'; readonly fn: string; readonly args: readonly Parts[] }
  | { readonly type: 'FunctionNode'; readonly fn: { readonly name?: string }; readonly args: readonly Parts[] }
  | { readonly type: 'ArrayNode'; readonly items: readonly Parts[] }
  | { readonly type: 'SymbolNode'; readonly name: string };

const SPACE = 0x20;
const PERCENT = 0x25;
const OPEN = 0x28;
const CLOSE = 0x29;
const TIMES = 0x2a;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const OVER = 0x2f;
const POWER = 0x5e;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** The node for 100 of a percentage as mathjs makes it: a number rather than a decimal. */
const HUNDRED: Parts = { type: 'ConstantNode', value: 100 };

const operator = (fn: string, ...args: readonly Parts[]): Parts => ({ type: 'OperatorNode', fn, args });

/** Thrown internally when the text is no plain sum or invalid; mathjs gives the better message. */
const OTHERWISE = new Error('no plain sum');

/**
 * The nodes that mathjs would make of a sum of plain numbers, about twenty times as fast: `+ - * / ^`, signs, parentheses,
 * and percentages without a following number. Undefined for everything else, which mathjs parses.
 */
export function parseSum(text: string, number: (text: string) => BigNumber): Parts | undefined {
  try {
    return new Sum(text, number).whole();
  } catch (error) {
    if (error === OTHERWISE) return undefined;
    throw error;
  }
}

/**
 * Adds parentheses before a sign that follows a percentage, because mathjs reads "10% - 5%" as a remainder. Each group and
 * each argument is treated separately.
 */
export function percentagesClosed(expression: string): string {
  if (!/\d% ?[-+]/.test(expression)) return expression;
  const groups = [{ made: '', from: 0 }];
  for (let at = 0; at < expression.length; at++) {
    const sign = expression[at] as string;
    const group = groups.at(-1) as { made: string; from: number };
    if (sign === '(') groups.push({ made: '', from: 0 });
    else if (sign === ')' && groups.length > 1) {
      groups.pop();
      (groups.at(-1) as { made: string }).made += `(${group.made})`;
    } else {
      if ((sign === '+' || sign === '-') && /\d% ?$/.test(group.made.slice(-4)))
        group.made = `${group.made.slice(0, group.from)}(${group.made.slice(group.from).trim()}) `;
      group.made += sign;
      if (sign === ',') group.from = group.made.length;
    }
  }
  return groups.map(({ made }) => made).join('(');
}

/** One method per level of precedence, the loosest first, as in mathjs's parser. */
class Sum {
  readonly #text: string;
  readonly #number: (text: string) => BigNumber;
  #at = 0;
  /** Whether the last term is only a percentage, which then applies to what stands before it. */
  #percentage = false;

  constructor(text: string, number: (text: string) => BigNumber) {
    this.#text = text;
    this.#number = number;
  }

  whole(): Parts {
    const node = this.#terms();
    if (this.#at < this.#text.length) throw OTHERWISE;
    return node;
  }

  /** The next character without consuming it; NaN at the end. */
  #next(): number {
    while (this.#text.charCodeAt(this.#at) === SPACE) this.#at++;
    return this.#text.charCodeAt(this.#at);
  }

  #terms(): Parts {
    let node = this.#factors();
    for (let sign = this.#next(); sign === PLUS || sign === MINUS; sign = this.#next()) {
      this.#at++;
      const right = this.#factors();
      node = operator(
        sign === PLUS ? 'add' : 'subtract',
        node,
        this.#percentage ? operator('multiply', node, right) : right,
      );
    }
    return node;
  }

  #factors(): Parts {
    let node = this.#share();
    for (let sign = this.#next(); sign === TIMES || sign === OVER; sign = this.#next()) {
      this.#at++;
      node = operator(sign === TIMES ? 'multiply' : 'divide', node, this.#share());
      this.#percentage = false;
    }
    return node;
  }

  #share(): Parts {
    const node = this.#signed();
    this.#percentage = this.#next() === PERCENT;
    if (!this.#percentage) return node;
    this.#at++;
    const after = this.#next();
    // A following number would make it a remainder.
    if (!(Number.isNaN(after) || after === CLOSE || after === TIMES || after === OVER)) throw OTHERWISE;
    return operator('divide', node, HUNDRED);
  }

  #signed(): Parts {
    const sign = this.#next();
    if (sign !== MINUS && sign !== PLUS) return this.#power();
    this.#at++;
    return operator(sign === MINUS ? 'unaryMinus' : 'unaryPlus', this.#signed());
  }

  #power(): Parts {
    const base = this.#operand();
    if (this.#next() !== POWER) return base;
    this.#at++;
    return operator('pow', base, this.#signed());
  }

  #operand(): Parts {
    if (this.#next() !== OPEN) return { type: 'ConstantNode', value: this.#number(this.#digits()) };
    this.#at++;
    const content = this.#terms();
    if (this.#next() !== CLOSE) throw OTHERWISE;
    this.#at++;
    return { type: 'ParenthesisNode', content };
  }

  /** Reads `12`, `1.5` or `.5`. */
  #digits(): string {
    const from = this.#at;
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at++;
    if (this.#text.charCodeAt(this.#at) === POINT) {
      this.#at++;
      if (!isDigit(this.#text.charCodeAt(this.#at))) throw OTHERWISE;
      while (isDigit(this.#text.charCodeAt(this.#at))) this.#at++;
    }
    if (this.#at === from) throw OTHERWISE;
    return this.#text.slice(from, this.#at);
  }
}
