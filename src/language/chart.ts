/** Something that is recognized in a span of tokens: its type, its value, and how well it fits. */
export interface Item {
  readonly type: string;
  /** The first token, and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly value: unknown;
  /** At most 0; each unusual reading in it lowers it. */
  readonly score: number;
}

/** One element of a pattern: an item of a type, of which `test` holds. */
export interface Element {
  readonly type: string;
  readonly test?: ((value: never) => boolean) | undefined;
  /** Whether its value is passed to `make`; words of the pattern itself are not. */
  readonly passed: boolean;
}

/** What a pattern makes: an item of type `makes` with the value that `make` returns; undefined is no reading. */
export interface Production {
  readonly name: string;
  readonly makes: string;
  readonly elements: readonly Element[];
  readonly make: (values: readonly never[], context: never) => unknown;
  readonly score: number;
}

/** Free text: any tokens up to the next element, or to the end. */
export const FREE = '…';
/** The most items and partial readings of one text, which bounds the time it takes. */
const MAX_ITEMS = 1_500;
const MAX_EDGES = 12_000;

interface Edge {
  readonly production: Production;
  readonly next: number;
  readonly from: number;
  readonly to: number;
  readonly values: readonly unknown[];
  readonly score: number;
}

/** The productions of a grammar, by the type that each begins with. */
export type Productions = ReadonlyMap<string, readonly Production[]>;

/** A production under the type that the fewest need, with the other types of words that it needs. */
interface Need {
  readonly first: string;
  readonly production: Production;
  readonly others: readonly string[];
}
interface Needs {
  /** Productions that need no words, by the type that each begins with. */
  readonly always: Productions;
  readonly byType: ReadonlyMap<string, readonly Need[]>;
  /** The types that no production makes, so that all items of them are there from the start. */
  readonly given: ReadonlySet<string>;
}
const needs = new WeakMap<Productions, Needs>();

/** Made once for a grammar, so that only few productions are looked at for a text. */
function needsOf(productions: Productions, lexical: ReadonlySet<string>): Needs {
  const known = needs.get(productions);
  if (known !== undefined) return known;
  const used = new Map<string, number>();
  const all = [...productions].flatMap(([first, some]) => some.map((production) => ({ first, production })));
  const typesOf = ({ elements }: Production): readonly string[] => [
    ...new Set(elements.map(({ type }) => type).filter((type) => lexical.has(type))),
  ];
  for (const { production } of all) for (const type of typesOf(production)) used.set(type, (used.get(type) ?? 0) + 1);
  const always = new Map<string, Production[]>();
  const byType = new Map<string, Need[]>();
  for (const { first, production } of all) {
    const [rarest, ...others] = typesOf(production).toSorted(
      (a, b) => (used.get(a) as number) - (used.get(b) as number),
    );
    if (rarest === undefined) pushTo(always, first, production);
    else pushTo(byType, rarest, { first, production, others });
  }
  const made = new Set(all.map(({ production }) => production.makes));
  const found = { always, byType, given: new Set([...lexical].filter((type) => !made.has(type))) };
  needs.set(productions, found);
  return found;
}

function pushTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const same = map.get(key);
  if (same === undefined) map.set(key, [value]);
  else same.push(value);
}

/** The productions that need words, all of which occur in the text; the others cannot make anything. */
function possible({ byType }: Needs, has: ReadonlySet<string>): Productions {
  const found = new Map<string, Production[]>();
  for (const type of has)
    for (const { first, production, others } of byType.get(type) ?? [])
      if (others.every((other) => has.has(other))) pushTo(found, first, production);
  return found;
}

/**
 * Fills a chart from left to right and bottom up until nothing new comes, as an active chart parser does (Kay 1980), and
 * returns the items of the type `goal` that span all tokens, the best first. `length`: the number of tokens. Undefined when
 * the limit of items is reached.
 */
export class Chart {
  readonly #length: number;
  readonly #context: unknown;
  readonly #productions: readonly Productions[];
  readonly #given: ReadonlySet<string>;
  /** By the place where each begins, and by type. */
  readonly #begin: Map<string, Item[]>[] = [];
  readonly #waiting: Map<string, Edge[]>[] = [];
  readonly #known: Map<string, Item[]>[] = [];
  readonly #agenda: Item[] = [];
  readonly #slice: (from: number, to: number) => unknown;
  #edges = 0;
  #items = 0;

