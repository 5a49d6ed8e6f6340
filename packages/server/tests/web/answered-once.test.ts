import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Home } from '../../../../tests/harness/client.ts';
import { openConsole, type Visitor } from '../../../../tests/harness/console.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

// What waits for a review does not leave beside what a person answered by hand.

interface Review {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly message_id: string;
  readonly message: { readonly body: string };
  readonly hash: string;
}
type By = Envelope & { answered_by?: { kind: string } | null };
type Answered = Envelope & { answer: { id: string | null; settles: boolean } };

const WAIT_MS = 30_000;
const service = await openConsole();
const { newNamespace, newMailbox, newKey, api, send, read, all } = service.client;
const sender = await newNamespace();
const message = { body: 'When do you open?' };

const reviewsOf = ({ key }: Home) => all<Review>('/mail/reviews', key);
const approve = ({ id, hash }: Review, key: string) =>
  api<Review>('POST', `/mail/reviews/${id}/approve`, { key, body: { hash } });
const answersTo = async (id: string): Promise<number> => (await read(sender.key, id)).body.replies_count;

/** A message at an address whose answers are all reviewed. */
async function asked(outgoing: object = {}) {
  const home = await newNamespace();
  const { address } = await newMailbox(home, {
    behavior: { name: 'agent' },
    outgoing: { review: 'always', ...outgoing },
  });
  const { id } = (await send(sender.key, { to: address, ...message })).body;
  const program = await newKey(home, { scopes: ['mail:answer', 'messages:read'] });
  const answer = (key: string, body: object) => api<Answered>('POST', `/mail/messages/${id}/answer`, { key, body });
  return { home, address, id, program: program.secret, answer };
}

/** One that a program answered, whose further reply waits for its review. */
async function furtherWaits(outgoing: object = {}) {
  const it = await asked(outgoing);
  const { home, address, program, answer } = it;
  const { body } = await api<Page<{ claim: string }>>('POST', `/mailboxes/${address}/claim`, { key: program });
  const claim = body.items[0]?.claim;
  await answer(program, { claim, body: 'I look it up.' });
  const [first] = await reviewsOf(home);
  assert.equal((await approve(first ?? assert.fail(), home.key)).status, 200);
  assert.equal((await answer(program, { claim, body: 'At ten.' })).body.answer.id, null);
  const further = (await reviewsOf(home)).find(({ status }) => status === 'pending') ?? assert.fail();
  return { ...it, further };
}

async function byHand({ home, id }: { readonly home: Home; readonly id: string }, body: string): Promise<void> {
  const person: Visitor = service.visitor();
  await person.signIn(home.key);
  const path = `/console/messages/${id}`;
  assert.equal((await person.send(path, { body }, ['do', 'completed'], `/console/answers/${id}`)).status, 303);
}

test('what a person answers in the console leaves at once, though all answers of the address are reviewed', async () => {
  const it = await asked();
  await byHand(it, 'At nine.');
  assert.deepEqual([(await read(sender.key, it.id)).body.reply?.body, await reviewsOf(it.home)], ['At nine.', []]);
});

test('while the answer of a program waits, an answer by hand is refused, and the error says what to do', async () => {
  const { id, home, address, program, answer } = await asked();
  const { body } = await api<Page<{ claim: string }>>('POST', `/mailboxes/${address}/claim`, { key: program });
  await answer(program, { claim: body.items[0]?.claim, body: 'At ten.' });
  const refused = await answer(home.key, { body: 'At nine.' });
  isProblem(refused, 'not_waiting');
  assert.match(refused.text, /waits for a review\. Reject that first, or send your own words in its place/);
  assert.equal(await answersTo(id), 0);
});

test('a further reply of a program that waits is rejected once a person answered by hand, and who approves it is told', async () => {
  const it = await furtherWaits();
  await byHand(it, 'At nine.');
  const late = await approve(it.further, it.home.key);
  isProblem(late, 'not_waiting');
  assert.match(late.text, /Answered by hand since it was written/);
  const { body } = await api<Review>('GET', `/mail/reviews/${it.further.id}`, { key: it.home.key });
  assert.deepEqual([body.status, body.reason], ['rejected', 'Answered by hand since it was written.']);
  assert.equal(await answersTo(it.id), 2);
});

test('a further reply of a program does not leave by its time-out either, once a person answered by hand', async () => {
  const it = await furtherWaits({ expires_seconds: 3_600 });
  await byHand(it, 'At nine.');
  service.pass(2 * 3_600_000);
  const decided = () => api<Review>('GET', `/mail/reviews/${it.further.id}`, { key: it.home.key });
  const { seen } = await until(WAIT_MS, decided, ({ body }) => body.status !== 'pending');
  assert.equal(seen.body.status, 'rejected');
  assert.equal(await answersTo(it.id), 2);
});

test('a further reply by hand that waits leaves once it is approved, and says that it was written by hand', async () => {
  const { id, home, program, answer } = await asked();
  await byHand({ home, id }, 'At nine.');
  assert.equal((await answer(program, { body: 'At ten on Sundays.' })).body.answer.id, null);
  const [further] = await reviewsOf(home);
  await byHand({ home, id }, 'And never on Mondays.');
  assert.equal((await approve(further ?? assert.fail(), home.key)).status, 200);
  assert.equal(await answersTo(id), 3);
  const { thread_id } = (await read(home.key, id)).body;
  const { body: thread } = await api<Page<By>>('GET', `/mail/threads/${thread_id}?limit=100`, { key: home.key });
  const reply = thread.items.find(({ body }) => body === 'At ten on Sundays.');
  assert.equal(reply?.answered_by?.kind, 'key', JSON.stringify(thread));
});
