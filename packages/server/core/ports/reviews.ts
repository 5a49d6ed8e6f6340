import type { Millis } from '@mailroom/behavior/values/clock';
import type { NewDelivery } from '../entities/delivery.ts';
import type { RefusedDecision, Review, ReviewStatus } from '../entities/review.ts';
import type { Page } from '../values/page.ts';

/** Who had the message that is held: the run with this fence, or the claim of an answer from outside, null by hand. */
export type Holder = { readonly fence: number } | { readonly claim: string | null; readonly now: Millis };

export interface ReviewQuery {
  readonly namespace_id: string;
  readonly mailbox_ids?: readonly string[] | undefined;
  readonly status?: ReviewStatus | undefined;
}

/** What an owner changed of a message that waits. */
type ReviewChange = Pick<Review, 'message' | 'hash' | 'original' | 'findings' | 'carries' | 'changed_by'>;

export type ReviewDecision = Pick<Review, 'status' | 'decided_by' | 'decided_at' | 'reason' | 'receipt'>;

/** What a person sends in the place of what is rejected. */
export type OwnAnswer = Pick<Review, 'carries'> & { readonly own_hash: string };

/** A message of its own that may leave now. */
export interface Release {
  readonly review: Review;
  readonly deliveries: readonly NewDelivery[];
  /** When a job is due that makes the copies of its recipients here; null for none. */
  readonly copies_at: Millis | null;
  readonly namespace_id: string;
  readonly rfc_id: string | null;
  readonly domain: string | null;
  readonly now: Millis;
}

/** Reviews of what leaves. Each method is one transaction, with its events. */
export interface Reviews {
  /**
   * Holds an answer: the message that it settles is `working` and waits for the review. `holder` is undefined for a
   * further answer. False, with nothing written, when the holder lost it or the message is gone.
   */
  hold(review: Review, holder: Holder | undefined): Promise<boolean>;
  byId(id: string): Promise<Review | undefined>;
  /** The newest review of this message or reply, whatever was decided. */
  ofLeaving(id: string): Promise<Review | undefined>;
  /** Newest first; `before` is the last id of the previous page. */
  page(query: ReviewQuery, before: string | null, size: number): Promise<Page<Review>>;
  /** How many wait in a namespace, or of one mailbox, counted to `max`. */
  countPending(of: { readonly namespace_id: string; readonly mailbox_id?: string }, max: number): Promise<number>;
  /** False when it is not pending with the hash `before`. */
  change(id: string, before: string, change: ReviewChange, now: Millis): Promise<boolean>;
  /** Decides it, and has it carried out; `own` leaves in its place. False when it is not pending with this hash. */
  decide(id: string, hash: string, decision: ReviewDecision, own?: OwnAnswer): Promise<boolean>;
  /** It never leaves: gives back the recipients that were counted for it, once. */
  giveBack(review: Pick<Review, 'id'>): Promise<void>;
  /** Notes a decision that was refused, with its event, up to `max` of a review. */
  refused(id: string, refusal: RefusedDecision, max: number): Promise<void>;
  /** Ends what waits of a message that was canceled. */
  withdraw(message_id: string, now: Millis): Promise<void>;
  /** Lets a message of its own leave. False when it does not wait with this review. */
  release(release: Release): Promise<boolean>;
  /** It was carried out, or never is: the files of a reply that was not written are removed. */
  done(review: Review): Promise<void>;
  /**
   * Those of `addresses` that wrote a verified message to the mailbox, among its newest 20,000, or that an owner approved
   * for it before.
   */
  contacts(mailbox_id: string, addresses: readonly string[]): Promise<ReadonlySet<string>>;
  /** Domains of the verified authors of the newest 200 mails of a mailbox, and of those that an owner approved for it. */
  knownDomains(mailbox_id: string): Promise<readonly string[]>;
  addContacts(mailbox_id: string, addresses: readonly string[], now: Millis): Promise<void>;
  /** Up to `max` above the id `after` whose owners are still to be asked by mail, oldest first. */
  toAsk(after: string, max: number): Promise<readonly Review[]>;
  /** The owners were asked about what has this hash, or are not to be. */
  asked(review: Pick<Review, 'id' | 'hash'>): Promise<void>;
}
