import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId, replyIdOf } from '@mailroom/behavior/values/ids';
import { MESSAGE_OVERHEAD } from '../../core/entities/storage-size.ts';
import type { Store } from '../../core/ports/store.ts';
import { accept, addFile, fromMailbox, messageOf, opened, settlementOf, T, type World, waitingOf } from './made.ts';

/** Tests of how single messages are deleted. */
export function removingContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: deleting messages`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    before(async () => {
      ({ store, alice, bob } = await opened(open));
    });
    after(() => store[Symbol.asyncDispose]());

    const storedOf = async ({ namespace }: World): Promise<number> =>
      (await store.storage.totals([namespace.id]))[0]?.bytes ?? 0;
    const removeAll = async (id: string) => {
      const message = await store.messages.byId(id);
      assert.ok(message);
      assert.equal(await store.messages.remove(message), true);
      while (await store.blobs.sweep(0));
    };
    const answerAgain = (message: { readonly id: string }, id: string, at: number) =>
      store.answers.reply(message, { id, at, body: 'And more.', data: null });

    test('a message goes with its replies, files and labels, and nothing else does', async () => {
      const other = messageOf(alice, bob, { created_at: T + 1 });
      await accept(store, other);
      const message = messageOf(alice, bob, { created_at: T + 2 });
      await accept(store, message);
      await addFile(store, alice, message.id);
      await addFile(store, bob, replyIdOf(message.id));
      const further = newId('msg', T + 50);
      assert.equal(await answerAgain(message, further, T + 50), true);
      await store.labels.change(bob.mailbox.id, message.id, { add: ['kept'], remove: [] }, 20);
      await removeAll(message.id);
      for (const id of [message.id, replyIdOf(message.id), further])
        assert.equal(await store.messages.byId(id), undefined);
      assert.deepEqual(await store.attachments.of(message.id), []);
      assert.deepEqual(await store.attachments.of(replyIdOf(message.id)), []);
      assert.deepEqual(await store.labels.names([bob.mailbox.id]), []);
      assert.deepEqual((await store.messages.thread(message.thread_id, null, 5)).items, []);
      assert.ok(await store.messages.byId(other.id));
      assert.ok(await store.messages.byId(replyIdOf(other.id)));
      assert.equal(await store.messages.remove(message), false);
    });

    test('it gives back exactly the storage that it took', async () => {
      const message = messageOf(alice, bob, { created_at: T + 3, subject: 'A subject', body: 'x'.repeat(1000) });
      await accept(store, message);
      const before = await storedOf(alice);
      await removeAll(message.id);
      // Its data is `{"a":1}`.
      const size = MESSAGE_OVERHEAD + 'A subject'.length + 1000 + 'Hello!'.length + 7;
      assert.equal(before - (await storedOf(alice)), size);
    });

    test('what a stranger sent by mail is given back to the namespace, and to the part for strangers', async () => {
      const subjects = [bob.namespace.id, `strangers ${bob.namespace.id}`];
      const totals = async () => {
        const found = new Map((await store.storage.totals(subjects)).map(({ subject, bytes }) => [subject, bytes]));
        return subjects.map((subject) => found.get(subject) ?? 0);
      };
      const message = messageOf(alice, bob, {
        created_at: T + 3,
        sender_kind: 'email',
        sender_id: 'eve@evil.example',
        sender_namespace_id: null,
        key_id: null,
        channel: 'smtp',
        body: 'x'.repeat(1000),
      });
      const email = {
        rfc_id: null,
        references: [],
        authentication: { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none', verified: false },
        domain: null,
        not_answered: null,
        owed: false,
        stranger_bytes: 5_000,
        label: null,
      };
      await accept(store, message, { email });
      const before = await totals();
      await removeAll(message.id);
      const size = MESSAGE_OVERHEAD + 1000 + 'Hello!'.length + 7;
      assert.deepEqual(
        (await totals()).map((bytes, at) => (before[at] ?? 0) - bytes),
        [size, size + 5_000],
      );
    });

    test('a reply that a mailbox received stays there, until it is deleted from it', async () => {
      const message = messageOf(alice, bob, { ...fromMailbox(alice), created_at: T + 4 });
      await accept(store, message, { from_mailbox_id: alice.mailbox.id });
      const id = replyIdOf(message.id);
      await removeAll(message.id);
      assert.equal((await store.messages.byId(id))?.mailbox_id, alice.mailbox.id);
      await store.labels.change(alice.mailbox.id, id, { add: ['mine'], remove: [] }, 20);
      await removeAll(id);
      const { items } = await store.messages.page({ mailbox_id: alice.mailbox.id }, null, 10);
      assert.ok(!items.some((one) => one.id === id));
      assert.equal(await store.messages.byId(id), undefined, 'no one has it any more');
      assert.deepEqual(await store.labels.names([alice.mailbox.id]), []);
    });

    test('the mailbox that wrote a reply keeps it with its message when the other one deletes it', async () => {
      const message = messageOf(alice, bob, { ...fromMailbox(alice), created_at: T + 5 });
      await accept(store, message, { from_mailbox_id: alice.mailbox.id });
      await removeAll(replyIdOf(message.id));
      const { items } = await store.messages.page({ mailbox_id: alice.mailbox.id }, null, 10);
      assert.ok(!items.some((one) => one.id === replyIdOf(message.id)));
      assert.equal((await store.messages.byId(message.id))?.reply?.body, 'Hello!');
      await removeAll(message.id);
      assert.equal(await store.messages.byId(replyIdOf(message.id)), undefined);
    });

    test('a message that has not settled is never deleted', async () => {
      const message = waitingOf(alice, bob, { created_at: T + 6 });
      await accept(store, message, { leased_until: T + 1e6 });
      assert.equal(await store.messages.remove(message), false);
      assert.equal(await store.messages.settle({ id: message.id, fence: 1 }, settlementOf()), true);
      assert.equal(await store.messages.remove(message), true);
    });

    test('of deletions at the same time one does it', async () => {
      const message = messageOf(alice, bob, { created_at: T + 7 });
      await accept(store, message);
      const done = await Promise.all(Array.from({ length: 8 }, () => store.messages.remove(message)));
      assert.equal(done.filter(Boolean).length, 1);
    });
  });
}
