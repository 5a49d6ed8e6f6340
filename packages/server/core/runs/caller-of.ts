import { guestCaller } from '@mailroom/behavior/values/guest';
import type { Message } from '../entities/message.ts';

/** The callers of messages for which the stored row does not give the caller. */
const callers = new WeakMap<Message, string>();

/** Records the caller of a message: a guest's network, or the caller of the message that first caused it. */
export const callsFor = (message: Message, caller: string): void => void callers.set(message, caller);

/**
 * The caller that a message counts for where callers take turns: the namespace of its sender, a guest's network, or the
 * caller of the message that caused it. A message read from the store again counts for its sender's namespace.
 */
export const callerOf = (message: Message): string =>
  callers.get(message) ?? message.sender_namespace_id ?? guestCaller(message.sender_id ?? '');
