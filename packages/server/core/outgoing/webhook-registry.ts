import { addressOf } from '@mailroom/behavior/mailbox';
import { parseAddress } from '@mailroom/behavior/values/address';
import { type Clock, DAY, type Millis, parseRfc3339 } from '@mailroom/behavior/values/clock';
import { AppError, idempotencyMismatch, invalid } from '@mailroom/behavior/values/error';
import { FIRST_EVENT, isId, newId } from '@mailroom/behavior/values/ids';
import { requireDisclosing, requireLasting } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import type { Delivery, DeliveryStatus } from '../entities/delivery.ts';
import { eventText, GROUPS, LOGGED_TYPES } from '../entities/event.ts';
import { boundTo, isBound, type Key, reaches } from '../entities/key.ts';
import {
  carriesMessages,
  DEFAULT_TYPES,
  type NewWebhook,
  signing,
  TEST_TYPE,
  type Webhook,
  type WebhookChange,
} from '../entities/webhook.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { Store } from '../ports/store.ts';
import type { WebhookClient } from '../ports/webhook-client.ts';
import type { Page } from '../values/page.ts';
import { newWebhookSecret } from '../values/webhook-signature.ts';
import type { Deliverer } from './deliver.ts';
import { RETRIES } from './delivery-retries.ts';
import type { WebhookFeed } from './webhook-feed.ts';
import { failureOf, postEvents, testEvent, webhookDelivery, webhookDestination } from './webhook-kind.ts';

interface WebhookRegistryParts {
  readonly store: Pick<Store, 'webhooks' | 'events'>;
  readonly directory: Pick<Directory, 'mailbox'>;
  readonly webhookClient: WebhookClient;
  readonly webhookFeed: Pick<WebhookFeed, 'changed'>;
  readonly deliverer: Pick<Deliverer, 'announce'>;
  readonly clock: Clock;
}

/** How long the secret before a new one signs too. */
const PREVIOUS_MS: Millis = DAY;
/** Previous secrets that sign at most. */
const MAX_PREVIOUS = 5;
/** Tries to replace a secret while others do. */
const ROTATIONS = 10;

const KNOWN: ReadonlySet<string> = new Set(['*', ...GROUPS, ...LOGGED_TYPES]);

/**
 * Makes, changes and removes webhooks, for keys with `webhooks:write`. A key that is bound to a mailbox has the webhooks
 * of that mailbox only; another's is answered as one that does not exist.
 */
export class WebhookRegistry {
  readonly #parts: WebhookRegistryParts;
  readonly #max: number;
  readonly #mailDomain: string;

  constructor(
    parts: WebhookRegistryParts,
    options: {
      /** Maximum number of webhooks of a namespace. */
      readonly max: number;
      readonly mailDomain: string;
    },
  ) {
    this.#parts = parts;
    this.#max = options.max;
    this.#mailDomain = options.mailDomain;
  }

  page(key: Key, after: string | null, size: number): Promise<Page<Webhook>> {
    const mailbox_ids = boundTo(key) ?? undefined;
    return this.#parts.store.webhooks.page({ namespace_id: key.namespace_id, mailbox_ids }, after, size);
  }

  /** AppError `not_found`. */
  async get(key: Key, id: string): Promise<Webhook> {
    const webhook = isId('whk', id) ? await this.#parts.store.webhooks.byId(id) : undefined;
    const own = webhook?.namespace_id === key.namespace_id;
    if (webhook !== undefined && own && reaches(key, webhook.mailbox_id)) return webhook;
    throw new AppError(
      'not_found',
      `This namespace has no webhook ${id.slice(0, 40)} that this key may see. GET /api/v1/webhooks lists them.`,
    );
  }

