import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Home, type NewMailbox, unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

interface Thread {
  id: string;
  mailbox: string;
  taken_over: boolean;
  taken_over_at: string | null;
}
type Shown = Envelope & { taken_over?: boolean };

const inside = await startInside();
const { api, newNamespace, newMailbox, newKey, send, tryOut, read, change } = inside.client;
const home = await newNamespace();
const other = await newNamespace();

const post = (path: string, key: string, body?: object) => api<Thread>('POST', path, { key, body });
const takeOver = (id: string, key = home.key) => post(`/mail/threads/${id}/take-over`, key);
const handBack = (id: string, key = home.key) => post(`/mail/threads/${id}/hand-back`, key);
const answer = (id: string, body: string, key = home.key) =>
  api<Shown>('POST', `/mail/messages/${id}/answer`, { key, body: { body } });

/** A thread of one answered message in a mailbox of this namespace. */
async function begun(fields: NewMailbox = {}, of: Home = home) {
  const { address } = await newMailbox(of, fields);
  const { status, body } = await send(other.key, { to: address, body: 'Hello', sync: true });
  assert.equal(status, 200);
  return { address, thread_id: body.thread_id };
}
/** Sends into a thread that is taken over, which answers with 202 and waits. */
async function waits(to: string, thread_id: string, body = unique('Hello again, ')): Promise<Shown> {
  const sent = await send(other.key, { to, thread_id, body });
  assert.equal(sent.status, 202, sent.text);
  const { status, waiting_for, taken_over } = sent.body as Shown;
  assert.deepEqual([status, waiting_for, taken_over], ['submitted', 'answer', true]);
  return sent.body;
}
/** The one message of this list, once it is there. */
async function waiting(path: string): Promise<Shown> {
  const look = async () => (await api<Page<Shown>>('GET', path, { key: home.key })).body.items;
  const { seen } = await until(5000, look, ({ length }) => length === 1);
  return seen[0] as Shown;
}
const ended = async (id: string): Promise<Envelope> => {
  const { body } = await read(other.key, id, '?wait=20');
  return body;
};

test('a thread that is taken over is answered by hand: a sync send waits for the person and gets the answer', async () => {
  const { address, thread_id } = await begun();
  const taken = await takeOver(thread_id);
  assert.equal(taken.status, 200, taken.text);
  const { taken_over_at, ...rest } = taken.body;
  const standing = { state: 'open', until: null, assignee: null };
  assert.deepEqual(rest, { id: thread_id, mailbox: address, taken_over: true, ...standing });
  assert.ok(Math.abs(Date.parse(taken_over_at ?? '') - Date.now()) < 60_000);
  const sending = send(other.key, { to: address, thread_id, body: 'Are you there?', sync: true });
  const received = `/mailboxes/${address}/messages?status=submitted`;
  const open = await waiting(received);
  assert.deepEqual([open.waiting_for, open.taken_over, open.body], ['answer', true, 'Are you there?']);
  const { address: elsewhere } = await newMailbox(home);
  const wrong = await newKey(home, { scopes: ['mail:answer'], mailbox: elsewhere });
  isProblem(await answer(open.id, 'No', wrong.secret), 'message_not_found');
  const bound = await newKey(home, { scopes: ['mail:answer'], mailbox: address });
  const answered = await answer(open.id, 'Yes, **I** am.', bound.secret);
  assert.equal(answered.status, 200, answered.text);
  const { status, body } = await sending;
  assert.deepEqual([status, body.status, body.reply?.body], [200, 'completed', 'Yes, **I** am.']);
  assert.equal('taken_over' in body, false);
});

test('other threads of the mailbox, and messages that begin one, are answered by the behavior', async () => {
  const { address, thread_id } = await begun();
  await takeOver(thread_id);
  await waits(address, thread_id);
  const { status, body } = await send(other.key, { to: address, body: 'A new one', sync: true });
  assert.deepEqual([status, body.status], [200, 'completed']);
});

test('handed back, the behavior answers what waits and what comes, and what was answered stays', async () => {
  const { address, thread_id } = await begun();
  await takeOver(thread_id);
  const [first, second] = [await waits(address, thread_id), await waits(address, thread_id)];
  assert.equal((await answer(first.id, 'By hand.')).status, 200);
  const back = await handBack(thread_id);
  const standing = { state: 'waiting', until: null, assignee: null };
  assert.deepEqual(back.body, {
    ...{ id: thread_id, mailbox: address, taken_over: false, taken_over_at: null },
    ...standing,
  });
  assert.match((await ended(second.id)).reply?.body ?? '', /I write programs/);
  assert.equal((await ended(first.id)).reply?.body, 'By hand.');
  const { status, body } = await send(other.key, { to: address, thread_id, body: 'And now?', sync: true });
  assert.deepEqual([status, /I write programs/.test(body.reply?.body ?? '')], [200, true]);
});

