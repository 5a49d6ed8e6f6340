import type { Clock } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import {
  DELIVERY_STATUSES,
  DeliveryView,
  deliveryView,
  NewWebhook,
  type Webhook,
  WebhookChange,
  WebhookReplay,
  WebhookView,
  WebhookWithSecret,
  webhookView,
} from '../../core/entities/webhook.ts';
import type { WebhookRegistry } from '../../core/outgoing/webhook-registry.ts';
import { PageOf } from '../../core/values/page.ts';
import { idempotencyOf } from '../../http/idempotency.ts';
import type { Limiters } from '../../http/limits.ts';
import { operation, type Route } from '../../http/route.ts';
import {
  created,
  createdAnswer,
  IdParam,
  noContent,
  onePage,
  PageQuery,
  pageAnswer,
  pageQuery,
  QueryOf,
  readPage,
} from './parts.ts';
import { keyOf } from './send.ts';

const PATH = '/api/v1/webhooks';
const OF = { tag: 'Webhooks', access: 'webhooks:write' } as const;
/** What routes of one webhook share. */
const OF_ONE = { ...OF, params: IdParam, problems: ['not_found'] } as const;
const DeliveryParams = Type.Object({
  ...IdParam.properties,
  delivery: Type.String({ description: 'Its id, `dlv_…`.' }),
});

export interface WebhookRouteParts {
  readonly webhooks: WebhookRegistry;
  readonly clock: Clock;
  readonly mailDomain: string;
  /** Tests of webhooks, each of which is a request of this service. */
  readonly limiters: Pick<Limiters, 'webhookTests'>;
}

