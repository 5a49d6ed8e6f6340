import { setTimeout as pause } from 'node:timers/promises';
import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { FIRST_EVENT } from '@mailroom/behavior/values/ids';
import type { StoredEvent } from '../entities/event.ts';
import type { EventPage, EventQuery } from '../ports/events.ts';
import type { Notice } from '../ports/shared.ts';
import type { Store } from '../ports/store.ts';
import type { EventBus } from './event-bus.ts';

/** The time after which a lost notice is made up for. */
const POLL_MS: Millis = SECOND;
/**
 * Pauses before reading again when a notified event is not visible yet, because an earlier transaction has not committed.
 */
const SOON_MS: readonly Millis[] = [10, 40, 150];
/** Minimum time between two reads of a busy namespace's log, so that events are sent in batches. */
const GATHER_MS: Millis = 10;
/** Events per batch; one event may have half a MB with its reply. */
const SIZE = 32;
/** How often other nodes are notified that this node has subscribers. */
const ANNOUNCE_MS: Millis = 5 * SECOND;
/** How long other nodes consider this node subscribed after such a notice. */
const SUBSCRIBED_MS: Millis = 15 * SECOND;

/** Waits for a notice; one that comes while it is not waiting is remembered. */
class Subscriber {
  #notified = false;
  #notify: (() => void) | undefined;

  readonly notify = (): void => {
    this.#notified = true;
    this.#notify?.();
  };

  /** Whether there was a notice within `ms`; also false when `signal` aborts. */
  async wait(ms: Millis, signal: AbortSignal): Promise<boolean> {
    if (!this.#notified && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#notify = resolve;
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', this.#notify, { once: true });
      await promise;
      clearTimeout(timer);
      signal.removeEventListener('abort', this.#notify);
      this.#notify = undefined;
    }
    const notified = this.#notified;
    this.#notified = false;
    return notified;
  }
}

/**
 * Reads the log of events as it grows. Writes on this node wake subscribers at once, writes of other nodes by notice; a
 * read each second makes up for lost notices. Without subscribers, a notice costs one map look-up.
 */
export class EventFeed implements Disposable {
  readonly #store: Store;
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  readonly #listeners = new Set<(namespaceId: string) => void>();
  #othersSubscribedUntil = Number.NEGATIVE_INFINITY;
  #announcing: NodeJS.Timeout | undefined;

  constructor(parts: { readonly store: Store; readonly bus: EventBus }) {
    this.#store = parts.store;
    parts.bus.subscribeEvents((namespaceId) => this.#onEvents(namespaceId));
    this.#store.shared?.subscribe((notice) => this.#onNotice(notice));
  }

  /** The number of subscribers on this node. */
  get size(): number {
    return this.#subscribers.values().reduce((sum, subscribers) => sum + subscribers.size, 0);
  }

  /** Calls `listener` with the namespace of each write on this node, until the returned function is called. */
  onWrite(listener: (namespaceId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The current end of a namespace's log. */
  async now(namespace_id: string): Promise<string> {
    return (await this.#store.events.last(namespace_id)) ?? FIRST_EVENT;
  }

  /**
   * All events after the cursor `after` (null: from now on), in order, each once, in batches; ends when `signal` aborts.
   * Waits while the store is unavailable.
   */
  async *subscribe(
    query: EventQuery,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<readonly StoredEvent[], void, undefined> {
    const subscriber = new Subscriber();
    this.#add(query.namespace_id, subscriber);
    try {
      let cursor = after ?? (await this.now(query.namespace_id));
      for (let empty = SOON_MS.length; !signal.aborted; ) {
        const page = await this.#page(query, cursor);
        if (page !== undefined) {
          cursor = page.next;
          if (page.items.length > 0) {
            yield page.items;
            empty = 0;
          }
          if (page.more) continue;
        }
        if (await subscriber.wait(SOON_MS[empty] ?? POLL_MS, signal)) {
          empty = 0;
          await pause(GATHER_MS, undefined, { signal }).catch(() => {});
        } else empty++;
      }
    } finally {
      this.#remove(query.namespace_id, subscriber);
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#announcing);
  }

  async #page(of: EventQuery, cursor: string): Promise<EventPage | undefined> {
    try {
      return await this.#store.events.page(of, cursor, SIZE);
    } catch (error) {
      if (error instanceof AppError && error.code === 'unavailable') return undefined;
      throw error;
    }
  }

  #add(namespaceId: string, subscriber: Subscriber): void {
    const subscribers = this.#subscribers.get(namespaceId) ?? new Set();
    this.#subscribers.set(namespaceId, subscribers.add(subscriber));
    const { shared } = this.#store;
    if (shared === undefined || this.#announcing !== undefined) return;
    shared.publish({ kind: 'following' });
    this.#announcing = setInterval(() => shared.publish({ kind: 'following' }), ANNOUNCE_MS).unref();
  }

  #remove(namespaceId: string, subscriber: Subscriber): void {
    const subscribers = this.#subscribers.get(namespaceId);
    subscribers?.delete(subscriber);
    if (subscribers?.size === 0) this.#subscribers.delete(namespaceId);
    if (this.#subscribers.size > 0) return;
    clearInterval(this.#announcing);
    this.#announcing = undefined;
  }

  #onEvents(namespaceId: string): void {
    this.#notify(namespaceId);
    for (const listener of this.#listeners) listener(namespaceId);
    if (this.#othersSubscribedUntil < performance.now()) return;
    this.#store.shared?.publish({ kind: 'events', ids: [namespaceId] });
  }

  #onNotice(notice: Notice): void {
    if (notice.kind === 'following') this.#othersSubscribedUntil = performance.now() + SUBSCRIBED_MS;
    else if (notice.kind === 'events') for (const id of notice.ids) this.#notify(id);
  }

  #notify(namespaceId: string): void {
    const subscribers = this.#subscribers.get(namespaceId);
    if (subscribers !== undefined) for (const subscriber of subscribers) subscriber.notify();
  }
}
