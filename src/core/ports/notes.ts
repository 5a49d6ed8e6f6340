import type { Note, Owner } from '../entities/note.ts';
import type { SearchCaller } from './search.ts';

/** What mailboxes remember for senders; written only by effects. */
export interface Notes {
  get(of: Owner, name: string): Promise<Note | undefined>;
  /** Notes with `query` in name or text, ignoring case, ordered by name; all of them when it is ''. */
  find(of: Owner, query: string, most: number, caller?: SearchCaller): Promise<readonly Note[]>;
  count(of: Owner): Promise<number>;
}