  /** `slice`: the value of free text between two tokens. */
  constructor(parts: {
    readonly length: number;
    readonly context: unknown;
    readonly productions: Productions;
    readonly lexical: ReadonlySet<string>;
    readonly items: readonly Item[];
    readonly slice: (from: number, to: number) => unknown;
  }) {
    this.#length = parts.length;
    this.#context = parts.context;
    this.#slice = parts.slice;
    const needed = needsOf(parts.productions, parts.lexical);
    this.#given = needed.given;
    this.#productions = [needed.always, possible(needed, new Set(parts.items.map(({ type }) => type)))];
    for (let at = 0; at <= parts.length; at++) {
      this.#begin.push(new Map());
      this.#waiting.push(new Map());
      this.#known.push(new Map());
    }
    for (const item of parts.items) this.#add(item);
    // An item is taken only once everything to its left is complete, so that the last one added comes first.
    this.#agenda.reverse();
    while (this.#agenda.length > 0 && !this.isFull) this.#take(this.#agenda.pop() as Item);
  }

  /** Whether a limit was reached, so that readings may be missing. */
  get isFull(): boolean {
    return this.#items > MAX_ITEMS || this.#edges > MAX_EDGES;
  }

  /** The items of a type that span these tokens, the best first. */
  spanning(type: string, from = 0, to = this.#length): readonly Item[] {
    const found = (this.#begin[from]?.get(type) ?? []).filter((item) => item.to === to);
    return found.sort((a, b) => b.score - a.score);
  }

  /** The longest item of a type at the beginning of the text of which `test` holds. */
  longest(type: string, test: (value: never) => boolean): Item | undefined {
    const found = (this.#begin[0]?.get(type) ?? []).filter(({ value }) => test(value as never));
    return found.sort((a, b) => b.to - a.to || b.score - a.score)[0];
  }

  /** Values are compared as text, and only those of the same type and place. */
  #add(item: Item): void {
    const known = this.#known[item.from] as Map<string, Item[]>;
    const same = known.get(item.type);
    if (same === undefined) known.set(item.type, [item]);
    else {
      let text: string | undefined;
      for (const one of same) {
        if (one.to !== item.to) continue;
        text ??= JSON.stringify(item.value);
        if (one.value !== item.value && JSON.stringify(one.value) !== text) continue;
        if (one.score < item.score) (one as { score: number }).score = item.score;
        return;
      }
      same.push(item);
    }
    this.#items += 1;
    this.#agenda.push(item);
  }

  #take(item: Item): void {
    pushTo(this.#begin[item.from] as Map<string, Item[]>, item.type, item);
    for (const productions of this.#productions)
      for (const production of productions.get(item.type) ?? [])
        if (this.#follows(production.elements[1], item.to))
          this.#advance(
            { production, next: 0, from: item.from, to: item.from, values: [], score: production.score },
            item,
          );
    for (const edge of this.#waiting[item.from]?.get(item.type) ?? []) this.#advance(edge, item);
  }

  /** Whether an element may begin at a place: words that are not there from the start never will be. */
  #follows(element: Element | undefined, at: number): boolean {
    return element === undefined || !this.#given.has(element.type) || this.#known[at]?.has(element.type) === true;
  }

  #advance(edge: Edge, item: Item): void {
    const { production, next } = edge;
    const element = production.elements[next] as Element;
    if (element.test !== undefined && !element.test(item.value as never)) return;
    this.#edges += 1;
    this.#continue({
      production,
      next: next + 1,
      from: edge.from,
      to: item.to,
      values: element.passed ? [...edge.values, item.value] : edge.values,
      score: edge.score + item.score,
    });
  }

  #continue(edge: Edge): void {
    const { production, next, from, to } = edge;
    if (this.isFull) return;
    const element = production.elements[next];
    if (element === undefined) {
      const value = production.make(edge.values as never[], this.#context as never);
      if (value !== undefined) this.#add({ type: production.makes, from, to, value, score: edge.score });
      return;
    }
    if (element.type === FREE) {
      this.#free(edge);
      return;
    }
    if (!this.#follows(element, to)) return;
    pushTo(this.#waiting[to] as Map<string, Edge[]>, element.type, edge);
    // A copy, because an item may be added while it is read.
    for (const item of [...(this.#begin[to]?.get(element.type) ?? [])]) this.#advance(edge, item);
  }

  /** Free text ends where the next element may begin, or at the end of the text. */
  #free(edge: Edge): void {
    const { production, next, to } = edge;
    const last = production.elements.length === next + 1;
    for (let end = last ? this.#length : to + 1; end <= this.#length; end++) {
      if (end <= to) return;
      this.#edges += 1;
      this.#continue({ ...edge, next: next + 1, to: end, values: [...edge.values, this.#slice(to, end)] });
    }
  }
}
