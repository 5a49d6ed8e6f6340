import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import type { Effect } from '@mailroom/behavior/effect';
import { run } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import { amount } from '../../../../tests/soak/length.ts';
import type { Message } from '../../core/entities/message.ts';
import { assertSpace, COMPACTION, compactionOf } from '../../store/sqlite/compact.ts';
import { compactFile } from '../../store/sqlite/compact-file.ts';
import { connect } from '../../store/sqlite/connection.ts';
import { type Compaction, Deletion, untilHour } from '../../store/sqlite/deletion.ts';
import { openSqlite } from '../../store/sqlite/store.ts';
import { accept, keyOf, messageOf, purgeAll, settlementOf, T, type World, waitingOf, world } from './made.ts';

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

/** Resolves with the next compaction of which the log is truncated too. */
async function compacted(): Promise<Compaction> {
  const compaction = await new Promise<Compaction>((resolve) => {
    const listener = (message: unknown): void => {
      unsubscribe('mailroom:store:compacted', listener);
      resolve(message as Compaction);
    };
    subscribe('mailroom:store:compacted', listener);
  });
  await until(
    5_000,
    async () => stateOf(path),
    (state) => state === COMPACTION.none,
  );
  return compaction;
}

function stateOf(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  const state = compactionOf(db);
  db.close();
  return state;
}

/** Rows are moved about many times with a third of the messages too. */
const MESSAGES = amount(1_000, 3_000);
/** Each text occurs at least as often as this: each message has a body and an answer of many words. */
const MANY = (MESSAGES * 5) / 3;

/** Text of varying length. */
const text = (mark: string, i: number): string => `${mark}-${i} `.repeat(1 + ((i * 7919) % (i % 40 === 0 ? 1500 : 40)));

