import { AppError } from '@mailroom/behavior/values/error';
import { isId } from '@mailroom/behavior/values/ids';
import { Type } from 'typebox';
import { type Caller, missingScope } from '../../core/access/caller.ts';
import type { Registry } from '../../core/access/registry.ts';
import { boundTo, hasScope, type Key, reaches } from '../../core/entities/key.ts';
import { REVIEW_STATUSES, type Review, ReviewView, reviewView, sessionActor } from '../../core/entities/review.ts';
import type { ReviewDesk, Reviewer } from '../../core/messages/review-desk.ts';
import type { Store } from '../../core/ports/store.ts';
import { PageOf } from '../../core/values/page.ts';
import { operation, type Route } from '../../http/route.ts';
import { IdParam, onePage, pageAnswer, pageQuery, QueryOf, readPage } from './parts.ts';
import { keyOf } from './send.ts';

const PATH = '/api/v1/mail/reviews';
const HASH = {
  pattern: '^[0-9a-f]{64}$',
  examples: ['80af6cefd20dcae3b7d2626b0cee610b57697fccdc8f3fd06709295f14a2e945'],
} as const;
const SEEN = '`hash` of the review as you saw it: what you do is on that text and no other.';
const Hash = Type.String({ ...HASH, description: SEEN });
const ApproveReview = Type.Object({ hash: Hash }, { $id: 'ApproveReview', additionalProperties: false });
const RejectReview = Type.Object(
  {
    reason: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'For owners alone: no sender reads it.' }),
    ),
    hash: Type.Optional(Type.String({ ...HASH, description: `${SEEN} Without it, on whatever it is by now.` })),
  },
  { $id: 'RejectReview', additionalProperties: false },
);
const OwnAnswer = Type.Object(
  { hash: Hash, body: Type.String({ minLength: 1 }) },
  { $id: 'OwnAnswer', additionalProperties: false },
);
const ReviewChange = Type.Object(
  {
    hash: Type.Optional(
      Type.String({
        ...HASH,
        description: '`hash` of the review as you read it, so that you overwrite no change that you have not seen.',
      }),
    ),
    subject: Type.Optional(
      Type.Union([Type.String({ maxLength: 998 }), Type.Null()], { description: 'Of a message of its own alone.' }),
    ),
    body: Type.Optional(Type.String({ minLength: 1 })),
    html: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 1024 * 1024 }), Type.Null()], {
        description: 'Of a message of its own alone.',
      }),
    ),
  },
  { $id: 'ReviewChange', additionalProperties: false, minProperties: 1 },
);

/** Who decides: the session of the console, or the key. */
function reviewerOf(caller: Caller): Reviewer {
  const { id: key } = keyOf({ caller });
  const session = caller.kind === 'key' ? caller.session : undefined;
  return { actor: session === undefined ? key : sessionActor(session, key), key };
}

interface ReviewRouteParts {
  readonly store: Pick<Store, 'reviews'>;
  readonly registry: Pick<Registry, 'mailboxFor'>;
  readonly reviewDesk: ReviewDesk;
  readonly mailDomain: string;
}

function reviewer(caller: Caller): Key {
  const key = keyOf({ caller });
  if (!hasScope(key, 'mail:review')) throw missingScope('mail:review');
  return key;
}

/** A review of a mailbox that the key is for; AppError `review_not_found`. */
async function reviewFor(caller: Caller, id: string, { reviews }: Pick<Store, 'reviews'>): Promise<Review> {
  const key = reviewer(caller);
  const review = isId('rev', id) ? await reviews.byId(id) : undefined;
  const isTheirs = review?.namespace_id === key.namespace_id && reaches(key, review.mailbox_id);
  if (review !== undefined && isTheirs) return review;
  throw new AppError('review_not_found', `There is no review ${id.slice(0, 40)} that this key may see.`);
}

const review = {
  tag: 'Reviews',
  access: 'mail:review',
  params: IdParam,
  answers: { 200: { description: 'The review.', schema: ReviewView } },
} as const;

