import type { Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { rightsOn } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import { hasScope, type Key, reaches } from '../entities/key.ts';
import type { Review } from '../entities/review.ts';
import type { Store } from '../ports/store.ts';
import { type Decisions, mayDecide } from '../runs/approve.ts';
import type { ReviewDesk, Reviewer } from './review-desk.ts';

/** What a person approved in a session: exactly what they saw, by its hash. */
export type HeldApproval =
  | { readonly kind: 'review'; readonly id: string; readonly hash: string; readonly by: Reviewer }
  | { readonly kind: 'plan'; readonly id: string; readonly hash: string };

export interface ApprovalParts {
  readonly store: Pick<Store, 'messages' | 'reviews'>;
  readonly directory: Directory;
  readonly decisions: Pick<Decisions, 'decide' | 'waiting'>;
  readonly reviewDesk: Pick<ReviewDesk, 'approve' | 'checkApproval'>;
}

/** Throws what approving it now would throw; returns until when it can be approved, where that ends. */
export async function checkApproval(
  key: Key,
  approval: HeldApproval,
  parts: ApprovalParts,
): Promise<Millis | undefined> {
  if (approval.kind === 'plan') {
    await parts.decisions.waiting(await decidable(key, approval.id, parts), approval.hash);
    return undefined;
  }
  const review = await reviewable(key, approval.id, parts);
  await parts.reviewDesk.checkApproval(review, approval.hash, approval.by);
  return review.expires_at;
}

/** Approves it in the name of this key, as of `decided_at`. What was decided meanwhile stays so. */
export async function approveHeld(
  key: Key,
  approval: HeldApproval,
  decided_at: Millis,
  parts: ApprovalParts,
): Promise<void> {
  const { store, decisions, reviewDesk } = parts;
  const { id, hash } = approval;
  if (approval.kind === 'plan') {
    if ((await store.messages.byId(id))?.waiting_for !== 'approval') return;
    const decision = { decision: 'approve', plan_sha256: hash, reason: undefined, person: true } as const;
    await decisions.decide(await decidable(key, id, parts), decision);
    return;
  }
  if ((await store.reviews.byId(id))?.status !== 'pending') return;
  await reviewDesk.approve(await reviewable(key, id, parts), hash, approval.by, decided_at);
}

async function decidable(key: Key, id: string, { store, directory }: ApprovalParts) {
  const message = await store.messages.byId(id);
  if (message === undefined) throw new AppError('message_not_found', 'The message was deleted.');
  const rights = await rightsOn(message, { kind: 'key', key, network: '' }, directory);
  if (!mayDecide(message, rights)) throw noLongerTheirs();
  return message;
}

async function reviewable(key: Key, id: string, { store }: ApprovalParts): Promise<Review> {
  const review = await store.reviews.byId(id);
  if (review === undefined) throw new AppError('review_not_found', 'The message was deleted.');
  const isTheirs = review.namespace_id === key.namespace_id && reaches(key, review.mailbox_id);
  if (!isTheirs || !hasScope(key, 'mail:review')) throw noLongerTheirs();
  return review;
}

const noLongerTheirs = (): AppError =>
  new AppError('insufficient_scope', 'Your role does not include this decision any more.');
