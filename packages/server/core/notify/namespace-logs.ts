import type { StoredEvent } from '../entities/event.ts';
import type { EventQuery } from '../ports/events.ts';
import type { EventFeed } from './event-feed.ts';

export type Listener = (event: StoredEvent) => void;

/** Hears the events of a namespace or of some mailboxes until `end` is called. */
export interface Listening {
  /** Resolves when each later event is heard; rejects when the log could not be read. */
  readonly begun: Promise<void>;
  /** Aborts when nothing more is heard, because the log could not be read. */
  readonly failed: AbortSignal;
  end(): void;
}

/** The log of one namespace, read once however many listen; '' has those who hear all of its mailboxes. */
interface Reading {
  readonly listeners: Map<string, Set<Listener>>;
  readonly over: AbortController;
  readonly failed: AbortController;
  readonly begun: Promise<void>;
}

/** The logs of namespaces as they grow, each read once on this node. */
export class NamespaceLogs {
  readonly #feed: EventFeed;
  readonly #readings = new Map<string, Reading>();

  constructor({ feed }: { readonly feed: EventFeed }) {
    this.#feed = feed;
  }

  listen({ namespace_id, mailbox_ids = [''] }: EventQuery, listener: Listener): Listening {
    const reading = this.#readings.get(namespace_id) ?? this.#read(namespace_id);
    const places = mailbox_ids.map((id) => [id, reading.listeners.get(id) ?? new Set<Listener>()] as const);
    for (const [id, listeners] of places) reading.listeners.set(id, listeners.add(listener));
    const end = (): void => {
      for (const [id, listeners] of places) {
        listeners.delete(listener);
        if (listeners.size === 0) reading.listeners.delete(id);
      }
      if (reading.listeners.size > 0) return;
      reading.over.abort();
      if (this.#readings.get(namespace_id) === reading) this.#readings.delete(namespace_id);
    };
    return { begun: reading.begun, failed: reading.failed.signal, end };
  }

  #read(namespace_id: string): Reading {
    const begun = Promise.withResolvers<void>();
    const [over, failed] = [new AbortController(), new AbortController()];
    const reading: Reading = { listeners: new Map(), over, failed, begun: begun.promise };
    this.#readings.set(namespace_id, reading);
    const read = async (): Promise<void> => {
      const from = await this.#feed.now(namespace_id);
      begun.resolve();
      for await (const events of this.#feed.subscribe({ namespace_id }, from, over.signal))
        for (const event of events)
          for (const mailbox_id of [event.mailbox_id, ''])
            for (const hear of [...(reading.listeners.get(mailbox_id) ?? [])]) hear(event);
    };
    read().catch((error: unknown) => {
      begun.reject(error);
      failed.abort();
      if (this.#readings.get(namespace_id) === reading) this.#readings.delete(namespace_id);
    });
    return reading;
  }
}
