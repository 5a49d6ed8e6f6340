import type { Millis } from '@mailroom/behavior/values/clock';
import type { DayUsage } from '../entities/model-usage.ts';

/** A run that asks the language model, as it is counted. */
export interface ModelRun {
  readonly mailbox_id: string;
  /** Days since 1970-01-01, UTC: a run counts for the day on which it began. */
  readonly day: number;
  /** Who sent the message, as a keyed hash; '' where each sender has no limit. */
  readonly sender: string;
  /** Tokens that it may use. */
  readonly reserved: number;
}

/** How many tokens the messages of mailboxes take, by the UTC day. */
export interface ModelUsage {
  /**
   * Counts a run and what it may use, where less than `per_day` is used or reserved, and less than `per_sender` of its
   * sender; null for no limit. Exact for concurrent runs of all nodes. Otherwise says which of the two is used up; a
   * deleted mailbox has no budget.
   */
  reserve(
    run: ModelRun,
    limits: { readonly per_day: number | null; readonly per_sender: number | null },
  ): Promise<'reserved' | 'day' | 'sender'>;
  /**
   * Counts what a run used, and gives back what it had reserved. Writes the events `mailbox.budget_nearly_spent`, from
   * 80 % of the budget on, and `mailbox.budget_spent`, once a day each; true when it wrote one.
   */
  settle(run: ModelRun, used: { readonly input: number; readonly output: number }, now: Millis): Promise<boolean>;
  /** Writes the event `mailbox.budget_spent`, once a day, as a message was rejected; true when it was written. */
  spent(mailbox_id: string, day: number, now: Millis): Promise<boolean>;
  /** The days from `since` on that have runs, newest first. */
  days(mailbox_id: string, since: number): Promise<readonly DayUsage[]>;
  /** Removes up to `max` counts of days before `day`, and of single senders before `senders_day`; returns how many. */
  trim(day: number, senders_day: number, max: number): Promise<number>;
}
