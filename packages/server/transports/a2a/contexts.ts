import { type Clock, DAY, type Millis } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import type { Message } from '../../core/entities/message.ts';
import type { Store } from '../../core/ports/store.ts';

const THREAD = 'a2a_thread';
const NAME = 'a2a_context';
/** A name is forgotten when its conversation was not continued for so long. */
const KEPT_MS: Millis = 90 * DAY;

/** Whose names they are: a namespace's, for one address. */
interface Owner {
  readonly namespace_id: string;
  readonly mailbox_id: string;
}

interface Parts {
  readonly store: Pick<Store, 'states'>;
  readonly clock: Clock;
}

/** Whether a client may give a conversation this contextId; what looks like one of ours is none of theirs. */
export const isOwnContext = (contextId: string): boolean => /^(?!thr_|mt_)[\x21-\x7e]{1,200}$/.test(contextId);

const idOf = (contextId: string, { namespace_id, mailbox_id }: Owner): string =>
  sha256(`${namespace_id} ${mailbox_id} ${contextId}`);

/** The thread to which a client gave this contextId before; undefined for a new one. */
export async function threadNamed(contextId: string, of: Owner, { store, clock }: Parts): Promise<string | undefined> {
  return (await store.states.get(THREAD, idOf(contextId, of), clock()))?.value;
}

/** Keeps the contextId that a client gave to a thread. */
export async function nameThread(
  contextId: string,
  thread_id: string,
  owner: Owner,
  { store, clock }: Parts,
): Promise<void> {
  const kept = { subject: thread_id, expires_at: clock() + KEPT_MS };
  // In this order, because a caller that finds the thread by its name asks next for the name.
  await store.states.set({ ...kept, kind: NAME, id: thread_id, value: contextId });
  await store.states.set({ ...kept, kind: THREAD, id: idOf(contextId, owner), value: thread_id });
}

/** The contextId of a message's thread: the one that its client gave it, else the thread's id. */
export async function contextOf(
  { channel, thread_id }: Pick<Message, 'channel' | 'thread_id'>,
  { store, clock }: Parts,
): Promise<string> {
  if (channel !== 'a2a') return thread_id;
  return (await store.states.get(NAME, thread_id, clock()))?.value ?? thread_id;
}
