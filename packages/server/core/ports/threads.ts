import type { Millis } from '@mailroom/behavior/values/clock';
import type { StandingFilter } from '../entities/standing.ts';
import type { Page } from '../values/page.ts';
import type { SearchedBy } from './search.ts';

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

/** Who wrote a message, and whom it was for but Bcc, as stored; null for one without an address. */
export interface ThreadMember {
  readonly from: string | null;
  readonly to: readonly (string | null)[];
}

/** A thread as a namespace or a mailbox sees it. */
export interface Conversation {
  readonly thread_id: string;
  /** When something happened in it last. */
  readonly at: Millis;
  /** Of its first message that has one. */
  readonly subject: string | null;
  /** Of its first and its newest 200 messages, oldest first, with the replies. */
  readonly members: readonly ThreadMember[];
  /** The mailboxes that wrote or received its messages, others' too. */
  readonly mailbox_ids: readonly string[];
  /** Messages and replies. */
  readonly messages_count: number;
  readonly unread_count: number;
  /** In the caller's mailboxes, `unread` too. */
  readonly labels: readonly string[];
  /** `text` is the beginning of what it says. */
  readonly last: { readonly id: string; readonly from: string | null; readonly at: Millis; readonly text: string };
}

/** Threads that people took over from the behavior of a mailbox: their messages wait for an answer by hand. */
export interface Threads {
  /**
   * Its messages that have no answer, and each later one, wait for an answer by hand from `now` on: no run and no claim
   * that began before settles one. What waits for an approval keeps waiting for it, and what was approved is carried out.
   * Returns the ids of those that wait now; undefined, with nothing changed, when it was taken over before or its mailbox
   * is gone.
   */
  takeOver(of: ThreadOf, answer_within_ms: Millis, now: Millis): Promise<readonly string[] | undefined>;
  /**
   * Its messages without an answer are due again, or held while the mailbox is paused. With `answer_by`, of a mailbox that
   * is answered from outside, they wait for an answer until then. False when it was not taken over.
   */
  handBack(of: ThreadOf, now: Millis, answer_by?: Millis): Promise<boolean>;
  /**
   * By newest activity; `place` is `next` of the previous page. A page may be short and still have a `next`. With
   * `standing`, of open or unassigned ones, without those of which the mailbox has noted another state or assignee.
   */
  conversations(
    of: SearchedBy,
    place: string | null,
    size: number,
    standing?: StandingFilter,
  ): Promise<Page<Conversation>>;
  /** These threads, in any order, but for those of which nothing is seen. */
  conversationsOf(of: SearchedBy, thread_ids: readonly string[]): Promise<readonly Conversation[]>;
  /** Undefined when it is not taken over. */
  takenOver(of: ThreadOf): Promise<TakenOver | undefined>;
}
