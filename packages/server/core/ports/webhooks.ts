import type { Millis } from '@mailroom/behavior/values/clock';
import type { Delivery, DeliveryStatus, NewDelivery } from '../entities/delivery.ts';
import type { Webhook, WebhookReason } from '../entities/webhook.ts';
import type { Page } from '../values/page.ts';
import type { StreamStep } from './delivery.ts';
import type { Idempotency, Replayed } from './idempotency.ts';

/** What a change of a webhook writes; what is left out stays. */
type WebhookFields = Partial<Pick<Webhook, 'url' | 'types' | 'batch' | 'mailbox_id' | 'mailbox' | 'key_id'>>;

interface WebhookQuery {
  readonly namespace_id: string;
  /** Only those of these mailboxes. */
  readonly mailbox_ids?: readonly string[] | undefined;
}

/** Why a webhook is switched off. */
export interface Disabling {
  readonly reason: WebhookReason;
  readonly error: string | null;
}

/** How many deliveries of a webhook wait, counted up to a maximum. */
export interface Backlog {
  /** Those without an attempt. */
  readonly queued: number;
  /** Those after a failed attempt. */
  readonly deferred: number;
}

/** Webhooks of deleted namespaces and mailboxes are not found from that moment. */
export interface Webhooks {
  /** `full`: the namespace has `max`. `gone`: it, or the mailbox, was deleted. Exact also for concurrent calls. */
  create(
    webhook: Webhook,
    max: number,
    idempotency?: Idempotency,
  ): Promise<{ readonly kind: 'created' | 'full' | 'gone' } | Replayed>;
  byId(id: string): Promise<Webhook | undefined>;
  byIds(ids: readonly string[]): Promise<readonly Webhook[]>;
  /** In the order of creation. */
  page(of: WebhookQuery, after: string | null, size: number): Promise<Page<Webhook>>;
  /**
   * With `key_id` it is limited no more; with `destination` what waits goes there. Undefined when it is gone.
   */
  change(id: string, fields: WebhookFields, now: Millis, destination?: string): Promise<Webhook | undefined>;
  /** Replaces `secret` by the next one, if it is still the secret; undefined when it is not, or the webhook is gone. */
  rotate(
    id: string,
    secret: string,
    next: Pick<Webhook, 'secret' | 'previous_secrets'>,
    now: Millis,
  ): Promise<Webhook | undefined>;
  /** Switches it on, for events after `cursor`; one that is on stays as it is. Undefined when it is gone. */
  enable(id: string, cursor: string, now: Millis): Promise<Webhook | undefined>;
  /**
   * Switches it off and gives up what waits, with an event `webhook.disabled` unless the owner did it. False when it was
   * off or gone already.
   */
  disable(id: string, why: Disabling, now: Millis): Promise<boolean>;
  /** Records that it is limited since `now`, with an event `webhook.limited`. False when it was before, or is gone. */
  limit(id: string, now: Millis): Promise<boolean>;
  /** Records that attempts fail since `at`, or, with null, that one arrived. An earlier time stays. */
  failing(id: string, at: Millis | null, error: string | null): Promise<void>;
  /** Removes it with its deliveries. */
  remove(id: string): Promise<boolean>;
  /**
   * Up to `max` webhooks that are on and have events after their cursor: in these namespaces, or in all, beginning after
   * that id.
   */
  behind(of: readonly string[] | null, after: string, max: number): Promise<readonly Webhook[]>;
  /** The ids of the namespaces that have a webhook which is on, up to `max`. */
  namespaces(max: number): Promise<readonly string[]>;
  backlog(id: string, max: number): Promise<Backlog>;
  /**
   * Moves the cursor to `next`, if it is still where this webhook has it, and adds the deliveries of the events up to
   * there, in one transaction. A delivery of an event to this webhook is added once; one that ended before `replayed_at`
   * is made again. False when the cursor was elsewhere, or the webhook was off or gone.
   */
  advance(webhook: Webhook, next: string, deliveries: readonly NewDelivery[]): Promise<boolean>;
  /**
   * Writes how the deliveries of a request ended, and the first one of the next under its lease, in one transaction, and
   * moves the cursor from `from` to `to`. What has a row stays as it is, but for the first of them. False when the cursor
   * was elsewhere, or the webhook was off or gone.
   */
  streamed(
    of: { readonly id: string; readonly from: string; readonly to: string },
    step: Pick<StreamStep, 'ends' | 'next'>,
    now: Millis,
  ): Promise<boolean>;
  /** Whether one of the events after `from` up to `to` has a delivery. */
  hasDeliveries(id: string, from: string, to: string): Promise<boolean>;
  /** Moves the cursor back to `cursor`, so that later events are delivered again. False when it is gone or off. */
  replay(id: string, cursor: string, now: Millis): Promise<boolean>;
  /** Newest first. `before` is the last id of the previous page. */
  deliveries(
    id: string,
    status: DeliveryStatus | undefined,
    before: string | null,
    size: number,
  ): Promise<Page<Delivery>>;
  delivery(id: string, delivery_id: string): Promise<Delivery | undefined>;
  /** Records an attempt that was made outside the schedule and has ended. */
  record(
    delivery: NewDelivery,
    result: { readonly status: 'sent' | 'failed'; readonly error: string | null },
  ): Promise<void>;
  /**
   * Makes a delivery due now, with all its attempts before it; one in progress stays as it is. Undefined when there is
   * none.
   */
  redeliver(id: string, delivery_id: string, now: Millis, expires_at: Millis): Promise<Delivery | undefined>;
  /** Removes those deliveries that ended, but for the newest `keep` of all; returns how many. */
  prune(id: string, keep: number): Promise<number>;
}
