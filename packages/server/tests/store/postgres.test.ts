import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Schedule } from '@mailroom/behavior/schedule';
import { newId } from '@mailroom/behavior/values/ids';
import pg from 'pg';
import { query, type Release, startPostgres } from '../../../../tests/harness/postgres.ts';
import { until } from '../../../../tests/harness/until.ts';
import { LONG } from '../../../../tests/soak/length.ts';
import type { Claim } from '../../core/ports/claim.ts';
import type { Notice } from '../../core/ports/shared.ts';
import type { Store } from '../../core/ports/store.ts';
import { MIGRATIONS } from '../../store/migrations.ts';
import { openPostgres } from '../../store/postgres/store.ts';
import { storeContract } from './contract.ts';
import { accept, fromMailbox, idempotencyOf, messageOf, purgeAll, settlementOf, T, waitingOf, world } from './made.ts';
import { open, openSchemas } from './schemas.ts';
import { fillSignIn, SIGN_IN_LEFT, SIGN_IN_TABLES } from './signed-in.ts';

const releases: readonly Release[] = process.env.TEST_DATABASE_URL || !LONG ? ['newest'] : ['newest', 'oldest'];

for (const release of releases) {
  const server = await startPostgres(release);
  const schemas = await openSchemas(server);
  after(async () => {
    await schemas[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  const { database, newSchema, borrow } = schemas;
  const name = `PostgreSQL ${server.major}`;
  storeContract(name, async () => {
    const borrowed = await borrow();
    return { ...borrowed.store, [Symbol.asyncDispose]: () => borrowed[Symbol.asyncDispose]() };
  });

  test(`${name}: many who open a new database together make its tables once`, async () => {
    const url = await newSchema();
    const stores = await Promise.all(Array.from({ length: 6 }, () => open(url)));
    assert.equal((await query(url, 'select version from schema_version')).length, MIGRATIONS.length + 1);
    const alice = await world(stores[0] as Store);
    for (const store of stores) assert.equal((await store.keys.byId(alice.key.id))?.id, alice.key.id);
    for (const store of stores) await store[Symbol.asyncDispose]();
  });

  test(`${name}: a database of a newer version that took away what this one uses is refused, beside a service too`, async () => {
    await using borrowed = await borrow();
    const { url } = borrowed;
    await query(url, "insert into schema_version values (1000, '000000000000', '9.9.9', 1000)");
    for (const options of [{}, { alongside: true }])
      await assert.rejects(open(url, options), /newer version, and works from schema 1000 on/);
    await query(url, 'delete from schema_version where version = 1000');
  });

  test(`${name}: a database of another build or program is refused, with the way out`, async () => {
    const other = await newSchema();
    await (await open(other))[Symbol.asyncDispose]();
    await query(other, "update schema_version set fingerprint = '000000000000', build = '0.0.9'");
    for (const options of [{}, { alongside: true }])
      await assert.rejects(
        open(other, options),
        /tables differ \(schema \d+ 0{12} of 0\.0\.9, .*Start the build that wrote it/,
      );
    const old = await newSchema();
    await query(old, 'create table schema_version (version integer not null)');
    await query(old, 'insert into schema_version values (1)');
    await assert.rejects(open(old), /another build/);
    const foreign = await newSchema();
    await query(foreign, 'create table messages (id bigint primary key)');
    await assert.rejects(open(foreign), /tables of another program/);
    assert.deepEqual(await query(foreign, 'select tablename from pg_tables where schemaname = current_schema()'), [
      { tablename: 'messages' },
    ]);
  });

  test(`${name}: a schema with tables of another program beside ours is used`, async () => {
    const url = await newSchema();
    await query(url, 'create table spatial_ref_sys (id bigint primary key)');
    for (let opened = 0; opened < 2; opened++) await (await open(url))[Symbol.asyncDispose]();
  });

  test(`${name}: what was acknowledged is in the log on disk, though the role’s default is to answer sooner`, async () => {
    await using borrowed = await borrow();
    const url = new URL(borrowed.url);
    url.searchParams.set('options', `${url.searchParams.get('options')} -c synchronous_commit=off`);
    await using store = await open(url.href);
    const alice = await world(store);
    const looker = new pg.Client({ connectionString: database });
    await looker.connect();
    try {
      // An asynchronous commit would leave a gap each time; the server itself leaves one now and then.
      let gaps = 0;
      for (let i = 0; i < 20; i++) {
        if (i % 2 === 0) await accept(store, messageOf(alice, alice));
        else await store.probe();
        const { rows } = await looker.query(
          'select pg_current_wal_insert_lsn() - pg_current_wal_flush_lsn() as behind',
        );
        if (Number(rows[0].behind) !== 0) gaps++;
      }
      assert.ok(gaps <= 3, `${gaps} gaps`);
    } finally {
      await looker.end();
    }
  });

  test(`${name}: one message that cannot be written takes no other of its batch with it`, async () => {
    await using borrowed = await borrow();
    const { store } = borrowed;
    const alice = await world(store);
    const twice = messageOf(alice, alice);
    await accept(store, twice);
    const sent = Array.from({ length: 20 }, (_, at) => (at === 7 ? twice : messageOf(alice, alice)));
    // PostgreSQL keeps no such character.
    const wrong = messageOf(alice, alice, { body: '\0' });
    const all = sent.with(9, wrong);
    const done = await Promise.allSettled(all.map((message) => accept(store, message)));
    assert.deepEqual(
      done.map((one) => (one.status === 'fulfilled' ? one.value.kind : one.status)),
      all.map((message) => (message === twice || message === wrong ? 'rejected' : 'accepted')),
    );
    for (const message of all) assert.equal((await store.messages.byId(message.id)) === undefined, message === wrong);
  });

  test(`${name}: of one idempotency key that many nodes use at once, one message comes`, async () => {
    await using borrowed = await borrow();
    const { url, store } = borrowed;
    await using stack = new AsyncDisposableStack();
    const stores = [store, stack.use(await open(url)), stack.use(await open(url))];
    const alice = await world(stores[0] as Store);
    for (let round = 0; round < 10; round++) {
      const idempotency = idempotencyOf('scope', `key ${round}`);
      const done = await Promise.all(
        stores.flatMap((store) =>
          Array.from({ length: 10 }, async (_, at) => {
            const message = at % 2 === 0 ? messageOf(alice, alice) : waitingOf(alice, alice);
            return { id: message.id, accepted: await accept(store, message, { idempotency }) };
          }),
        ),
      );
      const made = done.filter(({ accepted }) => accepted.kind === 'accepted');
      assert.equal(made.length, 1);
      for (const { accepted } of done) {
        if (accepted.kind !== 'accepted')
          assert.deepEqual(accepted, { kind: 'replayed', id: made[0]?.id, hash: idempotency.hash });
      }
      const ids = done.map(({ id }) => `'${id}'`).join();
      assert.deepEqual(await query(url, `select count(*)::int as rows from messages where id in (${ids})`), [
        { rows: 1 },
      ]);
    }
  });

  test(`${name}: nodes that write, settle, cancel, pause and claim the same things at once wait for nobody for ever`, async () => {
    await using borrowed = await borrow();
    const { url, store } = borrowed;
    await using stack = new AsyncDisposableStack();
    const stores = [store, stack.use(await open(url)), stack.use(await open(url))] as const;
    const alice = await world(stores[0]);
    const bob = await world(stores[0]);
    const replies = new Map<string, number>();
    const node = async (store: Store, seed: number): Promise<void> => {
      for (let round = 0; round < 15; round++) {
        const sent = Array.from({ length: 12 }, (_, at) =>
          at % 3 === 0 ? waitingOf(bob, alice, fromMailbox(bob)) : waitingOf(alice, bob),
        );
        const claimed = store.handlings.claim(16, T + 100, 60_000);
        await Promise.all([
          ...sent.map((message, at) =>
            accept(store, message, at % 3 === 0 ? { from_mailbox_id: bob.mailbox.id } : {}).then(async () => {
              if (at % 4 === seed % 4) await store.messages.cancel(message.id, T + 100);
            }),
          ),
          claimed.then((claims) =>
            Promise.all(
              claims.map(async (claim, at) => {
                if (at % 5 === 0) await store.handlings.later(claim, T + 100);
                else if (await store.messages.settle(claim, settlementOf())) {
                  replies.set(claim.id, (replies.get(claim.id) ?? 0) + 1);
                }
              }),
            ),
          ),
          store.mailboxes.change(alice.mailbox.id, { status: round % 2 === 0 ? 'paused' : 'online' }, T + 100),
          store.keys.used([{ id: alice.key.id, at: T + round }]),
        ]);
      }
    };
    await Promise.all(stores.map((store, seed) => node(store, seed)));
    assert.ok(replies.size > 50);
    for (const [id, times] of replies) assert.equal(times, 1, id);
    const [row] = await query(
      url,
      `select count(*)::int as wrong from messages m left join handlings h on h.message_id = m.id
       where (m.status = 'submitted') <> (h.message_id is not null)`,
    );
    assert.equal(row?.wrong, 0);
  });

  test(`${name}: when purges are through, no row holds what a deleted namespace was for signing in`, async () => {
    await using borrowed = await borrow();
    const { url, store } = borrowed;
    const [gone, stays] = [await world(store), await world(store)];
    await fillSignIn(store, gone, stays);
    await store.namespaces.delete(gone.namespace.id, T);
    await purgeAll(store, T);
    const left: Record<string, unknown> = {};
    for (const table of SIGN_IN_TABLES) {
      left[table] = (await query(url, `select count(*)::int as n from ${table}`))[0]?.n;
    }
    assert.deepEqual(left, SIGN_IN_LEFT);
  });

  /** Runs `act` while another transaction is open after `sql`, then ends that. */
  async function during<T>(url: string, sql: string, act: () => Promise<T>): Promise<T> {
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    try {
      await other.query(`begin; ${sql}`);
      const doing = act();
      // Handled here, because it is awaited later.
      doing.catch(() => {});
      await sleep(300);
      await other.query('commit');
      return await doing;
    } finally {
      await other.end();
    }
  }

  test(`${name}: what is approved while its mailbox is being resumed or paused is due, or held, as it then stands`, async () => {
    await using borrowed = await borrow();
    const { url, store } = borrowed;
    const alice = await world(store);
    const suspended = async (): Promise<string> => {
      const { id } = waitingOf(alice, alice);
      await accept(store, waitingOf(alice, alice, { id }), { leased_until: T + 1000 });
      assert.equal(
        await store.messages.suspend({ id, fence: 1 }, { for: 'approval', plan: '{}', state: null }, T),
        true,
      );
      return id;
    };
    const box = `id = '${alice.mailbox.id}'`;
    const first = await suspended();
    await store.mailboxes.change(alice.mailbox.id, { status: 'paused' }, T);
    // The same statement as `mailboxes.change`, which leaves suspended jobs unchanged.
    const resume = `update mailboxes set status = 'online' where ${box}`;
    assert.equal(await during(url, resume, () => store.messages.approve(first, '{}', T + 1)), true);
    assert.equal((await store.handlings.claim(1, T + 1, 1000))[0]?.id, first);
    const second = await suspended();
    const pause = `update mailboxes set status = 'paused' where ${box}`;
    assert.equal(await during(url, pause, () => store.messages.approve(second, '{}', T + 1)), true);
    assert.equal(await store.handlings.nextDue(), T + 1001, 'of the first');
  });

  test(`${name}: a note of a settlement waits for a deletion of its mailbox or a cancel that began before it, and is not written`, async () => {
    await using borrowed = await borrow();
    const { url, store } = borrowed;
    const alice = await world(store);
    const note = { kind: 'note', name: 'n', text: 'x' } as const;
    for (const before of [
      (id: string) =>
        `delete from handlings where message_id = '${id}'; update messages set status = 'canceled' where id = '${id}'`,
      (id: string) => `update handlings set fence = fence + 1 where message_id = '${id}'`,
      () => `update mailboxes set deleted_at = ${T + 1} where id = '${alice.mailbox.id}'`,
    ]) {
      const message = waitingOf(alice, alice);
      await accept(store, message, { leased_until: T + 1000 });
      const settle = () => store.messages.settle({ id: message.id, fence: 1 }, settlementOf(), [note]);
      assert.equal(await during(url, before(message.id), settle), false);
      assert.deepEqual(await query(url, 'select name from notes'), []);
    }
  });

  test(`${name}: a schedule whose claim is lost at that moment is not written as if it ran`, async () => {
    await using borrowed = await borrow();
    const { url, store } = borrowed;
    const alice = await world(store);
    const { id, thread_id } = waitingOf(alice, alice);
    await accept(store, waitingOf(alice, alice, { id, thread_id }), { leased_until: T + 1000 });
    const schedule: Schedule = {
      id: newId('sch', T),
      mailbox_id: alice.mailbox.id,
      owner: `key:${alice.key.id}`,
      sender: '{}',
      from_mailbox_id: null,
      thread_id,
      hops: 1,
      name: 'Report',
      body: 'Report, please.',
      data: null,
      rule: null,
      time_zone: 'UTC',
      next_at: T,
      last_at: null,
      created_at: T,
    };
    assert.equal(await store.messages.settle({ id, fence: 1 }, settlementOf(), [{ kind: 'schedule', schedule }]), true);
    const [claim] = await store.jobs.claim(1, T, 1000);
    const take = `update jobs set fence = fence + 1 where id = '${schedule.id}'`;
    for (const next of [T + 9000, null]) {
      const ran = () => store.schedules.ran(claim as Claim, next, T + 1);
      assert.equal(await during(url, take, ran), false);
      assert.deepEqual(await store.schedules.byId(schedule.id), schedule);
      await query(url, `update jobs set fence = fence - 1 where id = '${schedule.id}'`);
    }
  });

  test(`${name}: what one node settles or changes the others hear of, and it does not hear itself`, async () => {
    await using borrowed = await borrow();
    const { url } = borrowed;
    await using one = await open(url);
    await using other = await open(url);
    const notices = { one: [] as Notice[], other: [] as Notice[] };
    one.shared?.subscribe((notice) => notices.one.push(notice));
    other.shared?.subscribe((notice) => notices.other.push(notice));
    const ids = Array.from({ length: 700 }, () => newId('msg', T));
    const kinds = ['settled', 'taken', 'answerable', 'deleted', 'events'] as const;
    for (const kind of kinds)
      for (const some of [ids.slice(0, 1), ids.slice(1)]) one.shared?.publish({ kind, ids: some });
    one.shared?.publish({ kind: 'changed' });
    const idsOf = (kind: Notice['kind']): readonly string[] =>
      notices.other.flatMap((notice) => (notice.kind === kind && 'ids' in notice ? notice.ids : []));
    for (const kind of kinds) {
      await until(
        5_000,
        async () => idsOf(kind).length,
        (count) => count >= ids.length,
      );
      assert.deepEqual(idsOf(kind), ids, kind);
    }
    await until(
      5_000,
      async () => notices.other.some(({ kind }) => kind === 'changed'),
      (changed) => changed,
    );
    assert.deepEqual(notices.one, []);
  });

  test(`${name}: a bucket that nodes share gives no more than it holds, fills up, and takes back`, async () => {
    await using borrowed = await borrow();
    const { url } = borrowed;
    let now = T;
    const clock = (): number => now;
    await using one = await open(url, { clock });
    await using other = await open(url, { clock });
    const policy = { name: 'sends', what: 'sends', quota: 60, window_ms: 60_000, burst: 20, kind: 'bucket' } as const;
    const take = async (tokens: number): Promise<number> => {
      const done = await Promise.all(
        Array.from({ length: 30 }, async (_, at) => (at % 2 ? one : other).shared?.counters.take(policy, 'a', tokens)),
      );
      return done.reduce((sum, taken) => sum + (taken?.granted ?? 0), 0);
    };
    assert.equal(await take(3), 20);
    assert.equal(await take(1), 0);
    now += 5_000;
    assert.equal(await take(1), 5);
    await one.shared?.counters.refund(policy, 'a');
    assert.equal(await take(1), 1);
    now += 3_600_000;
    assert.equal(await take(1), 20);
    assert.equal((await other.shared?.counters.take(policy, 'b', 1))?.granted, 1);
    const daily = { ...policy, name: 'day', kind: 'day', window_ms: 86_400_000 } as const;
    assert.equal((await one.shared?.counters.take(daily, 'a', 50))?.granted, 20);
    assert.equal((await one.shared?.counters.take(daily, 'a', 1))?.granted, 0);
    now += 86_400_000;
    assert.equal((await one.shared?.counters.take(daily, 'a', 1))?.granted, 1);
  });

  test(`${name}: a bucket fills up after a time that went back, and no sooner`, async () => {
    await using borrowed = await borrow();
    let now = T;
    await using store = await open(borrowed.url, { clock: () => now });
    const policy = { name: 'sends', what: 'sends', quota: 60, window_ms: 60_000, burst: 20, kind: 'bucket' } as const;
    const take = async (tokens: number) => (await store.shared?.counters.take(policy, 'a', tokens))?.granted;
    now += 7_200_000;
    assert.equal(await take(50), 20);
    now -= 7_200_000;
    assert.equal(await take(50), 0);
    now += 5_000;
    assert.equal(await take(50), 5);
  });

  test(`${name}: without a clock of the caller, all nodes have the time of the server`, async () => {
    await using borrowed = await borrow();
    await using one = await openPostgres(borrowed.url);
    await using other = await openPostgres(borrowed.url);
    const [row] = await query(borrowed.url, 'select extract(epoch from clock_timestamp())::float8 * 1000 as now');
    for (const { clock } of [one, other]) assert.ok(Math.abs(clock() - Number(row?.now)) < 10_000);
  });
}