test('what was deleted stands nowhere in the files within seconds, though SQLite had moved it about, and what was not is as it was', async () => {
  await using store = await openSqlite(path, { clock: () => T + 100 });
  const sender = await world(store);
  const marks = ['KEEP', 'GONE', 'LATE'];
  const worlds = new Map<string, World>();
  for (const mark of marks) worlds.set(mark, await world(store, { description: `${mark}-mailbox` }));
  const keys = new Map(marks.map((mark) => [mark, [] as string[]]));
  for (let i = 0; i < MESSAGES / 10; i++) {
    const made = marks.map((mark) => {
      const { namespace } = worlds.get(mark) as World;
      const key = keyOf(namespace, { name: `${mark}-key` });
      keys.get(mark)?.push(key.sha256);
      return store.keys.create(key);
    });
    await Promise.all(made);
  }
  // Each is accepted first and settled later, so that rows grow in place and push others out of their pages.
  const kept: Message[] = [];
  for (let i = 0; i < MESSAGES; i += 100) {
    const sent = Array.from({ length: 100 }, (_, n) => {
      const mark = marks[(i + n) % marks.length] as string;
      const fields = { body: text(mark, i + n), subject: `${mark}-subject`, created_at: T + i + n };
      return { mark, message: waitingOf(sender, worlds.get(mark) as World, fields) };
    });
    await Promise.all(sent.map(({ message }) => accept(store, message, { leased_until: T + 1e9, max_waiting: 1e9 })));
    const order = sent.toSorted((a, b) => (a.message.id.slice(-4) < b.message.id.slice(-4) ? -1 : 1));
    const settled = order.map(({ mark, message }) => {
      const settlement = settlementOf({
        reply: { body: text(`${mark}-reply`, message.created_at - T + 13), data: null },
      });
      if (mark === 'KEEP') kept.push({ ...message, ...settlement, replies_count: 1 });
      return store.messages.settle({ id: message.id, fence: 1 }, settlement);
    });
    await Promise.all(settled);
  }
  // What the sender has of a message goes with the message too.
  for (const mark of marks) {
    const message = messageOf(sender, worlds.get(mark) as World);
    await accept(store, message);
    await store.labels.change(sender.mailbox.id, message.id, { add: [`${mark}-label`], remove: [] }, 20);
    await store.messageIds.add(worlds.get(mark)?.namespace.id ?? '', message.id, [`<${mark}-id@x>`]);
  }
  await accept(store, messageOf(sender, sender));

  for (const mark of ['GONE', 'LATE']) {
    assert.ok(found(`${mark}-`) > MANY);
    const { namespace } = worlds.get(mark) as World;
    await store.namespaces.delete(namespace.id, T + 1);
    await purgeAll(store, T + 1);
    // A deletion that takes long may be compacted in the middle, and once more after its end.
    await until(
      60_000,
      async () => stateOf(path),
      (state) => state === COMPACTION.none,
    );
    assert.equal(found(`${mark}-`), 0);
    for (const sha256 of keys.get(mark) ?? []) assert.equal(found(sha256), 0);
    assert.ok(found('KEEP-') > MANY);
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

test('a deletion that finds nothing leads to no compaction', async () => {
  const file = join(folder, 'nothing.db');
  await using store = await openSqlite(file, { clock: () => T });
  await store.deliveries.retire(T, 100);
  assert.equal(stateOf(file), COMPACTION.none);
});

test('whoever reads for long is waited for, and writes go on meanwhile', async () => {
  await using store = await openSqlite(path, { clock: () => T + 100 });
  const one = await world(store);
  const reader = new DatabaseSync(path, { readOnly: true });
  const secret = messageOf(one, one, { body: 'HELD-text' });
  await accept(store, secret);
  reader.exec('begin');
  reader.prepare('select count(*) from messages').get();
  const next = compacted();
  await store.mailboxes.delete(one.mailbox.id, T + 1);
  await purgeAll(store, T + 1);
  const began = performance.now();
  while (performance.now() - began < 3_500) {
    await store.probe();
    await pause(20);
  }
  assert.ok(found('HELD-text') > 0, 'the reader sees the file as it was');
  reader.exec('commit');
  reader.close();
  assert.equal((await next).error, undefined);
  assert.equal(found('HELD-text'), 0);
});

test('while others write no compaction begins, and once it is quiet one does', async () => {
  const file = join(folder, 'written.db');
  await using store = await openSqlite(file, { clock: () => T + 100 });
  const [one, other] = [await world(store), await world(store)];
  await accept(store, messageOf(one, other));
  await store.mailboxes.delete(other.mailbox.id, T + 1);
  await purgeAll(store, T + 1);
  const began = performance.now();
  // Beyond the time in which the log is emptied and a compaction follows where nothing is written.
  while (performance.now() - began < 6_000) {
    await accept(store, messageOf(one, one));
    assert.equal(stateOf(file), COMPACTION.due);
    await pause(50);
  }
  await until(
    10_000,
    async () => stateOf(file),
    (state) => state === COMPACTION.none,
  );
});

test('a note and a message whose time is over leave the files with the compaction that an operator requests', async () => {
  await using store = await openSqlite(path, { clock: () => T + 100 });
  const one = await world(store);
  const other = await world(store);
  const settleWith = async (effect: Effect): Promise<void> => {
    const message = waitingOf(one, other);
    await accept(store, message, { leased_until: T + 1000 });
    assert.equal(await store.messages.settle({ id: message.id, fence: 1 }, settlementOf(), [effect]), true);
  };
  await settleWith({ kind: 'note', name: 'n', text: 'NOTE-text' });
  const expired = messageOf(one, other, { body: 'PAST-text', settled_at: T + 1 });
  await accept(store, expired);
  assert.ok(found('NOTE-text') > 0 && found('PAST-text') > 0);
  await settleWith({ kind: 'note', name: 'n', text: null });
  assert.ok((await store.messages.retire(T + 2, '', 10_000)).retired > 0);
  assert.equal(stateOf(path), COMPACTION.due);
  let asked = 0;
  await compactFile(path, () => void asked++);
  assert.equal(asked, 1, 'the service does it');
  assert.deepEqual([found('NOTE-text'), found('PAST-text')], [0, 0]);
  assert.equal(stateOf(path), COMPACTION.none);
});

/** Megabytes of messages in a file that is compacted. */
const SIZE = 30;

let filling: Promise<{ readonly sender: World; readonly full: number }> | undefined;
/** A file with `SIZE` of messages, of which a third were deleted, and its bytes before that. */
async function filled(file: string): ReturnType<typeof newFilled> {
  const first = join(folder, 'filled.db');
  filling ??= newFilled(first);
  const made = await filling;
  cpSync(first, file);
  return made;
}

async function newFilled(file: string): Promise<{ readonly sender: World; readonly full: number }> {
  await using store = await openSqlite(file, { clock: () => T + 100 });
  const sender = await world(store);
  const to = await world(store);
  for (let i = 0; i < SIZE * 1000; i += 300) {
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => {
        const body = `${n % 3 === 0 ? 'GONE' : 'KEEP'}-${i + n} `.repeat(200);
        return accept(store, messageOf(sender, n % 3 === 0 ? to : sender, { body, created_at: T + i + n }));
      }),
    );
  }
  const full = bytesOf(file);
  await store.mailboxes.delete(to.mailbox.id, T + 1);
  await purgeAll(store, T + 1);
  return { sender, full };
}

/** The bytes of its content, part of which may be in the log. */
function bytesOf(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  const row = db.prepare('select page_count * page_size as bytes from pragma_page_count, pragma_page_size').get();
  db.close();
  return Number(row?.bytes);
}

test('while the file is compacted reads go on, and writes wait for it and then go on', async (t) => {
  const file = join(folder, 'busy.db');
  const { sender, full } = await filled(file);
  await using store = await openSqlite(file, { clock: () => T + 100 });
  const compaction = { began: 0, ended: Number.POSITIVE_INFINITY };
  subscribe('mailroom:store:compacted', (message) => {
    compaction.ended = performance.now();
    compaction.began = compaction.ended - (message as Compaction).ms;
  });
  let over = false;
  /** When each of the acts began and ended, one after the other, until one ends after the compaction. */
  const timesOf = async (act: () => Promise<unknown>): Promise<{ from: number; to: number }[]> => {
    const times: { from: number; to: number }[] = [];
    while (!over || !times.some(({ from }) => from > compaction.ended)) {
      const from = performance.now();
      await act();
      times.push({ from, to: performance.now() });
      await setImmediate();
    }
    return times;
  };
  const written: Message[] = [];
  const running = Promise.all([
    timesOf(async () => {
      await store.mailboxes.byId(sender.mailbox.id);
      await pause(2);
    }),
    timesOf(async () => {
      const message = messageOf(sender, sender);
      assert.equal((await accept(store, message)).kind, 'accepted');
      written.push(message);
      // A slow compaction would else leave time to write more than it frees.
      await pause(20);
    }),
  ]);
  await compactFile(file, () => {});
  over = true;
  const [reads] = await running;
  const { began, ended } = compaction;
  const meanwhile = reads.filter(({ from, to }) => from > began && to < ended);
  t.diagnostic(`compacted in ${(ended - began).toFixed(0)} ms, with ${meanwhile.length} reads meanwhile`);
  // Before it was asked to, the service may have compacted the file by itself.
  // Reads that never pause may put off the end of the log, and so the smaller file, until they end.
  await until(
    20_000,
    async () => statSync(file).size,
    (size) => size < 0.85 * full,
  );
  assert.ok(meanwhile.length >= 5, `${meanwhile.length} reads in ${ended - began} ms`);
  for (const { id } of written) assert.ok(await store.messages.byId(id));
});

test('killed in the middle of a compaction, again and again, nothing is lost, and the next one is whole', async (t) => {
  const file = join(folder, 'killed.db');
  await filled(file);
  const contentOf = (): string => {
    const db = new DatabaseSync(file);
    assert.deepEqual(db.prepare('pragma integrity_check').all().map(Object.values), [['ok']]);
    const hash = createHash('sha256');
    for (const row of db.prepare('select id, body from messages order by id').iterate()) {
      hash.update(JSON.stringify(row));
    }
    db.close();
    return hash.digest('hex');
  };
  const before = contentOf();
  const env = { DATABASE_URL: `sqlite:${file}` };
  const command = () => run(process.execPath, [join('packages/server/commands/compact.ts')], { env });
  const isBegun = (): boolean => existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 1_000_000;
  let middle = 0;
  for (let i = 0; i < 4; i++) {
    const running = command();
    // Even rounds: while the copy is written into the log; odd rounds: at any moment before.
    if (i % 2 === 0) while (!isBegun() && running.child.exitCode === null) await pause(1);
    else await pause(150 * i);
    running.child.kill('SIGKILL');
    const { signal } = await running.exited;
    if (signal === 'SIGKILL' && stateOf(file) === COMPACTION.due) middle++;
    assert.equal(contentOf(), before);
  }
  t.diagnostic(`${middle} of 4 were killed before the end`);
  assert.ok(middle >= 2);
  const done = command();
  assert.deepEqual(await done.exited, { code: 0, signal: null }, done.stderr());
  assert.match(done.stdout(), /MB before, [\d.]+ MB after, in [\d.]+ s/);
  assert.equal(contentOf(), before);
  for (const name of readdirSync(folder).filter((name) => name.startsWith('killed.db'))) {
    assert.ok(!readFileSync(join(folder, name)).includes('GONE-'), name);
  }
  assert.equal(stateOf(file), COMPACTION.none);
});

test('a compaction that takes long waits for its hour, and without an hour for the operator', async () => {
  const file = join(folder, 'hour.db');
  await (await openSqlite(file))[Symbol.asyncDispose]();
  const hour = new Date().getUTCHours();
  for (const [compactHour, expected] of [
    [hour, COMPACTION.none],
    [(hour + 12) % 24, COMPACTION.due],
    [undefined, COMPACTION.due],
  ] as const) {
    const db = connect(file);
    const deletion = new Deletion({ path: file, db, compactHour, onCompacted: () => {}, shortMs: 0 });
    deletion.deleted(0);
    await pause(500);
    assert.equal(compactionOf(db), expected, String(compactHour));
    deletion.stop();
    db.close();
  }
  assert.equal(untilHour(3, Date.parse('2026-11-20T03:59:59Z')), 0);
  assert.equal(untilHour(3, Date.parse('2026-11-20T04:00:00Z')), 23 * 3_600_000);
  assert.equal(untilHour(3, Date.parse('2026-11-20T01:00:00Z')), 2 * 3_600_000);
});

test('a disk without space for it is named before anything is written', () => {
  assert.throws(
    () => assertSpace(folder, 1e15),
    /A compaction needs 2200000000 MB of free disk in .*, and \d+ MB are free/,
  );
});
