import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import { query, startPostgres } from '../../../../tests/harness/postgres.ts';
import { startSwitch } from '../../../../tests/harness/tcp-switch.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Notice } from '../../core/ports/shared.ts';
import type { Store } from '../../core/ports/store.ts';
import { openPostgres } from '../../store/postgres/store.ts';
import { accept, messageOf, type World, world } from './made.ts';

// What a store does while its address moves from one server to another.
const skip = process.env.TEST_DATABASE_URL !== undefined && 'the server of TEST_DATABASE_URL is not ours to change';
/** Longer than a statement waits on a connection that is dead. */
const AGAIN_MS = 30_000;

const postgres = await startPostgres();
after(() => postgres[Symbol.asyncDispose]());

const portOf = (url: string): number => Number(new URL(url).port);
const through = (url: string, port: number): string => {
  const moved = new URL(url);
  moved.port = String(port);
  return moved.href;
};
const outcome = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'done',
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
/** Writes and reads on every connection, until all succeed. */
const serves = (store: Store, alice: World) =>
  until(
    AGAIN_MS,
    () =>
      Promise.all([
        outcome(accept(store, messageOf(alice, alice))),
        outcome(store.probe()),
        outcome(store.namespaces.any()),
        outcome(store.messages.byId(newId('msg', Date.now()))),
      ]),
    (outcomes) => outcomes.every((one) => one === 'done'),
  );

/** Another server with the same, empty tables. */
async function startOther(url: string) {
  const server = await startPostgres();
  const [made, name] = [new URL(await server.newDatabase()), new URL(url).pathname.slice(1)];
  const database = through(url, Number(made.port));
  const main = new URL(made);
  main.pathname = '/postgres';
  await query(main.href, `alter database ${made.pathname.slice(1)} rename to ${name}`);
  await (await openPostgres(database))[Symbol.asyncDispose]();
  return { port: Number(made.port), url: database, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Sessions that are open follow it too. */
async function setReadOnly(url: string, on: boolean): Promise<void> {
  await query(url, `alter system set default_transaction_read_only = ${on}`);
  await query(url, 'select pg_reload_conf()');
  await until(
    AGAIN_MS,
    () => query(url, 'show default_transaction_read_only'),
    ([row]) => row?.default_transaction_read_only === (on ? 'on' : 'off'),
  );
}

test('PostgreSQL: a store that was led to a standby for a moment keeps no connection to it', { skip }, async () => {
  const url = await postgres.newDatabase();
  await using standby = await startOther(url);
  await setReadOnly(standby.url, true);
  await using address = await startSwitch(portOf(url));
  await using store = await openPostgres(through(url, address.port));
  const alice = await world(store);
  await serves(store, alice);
  address.lead(standby.port);
  address.cut();
  await until(
    AGAIN_MS,
    () => outcome(store.probe()),
    (code) => code === 'unavailable',
  );
  assert.equal(await outcome(accept(store, messageOf(alice, alice))), 'unavailable');
  assert.equal(await outcome(store.namespaces.any()), 'unavailable', 'a standby lags behind, so it is not read');
  address.lead(portOf(url));
  await serves(store, alice);
});

test('PostgreSQL: a store leaves a server that has become read-only for the one its address leads to', {
  skip,
}, async () => {
  await using server = await startPostgres();
  const url = await server.newDatabase();
  await using next = await startOther(url);
  await using address = await startSwitch(portOf(url));
  await using store = await openPostgres(through(url, address.port));
  await store.probe();
  await setReadOnly(url, true);
  address.lead(next.port);
  await until(
    AGAIN_MS,
    () => outcome(store.probe()),
    (code) => code === 'done',
  );
  await using there = await openPostgres(next.url);
  assert.equal(await outcome(accept(store, messageOf(await world(there), await world(there)))), 'done');
});

test('PostgreSQL: a store gives up connections that the network holds, and hears of other nodes again', {
  skip,
}, async () => {
  const url = await postgres.newDatabase();
  await using address = await startSwitch(portOf(url));
  await using store = await openPostgres(through(url, address.port));
  await using other = await openPostgres(url);
  const alice = await world(store);
  await serves(store, alice);
  const heard = new Set<string>();
  store.shared?.subscribe((notice: Notice) => void (notice.kind === 'settled' && heard.add(notice.ids[0] ?? '')));
  address.silence();
  await until(
    AGAIN_MS,
    async () => {
      const id = newId('msg', Date.now());
      other.shared?.publish({ kind: 'settled', ids: [id] });
      return heard.size;
    },
    (size) => size > 0,
  );
  await serves(store, alice);
});

test('PostgreSQL: a start that is led to a standby waits until it is a primary', { skip }, async () => {
  await using server = await startPostgres();
  const url = await server.newDatabase();
  await (await openPostgres(url))[Symbol.asyncDispose]();
  await setReadOnly(url, true);
  await assert.rejects(openPostgres(url), /takes no writes/);
  let said = '';
  await using store = await openPostgres(url, {
    wait_ms: AGAIN_MS,
    onWait: (why) => {
      said = why;
      void setReadOnly(url, false);
    },
  });
  assert.match(said, /takes no writes/);
  await store.probe();
});
