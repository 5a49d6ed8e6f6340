import type { Owner } from '../../core/entities/note.ts';
import type { MailboxQuery, MessageQuery } from '../../core/ports/store.ts';

export interface MessageTask {
  readonly kind: 'messages';
  readonly of: MessageQuery;
  /** Below this id, */
  readonly before: string;
  /** down to this one. */
  readonly floor: string;
  readonly max: number;
}

export interface MailboxTask {
  readonly kind: 'mailboxes';
  readonly of: MailboxQuery & { readonly query: string };
  readonly after: string;
  readonly max: number;
}

export interface NoteTask {
  readonly kind: 'notes';
  readonly of: Owner;
  readonly query: string;
  readonly after: string;
  readonly max: number;
}

/** What is left to look at of one search. */
export type SearchTask = MessageTask | MailboxTask | NoteTask;

/** What came of a bounded part of a search. */
export interface Slice {
  /** Ids, of notes names, in the order of the list. */
  readonly found: readonly string[];
  /** The last row that was looked at; null when none is left. */
  readonly place: string | null;
  /** Rows looked at, */
  readonly rows: number;
  /** and bytes of their text. */
  readonly bytes: number;
}

/** Where the search thread reads: the path of a SQLite file, or the URL of a PostgreSQL database. */
export type Source = { readonly sqlite: string } | { readonly postgres: string };

/** What came of a task; text: why the database cannot be read at the moment. */
export type Searched = Slice | string;
