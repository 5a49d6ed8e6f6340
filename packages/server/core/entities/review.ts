import { fullAddress } from '@mailroom/behavior/values/address';
import { type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import type { Json } from '@mailroom/behavior/values/json';
import { Type } from 'typebox';
import { canonicalJson } from '../values/canonical-json.ts';
import { type Finding, FindingView } from './finding.ts';
import type { Outgoing } from './outgoing.ts';

export const REVIEW_STATUSES = ['pending', 'approved', 'rejected', 'expired'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** A message as it would leave: what its hash covers. Addresses are whole; what is absent is null. */
export type LeavingMessage = {
  readonly from: string;
  readonly to: string[] | null;
  readonly cc: string[] | null;
  readonly bcc: string[] | null;
  readonly reply_to: string[] | null;
  readonly headers: { [name: string]: string } | null;
  readonly subject: string | null;
  readonly body: string;
  readonly html: string | null;
  /** JSON text as it is stored. */
  readonly data: string | null;
  readonly attachments: { filename: string; content_type: string; sha256: string }[] | null;
  readonly in_reply_to: string | null;
};

/** SHA-256 over the JSON of RFC 8785 of the message. */
export const hashOf = (message: LeavingMessage): string => sha256(canonicalJson(message as unknown as Json));

/** The texts of a message that waits, which may be changed. */
export type ReviewTexts = Pick<LeavingMessage, 'subject' | 'body' | 'html'>;

/** A decision that was refused, as it may be forged. */
export interface RefusedDecision {
  /** Whom it says that it is from: an address, which may be false, or a key. */
  readonly from: string;
  readonly why: string;
  readonly at: Millis;
}

/** A message that waits until an owner has seen it, and what was decided. */
export interface Review {
  readonly id: string;
  readonly namespace_id: string;
  readonly mailbox_id: string;
  /** The address of the mailbox, without the mail domain. */
  readonly mailbox: string;
  /** The message that is answered, or the one that its sender wrote. */
  readonly message_id: string;
  /** What leaves: the answer that settles a message, a further one, or a message of its own. */
  readonly kind: 'answer' | 'further' | 'send';
  readonly status: ReviewStatus;
  readonly message: LeavingMessage;
  readonly hash: string;
  /** As it was first written; null until it is changed. */
  readonly original: ReviewTexts | null;
  /** The hash of what a person wrote and sent in its place; null where none did. */
  readonly own_hash: string | null;
  readonly findings: readonly Finding[];
  readonly on_expiry: Outgoing['on_expiry'];
  /** What carries it out, as JSON text of its kind. */
  readonly carries: string;
  /** The id of the reply that it becomes; null for a message of its own. */
  readonly reply_id: string | null;
  /** The key that wrote it; null for a behavior. */
  readonly written_by: string | null;
  /** The key that changed it last. */
  readonly changed_by: string | null;
  readonly requested_at: Millis;
  readonly expires_at: Millis;
  /** The key of who decided, or the account of an owner who did so by mail; null where time or the sender ended it. */
  readonly decided_by: string | null;
  readonly decided_at: Millis | null;
  readonly reason: string | null;
  /** A compact JWS that says what was decided. */
  readonly receipt: string | null;
  /** The recipients that were counted for it, and on which UTC day; 0 for none. */
  readonly counted: number;
  readonly counted_day: number;
  /** Decisions that were refused, oldest first; the first ten. */
  readonly refusals: readonly RefusedDecision[];
}

/** The hash of what leaves: of what was shown, or of what a person sent in its place. */
export const leavingHash = ({ hash, own_hash }: Pick<Review, 'hash' | 'own_hash'>): string => own_hash ?? hash;

/** Whether it may leave, or what a person wrote in its place. What has a finding leaves by no time-out. */
export const mayLeave = ({
  status,
  own_hash,
  on_expiry,
  findings,
  decided_by,
  decided_at,
  expires_at,
}: Review): boolean =>
  status === 'approved' ||
  (status === 'rejected' && own_hash !== null) ||
  (status === 'expired' &&
    decided_by === null &&
    on_expiry === 'send' &&
    findings.every(({ kind }) => kind === 'first_contact') &&
    (decided_at as Millis) >= expires_at);

/** The texts as they were first written, where they are others by now. */
function changedFrom({ original, message }: Pick<Review, 'original' | 'message'>): ReviewTexts | undefined {
  if (original === null) return undefined;
  const { subject, body, html } = message;
  const isSame = original.subject === subject && original.body === body && original.html === html;
  return isSame ? undefined : original;
}

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const Texts = nullable(Type.Array(Type.String()));
const Time = Type.String({ format: 'date-time' });

export const ReviewView = Type.Object(
  {
    id: Type.String({ examples: ['rev_0d8m3xk2q5v7w9y1a3c0'] }),
    status: Type.Enum([...REVIEW_STATUSES]),
    mailbox: Type.String({ description: 'The mailbox that it would leave.' }),
    message_id: Type.String({ description: 'The message that it answers, or that its sender wrote.' }),
    message: Type.Object(
      {
        from: Type.String(),
        to: Texts,
        cc: Texts,
        bcc: Texts,
        reply_to: Texts,
        headers: nullable(Type.Record(Type.String(), Type.String())),
        subject: nullable(Type.String()),
        body: Type.String(),
        html: nullable(Type.String()),
        data: nullable(Type.String({ description: 'JSON text, as it is stored.' })),
        attachments: nullable(
          Type.Array(Type.Object({ filename: Type.String(), content_type: Type.String(), sha256: Type.String() })),
        ),
        in_reply_to: nullable(Type.String()),
      },
      { description: 'The message as it would leave: exactly what `hash` covers.' },
    ),
    original: Type.Optional(
      Type.Object(
        { subject: nullable(Type.String()), body: Type.String(), html: nullable(Type.String()) },
        { description: 'Its texts as they were first written. Only where they were changed since.' },
      ),
    ),
    recipients: Type.Array(Type.String(), { description: 'All whom it would reach.' }),
    findings: Type.Array(FindingView),
    hash: Type.String({ description: 'SHA-256 of the JSON of RFC 8785 of `message`, in hexadecimal.' }),
    requested_at: Time,
    expires_at: Time,
    decided_by: nullable(
      Type.String({ description: 'The key of who decided, or the account of an owner who did so by mail.' }),
    ),
    decided_at: nullable(Time),
    reason: nullable(Type.String({ description: 'Why it was rejected.' })),
    receipt: nullable(
      Type.String({
        description: 'A compact JWS over `{review, hash, decided_by, decided_at}`: see `verify-receipt`.',
      }),
    ),
    refusals: Type.Optional(
      Type.Array(Type.Object({ from: Type.String(), why: Type.String(), at: Time }), {
        description:
          'Decisions that were refused, such as forged mails, oldest first, 10 at most. `from` is what they say, and may be false.',
      }),
    ),
  },
  { $id: 'Review', description: 'A message that waits until an owner has seen it, and what was decided.' },
);
export type ReviewView = Type.Static<typeof ReviewView>;

const NOTICE_FIELDS = ['id', 'status', 'mailbox', 'message_id', 'requested_at', 'expires_at', 'decided_at'] as const;

/** What an event tells of a review, to keys and webhooks that may not read what waits. */
export const ReviewNotice = Type.Object(
  Object.fromEntries(NOTICE_FIELDS.map((field) => [field, ReviewView.properties[field]])) as Pick<
    typeof ReviewView.properties,
    (typeof NOTICE_FIELDS)[number]
  >,
  { $id: 'ReviewNotice', description: 'A review without what waits, which `GET /mail/reviews/{id}` shows.' },
);

/** Who changes a review in a session of the console with this key. */
export const sessionActor = (session: string, key_id: string): string => `session ${session} of ${key_id}`;

/** Whether an owner with this key changed what waits, in a session of the console. */
export const isEditor = ({ changed_by }: Review, key_id: string): boolean =>
  changed_by?.endsWith(` of ${key_id}`) === true;

/** All whom a message would reach; a sender without an address is not named. */
const recipientsOf = ({ to, cc, bcc }: LeavingMessage): string[] => [...(to ?? []), ...(cc ?? []), ...(bcc ?? [])];

export const reviewNotice = (review: Review, mailDomain: string): Type.Static<typeof ReviewNotice> => {
  const { id, status, mailbox, message_id, requested_at, expires_at, decided_at } = reviewView(review, mailDomain);
  return { id, status, mailbox, message_id, requested_at, expires_at, decided_at };
};

const originalView = (review: Review): Pick<ReviewView, 'original'> => {
  const original = changedFrom(review);
  return original === undefined ? {} : { original };
};

export const reviewView = (review: Review, mailDomain: string): ReviewView => ({
  id: review.id,
  status: review.status,
  mailbox: fullAddress(review.mailbox, mailDomain),
  message_id: review.message_id,
  message: review.message,
  ...originalView(review),
  recipients: recipientsOf(review.message),
  findings: [...review.findings],
  hash: review.hash,
  requested_at: rfc3339(review.requested_at),
  expires_at: rfc3339(review.expires_at),
  decided_by: review.decided_by,
  decided_at: review.decided_at === null ? null : rfc3339(review.decided_at),
  reason: review.reason,
  receipt: review.receipt,
  ...(review.refusals.length > 0 && {
    refusals: review.refusals.map(({ from, why, at }) => ({ from, why, at: rfc3339(at) })),
  }),
});
