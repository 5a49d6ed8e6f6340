import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { unique } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';
import { openAnswering } from './answering.ts';

const { api, newMailbox, send, read, home, other, newAgent, claim, claimOne, answer, post } = await openAnswering();

test('a claim that waits gets a message as it arrives, and its answer is the reply of the sync send', async () => {
  const address = await newAgent();
  const waiting = claimOne(address);
  await pause(100);
  const sending = send(other.key, { to: address, body: 'What is up? 🙂\n\nAda', sync: true });
  const { message, claim: held, thread, lease_expires_at } = await waiting;
  assert.deepEqual([message.body, message.status, thread], ['What is up? 🙂\n\nAda', 'working', []]);
  assert.ok(Date.parse(lease_expires_at) > Date.now() + 50_000);
  const answered = await answer(message.id, { claim: held, body: 'The **sky**.', data: { n: 1 } });
  assert.equal(answered.status, 200, answered.text);
  assert.deepEqual(answered.body.answer, { id: answered.body.reply?.id, settles: true });
  const { status, body } = await sending;
  assert.deepEqual(
    [status, body.status, body.reply?.body, body.reply?.data],
    [200, 'completed', 'The **sky**.', { n: 1 }],
  );
  assert.equal((await api<Envelope>('GET', `/mail/messages/${message.id}`, { key: other.key })).body.replies_count, 1);
});

test('without a message a claim answers with an empty list when its wait is over', async () => {
  const address = await newAgent();
  const began = Date.now();
  const { status, body } = await claim(address, { wait: 1 });
  assert.deepEqual([status, body], [200, { items: [] }]);
  assert.ok(Date.now() - began >= 950);
  assert.deepEqual((await claim(address, { wait: 0 })).body, { items: [] });
});

test('of ten claims for twenty messages no two get the same one', async () => {
  const address = await newAgent();
  await Promise.all(Array.from({ length: 20 }, () => post(address)));
  const claims = await Promise.all(Array.from({ length: 10 }, () => claim(address, { max: 3, wait: 1 })));
  const ids = claims.flatMap(({ body }) => body.items.map(({ message }) => message.id));
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(ids.length, 20);
});

test('a thread comes with its earlier messages and replies in order', async () => {
  const address = await newAgent();
  const first = await post(address, 'first');
  const one = await claimOne(address);
  await answer(one.message.id, { claim: one.claim, body: 'Which day?', status: 'input_required' });
  assert.equal((await read(other.key, first.id)).body.status, 'input_required');
  const sent = await send(other.key, { to: address, body: 'Friday', thread_id: first.thread_id });
  assert.equal(sent.status, 202, sent.text);
  const two = await claimOne(address);
  assert.deepEqual(
    two.thread.map(({ kind, body }) => [kind, body]),
    [
      ['message', 'first'],
      ['reply', 'Which day?'],
    ],
  );
});

test('until a program connects a mailbox is offline: a sync send is answered 202 at once, and waits', async () => {
  const created = await newMailbox(home, { behavior: { name: 'agent' } });
  const { address } = created;
  assert.equal(created.status, 'offline');
  assert.equal((await api<{ status: string }>('GET', `/mailboxes/${address}`)).body.status, 'offline');
  const began = Date.now();
  const sent = await send(other.key, { to: address, body: 'hello?', sync: true });
  assert.deepEqual([sent.status, sent.body.status, sent.body.waiting_for], [202, 'submitted', 'answer']);
  assert.ok(Date.now() - began < 5_000);
  const { message } = await claimOne(address);
  assert.equal(message.id, sent.body.id);
  assert.equal((await api<{ status: string }>('GET', `/mailboxes/${address}`)).body.status, 'online');
});

test('a mailbox that is answered by hand is online, and an answer without a claim settles', async () => {
  const address = await newAgent({ by_hand: true });
  assert.equal((await api<{ status: string }>('GET', `/mailboxes/${address}`)).body.status, 'online');
  const sending = send(other.key, { to: address, body: 'by hand', sync: true });
  await pause(200);
  const list = await api<Page<Envelope>>('GET', `/mailboxes/${address}/messages`, { key: home.key });
  const [waiting] = list.body.items;
  assert.equal(waiting?.waiting_for, 'answer');
  assert.equal((await answer(waiting?.id as string, { body: 'I am here.' })).status, 200);
  assert.equal((await sending).body.reply?.body, 'I am here.');
});

test('a claim whose lease ended answers nothing once another program has the message', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const first = await claimOne(address, { lease_seconds: 10 });
  await api('POST', `/mail/messages/${id}/release`, { key: home.key, body: { claim: first.claim } });
  const second = await claimOne(address);
  isProblem(await answer(id, { claim: first.claim, body: 'late' }), 'claim_lost');
  isProblem(
    await api('POST', `/mail/messages/${id}/progress`, { key: home.key, body: { claim: first.claim } }),
    'claim_lost',
  );
  isProblem(
    await api('POST', `/mail/messages/${id}/release`, { key: home.key, body: { claim: first.claim } }),
    'claim_lost',
  );
  assert.equal((await answer(id, { claim: second.claim, body: 'mine' })).status, 200);
  assert.equal((await read(other.key, id)).body.reply?.body, 'mine');
});

