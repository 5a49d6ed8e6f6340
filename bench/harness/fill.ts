import { sha256 } from '@mailroom/behavior/values/hash';
import { newId } from '@mailroom/behavior/values/ids';
import { type Message, newMessage } from '@mailroom/server/core/entities/message';
import type { Store } from '@mailroom/server/core/ports/store';
import { QUESTION } from './service.ts';

const IN_FLIGHT = 1000;

export interface Filling {
  /** A key of the namespace `agents`. */
  readonly key: string;
  readonly local_part: string;
  readonly count: number;
  /** The time at which message n was written, counted from 0. */
  readonly at: (n: number) => number;
  /** The reply of every message; without it the messages wait. */
  readonly reply?: string;
  /** What is otherwise of message n, whose id is given. */
  readonly fields?: (n: number, id: string) => Partial<Message>;
}

/** Writes messages of one key to one mailbox through the store's own `accept`, as the service would. */
export async function fill(store: Store, { key, local_part, count, at, reply, fields }: Filling): Promise<void> {
  const sender = await store.keys.bySha256(sha256(key));
  const mailbox = await store.mailboxes.byAddress(local_part, 'agents');
  if (sender === undefined || mailbox === undefined) throw new Error('the key or the mailbox is missing');
  let made = 0;
  const write = async (): Promise<void> => {
    while (made < count) {
      const n = made++;
      const now = at(n);
      const id = newId('msg', now);
      const message = newMessage({
        id,
        mailbox_id: mailbox.id,
        to: `${local_part}@agents`,
        sender_kind: 'key',
        sender_id: sender.id,
        sender_namespace_id: sender.namespace_id,
        key_id: sender.id,
        body: QUESTION,
        status: reply === undefined ? 'submitted' : 'completed',
        reply: reply === undefined ? null : { body: reply, data: null },
        created_at: now,
        settled_at: reply === undefined ? null : now,
        ...fields?.(n, id),
      });
      const { kind } = await store.messages.accept({ message, max_waiting: count, from_mailbox_id: null });
      if (kind !== 'accepted') throw new Error(`filling: ${kind}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, write));
}
