import { isOutgoing, type Status } from '@mailroom/behavior/message';
import { isOutside } from '@mailroom/behavior/values/address';
import { isSettled, type Message } from '../entities/message.ts';
import { addressesIn, untagged } from '../entities/recipients.ts';
import type { Store } from '../ports/store.ts';

/** How many messages one look-up covers. */
const PAGE = 100;

/** Whether it is what its sender wrote to several recipients. */
export const isForMany = (message: Message): boolean => message.recipients !== undefined && isOutgoing(message);

/** Whether a copy is that of an address in To. */
export const isInTo = ({ recipients }: Message, { to }: Message): boolean =>
  to !== null && recipients?.to.some((address) => untagged(address) === untagged(to)) === true;

/** The messages, those with several recipients with their copies and the state that follows from these. */
export async function withCopies(
  messages: readonly Message[],
  { messages: stored }: Pick<Store, 'messages'>,
): Promise<readonly Message[]> {
  const ids = messages.filter(isForMany).map(({ id }) => id);
  if (ids.length === 0) return messages;
  const copies: Message[] = [];
  for (let at = 0; at < ids.length; at += PAGE) copies.push(...(await stored.copiesOf(ids.slice(at, at + PAGE))));
  const byOriginal = Map.groupBy(copies, ({ copy_of: copyOf }) => copyOf);
  return messages.map((message) =>
    isForMany(message) ? withState(message, byOriginal.get(message.id) ?? []) : message,
  );
}

function withState(message: Message, all: readonly Message[]): Message {
  // It waits for its review, or never left.
  if (message.status !== 'completed') return { ...message, copies: all };
  const again = new Set(all.map(({ retry_of: retryOf }) => retryOf));
  const places = (message.recipients === undefined ? [] : addressesIn(message.recipients)).map(untagged);
  const placeOf = ({ to }: Message): number => places.indexOf(untagged(to ?? ''));
  const copies = all.filter(({ id }) => !again.has(id)).sort((one, other) => placeOf(one) - placeOf(other));
  const { to = [] } = message.recipients ?? {};
  const here = to.filter((address) => !isOutside(address));
  const first = here.map((address) => copies.find((copy) => untagged(copy.to ?? '') === untagged(address)));
  const existing = first.filter((copy) => copy !== undefined);
  // Copies are made within a moment of each other; before the first one, it waits for them.
  const isOpen = existing.some(({ status }) => !isSettled(status)) || (here.length > 0 && copies.length === 0);
  const repliesCount = copies.reduce((sum, copy) => sum + copy.replies_count, 0);
  if (isOpen) return { ...message, copies, status: 'working', settled_at: null, replies_count: repliesCount };
  const ends = existing.map(({ settled_at: at }) => at ?? 0);
  const settledAt = Math.max(message.settled_at ?? message.created_at, ...ends);
  return { ...message, copies, status: endOf(message, existing), settled_at: settledAt, replies_count: repliesCount };
}

/** `completed` where one in To completed, an address outside included; else as the first. */
function endOf({ recipients }: Message, known: readonly Message[]): Status {
  const isDone = known.some(({ status }) => status === 'completed') || recipients?.to.some(isOutside) === true;
  return isDone ? 'completed' : (known[0]?.status ?? 'completed');
}