/** Webhooks: events that are posted to a URL. */
export function webhookRoutes({ webhooks, clock, mailDomain, limiters }: WebhookRouteParts): readonly Route[] {
  const view = (webhook: Webhook): WebhookView => webhookView(webhook, mailDomain);
  const withSecret = (webhook: Webhook) => ({ ...view(webhook), secret: webhook.secret });

  return [
    operation('GET', PATH, 'listWebhooks', {
      ...OF,
      summary: "The namespace's webhooks, without their secrets",
      description: 'A key that is bound to a mailbox lists the webhooks of that mailbox.',
      query: PageQuery,
      answers: onePage('A page of webhooks, in the order they were made.', PageOf(WebhookView, 'WebhookPage')),
      problems: [],
      async handle(call) {
        const { after, size } = readPage(call.query);
        return pageAnswer(await webhooks.page(keyOf(call), after, size), view, PATH, call.query);
      },
    }),
    operation('POST', PATH, 'createWebhook', {
      ...OF,
      summary: 'Make a webhook',
      description:
        'Every event from now on that it asks for is posted to the URL, with the message or mailbox it is about, until the endpoint answers 2xx: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. Requests are signed as in [Standard Webhooks](https://www.standardwebhooks.com): `webhook-id` is the id of the event, the same for every attempt. An event may arrive more than once and out of order. Answer within 15 s. Requires a key that does not expire, and for messages (`*`, `message.*`, `delivery.*`, `thread.*`) one with `messages:read` too. A namespace may have 20 webhooks unless the operator sets another limit.',
      body: NewWebhook,
      idempotency: true,
      answers: created('The webhook with its secret, which is shown here and by `rotate` only.', WebhookWithSecret),
      problems: ['access_denied', 'idempotency_mismatch', 'namespace_gone'],
      async handle(call) {
        const idempotency = idempotencyOf(call, `POST ${PATH}`, clock);
        const { webhook, replayed } = await webhooks.create(keyOf(call), call.body, idempotency);
        return createdAnswer(`${PATH}/${webhook.id}`, withSecret(webhook), replayed);
      },
    }),
    operation('GET', `${PATH}/{id}`, 'getWebhook', {
      ...OF_ONE,
      summary: 'Get a webhook',
      answers: { 200: { description: 'The webhook.', schema: WebhookView } },
      async handle(call) {
        return { status: 200, body: view(await webhooks.get(keyOf(call), call.params.id)) };
      },
    }),
    operation('PATCH', `${PATH}/{id}`, 'updateWebhook', {
      ...OF,
      summary: 'Change a webhook, or switch it off or on',
      description:
        'A field that is left out stays as it is, so of two changes at once both hold unless they are of one field. Switched off, it gives up what waits. Switched on, it gets events from then on; ask for those in between with `replay`. Requires a key that does not expire, and for messages one with `messages:read` too; what it sends leaves by the rights of that key from then on. Switching it off requires neither.',
      params: IdParam,
      body: WebhookChange,
      answers: { 200: { description: 'The webhook as it is now.', schema: WebhookView } },
      problems: ['not_found', 'access_denied'],
      async handle(call) {
        return { status: 200, body: view(await webhooks.change(keyOf(call), call.params.id, call.body)) };
      },
    }),
    operation('DELETE', `${PATH}/{id}`, 'deleteWebhook', {
      ...OF_ONE,
      summary: 'Remove a webhook',
      description: 'With its deliveries. What waits is not delivered any more.',
      answers: { 204: noContent },
      async handle(call) {
        await webhooks.remove(keyOf(call), call.params.id);
        return { status: 204 };
      },
    }),
    operation('POST', `${PATH}/{id}/rotate`, 'rotateWebhook', {
      ...OF,
      summary: 'Replace the secret',
      description:
        'The secret before it signs too for 24 hours, so that you can replace it at the endpoint meanwhile: `webhook-signature` has one signature for each. Requires a key as for a change.',
      params: IdParam,
      answers: { 200: { description: 'The webhook with its new secret.', schema: WebhookWithSecret } },
      problems: ['not_found', 'access_denied', 'validation_error', 'unavailable'],
      async handle(call) {
        return { status: 200, body: withSecret(await webhooks.rotate(keyOf(call), call.params.id)) };
      },
    }),
    operation('POST', `${PATH}/{id}/test`, 'testWebhook', {
      ...OF_ONE,
      summary: 'Send a test event',
      description:
        'One attempt, now, with an event of type `webhook.test`, also when the webhook is switched off. Answers when the endpoint did, after 15 s at most: the delivery is `sent`, or `failed` with the reason as `error`.',
      limits: [limiters.webhookTests],
      counted_for: 'namespace',
      answers: { 200: { description: 'How it went.', schema: DeliveryView } },
      async handle(call) {
        return { status: 200, body: deliveryView(await webhooks.test(keyOf(call), call.params.id, call.gone())) };
      },
    }),
    operation('POST', `${PATH}/{id}/replay`, 'replayWebhook', {
      ...OF,
      summary: 'Send the events since a time again',
      description:
        'Every event since then that the webhook asks for and that is still in the log (30 days unless the operator sets another time): those that arrived or were given up are delivered again, those that it missed while it was off for the first time. New events follow after them. For messages it requires a key with `messages:read` that does not expire.',
      params: IdParam,
      body: WebhookReplay,
      answers: { 202: { description: 'The webhook; its deliveries follow.', schema: WebhookView } },
      problems: ['not_found', 'access_denied', 'webhook_disabled'],
      async handle(call) {
        const webhook = await webhooks.replay(keyOf(call), call.params.id, call.body.since);
        return { status: 202, body: view(webhook) };
      },
    }),
    operation('GET', `${PATH}/{id}/deliveries`, 'listDeliveries', {
      ...OF_ONE,
      summary: 'What was delivered, and what waits',
      description:
        'Kept for as long as events, and no more than the newest 5,000 of a webhook unless the operator sets other limits.',
      query: QueryOf({
        ...pageQuery,
        status: Type.Optional(Type.Enum([...DELIVERY_STATUSES], { description: 'Only those with this status.' })),
      }),
      answers: onePage('A page of deliveries, newest first.', PageOf(DeliveryView, 'WebhookDeliveryPage')),
      async handle(call) {
        const { after, size } = readPage(call.query);
        const { id } = call.params;
        const page = await webhooks.deliveries(keyOf(call), id, call.query.status, after, size);
        return pageAnswer(page, deliveryView, `${PATH}/${id}/deliveries`, call.query);
      },
    }),
    operation('POST', `${PATH}/{id}/deliveries/{delivery}/redeliver`, 'redeliver', {
      ...OF,
      summary: 'Deliver an event again',
      description:
        'At once, and with all its attempts again, whether it arrived, waits or was given up. For an event of a message it requires a key with `messages:read` that does not expire.',
      params: DeliveryParams,
      answers: { 202: { description: 'The delivery, which waits.', schema: DeliveryView } },
      problems: ['not_found', 'access_denied', 'webhook_disabled'],
      async handle(call) {
        const { id, delivery } = call.params;
        return { status: 202, body: deliveryView(await webhooks.redeliver(keyOf(call), id, delivery)) };
      },
    }),
  ];
}