test('progress is shown to who waits and extends the lease', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const { claim: held } = await claimOne(address, { lease_seconds: 10 });
  const shownLease = await api<{ lease_expires_at: string }>('POST', `/mail/messages/${id}/progress`, {
    key: home.key,
    body: { claim: held, text: 'Looking at the calendar', lease_seconds: 600 },
  });
  assert.ok(Date.parse(shownLease.body.lease_expires_at) > Date.now() + 500_000, shownLease.text);
  const { progress, status } = (await read(other.key, id)).body;
  assert.deepEqual(
    [status, progress.map(({ text }: { text: string }) => text)],
    ['working', ['Looking at the calendar']],
  );
});

test('an answer that is repeated, with its key or under its claim, adds nothing', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const { claim: held } = await claimOne(address);
  const key = { 'idempotency-key': unique('answer-') };
  const first = await answer(id, { claim: held, body: 'once' }, home.key, key);
  const again = await answer(id, { claim: held, body: 'once' }, home.key, key);
  assert.deepEqual(
    [again.status, again.headers.get('idempotency-replayed'), again.body.answer],
    [200, 'true', first.body.answer],
  );
  const third = await answer(id, { claim: held, body: 'once' });
  assert.deepEqual([third.body.answer, third.body.replies_count], [first.body.answer, 1]);
  isProblem(await answer(id, { claim: held, body: 'twice' }, home.key, key), 'idempotency_mismatch');
});

test('of two equal answers by hand at once with one key one is added', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  await answer(id, { body: 'settled' });
  const key = { 'idempotency-key': unique('answer-') };
  const both = await Promise.all([1, 2].map(() => answer(id, { body: 'more' }, home.key, key)));
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  );
  assert.deepEqual(both[0]?.body.answer, both[1]?.body.answer);
  assert.equal((await read(other.key, id)).body.replies_count, 2);
});

test('an answer after the settlement is a further reply in the thread, which its sender reads', async () => {
  const address = await newAgent();
  const { id, thread_id } = await post(address);
  const { claim: held } = await claimOne(address);
  await answer(id, { claim: held, body: 'first' });
  const more = await answer(id, { body: 'and one more thing' });
  assert.deepEqual([more.status, more.body.answer.settles, more.body.replies_count], [200, false, 2]);
  assert.equal(more.body.reply?.body, 'first');
  const thread = await api<Page<{ id: string; kind: string; body: string; in_reply_to: string | null }>>(
    'GET',
    `/mail/threads/${thread_id}`,
    { key: other.key },
  );
  assert.deepEqual(thread.body.items.map(({ kind, body }) => [kind, body]).slice(1), [
    ['reply', 'first'],
    ['reply', 'and one more thing'],
  ]);
  assert.equal(thread.body.items[2]?.id, more.body.answer.id);
});

test('a further answer that is repeated under its claim adds nothing', async () => {
  const address = await newAgent();
  const sent = await post(address);
  const { message, claim: held } = await claimOne(address);
  await answer(message.id, { claim: held, body: 'first' });
  const late = await answer(message.id, { claim: held, body: 'late' });
  const again = await answer(message.id, { claim: held, body: 'late' });
  assert.deepEqual([late.body.answer.settles, again.body.answer], [false, late.body.answer]);
  assert.equal((await read(other.key, sent.id)).body.replies_count, 2);
});

test('a program fails or rejects a message with a reason that its sender reads', async () => {
  const address = await newAgent();
  for (const [status, code] of [
    ['rejected', 'rejected'],
    ['failed', 'behavior_failed'],
  ] as const) {
    const { id } = await post(address);
    const { claim: held } = await claimOne(address);
    assert.equal((await answer(id, { claim: held, status, error: 'No rooms on Sunday.' })).status, 200);
    const settled = (await read(other.key, id)).body;
    assert.deepEqual([settled.status, settled.error], [status, { code, message: 'No rooms on Sunday.' }]);
    isProblem(await answer(id, { status: 'failed', error: 'again' }), 'not_waiting');
  }
});

test('the reason has the form of an envelope’s error, too, with a code of the program’s own', async () => {
  const address = await newAgent();
  const message = 'No rooms on Sunday.';
  for (const [error, code] of [
    [{ code: 'sold_out', message }, 'sold_out'],
    [{ message }, 'behavior_failed'],
  ] as const) {
    const { id } = await post(address);
    const failed = await answer(id, { status: 'failed', error });
    assert.deepEqual(failed.body.error, { code, message }, failed.text);
  }
  const { id } = await post(address);
  for (const error of [{}, { code: 'x' }, { code: 'Sold out', message }, { message: '' }, { message, more: 1 }, 1]) {
    assert.equal((await answer(id, { status: 'failed', error })).status, 422, JSON.stringify(error));
  }
});
