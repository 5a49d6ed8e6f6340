import { type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import type { Delivery } from './delivery.ts';

/**
 * Why a webhook is off. `gone`: its endpoint answered 410. `failing`: nothing arrived for five days. `owner`: it was
 * switched off by hand.
 */
export type WebhookReason = 'gone' | 'failing' | 'owner';

/** A URL to which events of a namespace are sent. */
export interface Webhook {
  /** `whk_…` */
  readonly id: string;
  readonly namespace_id: string;
  /** The mailbox whose events it gets; null for those of the whole namespace. */
  readonly mailbox_id: string | null;
  /** The address of that mailbox, without the mail domain. */
  readonly mailbox: string | null;
  readonly url: string;
  /** Types of events, or groups of them such as `message.*`. */
  readonly types: readonly string[];
  /** Maximum number of events in one request; with more than one, requests carry a list. */
  readonly batch: number;
  readonly status: 'enabled' | 'disabled';
  readonly disabled_reason: WebhookReason | null;
  readonly disabled_at: Millis | null;
  /** When the first of the attempts failed that all failed since; null after one that arrived. */
  readonly failing_since: Millis | null;
  /** Why an attempt failed, for the owner: what `failing_since` or `disabled_reason` is about. */
  readonly error: string | null;
  /** `whsec_…`, with which its requests are signed. */
  readonly secret: string;
  /** The key that made it, or changed last what it sends: by its rights messages leave. */
  readonly key_id?: string;
  /** Since when it gets ids alone of messages, because that key may not have them leave. */
  readonly limited_since?: Millis;
  /** Secrets before it, newest first, each of which signs too until its time. */
  readonly previous_secrets: readonly PreviousSecret[];
  /** The id of the last event that is among its deliveries or was passed over. */
  readonly cursor: string;
  /** When events of the past were last asked for again. */
  readonly replayed_at: Millis | null;
  readonly created_at: Millis;
  readonly updated_at: Millis;
}

export interface PreviousSecret {
  readonly secret: string;
  readonly until: Millis;
}

/** What is kept of an event to deliver it; the message or mailbox is read when it is sent. */
export interface EventEntry {
  readonly id: string;
  readonly type: string;
  readonly mailbox_id: string;
  readonly message_id: string | null;
  /** What an event of the namespace itself is about. */
  readonly subject_id: string | null;
  readonly at: Millis;
}

/** The type of the event that only `POST …/test` sends. */
export const TEST_TYPE = 'webhook.test';
/** Events are sent so when the webhook names no types. */
export const DEFAULT_TYPES: readonly string[] = ['message.*'];

/** Whether a webhook for these types has messages leave. */
export const carriesMessages = (types: readonly string[]): boolean =>
  types.some((type) => type === '*' || /^(?:message|delivery|thread)\./.test(type));

/** Whether the webhook gets this event. */
export const wants = ({ types, mailbox_id }: Webhook, event: Pick<EventEntry, 'type' | 'mailbox_id'>): boolean =>
  (mailbox_id === null || mailbox_id === event.mailbox_id) &&
  types.some((type) => type === '*' || type === event.type || (type.endsWith('.*') && isIn(type, event.type)));

const isIn = (group: string, type: string): boolean => type.startsWith(group.slice(0, -1));

/** Those of the previous secrets that still sign. */
export const signing = ({ previous_secrets }: Webhook, now: Millis): readonly PreviousSecret[] =>
  previous_secrets.filter(({ until }) => until > now);

/** The secrets that sign a request now; none where the current one cannot be read. */
export const secretsOf = (webhook: Webhook, now: Millis): readonly string[] =>
  webhook.secret === '' ? [] : [webhook.secret, ...signing(webhook, now).map(({ secret }) => secret)];

const Time = Type.String({ format: 'date-time' });
const NullableTime = Type.Union([Time, Type.Null()]);

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  examples: ['https://example.com/mailroom'],
  description:
    'Where events are posted: an `https://` URL of a public host, without user name, password and fragment. Redirects are not followed.',
});
const Types = Type.Array(Type.String({ minLength: 1, maxLength: 60, examples: ['message.completed'] }), {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description:
    'Types of events (`message.completed`), groups of them (`message.*`, `mailbox.*`, `delivery.*`, `webhook.*`), or `*` for all. `["message.*"]` by default.',
});
const MailboxField = Type.String({
  description:
    'Only events of this mailbox of the namespace. A key bound to a mailbox makes webhooks of that one only.',
});

/** Maximum number of events in one request. */
const MAX_BATCH = 100;
const Batch = Type.Integer({
  minimum: 1,
  maximum: MAX_BATCH,
  description:
    'Maximum number of events in one request. 1 by default: the body is the event. With more, the body is a list of events, in order, signed as one; a list may hold one event alone.',
});

