import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Synchronous work runs for this long before it yields to others on its thread. */
const SLICE_MS = 20;

/** Yields to the event loop from time to time during long synchronous work. */
export class TimeSlice {
  /** On a supervised thread: notified when a task pauses and when it continues. */
  static watched: { leave(): number; enter(id: number): void } | undefined;

  #since = performance.now();

  get over(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  /** Yields to the event loop and starts a new time slice. */
  async yieldToEventLoop(): Promise<void> {
    const id = TimeSlice.watched?.leave();
    await yieldToEventLoop();
    if (id !== undefined) TimeSlice.watched?.enter(id);
    this.#since = performance.now();
  }
}
