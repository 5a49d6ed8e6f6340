import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HOUR } from '@mailroom/behavior/values/clock';
import { newId, replyIdOf } from '@mailroom/behavior/values/ids';
import type { Message } from '../../core/entities/message.ts';
import type { MessageQuery } from '../../core/ports/messages.ts';
import type { Store } from '../../core/ports/store.ts';
import {
  accept,
  addFile,
  fromMailbox,
  messageOf,
  opened,
  settlementOf,
  T,
  type World,
  waitingOf,
  world,
} from './made.ts';

/** Changes at the same time: each has a connection for itself. */
const AT_ONCE = 50;

/** Tests of lists with few results among many messages: none of those is examined. */
export function narrowingContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: lists with few results`, () => {
    let store: Store;
    before(async () => {
      ({ store } = await opened(open));
    });
    after(() => store[Symbol.asyncDispose]());

    test('the few that ended badly are found at once among many that did not', async () => {
      const [own, other] = [await world(store), await world(store)];
      const statuses = ['failed', 'rejected', 'canceled', 'input_required'] as const;
      const few = statuses.map((status, at) =>
        messageOf(own, other, { ...fromMailbox(own), created_at: T + at, status, reply: null }),
      );
      const many = Array.from({ length: 600 }, (_, at) =>
        messageOf(own, other, { ...fromMailbox(own), created_at: T + 100 + at }),
      );
      for (const message of few) await accept(store, message, { from_mailbox_id: own.mailbox.id });
      await Promise.all(many.map((message) => accept(store, message, { from_mailbox_id: own.mailbox.id })));
      const lists: readonly MessageQuery[] = [
        { mailbox_id: other.mailbox.id },
        { mailbox_id: own.mailbox.id, direction: 'sent' },
        { mailbox_id: own.mailbox.id, direction: 'all' },
        { namespace_id: own.namespace.id },
        { namespace_id: other.namespace.id },
        { sender_namespace_id: own.namespace.id },
      ];
      for (const list of lists)
        for (const [at, status] of statuses.entries()) {
          const { items, next } = await store.messages.page({ ...list, status, scan: 500 }, null, 10);
          assert.deepEqual([items.map(({ id }) => id), next], [[few[at]?.id], null], JSON.stringify([list, status]));
        }
    });

    test('the few of one sender are found at once among many of others', async () => {
      const [own, rare, busy] = [await world(store), await world(store), await world(store)];
      const mailed = { sender_kind: 'email', sender_namespace_id: null, key_id: null, channel: 'smtp' } as const;
      const few = [
        messageOf(own, own, { ...mailed, sender_id: 'Ada@example.com' }),
        messageOf(rare, own, { ...fromMailbox(rare), created_at: T + 1, reply: null }),
      ];
      const many = Array.from({ length: 600 }, (_, at) => {
        const created_at = T + 100 + at;
        return at % 2 === 0
          ? messageOf(busy, own, { ...fromMailbox(busy), created_at, reply: null })
          : messageOf(own, own, { ...mailed, sender_id: 'grace@example.com', created_at });
      });
      const file = (message: Message, by?: World) =>
        accept(store, message, { from_mailbox_id: by?.mailbox.id ?? null });
      await Promise.all(few.map((message, at) => file(message, at === 1 ? rare : undefined)));
      await Promise.all(many.map((message, at) => file(message, at % 2 === 0 ? busy : undefined)));
      const senders = ['ada@example.com', `hello@${rare.namespace.name}`];
      for (const direction of ['received', 'all'] as const)
        for (const [at, from] of senders.entries()) {
          const list = { mailbox_id: own.mailbox.id, direction, from, scan: 500 };
          const { items, next } = await store.messages.page(list, null, 10);
          assert.deepEqual([items.map(({ id }) => id), next], [[few[at]?.id], null], JSON.stringify(list));
        }
    });

    test('the few with files are found at once among many without', async () => {
      const [own, other] = [await world(store), await world(store)];
      const sent = async (fields: Partial<Message>) => {
        const message = waitingOf(own, other, { ...fromMailbox(own), ...fields });
        const attachments = [await addFile(store, own, message.id)];
        await accept(store, { ...message, attachments }, { from_mailbox_id: own.mailbox.id });
        return message;
      };
      const first = await sent({ created_at: T });
      const asked = waitingOf(own, other, { ...fromMailbox(own), created_at: T + 1 });
      await accept(store, asked, { from_mailbox_id: own.mailbox.id, leased_until: T + 1_000 });
      await addFile(store, other, replyIdOf(asked.id));
      assert.equal(await store.messages.settle({ id: asked.id, fence: 1 }, settlementOf()), true);
      const further = { id: newId('msg', T + 2), body: 'And this file.', data: null, at: T + 2 };
      await addFile(store, other, further.id);
      assert.equal(await store.answers.reply(asked, further), true);
      const many = Array.from({ length: 600 }, (_, at) =>
        messageOf(own, other, { ...fromMailbox(own), created_at: T + 100 + at }),
      );
      await Promise.all(many.map((message) => accept(store, message, { from_mailbox_id: own.mailbox.id })));
      const replies = [further.id, replyIdOf(asked.id)];
      const lists: readonly (readonly [MessageQuery, readonly string[]])[] = [
        [{ mailbox_id: other.mailbox.id }, [first.id]],
        [{ mailbox_id: own.mailbox.id }, replies],
        [{ mailbox_id: own.mailbox.id, direction: 'sent' }, [first.id]],
        [{ mailbox_id: own.mailbox.id, direction: 'all' }, [...replies, first.id]],
        [{ namespace_id: own.namespace.id }, [...replies, first.id]],
        [{ namespace_id: other.namespace.id }, [first.id]],
        [{ sender_namespace_id: own.namespace.id }, [first.id]],
        [{ mailbox_id: other.mailbox.id, from: `hello@${own.namespace.name}` }, [first.id]],
        [{ mailbox_id: other.mailbox.id, status: 'submitted' }, [first.id]],
      ];
      for (const [list, ids] of lists) {
        const { items, next } = await store.messages.page({ ...list, has_attachment: true, scan: 500 }, null, 10);
        assert.deepEqual([items.map(({ id }) => id), next], [ids, null], JSON.stringify(list));
      }
    });

    test('what many of one sender or with one label hide is found: the few that ended badly, and those with files', async () => {
      const [own, other] = [await world(store), await world(store)];
      const messages = Array.from({ length: 700 }, (_, at) =>
        messageOf(own, other, { ...fromMailbox(own), created_at: T + at, ...(at === 0 && { status: 'failed' }) }),
      );
      const [failed, filed] = messages as [Message, Message];
      Object.assign(filed, { attachments: [await addFile(store, own, filed.id)] });
      await Promise.all(messages.map((message) => accept(store, message, { from_mailbox_id: own.mailbox.id })));
      const { id } = other.mailbox;
      const label = 'all';
      const change = { add: [label], remove: [] };
      for (let from = 0; from < messages.length; from += AT_ONCE)
        await Promise.all(
          messages.slice(from, from + AT_ONCE).map((message) => store.labels.change(id, message.id, change, 20)),
        );
      for (const list of [{ from: `hello@${own.namespace.name}` }, { label }])
        for (const [narrow, found] of [
          [{ status: 'failed' }, failed],
          [{ has_attachment: true }, filed],
        ] as const) {
          const { items } = await store.messages.page({ mailbox_id: id, ...list, ...narrow }, null, 10);
          assert.deepEqual(
            items.map((item) => item.id),
            [found.id],
            JSON.stringify([list, narrow]),
          );
        }
    });

    test('a message of a version that did not note its files is found by them after the next sweep', async () => {
      const [own, other] = [await world(store), await world(store)];
      const message = messageOf(own, other);
      await accept(store, message);
      await addFile(store, own, message.id);
      const list: MessageQuery = { mailbox_id: other.mailbox.id, has_attachment: true };
      while (await store.blobs.sweep(T + 2 * HOUR));
      assert.deepEqual(
        (await store.messages.page(list, null, 10)).items.map(({ id }) => id),
        [message.id],
      );
    });
  });
}
