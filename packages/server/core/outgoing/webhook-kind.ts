import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { DAY, SECOND } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import type { Disclosure } from '../access/disclosure.ts';
import type { Delivery, NewDelivery } from '../entities/delivery.ts';
import type { EventType, StoredEvent } from '../entities/event.ts';
import { eventText } from '../entities/event.ts';
import type { DeliveredEvent, EventEntry, Webhook } from '../entities/webhook.ts';
import { secretsOf } from '../entities/webhook.ts';
import type { DeliveryKind, DeliveryResult } from '../ports/delivery.ts';
import type { Store } from '../ports/store.ts';
import type { WebhookClient, WebhookResponse } from '../ports/webhook-client.ts';
import type { Disabling } from '../ports/webhooks.ts';
import { collected } from '../values/collected.ts';
import { RETRIES } from './delivery-retries.ts';
import { ownedDestination } from './delivery-slots.ts';

export interface WebhookKindParts {
  readonly store: Pick<Store, 'webhooks' | 'events'>;
  readonly webhookClient: WebhookClient;
  readonly clock: Clock;
  readonly mailDomain: string;
  readonly disclosure: Pick<Disclosure, 'isLimitedWebhook'>;
  /** Called once when a webhook was switched off. */
  readonly onDisabled: (webhook: Webhook, why: Disabling) => void;
}

/** Maximum number of attempts in progress on a node; each may hold a message with its reply in memory. */
const MAX = 128;
/** Longer than the client's own limit of 15 s, which says more about what failed. */
const ATTEMPT_MS = 20 * SECOND;
/** A webhook is switched off when every attempt failed for so long. */
const FAILING_MS: Millis = 5 * DAY;
/** Nothing of the response's body is used. */
const MAX_BYTES = 1024;

const SWITCHED_OFF = 'The webhook was switched off.';
/** Why nothing is signed where the secret that sealed others was replaced. */
export const UNREADABLE = 'Its secret cannot be read any more, so nothing can be signed. Replace the secret.';

interface OwnEvent {
  readonly namespace_id: string;
  readonly entry: EventEntry;
  /** Whether its message is left out but for the ids. */
  readonly ids: boolean;
}
const keyOf = ({ entry, ids }: OwnEvent): string => `${entry.id} ${ids}`;

/** What deliveries that begin together need, read once for all of them: several webhooks get the same events. */
interface Reads {
  webhook(id: string): Promise<Webhook | undefined>;
  /** The event as it is sent. */
  text(of: OwnEvent): Promise<string | undefined>;
}

/** How events are delivered to webhooks: as they stand when they are sent, signed. */
export function webhookKind(parts: WebhookKindParts): DeliveryKind {
  const { store, mailDomain } = parts;
  const reads: Reads = {
    webhook: collected(
      (id: string) => id,
      async (ids) => new Map((await store.webhooks.byIds(ids)).map((webhook) => [webhook.id, webhook])),
    ),
    text: collected(keyOf, async (all) => {
      const texts = new Map<string, string>();
      for (const [namespaceId, group] of Map.groupBy(all, ({ namespace_id }) => namespace_id)) {
        const entries = new Map(group.map(({ entry }) => [entry.id, entry]));
        const events = await store.events.filled([...entries.values()], namespaceId);
        const byId = new Map(events.map((event) => [event.id, event]));
        for (const asked of group) {
          const event = byId.get(asked.entry.id);
          if (event !== undefined) texts.set(keyOf(asked), eventText(event, mailDomain, asked).text);
        }
      }
      return texts;
    }),
  };
  return {
    name: 'webhook',
    max: MAX,
    attempt_ms: ATTEMPT_MS,
    keeps: true,
    logged: (target) => target,
    deliver: (delivery, signal) => deliver(delivery, reads, parts, signal),
  };
}

/** The slots of a namespace's webhooks have a limit together. */
export const webhookDestination = ({ id, namespace_id }: Webhook): string => ownedDestination(namespace_id, id);

/** The delivery of an event to a webhook. What it is about is read when it is sent, so the row holds no contents. */
export function webhookDelivery(webhook: Webhook, event: EventEntry, now: Millis): NewDelivery {
  const { id: event_id, message_id, ...fields } = event;
  return {
    id: newId('dlv', now),
    kind: 'webhook',
    // It is removed with its webhook.
    namespace_id: null,
    message_id,
    event_id,
    target: webhook.id,
    destination: webhookDestination(webhook),
    payload: JSON.stringify(fields satisfies DeliveredEvent),
    due_at: now,
    created_at: now,
    expires_at: now + RETRIES.webhook.max_age_ms,
  };
}

