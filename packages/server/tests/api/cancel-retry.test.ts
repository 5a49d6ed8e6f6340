import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, PROOFREAD, unique } from '../../../../tests/harness/client.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { clean } from '../../../../tests/harness/texts.ts';
import { type Envelope, MAIL_DOMAIN, type ThreadItem, TIME } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newPaused, newKey, send, read, change, all } = connect(service.url);

const cancel = (key: string, id: string, headers = {}) =>
  api<Envelope>('POST', `/mail/messages/${id}/cancel`, { key, headers });
const retry = (key: string, id: string, headers = {}) =>
  api<Envelope>('POST', `/mail/messages/${id}/retry`, { key, headers });

test('its sender cancels what is held, and it is never answered', async () => {
  const home = await newNamespace();
  const receiver = await newNamespace();
  const { address: to } = await newPaused(receiver);
  const { id, thread_id } = (await send(home.key, { to, body: 'Hi' })).body;
  const waiting = read(home.key, id, '?wait=30');
  const canceled = await cancel(home.key, id);
  assert.equal(canceled.status, 200, canceled.text);
  assert.equal(canceled.body.status, 'canceled');
  assert.equal(canceled.body.reply, null);
  assert.match(canceled.body.settled_at ?? '', TIME);
  assert.equal((await waiting).body.status, 'canceled', 'who waited is told');
  await change(receiver.key, to, { status: 'online' });
  const next = await send(home.key, { to, body: 'Next' });
  assert.equal((await read(home.key, next.body.id, '?wait=20')).body.status, 'completed');
  assert.deepEqual((await read(home.key, id)).body, canceled.body);
  assert.equal((await all<ThreadItem>(`/mail/threads/${thread_id}`, home.key)).length, 1);
});

test('its recipient cancels it with mailboxes:write', async () => {
  const home = await newNamespace();
  const receiver = await newNamespace();
  const { address: to } = await newPaused(receiver);
  const { id } = (await send(home.key, { to, body: 'Hi' })).body;
  const reader = await newKey(receiver, { scopes: ['messages:read', 'mail:send'] });
  isOneOf(await cancel(reader.secret, id), 'insufficient_scope', 'message_not_found');
  const writer = await newKey(receiver, { scopes: ['mailboxes:write'] });
  const canceled = await cancel(writer.secret, id);
  assert.equal(canceled.status, 200, canceled.text);
  assert.equal(canceled.body.status, 'canceled');
});

test('nobody else cancels or repeats it', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const { address: to } = await newPaused(home);
  const { id } = (await send(home.key, { to, body: 'Hi' })).body;
  for (const act of [cancel, retry]) {
    isProblem(await act(stranger.key, id), 'message_not_found');
    isProblem(await api('POST', `/mail/messages/${id}/${act === cancel ? 'cancel' : 'retry'}`), 'missing_key');
    const reader = await newKey(home, { scopes: ['messages:read'] });
    isOneOf(await act(reader.secret, id), 'insufficient_scope', 'message_not_found');
  }
  assert.equal((await read(home.key, id)).body.status, 'submitted');
});

test('canceling what is settled changes nothing', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const sent = await send(home.key, { to, body: 'Hi', sync: true });
  const answer = await cancel(home.key, sent.body.id);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body, sent.body);
});

test('canceling twice is canceling once', async () => {
  const home = await newNamespace();
  const { address: to } = await newPaused(home);
  const { id } = (await send(home.key, { to, body: 'Hi' })).body;
  const [first, second] = await Promise.all([cancel(home.key, id), cancel(home.key, id)]);
  assert.equal(first.body.status, 'canceled', first.text);
  assert.deepEqual(second.body, first.body);
});

test('what is being worked on is canceled too, and who waits for it is answered', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home, { behavior: PROOFREAD });
  const headers = { 'idempotency-key': unique(), prefer: 'wait=60' };
  const fields = { to, body: clean(250_000), sync: true };
  const began = performance.now();
  const waiting = send(home.key, fields, headers);
  let id: string | undefined;
  while (id === undefined) id = (await all<Envelope>('/mail/messages', home.key))[0]?.id;
  const canceled = await cancel(home.key, id);
  assert.equal(canceled.body.status, 'canceled', canceled.text.slice(-300));
  const answer = await waiting;
  assert.equal(answer.status, 200);
  assert.equal(answer.body.id, id);
  assert.equal(answer.body.status, 'canceled');
  assert.equal(answer.body.reply, null);
  await assertSoon(performance.now() - began, 20_000, 'the answer');
  const short = await send(home.key, { to, body: 'She go home.', sync: true });
  assert.equal(short.body.status, 'completed', 'the mailbox goes on');
  assert.equal((await read(home.key, id)).body.status, 'canceled');
});

test('of a cancellation and an answer one wins, for everyone', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      const { id } = (await send(home.key, { to, body: 'Hi' })).body;
      const [canceled, settled] = await Promise.all([cancel(home.key, id), read(home.key, id, '?wait=20')]);
      assert.ok(['canceled', 'completed'].includes(canceled.body.status), canceled.text);
      assert.equal(settled.body.status, canceled.body.status);
      assert.equal(canceled.body.reply === null, canceled.body.status === 'canceled');
      assert.deepEqual((await read(home.key, id)).body, settled.body);
    }),
  );
});

test('only what failed is sent again', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const { address: held } = await newPaused(home);
  const done = await send(home.key, { to, body: 'Hi', sync: true });
  const waiting = await send(home.key, { to: held, body: 'Hi' });
  const canceled = await send(home.key, { to: held, body: 'Hi' });
  await cancel(home.key, canceled.body.id);
  for (const id of [done.body.id, waiting.body.id, canceled.body.id]) {
    const answer = await retry(home.key, id);
    assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status} ${answer.text}`);
  }
  assert.equal((await all('/mail/messages', home.key)).length, 3);
});

test('a rejected message is not sent again, or as a new one that says so', async () => {
  const home = await newNamespace();
  const { id } = (await send(home.key, { to: `do@agents.${MAIL_DOMAIN}`, body: 'Do it', sync: true })).body;
  const answer = await retry(home.key, id);
  if (answer.status < 300) assert.equal(answer.body.retry_of, id);
  else isProblem(answer, 'validation_error');
});

test('canceling is idempotent by key, and says when it is a repetition', async () => {
  const home = await newNamespace();
  const { address: to } = await newPaused(home);
  const { id } = (await send(home.key, { to, body: 'Hi' })).body;
  const headers = { 'idempotency-key': unique() };
  const first = await cancel(home.key, id, headers);
  const second = await cancel(home.key, id, headers);
  assert.deepEqual(second.body, first.body);
  assert.equal(first.headers.get('idempotency-replayed'), null);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
});
