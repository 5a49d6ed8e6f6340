/** The maximum number of callers of which it is known when they were served; the one served longest ago is forgotten. */
const MAX_SERVED = 1_000;

/**
 * A queue in which callers take turns, however many items each has waiting: the one that was served last goes last, also
 * when it had nothing waiting meanwhile. First in, first out within a caller, unless an order is given.
 */
export class FairQueue<T> {
  readonly #before: (one: T, other: T) => boolean;
  /** By caller, in the order in which they came. */
  readonly #callers = new Map<string, T[]>();
  /** The turn in which a caller was served last, in that order. */
  readonly #served = new Map<string, number>();
  #turn = 0;
  #size = 0;

  /** `before`: the order within a caller; the order of arrival by default. */
  constructor(before: (one: T, other: T) => boolean = () => false) {
    this.#before = before;
  }

  get size(): number {
    return this.#size;
  }

  /** The number of waiting items of this caller. */
  sizeOf(caller: string): number {
    return this.#callers.get(caller)?.length ?? 0;
  }

  push(caller: string, item: T): void {
    const items = this.#callers.get(caller);
    if (items === undefined) this.#callers.set(caller, [item]);
    else {
      let at = items.length;
      while (at > 0 && this.#before(item, items[at - 1] as T)) at -= 1;
      items.splice(at, 0, item);
    }
    this.#size += 1;
  }

  /** The next item of the callers for which `may` returns true; undefined when there is none. */
  shift(may: (caller: string) => boolean = () => true): T | undefined {
    let next: string | undefined;
    let last = Number.POSITIVE_INFINITY;
    for (const caller of this.#callers.keys()) {
      const turn = this.#served.get(caller) ?? 0;
      if (turn >= last || !may(caller)) continue;
      next = caller;
      last = turn;
      if (turn === 0) break;
    }
    const items = next === undefined ? undefined : this.#callers.get(next);
    if (next === undefined || items === undefined) return undefined;
    const item = items.shift() as T;
    if (items.length === 0) this.#callers.delete(next);
    this.#size -= 1;
    this.served(next);
    return item;
  }

  /** Records that a caller is served without having waited. */
  served(caller: string): void {
    this.#served.delete(caller);
    this.#served.set(caller, ++this.#turn);
    const [first] = this.#served.size > MAX_SERVED ? this.#served.keys() : [];
    if (first !== undefined) this.#served.delete(first);
  }

  /** Returns false when it does not wait here. */
  remove(caller: string, item: T): boolean {
    const items = this.#callers.get(caller);
    const at = items?.indexOf(item) ?? -1;
    if (items === undefined || at < 0) return false;
    items.splice(at, 1);
    if (items.length === 0) this.#callers.delete(caller);
    this.#size -= 1;
    return true;
  }

  /** Removes and returns all items, in any order. */
  clear(): readonly T[] {
    const all = [...this.#callers.values()].flat();
    this.#callers.clear();
    this.#size = 0;
    return all;
  }
}
