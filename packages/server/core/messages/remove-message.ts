import { isOutgoing } from '@mailroom/behavior/message';
import { AppError } from '@mailroom/behavior/values/error';
import type { Rights } from '../access/caller.ts';
import { isReceivedBy, isSettled, type Message } from '../entities/message.ts';
import type { Store } from '../ports/store.ts';
import type { Submitter } from './submit.ts';

interface Parts {
  readonly store: Pick<Store, 'messages' | 'blobs'>;
  readonly post: Pick<Submitter, 'cancel'>;
}

/** Whether the caller manages the mailbox that received the message; a reply to a sender without a mailbox has none, and mail to the outside has its author. */
export const mayRemove = (message: Message, { recipient }: Rights): boolean =>
  recipient && (isReceivedBy(message, message.mailbox_id) || isOutgoing(message));

/** AppError `access_denied` for a caller who sees the message and may not delete it. */
export const mayNotRemove = (): AppError =>
  new AppError(
    'access_denied',
    'A message is deleted by the owner of the mailbox that received it. A reply to a sender without a mailbox is deleted with the message that it answers.',
  );

/** Maximum batches of bytes that are removed at once; the rest is removed later. */
const MAX_SWEEPS = 50;

/**
 * Deletes a message from the mailbox that received it, with its files, as `Messages.remove` does; one that has not settled
 * is canceled first. False when it is gone.
 */
export async function removeMessage(message: Message, { store, post }: Parts): Promise<boolean> {
  if (!isSettled(message.status)) await post.cancel(message);
  if (!(await store.messages.remove(message))) return false;
  // Its files, and the bytes of its mails; when this fails, they are removed later.
  const sweep = () => store.blobs.sweep(0).catch(() => false);
  for (let batch = 0; batch < MAX_SWEEPS && (await sweep()); batch++);
  return true;
}
