/** Lets callers of the same name run one after the other. */
export class Turns {
  /** The turn in progress of each name. */
  readonly #running = new Map<string, Promise<void>>();

  /** Resolves when it is the caller's turn, with what ends it; ending it again does nothing. */
  async take(name: string): Promise<() => void> {
    for (let running = this.#running.get(name); running !== undefined; running = this.#running.get(name)) await running;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running.set(name, promise);
    return () => {
      if (this.#running.get(name) === promise) this.#running.delete(name);
      resolve();
    };
  }
}
