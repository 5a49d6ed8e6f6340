import type { Message } from '../entities/message.ts';

/** Guests that are not told apart take turns as one caller. */
const GUESTS = 'guest:';
/** Of messages whose caller does not follow from what is stored of them. */
const callers = new WeakMap<Message, string>();

export const guestCaller = (network: string): string => GUESTS + network;
export const isGuest = (caller: string): boolean => caller.startsWith(GUESTS);

/** Remembers whose turn a message takes: a guest's network, or whoever caused it first. */
export const callsFor = (message: Message, caller: string): void => void callers.set(message, caller);

/**
 * Whose turn a message takes wherever callers take turns: the namespace that answers for who wrote it, a guest's network; of a
 * message that another one caused, that one's. What was read from the store again counts for its sender's namespace.
 */
export const callerOf = (message: Message): string =>
  callers.get(message) ?? message.sender_namespace_id ?? GUESTS + (message.sender_id ?? '');
