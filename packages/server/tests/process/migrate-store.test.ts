import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, afterEach, beforeEach, test } from 'node:test';
import pg from 'pg';
import { gated, gatesOf } from '../../../../tests/harness/gated.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { query, sharedPostgres } from '../../../../tests/harness/postgres.ts';
import {
  newFolder,
  PROOF_MAIN,
  type Running,
  removeFolder,
  run,
  startService,
} from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import { amount, LONG } from '../../../../tests/soak/length.ts';
import { openPostgres } from '../../store/postgres/store.ts';
import { ask, fill, GOING } from './filled.ts';

const COMMAND = join(import.meta.dirname, '../../commands/migrate-store.ts');
const server = await sharedPostgres();
after(() => server[Symbol.asyncDispose]());
let folder = '';
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => removeFolder(folder));

const file = (): string => join(folder, 'm.db');
const migrate = (...args: readonly string[]): Running => run(process.execPath, [COMMAND, ...args]);
const ended = async (running: Running) => {
  const exit = await running.exited;
  return { ...exit, out: running.stdout(), err: running.stderr() };
};
/** Runs the command, which must end with exit code 1 and one line; returns the line. */
async function refused(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await ended(migrate(...args));
  assert.equal(code, 1, out + err);
  const lines = (out + err).split('\n').filter((line) => line !== '');
  assert.equal(lines.length, 1, out + err);
  return lines[0] as string;
}

/** Every row of every table that both databases have, as each returns it, ordered by the first columns. */
async function everything(url: string): Promise<{ readonly here: unknown; readonly there: unknown }> {
  using db = new DatabaseSync(file(), { readOnly: true });
  const here: Record<string, unknown> = {};
  const there: Record<string, unknown> = {};
  const plain = (rows: readonly Record<string, unknown>[]): string[] =>
    rows
      .map((row) => JSON.stringify(Object.values(row).map((cell) => (typeof cell === 'number' ? `${cell}` : cell))))
      .sort();
  for (const { name } of db
    .prepare(
      `select name from sqlite_schema where type = 'table' and name not in ('schema_version', 'sqlite_sequence')`,
    )
    .all()) {
    here[name as string] = plain(db.prepare(`select * from ${name}`).all());
    there[name as string] = plain(await query(url, `select * from ${name}`));
  }
  return { here, there };
}

test('everything arrives: a service on the copy answers what the old one answered, and goes on with what it began', async () => {
  await using old = await startService({ folder, env: { RUN_MAX: '1', GATES: folder }, main: PROOF_MAIN });
  const filled = await fill(old);
  const count = (status: number): number => filled.answers.filter((answer) => answer.status === status).length;
  assert.deepEqual([count(200), count(410), count(401)], [24, 2, 2]);
  await old.kill();
  using db = new DatabaseSync(file(), { readOnly: true });
  const kinds = db
    .prepare(`select 'handle' as kind, leased, due_at is null as held, count(*) as n from handlings group by 1, 2, 3
       union all select kind, leased, due_at is null, count(*) from jobs group by 1, 2, 3`)
    .all();
  for (const fits of ['handle 1 0', 'handle 0 1']) {
    assert.ok(
      kinds.some(({ kind, leased, held }) => `${kind} ${leased} ${held}` === fits),
      `${fits}: ${JSON.stringify(kinds)}`,
    );
  }
  db.close();

  const url = await server.newDatabase();
  const { code, out, err } = await ended(migrate(`sqlite:${file()}`, url));
  assert.equal(code, 0, out + err);
  assert.match(out, /^Copying [\d,]+ rows of \d+ tables from .* to 127\.0\.0\.1:\d+\/mailroom_\w+\n/);
  assert.match(out, /^The same on both sides: messages, [\d,]+ rows, [0-9a-f]{64}$/m);
  const { here, there } = await everything(url);
  assert.deepEqual(there, here);

  const gates = newFolder();
  const { client, stop } = await startInside({ env: { DATABASE_URL: url }, behaviors: [gated(gates, 'next')] });
  try {
    const asked = filled.answers.map(({ key, path }) => [key, path] as const);
    assert.deepEqual(await ask(client, asked), filled.answers);
    // Only then, so that what continues changes no answer.
    gatesOf(gates).open(GOING);
    assert.equal((await client.api('GET', '/me', { key: filled.revoked })).status, 401);
    const again = await filled.again(client);
    assert.deepEqual(again, { text: filled.sent, replayed: 'true' });
    const going = await client.read(filled.home.key, filled.going, '?wait=60');
    assert.equal(going.body.status, 'completed', going.text.slice(0, 300));
    await until(
      20_000,
      () => query(url, `select count(*) as n from jobs where kind = 'purge'`),
      ([row]) => row?.n === '0',
    );
    await client.newMailbox(filled.home);
  } finally {
    await stop();
    removeFolder(gates);
  }
});

let created: Awaited<ReturnType<typeof withOne>> | undefined;
/** The file of a service that has one message, and the owner key of its namespace. */
async function withOne() {
  const { client, stop } = await startInside({ env: { DATABASE_URL: `sqlite:${file()}` } });
  const home = await client.newNamespace();
  const { address } = await client.newMailbox(home);
  assert.equal((await client.send(home.key, { to: address, body: 'Hi', sync: true })).status, 200);
  await stop();
  return { bytes: readFileSync(file()), key: home.key };
}

