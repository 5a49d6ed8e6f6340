import { isOutgoing } from '@mailroom/behavior/message';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { StoredEvent } from '../entities/event.ts';
import { labelsIn, TRASH } from '../entities/label.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { Store } from '../ports/store.ts';
import type { EventBus } from './event-bus.ts';
import type { EventFeed } from './event-feed.ts';
import type { Listener, NamespaceLogs } from './namespace-logs.ts';

/** Events of the log that are read at once. */
const PAGE = 100;

interface Parts {
  readonly store: Pick<Store, 'events'>;
  readonly feed: EventFeed;
  readonly logs: NamespaceLogs;
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

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * The first message received by the mailbox, in the order of the log, that matches; undefined when `ms` passed, `signal`
   * aborted or the mailbox was deleted first. AppError `unavailable`.
   */
  async first(mailbox: Mailbox, { after, matches, ms, signal }: AwaitedMessage): Promise<Message | undefined> {
    const { store, feed, logs, bus } = this.#parts;
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
          { namespace_id: mailbox.namespace_id, mailbox_ids: [mailbox.id] },
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
    const listening = logs.listen({ namespace_id: mailbox.namespace_id, mailbox_ids: [mailbox.id] }, hear);
    try {
      // What is logged while this looks is heard as well.
      await listening.begun;
      return (await logged()) ?? (await found.promise);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      forget();
      listening.end();
    }
  }
}

/** The message that the mailbox received with this event, or that was handled there; one in its trash is not there. */
function receivedIn(event: StoredEvent, mailboxId: string): Message | undefined {
  if (!('message' in event) || !event.type.startsWith('message.')) return undefined;
  const { message } = event;
  const received = message.mailbox_id === mailboxId && event.mailbox_id === mailboxId && !isOutgoing(message);
  return received && !labelsIn(message, mailboxId).includes(TRASH) ? message : undefined;
}
