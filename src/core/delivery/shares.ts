/** How many of the slots each caller holds, so that none takes those of the others. */
export class Shares {
  readonly #callers = new Map<string, number>();

  of(caller: string): number {
    return this.#callers.get(caller) ?? 0;
  }

  /** Counts a run for the caller until the returned function is called. */
  take(caller: string): () => void {
    this.#callers.set(caller, this.of(caller) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = this.of(caller) - 1;
      if (left === 0) this.#callers.delete(caller);
      else this.#callers.set(caller, left);
    };
  }
}
