import { addressOf } from '@mailroom/behavior/mailbox';
import { isOutgoing } from '@mailroom/behavior/message';
import { fullAddress, splitTag } from '@mailroom/behavior/values/address';
import { type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { JsonText } from '@mailroom/behavior/values/json';
import { type TSchema, Type } from 'typebox';
import { ThreadNotice, threadNotice } from './conversation.ts';
import { type Domain, DomainEventView, domainEventView } from './domain.ts';
import { marksIn } from './label.ts';
import { type MailboxSummary, MailboxView, mailboxView } from './mailbox.ts';
import type { Message } from './message.ts';
import { Envelope, envelopeText } from './message-view.ts';
import { type NamespaceStorage, NamespaceStorageView } from './namespace-storage.ts';
import { type Review, ReviewNotice, reviewNotice } from './review.ts';
import type { ThreadNote, ThreadStanding } from './standing.ts';
import { type TEST_TYPE, type Webhook, WebhookView, webhookView } from './webhook.ts';

/** The event types with their meanings. A message that is answered on arrival has only its final event. */
const EVENT_TYPES = {
  'message.received':
    'A message arrived and is waiting, or the reply to a message that this mailbox sent was filed in it.',
  'message.waiting': 'A message is waiting for the approval of its mailbox’s owner.',
  'message.completed': 'A message was answered.',
  'message.input_required': 'A message was answered with a question.',
  'message.failed': 'A message could not be handled.',
  'message.canceled': 'A message was canceled.',
  'message.rejected': 'A message was refused by the mailbox.',
  'delivery.sent': 'An e-mail left: the next server took it.',
  'delivery.deferred':
    'An e-mail could not leave at the first attempt, and is tried again for up to five days; or the server that took it says that it still tries.',
  'delivery.bounced': 'An e-mail could not be delivered, and is not tried again.',
  'delivery.complained': 'The recipient of an e-mail reported it as unwanted; no more is sent to that address.',
  'review.requested': 'A message would leave a mailbox, and waits until an owner has seen it.',
  'review.changed': 'The text of a message that waits to leave was changed.',
  'review.decided': 'A message that waited to leave was approved or rejected.',
  'review.decision_refused':
    'A decision on a message that waits to leave was refused: a forged or unclear mail, or one of who wrote the message. At most ten times a review.',
  'review.expired': 'A message that waited to leave was not decided on in time, or was canceled.',
  'thread.taken_over': 'A person took a thread over: its messages wait for an answer by hand.',
  'thread.updated': 'A conversation was put into another state, opened again at its time, or was assigned.',
  'thread.note': 'Something was noted beside a conversation, for the members who read its mailbox.',
  'thread.handed_back': 'A thread that was taken over was given back to the behavior of the mailbox.',
  'mailbox.created': 'A mailbox was created.',
  'mailbox.updated': 'A mailbox was changed, paused or resumed.',
  'mailbox.loop_detected':
    'Messages to or from the mailbox caused one another 8 times, and the next one was not sent. At most once a minute for a mailbox.',
  'mailbox.budget_nearly_spent':
    'The messages of a mailbox took 80 % or more of the tokens that its budget has for the day (UTC). At most once a day.',
  'mailbox.budget_spent':
    'The budget of a mailbox is spent: its messages took all tokens of the day, or one was rejected because what is left is reserved by runs. It begins again at 00:00 UTC. At most once a day.',
  'mailbox.webhook_disabled': 'The webhook of an agent failed too long, or answered 410, and was switched off.',
  'mailbox.limited':
    'Messages of a mailbox are pushed as ids alone, or not sent to servers of others, because the key that set it so may not read them, or expires. Save its settings with a key that may.',
  'mailbox.deleted': 'A mailbox was deleted; its other events are no longer listed.',
  'webhook.disabled': 'A webhook was switched off, because its endpoint answered 410 or nothing arrived for five days.',
  'webhook.limited':
    'A webhook gets ids alone of messages, because the key that made it, or changed it last, may not read them, or expires. Change it with a key that may.',
  'namespace.nearly_full': 'The namespace stores 80 % or more of what it may. At most once a day.',
  'domain.verified': 'A domain of yours was verified: its addresses reach the mailboxes of the namespace.',
  'domain.failed':
    'A domain of yours could not be verified for three weeks, or lost its record of verification: its addresses do not exist any more.',
  'domain.keys_changed':
    'Other keys sign the mail of a domain of yours from now on: the new ones, once DNS has their records, or those before when it lost them.',
} as const;
type LoggedType = keyof typeof EVENT_TYPES;
export type EventType = LoggedType | typeof TEST_TYPE;
const TYPES = Object.keys(EVENT_TYPES) as LoggedType[];
/** The types that are in the log. */
export const LOGGED_TYPES: readonly string[] = TYPES;
/** The groups of types by which webhooks name several: `message.*` and so on. */
export const GROUPS: readonly string[] = [
  ...new Set(LOGGED_TYPES.map((type) => `${type.slice(0, type.indexOf('.'))}.*`)),
];

/** An event with the current state of its subject. One of the namespace itself has the `mailbox_id` ''. */
export type StoredEvent = {
  readonly id: string;
  readonly type: EventType;
  readonly namespace_id: string;
  readonly mailbox_id: string;
  readonly at: Millis;
} & (
  | { readonly message: Message }
  | { readonly mailbox: MailboxSummary }
  | { readonly webhook: Webhook }
  | { readonly domain: Domain }
  | { readonly storage: NamespaceStorage }
  | { readonly review: Review }
  | { readonly standing: ThreadStanding; readonly note?: ThreadNote; readonly mailbox_address: string }
);

export const EventView = Type.Object(
  {
    id: Type.String({
      examples: ['evt_000000000000000001a7'],
      description: 'Its place in the log: ids sort in the order in which things happened.',
    }),
    type: Type.Enum(TYPES, {
      description: `What happened. ${TYPES.map((type) => `\`${type}\`: ${EVENT_TYPES[type]}`).join(' ')}`,
    }),
    created_at: Type.String({ format: 'date-time' }),
    mailbox: Type.Union([Type.String(), Type.Null()], {
      description: 'The mailbox it happened in; null for an event of the namespace, such as `webhook.disabled`.',
      examples: ['hello@agents.mailroom.localhost'],
    }),
    data: Type.Union(
      [
        ...[Envelope, MailboxView, WebhookView, DomainEventView, NamespaceStorageView, ReviewNotice],
        ThreadNotice,
      ] as TSchema[],
      {
        description:
          'The message, the mailbox, the webhook, the domain, the review or the storage of the namespace, by the first part of `type`, as it stands when this is read; of a thread that was taken over or handed back its first message; of one that was updated or noted where it stands, and of a note who wrote it and whom it names, without its text; of a delivery the message with its `deliveries`. The labels of a message are those in the mailbox where it happened.',
      },
    ),
  },
  {
    $id: 'Event',
    description:
      'Something that happened to a message, a mailbox, a webhook or a domain of the namespace, or to the namespace.',
  },
);

/** What is left of a message for a program that may not have it: its ids. */
export const messageIds = ({ id, thread_id }: Message) => ({ id, thread_id });

/** The event as callers receive it; with `ids`, only the ids of its message. */
export function eventText(event: StoredEvent, mailDomain: string, { ids = false } = {}): JsonText {
  const head = (mailbox: string | null): string => {
    const text = JSON.stringify({ id: event.id, type: event.type, created_at: rfc3339(event.at), mailbox });
    return text.slice(0, -1);
  };
  if ('webhook' in event) {
    return new JsonText(`${head(null)},"data":${JSON.stringify(webhookView(event.webhook, mailDomain))}}`);
  }
  if ('domain' in event) return new JsonText(`${head(null)},"data":${JSON.stringify(domainEventView(event.domain))}}`);
  if ('standing' in event) {
    const mailbox = fullAddress(event.mailbox_address, mailDomain);
    return new JsonText(`${head(mailbox)},"data":${JSON.stringify(threadNotice(event, mailbox))}}`);
  }
  if ('review' in event) {
    const { review } = event;
    const data = JSON.stringify(reviewNotice(review, mailDomain));
    return new JsonText(`${head(fullAddress(review.mailbox, mailDomain))},"data":${data}}`);
  }
  if ('storage' in event) return new JsonText(`${head(null)},"data":${JSON.stringify(event.storage)}}`);
  if ('mailbox' in event) {
    const { mailbox } = event;
    const data = JSON.stringify(mailboxView(mailbox, mailDomain));
    return new JsonText(`${head(fullAddress(addressOf(mailbox), mailDomain))},"data":${data}}`);
  }
  const { address } = splitTag((isOutgoing(event.message) ? event.message.from : event.message.to) ?? '');
  const data = ids
    ? JSON.stringify(messageIds(event.message))
    : envelopeText(event.message, mailDomain, marksIn(event.message, event.mailbox_id)).text;
  return new JsonText(`${head(fullAddress(address, mailDomain))},"data":${data}}`);
}
