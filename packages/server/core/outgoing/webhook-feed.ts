import { type Clock, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import type { NewDelivery } from '../entities/delivery.ts';
import { type Webhook, wants } from '../entities/webhook.ts';
import type { EventFeed } from '../notify/event-feed.ts';
import type { Store } from '../ports/store.ts';
import type { Deliverer } from './deliver.ts';
import { WebhookEvents } from './webhook-events.ts';
import { webhookDelivery, webhookDestination } from './webhook-kind.ts';

export interface WebhookFeedOptions {
  /** Maximum number of deliveries of a webhook that are kept, those that wait among them. */
  readonly max_deliveries: number;
  /** How often all webhooks are looked at, which makes up for what this node did not learn; 2 s by default. */
  readonly poll_ms?: Millis;
  readonly onError: (error: unknown) => void;
}

const POLL_MS: Millis = 2 * SECOND;
/** Pauses before each look at a namespace that had a write: first to gather events, then because one is not visible yet. */
const LOOKS_MS: readonly Millis[] = [10, 40, 150];
/** Pause before a webhook with no room is looked at again, unless it fails: then the poll is soon enough. */
const FULL_MS: Millis = 150;
/** Webhooks read at a time. */
const WEBHOOKS = 50;
/** Events read of the log for one webhook at a time. */
const EVENTS = 250;
/**
 * Maximum number of a webhook's deliveries that have had no attempt; further events wait in the log. Few, because a look
 * for what is due skips those to webhooks without a free slot one by one.
 */
const MAX_QUEUED = 250;
/** The same in requests of a webhook that takes several events in one. */
const MAX_QUEUED_BATCHES = 10;
/** After so many new deliveries of a webhook those that ended long ago are removed. */
const PRUNE_EVERY = 500;
/** With more namespaces than this, every write is looked at. */
const MAX_NAMESPACES = 10_000;

interface Parts {
  readonly store: Pick<Store, 'webhooks' | 'events'>;
  readonly feed: Pick<EventFeed, 'onWrite'>;
  readonly deliverer: Pick<Deliverer, 'announce' | 'slotFor' | 'stream' | 'leaseEnd'>;
  readonly clock: Clock;
}

/** A look at a namespace that is to come. */
interface Look {
  at: number;
  nth: number;
}

/**
 * Makes the deliveries of webhooks from the log of events. Each webhook has a cursor in the log that moves in the
 * transaction which adds its deliveries, so a crash loses and repeats nothing. Any node may do it for any webhook; the
 * one that wrote an event does it first.
 */
export class WebhookFeed implements AsyncDisposable {
  readonly #parts: Parts;
  readonly #store: Parts['store'];
  readonly #deliverer: Parts['deliverer'];
  readonly #clock: Clock;
  readonly #options: WebhookFeedOptions;
  readonly #due = new Map<string, Look>();
  readonly #added = new Map<string, number>();
  /** Webhooks whose events are delivered as they are read. */
  readonly #streams = new Set<string>();
  /** The namespaces with webhooks; undefined while they are not known. */
  #namespaces: ReadonlySet<string> | undefined;
  #wake: (() => void) | undefined;
  #polled = Number.NEGATIVE_INFINITY;
  #stopped = false;
  readonly #done: Promise<void>;
  readonly #leave: () => void;

  constructor(parts: Parts, options: WebhookFeedOptions) {
    this.#parts = parts;
    this.#store = parts.store;
    this.#deliverer = parts.deliverer;
    this.#clock = parts.clock;
    this.#options = options;
    this.#leave = parts.feed.onWrite((namespaceId) => {
      if (this.#namespaces?.has(namespaceId) !== false) this.look(namespaceId);
    });
    this.#done = this.#run();
  }

  /** There may be events for webhooks of this namespace. */
  look(namespaceId: string): void {
    const look = this.#due.get(namespaceId);
    // A look that was put off is made soon, since there is something new; a soon one gathers more.
    if (look !== undefined && look.nth === 0) return;
    this.#due.set(namespaceId, { at: performance.now() + (LOOKS_MS[0] as number), nth: 0 });
    this.#wake?.();
  }

  /** A webhook of this namespace was created or switched on, or events were asked for again. */
  changed(namespaceId: string): void {
    if (this.#namespaces !== undefined) this.#namespaces = new Set([...this.#namespaces, namespaceId]);
    this.look(namespaceId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.#leave();
    this.#wake?.();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { poll_ms = POLL_MS, onError } = this.#options;
    while (!this.#stopped) {
      try {
        const now = performance.now();
        if (now - this.#polled >= poll_ms) {
          this.#polled = now;
          const namespaces = await this.#store.webhooks.namespaces(MAX_NAMESPACES + 1);
          this.#namespaces = namespaces.length > MAX_NAMESPACES ? undefined : new Set(namespaces);
          await this.#advanceAll(null);
        }
        await this.#lookAtDue();
      } catch (error) {
        onError(error);
        await this.#sleep(poll_ms);
      }
      if (!this.#stopped) await this.#sleep(this.#pause(poll_ms));
    }
  }

  async #lookAtDue(): Promise<void> {
    const now = performance.now();
    const due = [...this.#due].filter(([, { at }]) => at <= now).slice(0, WEBHOOKS);
    if (due.length === 0) return;
    // Removed first: a write from now on asks for another look.
    for (const [id] of due) this.#due.delete(id);
    const found = await this.#advanceAll(due.map(([id]) => id));
    for (const [id, { nth }] of due) {
      const pause = LOOKS_MS[nth + 1];
      if (found.has(id) || pause === undefined || this.#due.has(id)) continue;
      this.#due.set(id, { at: performance.now() + pause, nth: nth + 1 });
    }
  }

  /** Moves the cursors of these namespaces' webhooks as far as there is room; returns those that had events. */
  async #advanceAll(namespaceIds: readonly string[] | null): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (let moved = true; moved && !this.#stopped; ) {
      moved = false;
      for (let after = ''; !this.#stopped; ) {
        const webhooks = await this.#store.webhooks.behind(namespaceIds, after, WEBHOOKS);
        // One batch of each in turn, so that one that is far behind delays no other.
        for (const webhook of webhooks) {
          found.add(webhook.namespace_id);
          if (await this.#advance(webhook)) moved = true;
        }
        after = webhooks.at(-1)?.id ?? '';
        if (webhooks.length < WEBHOOKS) break;
      }
    }
    return found;
  }

  /** Adds the deliveries of the webhook's next events; false when there was no room for one, or a stream makes them. */
  async #advance(webhook: Webhook): Promise<boolean> {
    const { max_deliveries } = this.#options;
    if (this.#streams.has(webhook.id)) return false;
    const backlog = await this.#store.webhooks.backlog(webhook.id, max_deliveries);
    const max_queued = Math.max(MAX_QUEUED, webhook.batch * MAX_QUEUED_BATCHES);
    const max = Math.min(max_queued, max_deliveries - backlog.deferred);
    const target = { kind: 'webhook', destination: webhookDestination(webhook) } as const;
    // Another node may make a stream of batches, whose first delivery counts as queued.
    const room = webhook.batch > 1 && backlog.queued > 0 ? 0 : max - backlog.queued;
    // For a few it is not worth a write.
    if (room <= 0 || room < Math.min(EVENTS, max / 4)) {
      if (webhook.failing_since === null && !this.#due.has(webhook.namespace_id))
        this.#due.set(webhook.namespace_id, { at: performance.now() + FULL_MS, nth: LOOKS_MS.length });
      return false;
    }
    const slot = webhook.batch > 1 && webhook.failing_since === null ? this.#deliverer.slotFor(target) : undefined;
    if (slot !== undefined && (await this.#stream(webhook, slot))) return false;
    const entries = await this.#store.events.entries(webhook.namespace_id, webhook.cursor, Math.min(EVENTS, room));
    const now = this.#clock();
    const deliveries = [];
    let next: string | undefined;
    for (const entry of entries) {
      if (wants(webhook, entry)) deliveries.push(webhookDelivery(webhook, entry, now));
      next = entry.id;
    }
    if (next === undefined) return false;
    const moved = await this.#store.webhooks.advance(webhook, next, deliveries);
    if (deliveries.length === 0) return moved;
    this.#deliverer.announce({ kind: 'webhook', destination: webhookDestination(webhook) });
    await this.#prune(webhook.id, deliveries.length);
    return moved;
  }

  /** Begins to deliver the webhook's next events as they are read; false where they are to be queued. */
  async #stream(webhook: Webhook, slot: { release(): void }): Promise<boolean> {
    const { store, clock, deliverer } = this.#parts;
    const { id, namespace_id } = webhook;
    const events = new WebhookEvents(webhook, { ...store, clock }, (added) => this.#prune(id, added));
    let begun: NewDelivery | undefined;
    try {
      const [first] = await events.read(1);
      if (first === undefined) return false;
      const leased = { ...first, leased_until: deliverer.leaseEnd() };
      // Another node moved the cursor, and makes what follows.
      if (!(await events.begin(leased))) return true;
      begun = leased;
    } finally {
      if (begun === undefined) slot.release();
    }
    this.#streams.add(id);
    deliverer.stream(begun, slot, {
      read: (max) => events.read(max),
      write: (step) => events.write(step),
      ended: () => {
        this.#streams.delete(id);
        this.look(namespace_id);
      },
    });
    return true;
  }

  async #prune(id: string, added: number): Promise<void> {
    const sum = (this.#added.get(id) ?? 0) + added;
    this.#added.set(id, sum % PRUNE_EVERY);
    if (sum >= PRUNE_EVERY) await this.#store.webhooks.prune(id, this.#options.max_deliveries);
  }

  #pause(poll_ms: Millis): Millis {
    const next = this.#due.values().reduce((least, { at }) => Math.min(least, at), this.#polled + poll_ms);
    return Math.max(0, next - performance.now());
  }

  #sleep(ms: Millis): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
