import { Type } from 'typebox';
import { AnswerFields } from '../../core/answers/answer-fields.ts';
import { Envelope, ThreadItem } from '../../core/entities/message-view.ts';
import { MANY_FIELDS, Recipient } from '../../core/entities/sending.ts';

const MAX_CLAIMS = 64;
const Seconds = (min: number, max: number, description: string, by_default: number) =>
  Type.Optional(Type.Integer({ minimum: min, maximum: max, default: by_default, description }));
const FROM_CLAIM = 'From `POST /api/v1/mailboxes/{address}/claim`.';
const ClaimId = Type.String({
  pattern: '^clm_[0-9a-hjkmnp-tv-z]{20}$',
  description: FROM_CLAIM,
  examples: ['clm_0d8m3xk2q5v7w9y1a3c0'],
});

export const ClaimRequest = Type.Object(
  {
    max: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_CLAIMS, default: 1, description: 'How many messages at most.' }),
    ),
    wait: Seconds(0, 60, 'Seconds to wait for the first message.', 30),
    lease_seconds: Seconds(10, 3600, 'After this time without progress another claim gets the message.', 60),
  },
  { $id: 'ClaimRequest', additionalProperties: false },
);
const ClaimedItem = Type.Object(
  {
    message: Envelope,
    thread: Type.Array(ThreadItem, { description: 'The last 20 messages and replies before it, oldest first.' }),
    claim: ClaimId,
    lease_expires_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'ClaimedMessage' },
);
export const Claimed = Type.Object({ items: Type.Array(ClaimedItem) }, { $id: 'Claimed' });

/** Whom an answer is for beside the author of what it answers. */
const MORE_RECIPIENTS = {
  to: Type.Optional(Type.Union([Recipient, Type.Null()])),
  cc: MANY_FIELDS.cc,
  bcc: MANY_FIELDS.bcc,
  reply_all: Type.Optional(
    Type.Union([Type.Boolean(), Type.Null()], {
      description:
        'Everyone else of its To and Cc gets the answer too. What `to`, `cc` and `bcc` name is added, by keys with `mail:send`.',
    }),
  ),
};

export const AnswerRequest = Type.Object(
  {
    claim: Type.Optional({
      ...ClaimId,
      description: `${FROM_CLAIM} Left out: a person answers by hand, and the reply says so (by_hand).`,
    }),
    ...AnswerFields.properties,
    ...MORE_RECIPIENTS,
  },
  { $id: 'Answer', additionalProperties: false },
);
export type AnswerRequest = Type.Static<typeof AnswerRequest>;
const { attachments: _attachments, ...fieldsWithoutFiles } = AnswerFields.properties;
export const AnswersRequest = Type.Object(
  {
    answers: Type.Array(
      Type.Object(
        { message_id: Type.String(), claim: ClaimId, ...fieldsWithoutFiles },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MAX_CLAIMS },
    ),
  },
  { $id: 'AnswerBatch', additionalProperties: false },
);
export const AnswerResults = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        message_id: Type.String(),
        answer: Type.Optional(
          Type.Object(
            { id: Type.Union([Type.String(), Type.Null()]), settles: Type.Boolean() },
            { description: 'The reply that was added, and whether it settled the message.' },
          ),
        ),
        problem: Type.Optional(
          Type.Object(
            { status: Type.Integer(), code: Type.String(), title: Type.String(), detail: Type.String() },
            { description: 'Why this message was not answered, as its own request would have said.' },
          ),
        ),
      }),
      { description: 'One for each answer, in their order.' },
    ),
  },
  { $id: 'AnswerResults' },
);
export const AnsweredEnvelope = Type.Intersect(
  [
    Envelope,
    Type.Object({
      answer: Type.Object(
        { id: Type.Union([Type.String(), Type.Null()]), settles: Type.Boolean() },
        { description: 'The reply that this request added, and whether it settled the message.' },
      ),
    }),
  ],
  { $id: 'AnsweredMessage' },
);

export const ProgressRequest = Type.Object(
  {
    claim: ClaimId,
    text: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'What the program is doing, for waiting senders.' }),
    ),
    draft: Type.Optional(
      Type.String({ description: 'The whole reply as written so far, for those who follow the message.' }),
    ),
    lease_seconds: Seconds(10, 3600, 'The lease ends after this time.', 60),
  },
  { $id: 'ProgressRequest', additionalProperties: false },
);
export const Lease = Type.Object(
  { claim: ClaimId, lease_expires_at: Type.String({ format: 'date-time' }) },
  { $id: 'Lease' },
);
export const ReleaseRequest = Type.Object(
  { claim: ClaimId, after_seconds: Seconds(0, 86_400, 'It can be claimed again after this time.', 0) },
  { $id: 'ReleaseRequest', additionalProperties: false },
);
