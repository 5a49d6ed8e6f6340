import type { Store } from '../ports/store.ts';

/** Announces due work to the workers that do it, in this process and on the other nodes. */
export class DueWork {
  readonly #shared: Store['shared'];
  readonly #workers: readonly { check(): void }[];

  constructor({ shared }: Pick<Store, 'shared'>, workers: readonly { check(): void }[]) {
    this.#shared = shared;
    this.#workers = workers;
  }

  /** There may be due work that this node can do now. */
  check(): void {
    for (const worker of this.#workers) worker.check();
  }

  /** There is due work, perhaps more than this node has slots for: look now, here and on the other nodes. */
  announce(): void {
    this.check();
    this.#shared?.publish({ kind: 'due' });
  }
}
