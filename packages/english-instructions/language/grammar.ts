import { Chart, type Element, FREE, type Item, idOf, type Production, Productions } from './chart.ts';
import type { Token } from './lexer.ts';

/** Words by the type they make: each list of phrases, separated by `|`, has a value. */
export interface Lexicon {
  readonly [type: string]: Readonly<Record<string, unknown>> | string;
}

/** A production before its patterns are read. */
export interface Rule {
  readonly makes: string;
  readonly patterns: readonly string[];
  readonly make: Production['make'];
  readonly score: number;
}

/** The values that an element of a pattern passes; those of types that `T` does not have are strings. */
type Passed<W, T> = W extends '…' | '…?' | `…:${string}`
  ? [Value<'…', T>]
  : W extends `<${infer N}>?`
    ? [Value<N, T> | undefined]
    : W extends `<${infer N}>`
      ? [Value<N, T>]
      : [];
type Value<N, T> = N extends `${infer Own}:${string}` ? Value<Own, T> : N extends keyof T ? T[N] : string;
type Values<P, T, V extends readonly unknown[] = []> = P extends `${infer W} ${infer R}`
  ? W extends `#${infer Places}`
    ? Ordered<Places, [never, ...Values<R, T>]>
    : Values<R, T, [...V, ...Passed<W, T>]>
  : [...V, ...Passed<P, T>];
type Ordered<Places, V extends readonly unknown[]> = Places extends `${infer At}${infer More}`
  ? [V[At & keyof V], ...Ordered<More, V>]
  : [];

