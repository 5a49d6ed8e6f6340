import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId, replyIdOf } from '@mailroom/behavior/values/ids';
import type { Message } from '../../core/entities/message.ts';
import type { Store } from '../../core/ports/store.ts';
import {
  accept,
  claimDue,
  fromMailbox,
  mailboxOf,
  opened,
  purgeAll,
  settlementOf,
  T,
  type World,
  waitingOf,
  world,
} from './made.ts';

/** Tests of how messages are settled. */
export function settlingContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: settling`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    before(async () => {
      ({ store, alice, bob } = await opened(open));
    });
    after(() => store[Symbol.asyncDispose]());

    const running = async (fields: Partial<Message> = {}, from_mailbox_id: string | null = null) => {
      const message = waitingOf(alice, bob, fields);
      await accept(store, message, { leased_until: T + 1000, from_mailbox_id });
      return message;
    };

    test('a settlement shows in the message, and happens once', async () => {
      const message = await running();
      const settlement = settlementOf({ status: 'input_required', reply: { body: 'Done.', data: '[1]' } });
      assert.equal(await store.messages.settle({ id: message.id, fence: 1 }, settlement), true);
      assert.deepEqual(await store.messages.byId(message.id), { ...message, ...settlement, replies_count: 1 });
      assert.equal(await store.messages.settle({ id: message.id, fence: 1 }, settlementOf()), false);
      assert.deepEqual(await store.messages.byId(message.id), { ...message, ...settlement, replies_count: 1 });
      assert.equal(await store.handlings.depth(), 0);
    });

    test('of many who settle one at once, one does', async () => {
      const { id } = await running();
      const done = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          store.messages.settle({ id, fence: 1 }, settlementOf({ reply: { body: `${i}`, data: null } })),
        ),
      );
      assert.equal(done.filter(Boolean).length, 1);
      assert.equal((await store.messages.byId(id))?.reply?.body, `${done.indexOf(true)}`);
    });

    test('whoever lost the lease writes nothing', async () => {
      const { id } = await running();
      const [claim] = await claimDue(store, 1, T + 1000, 1000);
      assert.equal(claim?.fence, 2);
      assert.equal(await store.messages.settle({ id, fence: 1 }, settlementOf()), false);
      assert.equal((await store.messages.byId(id))?.status, 'working');
      assert.equal(await store.messages.settle({ id, fence: 2 }, settlementOf()), true);
    });

    test('a later settlement files the reply to a mailbox too', async () => {
      const message = await running(fromMailbox(alice), alice.mailbox.id);
      assert.equal(await store.messages.byId(replyIdOf(message.id)), undefined);
      await store.messages.settle({ id: message.id, fence: 1 }, settlementOf());
      const copy = await store.messages.byId(replyIdOf(message.id));
      assert.equal(copy?.body, 'Done.');
      assert.equal(copy?.mailbox_id, alice.mailbox.id);
      assert.equal(copy?.in_reply_to, message.id);
    });

    test('no reply, or a sender deleted meanwhile, files nothing', async () => {
      const silent = await running(fromMailbox(alice), alice.mailbox.id);
      await store.messages.settle(
        { id: silent.id, fence: 1 },
        settlementOf({ status: 'rejected', reply: null, error_code: 'behavior_unavailable' }),
      );
      assert.equal(await store.messages.byId(replyIdOf(silent.id)), undefined);
      const gone = mailboxOf(alice.namespace, 'gone');
      await store.mailboxes.create(gone);
      const message = await running({ ...fromMailbox(alice), sender_id: gone.id }, gone.id);
      await store.mailboxes.delete(gone.id, T);
      assert.equal(await store.messages.settle({ id: message.id, fence: 1 }, settlementOf()), true);
      await purgeAll(store, T);
    });

    test('canceling settles whatever has not settled, whoever works on it, and once', async () => {
      const message = await running();
      assert.equal(await store.messages.cancel(message.id, T + 7), true);
      const canceled = { ...message, status: 'canceled', settled_at: T + 7 };
      assert.deepEqual(await store.messages.byId(message.id), canceled);
      assert.equal(await store.messages.cancel(message.id, T + 8), false);
      assert.equal(await store.messages.settle({ id: message.id, fence: 1 }, settlementOf()), false);
      assert.deepEqual(await store.messages.byId(message.id), canceled);
      assert.equal(await store.messages.cancel(newId('msg', T), T), false);
      assert.equal(await store.handlings.depth(), 0);
    });

    test('what a deleted mailbox was working on can be neither settled nor canceled', async () => {
      const to = await world(store);
      const [one, two] = [waitingOf(alice, to), waitingOf(alice, to)];
      await accept(store, one, { leased_until: T + 1000 });
      await accept(store, two, { leased_until: T + 1000 });
      await store.mailboxes.delete(to.mailbox.id, T);
      assert.equal(await store.messages.settle({ id: one.id, fence: 1 }, settlementOf()), false);
      assert.equal(await store.messages.cancel(two.id, T), false);
    });
  });
}
