import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { DAY } from '@mailroom/behavior/values/clock';
import type { Client, Home } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';

const service = await startInside();
// It has another port after a restart.
const client = (): Client => service.client;
let home: Home;
before(async () => {
  // Not a minute before midnight, when a count would begin again within a test.
  service.pass(DAY - (service.now() % DAY) + 1_000);
  home = await client().newNamespace();
});

const newAgent = async (settings: object): Promise<string> =>
  (await client().newMailbox(home, { behavior: { name: 'agent', settings } })).address;
const send = (to: string, more: object = {}, headers: Record<string, string> = {}) =>
  client().send(home.key, { to, body: 'Hello', ...more }, headers);

test('an address takes as many messages a day as its owner set, also of guests, drafts and repetitions', async () => {
  const to = await newAgent({ max_messages_per_day: 3 });
  const key = { 'idempotency-key': 'one' };
  const first = await send(to, {}, key);
  assert.equal(first.status, 202);
  assert.equal((await send(to, {}, key)).body.id, first.body.id);
  assert.equal((await client().tryOut({ to, body: 'Hello' })).status, 202);
  isProblem(await send(to, { thread_id: 'thr_0d8m3xk2q5v7w9y1a3c0' }), 'validation_error');
  // Of many at once one is the third.
  const many = await Promise.all(Array.from({ length: 10 }, () => send(to)));
  assert.equal(many.filter(({ status }) => status === 202).length, 1);
  const refused = await send(to, { sync: true });
  assert.match(isProblem(refused, 'rate_limited').detail, /takes 3 messages a day/);
  const wait_s = Number(refused.headers.get('retry-after'));
  assert.ok(wait_s > 23 * 3600 && wait_s <= 24 * 3600, `${wait_s} s`);
  isProblem(await client().tryOut({ to, body: 'Hello' }), 'rate_limited');
  const draft = await client().api<{ id: string }>('POST', '/mail/drafts', { key: home.key, body: { to, body: 'Hi' } });
  isProblem(await client().api('POST', `/mail/drafts/${draft.body.id}/send`, { key: home.key }), 'rate_limited');
  const list = await client().api<{ items: unknown[] }>('GET', `/mailboxes/${to}/messages`, { key: home.key });
  assert.equal(list.body.items.length, 3);
});

test('the count begins again the next day, holds over a restart, and follows the setting', async () => {
  const to = await newAgent({ max_messages_per_day: 2 });
  for (const status of [202, 202, 429]) assert.equal((await send(to)).status, status);
  await service.restart();
  isProblem(await send(to), 'rate_limited');
  await client().change(home.key, to, { behavior: { settings: { max_messages_per_day: 3 } } });
  for (const status of [202, 429]) assert.equal((await send(to)).status, status);
  await client().change(home.key, to, { behavior: { settings: {} } });
  assert.equal((await send(to)).status, 202);
  await client().change(home.key, to, { behavior: { settings: { max_messages_per_day: 1 } } });
  isProblem(await send(to), 'rate_limited');
  service.pass(DAY);
  assert.equal((await send(to)).status, 202);
});

test('a maximum is a whole number from 1 to 100,000', async () => {
  for (const max_messages_per_day of [0, -1, 1.5, 100_001, '5', null]) {
    const body = { local_part: 'wrong', behavior: { name: 'agent', settings: { max_messages_per_day } } };
    const made = await client().api('POST', `/namespaces/${home.name}/mailboxes`, { key: home.key, body });
    isProblem(made, 'validation_error', '/behavior/settings/max_messages_per_day');
  }
});
