import type { Millis } from '@mailroom/behavior/values/clock';
import type { Message } from '../entities/message.ts';

/** A message that is waited for. */
export interface Expected {
  /** The settled message, or undefined when `ms` passed or `signal` aborted first. */
  within(ms: Millis, signal: AbortSignal): Promise<Message | undefined>;
  /** Nothing waits for it any more. */
  end(): void;
}

/** Notifies requests that wait for a message to settle, and subscribers of events. */
export class EventBus {
  readonly #watching = new Map<string, Set<(message: Message) => void>>();
  /** Those who read the mailbox of what they watch. */
  readonly #ownWatching = new Map<string, Set<(message: Message) => void>>();
  readonly #ofMailboxes = new Map<string, Set<() => void>>();
  readonly #onEvents: ((namespaceId: string) => void)[] = [];
  readonly #waiting = new Map<string, Set<(message: Message) => void>>();

  /** Notifies all that wait for `message.id`: it is settled, or waits for a decision. */
  publishSettled(message: Message): void {
    // Most settle with nothing waiting, and a look-up of a new id costs more than all else here.
    const waiting = this.#waiting.size > 0 ? this.#waiting.get(message.id) : undefined;
    if (waiting !== undefined) {
      this.#waiting.delete(message.id);
      for (const notify of waiting) notify(message);
    }
    if (this.#watching.size > 0) this.publishProgress(message);
  }

  /** Notifies all that watch `message.id` of its current state. */
  publishProgress(message: Message): void {
    this.#notify(message.id, message);
  }

  /** Notifies those who watch it with `watchOwn` of what no other may see. */
  publishOwn(message: Message): void {
    for (const listener of [...(this.#ownWatching.get(message.id) ?? [])]) listener(message);
  }

  /** Notifies all that watch the thread that `message` continues. */
  publishContinued(message: Message): void {
    this.#notify(message.thread_id, message);
  }

  #notify(id: string, message: Message): void {
    const watching = this.#watching.get(id);
    if (watching !== undefined) for (const listener of [...watching]) listener(message);
  }

  /**
   * Calls `listener` with the message at each progress report on this node and when it settles, until the returned
   * function is called. Work on other nodes is reported only when it ends. `id` may also be a thread's: then it is called
   * with each message that continues it.
   */
  watch(id: string, listener: (message: Message) => void): () => void {
    return added(this.#watching, id, listener);
  }

  /** As `watch`, of a message: also at what only readers of its mailbox may see. */
  watchOwn(id: string, listener: (message: Message) => void): () => void {
    const ends = [this.watch(id, listener), added(this.#ownWatching, id, listener)];
    return () => {
      for (const end of ends) end();
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
    return this.expect(id).within(ms, signal);
  }

  /** As `wait`, from now on, before it is known whether there will be such a message and how long to wait for it. */
  expect(id: string): Expected {
    const { promise, resolve } = Promise.withResolvers<Message | undefined>();
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting);
    waiting.add(resolve);
    const end = (): void => {
      waiting.delete(resolve);
      if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
      resolve(undefined);
    };
    return {
      end,
      async within(ms, signal) {
        const timer = setTimeout(end, ms);
        signal.addEventListener('abort', end, { once: true });
        if (signal.aborted) end();
        const message = await promise;
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        return message;
      },
    };
  }

  /** Calls `ended` when the mailbox is deleted on this node, until the returned function is called. */
  onDeleted(mailboxId: string, ended: () => void): () => void {
    const waiting = this.#ofMailboxes.get(mailboxId) ?? new Set();
    this.#ofMailboxes.set(mailboxId, waiting.add(ended));
    return () => {
      waiting.delete(ended);
      if (waiting.size === 0 && this.#ofMailboxes.get(mailboxId) === waiting) this.#ofMailboxes.delete(mailboxId);
    };
  }

  /** Notifies all that wait for what happens in a mailbox that it was deleted. */
  publishDeleted(mailboxId: string): void {
    for (const ended of [...(this.#ofMailboxes.get(mailboxId) ?? [])]) ended();
  }

  /** Announces that events of that namespace were written. */
  publishEvents(namespaceId: string): void {
    for (const listener of this.#onEvents) listener(namespaceId);
  }

  /** Adds a listener for events of all namespaces. */
  subscribeEvents(listener: (namespaceId: string) => void): void {
    this.#onEvents.push(listener);
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

function added(
  all: Map<string, Set<(message: Message) => void>>,
  id: string,
  listener: (message: Message) => void,
): () => void {
  const watching = all.get(id) ?? new Set();
  all.set(id, watching.add(listener));
  return () => {
    watching.delete(listener);
    if (watching.size === 0 && all.get(id) === watching) all.delete(id);
  };
}
