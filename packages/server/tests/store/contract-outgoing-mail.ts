import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAY } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import { type Message, newMessage } from '../../core/entities/message.ts';
import type { Store } from '../../core/ports/store.ts';
import { purgeAll, T, type World, world } from './made.ts';

const TO = 'ada@example.com';

/** What both databases promise of mail that mailboxes write to addresses outside. */
export function outgoingMailContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: mail to the outside`, () => {
    let store: Store;
    let by: World;
    before(async () => {
      store = await open();
      by = await world(store);
    });
    after(() => store[Symbol.asyncDispose]());

    const messageOf = ({ mailbox, namespace, key }: World, fields: Partial<Message> = {}): Message =>
      newMessage({
        id: newId('msg', T),
        mailbox_id: mailbox.id,
        to: TO,
        from: `${mailbox.local_part}@${mailbox.namespace}`,
        sender_kind: 'mailbox',
        sender_id: mailbox.id,
        sender_namespace_id: namespace.id,
        key_id: key.id,
        body: 'Good day',
        status: 'completed',
        settled_at: T,
        created_at: T,
        ...fields,
      });
    const send = (message: Message, { mailbox, namespace }: World = by, idempotency?: { key: string; hash: string }) =>
      store.emails.send({
        message,
        from_mailbox_id: mailbox.id,
        namespace_id: namespace.id,
        rfc_id: `<own.${message.id}@here>`,
        domain: null,
        idempotency: idempotency && { scope: 'test', ...idempotency, expires_at: T + DAY },
        copies_at: null,
        deliveries: [
          {
            id: `dlv_${message.id.slice(4)}`,
            kind: 'email',
            namespace_id: namespace.id,
            message_id: message.id,
            target: TO,
            destination: 'example.com',
            payload: message.id,
            due_at: T,
            created_at: T,
            expires_at: T + DAY,
          },
        ],
      });
    const deliveryOf = ({ id }: Message) => store.deliveries.byId(`dlv_${id.slice(4)}`);
    const listed = async (direction: 'sent' | 'received' | 'all', { mailbox }: World) =>
      (await store.messages.page({ mailbox_id: mailbox.id, direction }, null, 50)).items.map(({ id }) => id);

    test('it is stored with its delivery and its Message-ID, and listed as sent alone', async () => {
      const one = await world(store);
      const message = messageOf(one);
      assert.deepEqual(await send(message, one), { kind: 'accepted' });
      assert.deepEqual(await store.messages.byId(message.id), message);
      assert.equal((await deliveryOf(message))?.status, 'queued');
      assert.equal(
        (await store.messageIds.find(one.namespace.id, [`<own.${message.id}@here>`]))[0]?.message_id,
        message.id,
      );
      assert.deepEqual(
        [await listed('sent', one), await listed('received', one), await listed('all', one)],
        [[message.id], [], [message.id]],
      );
      const sent = { sender_namespace_id: one.namespace.id };
      for (const of of [
        sent,
        { ...sent, conversations: true },
        { ...sent, query: 'good' },
        { ...sent, query: TO },
      ] as const)
        assert.deepEqual(
          (await store.messages.page(of, null, 50)).items.map(({ id }) => id),
          [message.id],
        );
    });

    test('the same idempotency key is one mail', async () => {
      const [one, two] = [messageOf(by), messageOf(by)];
      assert.deepEqual(await send(one, by, { key: 'k', hash: 'h' }), { kind: 'accepted' });
      assert.deepEqual(await send(two, by, { key: 'k', hash: 'h' }), { kind: 'replayed', id: one.id, hash: 'h' });
      assert.deepEqual([await store.messages.byId(two.id), await deliveryOf(two)], [undefined, undefined]);
    });

    test('a revoked key and a deleted mailbox write nothing, and take no idempotency key', async () => {
      const [revoked, gone] = [await world(store), await world(store)];
      await store.keys.revoke(revoked.key.id, revoked.namespace.id, T);
      await store.mailboxes.delete(gone.mailbox.id, T);
      for (const [at, each] of [revoked, gone].entries()) {
        const message = messageOf(each);
        for (const idempotency of [undefined, { key: `none ${at}`, hash: 'h' }])
          assert.deepEqual(await send(message, each, idempotency), { kind: 'refused' });
        assert.deepEqual([await store.messages.byId(message.id), await deliveryOf(message)], [undefined, undefined]);
        assert.equal(await store.idempotency('test', `none ${at}`, T), undefined);
      }
    });

    test('it goes with its mailbox and with its namespace, whichever is deleted', async () => {
      const [box, all, kept] = [await world(store), await world(store), await world(store)];
      const messages = [messageOf(box), messageOf(all), messageOf(kept)] as const;
      for (const [at, message] of messages.entries()) await send(message, [box, all, kept][at]);
      await store.mailboxes.delete(box.mailbox.id, T);
      await store.namespaces.delete(all.namespace.id, T);
      const left = () => Promise.all(messages.map(async (one) => (await store.messages.byId(one.id)) !== undefined));
      assert.deepEqual(await left(), [false, false, true], 'at once');
      await purgeAll(store, T);
      const deliveries = await Promise.all(messages.map(deliveryOf));
      assert.deepEqual(
        deliveries.map((one) => one !== undefined),
        [false, false, true],
      );
      assert.deepEqual(await store.messages.idsOf({ sender_namespace_id: all.namespace.id }, '', '~', 50), []);
    });
  });
}
