import type { Address } from './address.ts';
import type { Channel } from './message.ts';
import type { Letter } from './post.ts';
import type { Once } from './store.ts';

/** What a person without a key writes, wherever it was typed. */
export interface GuestLetter {
  readonly to: Address;
  readonly body: string;
  /** The thread it goes on with, shown to be its own; null begins one. */
  readonly thread_id: string | null;
  readonly channel: Channel;
  readonly once: Once | undefined;
}

/** As a letter: from nobody's namespace, and only where the try-out is open. */
export const guestLetter = ({ to, body, thread_id, channel, once }: GuestLetter): Letter => ({
  to,
  body,
  subject: null,
  data: null,
  sender: { kind: 'guest', id: thread_id, namespace_id: null, key_id: null, from: null },
  from_mailbox_id: null,
  channel,
  thread_id,
  in_reply_to: null,
  retry_of: null,
  hops: 0,
  try_out: true,
  once,
});
