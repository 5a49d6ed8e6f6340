import type { Message } from '../entities/message.ts';
import type { Review } from '../entities/review.ts';
import type { Store } from '../ports/store.ts';
import type { CarriedFurther } from '../review/held-answers.ts';

/** Replies of a conversation that are looked at, the newest. */
const MAX_THREAD = 50;

/** Whether a program wrote it under its claim, and its message was answered by hand since. */
export async function isOvertaken(
  { kind, carries, requested_at }: Review,
  message: Pick<Message, 'id' | 'thread_id'>,
  { messages }: Pick<Store, 'messages'>,
): Promise<boolean> {
  if (kind !== 'further' || (JSON.parse(carries) as CarriedFurther).reply.by_hand === true) return false;
  const { items } = await messages.threadEnd(message.thread_id, null, MAX_THREAD, 'beginning');
  return items.some(
    ({ in_reply_to, by_hand, created_at }) =>
      in_reply_to === message.id && by_hand === true && created_at > requested_at,
  );
}
