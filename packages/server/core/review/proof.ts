import { rfc3339 } from '@mailroom/behavior/values/clock';
import type { Review } from '../entities/review.ts';

/** The text that a compact JWS of this service signs; undefined where its signature is none of it. */
export type Verify = (jws: string) => Promise<string | undefined>;

/** What the receipt of a decision says. */
export const proofOf = ({ id, hash, status, decided_by, decided_at }: Review): string =>
  JSON.stringify({
    kind: 'review',
    review: id,
    hash,
    status,
    decided_by,
    decided_at: decided_at === null ? null : rfc3339(decided_at),
  });

/** Whether an approval is proven by its receipt: this service signed exactly this decision. */
export async function isProven(review: Review, verify: Verify): Promise<boolean> {
  if (review.status !== 'approved') return true;
  return review.receipt !== null && (await verify(review.receipt)) === proofOf(review);
}