async function deliver(
  delivery: Delivery,
  reads: Reads,
  parts: WebhookKindParts,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const { store } = parts;
  const webhook = await reads.webhook(delivery.target);
  if (webhook === undefined) return { kind: 'dropped' };
  if (webhook.status === 'disabled') return { kind: 'failed', permanent: true, reason: SWITCHED_OFF };
  const { id, message_id } = { id: delivery.event_id ?? '', message_id: delivery.message_id };
  const entry: EventEntry = { ...(JSON.parse(delivery.payload) as DeliveredEvent), id, message_id };
  const ids = message_id !== null && (await parts.disclosure.isLimitedWebhook(webhook));
  const text = await reads.text({ namespace_id: webhook.namespace_id, entry, ids });
  if (text === undefined) return { kind: 'dropped' };
  const response = await postEvent(webhook, { id, text }, parts, signal);
  const reason = failureOf(response);
  if (reason === undefined) {
    if (webhook.failing_since !== null) await store.webhooks.failing(webhook.id, null, null);
    return { kind: 'sent' };
  }
  const off = await noteFailure(webhook, response, reason, parts);
  const retry_after_ms = response.kind === 'response' ? response.retry_after_ms : undefined;
  return { kind: 'failed', permanent: off, reason, retry_after_ms };
}

/** One attempt to send an event. */
export function postEvent(
  webhook: Webhook,
  { id, text }: { readonly id: string; readonly text: string },
  { webhookClient, clock }: Pick<WebhookKindParts, 'webhookClient' | 'clock'>,
  signal: AbortSignal,
): Promise<WebhookResponse> {
  const secrets = secretsOf(webhook, clock());
  if (secrets.length === 0) return Promise.resolve({ kind: 'failed', reason: UNREADABLE });
  return webhookClient.post({ url: webhook.url, id, body: text, secrets, max_bytes: MAX_BYTES }, signal);
}

/** The event that is sent to try out a webhook; it is about the webhook itself. */
export const testEvent = (webhook: Webhook, type: EventType, now: Millis): StoredEvent => ({
  id: newId('evt', now),
  type,
  namespace_id: webhook.namespace_id,
  mailbox_id: '',
  at: now,
  webhook,
});

/** Why an attempt failed, as a sentence for the owner; undefined when it arrived. */
export function failureOf(response: WebhookResponse): string | undefined {
  if (response.kind === 'failed') return response.reason;
  const { status } = response;
  if (status >= 200 && status < 300) return undefined;
  if (status === 410) return 'It answered 410: the endpoint is gone.';
  return status >= 300 && status < 400
    ? `It answered ${status}, a redirect. Redirects are not followed: set the URL that it leads to.`
    : `It answered ${status}.`;
}

/** Records a failed attempt; true when the webhook is switched off for it. */
async function noteFailure(
  webhook: Webhook,
  response: WebhookResponse,
  error: string,
  { store, clock, onDisabled }: WebhookKindParts,
): Promise<boolean> {
  const now = clock();
  const gone = response.kind === 'response' && response.status === 410;
  const { id, failing_since } = webhook;
  if (gone || (failing_since !== null && now - failing_since >= FAILING_MS)) {
    const why = { reason: gone ? 'gone' : 'failing', error } as const;
    if (await store.webhooks.disable(id, why, now)) onDisabled(webhook, why);
    return true;
  }
  if (failing_since === null || webhook.error !== error) await store.webhooks.failing(id, now, error);
  return false;
}

/** What its owners read when messages leave as ids alone, or not at all, by what `where` shows in the console. */
export const limitedNotice = (what: string, where: string) => ({
  subject: `${what} is limited`,
  text: `${what} gets ids in place of messages from now on, or nothing at all, because the key that set it up may not read the messages, or expires.

Save it again with a key that may read them and does not expire, or as an owner here, and it gets whole messages:
${where}
`,
});

/** What its owners read when a webhook is switched off. */
export function disabledNotice({ id, url }: Webhook, { reason, error }: Disabling, baseUrl: string) {
  const host = URL.parse(url)?.host ?? 'its endpoint';
  const why = reason === 'gone' ? 'its endpoint answered 410' : 'nothing arrived there for five days';
  return {
    subject: `Your webhook to ${host} is switched off`,
    text: `Your webhook to ${host} is switched off, because ${why}.

${error ?? ''}

It gets no events until you switch it on again. What happens meanwhile is kept, and can be sent then:
${baseUrl}/console/webhooks/${id}
`,
  };
}
