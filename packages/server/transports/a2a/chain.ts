import { replyIdOf, threadOf } from '@mailroom/behavior/values/ids';
import type { Message } from '../../core/entities/message.ts';
import type { Messages } from '../../core/ports/messages.ts';

/** A task: the message that began it, and those that answered its questions, oldest first. */
export type Chain = readonly [Message, ...Message[]];

export const lastOf = (chain: Chain): Message => chain.at(-1) as Message;

/** The chain with another newest message. */
export const withLast = (chain: Chain, last: Message): Chain => [...chain.slice(0, -1), last] as unknown as Chain;

/** The task that this message began: a message that answers a question continues the task that asked. */
export async function chainOf(root: Message, messages: Pick<Messages, 'thread'>): Promise<Chain> {
  const chain: [Message, ...Message[]] = [root];
  for (let last = root; last.status === 'input_required'; ) {
    const asked = last;
    const page = await messages.thread(root.thread_id, asked.id, 50);
    const next = page.items.find((one) => sameEnds(one, root) && answers(one, asked));
    if (next === undefined) break;
    chain.push(next);
    last = next;
  }
  return chain;
}

/** Whether a message of a thread continues a task that began before it, so that it is none of its own. */
export async function continues(message: Message, messages: Pick<Messages, 'thread' | 'threadEnd'>): Promise<boolean> {
  if (message.thread_id === threadOf(message.id)) return false;
  if (message.channel === 'a2a') return message.in_reply_to !== null;
  const { items } = await messages.threadEnd(message.thread_id, message.id, 20);
  const asked = items.findLast((one) => sameEnds(one, message) && answers(message, one));
  return asked !== undefined && (await chainOf(asked, messages))[1]?.id === message.id;
}

/**
 * Whether a message answers the question of another one. In A2A it names the task, else it begins another one; by any
 * other transport the next message of the thread answers it (contract, section 5).
 */
function answers(message: Message, asked: Message): boolean {
  if (asked.status !== 'input_required' || message.retry_of !== null) return false;
  if (message.in_reply_to === replyIdOf(asked.id) || message.in_reply_to === asked.id) return true;
  return message.in_reply_to === null && message.channel !== 'a2a';
}

const sameEnds = (message: Message, other: Message): boolean =>
  message.kind === 'message' &&
  message.mailbox_id === other.mailbox_id &&
  message.sender_kind === other.sender_kind &&
  message.sender_id === other.sender_id;