/** A store with this many messages more, written straight into the file; returns its owner key. */
async function withMany(count: number): Promise<string> {
  created ??= await withOne();
  writeFileSync(file(), created.bytes);
  using db = new DatabaseSync(file());
  const columns = db
    .prepare(`select name from pragma_table_info('messages') where name <> 'id'`)
    .all()
    .map(({ name }) => `"${name}"`);
  db.exec(
    `insert into messages (id, ${columns}) with recursive n(n) as (select 1 union all select n + 1 from n where n < ${count})
     select 'msg_' || printf('%019d', n) || '0', ${columns} from n, (select * from messages where kind = 'message' limit 1)`,
  );
  return created.key;
}

const MANY = amount(4_000, 6_000);

/** A database whose trigger holds back the copy after some messages, until the returned connection ends. */
async function heldUp(url: string): Promise<pg.Client> {
  await using _tables = await openPostgres(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `create function held() returns trigger language plpgsql as $$
       begin
         if (select count(*) from messages) > 2000 then perform pg_advisory_xact_lock_shared(4711); end if;
         return null;
       end $$;
     create trigger held after insert on messages for each statement execute function held();
     select pg_advisory_lock(4711)`,
  );
  return client;
}

/** Resolves when some of the messages are copied and some are not. */
const halfway = (url: string) =>
  until(
    20_000,
    () => query(url, `select places::json->'messages'->>'rows' as n from unfinished_copy`).catch(() => []),
    ([row]) => Number(row?.n) >= 2000 && Number(row?.n) < MANY,
  );

for (const signal of LONG ? (['SIGKILL', 'SIGINT'] as const) : (['SIGKILL'] as const)) {
  test(`stopped with ${signal} it goes on where it was; no service starts on the file meanwhile, nor on the copy until then`, async () => {
    const key = await withMany(MANY);
    const url = await server.newDatabase();
    const held = await heldUp(url);
    const first = migrate(`sqlite:${file()}`, url);
    await halfway(url);
    const inUse = { message: /m\.db is in use by another process/ };
    await assert.rejects(startInside({ env: { DATABASE_URL: `sqlite:${file()}` } }), inUse);
    first.child.kill(signal);
    // The pending statement ends before the command does.
    await held.end();
    const stopped = await ended(first);
    if (signal === 'SIGKILL') assert.equal(stopped.signal, signal);
    else assert.deepEqual([stopped.code, stopped.err], [1, 'Stopped. Run it again: it goes on where it was.\n']);

    const unfinished = { message: /unfinished copy: finish it first, with npm run migrate-store$/ };
    await assert.rejects(startInside({ env: { DATABASE_URL: url } }), unfinished);

    await query(url, 'drop function held cascade');
    const { code, out, err } = await ended(migrate(`sqlite:${file()}`, url));
    assert.equal(code, 0, out + err);
    const [, there = ''] = /^([\d,]+) rows are there from the last run: it goes on after them$/m.exec(out) ?? [];
    const rows = Number(there.replaceAll(',', ''));
    assert.ok(rows >= 2000 && rows < MANY, out);
    const { here, there: arrived } = await everything(url);
    assert.deepEqual(arrived, here);
    const next = await startInside({ env: { DATABASE_URL: url } });
    assert.equal((await next.client.api('GET', '/me', { key })).status, 200);
    await next.stop();
  });
}

test('a file that a service serves is refused, and the service goes on', async () => {
  const { client, stop } = await startInside({ env: { DATABASE_URL: `sqlite:${file()}` } });
  // The file is looked at first, and no server listens there.
  const url = 'postgres://localhost:1/mail';
  assert.match(await refused(`sqlite:${file()}`, url), /m\.db is in use by another process/);
  assert.equal((await client.api('GET', '//readyz')).status, 200);
  await stop();
});

test('a database that a service has used is refused', async () => {
  await withMany(1);
  const url = await server.newDatabase();
  await (await startInside({ env: { DATABASE_URL: url } })).stop();
  assert.match(await refused(`sqlite:${file()}`, url), /not empty: \w+ has rows/);
});

test('wrong arguments give one line and exit code 1, and no password is ever printed', async () => {
  const from = `sqlite:${file()}`;
  const secret = 'geheim';
  const to = `postgres://ada:${secret}@127.0.0.1:1/mail`;
  for (const [args, says] of [
    [[], /^Name both: /],
    [[from], /^Name both: /],
    [[from, to, to], /^Name both: /],
    [[to, from], /^The first argument must be sqlite:PATH/],
    [[from, from], /^The second argument must be postgres:/],
    [[from, `mysql://ada:${secret}@h/d`], /^The second argument must be postgres:/],
    [[from, `postgres://ada:${secret}@h:99999/d`], /^The second argument must be postgres:/],
    [[from, to], /^There is no file /],
    [[`sqlite:${COMMAND}`, to], /migrate-store\.ts is no Mailroom store$/],
  ] as const) {
    const line = await refused(...args);
    assert.match(line, says);
    assert.ok(!line.includes(secret), line);
  }
  await withMany(1);
  const line = await refused(from, to);
  assert.match(line, /ECONNREFUSED/);
  assert.ok(!line.includes(secret), line);
  const named = await refused(from, `postgres://ada:${secret}@localhost:1/mail`);
  assert.match(named, /ECONNREFUSED/);
});

test('--help says what it does', async () => {
  const { code, out } = await ended(migrate('--help'));
  assert.equal(code, 0);
  assert.match(out, /npm run migrate-store -- sqlite:PATH postgres:/);
});
