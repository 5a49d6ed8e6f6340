import type { Millis } from '@mailroom/behavior/values/clock';

/** The messages of a thread that one mailbox received. */
export interface ThreadOf {
  readonly thread_id: string;
  readonly mailbox_id: string;
}

/** Since when a thread is taken over, and how long each of its messages waits for an answer by hand. */
export interface TakenOver {
  readonly taken_at: Millis;
  readonly answer_within_ms: Millis;
}

/** Threads that people took over from the behavior of a mailbox: their messages wait for an answer by hand. */
export interface Threads {
  /**
   * Its messages that wait to be handled, and each later one, wait for an answer from `now` on. What is being handled is
   * finished, and what waits for an approval keeps waiting for it. False, with nothing changed, when it was taken over
   * before or its mailbox is gone.
   */
  takeOver(of: ThreadOf, answer_within_ms: Millis, now: Millis): Promise<boolean>;
  /**
   * Its messages without an answer are due again, or held while the mailbox is paused. With `answer_by`, of a mailbox that
   * is answered from outside, they wait for an answer until then. False when it was not taken over.
   */
  handBack(of: ThreadOf, now: Millis, answer_by?: Millis): Promise<boolean>;
  /** Undefined when it is not taken over. */
  takenOver(of: ThreadOf): Promise<TakenOver | undefined>;
}
