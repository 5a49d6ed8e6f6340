import type { Millis } from '../values/clock.ts';
import type { Sender } from './message.ts';

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
