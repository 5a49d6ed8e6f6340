/** Up to this many names are kept when they hold nothing. */
const KEPT = 1_000;

/** How many of the slots each caller or mailbox holds, so that none takes those of the others. */
export class Shares {
  readonly #held = new Map<string, number>();
  #max = KEPT;

  of(name: string): number {
    return this.#held.get(name) ?? 0;
  }

  add(name: string, by: 1 | -1): void {
    this.#held.set(name, Math.max(0, this.of(name) + by));
    if (this.#held.size > this.#max) this.#forget();
  }

  /** The names that hold at least one, and at least `least`. */
  withAtLeast(least: number): string[] {
    return [...this.#held].filter(([, held]) => held > 0 && held >= least).map(([name]) => name);
  }

  /**
   * Drops the names that hold nothing, many at a time: a map that loses and gains a name with each message is copied every
   * few messages, and its copies lie in the old generation, whose collection delays all requests.
   */
  #forget(): void {
    for (const [name, held] of this.#held) if (held === 0) this.#held.delete(name);
    this.#max = KEPT + 2 * this.#held.size;
  }
}
