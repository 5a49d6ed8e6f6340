import { setTimeout as pause } from 'node:timers/promises';
import type { Millis } from './clock.ts';
import { SECOND } from './clock.ts';
import { AppError } from './error.ts';
import type { StoredEvent } from './event.ts';
import type { EventBus } from './event-bus.ts';
import { FIRST_EVENT } from './ids.ts';
import type { EventPage, EventQuery, Notice, Store } from './store.ts';

/** As long as news that nobody told is made up for. */
const POLL_MS: Millis = SECOND;
/** News that is not in the log yet: others are about to commit what comes before it. Looked for again after these. */
const SOON_MS: readonly Millis[] = [10, 40, 150];
/** A busy namespace is told in batches: so long from one look to the next. */
const GATHER_MS: Millis = 10;
/** Events told at a time: with its reply one may have half a MB. */
const SIZE = 32;
/** The other nodes are told this often that somebody follows here, */
const FOLLOWING_MS: Millis = 5 * SECOND;
/** and believe it for so long. */
const BELIEVED_MS: Millis = 15 * SECOND;

/** Waits for news; what comes while nobody waits is not forgotten. */
class Ear {
  #heard = false;
  #wake: (() => void) | undefined;

  readonly hear = (): void => {
    this.#heard = true;
    this.#wake?.();
  };

  /** Whether there was news, within `ms`; false too when `signal` aborts. */
  async news(ms: Millis, signal: AbortSignal): Promise<boolean> {
    if (!this.#heard && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', this.#wake, { once: true });
      await promise;
      clearTimeout(timer);
      signal.removeEventListener('abort', this.#wake);
      this.#wake = undefined;
    }
    const heard = this.#heard;
    this.#heard = false;
    return heard;
  }
}

/**
 * The log of events, followed as it grows. What is written on this node wakes who follows at once, what others write by
 * their notice; a look each second makes it sure. While nobody follows, news costs a look into an empty map.
 */
export class Feed implements Disposable {
  readonly #store: Store;
  readonly #ears = new Map<string, Set<Ear>>();
  #believed = Number.NEGATIVE_INFINITY;
  #following: NodeJS.Timeout | undefined;

  constructor(parts: { readonly store: Store; readonly bus: EventBus }) {
    this.#store = parts.store;
    parts.bus.subscribeEvents((namespaceId) => this.#news(namespaceId));
    this.#store.shared?.subscribe((notice) => this.#hear(notice));
  }

  /** How many follow here. */
  get size(): number {
    return this.#ears.values().reduce((sum, ears) => sum + ears.size, 0);
  }

  /** Where the log of a namespace ends now. */
  async now(namespace_id: string): Promise<string> {
    return (await this.#store.events.last(namespace_id)) ?? FIRST_EVENT;
  }

  /**
   * All that happens after the place `after` (null: from now on), in order, each once, some at a time; ends when `signal`
   * aborts. While the store is away it waits.
   */
  async *follow(
    of: EventQuery,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<readonly StoredEvent[], void, undefined> {
    const ear = new Ear();
    this.#listen(of.namespace_id, ear);
    try {
      let place = after ?? (await this.now(of.namespace_id));
      for (let empty = SOON_MS.length; !signal.aborted; ) {
        const page = await this.#page(of, place);
        if (page !== undefined) {
          place = page.next;
          if (page.items.length > 0) {
            yield page.items;
            empty = 0;
          }
          if (page.more) continue;
        }
        if (await ear.news(SOON_MS[empty] ?? POLL_MS, signal)) {
          empty = 0;
          await pause(GATHER_MS, undefined, { signal }).catch(() => {});
        } else empty++;
      }
    } finally {
      this.#leave(of.namespace_id, ear);
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#following);
  }

  async #page(of: EventQuery, place: string): Promise<EventPage | undefined> {
    try {
      return await this.#store.events.page(of, place, SIZE);
    } catch (error) {
      if (error instanceof AppError && error.code === 'unavailable') return undefined;
      throw error;
    }
  }

  #listen(namespaceId: string, ear: Ear): void {
    const ears = this.#ears.get(namespaceId) ?? new Set();
    this.#ears.set(namespaceId, ears.add(ear));
    const { shared } = this.#store;
    if (shared === undefined || this.#following !== undefined) return;
    shared.publish({ kind: 'following' });
    this.#following = setInterval(() => shared.publish({ kind: 'following' }), FOLLOWING_MS).unref();
  }

  #leave(namespaceId: string, ear: Ear): void {
    const ears = this.#ears.get(namespaceId);
    ears?.delete(ear);
    if (ears?.size === 0) this.#ears.delete(namespaceId);
    if (this.#ears.size > 0) return;
    clearInterval(this.#following);
    this.#following = undefined;
  }

  #news(namespaceId: string): void {
    this.#wake(namespaceId);
    if (this.#believed < performance.now()) return;
    this.#store.shared?.publish({ kind: 'events', ids: [namespaceId] });
  }

  #hear(notice: Notice): void {
    if (notice.kind === 'following') this.#believed = performance.now() + BELIEVED_MS;
    else if (notice.kind === 'events') for (const id of notice.ids) this.#wake(id);
  }

  #wake(namespaceId: string): void {
    const ears = this.#ears.get(namespaceId);
    if (ears !== undefined) for (const ear of ears) ear.hear();
  }
}
