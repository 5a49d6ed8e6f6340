import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { query, startPostgres } from '../../../../tests/harness/postgres.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import type { Store } from '../../core/ports/store.ts';
import { copyStore } from '../../store/copy/copy.ts';
import { openPostgres } from '../../store/postgres/store.ts';
import { openSqlite } from '../../store/sqlite/store.ts';
import { accept, messageOf, T, type World, world } from './made.ts';

const server = await startPostgres();
const folder = newFolder();
after(async () => {
  await server[Symbol.asyncDispose]();
  removeFolder(folder);
});

/** The ids of messages with events after a cursor, and the cursor to continue after. */
async function idsAfter(store: Store, of: World, place: string | null) {
  const ids: string[] = [];
  for (let at = place; ; ) {
    const page = await store.events.page({ namespace_id: of.namespace.id }, at, 100);
    for (const event of page.items) if ('message' in event) ids.push(event.message.id);
    at = page.next;
    if (!page.more) return { ids, next: at };
  }
}

/** Another session, in an open transaction that has written an event. */
async function slow(url: string, of: World, messageId: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query(
    `insert into events (namespace_id, mailbox_id, type, message_id, at, arrived)
     values ($1, $2, 'message.completed', $3, $4, 1)`,
    [of.namespace.id, of.mailbox.id, messageId, T],
  );
  return async () => {
    await client.query('commit');
    await client.end();
  };
}

test('a follower misses nothing and is told nothing twice while many write and one takes its time to commit', async () => {
  const url = await server.newDatabase();
  await using one = await openPostgres(url);
  await using other = await openPostgres(url);
  const alice = await world(one);
  const sent: string[] = [];
  const before = messageOf(alice, alice);
  await accept(one, before);
  const received: string[] = [];
  let place: string | null = null;
  let over = false;
  const follow = async (): Promise<void> => {
    for (let last = false; !last; await sleep(2)) {
      last = over;
      const { ids, next } = await idsAfter(other, alice, place);
      received.push(...ids);
      place = next;
    }
  };
  const following = follow();
  let number = 0;
  const writers = Array.from({ length: 8 }, async (_, at) => {
    for (let i = 0; i < 60; i++) {
      const message = messageOf(alice, alice, { body: `${number++}` });
      await accept(at % 2 ? one : other, message);
      sent.push(message.id);
    }
  });
  // Its number is lower than most, and it becomes visible after them.
  const commit = await slow(url, alice, before.id);
  await Promise.all(writers);
  assert.ok(received.length < sent.length, 'the follower was ahead of what may still come before');
  await commit();
  await sleep(50);
  over = true;
  await following;
  assert.equal(received.filter((id) => id === before.id).length, 2);
  const fresh = received.filter((id) => id !== before.id);
  assert.equal(new Set(fresh).size, fresh.length, 'told twice');
  assert.deepEqual([...fresh].sort(), [...sent].sort());
});

test('after a restore into a server that counted less, events show, in their order, and an old place goes on', async () => {
  const url = await server.newDatabase();
  let alice: World;
  const ids: string[] = [];
  let place: string;
  {
    await using store = await openPostgres(url);
    alice = await world(store);
    for (let i = 0; i < 4; i++) {
      const message = messageOf(alice, alice);
      await accept(store, message);
      ids.push(message.id);
    }
  }
  // As in a dump of a server that had counted much further.
  await query(url, 'update events set tx = tx + 5000000000');
  {
    await using store = await openPostgres(url);
    assert.deepEqual((await idsAfter(store, alice, null)).ids, ids);
    place = (await idsAfter(store, alice, null)).next;
    const next = messageOf(alice, alice);
    await accept(store, next);
    assert.deepEqual((await idsAfter(store, alice, place)).ids, [next.id]);
    ids.push(next.id);
  }
  await using store = await openPostgres(url);
  assert.deepEqual((await idsAfter(store, alice, null)).ids, ids);
  assert.deepEqual((await idsAfter(store, alice, place)).ids, ids.slice(4));
});

test('copied from SQLite they keep their places, and what happens then comes after', async () => {
  const path = join(folder, 'copied.db');
  let alice: World;
  const ids: string[] = [];
  let place: string;
  {
    await using store = await openSqlite(path);
    alice = await world(store);
    for (let i = 0; i < 5; i++) {
      const message = messageOf(alice, alice);
      await accept(store, message);
      ids.push(message.id);
    }
    const page = await store.events.page({ namespace_id: alice.namespace.id }, null, 4);
    place = page.next;
  }
  const url = await server.newDatabase();
  await copyStore(path, url);
  await using store = await openPostgres(url);
  const next = messageOf(alice, alice);
  await accept(store, next);
  assert.deepEqual((await idsAfter(store, alice, place)).ids, [...ids.slice(3), next.id]);
});
