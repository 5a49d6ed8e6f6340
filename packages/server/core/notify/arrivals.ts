import { isOutgoing } from '@mailroom/behavior/message';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { StoredEvent } from '../entities/event.ts';
import { labelsIn, TRASH } from '../entities/label.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { Store } from '../ports/store.ts';
import type { EventBus } from './event-bus.ts';
import type { EventFeed } from './event-feed.ts';

/** Events of the log that are read at once. */
const PAGE = 100;

type Listener = (event: StoredEvent) => void;

/** The log of one namespace, read once however many wait for its mailboxes. */
interface Reading {
  readonly listeners: Map<string, Set<Listener>>;
  readonly end: AbortController;
  /** Resolves when each later event is heard. */
  readonly begun: Promise<void>;
}

interface Parts {
  readonly store: Pick<Store, 'events'>;
  readonly feed: EventFeed;
  readonly bus: Pick<EventBus, 'onDeleted'>;
}

export interface AwaitedMessage {
  /** The cursor of the log after which events are read; null: after the newest one. */
  readonly after: string | null;
  /** Whether it is the one. */
  matches(message: Message): boolean;
  readonly ms: Millis;
  readonly signal: AbortSignal;
}

/** Waits for messages that mailboxes receive. */
export class Arrivals {
  readonly #parts: Parts;
  readonly #readings = new Map<string, Reading>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * The first message received by the mailbox, in the order of the log, that matches; undefined when `ms` passed, `signal`
   * aborted or the mailbox was deleted first. AppError `unavailable`.
   */
  async first(mailbox: Mailbox, { after, matches, ms, signal }: AwaitedMessage): Promise<Message | undefined> {
    const { store, feed, bus } = this.#parts;
    const found = Promise.withResolvers<Message | undefined>();
    const take = (event: StoredEvent): Message | undefined => {
      const message = receivedIn(event, mailbox.id);
      return message !== undefined && matches(message) ? message : undefined;
    };
    const hear: Listener = (event) => {
      const message = take(event);
      if (message !== undefined) found.resolve(message);
    };
    let over = signal.aborted;
    const end = (): void => {
      over = true;
      found.resolve(undefined);
    };
    const from = after ?? (await feed.now(mailbox.namespace_id));
    /** What is in the log by now. */
    const logged = async (): Promise<Message | undefined> => {
      for (let cursor = from; !over; ) {
        const page = await store.events.page(
          { namespace_id: mailbox.namespace_id, mailbox_id: mailbox.id },
          cursor,
          PAGE,
        );
        for (const event of page.items) {
          const message = take(event);
          if (message !== undefined) return message;
        }
        if (!page.more) return undefined;
        cursor = page.next;
      }
      return undefined;
    };
    if (ms === 0) return logged();
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
    const forget = bus.onDeleted(mailbox.id, end);
    const reading = this.#listen(mailbox, hear);
    try {
      // What is logged while this looks is heard as well.
      await reading.begun;
      return (await logged()) ?? (await found.promise);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      forget();
      this.#forget(mailbox, hear, reading);
    }
  }

  #listen({ id, namespace_id }: Mailbox, listener: Listener): Reading {
    const reading = this.#readings.get(namespace_id) ?? this.#read(namespace_id);
    const listeners = reading.listeners.get(id) ?? new Set();
    reading.listeners.set(id, listeners.add(listener));
    return reading;
  }

  #forget({ id, namespace_id }: Mailbox, listener: Listener, reading: Reading): void {
    const listeners = reading.listeners.get(id);
    listeners?.delete(listener);
    if (listeners?.size === 0) reading.listeners.delete(id);
    if (reading.listeners.size > 0) return;
    reading.end.abort();
    if (this.#readings.get(namespace_id) === reading) this.#readings.delete(namespace_id);
  }

  #read(namespace_id: string): Reading {
    const { feed } = this.#parts;
    const begun = Promise.withResolvers<void>();
    const reading: Reading = { listeners: new Map(), end: new AbortController(), begun: begun.promise };
    this.#readings.set(namespace_id, reading);
    const read = async (): Promise<void> => {
      const from = await feed.now(namespace_id);
      begun.resolve();
      for await (const events of feed.subscribe({ namespace_id }, from, reading.end.signal))
        for (const event of events)
          for (const hear of [...(reading.listeners.get(event.mailbox_id) ?? [])]) hear(event);
    };
    read().catch((error: unknown) => {
      // Those who wait already look again when they call again.
      begun.reject(error);
      if (this.#readings.get(namespace_id) === reading) this.#readings.delete(namespace_id);
    });
    return reading;
  }
}

/** The message that the mailbox received with this event, or that was handled there; one in its trash is not there. */
function receivedIn(event: StoredEvent, mailboxId: string): Message | undefined {
  if (!('message' in event) || !event.type.startsWith('message.')) return undefined;
  const { message } = event;
  const received = message.mailbox_id === mailboxId && event.mailbox_id === mailboxId && !isOutgoing(message);
  return received && !labelsIn(message, mailboxId).includes(TRASH) ? message : undefined;
}
