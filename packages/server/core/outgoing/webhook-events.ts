import type { Clock } from '@mailroom/behavior/values/clock';
import type { NewDelivery } from '../entities/delivery.ts';
import { type Webhook, wants } from '../entities/webhook.ts';
import type { StreamStep } from '../ports/delivery.ts';
import type { Store } from '../ports/store.ts';
import { webhookDelivery } from './webhook-kind.ts';

interface Parts extends Pick<Store, 'webhooks' | 'events'> {
  readonly clock: Clock;
}

/** Events read at a time, at least: those of other types are passed over. */
const EVENTS = 100;

/** The events of a webhook after its cursor as deliveries, each of which is written with its end. */
export class WebhookEvents {
  readonly #webhook: Webhook;
  readonly #parts: Parts;
  readonly #onAdded: (count: number) => Promise<void>;
  /** Up to where the log was read. */
  #read: string;
  /** Where the cursor is. */
  #place: string;

  constructor(webhook: Webhook, parts: Parts, onAdded: (count: number) => Promise<void>) {
    this.#webhook = webhook;
    this.#parts = parts;
    this.#onAdded = onAdded;
    this.#read = webhook.cursor;
    this.#place = webhook.cursor;
  }

  /** The next deliveries, up to `max`; none where there are none, or some of them were made before and are to be looked at. */
  async read(max: number): Promise<readonly NewDelivery[]> {
    const { webhooks, events, clock } = this.#parts;
    const { id, namespace_id, replayed_at } = this.#webhook;
    for (;;) {
      const entries = await events.entries(namespace_id, this.#read, Math.max(EVENTS, max));
      const wanted = entries.filter((entry) => wants(this.#webhook, entry)).slice(0, max);
      const to = wanted.length === max ? wanted.at(-1)?.id : entries.at(-1)?.id;
      if (to === undefined) return [];
      if (replayed_at !== null && (await webhooks.hasDeliveries(id, this.#read, to))) return [];
      this.#read = to;
      if (wanted.length > 0) return wanted.map((entry) => webhookDelivery(this.#webhook, entry, clock()));
    }
  }

  /** Writes the first one, under its lease. False where the cursor was moved meanwhile. */
  async begin(first: NewDelivery): Promise<boolean> {
    const place = first.event_id ?? '';
    const moved = await this.#parts.webhooks.advance(this.#webhook, place, [first]);
    this.#place = place;
    return moved;
  }

  /** Writes what a request leaves behind. False where the cursor was moved meanwhile. */
  async write(step: StreamStep): Promise<boolean> {
    const { ends, next, hasMore } = step;
    const from = this.#place;
    const last = hasMore ? (ends.at(-1)?.claim.event_id ?? from) : this.#read;
    const to = next?.event_id ?? last;
    this.#place = to;
    const moved = await this.#parts.webhooks.streamed({ id: this.#webhook.id, from, to }, step, this.#parts.clock());
    await this.#onAdded(ends.length);
    return moved;
  }
}
