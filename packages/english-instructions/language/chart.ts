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

/** The number of each type, which is what a chart looks its items up by. */
const ids = new Map<string, number>();
export function idOf(type: string): number {
  const known = ids.get(type);
  if (known !== undefined) return known;
  ids.set(type, ids.size);
  return ids.size - 1;
}

const IS_FREE = idOf(FREE);
const NONE: readonly never[] = [];

interface Compiled {
  readonly production: Production;
  readonly makes: number;
  readonly types: readonly number[];
  /** The types of words that it needs, beside the rarest. */
  readonly others: readonly number[];
  /** It from each element that may be its first, because all before it are optional. */
  readonly starts: readonly Start[];
}
interface Start {
  readonly part: Compiled;
  readonly next: number;
  /** The values of the elements before, which are missing. */
  readonly values: readonly undefined[];
}
type Lists<T> = Map<number, T[]>;

function pushTo<T>(lists: Lists<T>, key: number, value: T): void {
  const same = lists.get(key);
  if (same === undefined) lists.set(key, [value]);
  else same.push(value);
}

/** The starts of productions by the type that each begins with, and the types of which a goal can be made. */
class Usable {
  readonly starts = new Map<number, Start[]>();
  readonly used = new Uint8Array(ids.size);

  /** Adds what a type is made of, and what that is made of. */
  use(type: number, makers: readonly Lists<Compiled>[]): void {
    if (this.used[type] === 1) return;
    this.used[type] = 1;
    for (const made of makers) for (const part of made.get(type) ?? NONE) this.add(part, makers);
  }

  add(part: Compiled, makers: readonly Lists<Compiled>[]): void {
    for (const start of part.starts) pushTo(this.starts, part.types[start.next] as number, start);
    for (const type of part.types) this.use(type, makers);
  }
}

/** Productions, prepared so that only those are looked at for a text whose words occur in it. */
export class Productions {
  /** Productions that need no words, by the type that each makes. */
  readonly #always: Lists<Compiled> = new Map();
  /** Productions under the type of words that the fewest need. */
  readonly #byType: Lists<Compiled> = new Map();
  /** What productions that need no words make of the goals. */
  readonly base: Usable;
  /** The types that no production makes, so that all items of them are there from the start. */
  readonly given: Uint8Array;

