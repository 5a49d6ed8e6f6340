import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { KEPT_OVERHEAD, sizeOfMessage, sizeOfReply } from '../../core/entities/storage-size.ts';
import type { PushConfig } from '../../core/ports/push-configs.ts';
import type { Store } from '../../core/ports/store.ts';
import { accept, keyOf, messageOf, purgeAll, T, type World, world } from './made.ts';

const MAX = 3;

/** What both databases promise of the push configurations of tasks. */
export function pushConfigsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: push configurations`, () => {
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(() => store[Symbol.asyncDispose]());

    /** A task from one namespace to another, with a configuration of its sender. */
    const task = async (from?: World) => {
      const [sender, to] = [from ?? (await world(store)), await world(store)];
      const message = messageOf(sender, to);
      await accept(store, message);
      const config = (fields: Partial<PushConfig> = {}): PushConfig => ({
        task_id: message.id,
        key_id: sender.key.id,
        id: 'one',
        namespace_id: sender.namespace.id,
        sealed: 'sealed',
        known_state: '',
        created_at: T,
        expires_at: T + 1000,
        ...fields,
      });
      return { sender, to, message, config };
    };
    const total = async ({ namespace }: World) => (await store.storage.totals([namespace.id]))[0]?.bytes ?? 0;
    const listed = async (task_id: string, key_id?: string, now = T) =>
      (await store.pushConfigs.list({ task_id, ...(key_id !== undefined && { key_id }) }, now)).map(({ id }) => id);

    test('a configuration is read as it was written, by its key, until it expires', async () => {
      const { config, to, message } = await task();
      const one = config({ sealed: 'ü 🙂', known_state: 'msg completed' });
      assert.equal(await store.pushConfigs.set(one, MAX), 'stored');
      assert.deepEqual(await store.pushConfigs.get(one, T), one);
      assert.deepEqual(await store.pushConfigs.list({ task_id: message.id }, T), [one]);
      assert.equal(await store.pushConfigs.get({ ...one, key_id: to.key.id }, T), undefined);
      assert.equal(await store.pushConfigs.get(one, T + 1000), undefined);
      assert.deepEqual(await listed(message.id, undefined, T + 1000), []);
    });

    test('each key has its own, up to a number, and replaces and removes no others', async () => {
      const { config, to, message } = await task();
      const other = { key_id: to.key.id, namespace_id: to.namespace.id };
      for (const id of ['one', 'two', 'three'])
        assert.equal(await store.pushConfigs.set(config({ id }), MAX), 'stored');
      assert.equal(await store.pushConfigs.set(config({ id: 'four' }), MAX), 'full');
      assert.equal(await store.pushConfigs.set(config({ id: 'two', sealed: 'again' }), MAX), 'stored');
      assert.equal(await store.pushConfigs.set(config({ ...other, sealed: 'theirs' }), MAX), 'stored');
      await store.pushConfigs.remove(config({ ...other, id: 'two' }));
      assert.deepEqual(await listed(message.id, config().key_id), ['one', 'three', 'two']);
      assert.equal((await store.pushConfigs.get(config({ id: 'two' }), T))?.sealed, 'again');
      await store.pushConfigs.remove(config());
      assert.deepEqual(await listed(message.id, to.key.id), ['one']);
      assert.deepEqual(await listed(message.id, config().key_id), ['three', 'two']);
      const expired = await store.pushConfigs.set(
        config({ id: 'five', created_at: T + 1000, expires_at: T + 2000 }),
        MAX,
      );
      assert.equal(expired, 'stored');
    });

    test('of many that are made at once no more are stored than there may be', async () => {
      const { config, message } = await task();
      const made = await Promise.all(
        Array.from({ length: 8 }, (_, at) => store.pushConfigs.set(config({ id: `c${at}` }), MAX)),
      );
      assert.equal(made.filter((kind) => kind === 'stored').length, MAX);
      assert.equal((await listed(message.id)).length, MAX);
    });

    test('there is none of a task that is gone', async () => {
      const { config } = await task();
      assert.equal(await store.pushConfigs.set(config({ task_id: 'msg_none' }), MAX), 'gone');
    });

    test('what is replaced, removed or expired gives its bytes back, and so does a removed task', async () => {
      const { sender, config, message } = await task();
      const size = (text: string) => KEPT_OVERHEAD + text.length;
      const begin = await total(sender);
      await store.pushConfigs.set(config({ sealed: 'abc' }), MAX);
      assert.equal(await total(sender), begin, 'what is added is counted before it is written');
      await store.pushConfigs.set(config({ sealed: 'defghi' }), MAX);
      assert.equal(await total(sender), begin - size('abc'));
      await store.pushConfigs.remove(config());
      await store.pushConfigs.remove(config());
      assert.equal(await total(sender), begin - size('abc') - size('defghi'));
      await store.pushConfigs.set(config({ id: 'old', sealed: 'old' }), MAX);
      await store.pushConfigs.set(config({ id: 'new', sealed: 'new', expires_at: T + 2000 }), MAX);
      assert.ok((await store.pushConfigs.sweep(T + 1000)) >= 1);
      assert.deepEqual(await listed(message.id, undefined, T + 1500), ['new']);
      const left = await total(sender);
      assert.equal(left, begin - size('abc') - size('defghi') - size('old'));
      assert.equal(await store.messages.remove(message), true);
      assert.deepEqual(await listed(message.id), []);
      assert.equal(await total(sender), left - size('new') - sizeOfMessage(message) - sizeOfReply(message));
    });

    test('they go with the mailbox that received the task, and with the namespace that made them', async () => {
      const first = await task();
      const other = keyOf(first.to.namespace);
      await store.keys.create(other);
      await store.pushConfigs.set(first.config(), MAX);
      await store.pushConfigs.set(first.config({ key_id: other.id, namespace_id: first.to.namespace.id }), MAX);
      await store.namespaces.delete(first.sender.namespace.id, T);
      await purgeAll(store, T);
      assert.deepEqual(await listed(first.message.id), ['one']);
      await store.mailboxes.delete(first.to.mailbox.id, T);
      await purgeAll(store, T);
      assert.deepEqual(await listed(first.message.id), []);
    });
  });
}
