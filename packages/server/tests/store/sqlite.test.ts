import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import type { AppError } from '@mailroom/behavior/values/error';
import { replyIdOf } from '@mailroom/behavior/values/ids';
import type { Store } from '../../core/ports/store.ts';
import { Damage } from '../../store/damage.ts';
import { assertDurable, connect } from '../../store/sqlite/connection.ts';
import { makeEngine } from '../../store/sqlite/engine.ts';
import { storeError } from '../../store/sqlite/errors.ts';
import { migrate } from '../../store/sqlite/prepare.ts';
import { openSqlite, type SqliteOptions } from '../../store/sqlite/store.ts';
import { WriterThread } from '../../store/sqlite/thread.ts';
import { WRITE } from '../../store/sqlite/wire.ts';
import { storeContract } from './contract.ts';
import {
  accept,
  fromMailbox,
  idempotencyOf,
  keyOf,
  messageOf,
  purgeAll,
  settlementOf,
  T,
  waitingOf,
  world,
} from './made.ts';
import { fillSignIn, SIGN_IN_LEFT, SIGN_IN_TABLES } from './signed-in.ts';

const folder = mkdtempSync(join(tmpdir(), 'mailroom-store-'));
/** Open stores that no test uses, with a connection of the tests to their file. */
const idle: { readonly store: Store; readonly db: DatabaseSync }[] = [];
after(async () => {
  for (const { store, db } of idle) {
    db.close();
    await store[Symbol.asyncDispose]();
  }
  rmSync(folder, { recursive: true });
});
let files = 0;
const newFile = (): string => join(folder, `${++files}.db`);
const open = (path: string, options: SqliteOptions = {}): Promise<Store> =>
  openSqlite(path, { clock: () => T + 100, ...options });

async function openForMany(): Promise<(typeof idle)[number]> {
  const path = newFile();
  const store = await open(path);
  const db = new DatabaseSync(path, { timeout: 5_000 });
  db.exec('pragma synchronous = off; pragma foreign_keys = off');
  return { store, db };
}

/** Empties every table except the version of the schema. */
function empty(db: DatabaseSync): void {
  const tables = db
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not in ('schema_version', 'sqlite_sequence')",
    )
    .all();
  db.exec(`begin immediate; ${tables.map(({ name }) => `delete from ${name};`).join(' ')} commit`);
}

// A test gets a store of a test before it, without rows: opening one takes longer than most tests.
storeContract('SQLite', async () => {
  const taken = idle.pop() ?? (await openForMany());
  return {
    ...taken.store,
    async [Symbol.asyncDispose]() {
      empty(taken.db);
      idle.push(taken);
    },
  };
});

test('SQLite: the file and its folder are made for this user alone', async () => {
  const path = join(folder, 'deep', 'er', 'mail.db');
  await using store = await open(path);
  await store.probe();
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(join(folder, 'deep', 'er')).mode & 0o777, 0o700);
  for (const suffix of ['-wal', '-lock']) assert.equal(statSync(path + suffix).mode & 0o077, 0);
});

test('SQLite: a commit is on disk before it is told (WAL, synchronous FULL), and anything less is refused', () => {
  const db = connect(newFile());
  try {
    assertDurable(db);
    db.exec('pragma synchronous = normal');
    assert.throws(() => assertDurable(db), /not be durable/);
    db.exec('pragma synchronous = full; pragma journal_mode = delete');
    assert.throws(() => assertDurable(db), /not be durable/);
  } finally {
    db.close();
  }
});

test('SQLite: a second process is refused with the file’s name, also by another path; the next one is let in', async () => {
  const path = newFile();
  const store = await open(path);
  const other = `import { openSqlite } from ${JSON.stringify(import.meta.resolve('../../store/sqlite/store.ts'))};
    await using store = await openSqlite(process.argv[1]); await store.probe();`;
  const start = (file: string) =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', other, file], { encoding: 'utf8' });
  const second = start(path);
  assert.notEqual(second.status, 0);
  assert.match(second.stderr, /in use by another process/);
  assert.ok(second.stderr.includes(path));
  symlinkSync(path, `${path}-link`);
  await assert.rejects(open(`${path}-link`), /in use by another process/);
  await store[Symbol.asyncDispose]();
  const third = start(path);
  assert.equal(third.status, 0, third.stderr);
});

