import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { moody } from '../../../../tests/harness/moody.ts';
import { type Envelope, TIME } from '../../../../tests/harness/wire.ts';

const { client } = await startInside({ env: { RUN_SECONDS: '1' }, behaviors: [moody] });
const { api, newNamespace, newMailbox, newKey, send, read, all } = client;

const home = await newNamespace();
const mailbox = await newMailbox(home, { behavior: { name: 'moody' } });
const sending = await newKey(home, { scopes: ['mail:send'] });
const sent = await send(sending.secret, {
  to: mailbox.address,
  body: 'slow 3600000',
  subject: 'Long',
  data: { n: 1 },
  attachments: [{ filename: 'a.txt', content: 'aGk=' }],
});
const failed = (await read(home.key, sent.body.id, '?wait=60')).body;

test('what takes too long fails, and says why', () => {
  assert.equal(failed.status, 'failed');
  assert.match(failed.settled_at ?? '', TIME);
  assert.equal(failed.reply, null);
  assert.match(failed.error?.code ?? '', /^[a-z_]+$/);
  assert.notEqual(failed.error?.message ?? '', '');
  assert.doesNotMatch(failed.error?.message ?? '', /at \S+ \(|\.ts:\d/);
});

test('a message is sent again with its files, which then belong to both', async () => {
  const again = await api<Envelope>('POST', `/mail/messages/${failed.id}/retry`, { key: sending.secret });
  const [[before], [after]] = [failed.attachments, again.body.attachments];
  assert.ok(before !== undefined && after !== undefined, again.text);
  assert.deepEqual({ ...after, id: before.id }, before);
  assert.notEqual(after.id, before.id);
  for (const { id } of [before, after]) {
    const bytes = await api('GET', `/mail/attachments/${id}`, { key: home.key });
    assert.deepEqual([bytes.status, bytes.text], [200, 'hi']);
  }
  assert.deepEqual((await read(home.key, again.body.id)).body.attachments, again.body.attachments);
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
  const countBefore = (await all('/mail/messages', home.key)).length;
  const ask = { key: writer.secret, headers: { 'idempotency-key': unique() } };
  const one = await api<Envelope>('POST', `/mail/messages/${failed.id}/retry`, ask);
  const two = await api<Envelope>('POST', `/mail/messages/${failed.id}/retry`, ask);
  assert.equal(one.body.retry_of, failed.id, one.text.slice(0, 300));
  assert.equal(two.body.id, one.body.id);
  assert.equal(two.headers.get('idempotency-replayed'), 'true');
  assert.equal((await all('/mail/messages', home.key)).length, countBefore + 1);
});

test('a message that fails leaves the next one its answer', async () => {
  const next = await send(home.key, { to: mailbox.address, body: 'Hello', sync: true }, { prefer: 'wait=60' });
  assert.equal(next.body.status, 'completed', next.text);
});