test('handed back to a program, a message waits for it at once, and a claim gets it', async () => {
  const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
  const { id, thread_id } = (await send(other.key, { to: address, body: 'Which room?' })).body;
  await takeOver(thread_id);
  await handBack(thread_id);
  assert.equal((await read(home.key, id)).body.waiting_for, 'answer');
  const { body } = await api<{ items: { claim: string }[] }>('POST', `/mailboxes/${address}/claim`, {
    key: home.key,
    body: { wait: 0 },
  });
  assert.equal(body.items.length, 1);
  assert.equal((await answer(id, 'The blue one.')).status, 200);
  assert.equal((await ended(id)).reply?.body, 'The blue one.');
});

test('twice is once: the time stays, and each change is one event', async () => {
  const { address, thread_id } = await begun();
  const first = await takeOver(thread_id);
  inside.pass(1000);
  const second = await takeOver(thread_id);
  assert.deepEqual([second.status, second.body], [200, first.body]);
  for (let i = 0; i < 2; i++) assert.equal((await handBack(thread_id)).status, 200);
  const { body } = await api<Page<{ type: string; mailbox: string; data: Shown }>>('GET', `/events?limit=200`, {
    key: home.key,
  });
  const events = body.items.filter(({ type, mailbox }) => type.startsWith('thread.') && mailbox === address);
  assert.deepEqual(
    events.map(({ type, mailbox, data }) => [type, mailbox, data.thread_id]),
    ['thread.taken_over', 'thread.handed_back'].map((type) => [type, address, thread_id]),
  );
});

test('a thread of others, of no mailbox of the key, or that is none, is not found', async () => {
  const { thread_id } = await begun();
  const elsewhere = await newMailbox(home);
  const bound = await newKey(home, { scopes: ['mailboxes:write'], mailbox: elsewhere.address });
  const ids = [`thr_${'0'.repeat(20)}`, 'thr_x', 'msg_0d8m3xk2q5v7w9y1a3c0'];
  for (const act of [takeOver, handBack]) {
    for (const id of ids) isProblem(await act(id), 'message_not_found');
    isProblem(await act(thread_id, other.key), 'message_not_found');
    isProblem(await act(thread_id, bound.secret), 'message_not_found');
    const reader = await newKey(home, { scopes: ['messages:read', 'mail:answer'] });
    isProblem(await act(thread_id, reader.secret), 'insufficient_scope');
  }
});

test('a guest’s thread is taken over too, and while the mailbox is paused a person answers', async () => {
  const { address } = await newMailbox(home);
  const first = await tryOut({ to: address, body: 'Hello' });
  const { thread_id, thread_token } = first.body;
  assert.equal((await takeOver(thread_id)).status, 200);
  await change(home.key, address, { status: 'paused' });
  const sending = tryOut({ to: address, body: 'And a person?', thread_id, thread_token });
  const { id } = await waiting(`/mailboxes/${address}/messages?status=submitted`);
  assert.equal((await answer(id, 'Here.')).status, 200);
  const { status, body } = await sending;
  assert.deepEqual([status, body.status, body.reply?.body], [200, 'completed', 'Here.']);
});

test('no program is given the messages of an agent’s thread that is taken over', async () => {
  const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
  const claim = (wait = 0) =>
    api<{ items: { message: Shown; claim: string }[] }>('POST', `/mailboxes/${address}/claim`, {
      key: home.key,
      body: { wait },
    });
  const first = (await send(other.key, { to: address, body: 'One' })).body;
  const [held] = (await claim()).body.items;
  assert.equal(held?.message.id, first.id);
  await takeOver(first.thread_id);
  const second = await waits(address, first.thread_id);
  assert.deepEqual((await claim()).body.items, []);
  const done = await api<Shown>('POST', `/mail/messages/${first.id}/answer`, {
    key: home.key,
    body: { claim: held?.claim, body: 'What I held.' },
  });
  assert.match(isProblem(done, 'claim_lost').detail, /A person took the conversation over/);
  assert.equal((await answer(first.id, 'By hand.')).status, 200);
  await handBack(first.thread_id);
  const [again] = (await claim(20)).body.items;
  assert.equal(again?.message.id, second.id, 'it is given back to the program');
});

test('without an answer by hand in 24 hours it fails, and not before', async () => {
  const { address, thread_id } = await begun();
  await takeOver(thread_id);
  const { id } = await waits(address, thread_id);
  inside.pass(86_300_000);
  assert.equal((await read(other.key, id)).body.status, 'submitted');
  inside.pass(200_000);
  const { status, error, reply } = await ended(id);
  assert.deepEqual([status, error?.code, reply], ['failed', 'answer_timeout', null]);
});

test('a restart changes nothing: what waited waits, and what comes waits too', async () => {
  const { address, thread_id } = await begun();
  await takeOver(thread_id);
  const before = await waits(address, thread_id);
  await inside.restart();
  const after = await waits(address, thread_id);
  assert.equal((await answer(before.id, 'First.')).status, 200);
  assert.equal((await answer(after.id, 'Second.')).status, 200);
});
