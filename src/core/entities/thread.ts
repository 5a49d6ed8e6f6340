import type { Store } from '../ports/store.ts';
import { firstOf } from '../values/ids.ts';
import type { Message } from './message.ts';

/**
 * The oldest message of a thread that is there: its first, or a later one once that was old enough to go. All of a thread
 * have one sender and one recipient.
 */
export async function oldestOf(store: Store, threadId: string): Promise<Message | undefined> {
  const first = await store.messages.byId(firstOf(threadId));
  return first ?? (await store.messages.thread(threadId, null, 1)).items[0];
}
