/**
 * A queue in which callers take turns, however many items each has waiting. First in, first out within a caller, unless
 * an order is given.
 */
export class FairQueue<T> {
  readonly #before: (one: T, other: T) => boolean;
  /** By caller, in the order of their turns. */
  readonly #callers = new Map<string, T[]>();
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
    for (const [caller, items] of this.#callers) {
      if (!may(caller)) continue;
      const item = items.shift() as T;
      this.#callers.delete(caller);
      if (items.length > 0) this.#callers.set(caller, items);
      this.#size -= 1;
      return item;
    }
    return undefined;
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
