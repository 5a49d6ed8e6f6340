import { firstOf } from '@mailroom/behavior/values/ids';
import type { Message } from '../entities/message.ts';
import type { Store } from '../ports/store.ts';

/**
 * The oldest remaining message of a thread; retention may have removed earlier ones. All messages of a thread have the
 * same sender and recipient.
 */
export async function oldestOf(store: Store, threadId: string): Promise<Message | undefined> {
  const first = await store.messages.byId(firstOf(threadId));
  return first ?? (await store.messages.thread(threadId, null, 1)).items[0];
}
