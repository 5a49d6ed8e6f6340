import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { replyIdOf } from '@mailroom/behavior/values/ids';
import type { Message } from '../../core/entities/message.ts';
import type { Store } from '../../core/ports/store.ts';
import { accept, fromMailbox, keyOf, messageOf, opened, settlementOf, T, type World, waitingOf } from './made.ts';

/** Tests of how old messages are removed. */
export function retiringContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: retiring`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    beforeEach(async () => {
      ({ store, alice, bob } = await opened(open));
    });
    afterEach(() => store[Symbol.asyncDispose]());

    const send = async (at: number, fields: Partial<Message> = {}, rest = {}) => {
      const message = messageOf(alice, bob, { created_at: at, settled_at: at, ...fields });
      await accept(store, message, rest);
      return message;
    };
    const left = async (messages: readonly Message[]) => {
      const found = await store.messages.byIds(messages.map(({ id }) => id));
      return messages.map(({ id }) => found.some((message) => message.id === id));
    };

    test('what settled before a time goes, oldest first, so many at a time and on from where it came to', async () => {
      const messages = [];
      for (let i = 0; i < 7; i++) messages.push(await send(T + i));
      const ids = messages.map(({ id }) => id);
      const [third, fifth] = [replyIdOf(ids[2] as string), replyIdOf(ids[4] as string)];
      assert.deepEqual(await store.messages.retire(T + 5, '', 6), { retired: 6, next: third });
      assert.deepEqual(await left(messages), [false, false, false, true, true, true, true]);
      assert.deepEqual(await store.messages.retire(T + 5, third, 6), { retired: 4, next: fifth });
      assert.deepEqual(await store.messages.retire(T + 5, fifth, 6), { retired: 0, next: null });
      assert.deepEqual(await left(messages), [false, false, false, false, false, true, true]);
    });

    test('what waits or is worked on never goes, and goes when it settled as long ago', async () => {
      const waiting = waitingOf(alice, bob, { created_at: T });
      const working = waitingOf(alice, bob, { created_at: T + 1 });
      await accept(store, waiting);
      await accept(store, working, { leased_until: T + 1e12 });
      const settled = await send(T + 2);
      assert.deepEqual(await store.messages.retire(T + 1e9, '', 10), { retired: 2, next: replyIdOf(settled.id) });
      assert.deepEqual(await left([waiting, working, settled]), [true, true, false]);
      assert.equal(await store.handlings.depth(), 2);
      await store.messages.settle({ id: working.id, fence: 1 }, settlementOf({ settled_at: T + 2e9 }));
      assert.equal((await store.messages.retire(T + 2e9, '', 10)).retired, 0);
      assert.equal((await store.messages.retire(T + 2e9 + 1, '', 10)).retired, 2);
      assert.deepEqual(await left([waiting, working]), [true, false]);
    });

    test('a reply goes as its message does, and a thread is read on without its first', async () => {
      const from = { ...fromMailbox(alice), settled_at: T + 5 };
      const first = await send(T, from, { from_mailbox_id: alice.mailbox.id });
      const second = await send(T + 10, { thread_id: first.thread_id });
      assert.equal((await store.messages.retire(T + 5, '', 10)).retired, 0);
      assert.ok(await store.messages.byId(replyIdOf(first.id)));
      assert.equal((await store.messages.retire(T + 6, '', 10)).retired, 2);
      assert.equal(await store.messages.byId(replyIdOf(first.id)), undefined);
      assert.deepEqual((await store.messages.thread(first.thread_id, null, 5)).items, [second]);
    });

    test('of large messages fewer go at a time', async () => {
      const body = 'x'.repeat(800_000);
      for (let i = 0; i < 5; i++) await send(T + i, { body });
      const { retired } = await store.messages.retire(T + 10, '', 100);
      assert.ok(retired > 0 && retired < 9, `${retired}`);
    });

    test('keys go so long after they were revoked or expired, and no others', async () => {
      const keys = Object.fromEntries(
        Object.entries({
          working: {},
          later: { expires_at: T + 1000 },
          revoked: { revoked_at: T + 5 },
          'revoked later': { revoked_at: T + 10 },
          expired: { expires_at: T + 6 },
          both: { revoked_at: T + 1, expires_at: T + 2 },
        }).map(([name, fields]) => [name, keyOf(alice.namespace, fields)]),
      );
      for (const key of Object.values(keys)) await store.keys.create(key);
      const names = async (): Promise<readonly string[]> => {
        const found = await Promise.all(Object.values(keys).map(({ id }) => store.keys.byId(id)));
        return Object.keys(keys).filter((_, at) => found[at] !== undefined);
      };
      assert.equal(await store.keys.sweep(T + 10, 1), 1);
      while ((await store.keys.sweep(T + 10, 1)) > 0);
      assert.deepEqual(await names(), ['working', 'later', 'revoked later']);
      assert.ok(await store.keys.byId(alice.key.id));
    });
  });
}
