import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, PROOFREAD, unique } from '../harness/client.ts';
import { serve } from '../harness/service.ts';
import { clean } from '../harness/texts.ts';
import type { Envelope } from '../harness/wire.ts';
import { TIME } from '../harness/wire.ts';

// So many long texts are too much for one thread with three seconds each, so messages fail.
const service = await serve({ env: { RUN_SECONDS: '3', PROOFREAD_WORKERS: '1' } });
const { api, newNamespace, newMailbox, newKey, send, read, all } = connect(service.url);

const home = await newNamespace();
const mailbox = await newMailbox(home, { behavior: PROOFREAD });
const sending = await newKey(home, { scopes: ['mail:send'] });
const sent = await Promise.all(
  Array.from({ length: 6 }, () =>
    send(sending.secret, { to: mailbox.address, body: clean(250_000), subject: 'Long', data: { n: 1 } }),
  ),
);
const settled = await Promise.all(sent.map((answer) => read(home.key, answer.body.id, '?wait=60')));
const failed =
  settled.map((answer) => answer.body).find((message) => message.status === 'failed') ??
  assert.fail(`none failed: ${settled.map((answer) => answer.body.status).join()}`);

test('what takes too long fails, and says why', () => {
  assert.equal(failed.status, 'failed');
  assert.match(failed.settled_at ?? '', TIME);
  assert.equal(failed.reply, null);
  assert.match(failed.error?.code ?? '', /^[a-z_]+$/);
  assert.notEqual(failed.error?.message ?? '', '');
  assert.doesNotMatch(failed.error?.message ?? '', /at \S+ \(|\.ts:\d/);
});

test('its sender sends a failed message again, as a new one that names it', async () => {
  const again = await api<Envelope>('POST', `/mail/messages/${failed.id}/retry`, {
    key: sending.secret,
    headers: { 'idempotency-key': unique() },
  });
  assert.ok([200, 201, 202].includes(again.status), again.text.slice(0, 300));
  assert.notEqual(again.body.id, failed.id);
  assert.equal(again.body.retry_of, failed.id);
  assert.equal(again.body.to, failed.to);
  assert.equal(again.body.body, failed.body);
  assert.equal(again.body.subject, 'Long');
  assert.deepEqual(again.body.data, { n: 1 });
  assert.deepEqual(again.body.sender, failed.sender);
  assert.deepEqual((await read(home.key, failed.id)).body, failed, 'the first stays as it was');
});

test('its recipient sends it again too, once per idempotency key', async () => {
  const writer = await newKey(home, { scopes: ['mailboxes:write'] });
  const before = (await all('/mail/messages', home.key)).length;
  const ask = { key: writer.secret, headers: { 'idempotency-key': unique() } };
  const one = await api<Envelope>('POST', `/mail/messages/${failed.id}/retry`, ask);
  const two = await api<Envelope>('POST', `/mail/messages/${failed.id}/retry`, ask);
  assert.equal(one.body.retry_of, failed.id, one.text.slice(0, 300));
  assert.equal(two.body.id, one.body.id);
  assert.equal(two.headers.get('idempotency-replayed'), 'true');
  assert.equal((await all('/mail/messages', home.key)).length, before + 1);
});

test('a text that fails leaves the next one its answer', async () => {
  // The ended thread is being replaced, so the first message may come too early.
  const statuses: string[] = [];
  while (statuses.at(-1) !== 'completed' && statuses.length < 5) {
    const short = await send(home.key, { to: mailbox.address, body: 'She go home.' });
    statuses.push((await read(home.key, short.body.id, '?wait=60')).body.status);
  }
  assert.equal(statuses.at(-1), 'completed', statuses.join());
});