test('SQLite: a maintenance command works alongside, leaves the leases alone, and what it changes counts at once', async () => {
  const path = newFile();
  await using store = await open(path);
  const alice = await world(store);
  const running = waitingOf(alice, alice);
  await accept(store, running, { leased_until: T + 1000 });
  await accept(store, messageOf(alice, alice));
  {
    await using beside = await open(path, { alongside: true });
    assert.equal((await beside.messages.byId(running.id))?.status, 'working');
    const key = keyOf(alice.namespace);
    await beside.keys.create(key);
    assert.equal((await store.keys.byId(key.id))?.id, key.id);
    await beside.keys.revoke(alice.key.id, alice.namespace.id, T);
  }
  const late = await accept(store, messageOf(alice, alice));
  assert.deepEqual(late, { kind: 'refused', code: 'invalid_key' });
  assert.equal(await store.messages.settle({ id: running.id, fence: 1 }, settlementOf()), true);
});

test('SQLite: messages with long texts are committed a few at a time, and a short one between them', async () => {
  await using store = await open(newFile());
  const alice = await world(store);
  const written: string[] = [];
  const write = async (body: string): Promise<void> => {
    const message = { ...messageOf(alice, alice), body };
    await accept(store, message);
    written.push(body.length > 1 ? 'long' : 'short');
    assert.equal((await store.messages.byId(message.id))?.body, body);
  };
  const long = Array.from({ length: 30 }, () => write('x'.repeat(200_000)));
  await Promise.all([...long, write('x')]);
  assert.equal(written.length, 31);
  assert.ok(written.indexOf('short') < 10, `after ${written.indexOf('short')} of ${long.length} long ones`);
});

test('SQLite: reopening keeps everything that was acknowledged', async () => {
  const path = newFile();
  const first = await open(path);
  const alice = await world(first);
  const message = messageOf(alice, alice, fromMailbox(alice));
  await accept(first, message, { from_mailbox_id: alice.mailbox.id, idempotency: idempotencyOf('s', 'k') });
  await first[Symbol.asyncDispose]();
  await using second = await open(path);
  assert.deepEqual(await second.messages.byId(message.id), message);
  assert.equal((await second.messages.byId(replyIdOf(message.id)))?.body, message.reply?.body);
  assert.deepEqual(await second.keys.byId(alice.key.id), alice.key);
  assert.equal((await second.idempotency('s', 'k', T))?.id, message.id);
});

test('SQLite: closing writes what was still pending', async () => {
  const path = newFile();
  const first = await open(path);
  const alice = await world(first);
  const sent = Array.from({ length: 50 }, (_, at) => ({
    ...messageOf(alice, alice),
    body: at % 5 === 0 ? 'x'.repeat(200_000) : 'x',
  }));
  const accepted = sent.map((message) => accept(first, message));
  await first[Symbol.asyncDispose]();
  await Promise.all(accepted);
  await assert.rejects(accept(first, messageOf(alice, alice)), { code: 'unavailable' });
  await using second = await open(path);
  for (const { id } of sent) assert.ok(await second.messages.byId(id));
});

test('SQLite: a start voids all leases, counts the waiting anew, and held stays held', async () => {
  const path = newFile();
  const first = await open(path);
  const alice = await world(first);
  const paused = await world(first, { status: 'paused' });
  const running = waitingOf(alice, alice);
  await accept(first, running, { leased_until: T + 30_000 });
  await accept(first, waitingOf(alice, paused));
  await first[Symbol.asyncDispose]();

  await using second = await open(path);
  assert.equal((await second.messages.byId(running.id))?.status, 'submitted');
  assert.equal(await second.handlings.nextDue(), T + 100);
  assert.deepEqual(await second.handlings.claim(10, T + 100, 1000), [], 'a suspect is claimed apart');
  const { id, fence, attempt, crashes } = (await second.handlings.claimSuspect(T + 100, 1000)) ?? {};
  assert.deepEqual(
    [id, fence, attempt, crashes],
    [running.id, 2, 1, 0],
    'the attempt that a crash ended is no attempt',
  );
  assert.equal(await second.handlings.claimSuspect(T + 100, 1000), undefined);
  assert.equal(await second.messages.settle({ id: running.id, fence: 1 }, settlementOf()), false);
  const full = await accept(second, waitingOf(alice, paused), { max_waiting: 1 });
  assert.deepEqual(full, { kind: 'refused', code: 'mailbox_full' });
});

