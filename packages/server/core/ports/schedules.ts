import type { ScheduleReader } from '@mailroom/behavior/schedule';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { Claim } from './claim.ts';

/**
 * The schedules of senders, created and removed by effects, and removed with their mailbox. Each has a job of kind
 * `schedule`.
 */
export interface Schedules extends ScheduleReader {
  /** The number in a mailbox, of all authors, up to `most`. */
  countIn(mailbox_id: string, most: number): Promise<number>;
  /** The number of authors in this namespace, over all mailboxes. */
  countOf(sender_namespace_id: string): Promise<number>;
  /** The number of authors without a namespace in this namespace's mailboxes. */
  countOfGuests(namespace_id: string): Promise<number>;
  /**
   * Records that it ran at its due time: due again at `next_at`, or removed when that is null. False when the claim was
   * lost.
   */
  ran(claim: Pick<Claim, 'id' | 'fence'>, next_at: Millis | null, now: Millis): Promise<boolean>;
}