  /**
   * A webhook for events from now on. A repeated request makes no second one. AppError `validation_error`,
   * `access_denied` for a key that expires, `insufficient_scope` for messages that it may not read, `idempotency_mismatch`,
   * `namespace_gone`.
   */
  async create(
    key: Key,
    wanted: NewWebhook,
    idempotency?: Idempotency,
  ): Promise<{ readonly webhook: Webhook; readonly replayed: boolean }> {
    const { store, clock, webhookFeed } = this.#parts;
    requireRights(key, wanted.types ?? DEFAULT_TYPES, 'a webhook');
    const types = checkTypes(wanted.types ?? DEFAULT_TYPES);
    const { batch = 1 } = wanted;
    const mailbox = await this.#mailbox(key, wanted.mailbox);
    const url = await this.#url(wanted.url);
    const now = clock();
    const webhook: Webhook = {
      id: newId('whk', now),
      namespace_id: key.namespace_id,
      ...mailbox,
      url,
      types,
      batch,
      status: 'enabled',
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      error: null,
      secret: newWebhookSecret(),
      previous_secrets: [],
      key_id: key.id,
      cursor: (await store.events.last(key.namespace_id)) ?? FIRST_EVENT,
      replayed_at: null,
      created_at: now,
      updated_at: now,
    };
    const outcome = await store.webhooks.create(webhook, this.#max, idempotency);
    if (outcome.kind === 'created') {
      webhookFeed.changed(webhook.namespace_id);
      return { webhook, replayed: false };
    }
    if (outcome.kind === 'full') throw invalid('', tooMany(this.#max));
    if (outcome.kind === 'gone') throw new AppError('namespace_gone', 'The namespace or the mailbox was deleted.');
    if (!('hash' in outcome) || outcome.hash !== idempotency?.hash) throw idempotencyMismatch();
    const found = await this.get(key, outcome.id);
    // Another key may have replaced the secret, or have messages leave, since.
    requireRights(key, found.types, 'this webhook');
    return { webhook: found, replayed: true };
  }

  /**
   * Changes the fields that are given, each as it is then; what it sends, leaves by this key from then on. Any key may
   * switch it off. AppError as of `create`, and `not_found`.
   */
  async change(key: Key, id: string, change: WebhookChange): Promise<Webhook> {
    const { store, clock, webhookFeed } = this.#parts;
    const webhook = await this.get(key, id);
    const { status, types, url, mailbox, batch } = change;
    if (Object.keys(change).length === 0) throw invalid('', 'Give at least one field.');
    const sends = status !== 'disabled' || Object.keys(change).length > 1;
    if (sends) requireRights(key, types ?? webhook.types, 'this webhook');
    const fields = {
      ...(sends && { key_id: key.id }),
      ...(types !== undefined && { types: checkTypes(types) }),
      ...(batch !== undefined && { batch }),
      ...(mailbox !== undefined && (await this.#mailbox(key, mailbox ?? undefined))),
      ...(url !== undefined && { url: await this.#url(url) }),
    };
    if (status === 'disabled') await store.webhooks.disable(id, { reason: 'owner', error: null }, clock());
    const destination = batch === undefined ? undefined : webhookDestination({ ...webhook, batch });
    const written =
      Object.keys(fields).length === 0
        ? await this.get(key, id)
        : await store.webhooks.change(id, fields, clock(), destination);
    if (status !== 'enabled') return written ?? this.get(key, id);
    const end = (await store.events.last(key.namespace_id)) ?? FIRST_EVENT;
    const enabled = await store.webhooks.enable(id, end, clock());
    webhookFeed.changed(key.namespace_id);
    return enabled ?? this.get(key, id);
  }

  async remove(key: Key, id: string): Promise<void> {
    await this.get(key, id);
    await this.#parts.store.webhooks.remove(id);
  }

  /** Gives the webhook a new secret; those before it sign too, each for a day after it was replaced. */
  async rotate(key: Key, id: string): Promise<Webhook> {
    const { store, clock } = this.#parts;
    for (let tries = 0; tries < ROTATIONS; tries++) {
      const webhook = await this.get(key, id);
      requireRights(key, webhook.types, 'this webhook');
      const now = clock();
      const previous_secrets = [{ secret: webhook.secret, until: now + PREVIOUS_MS }, ...signing(webhook, now)];
      if (previous_secrets.length > MAX_PREVIOUS)
        throw invalid(
          '',
          `${MAX_PREVIOUS} earlier secrets of this webhook still sign. Use the one from the last answer, or wait a day.`,
        );
      const next = { secret: newWebhookSecret(), previous_secrets };
      const rotated = await store.webhooks.rotate(id, webhook.secret, next, now);
      if (rotated !== undefined) return rotated;
    }
    throw new AppError('unavailable', 'The secret is being replaced by others. Try again.', { retry_after_ms: 1000 });
  }

  /** Sends an event to try it out, once and now, also to a webhook that is off. The delivery says how it went. */
  async test(key: Key, id: string, signal: AbortSignal): Promise<Delivery> {
    const { store, clock } = this.#parts;
    const webhook = await this.get(key, id);
    const event = testEvent(webhook, TEST_TYPE, clock());
    const { text } = eventText(event, this.#mailDomain);
    const error = failureOf(await postEvents(webhook, [{ id: event.id, text }], this.#parts, signal));
    const { at, type, mailbox_id } = event;
    const entry = { id: event.id, type, mailbox_id, at, message_id: null, subject_id: id };
    const delivery = webhookDelivery(webhook, entry, clock());
    await store.webhooks.record(delivery, { status: error === undefined ? 'sent' : 'failed', error: error ?? null });
    return this.delivery(key, id, delivery.id);
  }

  async deliveries(
    key: Key,
    id: string,
    status: DeliveryStatus | undefined,
    cursor: string | null,
    size: number,
  ): Promise<Page<Delivery>> {
    await this.get(key, id);
    return this.#parts.store.webhooks.deliveries(id, status, cursor, size);
  }

  /** AppError `not_found`. */
  async delivery(key: Key, id: string, deliveryId: string): Promise<Delivery> {
    await this.get(key, id);
    const found = isId('dlv', deliveryId) ? await this.#parts.store.webhooks.delivery(id, deliveryId) : undefined;
    return found ?? noDelivery(deliveryId);
  }

  /** Makes a delivery again from its first attempt on, now. AppError `not_found`, `webhook_disabled`. */
  async redeliver(key: Key, id: string, deliveryId: string): Promise<Delivery> {
    const { store, clock, deliverer } = this.#parts;
    const webhook = enabled(await this.get(key, id));
    const { message_id } = await this.delivery(key, id, deliveryId);
    if (message_id !== null) requireDisclosing(key, 'this webhook');
    const now = clock();
    const made = await store.webhooks.redeliver(id, deliveryId, now, now + RETRIES.webhook.max_age_ms);
    deliverer.announce({ kind: 'webhook', destination: webhookDestination(webhook) });
    return made ?? noDelivery(deliveryId);
  }

  /** Delivers every event since then again. AppError `not_found`, `validation_error`, `webhook_disabled`. */
  async replay(key: Key, id: string, since: string): Promise<Webhook> {
    const { store, clock, webhookFeed } = this.#parts;
    const webhook = enabled(await this.get(key, id));
    if (carriesMessages(webhook.types)) requireDisclosing(key, 'this webhook');
    const start = parseRfc3339(since);
    if (start === undefined)
      throw invalid('/since', 'This is no RFC 3339 time. Write it like 2026-11-20T08:00:00Z, with its offset.');
    if (start > clock())
      throw invalid('/since', 'This is in the future. Events are sent as they happen; give a time in the past.');
    const found = (await store.events.lastBefore(webhook.namespace_id, start)) ?? FIRST_EVENT;
    // Never forward: what it has not got yet would be left out.
    const [cursor = found] = [found, webhook.cursor].toSorted();
    if (!(await store.webhooks.replay(id, cursor, clock()))) enabled(await this.get(key, id));
    webhookFeed.changed(webhook.namespace_id);
    return this.get(key, id);
  }

  async #url(text: string): Promise<string> {
    const wrong = await this.#parts.webhookClient.urlError(text);
    if (wrong !== undefined) throw invalid('/url', wrong);
    return text;
  }

  async #mailbox(key: Key, address: string | undefined): Promise<Pick<Webhook, 'mailbox_id' | 'mailbox'>> {
    if (address === undefined) {
      if (!isBound(key)) return { mailbox_id: null, mailbox: null };
      if (key.also.length > 0)
        throw invalid('/mailbox', 'You reach several mailboxes: name the one whose events it gets.');
      return { mailbox_id: key.mailbox_id, mailbox: key.mailbox };
    }
    const to = parseAddress(address, this.#mailDomain);
    const mailbox = to && (await this.#parts.directory.mailbox(to.local, to.namespace));
    if (mailbox === undefined || mailbox.deleted_at !== null || mailbox.namespace_id !== key.namespace_id)
      throw invalid('/mailbox', `The namespace ${key.namespace} has no mailbox ${address.slice(0, 200)}.`);
    if (!reaches(key, mailbox.id)) {
      throw new AppError(
        'access_denied',
        `This key is bound to ${key.mailbox}, so it makes webhooks of that mailbox only. Leave mailbox out, or use another key.`,
      );
    }
    return { mailbox_id: mailbox.id, mailbox: addressOf(mailbox) };
  }
}

/** Throws AppError unless the key may make, or change, a webhook for these types. */
function requireRights(key: Key, types: readonly string[], what: string): void {
  if (carriesMessages(types)) requireDisclosing(key, what);
  else requireLasting(key, what);
}

function checkTypes(types: readonly string[]): readonly string[] {
  const index = types.findIndex((type) => !KNOWN.has(type));
  if (index < 0) return types;
  throw invalid(
    `/types/${index}`,
    `There is no event type "${(types[index] as string).slice(0, 60)}". Use one of ${[...KNOWN].join(', ')}.`,
  );
}

function enabled(webhook: Webhook): Webhook {
  if (webhook.status === 'enabled') return webhook;
  throw new AppError(
    'webhook_disabled',
    `This webhook is switched off. Switch it on first: PATCH /api/v1/webhooks/${webhook.id} with {"status": "enabled"}.`,
  );
}

function noDelivery(id: string): never {
  throw new AppError(
    'not_found',
    `This webhook has no delivery ${id.slice(0, 40)}. GET /api/v1/webhooks/{id}/deliveries lists those that are kept.`,
  );
}

const tooMany = (max: number): string =>
  `This namespace has ${max.toLocaleString('en-US')} ${max === 1 ? 'webhook' : 'webhooks'}, the maximum. Remove one first: DELETE /api/v1/webhooks/{id}.`;
