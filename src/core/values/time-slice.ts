import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that needs no wait goes on for so long; then others on its thread have a turn. */
const SLICE_MS = 20;

/** A turn of the event loop, for work in parts that would hold it up. */
export class TimeSlice {
  /** On a thread that others watch: told which task pauses, and that it continues. */
  static watched: { leave(): number; enter(id: number): void } | undefined;

  #since = performance.now();

  get over(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  /** Lets others go on. */
  async yieldToEventLoop(): Promise<void> {
    const id = TimeSlice.watched?.leave();
    await nextTurn();
    if (id !== undefined) TimeSlice.watched?.enter(id);
    this.#since = performance.now();
  }
}
