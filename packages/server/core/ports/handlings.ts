import type { Decider } from '@mailroom/behavior/message';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { Claim } from './claim.ts';

/** What the handling of a message stores between its runs. */
export interface Kept {
  /** JSON text of the state that a run saved, if any. */
  readonly state: string | null;
  /** JSON text of the plan that the owner was asked about, if any. */
  readonly plan: string | null;
  /** Whose owner was asked. */
  readonly decides: Decider;
  /** Whether that owner approved and the mailbox still has the plan's behavior. */
  readonly approved: boolean;
}

/** A message that waits for approval, since one suspension. */
export interface Question {
  readonly id: string;
  /** No other suspension of the message has it. */
  readonly fence: number;
}

/** The state of answering unsettled messages. */
export interface Handlings {
  /**
   * Claims up to `max` due messages for `lease_ms`. Mailboxes take turns: each claim continues with the mailbox after the
   * last one served, and within a mailbox the message that is due longest comes first. Those in `except` are left out.
   */
  claim(max: number, now: Millis, lease_ms: Millis, except?: readonly string[]): Promise<readonly Claim[]>;
  /**
   * Claims a due message that was being handled when a process died, the least suspect and longest due one first; the
   * other `claim` leaves those out.
   */
  claimSuspect(now: Millis, lease_ms: Millis): Promise<Claim | undefined>;
  /** Extends the leases until `until`; returns the ids still claimed. */
  renew(claims: readonly Claim[], until: Millis): Promise<readonly string[]>;
  /** Gives it back, due at `at`, or held while its mailbox is paused. False when the claim was lost. */
  later(claim: Claim, at: Millis): Promise<boolean>;
  /** Stores progress reports as JSON text while it is claimed. False when the claim was lost. */
  report(claim: Pick<Claim, 'id' | 'fence'>, progress: string): Promise<boolean>;
  /** Stores the state of a run as JSON text for the next one, after a crash or a decision. False when the claim was lost. */
  save(claim: Pick<Claim, 'id' | 'fence'>, state: string): Promise<boolean>;
  /** What was stored of it; undefined once it is settled. */
  kept(id: string): Promise<Kept | undefined>;
  /** How many messages wait in a mailbox, counted up to `max`. */
  countWaiting(mailbox_id: string, max: number): Promise<number>;
  /** How many messages of a mailbox wait for approval of a plan that this behavior carries out, up to `max`. */
  countAsking(mailbox_id: string, behavior: string, max: number): Promise<number>;
  /**
   * Up to `max` messages above the id `after` that wait for approval and whose owners are still to be asked by mail,
   * oldest first.
   */
  toAsk(after: string, max: number): Promise<readonly Question[]>;
  /** The one of this message, as of `toAsk`. */
  questionOf(id: string): Promise<Question | undefined>;
  /** The owners were asked this question, or are not to be. */
  asked(question: Question): Promise<void>;
  /** When the next one becomes due by time; undefined if none does. */
  nextDue(): Promise<Millis | undefined>;
  /** How many are due or claimed now; due ones are counted up to 100,000. */
  depth(): Promise<number>;
}
