import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { ThreadItem } from '../../../../tests/harness/wire.ts';

const DAY = 86_400_000;

test('with RETENTION_DAYS settled messages go after so many days; threads go on, and what waits stays', async () => {
  const inside = await startInside({ env: { RETENTION_DAYS: '3' } });
  const { api, newNamespace, newMailbox, newPaused, send, read } = inside.client;
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const held = await send(home.key, { to: (await newPaused(home)).address, body: 'Held' });
  const old = await send(home.key, { to, body: 'Hello?', sync: true });
  inside.pass(2 * DAY);
  const recent = await send(home.key, { to, body: 'Hello?', sync: true });
  const { thread_id } = old.body;
  const next = await send(home.key, { to, body: 'Go on', thread_id, sync: true });
  assert.equal(next.status, 200, next.text);
  // What is too old is removed at each start too.
  await inside.restart(2 * DAY);
  await until(
    40_000,
    () => read(home.key, old.body.id),
    ({ status }) => status !== 200,
  );
  isProblem(await read(home.key, old.body.id), 'message_not_found');
  for (const { body } of [recent, next, held]) assert.equal((await read(home.key, body.id)).status, 200);
  const thread = await api<{ items: ThreadItem[] }>('GET', `/mail/threads/${thread_id}`, { key: home.key });
  assert.deepEqual(
    thread.body.items.map(({ kind, body }) => [kind, body]),
    [
      ['message', 'Go on'],
      ['reply', next.body.reply?.body],
    ],
  );
  const further = { to, body: 'And on', thread_id, sync: true };
  assert.equal((await send(home.key, further)).body.thread_id, thread_id);
});
