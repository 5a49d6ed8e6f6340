import type { Store } from '../ports/store.ts';

/** Announces due work to those who do it, in this process and on the other nodes. */
export class DueWork {
  readonly #shared: Store['shared'];
  readonly #listeners = new Set<() => void>();

  constructor({ shared }: Pick<Store, 'shared'>) {
    this.#shared = shared;
  }

  /** Calls `listener` whenever there may be due work, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** There may be due work that this node can do now. */
  check(): void {
    for (const listener of this.#listeners) listener();
  }

  /** There is due work, perhaps more than this node has slots for: look now, here and on the other nodes. */
  announce(): void {
    this.check();
    this.#shared?.publish({ kind: 'due' });
  }
}
