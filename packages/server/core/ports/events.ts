import type { Millis } from '@mailroom/behavior/values/clock';
import type { EventType, StoredEvent } from '../entities/event.ts';
import type { EventEntry } from '../entities/webhook.ts';

export interface EventQuery {
  readonly namespace_id: string;
  /** Only of these mailboxes. */
  readonly mailbox_ids?: readonly string[] | undefined;
}

/** One page of the log. */
export interface EventPage {
  /** In the order of the log, without events of deleted messages and mailboxes. */
  readonly items: readonly StoredEvent[];
  /** The cursor to continue after, present even when nothing was found. */
  readonly next: string;
  /** Whether there is more right now. */
  readonly more: boolean;
}

/** An event for statistics, without its subject. */
export interface Tally {
  readonly mailbox_id: string;
  readonly at: Millis;
  readonly type: EventType;
  /** Whether a message arrived with it. */
  readonly arrived: boolean;
  /** For a final event: the time since the arrival. */
  readonly took_ms: Millis | null;
}

/** A part of the log for statistics, with its first and last cursor; null when it is empty. */
export interface TallyPage {
  readonly items: readonly Tally[];
  readonly first: string | null;
  readonly last: string | null;
  readonly more: boolean;
}

/**
 * The log of events in the order of their commits, written in the transaction of the change itself. Reading on after a
 * cursor misses and repeats nothing: an event becomes visible only when no earlier one can be committed any more.
 */
export interface Events {
  /** From the oldest event, or after the one with this id. An id beyond the end of the log counts as its end. */
  page(of: EventQuery, after: string | null, size: number): Promise<EventPage>;
  /** The cursor of the newest event; null when there is none. */
  last(namespace_id: string): Promise<string | null>;
  /** The cursor of the newest event that happened before `at`; null when there is none. */
  lastBefore(namespace_id: string, at: Millis): Promise<string | null>;
  /** Up to `max` events after that cursor as they are in the log, oldest first. */
  entries(namespace_id: string, after: string, max: number): Promise<readonly EventEntry[]>;
  /** The events with their subjects as they are now, without those whose subject was deleted. */
  filled(entries: readonly EventEntry[], namespace_id: string): Promise<readonly StoredEvent[]>;
  /**
   * Up to `most` events for statistics: the oldest ones after a cursor, or the newest ones before it (null: from the
   * end). Includes those of deleted mailboxes, which the caller leaves out.
   */
  tally(
    namespace_id: string,
    from: { readonly after: string } | { readonly before: string | null },
    most: number,
  ): Promise<TallyPage>;
  /** Records for each of these living mailboxes that its messages go in circles. */
  loopDetected(mailbox_ids: readonly string[], at: Millis): Promise<void>;
  /** Removes up to `most` events that happened before `before`, oldest first; returns how many. */
  trim(before: Millis, most: number): Promise<number>;
}
