import { Type } from 'typebox';
import { NewAttachments } from '../../core/entities/attachment.ts';
import { CausedBy, SendAt } from '../../core/entities/draft.ts';
import { MANY_FIELDS, Recipient } from '../../core/entities/sending.ts';

/** The request of `POST /api/v1/mail/send`. */
export const Send = Type.Object(
  {
    to: Type.Optional(Recipient),
    body: Type.String({ minLength: 1, description: '1 byte to 256 KiB of UTF-8.', examples: ['I has a apple.'] }),
    sync: Type.Optional(Type.Boolean({ default: false, description: 'Wait for the reply and answer with it.' })),
    subject: Type.Optional(Type.Union([Type.String({ maxLength: 998 }), Type.Null()])),
    thread_id: Type.Optional(
      Type.Union([Type.String({ maxLength: 64 }), Type.Null()], { description: 'Continue this thread.' }),
    ),
    in_reply_to: Type.Optional(
      Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
        description: 'The message or reply that this one answers.',
      }),
    ),
    from: Type.Optional(
      Type.Union([Type.String({ maxLength: 500 }), Type.Null()], {
        description: "A mailbox of the key's namespace to write as.",
      }),
    ),
    data: Type.Optional(
      Type.Unknown({
        description: 'Any JSON of up to 64 KiB and 64 levels: a structured part in addition to the text.',
      }),
    ),
    attachments: Type.Optional(NewAttachments),
    caused_by: Type.Optional(Type.Union([CausedBy, Type.Null()])),
    send_at: Type.Optional(Type.Union([SendAt, Type.Null()])),
    ...MANY_FIELDS,
  },
  {
    $id: 'Send',
    additionalProperties: false,
    if: { not: { properties: { reply_all: {} }, required: ['reply_all'] } },
    then: { properties: { to: {} }, required: ['to'] },
  },
);
export type Send = Type.Static<typeof Send>;

/** The request of `POST /api/v1/mail/try`. */
export const Try = Type.Object(
  {
    to: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'A mailbox address.',
      examples: ['proofread@agents.mailroom.localhost'],
    }),
    body: Type.String({ minLength: 1, description: '1 byte to 8 KiB of UTF-8.', examples: ['I has a apple.'] }),
    thread_id: Type.Optional(Type.Union([Type.String({ maxLength: 64 }), Type.Null()])),
    thread_token: Type.Optional(
      Type.Union([Type.String({ maxLength: 200 }), Type.Null()], {
        description: 'From the previous answer: continues its thread.',
      }),
    ),
  },
  { $id: 'Try', additionalProperties: false },
);
