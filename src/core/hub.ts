import type { Millis } from './clock.ts';
import type { Message } from './message.ts';

/** Wakes whoever waits for a message to be settled, and whoever follows what happens. */
export class Hub {
  #ear: ((namespaceId: string) => void) | undefined;
  readonly #waiting = new Map<string, Set<(message: Message) => void>>();

  /** Tells all who wait for `message.id`. */
  settled(message: Message): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    for (const wake of waiting) wake(message);
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
        waiting.delete(wake);
        if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
        resolve(message);
      };
      const wake = (message: Message): void => end(message);
      const aborted = (): void => end(undefined);
      const timer = setTimeout(aborted, ms);
      waiting.add(wake);
      signal.addEventListener('abort', aborted, { once: true });
    });
  }

  /** Something happened in that namespace, and is written. */
  news(namespaceId: string): void {
    this.#ear?.(namespaceId);
  }

  /** Calls `ear` with all news, one ear in all. */
  hear(ear: (namespaceId: string) => void): void {
    this.#ear = ear;
  }

  /** Those of `ids` that somebody waits for; all that are waited for when left out. */
  waitedFor(ids: Iterable<string> = this.#waiting.keys()): string[] {
    return [...ids].filter((id) => this.#waiting.has(id));
  }

  /** How many wait. */
  get size(): number {
    return this.#waiting.values().reduce((sum, waiting) => sum + waiting.size, 0);
  }
}
