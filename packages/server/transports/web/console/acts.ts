import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { type Clock, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import { isReplyId, replyIdOf } from '@mailroom/behavior/values/ids';
import type { MessageLabels } from '../../../core/access/message-labels.ts';
import { UNREAD } from '../../../core/entities/label.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import { isSettled, type Message } from '../../../core/entities/message.ts';
import type { Store } from '../../../core/ports/store.ts';
import { CANCELED_BY_TRASH } from '../../../core/values/states.ts';
import { labelMailbox, markRead } from './shown-labels.ts';
import type { Signed } from './sign-in-form.ts';

const PAGE = 50;
/** Messages of a conversation that one request changes; what is left of a longer one stays in the list. */
const MAX_CHANGED = 1_000;
/** Messages of one call of the API. */
const BATCH = 200;
/** Messages of a thread that are marked as read at once. */
const MAX_READ = 50;
/** How long it is known what moving to the trash canceled; a toast is offered for less. */
const UNDO_MS: Millis = MINUTE;

/** What is done with a whole conversation, and what takes it back. */
export const OPPOSITES = {
  trash: 'restore',
  restore: 'trash',
  'trash-one': 'restore-one',
  'restore-one': 'trash-one',
  done: 'inbox',
  inbox: 'done',
  later: 'inbox',
  read: UNREAD,
  [UNREAD]: 'read',
} as const;
export type Act = keyof typeof OPPOSITES;
export const actOf = (text: unknown): Act | undefined =>
  typeof text === 'string' && Object.hasOwn(OPPOSITES, text) ? (text as Act) : undefined;

interface Parts {
  readonly store: Pick<Store, 'messages' | 'states'>;
  readonly labels: MessageLabels;
  readonly clock: Clock;
  readonly mailDomain: string;
}

/** The message, or all of its conversation, by id; replies that another mailbox of the owner received are among them. */
async function partsOf(message: Message, all: boolean, { store }: Parts): Promise<ReadonlyMap<string, Message>> {
  const { id, thread_id } = message;
  const found = new Map<string, Message>();
  const add = (one: Message): void => {
    found.set(one.id, one);
    if (one.reply !== null) found.set(replyIdOf(one.id), one);
  };
  add(message);
  let cursor: string | null = null;
  while (all && !isReplyId(id) && found.size < MAX_CHANGED) {
    const { items, next } = await store.messages.threadEnd(thread_id, cursor, PAGE, 'beginning');
    for (const one of items) add(one);
    cursor = next;
    if (cursor === null) break;
  }
  return new Map([...found].slice(0, MAX_CHANGED));
}

/** Moves messages to the trash, and notes which of them that canceled; false where none is the owner's to move. */
async function toTrash(
  messages: ReadonlyMap<string, Message>,
  signed: Signed,
  { store, clock }: Parts,
): Promise<boolean> {
  const moved = await move([...messages.keys()], 'trash', signed);
  const waiting = [...messages].flatMap(([id, one]) => (isSettled(one.status) || id !== one.id ? [] : [id]));
  for (const { id, status, mailbox_id: subject } of await store.messages.byIds(waiting, 'beginning'))
    if (status === 'canceled')
      await store.states.set({ kind: CANCELED_BY_TRASH, id, subject, value: '', expires_at: clock() + UNDO_MS });
  return moved > 0;
}

/** Those of a conversation, or of one message, that moving it to the trash canceled a moment ago; each is given once. */
export async function canceledByTrash(message: Message, all: boolean, parts: Parts): Promise<readonly string[]> {
  const { store, clock } = parts;
  const canceled: string[] = [];
  for (const [id, one] of await partsOf(message, all, parts))
    if (one.status === 'canceled' && (await store.states.take(CANCELED_BY_TRASH, id, clock())) !== undefined)
      canceled.push(id);
  return canceled;
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
  const all = what === 'trash' || what === 'restore';
  if (all || what === 'trash-one' || what === 'restore-one') {
    const messages = await partsOf(message, all, parts);
    if (what === 'trash' || what === 'trash-one') return toTrash(messages, signed, parts);
    return (await move([...messages.keys()], 'restore', signed)) > 0;
  }
  const mailbox = await labelMailbox(message, signed, local, parts);
  if (mailbox === undefined) return false;
  if (what === UNREAD) {
    await parts.labels.change(message, mailbox, { labels: { add: [UNREAD] } });
    await stand(message, mailbox, 'open', signed, parts);
    return true;
  }
  const { items } = await parts.store.messages.threadEnd(message.thread_id, null, MAX_READ, 'beginning');
  const newestFirst = [message, ...items];
  if (what !== 'inbox') await markRead(mailbox, newestFirst, signed, parts);
  if (what === 'read') return true;
  await stand(message, mailbox, what === 'done' ? 'done' : 'open', signed, parts);
  return true;
}

/** Puts the conversation of a message into a state in the mailbox. */
async function stand(
  { thread_id: id }: Message,
  mailbox: Mailbox,
  state: 'done' | 'open',
  { api }: Signed,
  { mailDomain }: Parts,
): Promise<void> {
  const address = fullAddress(addressOf(mailbox), mailDomain);
  await api.json('changeThread', { params: { id }, body: { mailbox: address, state } });
}

/** Whether a message is in a trash of its views. */
export const inTrash = (message: Message): boolean => (message.labels ?? []).some(({ label }) => label === 'trash');
