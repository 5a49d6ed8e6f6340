import type { Millis } from '@mailroom/behavior/values/clock';
import type { Clause, Condition, Phrase } from '../values/search-query.ts';

/** The caller of a search, so that its searches hold up only its own; they end when `signal` aborts. */
export interface SearchCaller {
  readonly id: string;
  readonly signal?: AbortSignal;
}

/** Maximum characters of a `query` of a list; a longer one is AppError `validation_error`. */
export const MAX_QUERY = 200;

/** Whose messages are searched: those that keys of the namespace sent and its mailboxes received, or those of some mailboxes. */
export type SearchedBy = { readonly namespace_id: string } | { readonly mailbox_ids: readonly string[] };

/** A search of the index: all clauses hold. */
export interface IndexSearch {
  readonly of: SearchedBy;
  readonly words: readonly Clause<Phrase>[];
  /** `mailbox` has the id of a mailbox as its value. */
  readonly conditions: readonly Clause<Condition>[];
  /** Only what is in the trash, which is left out otherwise. */
  readonly trash?: true;
  /** Only of this thread. */
  readonly thread_id?: string;
  /** `newest` first, or those first that say it most, among the newest 3,000. */
  readonly sort: 'newest' | 'relevance';
}

/** How far the index of messages is. */
export interface IndexStatus {
  /** Everything that was written until then is found; 0 where it is not known so far. */
  readonly until: Millis;
  /** False while the messages that were there before the index are still added to it, oldest first. */
  readonly built: boolean;
}