export const WebhookView = Type.Object(
  {
    id: Type.String({ examples: ['whk_0d8m3xk2q5v7w9y1a3c0'] }),
    url: Url,
    types: Types,
    batch: Batch,
    mailbox: Type.Union([Type.String(), Type.Null()], {
      description: 'The only mailbox whose events it gets, if one.',
    }),
    status: Type.Enum(['enabled', 'disabled'], {
      description: 'A disabled webhook gets nothing; what happens meanwhile can be sent afterwards with `replay`.',
    }),
    disabled_reason: Type.Union([Type.Enum(['gone', 'failing', 'owner']), Type.Null()], {
      description:
        '`gone`: its endpoint answered 410. `failing`: nothing arrived for five days. `owner`: it was switched off by `PATCH`, or in the console.',
    }),
    disabled_at: NullableTime,
    failing_since: Type.Union([Time, Type.Null()], {
      description: 'Since when every attempt failed; null when the last one arrived.',
    }),
    error: Type.Union([Type.String(), Type.Null()], {
      description: 'Why attempts fail, or failed when it was switched off.',
    }),
    key_id: Type.Union([Type.String(), Type.Null()], {
      description:
        'The key that made it, or changed last what it sends. Messages are sent by its rights, also after it was revoked.',
    }),
    limited_since: Type.Union([Time, Type.Null()], {
      description:
        'Since when events have the id of a message in place of the message, because that key may not read the messages, or expires. Change the webhook with a key that may.',
    }),
    previous_secret_until: Type.Union([Time, Type.Null()], {
      description: 'Until when requests are, or were, signed with the previous secret too.',
    }),
    previous_secrets_until: Type.Array(Time, {
      description: 'Until when each of the secrets before signs, or signed, too; the newest first.',
    }),
    created_at: Time,
    updated_at: Time,
  },
  { $id: 'Webhook', description: 'A URL to which events are posted, without its secret.' },
);
export type WebhookView = Type.Static<typeof WebhookView>;

export const WebhookWithSecret = Type.Object(
  {
    ...WebhookView.properties,
    secret: Type.String({
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      description: 'Verifies the signatures (Standard Webhooks). Shown only in this answer.',
    }),
  },
  { $id: 'WebhookWithSecret' },
);

export const NewWebhook = Type.Object(
  { url: Url, types: Type.Optional(Types), batch: Type.Optional(Batch), mailbox: Type.Optional(MailboxField) },
  { $id: 'NewWebhook', additionalProperties: false },
);
export type NewWebhook = Type.Static<typeof NewWebhook>;

export const WebhookChange = Type.Object(
  {
    url: Type.Optional(Url),
    types: Type.Optional(Types),
    batch: Type.Optional(Batch),
    mailbox: Type.Optional(Type.Union([MailboxField, Type.Null()])),
    status: Type.Optional(
      Type.Enum(['enabled', 'disabled'], {
        description:
          '`disabled` switches it off and gives up what waits. `enabled` switches it on, for events from now on.',
      }),
    ),
  },
  { $id: 'WebhookChange', additionalProperties: false, minProperties: 1 },
);
export type WebhookChange = Type.Static<typeof WebhookChange>;

export const WebhookReplay = Type.Object(
  {
    since: Type.String({
      examples: ['2026-11-20T08:00:00Z'],
      description: 'RFC 3339, in the past. Every event since then that is still in the log is sent again.',
    }),
  },
  { $id: 'WebhookReplay', additionalProperties: false },
);

export const DELIVERY_STATUSES = ['queued', 'sent', 'deferred', 'failed'] as const;

export const DeliveryView = Type.Object(
  {
    id: Type.String({ examples: ['dlv_0d8m3xk2q5v7w9y1a3c0'] }),
    event_id: Type.String({
      description: 'The id of the event, sent as `webhook-id` where a request carries it alone.',
    }),
    type: Type.String({ description: 'The type of the event.', examples: ['message.completed'] }),
    message_id: Type.Union([Type.String(), Type.Null()], { description: 'The message it is about, if about one.' }),
    status: Type.Enum([...DELIVERY_STATUSES], {
      description:
        '`queued`: the first attempt is to come or under way. `sent`: the endpoint answered 2xx. `deferred`: an attempt failed and another follows. `failed`: none follows.',
    }),
    attempts: Type.Integer({ minimum: 0 }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why the last attempt failed.' }),
    created_at: Time,
    updated_at: Time,
    next_attempt_at: Type.Union([Time, Type.Null()], { description: 'Null when no attempt follows.' }),
  },
  { $id: 'WebhookDelivery', description: 'An event on its way to a webhook.' },
);

export type DeliveryView = Type.Static<typeof DeliveryView>;

/** What a delivery to a webhook says of its event. */
export type DeliveredEvent = Omit<EventEntry, 'id' | 'message_id'>;

const time = (at: Millis | null): string | null => (at === null ? null : rfc3339(at));

export type WebhookWithSecret = Type.Static<typeof WebhookWithSecret>;

export function webhookView(webhook: Webhook, mailDomain: string): WebhookView {
  return {
    id: webhook.id,
    url: webhook.url,
    types: [...webhook.types],
    batch: webhook.batch,
    mailbox: webhook.mailbox === null ? null : `${webhook.mailbox}.${mailDomain}`,
    status: webhook.status,
    disabled_reason: webhook.disabled_reason,
    disabled_at: time(webhook.disabled_at),
    failing_since: time(webhook.failing_since),
    error: webhook.error,
    key_id: webhook.key_id ?? null,
    limited_since: time(webhook.limited_since ?? null),
    previous_secret_until: time(webhook.previous_secrets[0]?.until ?? null),
    previous_secrets_until: webhook.previous_secrets.map(({ until }) => rfc3339(until)),
    created_at: rfc3339(webhook.created_at),
    updated_at: rfc3339(webhook.updated_at),
  };
}

export function deliveryView(delivery: Delivery): DeliveryView {
  const { type } = JSON.parse(delivery.payload) as DeliveredEvent;
  return {
    id: delivery.id,
    event_id: delivery.event_id ?? '',
    type,
    message_id: delivery.message_id,
    status: delivery.status as (typeof DELIVERY_STATUSES)[number],
    attempts: delivery.attempt,
    error: delivery.error,
    created_at: rfc3339(delivery.created_at),
    updated_at: rfc3339(delivery.updated_at),
    next_attempt_at: time(delivery.due_at),
  };
}
