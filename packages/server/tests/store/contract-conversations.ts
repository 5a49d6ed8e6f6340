import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId, replyIdOf, threadOf } from '@mailroom/behavior/values/ids';
import type { Message } from '../../core/entities/message.ts';
import type { Store } from '../../core/ports/store.ts';
import { accept, fromMailbox, mailboxOf, messageOf, T, type World, waitingOf, world } from './made.ts';

/** What both databases promise of conversations: lists with one message a thread, and counts of what is unread. */
export function conversationsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: conversations`, () => {
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(() => store[Symbol.asyncDispose]());

    const stored = async (from: World, to: World, fields: Partial<Message> = {}): Promise<Message> => {
      const message = messageOf(from, to, fields);
      const as = message.sender_kind === 'mailbox' ? message.sender_id : null;
      await accept(store, message, { from_mailbox_id: as });
      return message;
    };
    const listed = async ({ mailbox }: World, before: string | null = null, size = 50) => {
      const { items, next } = await store.messages.page({ mailbox_id: mailbox.id, conversations: true }, before, size);
      return { ids: items.map(({ id }) => id), next };
    };
    const sentBy = async ({ namespace }: World) => {
      const of = { sender_namespace_id: namespace.id, conversations: true } as const;
      return (await store.messages.page(of, null, 50)).items.map(({ id }) => id);
    };
    const unread = async (...worlds: readonly World[]) => {
      const counts = await store.messages.unread(worlds.map(({ mailbox }) => mailbox.id));
      return worlds.map(({ mailbox }) => counts.get(mailbox.id) ?? 0);
    };
    const markRead = (to: World, id: string) =>
      store.labels.change(to.mailbox.id, id, { add: [], remove: [], read: true }, 20);

    test('the list of the inbox leaves out the conversations that are done there or put off', async () => {
      const [from, to] = [await world(store), await world(store)];
      const [one, two] = [await stored(from, to, { created_at: T }), await stored(from, to, { created_at: T + 1 })];
      const without = async () => {
        const of = { mailbox_id: to.mailbox.id, conversations: true, in_inbox: true } as const;
        return (await store.messages.page(of, null, 50)).items.map(({ id }) => id);
      };
      const put = (state: 'done' | 'later') =>
        store.conversations.change(
          { thread_id: one.thread_id, mailbox_id: to.mailbox.id },
          { state, ...(state === 'later' && { until: T + 9_000 }) },
          T + 3,
        );
      await put('done');
      assert.deepEqual(await without(), [two.id]);
      const next = await stored(from, to, { created_at: T + 2, thread_id: one.thread_id });
      assert.deepEqual(await without(), [next.id, two.id]);
      await put('later');
      assert.deepEqual(await without(), [two.id]);
    });

    test('each thread is listed once, by its newest message, and pages continue without a gap', async () => {
      const [from, to] = [await world(store), await world(store)];
      const newest: string[] = [];
      const threads: string[] = [];
      for (let nth = 0; nth < 30; nth++) {
        // Three of four messages continue an earlier thread.
        const at = nth % 4 === 0 ? undefined : (nth * 7) % threads.length;
        const { id, thread_id } = await stored(from, to, {
          created_at: T + nth,
          ...(at !== undefined && { thread_id: threads[at] as string }),
        });
        if (at === undefined) threads.push(thread_id);
        newest[at ?? threads.length - 1] = id;
      }
      const wanted = newest.toSorted().toReversed();
      assert.deepEqual((await listed(to)).ids, wanted);
      for (const size of [1, 3]) {
        const all: string[] = [];
        for (let next = null as string | null; ; ) {
          const page = await listed(to, next, size);
          assert.ok(page.ids.length <= size);
          all.push(...page.ids);
          next = page.next;
          if (next === null) break;
        }
        assert.deepEqual(all, wanted, `by ${size}`);
      }
      assert.deepEqual(await sentBy(from), wanted);
      const ends = await store.messages.endsOf(threads);
      const ids = new Set([...threads.map((thread) => `msg_${thread.slice(4)}`), ...wanted]);
      assert.deepEqual(new Set(ends.map(({ id }) => id)), ids);
    });

    test('a reply to a mailbox stands for its thread there until the reply to the next message', async () => {
      const [from, to] = [await world(store), await world(store)];
      const first = await stored(from, to, fromMailbox(from));
      const { thread_id } = first;
      assert.deepEqual((await listed(from)).ids, [replyIdOf(first.id)]);
      const waiting = waitingOf(from, to, { ...fromMailbox(from), thread_id, created_at: T + 1 });
      await accept(store, waiting, { from_mailbox_id: from.mailbox.id });
      assert.deepEqual((await listed(from)).ids, [replyIdOf(first.id)]);
      const last = await stored(from, to, { ...fromMailbox(from), thread_id, created_at: T + 2 });
      assert.deepEqual((await listed(from)).ids, [replyIdOf(last.id)]);
      assert.deepEqual((await listed(to)).ids, [last.id]);
    });

    test('what a behavior sent within its namespace, and the reply, are in the conversation that caused it', async () => {
      const home = await world(store);
      const other = await world(store);
      const second = mailboxOf(home.namespace, 'second');
      await store.mailboxes.create(second);
      const target: World = { ...home, mailbox: second };
      const call = { ...fromMailbox(home), key_id: null, hops: 1 };
      const settled = await stored(home, target, call);
      assert.deepEqual([(await listed(target)).ids, (await listed(home)).ids, await sentBy(home)], [[], [], []]);
      assert.deepEqual(await unread(home, target), [0, 0]);
      // A person or a program is to answer it, so it is shown.
      const waiting = waitingOf(home, target, { ...call, created_at: T + 1 });
      await accept(store, waiting, { from_mailbox_id: home.mailbox.id });
      assert.deepEqual((await listed(target)).ids, [waiting.id]);
      // The same from elsewhere is mail, and so is what a key sent for it.
      const foreign = await stored(other, target, { ...fromMailbox(other), key_id: null, hops: 1, created_at: T + 2 });
      const byKey = await stored(home, target, { ...fromMailbox(home), hops: 1, created_at: T + 3 });
      assert.deepEqual((await listed(target)).ids, [byKey.id, foreign.id, waiting.id]);
      assert.deepEqual((await listed(home)).ids, [replyIdOf(byKey.id)]);
      const plain = (await store.messages.page({ mailbox_id: second.id }, null, 50)).items.map(({ id }) => id);
      assert.deepEqual(plain, [byKey.id, foreign.id, waiting.id, settled.id], 'other lists have them');
    });

    test('unread conversations are counted for each mailbox, up to a hundred, and no longer once they are read', async () => {
      const [from, to, none] = [await world(store), await world(store), await world(store)];
      const first = await stored(from, to);
      const next = await stored(from, to, { thread_id: first.thread_id, created_at: T + 1 });
      const other = await stored(from, to, { created_at: T + 2 });
      assert.deepEqual(await unread(to, none, from), [2, 0, 0]);
      const within = async () =>
        (await store.messages.unreadIn([first.thread_id, other.thread_id])).get(first.thread_id)?.has(to.mailbox.id);
      assert.equal(await within(), true);
      await markRead(to, other.id);
      await markRead(to, next.id);
      assert.deepEqual(await unread(to), [1]);
      assert.equal(await within(), false, 'the first message is looked at by itself');
      await markRead(to, first.id);
      assert.deepEqual(await unread(to), [0]);
      for (let nth = 0; nth < 101; nth++) await stored(from, to, { id: newId('msg', T + 10 + nth) });
      assert.deepEqual(await unread(to), [100]);
      assert.equal((await store.messages.unread([])).size, 0);
      assert.deepEqual(await store.messages.endsOf([threadOf(newId('msg', T))]), []);
    });
  });
}
