import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that needs no wait goes on for so long; then others on its thread have a turn. */
const TURN_MS = 20;

/** A turn of the event loop, for work in parts that would hold it up. */
export class Turn {
  #since = performance.now();

  get over(): boolean {
    return performance.now() - this.#since > TURN_MS;
  }

  /** Lets others go on. */
  async end(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}
