import type { Sender } from '@mailroom/behavior/message';
import { firstOf } from '@mailroom/behavior/values/ids';
import type { Message } from '../entities/message.ts';
import { isAmong } from '../entities/recipients.ts';
import type { Store } from '../ports/store.ts';

/** Messages of a thread among which its participants are looked for. */
const THREAD_PAGE = 200;

/**
 * The oldest remaining message of a thread; retention may have removed earlier ones.
 */
export async function oldestOf(store: Pick<Store, 'messages'>, threadId: string): Promise<Message | undefined> {
  const first = await store.messages.byId(firstOf(threadId));
  return first ?? (await store.messages.thread(threadId, null, 1)).items[0];
}

/** Whether this sender is of From, To, Cc or Bcc of a message. */
export const isOf = (message: Message, { kind, id, from }: Pick<Sender, 'kind' | 'id' | 'from'>): boolean =>
  (id !== null && message.sender_kind === kind && message.sender_id === id) ||
  isAmong(message, from ?? (kind === 'email' ? id : null) ?? '');

/** The first message of a thread for which `fits` holds, of those of its beginning. */
export async function findInThread(
  store: Pick<Store, 'messages'>,
  threadId: string,
  fits: (message: Message) => boolean | Promise<boolean>,
): Promise<Message | undefined> {
  const { items } = await store.messages.thread(threadId, null, THREAD_PAGE);
  for (const message of items) if (await fits(message)) return message;
  return undefined;
}

/** What of a thread a mailbox wrote or received; of what it wrote to several recipients, the copies that were answered. */
export const seenIn = (mailboxId: string, thread: readonly Message[]): readonly Message[] =>
  thread.filter(
    ({ mailbox_id, sender_kind, sender_id, copy_of: copyOf, reply }) =>
      mailbox_id === mailboxId ||
      (sender_kind === 'mailbox' && sender_id === mailboxId && (copyOf === undefined || reply !== null)),
  );
