import { setTimeout as pause } from 'node:timers/promises';
import type { StoredEvent } from '../entities/event.ts';
import type { EventPage, EventQuery, Notice, Store } from '../ports/store.ts';
import type { Millis } from '../values/clock.ts';
import { SECOND } from '../values/clock.ts';
import { AppError } from '../values/error.ts';
import { FIRST_EVENT } from '../values/ids.ts';
import type { EventBus } from './event-bus.ts';

/** As long as news that nobody told is made up for. */
const POLL_MS: Millis = SECOND;
/** News that is not in the log yet: others are about to commit what comes before it. Looked for again after these. */
const SOON_MS: readonly Millis[] = [10, 40, 150];
/** A busy namespace is told in batches: so long from one look to the next. */
const GATHER_MS: Millis = 10;
/** Events told at a time: with its reply one may have half a MB. */
const SIZE = 32;
/** The other nodes are told this often that somebody follows here, */
const ANNOUNCE_MS: Millis = 5 * SECOND;
/** and believe it for so long. */
const SUBSCRIBED_MS: Millis = 15 * SECOND;

/** Waits for news; what comes while nobody waits is not forgotten. */
class Subscriber {
  #notified = false;
  #notify: (() => void) | undefined;

  readonly notify = (): void => {
    this.#notified = true;
    this.#notify?.();
  };

  /** Whether there was news, within `ms`; false too when `signal` aborts. */
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
 * The log of events, followed as it grows. What is written on this node wakes who follows at once, what others write by
 * their notice; a look each second makes it sure. While nobody follows, news costs a look into an empty map.
 */
export class EventFeed implements Disposable {
  readonly #store: Store;
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  #othersSubscribedUntil = Number.NEGATIVE_INFINITY;
  #announcing: NodeJS.Timeout | undefined;

  constructor(parts: { readonly store: Store; readonly bus: EventBus }) {
    this.#store = parts.store;
    parts.bus.subscribeEvents((namespaceId) => this.#onEvents(namespaceId));
    this.#store.shared?.subscribe((notice) => this.#onNotice(notice));
  }

  /** How many follow here. */
  get size(): number {
    return this.#subscribers.values().reduce((sum, subscribers) => sum + subscribers.size, 0);
  }

  /** Where the log of a namespace ends now. */
  async now(namespace_id: string): Promise<string> {
    return (await this.#store.events.last(namespace_id)) ?? FIRST_EVENT;
  }

  /**
   * All that happens after the place `after` (null: from now on), in order, each once, some at a time; ends when `signal`
   * aborts. While the store is away it waits.
   */
  async *subscribe(
    of: EventQuery,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<readonly StoredEvent[], void, undefined> {
    const subscriber = new Subscriber();
    this.#add(of.namespace_id, subscriber);
    try {
      let cursor = after ?? (await this.now(of.namespace_id));
      for (let empty = SOON_MS.length; !signal.aborted; ) {
        const page = await this.#page(of, cursor);
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
      this.#remove(of.namespace_id, subscriber);
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
