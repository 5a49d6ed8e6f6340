import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from '../../src/core/entities/message.ts';
import { newMessage } from '../../src/core/entities/message.ts';
import { newId } from '../../src/core/values/ids.ts';
import { openStore } from '../../src/store/open.ts';
import type { Home } from '../harness/client.ts';
import { connect } from '../harness/client.ts';
import { isProblem } from '../harness/problem.ts';
import type { Service } from '../harness/service.ts';
import { startService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import type { Mailbox, ThreadItem } from '../harness/wire.ts';

const DAY = 86_400_000;

/** A message that was written this many days ago. */
async function past(service: Service, home: Home, mailbox: Mailbox, days: number): Promise<Message> {
  await using store = await openStore(service.databaseUrl, { alongside: true });
  const at = Date.now() - days * DAY;
  const id = newId('msg', at);
  const message = newMessage({
    id,
    mailbox_id: mailbox.id,
    to: `${mailbox.local_part}@${mailbox.namespace}`,
    sender_kind: 'key',
    sender_id: home.keyId,
    sender_namespace_id: home.id,
    key_id: home.keyId,
    body: 'Hello?',
    status: 'completed',
    reply: { body: 'Hello!', data: null },
    created_at: at,
    settled_at: at,
  });
  await store.messages.accept({ message, max_waiting: 1, from_mailbox_id: null });
  return message;
}

test('with RETENTION_DAYS settled messages go after so many days; threads go on, and what waits stays', async () => {
  await using service = await startService({ env: { RETENTION_DAYS: '3' } });
  const { api, newNamespace, newMailbox, newPaused, send, read } = connect(service.url);
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const held = await send(home.key, { to: (await newPaused(home)).address, body: 'Held' });
  const [old, recent] = [await past(service, home, mailbox, 4), await past(service, home, mailbox, 2)];
  const next = await send(home.key, { to: mailbox.address, body: 'Go on', thread_id: old.thread_id, sync: true });
  assert.equal(next.status, 200, next.text);
  await until(
    40_000,
    () => read(home.key, old.id),
    ({ status }) => status !== 200,
  );
  isProblem(await read(home.key, old.id), 'message_not_found');
  for (const id of [recent.id, next.body.id, held.body.id]) assert.equal((await read(home.key, id)).status, 200);
  const thread = await api<{ items: ThreadItem[] }>('GET', `/mail/threads/${old.thread_id}`, { key: home.key });
  assert.deepEqual(
    thread.body.items.map(({ kind, body }) => [kind, body]),
    [
      ['message', 'Go on'],
      ['reply', next.body.reply?.body],
    ],
  );
  const further = { to: mailbox.address, body: 'And on', thread_id: old.thread_id, sync: true };
  assert.equal((await send(home.key, further)).body.thread_id, old.thread_id);
});
