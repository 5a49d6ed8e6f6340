import type { Message } from '../entities/message.ts';
import type { Millis } from '../values/clock.ts';

/** Wakes whoever waits for a message to be settled, and whoever follows what happens. */
export class EventBus {
  readonly #watching = new Map<string, Set<(message: Message) => void>>();
  #onEvents: ((namespaceId: string) => void) | undefined;
  readonly #waiting = new Map<string, Set<(message: Message) => void>>();

  /** Tells all who wait for `message.id`: it is settled, or waits for somebody's decision. */
  publishSettled(message: Message): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting !== undefined) {
      this.#waiting.delete(message.id);
      for (const notify of waiting) notify(message);
    }
    if (this.#watching.size > 0) this.publishProgress(message);
  }

  /** Tells all who watch `message.id` how it stands. */
  publishProgress(message: Message): void {
    const watching = this.#watching.get(message.id);
    if (watching !== undefined) for (const listener of [...watching]) listener(message);
  }

  /**
   * Calls `listener` with the message at each report of whoever works on it here, and when it is settled, until the
   * returned function is called. Of work on other nodes only the end is told.
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
   * The settled message, or undefined when `ms` passed or `signal` aborted first. Listen before reading how it stands:
   * a settlement between the two is then not missed.
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

  /** Something happened in that namespace, and is written. */
  publishEvents(namespaceId: string): void {
    this.#onEvents?.(namespaceId);
  }

  /** Calls `ear` with all news, one ear in all. */
  subscribeEvents(listener: (namespaceId: string) => void): void {
    this.#onEvents = listener;
  }

  /** Those of `ids` that somebody waits for; all that are waited for when left out. */
  waitedFor(ids: Iterable<string> = new Set([...this.#waiting.keys(), ...this.#watching.keys()])): string[] {
    return [...ids].filter((id) => this.#waiting.has(id) || this.#watching.has(id));
  }

  /** How many wait. */
  get size(): number {
    return this.#waiting.values().reduce((sum, waiting) => sum + waiting.size, 0);
  }
}