test('SQLite: one write that fails takes no other of its batch with it', async () => {
  await using store = await open(newFile());
  const alice = await world(store);
  const twice = messageOf(alice, alice);
  await accept(store, twice);
  const sent = Array.from({ length: 20 }, (_, i) => (i === 7 ? twice : waitingOf(alice, alice)));
  const done = await Promise.allSettled(sent.map((message) => accept(store, message, { max_waiting: 19 })));
  for (const [i, { status }] of done.entries()) assert.equal(status, i === 7 ? 'rejected' : 'fulfilled');
  const failed = done[7] as PromiseRejectedResult;
  assert.match(String(failed.reason), /UNIQUE/);
  for (const { id } of sent) assert.ok(await store.messages.byId(id));
  const full = await accept(store, waitingOf(alice, alice), { max_waiting: 19 });
  assert.deepEqual(full, { kind: 'refused', code: 'mailbox_full' }, 'what was rolled back did not count twice');
});

test('SQLite: what follows a message in its batch finds it, however many messages come between', async () => {
  await using store = await open(newFile());
  const alice = await world(store);
  const sent = Array.from({ length: 21 }, () => waitingOf(alice, alice));
  const done = await Promise.all(
    sent.flatMap((message, i) => {
      const accepted = accept(store, message);
      return i % 4 === 1 ? [accepted, store.messages.cancel(message.id, T + 1)] : [accepted];
    }),
  );
  assert.deepEqual(
    done.filter((result) => typeof result === 'boolean'),
    [true, true, true, true, true],
  );
  for (const [i, { id }] of sent.entries())
    assert.equal((await store.messages.byId(id))?.status, i % 4 === 1 ? 'canceled' : 'submitted');
});

test('SQLite: a full disk fails what does not fit, with nothing of it written', () => {
  const db = connect(newFile());
  try {
    migrate(db, 'it', false);
    db.exec(`pragma max_page_count = ${Number(db.prepare('pragma page_count').get()?.page_count) + 2}`);
    const run = makeEngine(db);
    const put = (name: string, value: string) => {
      const cells = [1, 'insert into secrets (name, value) values ($1, $2)', 2, name, value];
      return [WRITE, cells.length, ...cells];
    };
    const [results, failures] = run([...put('a', 'x'), ...put('b', 'x'.repeat(100_000)), ...put('c', 'x')]);
    assert.equal(results?.length, 3);
    assert.deepEqual(
      failures?.map(([place, , errcode]) => [place, errcode]),
      [[1, 13]],
    );
    assert.deepEqual(
      db
        .prepare('select name from secrets')
        .all()
        .map(({ name }) => name),
      ['a', 'c'],
    );
  } finally {
    db.close();
  }
});

test('SQLite: while another holds the file locked, writes are unavailable and say when to come back', () => {
  const path = newFile();
  const db = connect(path);
  const other = new DatabaseSync(path);
  try {
    migrate(db, path, false);
    const run = makeEngine(db);
    db.exec('pragma busy_timeout = 0');
    other.exec('begin immediate');
    const [, failures] = run([WRITE, 1, 0, WRITE, 1, 0]);
    assert.equal(failures?.length, 2);
    const error = storeError({ errcode: failures?.[0]?.[2] }, new Damage()) as AppError;
    assert.equal(error.code, 'unavailable');
    assert.ok((error.retry_after_ms ?? 0) > 0);
    other.exec('rollback');
    assert.deepEqual(run([WRITE, 1, 0]), [[[]], null]);
  } finally {
    other.close();
    db.close();
  }
});

test('SQLite: when the writer thread dies, what waits and what comes is refused and the owner is told', async () => {
  const path = newFile();
  await (await open(path))[Symbol.asyncDispose]();
  const failures: Error[] = [];
  const writer = await WriterThread.start({ path, alongside: false, compactHour: undefined }, new Damage(), (error) =>
    failures.push(error),
  );
  const pending = writer.send(WRITE, [0]);
  const rejected = assert.rejects(pending, { code: 'unavailable' });
  await writer.kill();
  await rejected;
  await assert.rejects(writer.send(WRITE, [0]), { code: 'unavailable' });
  assert.equal(failures.length, 1);
  await writer[Symbol.asyncDispose]();
});

test('SQLite: each committed batch is published with how many writes it had', async () => {
  await using store = await open(newFile());
  const seen: { writes: number; ms: number }[] = [];
  const record = (message: unknown) => void seen.push(message as { writes: number; ms: number });
  subscribe('mailroom:store:commit', record);
  try {
    await Promise.all([store.probe(), store.probe(), store.probe()]);
  } finally {
    unsubscribe('mailroom:store:commit', record);
  }
  assert.deepEqual(
    seen.map(({ writes }) => writes),
    [3],
  );
  assert.ok((seen[0]?.ms ?? -1) >= 0);
});

