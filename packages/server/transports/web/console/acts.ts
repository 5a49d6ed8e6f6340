import { isReplyId, replyIdOf } from '@mailroom/behavior/values/ids';
import type { MessageLabels } from '../../../core/access/message-labels.ts';
import { DONE, UNREAD } from '../../../core/entities/label.ts';
import type { Message } from '../../../core/entities/message.ts';
import type { Store } from '../../../core/ports/store.ts';
import { labelMailbox, markRead, newestReceived } from './shown-labels.ts';
import type { Signed } from './sign-in-form.ts';

const PAGE = 50;
/** Messages of a conversation that one request changes; what is left of a longer one stays in the list. */
const MAX_CHANGED = 1_000;
/** Messages of one call of the API. */
const BATCH = 200;
/** Messages of a thread that are marked as read at once. */
const MAX_READ = 50;

/** What is done with a whole conversation, and what takes it back. */
export const OPPOSITES = {
  trash: 'restore',
  restore: 'trash',
  [DONE]: 'inbox',
  inbox: DONE,
  read: UNREAD,
  [UNREAD]: 'read',
} as const;
export type Act = keyof typeof OPPOSITES;
export const actOf = (text: unknown): Act | undefined =>
  typeof text === 'string' && Object.hasOwn(OPPOSITES, text) ? (text as Act) : undefined;

interface Parts {
  readonly store: Pick<Store, 'messages'>;
  readonly labels: MessageLabels;
  readonly mailDomain: string;
}

/** The messages of the conversation, with replies that another mailbox of the owner received. */
async function idsOf({ id, thread_id, reply }: Message, { store }: Parts): Promise<readonly string[]> {
  const ids = new Set([id, ...(reply === null ? [] : [replyIdOf(id)])]);
  let cursor: string | null = null;
  while (!isReplyId(id) && ids.size < MAX_CHANGED) {
    const { items, next } = await store.messages.threadEnd(thread_id, cursor, PAGE);
    for (const one of items) {
      ids.add(one.id);
      if (one.reply !== null) ids.add(replyIdOf(one.id));
    }
    cursor = next;
    if (cursor === null) break;
  }
  return [...ids].slice(0, MAX_CHANGED);
}

/** Moves messages to the trash or out of it, as far as the owner may; returns how many. */
async function move(ids: readonly string[], to: 'trash' | 'restore', { api }: Signed): Promise<number> {
  let moved = 0;
  for (let at = 0; at < ids.length; at += BATCH) {
    const what = to === 'trash' ? { trash: true } : { restore: true };
    const { items } = await api.json('changeMessages', { body: { ids: ids.slice(at, at + BATCH), ...what } });
    moved += items.filter(({ status }) => status === 200).length;
  }
  return moved;
}

/** Moves one message to the trash or out of it; false where it is in no view of the owner's. */
export const moveMessage = async ({ id }: Message, to: 'trash' | 'restore', signed: Signed): Promise<boolean> =>
  (await move([id], to, signed)) > 0;

/**
 * Does it with the conversation of a message, in the mailbox that the list is narrowed to; false where nothing of it is
 * the owner's to change.
 */
export async function actOn(
  what: Act,
  message: Message,
  signed: Signed,
  local: string | undefined,
  parts: Parts,
): Promise<boolean> {
  if (what === 'trash' || what === 'restore') return (await move(await idsOf(message, parts), what, signed)) > 0;
  const mailbox = await labelMailbox(message, signed, local, parts);
  if (mailbox === undefined) return false;
  if (what === UNREAD) {
    await parts.labels.change(message, mailbox, { labels: { add: [UNREAD], remove: [DONE] } });
    return true;
  }
  const { items } = await parts.store.messages.threadEnd(message.thread_id, null, MAX_READ);
  const all = [message, ...items];
  if (what !== 'inbox') await markRead(mailbox, all, signed, parts);
  if (what === 'read') return true;
  const newest = await newestReceived(all, mailbox, parts);
  // Of what was only sent, the message itself stands for the conversation.
  const target = newest ?? message;
  await parts.labels.change(target, mailbox, { labels: what === DONE ? { add: [DONE] } : { remove: [DONE] } });
  return true;
}

/** Whether a message is in a trash of its views. */
export const inTrash = (message: Message): boolean => (message.labels ?? []).some(({ label }) => label === 'trash');
