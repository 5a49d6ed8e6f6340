import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import type { Message } from '../../core/entities/message.ts';
import { type StandingChange, type ThreadNote, UNTOUCHED } from '../../core/entities/standing.ts';
import type { Store } from '../../core/ports/store.ts';
import { accept, fromMailbox, messageOf, purgeAll, settlementOf, T, type World, waitingOf, world } from './made.ts';

/** Where conversations stand, and the notes beside them. */
export function standingsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: where conversations stand`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    let first: Message;
    beforeEach(async () => {
      store = await open();
      alice = await world(store);
      bob = await world(store);
      first = messageOf(alice, bob);
      await accept(store, first);
    });
    afterEach(() => store[Symbol.asyncDispose]());

    const of = (message = first) => ({ thread_id: message.thread_id, mailbox_id: bob.mailbox.id });
    const change = (wanted: StandingChange, now = T, message = first) =>
      store.conversations.change(of(message), wanted, now);
    const standing = async (message = first) => {
      const [row] = await store.conversations.find([message.thread_id], [bob.mailbox.id]);
      return row && { state: row.state, until: row.until, assignee: row.assignee };
    };
    const next = (fields: Partial<Message> = {}) =>
      waitingOf(alice, bob, { thread_id: first.thread_id, created_at: T + 100, ...fields });
    const typesOf = async (whose: World) => {
      const { items } = await store.events.page({ namespace_id: whose.namespace.id }, null, 100);
      return items.filter(({ type }) => type.startsWith('thread.')).map(({ type }) => type);
    };
    const noteOf = (body: string, fields: Partial<ThreadNote> = {}): ThreadNote => ({
      id: newId('nte', T),
      namespace_id: bob.namespace.id,
      ...of(),
      author: { kind: 'member', id: 'acc_a', name: 'Mara' },
      body,
      mentions: [],
      created_at: T,
      ...fields,
    });

    test('what is changed stays until it is changed, each change is one event, and nothing changed is none', async () => {
      assert.deepEqual(await change({ state: 'open' }), UNTOUCHED);
      assert.equal(await standing(), undefined);
      assert.deepEqual(await change({ state: 'waiting', assignee: 'acc_a' }), {
        ...{ namespace_id: bob.namespace.id, ...of() },
        ...{ state: 'waiting', until: null, assignee: 'acc_a' },
      });
      await change({ state: 'waiting' }, T + 5);
      await change({ assignee: null }, T + 6);
      assert.deepEqual(await standing(), { state: 'waiting', until: null, assignee: null });
      assert.deepEqual(await typesOf(bob), ['thread.updated', 'thread.updated']);
      assert.deepEqual(await typesOf(alice), []);
      await store.mailboxes.delete(bob.mailbox.id, T + 7);
      assert.equal(await change({ state: 'done' }, T + 8), undefined);
    });

    test('a message that arrives opens its conversation in its own mailbox, and keeps who takes care of it', async () => {
      await change({ state: 'done', assignee: 'acc_a' });
      const other = messageOf(alice, bob);
      await accept(store, other);
      await change({ state: 'done' }, T, other);
      await accept(store, next());
      assert.deepEqual(await standing(), { state: 'open', until: null, assignee: 'acc_a' });
      assert.equal((await standing(other))?.state, 'done');
      await change({ state: 'later', until: T + 1000 }, T + 200);
      await accept(store, messageOf(alice, bob, { thread_id: first.thread_id, created_at: T + 300 }));
      assert.deepEqual(await standing(), { state: 'open', until: null, assignee: 'acc_a' });
    });

    test('an answer by hand makes an open conversation wait, opens that of its recipient, and leaves a done one', async () => {
      const message = next(fromMailbox(alice));
      await accept(store, message, { from_mailbox_id: alice.mailbox.id });
      await store.conversations.change(
        { thread_id: first.thread_id, mailbox_id: alice.mailbox.id },
        { state: 'waiting' },
        T,
      );
      await store.threads.takeOver(of(), 1000, T);
      const answered_by = { key_id: 'key_a', actor: { kind: 'member', id: 'acc_a', name: 'Mara' } } as const;
      const settlement = { ...settlementOf({ reply: { body: 'Yes.', data: null, by_hand: true } }), answered_by };
      assert.equal(await store.answers.answer(message.id, null, { ...settlement, settled_at: T + 150 }), true);
      assert.equal((await standing())?.state, 'waiting');
      assert.deepEqual((await store.messages.byId(message.id))?.answered_by, answered_by);
      const [theirs] = await store.conversations.find([first.thread_id], [alice.mailbox.id]);
      assert.equal(theirs?.state, 'open');
      await change({ state: 'done' }, T + 160);
      const further = { id: newId('msg', T + 170), body: 'And.', data: null, at: T + 170, by_hand: true, answered_by };
      assert.equal(await store.answers.reply({ id: message.id }, further), true);
      assert.equal((await standing())?.state, 'done');
      await change({ state: 'open' }, T + 180);
      await store.answers.reply({ id: message.id }, { ...further, id: newId('msg', T + 190), at: T + 190 });
      assert.equal((await standing())?.state, 'waiting');
    });

    test('one for later opens at its time, once, and not when it was put off again or opened meanwhile', async () => {
      await change({ state: 'later', until: T + 1000 });
      assert.deepEqual(await store.jobs.claim(10, T + 999, 1000, 'later'), []);
      const [early] = await store.jobs.claim(10, T + 1000, 1000, 'later');
      assert.ok(early !== undefined);
      await change({ state: 'later', until: T + 5000 }, T + 1001);
      assert.equal(await store.conversations.reopen(of(), T + 1002, early), undefined);
      assert.equal((await standing())?.state, 'later');
      const [due] = await store.jobs.claim(10, T + 5000, 1000, 'later');
      assert.ok(due !== undefined);
      const all = await Promise.all([1, 2, 3].map(() => store.conversations.reopen(of(), T + 5000, due)));
      assert.equal(all.filter((opened) => opened !== undefined).length, 1);
      assert.equal((await standing())?.state, 'open');
      assert.deepEqual(await store.jobs.claim(10, T + 90_000, 1000, 'later'), []);
      assert.equal((await typesOf(bob)).length, 3);
      await change({ state: 'later', until: T + 9000 }, T + 6000);
      await change({ state: 'done' }, T + 6001);
      assert.deepEqual(await store.jobs.claim(10, T + 90_000, 1000, 'later'), []);
    });

    test('lists by state and assignee are in the order of the last change, page by page, each once', async () => {
      const messages = Array.from({ length: 5 }, () => messageOf(alice, bob));
      for (const [at, message] of messages.entries()) {
        await accept(store, message);
        await change({ state: 'waiting', assignee: at % 2 === 0 ? 'acc_a' : 'acc_gone' }, T + at, message);
      }
      const members = ['acc_a'];
      const page = (filter: Parameters<Store['conversations']['page']>[1], place: string | null = null) =>
        store.conversations.page({ namespace_id: bob.namespace.id }, filter, place, 2);
      const found: string[] = [];
      let place: string | null = null;
      do {
        const { items, next: following } = await page({ state: 'waiting', members }, place);
        found.push(...items);
        place = following;
      } while (place !== null);
      const threads = messages.map(({ thread_id }) => thread_id);
      assert.deepEqual(found, threads.toReversed());
      const mine = await page({ state: 'waiting', assignee: 'acc_a', members });
      assert.deepEqual(mine.items, [threads[4], threads[2]]);
      const free = await page({ state: 'waiting', assignee: null, members });
      assert.deepEqual(free.items, [threads[3], threads[1]]);
      const inMailbox = await store.conversations.page({ mailbox_ids: [bob.mailbox.id] }, { members }, null, 9);
      assert.equal(inMailbox.items.length, 5);
      const untouched = await store.threads.conversations({ namespace_id: bob.namespace.id }, null, 9, {
        ...{ state: 'open', members },
      });
      assert.deepEqual(
        untouched.items.map(({ thread_id }) => thread_id),
        [first.thread_id],
      );
    });

    test('notes come oldest first, per mailbox, with an event, and go with the thread, the mailbox and its storage', async () => {
      const one = noteOf('One.');
      const two = noteOf('Two.', { id: newId('nte', T + 1), created_at: T + 1, mentions: ['acc_b'] });
      assert.equal(await store.conversations.addNote(one), true);
      assert.equal(await store.conversations.addNote(two), true);
      assert.deepEqual(await store.conversations.notes(first.thread_id, [bob.mailbox.id], 9), [one, two]);
      assert.deepEqual(await store.conversations.notes(first.thread_id, [bob.mailbox.id], 1), [two]);
      assert.deepEqual(await store.conversations.notes(first.thread_id, [alice.mailbox.id], 9), []);
      assert.deepEqual(await store.conversations.notesOf(bob.mailbox.id, one.id, 9), [two]);
      assert.deepEqual(await typesOf(bob), ['thread.note', 'thread.note']);
      await change({ state: 'waiting' });
      const later = messageOf(alice, bob, { thread_id: first.thread_id });
      await accept(store, later);
      const bytes = async () => (await store.storage.totals([bob.namespace.id]))[0]?.bytes ?? 0;
      const before = await bytes();
      await store.messages.remove(first);
      assert.equal((await store.conversations.notes(first.thread_id, [bob.mailbox.id], 9)).length, 2);
      await store.messages.remove(later);
      assert.deepEqual(await store.conversations.notes(first.thread_id, [bob.mailbox.id], 9), []);
      assert.equal(await standing(), undefined);
      assert.ok((await bytes()) < before - 400);
      const other = messageOf(alice, bob);
      await accept(store, other);
      await store.conversations.addNote(noteOf('Three.', { thread_id: other.thread_id }));
      await store.mailboxes.delete(bob.mailbox.id, T);
      assert.equal(await store.conversations.addNote(noteOf('Four.')), false);
      await purgeAll(store, T);
      assert.deepEqual(await store.conversations.notesOf(bob.mailbox.id, '', 9), []);
    });
  });
}
