import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import type { Owner } from '@mailroom/behavior/note';
import type { Schedule } from '@mailroom/behavior/schedule';
import { newId, threadOf } from '@mailroom/behavior/values/ids';
import pg from 'pg';
import { query, sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { CHUNK_BYTES } from '../../core/entities/attachment.ts';
import { type CopyEvent, copyStore } from '../../store/copy/copy.ts';
import { openPostgres } from '../../store/postgres/store.ts';
import { openSqlite } from '../../store/sqlite/store.ts';
import { accept, messageOf, settlementOf, T, waitingOf, world } from './made.ts';

const server = await sharedPostgres();
const folder = newFolder();
after(async () => {
  await server[Symbol.asyncDispose]();
  removeFolder(folder);
});

const MANY = 2_600;
let files = 0;

/** The files that `filled` copies, by their numbers of messages. */
const filledFiles = new Map<number, string>();

/** A SQLite file with `count` messages, the last of them leased by a process that no longer exists; returns its path. */
async function filled(count = 20): Promise<string> {
  const first = filledFiles.get(count) ?? (await newFilled(count));
  filledFiles.set(count, first);
  const path = join(folder, `${++files}.db`);
  cpSync(first, path);
  return path;
}

async function newFilled(count: number): Promise<string> {
  const path = join(folder, `${++files}.db`);
  await using store = await openSqlite(path, { clock: () => T });
  const one = await world(store);
  await store.secrets.getOrPut('thread_token', `secret of ${path}`);
  const writing = Array.from({ length: count - 1 }, (_, at) => {
    const id = newId('msg', T + at);
    return accept(store, messageOf(one, one, { id, thread_id: threadOf(id), body: `Nr. ${at} 👩‍🚀` }));
  });
  await Promise.all(writing);
  const leased = waitingOf(one, one, { id: newId('msg', T + count) });
  await accept(store, leased, { leased_until: T + 60_000 });
  return path;
}

let reused: Promise<string> | undefined;
/** The database with the tables that tests fill one after the other, without what the one before left. */
async function emptyTables(): Promise<string> {
  reused ??= (async () => {
    const url = await server.newDatabase();
    await using _store = await openPostgres(url);
    return url;
  })();
  const url = await reused;
  const tables = await query(url, "select tablename as name from pg_tables where schemaname = 'public'");
  const names = tables.map(({ name }) => name).filter((name) => name !== 'schema_version');
  await query(
    url,
    `drop table if exists unfinished_copy; drop table if exists later; drop function if exists defect cascade;
     ${names.map((name) => (name === 'unfinished_copy' || name === 'later' ? '' : `delete from ${name};`)).join(' ')}`,
  );
  return url;
}

/** Makes the database run `what` at each inserted row. */
const atEachRow = (url: string, table: string, what: string) =>
  query(
    url,
    `create function defect() returns trigger language plpgsql as $$ begin ${what} return new; end $$;
     create trigger defect before insert on ${table} for each row execute function defect()`,
  );

const rowsIn = async (url: string, table: string): Promise<number> =>
  Number((await query(url, `select count(*) as n from ${table}`))[0]?.n);

/** The id of a message somewhere in the middle. */
function middleOf(path: string): string {
  using db = new DatabaseSync(path, { readOnly: true });
  const sql = 'select id from messages order by id limit 1 offset (select count(*) / 2 from messages)';
  return db.prepare(sql).get()?.id as string;
}

const change = (path: string, sql: string): void => {
  using db = new DatabaseSync(path);
  db.exec(sql);
};

for (const [what, table, defect] of [
  [
    'a message whose text lost a character',
    'messages',
    "if new.id = '$ID' then new.body := left(new.body, -1); end if;",
  ],
  ['a message whose text became nothing', 'messages', "if new.id = '$ID' then new.data := null; end if;"],
  [
    'a time that is a millisecond off',
    'messages',
    "if new.id = '$ID' then new.settled_at := new.settled_at + 1; end if;",
  ],
  [
    'two cells that changed places',
    'messages',
    "if new.id = '$ID' then new.body := new.thread_id; new.thread_id := 'Nr. 9'; end if;",
  ],
  ['a message that did not arrive', 'messages', "if new.id = '$ID' then return null; end if;"],
  ['a key that is revoked', 'keys', 'new.revoked_at := 1;'],
] as const) {
  test(`${what} is found, and no service starts on the copy`, async () => {
    const path = await filled();
    const url = await emptyTables();
    await atEachRow(url, table, defect.replace('$ID', middleOf(path)));
    await assert.rejects(copyStore(path, url), {
      name: 'CopyError',
      message: new RegExp(`not the same: ${table} \\(`),
    });
    await assert.rejects(openPostgres(url), /unfinished copy/);
    // A second run reports the difference too.
    await assert.rejects(copyStore(path, url), { name: 'CopyError' });
  });
}

test('what is added to the copy on the way is found', async () => {
  const path = await filled();
  const url = await emptyTables();
  await atEachRow(url, 'probe', '');
  change(path, 'insert into probe (id, writes) values (1, 1)');
  await query(
    url,
    `create or replace function defect() returns trigger language plpgsql as $$ begin
       insert into secrets (name, value) values ('one', 'more'); return new; end $$`,
  );
  await assert.rejects(copyStore(path, url), /not the same: secrets \(1 rows, 2 in the copy\)/);
});

test('a table that a later version adds is copied too, whatever its key', async () => {
  const path = await filled();
  const url = await emptyTables();
  change(
    path,
    `create table later (a text not null, n bigint not null, "odd ""name" text, primary key (n, a));
     insert into later values ('b', 1, 'x'), ('a', 2, null), ('Ä', 1, 'y'), ('a', 1, '');
     with recursive n(n) as (select 3 union all select n + 1 from n where n < 3000)
     insert into later select 'many', n, n from n`,
  );
  await query(
    url,
    'create table later (a text collate "C" not null, n bigint not null, "odd ""name" text, primary key (n, a))',
  );
  const seen: CopyEvent[] = [];
  await copyStore(path, url, { on: (event) => seen.push(event) });
  assert.ok(seen.some((event) => event.kind === 'same' && event.table === 'later' && event.digest.rows === 3002));
  assert.deepEqual(await query(url, 'select * from later where n < 3 order by n, a'), [
    { a: 'a', n: '1', 'odd "name': '' },
    { a: 'b', n: '1', 'odd "name': 'x' },
    { a: 'Ä', n: '1', 'odd "name': 'y' },
    { a: 'a', n: '2', 'odd "name': null },
  ]);
});

test('a table that the database does not have, or has with other columns, stops it before anything is copied', async () => {
  const path = await filled();
  change(path, 'create table later (a text primary key not null)');
  const url = await server.newDatabase();
  await assert.rejects(copyStore(path, url), /table later does not match the source/);
  await query(url, 'create table later (a text primary key not null, b text)');
  await assert.rejects(copyStore(path, url), /table later does not match the source/);
  assert.deepEqual(await query(url, 'select tablename from pg_tables where schemaname = current_schema()'), [
    { tablename: 'later' },
  ]);
});

test('what was leased is due, under the fence that it had', async () => {
  const path = await filled();
  const url = await emptyTables();
  await copyStore(path, url, { clock: () => T + 500 });
  assert.deepEqual(await query(url, 'select leased, fence, due_at from handlings'), [
    { leased: 0, fence: 1, due_at: String(T + 500) },
  ]);
  assert.equal((await query(url, `select to_regclass('unfinished_copy') as it`))[0]?.it, null);
});

test('notes, what is planned and what waits for approval are as they were, on the other side too', async () => {
  const path = join(folder, `${++files}.db`);
  const id = newId('sch', T);
  const waits = newId('msg', T);
  let of: Owner;
  let box = '';
  let schedule: Schedule | undefined;
  {
    await using store = await openSqlite(path, { clock: () => T });
    const one = await world(store);
    of = { mailbox_id: one.mailbox.id, owner: `key:${one.key.id}` };
    const settled = waitingOf(one, one);
    await accept(store, settled, { leased_until: T + 60_000 });
    await store.messages.settle({ id: settled.id, fence: 1 }, settlementOf(), [
      { kind: 'note', name: 'tea', text: 'Grün 👩‍🚀' },
      {
        kind: 'schedule',
        schedule: {
          ...of,
          id,
          sender: '{}',
          from_mailbox_id: null,
          thread_id: settled.thread_id,
          hops: 1,
          name: 'Report',
          body: 'Report, please.',
          data: null,
          rule: '0 8 * * *',
          time_zone: 'Europe/Berlin',
          next_at: T + 1000,
          last_at: null,
          created_at: T,
        },
      },
    ]);
    schedule = await store.schedules.byId(id);
    await accept(store, waitingOf(one, one, { id: waits, thread_id: threadOf(waits) }), { leased_until: T + 60_000 });
    await store.messages.suspend(
      { id: waits, fence: 1 },
      { for: 'approval', plan: '{"plan":1}', state: '{"at":1}', by: 'sender' },
      T,
    );
    box = one.mailbox.id;
    await store.mailboxes.change(box, { behavior: 'do', settings: { name: 'Grün 👩‍🚀' } }, T);
    await store.mailboxes.change(box, { behavior: 'hello', settings: {} }, T);
  }
  const url = await emptyTables();
  const same = new Set<string>();
  await copyStore(path, url, {
    on: (event) => {
      if (event.kind === 'same' && event.digest.rows > 0) same.add(event.table);
    },
  });
  assert.ok(
    same.has('notes') &&
      same.has('schedules') &&
      same.has('jobs') &&
      same.has('handlings') &&
      same.has('kept_settings'),
  );
  await using copy = await openPostgres(url);
  assert.equal((await copy.notes.get(of, 'tea'))?.text, 'Grün 👩‍🚀');
  assert.ok(schedule !== undefined);
  assert.deepEqual(await copy.schedules.byId(id), schedule);
  assert.deepEqual([...(await copy.mailboxes.keptSettings(box))], [['do', { name: 'Grün 👩‍🚀' }]]);
  const [claim, ...others] = await copy.jobs.claim(10, T + 1000, 1000);
  assert.deepEqual([claim?.id, claim?.kind, others], [id, 'schedule', []]);
  assert.equal((await copy.messages.byId(waits))?.plan, '{"plan":1}');
  assert.equal(await copy.messages.approve(waits, '{"plan":1}', T + 1), true);
  assert.deepEqual(await copy.handlings.kept(waits), {
    state: '{"at":1}',
    plan: '{"plan":1}',
    decides: 'sender',
    approved: true,
  });
});

test('bytes of attachments are as they were, and a byte that differs is found', async () => {
  const path = join(folder, `${++files}.db`);
  const chunks = Array.from({ length: 8 }, () => randomBytes(CHUNK_BYTES));
  const blob_id = newId('blob', T);
  {
    await using store = await openSqlite(path, { clock: () => T });
    const { namespace } = await world(store);
    await store.blobs.begin({ blob_id, namespace_id: namespace.id, bytes: chunks[0] as Buffer }, T);
    for (const [at, bytes] of chunks.entries()) if (at > 0) await store.blobs.append(blob_id, at, bytes, T);
  }
  const url = await emptyTables();
  await copyStore(path, url);
  {
    await using copy = await openPostgres(url);
    for (const [at, bytes] of chunks.entries()) assert.deepEqual(await copy.blobs.chunk(blob_id, at), bytes);
  }
  const other = await emptyTables();
  await atEachRow(other, 'blob_chunks', 'if new.position = 7 then new.bytes := set_byte(new.bytes, 9, 0); end if;');
  change(path, "update blob_chunks set bytes = x'000102030405060708ff' where position = 7");
  await assert.rejects(copyStore(path, other), /not the same: blob_chunks \(/);
});

test('a copy whose connection is lost goes on where it was', async () => {
  const path = await filled(MANY);
  const url = await emptyTables();
  const end = `if new.id = '${middleOf(path)}' then perform pg_terminate_backend(pg_backend_pid()); end if;`;
  await atEachRow(url, 'messages', end);
  await assert.rejects(copyStore(path, url), (error: Error) => error.name !== 'CopyError');
  assert.equal(await rowsIn(url, 'messages'), 2000, 'of the batch that was under way nothing stays');
  await query(url, 'drop function defect cascade');
  // Writing existing rows again would be refused.
  await atEachRow(url, 'keys', `raise exception 'again';`);
  const seen: CopyEvent[] = [];
  await copyStore(path, url, { on: (event) => seen.push(event) });
  assert.ok(seen[0]?.kind === 'began' && seen[0].there >= 1000 && !seen[0].changed, JSON.stringify(seen[0]));
  assert.equal(await rowsIn(url, 'messages'), 2 * MANY - 1, 'each with its reply, but for one');
});

/** Leaves a copy whose first batches are complete. */
async function half(path: string, url: string): Promise<void> {
  const stop = new AbortController();
  const on = (event: CopyEvent): void => {
    if (event.kind === 'copying' && event.rows > 2000) stop.abort(new Error('enough'));
  };
  await assert.rejects(copyStore(path, url, { signal: stop.signal, on }), /enough/);
}

test('a source that was written between two runs is copied anew', async () => {
  const path = await filled(MANY);
  const url = await emptyTables();
  await half(path, url);
  const first = `(select min(id) from messages)`;
  change(path, `update messages set subject = 'changed' where id = ${first}; delete from messages where id = ${first}`);
  const seen: CopyEvent[] = [];
  await copyStore(path, url, { on: (event) => seen.push(event) });
  assert.ok(seen[0]?.kind === 'began' && seen[0].there === 0 && seen[0].changed, JSON.stringify(seen[0]));
  assert.equal(await rowsIn(url, 'messages'), 2 * MANY - 2);
});

test('an unfinished copy of another store is left alone', async () => {
  const url = await emptyTables();
  await half(await filled(MANY), url);
  const before = await rowsIn(url, 'messages');
  await assert.rejects(copyStore(await filled(), url), /unfinished copy of another store/);
  assert.equal(await rowsIn(url, 'messages'), before);
});

test('two copies do not run into one database at the same time', async () => {
  const path = await filled();
  const url = await emptyTables();
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('select pg_advisory_lock(7245248)');
  await assert.rejects(copyStore(path, url), /Another copy into this database is in progress/);
  await other.end();
  await copyStore(path, url);
});

test('a database in which anything is, is refused and left as it was', async () => {
  const path = await filled();
  const url = await emptyTables();
  await query(url, 'insert into probe (id, writes) values (1, 1)');
  await assert.rejects(copyStore(path, url), /not empty: probe has rows/);
  const other = await server.newDatabase();
  await query(other, 'create table ledgers (id integer); insert into ledgers values (1)');
  await assert.rejects(copyStore(path, other), /not empty: ledgers has rows/);
  assert.deepEqual(await query(other, `select tablename from pg_tables where schemaname = 'public'`), [
    { tablename: 'ledgers' },
  ]);
});

test('nobody writes to the source meanwhile, and after the copy it is as it was', async () => {
  const path = await filled(MANY);
  const url = await server.newDatabase();
  const all = (): unknown[] => {
    using db = new DatabaseSync(path, { readOnly: true });
    return ['namespaces', 'keys', 'messages', 'secrets'].map((name) => db.prepare(`select * from ${name}`).all());
  };
  const before = all();
  let refused: unknown;
  await copyStore(path, url, {
    on: (event) => {
      if (event.kind !== 'checking' || refused !== undefined) return;
      using db = new DatabaseSync(path, { timeout: 0 });
      try {
        db.exec('delete from messages');
      } catch (error) {
        refused = error;
      }
    },
  });
  assert.match(String(refused), /locked/);
  assert.deepEqual(all(), before);
});

test("another version's schema is refused on either side", async () => {
  const path = await filled();
  const url = await emptyTables();
  const newer = "insert into schema_version values (1000, '000000000000', '9.9.9', 1000)";
  await query(url, newer);
  await assert.rejects(copyStore(path, url), /database was written by a newer version, .* \(schema 1000 /);
  await query(url, 'delete from schema_version where version = 1000');
  const fresh = await server.newDatabase();
  change(path, newer);
  await assert.rejects(copyStore(path, fresh), /\.db was written by a newer version, .* \(schema 1000 /);
  change(path, 'delete from schema_version');
  await assert.rejects(copyStore(path, fresh), /is no Mailroom store/);
  assert.deepEqual(await query(fresh, `select tablename from pg_tables where schemaname = 'public'`), []);
});
