import type { DeliveryName, DeliveryStatus } from '../../../core/entities/delivery.ts';
import type { NotAnswered } from '../../../core/entities/email.ts';
import type { Webhook, WebhookReason } from '../../../core/entities/webhook.ts';
import { bigint, integer, nullable, table, text } from '../table.ts';

/**
 * A message, an event or a mail of the service on its way to one target. `due_at` is when the next attempt is due, or the
 * lease of the current one ends.
 */
export const deliveries = table(
  'deliveries',
  {
    id: text(),
    kind: text<DeliveryName>(),
    namespace_id: nullable(text()),
    message_id: nullable(text()),
    /** The event that is delivered, at most once to a target. */
    event_id: nullable(text()),
    target: text(),
    destination: text(),
    payload: text(),
    status: text<DeliveryStatus>(),
    error: nullable(text()),
    due_at: nullable(bigint()),
    leased: integer(0),
    fence: integer(0),
    attempt: integer(0),
    created_at: bigint(),
    updated_at: bigint(),
    expires_at: bigint(),
  },
  {
    key: ['id'],
    indexes: [
      // Destinations with no free slot are skipped, and those that wait are counted, in the index alone.
      'deliveries_due (due_at, id, kind, destination, created_at) where due_at is not null',
      'deliveries_ended (updated_at) where due_at is null',
      'deliveries_message (message_id) where message_id is not null',
      'deliveries_namespace (namespace_id, id) where namespace_id is not null',
      'unique deliveries_event (target, event_id) where event_id is not null',
      'deliveries_target (target, id) where event_id is not null',
      // Few, while what arrived may be much.
      "deliveries_unsent (target, status, id) where event_id is not null and status <> 'sent'",
    ],
  },
);

/**
 * URLs to which events are sent. `types` and `previous_secrets` are JSON. The events up to (`cursor_tx`, `cursor_seq`) are among its deliveries
 * or were passed over; what ended before `replayed_at` is delivered again when the cursor comes past it. `key_id` is the key
 * by which messages leave; since `limited_since` they do as ids alone, because it may not have them leave.
 */
export const webhooks = table(
  'webhooks',
  {
    id: text(),
    namespace_id: text(),
    mailbox_id: nullable(text()),
    mailbox: nullable(text()),
    url: text(),
    types: text(),
    /** Maximum number of events in one request. */
    batch: integer(1),
    status: text<Webhook['status']>(),
    disabled_reason: nullable(text<WebhookReason>()),
    disabled_at: nullable(bigint()),
    failing_since: nullable(bigint()),
    error: nullable(text()),
    secret: text(),
    previous_secrets: text(),
    key_id: nullable(text()),
    limited_since: nullable(bigint()),
    cursor_tx: bigint(),
    cursor_seq: bigint(),
    replayed_at: nullable(bigint()),
    created_at: bigint(),
    updated_at: bigint(),
  },
  {
    key: ['id'],
    indexes: [
      'webhooks_namespace (namespace_id, id)',
      'webhooks_mailbox (mailbox_id) where mailbox_id is not null',
      // Those that have events to come are found in the index alone.
      "webhooks_enabled (namespace_id, cursor_tx, cursor_seq, id) where status = 'enabled'",
    ],
  },
);

/** Where keys want to learn of the changes of tasks (A2A); `sealed` is encrypted. */
export const pushConfigs = table(
  'push_configs',
  {
    task_id: text(),
    key_id: text(),
    id: text(),
    namespace_id: text(),
    sealed: text(),
    known_state: text(),
    created_at: bigint(),
    expires_at: bigint(),
  },
  {
    key: ['task_id', 'key_id', 'id'],
    clustered: true,
    indexes: ['push_configs_namespace (namespace_id)', 'push_configs_expires (expires_at)'],
  },
);

/** Targets to which nothing is delivered any more from a namespace; that of mail of the service itself is ''. */
export const suppressions = table(
  'suppressions',
  { namespace_id: text(), kind: text<DeliveryName>(), target: text(), reason: text(), created_at: bigint() },
  { key: ['namespace_id', 'kind', 'target'], clustered: true },
);

/** The Message-IDs of mail (RFC 5322, section 3.6.4) and the messages for which they stand in a namespace. */
export const messageIds = table(
  'message_ids',
  { namespace_id: text(), rfc_id: text(), message_id: text() },
  {
    key: ['namespace_id', 'rfc_id', 'message_id'],
    clustered: true,
    indexes: ['message_ids_message (message_id)'],
  },
);

/**
 * What is known of the messages that came by e-mail; `references_json` and `authentication` are JSON. `domain` is the domain
 * of an owner that was written to; null for that of the namespace. `owed` is 1 while a reply may be written that is not
 * queued to leave; those written up to `queued_until` are.
 */
export const emails = table(
  'emails',
  {
    message_id: text(),
    rfc_id: nullable(text()),
    references_json: text(),
    authentication: text(),
    domain: nullable(text()),
    not_answered: nullable(text<NotAnswered>()),
    owed: integer(0),
    /** Bytes of its files that count for what strangers sent to the namespace. */
    stranger_bytes: bigint(0),
    queued_until: bigint(0),
    created_at: bigint(),
  },
  { key: ['message_id'], clustered: true, indexes: ['emails_owed (message_id) where owed = 1'] },
);
