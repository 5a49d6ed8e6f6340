import type { Millis } from '@mailroom/behavior/values/clock';
import type { Claim, JobKind } from './claim.ts';

/** Due work that belongs to no unsettled message. */
export interface Jobs {
  /** Claims up to `max` due jobs, of one kind if given, those due longest first, for `lease_ms`. */
  claim(max: number, now: Millis, lease_ms: Millis, kind?: JobKind): Promise<readonly Claim[]>;
  /** Extends the leases until `until`; returns the ids still claimed. */
  renew(claims: readonly Claim[], until: Millis): Promise<readonly string[]>;
  /** Gives it back, due at `at`. False when the claim was lost. */
  later(claim: Claim, at: Millis): Promise<boolean>;
  /** Adds a job, unless there is one of this id. */
  add(job: { readonly id: string; readonly kind: JobKind; readonly due_at: Millis }): Promise<void>;
  /** Removes the job of this id, claimed or not. */
  remove(id: string): Promise<void>;
  /**
   * One bounded batch (500 rows) of a `purge` job; `done`: nothing was left and the job is gone; `lost`: the claim was
   * lost.
   */
  purge(claim: Claim): Promise<'more' | 'done' | 'lost'>;
  /** When the next job becomes due by time; undefined if none does. */
  nextDue(): Promise<Millis | undefined>;
  /** How many are due or claimed now; due ones are counted up to 100,000. */
  depth(): Promise<number>;
  /** Removes a bounded number of idempotency keys that expired before `now`; returns how many. */
  sweep(now: Millis): Promise<number>;
}
