import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance } from '../../../../tests/harness/chance.ts';
import type { Message } from '../../core/entities/message.ts';
import type { Store } from '../../core/ports/store.ts';
import { Inbox, type InboxQuery } from '../../core/reports/inbox.ts';
import type { Page } from '../../core/values/page.ts';
import { accept, fromMailbox, mailboxOf, messageOf, type World, waitingOf, world } from '../store/made.ts';
import { newFile, openFile, T, TestClock } from './house.ts';

async function open(): Promise<AsyncDisposable & { store: Store; inbox: Inbox; one: World }> {
  const store = await openFile(newFile(), new TestClock());
  const one = await world(store);
  return { store, inbox: new Inbox({ store }), one, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** All ids by pages of `size`. */
async function all(inbox: Inbox, { namespace }: World, of: InboxQuery = {}, size = 7): Promise<string[]> {
  const ids: string[] = [];
  let cursor = null as string | null;
  for (let pages = 0; pages < 2_000; pages++) {
    const page: Page<Message> = await inbox.page(namespace.id, of, cursor, size);
    assert.ok(page.items.length <= size);
    ids.push(...page.items.map(({ id }) => id));
    if (page.next === null) return ids;
    assert.ok(cursor === null || page.next < cursor, 'it does not move on');
    cursor = page.next;
  }
  throw new Error('no end');
}
const newest = (ids: readonly string[]): string[] => [...ids].sort().reverse();

test('the messages of many mailboxes are one list, newest first, each once, whatever the page', async () => {
  await using house = await open();
  const { store, inbox, one } = house;
  const random = chance(7);
  const boxes = [one.mailbox];
  for (let i = 0; i < 60; i++) {
    const box = mailboxOf(one.namespace, `m${i}`);
    await store.mailboxes.create(box);
    boxes.push(box);
  }
  const ids: string[] = [];
  const rare: string[] = [];
  await Promise.all(
    Array.from({ length: 800 }, async (_, i) => {
      const mailbox = boxes[Math.floor(random() ** 3 * boxes.length)] ?? one.mailbox;
      const subject = i % 90 === 0 ? 'rare' : null;
      const message = messageOf(one, { ...one, mailbox }, { created_at: T + Math.floor(random() * 500), subject });
      ids.push(message.id);
      if (subject !== null) rare.push(message.id);
      await accept(store, message);
    }),
  );
  for (const size of [1, 7, 200]) assert.deepEqual(await all(inbox, one, {}, size), newest(ids));
  assert.deepEqual(await all(inbox, one, { query: 'RARE' }, 3), newest(rare));
  const [box] = boxes;
  assert.deepEqual(
    await all(inbox, one, box === undefined ? {} : { mailbox_id: box.id }, 50),
    (await store.messages.page({ mailbox_id: box?.id as string }, null, 800)).items.map(({ id }) => id),
  );
});

test('a message between two mailboxes of one namespace and the filed copy of its reply are both there', async () => {
  await using house = await open();
  const { store, inbox, one } = house;
  const boxes = Array.from({ length: 45 }, (_, i) => mailboxOf(one.namespace, `m${i}`));
  for (const box of boxes) await store.mailboxes.create(box);
  for (const box of boxes) {
    await accept(store, messageOf(one, { ...one, mailbox: box }, fromMailbox(one)), {
      from_mailbox_id: one.mailbox.id,
    });
  }
  for (const size of [1, 2, 50]) {
    const ids = await all(inbox, one, {}, size);
    assert.equal(ids.length, 90);
    assert.deepEqual(ids, newest([...new Set(ids)]));
  }
});

test('held is what waits for its mailbox to be resumed, and nothing else', async () => {
  await using house = await open();
  const { store, inbox, one } = house;
  const paused = mailboxOf(one.namespace, 'paused', { status: 'paused' });
  await store.mailboxes.create(paused);
  const held = waitingOf(one, { ...one, mailbox: paused });
  await accept(store, held);
  await accept(store, waitingOf(one, one));
  await accept(store, messageOf(one, { ...one, mailbox: paused }));
  assert.deepEqual(await all(inbox, one, { held: true }), [held.id]);
  assert.equal((await all(inbox, one, { status: 'submitted' })).length, 2);
  await store.mailboxes.change(paused.id, { status: 'online' }, T);
  assert.deepEqual(await all(inbox, one, { held: true }), []);
});

test('a deleted mailbox and another namespace are no part of it', async () => {
  await using house = await open();
  const { store, inbox, one } = house;
  const other = await world(store);
  await accept(store, messageOf(one, one));
  await accept(store, messageOf(one, other));
  await store.mailboxes.delete(one.mailbox.id, T);
  assert.deepEqual(await all(inbox, one), []);
  assert.equal((await all(inbox, other)).length, 1);
});

test('a page of many mailboxes with long messages holds no more text than a page of one, and none is left out', async () => {
  await using house = await open();
  const { store, inbox, one } = house;
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    const mailbox = mailboxOf(one.namespace, `long${i}`);
    await store.mailboxes.create(mailbox);
    for (let at = 0; at < 12; at++) {
      const body = 'x'.repeat(250_000);
      const message = messageOf(one, { ...one, mailbox }, { created_at: T + at * 5 + i, body });
      ids.push(message.id);
      await accept(store, message);
    }
  }
  const page = await inbox.page(one.namespace.id, {}, null, 100);
  const held = page.items.reduce((sum, { body }) => sum + body.length, 0);
  assert.ok(held <= 4 * 1024 * 1024 + 250_000, `${held} characters`);
  assert.deepEqual(await all(inbox, one, {}, 100), newest(ids));
});
