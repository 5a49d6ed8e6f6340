/** The maximum number of callers of which it is known when they were served; the one served longest ago is forgotten. */
const MAX_SERVED = 1_000;
/** Callers of which each took so many ms more of late than another wait for it; after this time half of it counts. */
const COST_STEP_MS = 1_000;
const HALF_LIFE_MS = 60_000;

/** What a caller took of late, as of `since`. */
interface Cost {
  readonly ms: number;
  readonly since: number;
}

/**
 * A queue in which callers take turns, however many items each has waiting: the one that was served last goes last, also
 * when it had nothing waiting meanwhile, and those that took little of late go before those that took much. So however
 * many callers have long items, one with short items waits for one of theirs. First in, first out within a caller,
 * unless an order is given.
 */
export class FairQueue<T> {
  readonly #before: (one: T, other: T) => boolean;
  /** By caller, in the order in which they came. */
  readonly #callers = new Map<string, T[]>();
  /** The turn in which a caller was served last, in that order. */
  readonly #served = new Map<string, number>();
  readonly #costs = new Map<string, Cost>();
  readonly #now: () => number;
  #turn = 0;
  #size = 0;

  /** `before`: the order within a caller; the order of arrival by default. */
  constructor(before: (one: T, other: T) => boolean = () => false, now: () => number = () => performance.now()) {
    this.#before = before;
    this.#now = now;
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
    let least = Number.POSITIVE_INFINITY;
    let last = Number.POSITIVE_INFINITY;
    for (const caller of this.#callers.keys()) {
      const steps = Math.floor(this.#costOf(caller) / COST_STEP_MS);
      const turn = this.#served.get(caller) ?? 0;
      if (steps > least || (steps === least && turn >= last) || !may(caller)) continue;
      next = caller;
      least = steps;
      last = turn;
      if (steps === 0 && turn === 0) break;
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
    putLast(this.#served, caller, ++this.#turn);
  }

  /** Records how long an item of a caller took, in ms. */
  charge(caller: string, ms: number): void {
    putLast(this.#costs, caller, { ms: this.#costOf(caller) + ms, since: this.#now() });
  }

  #costOf(caller: string): number {
    const cost = this.#costs.get(caller);
    return cost === undefined ? 0 : cost.ms * 2 ** ((cost.since - this.#now()) / HALF_LIFE_MS);
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

function putLast<Value>(map: Map<string, Value>, caller: string, value: Value): void {
  map.delete(caller);
  map.set(caller, value);
  const [first] = map.size > MAX_SERVED ? map.keys() : [];
  if (first !== undefined) map.delete(first);
}
