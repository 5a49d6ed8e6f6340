/** What was made, and when it was begun with (`performance.now()`): what happened before is in it. */
interface Made<T> {
  readonly value: T;
  readonly begun: number;
}

interface Entry<T> {
  readonly made: Promise<Made<T>>;
  until: number;
}

/**
 * What many ask for at about the same time, made once. It is handed out while it is made and for a short life after that,
 * a longer one where it was slow to make: whoever asks, no more than a tenth of the time goes into it.
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
    const made = make().then((value) => ({ value, begun }));
    const entry: Entry<T> = { made, until: Number.POSITIVE_INFINITY };
    this.#entries.set(key, entry);
    made.then(
      () => {
        const now = this.#now();
        entry.until = now + Math.max(this.#life_ms, 10 * (now - begun));
      },
      () => this.#entries.delete(key),
    );
    return made;
  }
}
