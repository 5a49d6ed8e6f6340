import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAY } from '@mailroom/behavior/values/clock';
import type { Message } from '../../core/entities/message.ts';
import type { Store } from '../../core/ports/store.ts';
import { accept, fromMailbox, messageOf, purgeAll, T, type World, world } from './made.ts';

/** What both databases promise of the Message-IDs of mail. */
export function messageIdsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: Message-IDs of mail`, () => {
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(() => store[Symbol.asyncDispose]());
    /** A message from a mailbox to another, accepted. */
    const sent = async (from: World, to: World, fields: Partial<Message> = {}) => {
      const message = messageOf(from, to, { ...fromMailbox(from), ...fields });
      await accept(store, message, { from_mailbox_id: from.mailbox.id });
      return message.id;
    };
    const found = async (of: World, ...ids: readonly string[]) =>
      (await store.messageIds.find(of.namespace.id, ids))
        .map(({ rfc_id, message_id }) => `${rfc_id} ${message_id}`)
        .sort();

    test('several ids are looked up at once, and each finds every message for which it stands, each once', async () => {
      const [from, to] = [await world(store), await world(store)];
      const [first, second] = [await sent(from, to), await sent(from, to, { created_at: T + 1 })];
      const { id } = to.namespace;
      await store.messageIds.add(id, first, ['<a@x>', '<b@x>']);
      await store.messageIds.add(id, first, ['<a@x>']);
      await store.messageIds.add(id, second, ['<a@x>', "<'\u{1f600}%_@x>"]);
      await store.messageIds.add(id, second, []);
      assert.deepEqual(await found(to, '<a@x>', '<b@x>', '<none@x>', '<a@x>'), [
        `<a@x> ${first}`,
        `<a@x> ${second}`,
        `<b@x> ${first}`,
      ]);
      assert.deepEqual(await found(to, "<'\u{1f600}%_@x>"), [`<'\u{1f600}%_@x> ${second}`]);
      assert.deepEqual([await found(to), await found(to, '<A@x>'), await found(to, '<_@x>')], [[], [], []]);
      const many = Array.from({ length: 99 }, (_, at) => `<${'n'.repeat(990)}${at}@x>`);
      await store.messageIds.add(id, first, many);
      assert.equal((await found(to, '<b@x>', ...many)).length, 100);
    });

    test('an id is found from the namespace alone in which it stands for a message that is there', async () => {
      const [from, to, other] = [await world(store), await world(store), await world(store)];
      const id = await sent(from, to);
      await store.messageIds.add(to.namespace.id, id, ['<own@x>']);
      await store.messageIds.add(other.namespace.id, id, ['<own@x>']);
      await store.messageIds.add(to.namespace.id, 'msg_none', ['<own@x>']);
      assert.deepEqual(await found(to, '<own@x>'), [`<own@x> ${id}`]);
      assert.deepEqual([await found(from, '<own@x>'), await found(other, '<own@x>')], [[], []]);
      await store.messageIds.add(from.namespace.id, id, ['<own@x>']);
      assert.deepEqual(await found(from, '<own@x>'), [`<own@x> ${id}`], 'what a mailbox wrote is found too');
    });

    test('an id that names its message is not stored', async () => {
      const [from, to] = [await world(store), await world(store)];
      const id = await sent(from, to);
      const [own, others] = [`<${id}@x>`, `<${id}.1@x>`];
      await store.messageIds.add(to.namespace.id, id, [own, others]);
      assert.deepEqual(await found(to, own, others), [`${others} ${id}`]);
    });

    test('of an id that stands for many messages the newest are found', async () => {
      const [from, to] = [await world(store), await world(store)];
      const ids: string[] = [];
      for (let at = 0; at < 22; at++) ids.push(await sent(from, to, { created_at: T + at, reply: null }));
      for (const id of ids) await store.messageIds.add(to.namespace.id, id, ['<same@x>']);
      const newest = ids.slice(2).map((id) => `<same@x> ${id}`);
      assert.deepEqual(await found(to, '<same@x>'), newest);
    });

    test('an id goes with its message, and with the mailbox or the namespace that has it at once', async () => {
      const [from, to] = [await world(store), await world(store)];
      const old = await sent(from, to, { created_at: T - 10 * DAY, settled_at: T - 10 * DAY });
      const young = await sent(from, to);
      for (const id of [old, young]) {
        await store.messageIds.add(to.namespace.id, id, ['<gone@x>']);
        await store.messageIds.add(from.namespace.id, id, ['<gone@x>']);
      }
      for (let after: string | null = ''; after !== null; )
        after = (await store.messages.retire(T - 9 * DAY, after, 100)).next;
      assert.deepEqual(await found(to, '<gone@x>'), [`<gone@x> ${young}`]);
      assert.deepEqual(await found(from, '<gone@x>'), [`<gone@x> ${young}`]);
      await store.namespaces.delete(from.namespace.id, T);
      assert.deepEqual(await found(from, '<gone@x>'), []);
      assert.deepEqual(await found(to, '<gone@x>'), [`<gone@x> ${young}`], 'its other namespace keeps it');
      await store.mailboxes.delete(to.mailbox.id, T);
      assert.deepEqual(await found(to, '<gone@x>'), []);
      await purgeAll(store, T);
      assert.deepEqual([await found(from, '<gone@x>'), await found(to, '<gone@x>')], [[], []]);
    });
  });
}
