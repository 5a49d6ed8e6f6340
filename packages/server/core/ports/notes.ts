import type { Note, NoteReader, Owner } from '@mailroom/behavior/note';
import type { SearchCaller } from './search.ts';

/** What mailboxes remember for senders; written only by effects. */
export interface Notes extends NoteReader {
  find(of: Owner, query: string, most: number, caller?: SearchCaller): Promise<readonly Note[]>;
}