  /** `lexical`: the types of words. `goals`: the types that are looked for. */
  constructor(all: readonly Production[], lexical: ReadonlySet<string>, goals: readonly string[]) {
    const counts = new Map<string, number>();
    const wordsOf = ({ elements }: Production): readonly string[] => [
      ...new Set(elements.filter(({ type, optional }) => !optional && lexical.has(type)).map(({ type }) => type)),
    ];
    for (const one of all) for (const type of wordsOf(one)) counts.set(type, (counts.get(type) ?? 0) + 1);
    const parts = all.map((production) => {
      const [rarest, ...others] = wordsOf(production).toSorted(
        (a, b) => (counts.get(a) as number) - (counts.get(b) as number),
      );
      return [rarest, compiled(production, others)] as const;
    });
    this.given = new Uint8Array(ids.size);
    for (const type of lexical) this.given[idOf(type)] = 1;
    for (const [rarest, part] of parts) {
      this.given[part.makes] = 0;
      if (rarest === undefined) pushTo(this.#always, part.makes, part);
      else pushTo(this.#byType, idOf(rarest), part);
    }
    this.base = new Usable();
    for (const goal of goals) this.base.use(idOf(goal), [this.#always]);
  }

  /** What is used beside `base` where the words of more productions occur in a text. */
  usableIn(items: readonly Item[]): Usable {
    const usable = new Usable();
    const { used } = usable;
    used.set(this.base.used);
    const has = new Set(items.map(({ type }) => type));
    const possible: Lists<Compiled> = new Map();
    const open: Compiled[] = [];
    for (const type of has)
      for (const part of this.#byType.get(type) ?? NONE)
        if (part.others.every((other) => has.has(other))) {
          if (used[part.makes] === 1) open.push(part);
          else pushTo(possible, part.makes, part);
        }
    const makers = [this.#always, possible];
    for (const part of open) usable.add(part, makers);
    return usable;
  }
}

function compiled(production: Production, others: readonly string[]): Compiled {
  const { elements, makes } = production;
  const starts: Start[] = [];
  const types = elements.map(({ type }) => idOf(type));
  const part = { production, makes: idOf(makes), types, others: others.map(idOf), starts };
  const values: undefined[] = [];
  for (let next = 0; next === 0 || elements[next - 1]?.optional === true; next++) {
    starts.push({ part, next, values: [...values] });
    if (elements[next]?.passed === true) values.push(undefined);
  }
  return part;
}

/** What is known of one type at the place where it begins. */
interface Cell {
  /** All that was found. */
  readonly found: Item[];
  /** What was taken of it. */
  readonly begun: Item[];
  /** What waits for an item. */
  readonly waiting: Edge[];
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
  readonly #productions: Productions;
  readonly #usable: Usable;
  readonly #cells = new Map<number, Cell>();
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
    readonly items: readonly Item[];
    readonly slice: (from: number, to: number) => unknown;
  }) {
    this.#length = parts.length;
    this.#written = parts.written ?? parts.length;
    this.#context = parts.context;
    this.#slice = parts.slice;
    this.#productions = parts.productions;
    this.#usable = parts.productions.usableIn(parts.items);
    for (const item of parts.items) if (this.#usable.used[item.type] === 1) this.#add(item);
    // An item is taken only once everything to its left is complete, so that the last one added comes first.
    this.#agenda.reverse();
    while (this.#agenda.length > 0 && !this.isFull) this.#take(this.#agenda.pop() as Item);
  }

  /** Whether a limit was reached, so that readings may be missing. */
  get isFull(): boolean {
    return this.#items > MAX_ITEMS || this.#edges > MAX_EDGES;
  }

  #at(place: number, type: number): Cell | undefined {
    return this.#cells.get(type * (this.#length + 1) + place);
  }

  #cell(place: number, type: number): Cell {
    const key = type * (this.#length + 1) + place;
    const known = this.#cells.get(key);
    if (known !== undefined) return known;
    const made = { found: [], begun: [], waiting: [] };
    this.#cells.set(key, made);
    return made;
  }

  spanning(type: string, from = 0, to = this.#length): readonly Item[] {
    const found = (this.#at(from, idOf(type))?.begun ?? []).filter((item) => item.to === to);
    return found.sort((a, b) => b.score - a.score);
  }

  /** The longest item of a type at a place of which `test` holds. */
  longest(type: string, test: (value: never) => boolean = () => true, place = 0): Item | undefined {
    const found = (this.#at(place, idOf(type))?.begun ?? []).filter(({ value }) => test(value as never));
    return found.sort((a, b) => b.to - a.to || b.score - a.score)[0];
  }

  /** Values are compared as text, and only those of the same type and place. */
  #add(item: Item): void {
    const { type } = item;
    let text: string | undefined;
    const { found } = this.#cell(item.from, type);
    for (const reading of found) {
      if (reading.to !== item.to) continue;
      text ??= JSON.stringify(item.value);
      if (reading.value !== item.value && JSON.stringify(reading.value) !== text) continue;
      if (reading.score < item.score) (reading as { score: number }).score = item.score;
      return;
    }
    found.push(item);
    this.#items += 1;
    this.#agenda.push(item);
  }

  #take(item: Item): void {
    const { type, from } = item;
    const { begun, waiting } = this.#cell(from, type);
    begun.push(item);
    this.#start(this.#productions.base.starts.get(type), item);
    this.#start(this.#usable.starts.get(type), item);
    for (const edge of waiting) this.#advance(edge, item);
  }

  #start(starts: readonly Start[] | undefined, item: Item): void {
    for (const { part, next, values } of starts ?? NONE) {
      const { elements, score } = part.production;
      if (elements[next + 1]?.optional === true || this.#follows(part.types[next + 1], item.to))
        this.#advance({ part, next, from: item.from, to: item.from, values, score }, item);
    }
  }

  /** Whether an element may begin at a place: words that are not there from the start never will be. */
  #follows(type: number | undefined, at: number): boolean {
    if (type === undefined || this.#productions.given[type] !== 1) return true;
    return (this.#at(at, type)?.found.length ?? 0) > 0;
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
    const { begun, waiting } = this.#cell(to, type);
    waiting.push(edge);
    // A copy, because an item may be added while it is read.
    if (begun.length > 0) for (const item of [...begun]) this.#advance(edge, item);
  }

  /** Free text ends where the next element may begin, or at an end of the text. */
  #free(edge: Edge): void {
    const { part, next, to } = edge;
    const last = part.types.length === next + 1;
    const { test } = part.production.elements[next] as Element;
    // Text before what is pasted does not go on in it.
    const max = to < this.#written ? this.#written : this.#length;
    for (let end = last ? Math.max(this.#written, to + 1) : to + 1; end <= max; end++) {
      this.#edges += 1;
      const text = this.#slice(to, end);
      if (test === undefined || test(text as never))
        this.#continue({ ...edge, next: next + 1, to: end, values: [...edge.values, text] });
    }
  }
}
