import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newPaused, newKey, send, read, change, all } = connect(service.url);

test('a message is read by its sending key, its sender and its recipient, and by nobody else', async () => {
  const home = await newNamespace();
  const receiver = await newNamespace();
  const stranger = await newNamespace();
  const { address: to } = await newMailbox(receiver);
  const sending = await newKey(home, { scopes: ['mail:send'] });
  const { id, thread_id } = (await send(sending.secret, { to, body: 'Hi', sync: true })).body;
  const may = [
    sending.secret,
    home.key,
    (await newKey(home, { scopes: ['messages:read'] })).secret,
    receiver.key,
    (await newKey(receiver, { scopes: ['messages:read'] })).secret,
  ];
  for (const key of may) {
    assert.equal((await read(key, id)).status, 200);
    assert.equal((await api('GET', `/mail/threads/${thread_id}`, { key })).status, 200);
  }
  isProblem(await read(stranger.key, id), 'message_not_found');
  isOneOf(await api('GET', `/mail/threads/${thread_id}`, { key: stranger.key }), 'message_not_found', 'not_found');
  for (const key of [
    (await newKey(home, { scopes: ['mail:send', 'mailboxes:write'] })).secret,
    (await newKey(receiver, { scopes: ['mail:send', 'mailboxes:write'] })).secret,
  ]) {
    isOneOf(await read(key, id), 'message_not_found', 'insufficient_scope');
    isOneOf(
      await api('GET', `/mail/threads/${thread_id}`, { key }),
      'message_not_found',
      'not_found',
      'insufficient_scope',
    );
  }
  isProblem(await api('GET', `/mail/messages/${id}`), 'missing_key');
  isProblem(await api('GET', `/mail/threads/${thread_id}`), 'missing_key');
});

test('a stranger cannot tell a message that exists from one that does not', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const { id } = (await send(home.key, { to: (await newMailbox(home)).address, body: 'Hi' })).body;
  const there = await read(stranger.key, id);
  const nowhere = await read(stranger.key, `${id.slice(0, -4)}zzz0`);
  isProblem(there, 'message_not_found');
  isProblem(nowhere, 'message_not_found');
  const { request_id: a, detail: one, ...left } = there.body as unknown as Record<string, string>;
  const { request_id: b, detail: two, ...right } = nowhere.body as unknown as Record<string, string>;
  assert.notEqual(a, b);
  assert.deepEqual(left, right);
  assert.equal(one?.replaceAll(/msg_\w+/g, 'ID'), two?.replaceAll(/msg_\w+/g, 'ID'));
});

test('what is no message is not found', async () => {
  const home = await newNamespace();
  for (const id of ['msg_00000000000000000000', 'msg_', 'nonsense', '%F0%9F%98%80', "'", 'msg_0'.repeat(50)]) {
    isProblem(await read(home.key, id), 'message_not_found');
    isProblem(await api('POST', `/mail/messages/${id}/cancel`, { key: home.key }), 'message_not_found');
    isProblem(await api('POST', `/mail/messages/${id}/retry`, { key: home.key }), 'message_not_found');
    isOneOf(await api('GET', `/mail/threads/${id}`, { key: home.key }), 'message_not_found', 'not_found');
  }
});

test('?wait answers when the message is settled', async () => {
  const home = await newNamespace();
  const { address: to } = await newPaused(home);
  const { id } = (await send(home.key, { to, body: 'Hi' })).body;
  const began = performance.now();
  const waiting = [1, 2, 3].map(() => read(home.key, id, '?wait=30'));
  assert.equal((await read(home.key, id)).body.status, 'submitted');
  await change(home.key, to, { status: 'online' });
  for (const answer of await Promise.all(waiting)) {
    assert.equal(answer.status, 200);
    assert.equal(answer.body.status, 'completed');
    assert.ok(answer.body.reply !== null);
  }
  // It answers when the message settles, not when the wait is over.
  await assertSoon(performance.now() - began, 10_000, 'the answer');
});

test('?wait answers with how it stands when the wait is over', async () => {
  const home = await newNamespace();
  const { address: to } = await newPaused(home);
  const { id } = (await send(home.key, { to, body: 'Hi' })).body;
  const began = performance.now();
  const answer = await read(home.key, id, '?wait=1');
  const took = performance.now() - began;
  assert.equal(answer.status, 200);
  assert.equal(answer.body.status, 'submitted');
  assert.equal(answer.body.reply, null);
  assert.ok(took >= 900, `${took} ms`);
  await assertSoon(took, 4_000, 'the answer');
});

test('?wait on a settled message answers at once', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const { id } = (await send(home.key, { to, body: 'Hi', sync: true })).body;
  const began = performance.now();
  assert.equal((await read(home.key, id, '?wait=60')).body.status, 'completed');
  assert.equal((await read(home.key, id, '?wait=0')).body.status, 'completed');
  await assertSoon(performance.now() - began, 2_000, 'both answers');
});

test('?wait that is no number of seconds is a problem', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const { id } = (await send(home.key, { to, body: 'Hi', sync: true })).body;
  for (const wait of ['soon', '-1', '1.5', '1e1']) {
    isProblem(await read(home.key, id, `?wait=${wait}`), 'validation_error', '/wait');
  }
});

test('who stops waiting costs nobody else', async () => {
  const home = await newNamespace();
  const { address: to } = await newPaused(home);
  const { id } = (await send(home.key, { to, body: 'Hi' })).body;
  for (let i = 0; i < 20; i++) {
    const stop = new AbortController();
    const waiting = api('GET', `/mail/messages/${id}?wait=60`, { key: home.key, signal: stop.signal });
    stop.abort();
    await assert.rejects(waiting);
  }
  await change(home.key, to, { status: 'online' });
  assert.equal((await read(home.key, id, '?wait=20')).body.status, 'completed');
});

test('a namespace lists what its keys sent, newest first', async () => {
  const home = await newNamespace();
  const other = await newNamespace();
  const { address: to } = await newMailbox(other);
  const second = await newKey(home, { scopes: ['mail:send'] });
  const ids: string[] = [];
  for (const [i, key] of [home.key, second.secret, home.key].entries()) {
    ids.push((await send(key, { to, body: `Hi ${i}`, sync: true })).body.id);
  }
  await send(other.key, { to, body: 'Not of home', sync: true });
  const sent = await all<Envelope>('/mail/messages', home.key);
  assert.deepEqual(
    sent.map((item) => item.id),
    ids.reverse(),
  );
  assert.deepEqual(sent[0], (await read(home.key, ids[0] ?? '')).body);
});
