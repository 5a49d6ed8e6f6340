import { AppError } from '@mailroom/behavior/values/error';
import type { Scope } from '../../entities/key.ts';
import type { Mailbox } from '../../entities/mailbox.ts';
import { type Member, memberMay } from '../../entities/member.ts';
import type { Message } from '../../entities/message.ts';
import { isEditor, type Review } from '../../entities/review.ts';
import type { ReviewDesk } from '../../messages/review-desk.ts';
import { inAuditScope } from '../../ports/audit-scope.ts';
import type { Store } from '../../ports/store.ts';
import type { Decisions } from '../../runs/approve.ts';
import type { WrittenDecision } from './decision-words.ts';

/** What a member was asked about, by the hash of what was shown. */
export type AskedAbout =
  | { readonly message_id: string; readonly plan_sha256: string }
  | { readonly review_id: string; readonly review_hash: string };

/** What a member decides on, as it stands; undefined where it is gone. */
export type Decided =
  | { readonly kind: 'plan'; readonly id: string; readonly message: Message | undefined }
  | { readonly kind: 'review'; readonly id: string; readonly review: Review | undefined };

/** What an answer led to. `own`: who changed what would leave does not approve it. `late`: after the time of the question. */
export type ApprovalResult =
  | { readonly kind: 'approved' | 'unclear' | 'changed' | 'over' | 'own' | 'late' }
  | { readonly kind: 'refused'; readonly reason: string | undefined };

export interface MailedDecisionParts {
  readonly store: Pick<Store, 'messages' | 'reviews'>;
  readonly decisions: () => Pick<Decisions, 'decide'>;
  readonly reviewDesk: () => Pick<ReviewDesk, 'approve' | 'reject' | 'refused'>;
}

/** The refusals that are told as what came of an answer. */
const RESULTS: Readonly<Partial<Record<string, ApprovalResult>>> = {
  access_denied: { kind: 'own' },
  review_changed: { kind: 'changed' },
  validation_error: { kind: 'changed' },
  not_waiting: { kind: 'over' },
};

/** Who decides: the members of a namespace that have this scope for the mailbox. */
export interface Deciders {
  readonly namespace_id: string | null;
  readonly scope: Scope;
  readonly mailbox_id: string | null;
}

/** Who approves a plan: who may change the receiving mailbox, or the sending one; a review: who reviews for its mailbox. */
export function decidersOf(
  asked:
    | { readonly kind: 'plan'; readonly message: Message; readonly mailbox: Mailbox }
    | { readonly kind: 'review'; readonly review: Review },
): Deciders {
  if (asked.kind === 'review') {
    const { namespace_id, mailbox_id } = asked.review;
    return { namespace_id, scope: 'mail:review', mailbox_id };
  }
  const { message, mailbox } = asked;
  const { decides, sender_kind, sender_id, sender_namespace_id } = message;
  if (decides !== 'sender')
    return { namespace_id: mailbox.namespace_id, scope: 'mailboxes:write', mailbox_id: mailbox.id };
  const sender = sender_kind === 'mailbox' ? sender_id : null;
  return { namespace_id: sender_namespace_id, scope: 'mailboxes:write', mailbox_id: sender };
}

export const isDecider = (member: Member, { namespace_id, scope, mailbox_id }: Deciders): boolean =>
  member.namespace_id === namespace_id && memberMay(member, scope, mailbox_id);

export async function decidedOf({ store }: MailedDecisionParts, about: AskedAbout): Promise<Decided> {
  if ('review_id' in about)
    return { kind: 'review', id: about.review_id, review: await store.reviews.byId(about.review_id) };
  return { kind: 'plan', id: about.message_id, message: await store.messages.byId(about.message_id) };
}

/** Shows those who see what waits that an answer by mail decided nothing; plans have no such list. */
export async function noteRefused(
  { store, reviewDesk }: MailedDecisionParts,
  about: AskedAbout,
  from: string,
  why: string,
): Promise<void> {
  const review = 'review_id' in about ? await store.reviews.byId(about.review_id) : undefined;
  if (review !== undefined) await reviewDesk().refused(review, from, why);
}

const MAIL = { channel: 'smtp', network: null } as const;
const memberActor = ({ account_id }: Member) => ({ kind: 'member', id: account_id, name: null }) as const;

/** Decides as the member wrote. */
export async function decideAs(
  parts: MailedDecisionParts,
  about: AskedAbout,
  written: WrittenDecision,
  member: Member,
): Promise<ApprovalResult> {
  const { decision, reason } = written;
  try {
    const isDecided = await inAuditScope({ origin: MAIL, actor: memberActor(member) }, () =>
      'review_id' in about ? decideReview(parts, about, written, member) : decidePlan(parts, about, written),
    );
    if (!isDecided) return { kind: 'over' };
  } catch (error) {
    const result = error instanceof AppError ? RESULTS[error.code] : undefined;
    if (result === undefined) throw error;
    return result;
  }
  return decision === 'approve' ? { kind: 'approved' } : { kind: 'refused', reason };
}

async function decidePlan(
  { store, decisions }: MailedDecisionParts,
  { message_id, plan_sha256 }: Extract<AskedAbout, { message_id: string }>,
  { decision, reason }: WrittenDecision,
): Promise<boolean> {
  const message = await store.messages.byId(message_id);
  if (message === undefined || message.waiting_for !== 'approval') return false;
  await decisions().decide(message, { decision, plan_sha256, reason });
  return true;
}

async function decideReview(
  { store, reviewDesk }: MailedDecisionParts,
  { review_id, review_hash }: Extract<AskedAbout, { review_id: string }>,
  { decision, reason }: WrittenDecision,
  { account_id, key_id }: Member,
): Promise<boolean> {
  const review = await store.reviews.byId(review_id);
  if (review === undefined || review.status !== 'pending') return false;
  if (review.hash !== review_hash) throw new AppError('review_changed', 'It was changed since the question.');
  const by = { actor: account_id, key: account_id };
  if (decision === 'refuse') await reviewDesk().reject(review, by, reason ?? null);
  else if (isEditor(review, key_id)) throw new AppError('access_denied', 'Another member approves it.');
  else await reviewDesk().approve(review, review_hash, by);
  return true;
}
