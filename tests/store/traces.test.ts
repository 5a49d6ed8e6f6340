import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import type { Message } from '../../src/core/entities/message.ts';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import type { Erased } from '../../src/store/sqlite/traces.ts';
import type { World } from './made.ts';
import { accept, keyOf, messageOf, purgeAll, settlementOf, T, waitingOf, world } from './made.ts';

const folder = mkdtempSync(join(tmpdir(), 'mailroom-traces-'));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'm.db');

/** How often each text occurs in the bytes of the files. */
function found(text: string): number {
  let count = 0;
  for (const suffix of ['', '-wal', '-shm']) {
    if (!existsSync(path + suffix)) continue;
    const bytes = readFileSync(path + suffix);
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) count++;
  }
  return count;
}

const nextErased = (): Promise<Erased> =>
  new Promise((resolve) => {
    const listener = (message: unknown): void => {
      unsubscribe('mailroom:store:erased', listener);
      resolve(message as Erased);
    };
    subscribe('mailroom:store:erased', listener);
  });

/** Text of varying length. */
const text = (mark: string, i: number): string => `${mark}-${i} `.repeat(1 + ((i * 7919) % (i % 40 === 0 ? 1500 : 40)));

test('what was deleted stands nowhere in the files, though SQLite had moved it about, and what was not is as it was', async () => {
  await using store = await openSqlite(path, { clock: () => T + 100 });
  const sender = await world(store);
  const marks = ['KEEP', 'GONE', 'LATE'];
  const worlds = new Map<string, World>();
  for (const mark of marks) worlds.set(mark, await world(store, { description: `${mark}-mailbox` }));
  const keys = new Map(marks.map((mark) => [mark, [] as string[]]));
  for (let i = 0; i < 300; i++) {
    for (const mark of marks) {
      const { namespace } = worlds.get(mark) as World;
      const key = keyOf(namespace, { name: `${mark}-key` });
      keys.get(mark)?.push(key.sha256);
      await store.keys.create(key);
    }
  }
  // Each is accepted first and settled later, so that rows grow in place and push others out of their pages.
  const kept: Message[] = [];
  for (let i = 0; i < 3000; i += 100) {
    const sent = Array.from({ length: 100 }, (_, n) => {
      const mark = marks[(i + n) % marks.length] as string;
      const fields = { body: text(mark, i + n), subject: `${mark}-subject`, created_at: T + i + n };
      return { mark, message: waitingOf(sender, worlds.get(mark) as World, fields) };
    });
    await Promise.all(sent.map(({ message }) => accept(store, message, { leased_until: T + 1e9, max_waiting: 1e9 })));
    const order = sent.toSorted((a, b) => (a.message.id.slice(-4) < b.message.id.slice(-4) ? -1 : 1));
    for (const { mark, message } of order) {
      const settlement = settlementOf({ reply_body: text(`${mark}-reply`, message.created_at - T + 13) });
      await store.messages.settle({ id: message.id, fence: 1 }, settlement);
      if (mark === 'KEEP') kept.push({ ...message, ...settlement });
    }
  }
  await accept(store, messageOf(sender, sender));

  for (const mark of ['GONE', 'LATE']) {
    assert.ok(found(`${mark}-`) > 5000);
    const { namespace } = worlds.get(mark) as World;
    const erased = nextErased();
    await store.namespaces.delete(namespace.id, T + 1);
    await purgeAll(store, T + 1);
    const { pages, error } = await erased;
    assert.equal(error, undefined);
    assert.ok(pages > 0, 'there was something left to clear');
    assert.equal(found(`${mark}-`), 0);
    for (const sha256 of keys.get(mark) ?? []) assert.equal(found(sha256), 0);
    assert.ok(found('KEEP-') > 5000);
  }
  for (const message of kept) assert.deepEqual(await store.messages.byId(message.id), message);
  for (const sha256 of keys.get('KEEP') ?? []) assert.ok(await store.keys.bySha256(sha256));
  const db = new DatabaseSync(path, { readOnly: true });
  const check = db.prepare('pragma integrity_check').all();
  db.close();
  assert.deepEqual(
    check.map((row) => row.integrity_check),
    ['ok'],
  );
});

test('whoever reads for long is waited for, and writes go on meanwhile', async () => {
  await using store = await openSqlite(path, { clock: () => T + 100 });
  const one = await world(store);
  const reader = new DatabaseSync(path, { readOnly: true });
  const secret = messageOf(one, one, { body: 'HELD-text' });
  await accept(store, secret);
  reader.exec('begin');
  reader.prepare('select count(*) from messages').get();
  const erased = nextErased();
  await store.mailboxes.delete(one.mailbox.id, T + 1);
  await purgeAll(store, T + 1);
  const began = performance.now();
  while (performance.now() - began < 3_500) await store.probe();
  assert.ok(found('HELD-text') > 0, 'the reader sees the file as it was');
  reader.exec('commit');
  reader.close();
  assert.equal((await erased).error, undefined);
  assert.equal(found('HELD-text'), 0);
});