/** Makes rules of patterns, and of a function that gets the values in them. */
interface RuleMaker<T, C> {
  <const P extends string>(...parts: [...P[], (values: Values<P, T>, context: C) => unknown]): Rule;
  (...patterns: readonly string[]): Rule;
}
const HEAD = /^([\w-]+)(?: (-?[\d.]+))? = /;
const OWN = /^(?:(-?[\d.]+) = )?(?:#(\d+) )?/;

/**
 * Rules of a grammar, with the TypeScript types `T` of the values of its types; `…` is that of free text. `C`: what their
 * meaning depends on.
 *
 * A rule is `sum = <number> PLUS <number:small>`: what it makes, and a pattern. That consists of words, alternatives
 * `(plus|and)`, words of the lexicon `PLUS`, types `<number>`, and types with a named test `<number:term>`; `?` behind one
 * makes it optional, and `…` is free text, `…:short` with a test. The values of types and of free text are passed to the function, undefined for
 * one that is missing; what it returns is the value, or undefined when it is no such thing. Without a function the value is
 * the first one, or true. More patterns say the same in other words. `sum -0.1 = …` has a score below 0, as an unusual
 * reading. Another pattern has a score of its own as `-0.2 = …`, and `#21 …` passes its second value first.
 */
export const rulesOf =
  <T, C>(): RuleMaker<T, C> =>
  (...parts: readonly unknown[]): Rule => {
    const last = parts.at(-1);
    const [first = '', ...others] = parts.filter((part) => typeof part === 'string');
    const [head = '', makes = '', score = 0] = HEAD.exec(first) ?? [];
    return {
      makes,
      patterns: [first.slice(head.length), ...others],
      make: (typeof last === 'function' ? last : ([value = true]: readonly unknown[]) => value) as Production['make'],
      score: Number(score),
    };
  };

/** Finds items that no word list has: numbers, units, dates. `add` takes the item's type, span, value and score. */
export type Recognizer = (
  tokens: readonly Token[],
  add: (type: string, from: number, to: number, value: unknown, score?: number) => void,
  context: never,
) => void;

/** One domain of the language: its words, what is recognized without them, its rules and their tests. */
export interface Domain {
  readonly lexicon?: Lexicon;
  readonly recognize?: Recognizer;
  readonly rules: readonly Rule[];
  readonly tests?: Readonly<Record<string, (value: never) => boolean>>;
}

/** The number of a type, and a value of it. */
type Entry = readonly [type: number, value: unknown];
interface Branch {
  readonly next: Map<string, Branch>;
  readonly entries: Entry[];
}
const branch = (): Branch => ({ next: new Map(), entries: [] });

/** The domains of a language as one grammar. */
export class Grammar {
  readonly #words = branch();
  readonly #lexical = new Set<string>();
  readonly #productions: Productions;
  readonly #recognizers: readonly Recognizer[];

  /** `goals`: the types that are looked for in a text. */
  constructor(domains: readonly Domain[], goals: readonly string[]) {
    const all: Production[] = [];
    const tests = Object.assign({}, ...domains.map((one) => one.tests)) as NonNullable<Domain['tests']>;
    this.#recognizers = domains.flatMap(({ recognize }) => recognize ?? []);
    for (const { lexicon = {}, rules } of domains) {
      for (const [type, words] of Object.entries(lexicon)) {
        // The words of two domains under one name would stand for each other.
        if (this.#lexical.has(type)) throw new Error(`The words ${type} are those of two domains.`);
        this.#learn(type, words);
      }
      for (const one of rules) for (const pattern of one.patterns) all.push(this.#production(one, pattern, tests));
    }
    this.#productions = new Productions(all, this.#lexical, goals);
  }

  /** All that is found in the tokens. `written`: as of a chart. */
  parse(
    tokens: readonly Token[],
    context: unknown,
    slice: (from: number, to: number) => unknown,
    written?: number,
  ): Chart {
    const items: Item[] = [];
    const add = (type: string, from: number, to: number, value: unknown, score = 0): void => {
      items.push({ type: idOf(type), from, to, value, score });
    };
    for (let at = 0; at < tokens.length; at++) this.#wordsAt(tokens, at, items);
    for (const recognize of this.#recognizers) recognize(tokens, add, context as never);
    items.sort((a, b) => a.to - b.to || b.from - a.from);
    return new Chart({ length: tokens.length, written, context, productions: this.#productions, items, slice });
  }

  /** All words of phrases, in lower case. */
  vocabulary(): ReadonlySet<string> {
    const words = new Set<string>();
    const collect = ({ next }: Branch): void => {
      for (const [word, more] of next) {
        words.add(word);
        collect(more);
      }
    };
    collect(this.#words);
    return words;
  }

  /** Each word is found only at its longest phrase and at itself. */
  #wordsAt(tokens: readonly Token[], from: number, items: Item[]): void {
    let here: Branch | undefined = this.#words;
    for (let index = from; index < tokens.length; index++) {
      const { kind, lower } = tokens[index] as Token;
      here = kind === 'word' || kind === 'sign' || kind === 'number' ? here.next.get(lower) : undefined;
      if (here === undefined) return;
      for (const [type, value] of here.entries) items.push({ type, from, to: index + 1, value, score: 0 });
    }
  }

  #learn(type: string, words: Lexicon[string]): void {
    this.#lexical.add(type);
    const all = typeof words === 'string' ? { [words]: true } : words;
    for (const [phrases, value] of Object.entries(all))
      for (const phrase of phrases.split('|')) this.#word(phrase, type, value);
  }

  #word(phrase: string, type: string, value: unknown): void {
    let here = this.#words;
    for (const word of wordsOf(phrase)) {
      const known = here.next.get(word) ?? branch();
      here.next.set(word, known);
      here = known;
    }
    const id = idOf(type);
    if (!here.entries.some((entry) => entry[0] === id && entry[1] === value)) here.entries.push([id, value]);
  }

  #production({ makes, make, score }: Rule, pattern: string, tests: NonNullable<Domain['tests']>): Production {
    const elements = [...pattern.replace(OWN, '').matchAll(PATTERN)].map(
      ([whole, type, of, free, ofFree, words]): Element => {
        const test = of ?? ofFree;
        const found = test === undefined ? undefined : tests[test];
        if (test !== undefined && found === undefined)
          throw new Error(`The pattern “${pattern}” has no test “${test}”.`);
        const elementType = type ?? (CLASS.test(words ?? '') ? (words as string) : this.#literal(words ?? ''));
        return {
          type: free === undefined ? elementType : FREE,
          test: found as Element['test'],
          passed: type !== undefined || free !== undefined,
          optional: whole.endsWith('?'),
        };
      },
    );
    if (elements[0]?.type === FREE || elements.every(({ optional }) => optional))
      throw new Error(`The pattern “${pattern}” begins with no word or type.`);
    const [, weight = score, places] = OWN.exec(pattern) ?? [];
    const order = Array.from(places ?? '', (at) => Number(at) - 1);
    const ordered: Production['make'] = (values, context) =>
      make(
        order.map((at) => values[at] as never),
        context,
      );
    return { name: pattern, makes, elements, make: places === undefined ? make : ordered, score: Number(weight) };
  }

  #literal(words: string): string {
    const type = `“${words}”`;
    if (/[(|][A-Z]{2,}[|)]/.test(words))
      throw new Error(`A type of words stands by itself, not in the alternatives “${words}”.`);
    if (!this.#lexical.has(type)) this.#learn(type, words.replace(/^\(|\)$/g, ''));
    return type;
  }
}

const PATTERN = /<([\w-]+)(?::([\w-]+))?>\??|(…)(?::([\w-]+))?|(\([^()]+\)|[^\s<>?…()]+)\??/g;
/** A type of words whose value does not matter. */
const CLASS = /^[A-Z]{2,}$/;
const WORD = /\p{L}[\p{L}\p{M}]*(?:['-]\p{L}[\p{L}\p{M}]*)*|\d+(?:[.,]\d+)*|\S/gu;
const wordsOf = (phrase: string): readonly string[] => phrase.toLowerCase().match(WORD) ?? [];
