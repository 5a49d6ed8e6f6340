import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import { fullAddress, splitTag } from '../values/address.ts';
import type { Millis } from '../values/clock.ts';
import { rfc3339 } from '../values/clock.ts';
import { JsonText } from '../values/json.ts';
import type { MailboxSummary } from './mailbox.ts';
import { addressOf, MailboxView, mailboxView } from './mailbox.ts';
import type { Message } from './message.ts';
import { Envelope, envelopeText } from './message.ts';

/** The event types with their meanings. A message that is answered on arrival has only its final event. */
export const EVENT_TYPES = {
  'message.received':
    'A message arrived and is waiting, or the reply to a message that this mailbox sent was filed in it.',
  'message.waiting': 'A message is waiting for the approval of its mailbox’s owner.',
  'message.completed': 'A message was answered.',
  'message.input_required': 'A message was answered with a question.',
  'message.failed': 'A message could not be handled.',
  'message.canceled': 'A message was canceled.',
  'message.rejected': 'A message was refused by the mailbox.',
  'mailbox.created': 'A mailbox was created.',
  'mailbox.updated': 'A mailbox was changed, paused or resumed.',
  'mailbox.deleted': 'A mailbox was deleted; its other events are no longer listed.',
} as const;
export type EventType = keyof typeof EVENT_TYPES;
const TYPES = Object.keys(EVENT_TYPES) as EventType[];

/** An event with the current state of its subject. */
export type StoredEvent = {
  readonly id: string;
  readonly type: EventType;
  readonly namespace_id: string;
  readonly mailbox_id: string;
  readonly at: Millis;
} & ({ readonly message: Message } | { readonly mailbox: MailboxSummary });

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
    mailbox: Type.String({
      description: 'The mailbox it happened in.',
      examples: ['hello@agents.mailroom.localhost'],
    }),
    data: Type.Union([Envelope, MailboxView] as TSchema[], {
      description: 'The message or the mailbox, by the first part of `type`, as it stands when this is read.',
    }),
  },
  { $id: 'Event', description: 'Something that happened to a message or a mailbox of the namespace.' },
);

/** The event as callers receive it. */
export function eventText(event: StoredEvent, mailDomain: string): JsonText {
  const head = (mailbox: string): string => {
    const text = JSON.stringify({ id: event.id, type: event.type, created_at: rfc3339(event.at), mailbox });
    return text.slice(0, -1);
  };
  if ('mailbox' in event) {
    const { mailbox } = event;
    const data = JSON.stringify(mailboxView(mailbox, mailDomain));
    return new JsonText(`${head(fullAddress(addressOf(mailbox), mailDomain))},"data":${data}}`);
  }
  const { address } = splitTag(event.message.to);
  return new JsonText(
    `${head(fullAddress(address, mailDomain))},"data":${envelopeText(event.message, mailDomain).text}}`,
  );
}