/** What a person writes in a session in the place of an answer that waits: no key can. */
export const ownAnswerRoutes = ({ store, reviewDesk, mailDomain }: ReviewRouteParts): readonly Route[] => [
  operation('POST', `${PATH}/{id}/own`, 'sendOwnAnswer', {
    ...review,
    access: 'session',
    summary: 'Reject an answer that waits, and send another in its place',
    body: OwnAnswer,
    problems: ['review_not_found', 'review_changed', 'not_waiting', 'body_too_large', 'validation_error'],
    async handle({ caller, params, body }) {
      const by = reviewerOf(caller);
      // Only what a person writes in a session is free of review.
      if (by.actor === by.key) throw new AppError('access_denied', 'Sign in to the console to answer by hand.');
      const review = await reviewFor(caller, params.id, store);
      return { status: 200, body: reviewView(await reviewDesk.sendOwn(review, body.hash, body.body, by), mailDomain) };
    },
  }),
];

/** Messages that wait until an owner has seen them. */
export function reviewRoutes({ store, registry, reviewDesk, mailDomain }: ReviewRouteParts): readonly Route[] {
  const answered = (review: Review) => ({ status: 200, body: reviewView(review, mailDomain) });
  const found = (caller: Caller, id: string): Promise<Review> => reviewFor(caller, id, store);

  return [
    operation('GET', PATH, 'listReviews', {
      tag: 'Reviews',
      summary: 'What waits to leave, and what was decided',
      description:
        'Messages that a mailbox holds until an owner has seen them, newest first: see `outgoing` of a mailbox. A key that is bound to a mailbox sees those of that one.',
      access: 'mail:review',
      query: QueryOf({
        ...pageQuery,
        status: Type.Optional(Type.Enum([...REVIEW_STATUSES])),
        mailbox: Type.Optional(Type.String({ description: 'Only of this mailbox.' })),
      }),
      answers: onePage('A page of them.', PageOf(ReviewView, 'ReviewPage')),
      problems: ['mailbox_not_found', 'mailbox_gone', 'access_denied'],
      async handle({ caller, query }) {
        const key = reviewer(caller);
        const { status, mailbox, ...paging } = query;
        const { after, size } = readPage(paging);
        const named = mailbox === undefined ? undefined : await registry.mailboxFor(caller, mailbox, 'mail:review');
        const mailbox_ids = named === undefined ? (boundTo(key) ?? undefined) : [named.id];
        const page = await store.reviews.page({ namespace_id: key.namespace_id, mailbox_ids, status }, after, size);
        return pageAnswer(page, (review) => reviewView(review, mailDomain), PATH, query);
      },
    }),
    operation('GET', `${PATH}/{id}`, 'getReview', {
      ...review,
      summary: 'One review',
      description: 'The message as it would leave, with what was found in it.',
      problems: ['review_not_found'],
      handle: async ({ caller, params }) => answered(await found(caller, params.id)),
    }),
    operation('POST', `${PATH}/{id}/approve`, 'approveReview', {
      ...review,
      summary: 'Let a message leave',
      description:
        'Exactly what has this `hash` leaves. The key or session that wrote it, or changed it last, may not approve it.',
      body: ApproveReview,
      problems: ['review_not_found', 'review_changed', 'not_waiting', 'access_denied'],
      async handle({ caller, params, body }) {
        const review = await found(caller, params.id);
        return answered(await reviewDesk.approve(review, body.hash, reviewerOf(caller)));
      },
    }),
    operation('POST', `${PATH}/{id}/reject`, 'rejectReview', {
      ...review,
      summary: 'Keep a message from leaving',
      description: 'What it answers is settled as `rejected`, with `review_rejected` and no word of the text.',
      body: RejectReview,
      body_optional: true,
      problems: ['review_not_found', 'review_changed', 'not_waiting'],
      async handle({ caller, params, body }) {
        const review = await found(caller, params.id);
        return answered(await reviewDesk.reject(review, reviewerOf(caller), body.reason ?? null, body.hash));
      },
    }),
    operation('PATCH', `${PATH}/{id}`, 'changeReview', {
      ...review,
      summary: 'Change the text of a message that waits',
      description:
        'It has another `hash` from then on, and someone else approves it. With `hash`, 409 `review_changed` where it was changed since you read it.',
      body: ReviewChange,
      problems: ['review_not_found', 'review_changed', 'not_waiting', 'body_too_large', 'validation_error'],
      async handle({ caller, params, body }) {
        const review = await found(caller, params.id);
        return answered(await reviewDesk.edit(review, body, reviewerOf(caller)));
      },
    }),
  ];
}
