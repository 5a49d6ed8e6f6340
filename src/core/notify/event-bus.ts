import type { Message } from '../entities/message.ts';
import type { Millis } from '../values/clock.ts';

/** Notifies requests that wait for a message to settle, and subscribers of events. */
export class EventBus {
  readonly #watching = new Map<string, Set<(message: Message) => void>>();
  #onEvents: ((namespaceId: string) => void) | undefined;
  readonly #waiting = new Map<string, Set<(message: Message) => void>>();

  /** Notifies all that wait for `message.id`: it is settled, or waits for a decision. */
  publishSettled(message: Message): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting !== undefined) {
      this.#waiting.delete(message.id);
      for (const notify of waiting) notify(message);
    }
    if (this.#watching.size > 0) this.publishProgress(message);
  }

  /** Notifies all that watch `message.id` of its current state. */
  publishProgress(message: Message): void {
    const watching = this.#watching.get(message.id);
    if (watching !== undefined) for (const listener of [...watching]) listener(message);
  }

  /**
   * Calls `listener` with the message at each progress report on this node and when it settles, until the returned
   * function is called. Work on other nodes is reported only when it ends.
   */
  watch(id: string, listener: (message: Message) => void): () => void {
    const watching = this.#watching.get(id) ?? new Set();
    this.#watching.set(id, watching.add(listener));
    return () => {
      watching.delete(listener);
      if (watching.size === 0 && this.#watching.get(id) === watching) this.#watching.delete(id);
    };
  }

  watched(id: string): boolean {
    return this.#watching.has(id);
  }

  /**
   * The settled message, or undefined when `ms` passed or `signal` aborted first. Call it before reading the current
   * state, so that a settlement in between is not missed.
   */
  wait(id: string, ms: Millis, signal: AbortSignal): Promise<Message | undefined> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined);
      const waiting = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, waiting);
      const end = (message: Message | undefined): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', aborted);
        waiting.delete(notify);
        if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
        resolve(message);
      };
      const notify = (message: Message): void => end(message);
      const aborted = (): void => end(undefined);
      const timer = setTimeout(aborted, ms);
      waiting.add(notify);
      signal.addEventListener('abort', aborted, { once: true });
    });
  }

  /** Announces that events of that namespace were written. */
  publishEvents(namespaceId: string): void {
    this.#onEvents?.(namespaceId);
  }

  /** Sets the one listener for events of all namespaces. */
  subscribeEvents(listener: (namespaceId: string) => void): void {
    this.#onEvents = listener;
  }

  /** Those of `ids` that are waited for; all waited-for ids when left out. */
  waitedFor(ids: Iterable<string> = new Set([...this.#waiting.keys(), ...this.#watching.keys()])): string[] {
    return [...ids].filter((id) => this.#waiting.has(id) || this.#watching.has(id));
  }

  /** The number of waiting requests. */
  get size(): number {
    return this.#waiting.values().reduce((sum, waiting) => sum + waiting.size, 0);
  }
}
