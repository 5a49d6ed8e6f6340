import type { Millis } from '../values/clock.ts';
import type { Sender } from './message.ts';

/** Whose something is: a sender, in one mailbox. */
export interface Owner {
  readonly mailbox_id: string;
  /** `key:key_…`, `mailbox:mbx_…`, `guest:thr_…`: the sender's kind and id. */
  readonly owner: string;
}

/** Something a sender has a mailbox remember. */
export interface Note {
  readonly name: string;
  readonly text: string;
  readonly updated_at: Millis;
}

/** The owner of what this sender keeps in that mailbox; undefined once the sender was deleted. */
export const ownerOf = (sender: Pick<Sender, 'kind' | 'id'>, mailbox_id: string): Owner | undefined =>
  sender.id === null ? undefined : { mailbox_id, owner: `${sender.kind}:${sender.id}` };
