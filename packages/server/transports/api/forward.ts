import type { Clock } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import type { Directory } from '../../core/access/directory.ts';
import type { MessageLabels } from '../../core/access/message-labels.ts';
import { Envelope } from '../../core/entities/message-view.ts';
import { MANY_FIELDS, Recipient } from '../../core/entities/sending.ts';
import type { Uploads } from '../../core/files/uploads.ts';
import type { StoredMails } from '../../core/mail-out/stored-mails.ts';
import { forward } from '../../core/messages/forward.ts';
import type { ToMany } from '../../core/messages/to-many.ts';
import type { Store } from '../../core/ports/store.ts';
import { idempotencyOf } from '../../http/idempotency.ts';
import type { Sizes } from '../../http/limits.ts';
import { operation, type Route } from '../../http/route.ts';
import { countSend, type SendLimits } from '../../http/sends.ts';
import { messageFor, noMessage } from './message-access.ts';
import { created, IdParam } from './parts.ts';
import { keyOf, SEND_PROBLEMS } from './send.ts';
import { sentAnswer } from './sent-answer.ts';

const Forward = Type.Object(
  {
    to: Recipient,
    cc: MANY_FIELDS.cc,
    bcc: MANY_FIELDS.bcc,
    from: Type.Optional(
      Type.Union([Type.String({ maxLength: 500 }), Type.Null()], {
        description: 'A mailbox of your namespace that sends it; the one that has the message by default.',
      }),
    ),
    body: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'What you say above it.' })),
    attachments: Type.Optional(
      Type.Enum(['keep', 'none'], { description: '`keep`, the default, sends its files too.' }),
    ),
    as: Type.Optional(
      Type.Enum(['inline', 'attachment'], {
        description:
          '`inline`, the default: its head and text below yours. `attachment`: as a file `message/rfc822`, with its files in it, which is the original where that is kept.',
      }),
    ),
  },
  { $id: 'Forward', additionalProperties: false },
);

export interface ForwardParts extends SendLimits {
  readonly store: Store;
  readonly directory: Directory;
  readonly toMany: ToMany;
  readonly labels: MessageLabels;
  readonly uploads: Uploads;
  readonly storedMails: StoredMails;
  readonly clock: Clock;
  readonly mailDomain: string;
  readonly sizes: Pick<Sizes, 'body'>;
}

/** Handing a message on. */
export function forwardRoutes(parts: ForwardParts): readonly Route[] {
  const { labels, clock, mailDomain } = parts;
  return [
    operation('POST', '/api/v1/mail/messages/{id}/forward', 'forwardMessage', {
      tag: 'Messages',
      summary: 'Forward a message',
      description:
        'As a new message of yours in a thread of its own: what you say, then the head and the whole text of the message, with its files; or with the message attached (`as`). For keys that may read the message.',
      access: 'mail:send',
      params: IdParam,
      body: Forward,
      idempotency: true,
      answers: created('The new message.', Envelope, 202),
      problems: [...SEND_PROBLEMS, 'loop_detected'],
      async handle(call) {
        const { caller, params, body } = call;
        const { message, rights } = await messageFor(params.id, caller, parts);
        if (!rights.reader) throw noMessage(params.id);
        const idempotency = idempotencyOf(call, `POST /api/v1/mail/messages/${message.id}/forward`, clock);
        await countSend(caller, parts);
        const by = { key: keyOf(call), idempotency, channel: call.channel ?? 'api' } as const;
        const sent = await forward(message, body, by, parts);
        return sentAnswer(sent, false, mailDomain, undefined, await labels.of(sent.message, caller));
      },
    }),
  ];
}
