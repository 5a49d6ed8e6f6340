import type { Millis } from '@mailroom/behavior/values/clock';
import type { Standing, StandingChange, StandingFilter, ThreadNote, ThreadStanding } from '../entities/standing.ts';
import type { Page } from '../values/page.ts';
import type { Claim } from './claim.ts';
import type { SearchedBy } from './search.ts';
import type { ThreadOf } from './threads.ts';

/** Where threads stand in the mailboxes that received or wrote them, and what members noted of them. */
export interface Conversations {
  /**
   * Changes where a thread stands, with an event where that changes anything, and returns it as it is then. Undefined when
   * the mailbox is gone.
   */
  change(of: ThreadOf, change: StandingChange, now: Millis): Promise<Standing | undefined>;
  /** Of these threads in these mailboxes, those of which something is noted. */
  find(thread_ids: readonly string[], mailbox_ids: readonly string[]): Promise<readonly ThreadStanding[]>;
  /**
   * A page of the ids of threads that stand so, by their last change or message that arrived, the newest first, where rows
   * say so: open ones that are assigned to none may have no row.
   */
  page(of: SearchedBy, filter: StandingFilter, place: string | null, size: number): Promise<Page<string>>;
  /** Opens a thread whose time has come, once, and ends the job; the namespace where it did. */
  reopen(of: ThreadOf, now: Millis, claim: Pick<Claim, 'id' | 'fence'>): Promise<string | undefined>;
  /** Stores a note with its event; false when the mailbox is gone. */
  addNote(note: ThreadNote): Promise<boolean>;
  /** Up to `size` notes of a thread in these mailboxes, the newest ones, oldest first. */
  notes(thread_id: string, mailbox_ids: readonly string[], size: number): Promise<readonly ThreadNote[]>;
  /** Notes of a mailbox in the order of their ids, after one of them. */
  notesOf(mailbox_id: string, after: string, size: number): Promise<readonly ThreadNote[]>;
}
