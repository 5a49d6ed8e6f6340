/** A result with the time its making began (`performance.now()`); it contains everything before that. */
interface Made<T> {
  readonly value: T;
  readonly begun: number;
}

interface Entry<T> {
  readonly made: Promise<Made<T>>;
  until: number;
}

/**
 * Makes a value once for concurrent callers. It is shared while it is made and for a short life afterwards, longer
 * where it was slow to make, so that at most a tenth of the time is spent on it.
 */
export class Shared<T> {
  readonly #life_ms: number;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry<T>>();

  constructor(life_ms: number, now = () => performance.now()) {
    this.#life_ms = life_ms;
    this.#now = now;
  }

  get(key: string, make: () => Promise<T>): Promise<Made<T>> {
    const begun = this.#now();
    for (const [old, { until }] of this.#entries) {
      if (until > begun) break;
      this.#entries.delete(old);
    }
    const known = this.#entries.get(key);
    if (known !== undefined && begun < known.until) return known.made;
    this.#entries.delete(key);
    const result = make().then((value) => ({ value, begun }));
    const entry: Entry<T> = { made: result, until: Number.POSITIVE_INFINITY };
    this.#entries.set(key, entry);
    result.then(
      () => {
        const now = this.#now();
        entry.until = now + Math.max(this.#life_ms, 10 * (now - begun));
      },
      () => this.#entries.delete(key),
    );
    return result;
  }
}
