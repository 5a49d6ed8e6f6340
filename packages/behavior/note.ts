import type { Sender } from './message.ts';
import type { Millis } from './values/clock.ts';

/** The owner of notes and schedules: a sender, in one mailbox. */
export interface Owner {
  readonly mailbox_id: string;
  /** The sender's kind and id: `key:key_…`, `mailbox:mbx_…`, `guest:thr_…`. */
  readonly owner: string;
}

/** Something that a mailbox remembers for a sender. */
export interface Note {
  readonly name: string;
  readonly text: string;
  readonly updated_at: Millis;
}

/** The owner of this sender's notes and schedules in that mailbox; undefined once the sender was deleted. */
export const ownerOf = (sender: Pick<Sender, 'kind' | 'id'>, mailbox_id: string): Owner | undefined =>
  sender.id === null ? undefined : { mailbox_id, owner: `${sender.kind}:${sender.id}` };

/** What mailboxes remember for senders; written only by effects. */
export interface NoteReader {
  get(of: Owner, name: string): Promise<Note | undefined>;
  /** Notes with `query` in name or text, ignoring case, ordered by name; all of them when it is ''. */
  find(of: Owner, query: string, most: number): Promise<readonly Note[]>;
  count(of: Owner): Promise<number>;
}
