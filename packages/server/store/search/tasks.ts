import type { Owner } from '@mailroom/behavior/note';
import type { MailboxQuery } from '../../core/ports/mailboxes.ts';
import type { MessageQuery } from '../../core/ports/messages.ts';
import type { IndexSearch } from '../../core/ports/search.ts';

export interface MessageTask {
  readonly kind: 'messages';
  readonly of: MessageQuery;
  /** Only ids below this one. */
  readonly before: string;
  /** Only ids from this one on. */
  readonly floor: string;
  readonly max: number;
}

interface MailboxTask {
  readonly kind: 'mailboxes';
  readonly of: MailboxQuery & { readonly query: string };
  readonly after: string;
  readonly max: number;
}

interface NoteTask {
  readonly kind: 'notes';
  readonly of: Owner;
  readonly query: string;
  readonly after: string;
  readonly max: number;
}

export interface HitsTask {
  readonly kind: 'hits';
  readonly of: IndexSearch;
  /** The last message examined, or with `relevance` how many of the best; null at the beginning. */
  readonly place: string | null;
  readonly max: number;
}

/** The remaining part of a search. */
export type SearchTask = MessageTask | MailboxTask | NoteTask | HitsTask;

/** The result of a bounded part of a search. */
export interface Slice {
  /** Ids, or names of notes, in the order of the list. */
  readonly found: readonly string[];
  /** The last row that was examined; null when none is left. */
  readonly place: string | null;
  /** The number of rows examined. */
  readonly rows: number;
  /** The number of bytes of text examined. */
  readonly bytes: number;
}

/** The database of the search thread: the path of a SQLite file, or the URL of a PostgreSQL database. */
export type Source = { readonly sqlite: string } | { readonly postgres: string };

/** The result of a task; text: why the database cannot be read at the moment. */
export type Searched = Slice | string;
