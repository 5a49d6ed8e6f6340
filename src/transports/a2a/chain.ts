import type { Message } from '../../core/entities/message.ts';
import type { Messages } from '../../core/ports/messages.ts';
import { replyIdOf } from '../../core/values/ids.ts';

/** A task: the message that began it, and those that answered its questions, oldest first. */
export type Chain = readonly [Message, ...Message[]];

export const lastOf = (chain: Chain): Message => chain.at(-1) as Message;

/** The chain with another newest message. */
export const withLast = (chain: Chain, last: Message): Chain => [...chain.slice(0, -1), last] as unknown as Chain;

/** The task that this message began: a message that answers a question continues the task that asked. */
export async function chainOf(root: Message, messages: Pick<Messages, 'thread'>): Promise<Chain> {
  const chain: [Message, ...Message[]] = [root];
  for (let last = root; last.status === 'input_required'; ) {
    const question = replyIdOf(last.id);
    const page = await messages.thread(root.thread_id, last.id, 50);
    const next = page.items.find(
      (one) => one.in_reply_to === question && one.kind === 'message' && sameEnds(one, root),
    );
    if (next === undefined) break;
    chain.push(next);
    last = next;
  }
  return chain;
}

const sameEnds = (one: Message, other: Message): boolean =>
  one.mailbox_id === other.mailbox_id && one.sender_kind === other.sender_kind && one.sender_id === other.sender_id;
