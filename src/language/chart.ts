/** Something that is recognized in a span of tokens: its type, its value, and how well it fits. */
export interface Item {
  /** The number of its type. */
  readonly type: number;
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
  /** Whether its value is passed to `make`, undefined for one that is missing; words of the pattern itself are not. */
  readonly passed: boolean;
  readonly optional: boolean;
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
const MAX_ITEMS = 1_500;
const MAX_EDGES = 12_000;

interface Edge {
  readonly part: Compiled;
  readonly next: number;
  readonly from: number;
  readonly to: number;
  readonly values: readonly unknown[];
  readonly score: number;
}

/** The productions of a grammar. */
export type Productions = readonly Production[];

/** The number of each type, which is what a chart looks its items up by. */
const ids = new Map<string, number>();
export function idOf(type: string): number {
  const known = ids.get(type);
  if (known !== undefined) return known;
  ids.set(type, ids.size);
  return ids.size - 1;
}

const IS_FREE = idOf(FREE);
const NOTHING: readonly unknown[] = [];

interface Compiled {
  readonly production: Production;
  readonly makes: number;
  readonly types: readonly number[];
  /** The types of words that it needs, beside the rarest. */
  readonly others: readonly number[];
}
/** A production from the element that may be its first, because all before it are optional. */
interface Start {
  readonly part: Compiled;
  readonly next: number;
}
interface Needs {
  /** Productions that need no words, by the type that each makes. */
  readonly always: readonly (readonly Compiled[] | undefined)[];
  /** Productions under the type of words that the fewest need. */
  readonly byType: readonly (readonly Compiled[] | undefined)[];
  /** The types that no production makes, so that all items of them are there from the start. */
  readonly given: ReadonlySet<number>;
}
const needs = new WeakMap<Productions, Needs>();

/** Made once for a grammar, so that only few productions are looked at for a text. */
function needsOf(productions: Productions, lexical: ReadonlySet<string>): Needs {
  const known = needs.get(productions);
  if (known !== undefined) return known;
  const counts = new Map<string, number>();
  const typesOf = ({ elements }: Production): readonly string[] => [
    ...new Set(elements.filter(({ type, optional }) => !optional && lexical.has(type)).map(({ type }) => type)),
  ];
  for (const production of productions)
    for (const type of typesOf(production)) counts.set(type, (counts.get(type) ?? 0) + 1);
  const always: Compiled[][] = [];
  const byType: Compiled[][] = [];
  for (const production of productions) {
    const [rarest, ...others] = typesOf(production).toSorted(
      (a, b) => (counts.get(a) as number) - (counts.get(b) as number),
    );
    const types = production.elements.map(({ type }) => idOf(type));
    const part = { production, makes: idOf(production.makes), types, others: others.map(idOf) };
    if (rarest === undefined) pushTo(always, part.makes, part);
    else pushTo(byType, idOf(rarest), part);
  }
  const made = new Set(productions.map(({ makes }) => makes));
  const found = { always, byType, given: new Set([...lexical].filter((type) => !made.has(type)).map(idOf)) };
  needs.set(productions, found);
  return found;
}

function pushTo<T>(lists: (T[] | undefined)[], key: number, value: T): void {
  const same = lists[key];
  if (same === undefined) lists[key] = [value];
  else same.push(value);
}

/** Adds a production under each type that it may begin with. */
function pushStarts(lists: (Start[] | undefined)[], part: Compiled): void {
  const { elements } = part.production;
  for (let next = 0; next === 0 || elements[next - 1]?.optional === true; next++)
    pushTo(lists, part.types[next] as number, { part, next });
}

/**
 * The productions of which a goal can be made, by the type that each may begin with, and whether a type is part of one:
 * those that need words only where all of these occur in the text.
 */
function reachable({ always, byType }: Needs, has: ReadonlySet<number>, goals: readonly number[]) {
  const possible: Compiled[][] = [];
  for (const type of has)
    for (const part of byType[type] ?? [])
      if (part.others.every((other) => has.has(other))) pushTo(possible, part.makes, part);
  const used = new Uint8Array(ids.size);
  const starts: Start[][] = [];
  const open = [...goals];
  for (const goal of goals) used[goal] = 1;
  for (let type = open.pop(); type !== undefined; type = open.pop())
    for (const made of [always[type], possible[type]])
      for (const part of made ?? []) {
        pushStarts(starts, part);
        for (const one of part.types) {
          if (used[one] === 0) open.push(one);
          used[one] = 1;
        }
      }
  return { starts, used };
}

class Places<T> {
  readonly #lists = new Map<number, T[]>();
  readonly #size: number;

  constructor(length: number) {
    this.#size = length + 1;
  }

  at(place: number, type: number): readonly T[] | undefined {
    return this.#lists.get(type * this.#size + place);
  }

  add(place: number, type: number, value: T): void {
    const key = type * this.#size + place;
    const same = this.#lists.get(key);
    if (same === undefined) this.#lists.set(key, [value]);
    else same.push(value);
  }
}

/**
 * Fills a chart from left to right and bottom up until nothing new comes, as an active chart parser does (Kay 1980), and
 * returns the items of the type `goal` that span all tokens, the best first. `length`: the number of tokens. Undefined when
 * the limit of items is reached.
 */
export class Chart {
  readonly #length: number;
  readonly #written: number;
  readonly #context: unknown;
  readonly #starts: readonly (readonly Start[] | undefined)[];
  readonly #given: ReadonlySet<number>;
  /** What was taken, what waits for an item, and all that was found, by the place where each begins. */
  readonly #begin: Places<Item>;
  readonly #waiting: Places<Edge>;
  readonly #known: Places<Item>;
  readonly #agenda: Item[] = [];
  readonly #slice: (from: number, to: number) => unknown;
  #edges = 0;
  #items = 0;