test('SQLite: when purges are through, the file holds nothing a deleted namespace received and nobody’s name as its sender', async () => {
  const path = newFile();
  await using store = await open(path);
  const [alice, bob] = [await world(store), await world(store)];
  const as = { from_mailbox_id: alice.mailbox.id };
  await accept(store, messageOf(alice, bob, fromMailbox(alice)), as);
  await accept(store, waitingOf(alice, bob, fromMailbox(alice)), as);
  await accept(store, messageOf(bob, alice, fromMailbox(bob)), { from_mailbox_id: bob.mailbox.id });
  await store.namespaces.delete(bob.namespace.id, T);
  assert.ok((await purgeAll(store, T)) > 0);
  const db = new DatabaseSync(path);
  try {
    const rows = db
      .prepare('select kind, from_mailbox_id, to_mailbox_id, sender_id, "from", "to", key_id from messages order by id')
      .all();
    const mine = alice.mailbox.id;
    const address = `hello@${alice.namespace.name}`;
    const noSender = { from_mailbox_id: null, sender_id: null, from: null, key_id: null };
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { kind: 'reply', to_mailbox_id: mine, to: address, ...noSender },
        { kind: 'message', to_mailbox_id: mine, to: address, ...noSender },
        {
          kind: 'reply',
          from_mailbox_id: mine,
          to_mailbox_id: null,
          sender_id: mine,
          from: address,
          to: null,
          key_id: null,
        },
      ],
    );
    const said = db.prepare('select body, data from messages where from_mailbox_id is null').all();
    assert.equal(said.length, 2);
    assert.equal(db.prepare('select count(*) as jobs from jobs').get()?.jobs, 0);
  } finally {
    db.close();
  }
});

test('SQLite: when purges are through, the file holds nothing of what a deleted namespace was for signing in', async () => {
  const path = newFile();
  await using store = await open(path);
  const [gone, stays] = [await world(store), await world(store)];
  await fillSignIn(store, gone, stays);
  await store.namespaces.delete(gone.namespace.id, T);
  await purgeAll(store, T);
  using db = new DatabaseSync(path, { readOnly: true });
  const left = SIGN_IN_TABLES.map((name) => [name, db.prepare(`select count(*) as n from ${name}`).get()?.n]);
  assert.deepEqual(Object.fromEntries(left), SIGN_IN_LEFT);
});

test('SQLite: a file of a newer version that took away what this one uses is refused', async () => {
  const path = newFile();
  await (await open(path))[Symbol.asyncDispose]();
  const db = new DatabaseSync(path);
  db.exec("insert into schema_version values (1000, '000000000000', '9.9.9', 1000)");
  db.close();
  const why = /newer version, and works from schema 1000 on .*Start the build that wrote it/;
  await assert.rejects(open(path), why);
  await assert.rejects(open(path, { alongside: true }), why);
});

/** Opens a file that `change` left, and asserts that it is refused and stays byte for byte. */
async function assertRefused(change: (db: DatabaseSync) => void, why: RegExp, path = newFile()): Promise<void> {
  const db = new DatabaseSync(path);
  change(db);
  db.close();
  const bytes = readFileSync(path);
  await assert.rejects(open(path), why);
  await assert.rejects(open(path, { alongside: true }), why);
  assert.deepEqual(readFileSync(path), bytes);
}

test('SQLite: a file of a build whose tables differ is refused with both versions and the way out', async () => {
  const path = newFile();
  await (await open(path))[Symbol.asyncDispose]();
  const why =
    /written by another build, whose tables differ \(schema \d+ 0{12} of 0\.0\.9, .*Start the build that wrote it/;
  await assertRefused(
    (db) => db.exec("update schema_version set fingerprint = '000000000000', build = '0.0.9'"),
    why,
    path,
  );
});

test('SQLite: a file of a build that kept no fingerprint is refused', async () => {
  await assertRefused((db) => {
    db.exec('pragma journal_mode = wal; create table schema_version (version integer not null)');
    db.exec('insert into schema_version values (1); create table messages (id text primary key)');
  }, /written by another build/);
});

test('SQLite: a file with tables of another program is refused', async () => {
  for (const tables of [
    'create table moz_places (id integer primary key)',
    'create table schema_version (installed_rank integer)',
    'create table messages (id integer primary key); create table schema_version (version text)',
  ])
    await assertRefused((db) => db.exec(`pragma journal_mode = wal; ${tables}`), /tables of another program/);
});
