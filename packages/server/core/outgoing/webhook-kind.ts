import { createHash } from 'node:crypto';
import { type Clock, DAY, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import type { Disclosure } from '../access/disclosure.ts';
import type { Delivery, NewDelivery } from '../entities/delivery.ts';
import { type EventType, eventText, type StoredEvent } from '../entities/event.ts';
import { type DeliveredEvent, type EventEntry, secretsOf, type Webhook } from '../entities/webhook.ts';
import type { DeliveryKind, DeliveryResult } from '../ports/delivery.ts';
import type { Store } from '../ports/store.ts';
import type { WebhookClient, WebhookResponse } from '../ports/webhook-client.ts';
import type { Disabling } from '../ports/webhooks.ts';
import { collected } from '../values/collected.ts';
import { RETRIES } from './delivery-retries.ts';
import { ownedDestination, partsOf } from './delivery-slots.ts';

export interface WebhookKindParts {
  readonly store: Pick<Store, 'webhooks' | 'events'>;
  readonly webhookClient: WebhookClient;
  readonly clock: Clock;
  readonly mailDomain: string;
  readonly disclosure: Pick<Disclosure, 'isLimitedWebhook'>;
  /** Called when several events of a webhook of this namespace were sent or failed, so that there is room for more. */
  readonly onRoom: (namespaceId: string) => void;
  /** Called once when a webhook was switched off. */
  readonly onDisabled: (webhook: Webhook, why: Disabling) => void;
}

/** Maximum number of attempts in progress on a node; each may hold a message with its reply in memory. */
const MAX = 128;
/** Longer than the client's own limit of 15 s, which says more about what failed. */
const ATTEMPT_MS = 20 * SECOND;
/** A webhook is switched off when every attempt failed for so long. */
const FAILING_MS: Millis = 5 * DAY;
/** A request ends with the event that exceeds this size in characters; the next ones follow in another. */
const BATCH_SIZE = 1024 * 1024;
/** Events of a request that are read at a time, each with a message and its reply. */
const READ_EVENTS = 50;
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
    deliver: async (delivery, signal) => (await deliverAll([delivery], reads, parts, signal))[0] ?? DROPPED,
    deliverAll: (deliveries, signal) => deliverAll(deliveries, reads, parts, signal),
    changed: ({ destination }) => {
      const { owner, batch } = partsOf(destination);
      if (batch > 1) parts.onRoom(owner);
    },
  };
}

const DROPPED: DeliveryResult = { kind: 'dropped' };

/** The slots of a namespace's webhooks have a limit together. */
export const webhookDestination = ({ id, namespace_id, batch }: Webhook): string =>
  ownedDestination(namespace_id, id, batch);

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

/** An event as it is sent. */
interface EventText {
  readonly id: string;
  readonly text: string;
}

/**
 * Delivers events of one webhook in their order, as many as a request of it carries; the others are due again. What was
 * deleted meanwhile is dropped.
 */
async function deliverAll(
  deliveries: readonly Delivery[],
  reads: Reads,
  parts: WebhookKindParts,
  signal: AbortSignal,
): Promise<readonly DeliveryResult[]> {
  const webhook = await reads.webhook(deliveries[0]?.target ?? '');
  const all = (result: DeliveryResult): readonly DeliveryResult[] => deliveries.map(() => result);
  if (webhook === undefined) return all(DROPPED);
  if (webhook.status === 'disabled') return all({ kind: 'failed', permanent: true, reason: SWITCHED_OFF });
  const isAboutMessages = deliveries.some(({ message_id }) => message_id !== null);
  const ids = isAboutMessages && (await parts.disclosure.isLimitedWebhook(webhook));
  const later: DeliveryResult = { kind: 'later', at: parts.clock() };
  const results = new Map<Delivery, DeliveryResult>();
  const events = new Map<Delivery, EventText>();
  const ordered = deliveries.toSorted((a, b) => ((a.event_id ?? '') < (b.event_id ?? '') ? -1 : 1));
  let size = 0;
  const isFull = (): boolean => events.size >= webhook.batch || size > BATCH_SIZE;
  for (let start = 0; start < ordered.length && !isFull(); start += READ_EVENTS) {
    const some = ordered.slice(start, start + READ_EVENTS);
    const texts = await Promise.all(some.map((delivery) => reads.text(eventOf(delivery, webhook, ids))));
    for (const [place, delivery] of some.entries()) {
      const text = texts[place];
      if (text === undefined) results.set(delivery, DROPPED);
      else if (!isFull()) {
        events.set(delivery, { id: delivery.event_id ?? '', text });
        size += text.length;
      }
    }
  }
  if (events.size > 0) {
    const sent = await send(webhook, [...events.values()], parts, signal);
    for (const delivery of events.keys()) results.set(delivery, sent);
  }
  return deliveries.map((delivery) => results.get(delivery) ?? later);
}

/** The event of a delivery, with a message as its ids alone where `ids`. */
function eventOf({ event_id, message_id, payload }: Delivery, { namespace_id }: Webhook, ids: boolean): OwnEvent {
  const entry: EventEntry = { ...(JSON.parse(payload) as DeliveredEvent), id: event_id ?? '', message_id };
  return { namespace_id, entry, ids: ids && message_id !== null };
}

/** One attempt, and what is noted of it. */
async function send(
  webhook: Webhook,
  events: readonly EventText[],
  parts: WebhookKindParts,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const response = await postEvents(webhook, events, parts, signal);
  const reason = failureOf(response);
  if (reason === undefined) {
    if (webhook.failing_since !== null) await parts.store.webhooks.failing(webhook.id, null, null);
    return { kind: 'sent' };
  }
  const off = await noteFailure(webhook, response, reason, parts);
  const retry_after_ms = response.kind === 'response' ? response.retry_after_ms : undefined;
  return { kind: 'failed', permanent: off, reason, retry_after_ms };
}

/** One request with these events: the event itself, or the list of them where the webhook takes several. */
export function postEvents(
  webhook: Webhook,
  events: readonly EventText[],
  { webhookClient, clock }: Pick<WebhookKindParts, 'webhookClient' | 'clock'>,
  signal: AbortSignal,
): Promise<WebhookResponse> {
  const secrets = secretsOf(webhook, clock());
  if (secrets.length === 0) return Promise.resolve({ kind: 'failed', reason: UNREADABLE });
  const texts = events.map(({ text }) => text);
  const [id, body] =
    webhook.batch === 1 ? [events[0]?.id ?? '', texts.join('')] : [batchId(events), `[${texts.join(',')}]`];
  return webhookClient.post({ url: webhook.url, id, body, secrets, max_bytes: MAX_BYTES }, signal);
}

/** The same for the same events, so that a receiver knows a repetition. */
const batchId = (events: readonly EventText[]): string =>
  `batch_${createHash('sha256')
    .update(events.map(({ id }) => id).join(' '))
    .digest('base64url')
    .slice(0, 24)}`;

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