  /** `written`: the tokens before what stands for a text that is not there. `slice`: the value of free text. */
  constructor(parts: {
    readonly length: number;
    readonly written?: number | undefined;
    readonly context: unknown;
    readonly productions: Productions;
    readonly lexical: ReadonlySet<string>;
    readonly items: readonly Item[];
    readonly slice: (from: number, to: number) => unknown;
    /** The types that are looked for. */
    readonly goals: readonly string[];
  }) {
    this.#length = parts.length;
    this.#written = parts.written ?? parts.length;
    this.#context = parts.context;
    this.#slice = parts.slice;
    const needed = needsOf(parts.productions, parts.lexical);
    this.#given = needed.given;
    const has = new Set(parts.items.map(({ type }) => type));
    const { starts, used } = reachable(needed, has, parts.goals.map(idOf));
    this.#starts = starts;
    this.#begin = new Places(parts.length);
    this.#waiting = new Places(parts.length);
    this.#known = new Places(parts.length);
    for (const item of parts.items) if (used[item.type] === 1) this.#add(item);
    // An item is taken only once everything to its left is complete, so that the last one added comes first.
    this.#agenda.reverse();
    while (this.#agenda.length > 0 && !this.isFull) this.#take(this.#agenda.pop() as Item);
  }

  /** Whether a limit was reached, so that readings may be missing. */
  get isFull(): boolean {
    return this.#items > MAX_ITEMS || this.#edges > MAX_EDGES;
  }

  spanning(type: string, from = 0, to = this.#length): readonly Item[] {
    const found = (this.#begin.at(from, idOf(type)) ?? []).filter((item) => item.to === to);
    return found.sort((a, b) => b.score - a.score);
  }

  /** The longest item of a type at the beginning of the text of which `test` holds. */
  longest(type: string, test: (value: never) => boolean): Item | undefined {
    const found = (this.#begin.at(0, idOf(type)) ?? []).filter(({ value }) => test(value as never));
    return found.sort((a, b) => b.to - a.to || b.score - a.score)[0];
  }

  /** Values are compared as text, and only those of the same type and place. */
  #add(item: Item): void {
    const { type } = item;
    let text: string | undefined;
    for (const one of this.#known.at(item.from, type) ?? []) {
      if (one.to !== item.to) continue;
      text ??= JSON.stringify(item.value);
      if (one.value !== item.value && JSON.stringify(one.value) !== text) continue;
      if (one.score < item.score) (one as { score: number }).score = item.score;
      return;
    }
    this.#known.add(item.from, type, item);
    this.#items += 1;
    this.#agenda.push(item);
  }

  #take(item: Item): void {
    const { type, from, to } = item;
    this.#begin.add(from, type, item);
    for (const { part, next } of this.#starts[type] ?? []) {
      const { elements, score } = part.production;
      const values =
        next === 0 ? NOTHING : elements.slice(0, next).flatMap(({ passed }) => (passed ? [undefined] : []));
      if (elements[next + 1]?.optional === true || this.#follows(part.types[next + 1], to))
        this.#advance({ part, next, from, to: from, values, score }, item);
    }
    for (const edge of this.#waiting.at(from, type) ?? []) this.#advance(edge, item);
  }

  /** Whether an element may begin at a place: words that are not there from the start never will be. */
  #follows(type: number | undefined, at: number): boolean {
    return type === undefined || !this.#given.has(type) || this.#known.at(at, type) !== undefined;
  }

  #advance(edge: Edge, item: Item): void {
    const { part, next } = edge;
    const element = part.production.elements[next] as Element;
    if (element.test !== undefined && !element.test(item.value as never)) return;
    this.#edges += 1;
    this.#continue({
      part,
      next: next + 1,
      from: edge.from,
      to: item.to,
      values: element.passed ? [...edge.values, item.value] : edge.values,
      score: edge.score + item.score,
    });
  }

  #continue(edge: Edge): void {
    const { part, next, from, to } = edge;
    if (this.isFull) return;
    const { production } = part;
    const type = part.types[next];
    if (type === undefined) {
      const value = production.make(edge.values as never[], this.#context as never);
      if (value !== undefined) this.#add({ type: part.makes, from, to, value, score: edge.score });
      return;
    }
    const { optional, passed } = production.elements[next] as Element;
    if (optional)
      this.#continue({ ...edge, next: next + 1, values: passed ? [...edge.values, undefined] : edge.values });
    if (type === IS_FREE) {
      this.#free(edge);
      return;
    }
    if (!this.#follows(type, to)) return;
    this.#waiting.add(to, type, edge);
    const begun = this.#begin.at(to, type);
    // A copy, because an item may be added while it is read.
    if (begun !== undefined) for (const item of [...begun]) this.#advance(edge, item);
  }

  /** Free text ends where the next element may begin, or at an end of the text. */
  #free(edge: Edge): void {
    const { part, next, to } = edge;
    const last = part.types.length === next + 1;
    for (let end = last ? Math.max(this.#written, to + 1) : to + 1; end <= this.#length; end++) {
      this.#edges += 1;
      this.#continue({ ...edge, next: next + 1, to: end, values: [...edge.values, this.#slice(to, end)] });
    }
  }
}
