import type { StoredEvent } from '../entities/event.ts';
import type { Message } from '../entities/message.ts';
import type { EventQuery } from '../ports/events.ts';
import type { Store } from '../ports/store.ts';
import type { EventFeed } from './event-feed.ts';
import type { NamespaceLogs } from './namespace-logs.ts';

/** Events of the log that are read at once. */
const PAGE = 100;
/** Events that are kept while older ones are read; with more of them the log is read again. */
const MAX_HELD = 1_000;

/** An event about a message: it arrived, was answered, or changed otherwise. */
export type MessageEvent = StoredEvent & { readonly message: Message };

const isAboutMessage = (event: StoredEvent): event is MessageEvent =>
  'message' in event && event.type.startsWith('message.');

/** A part of the log that is about messages. */
export interface InboxPage {
  readonly events: readonly MessageEvent[];
  /** The cursor of the log behind it. */
  readonly next: string;
  readonly more: boolean;
}

interface Parts {
  readonly store: Pick<Store, 'events'>;
  readonly feed: EventFeed;
  readonly logs: NamespaceLogs;
}

/** Tells what changes among the messages of a namespace or of one mailbox. */
export class InboxUpdates {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The cursor of the newest event. AppError `unavailable`. */
  now(of: EventQuery): Promise<string> {
    return this.#parts.feed.now(of.namespace_id);
  }

  /** What happened after a cursor. AppError `unavailable`. */
  async page(of: EventQuery, after: string): Promise<InboxPage> {
    const { items, next, more } = await this.#parts.store.events.page(of, after, PAGE);
    return { events: items.filter(isAboutMessage), next, more };
  }

  /**
   * Calls `hear` with each event about a message after the cursor `after` (null: from now on), in order, each once, until
   * `signal` aborts. Resolves when it ends, also when the log cannot be read: go on after the last event then. AppError
   * `unavailable`.
   */
  async follow(
    of: EventQuery,
    after: string | null,
    { hear, signal }: { readonly hear: (event: MessageEvent) => void; readonly signal: AbortSignal },
  ): Promise<void> {
    let last = after ?? (await this.now(of));
    let held: StoredEvent[] | undefined = [];
    let isMissing = false;
    const pass = (event: StoredEvent): void => {
      if (event.id <= last || signal.aborted) return;
      last = event.id;
      if (isAboutMessage(event)) hear(event);
    };
    const listening = this.#parts.logs.listen(of, (event) => {
      if (held === undefined) pass(event);
      else if (held.length < MAX_HELD) held.push(event);
      else isMissing = true;
    });
    try {
      await listening.begun;
      while (held !== undefined && !signal.aborted) {
        const page = await this.#parts.store.events.page(of, last, PAGE);
        for (const event of page.items) pass(event);
        if (page.next > last) last = page.next;
        if (page.more) continue;
        const heard: StoredEvent[] = held;
        held = isMissing ? [] : undefined;
        isMissing = false;
        for (const event of heard) pass(event);
      }
      await ended(AbortSignal.any([signal, listening.failed]));
    } finally {
      listening.end();
    }
  }
}

const ended = (signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
};
