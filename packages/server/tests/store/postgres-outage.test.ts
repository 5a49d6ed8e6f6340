import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppError } from '@mailroom/behavior/values/error';
import { newId } from '@mailroom/behavior/values/ids';
import { startPostgres } from '../../../../tests/harness/postgres.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { until } from '../../../../tests/harness/until.ts';
import { accept, messageOf, T, world } from './made.ts';
import { open } from './schemas.ts';

const server = await startPostgres();
after(() => server[Symbol.asyncDispose]());
const skip = !server.ours && 'the server of TEST_DATABASE_URL is not ours to stop';
const database = await server.newDatabase();

test('PostgreSQL: a server that crashes fails what is under way as unavailable, and is found again when it is back', {
  skip,
}, async () => {
  await using store = await open(database);
  const alice = await world(store);
  const acknowledged: string[] = [];
  let failed = 0;
  let over = false;
  const send = async (): Promise<void> => {
    while (!over) {
      const message = messageOf(alice, alice);
      try {
        await accept(store, message);
        acknowledged.push(message.id);
      } catch (error) {
        assert.equal((error as AppError).code, 'unavailable');
        assert.ok(((error as AppError).retry_after_ms ?? 0) > 0);
        failed++;
        await sleep(20);
      }
    }
  };
  const senders = Array.from({ length: 8 }, send);
  await sleep(300);
  await server.stop('immediate');
  await assert.rejects(store.probe(), { code: 'unavailable' });
  await assert.rejects(store.messages.byId(newId('msg', T)), { code: 'unavailable' });
  await assert.rejects(store.namespaces.any(), { code: 'unavailable' });
  await server.start();
  const back = acknowledged.length;
  // Ends the senders in any case.
  const found = until(
    10_000,
    async () => acknowledged.length,
    (count) => count > back + 20,
  ).finally(() => {
    over = true;
  });
  await found;
  await Promise.all(senders);
  assert.ok(failed > 0);
  for (const id of acknowledged) assert.ok(await store.messages.byId(id), `${id} was acknowledged and is lost`);
  await store.probe();
});

test('PostgreSQL: a server that hangs fails what is asked of it within 10 s, and is used again when it goes on', {
  skip,
}, async () => {
  await using store = await open(database);
  const alice = await world(store);
  await accept(store, messageOf(alice, alice));
  server.freeze();
  try {
    const from = performance.now();
    await Promise.all([
      assert.rejects(accept(store, messageOf(alice, alice)), { code: 'unavailable' }),
      assert.rejects(store.messages.byId(newId('msg', T)), { code: 'unavailable' }),
      assert.rejects(store.probe(), { code: 'unavailable' }),
      assert.rejects(store.namespaces.any(), { code: 'unavailable' }),
    ]);
    await assertSoon(performance.now() - from, 10_000, 'the failure');
  } finally {
    server.thaw();
  }
  const again = messageOf(alice, alice);
  await until(
    5_000,
    () =>
      accept(store, again).then(
        () => 'accepted',
        (error: Error) => error.message,
      ),
    (what) => what === 'accepted',
  );
  assert.ok(await store.messages.byId(again.id));
});
