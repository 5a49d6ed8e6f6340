import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { connect, type Home, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';
import { canonicalJson } from '../../core/values/canonical-json.ts';

interface Review {
  id: string;
  status: string;
  mailbox: string;
  message_id: string;
  message: { to: string[] | null; body: string; subject: string | null; in_reply_to: string | null };
  recipients: string[];
  findings: { kind: string }[];
  hash: string;
  decided_by: string | null;
  receipt: string | null;
}

const service = await serveInside({ env: { RATE_LIMITS: 'off' } });
const { api, newNamespace, newMailbox, newKey, send, read } = connect(service.url);
const home = await newNamespace();
const other = await newNamespace();

const reviews = async (of: Home, query = ''): Promise<Review[]> =>
  (await api<Page<Review>>('GET', `/mail/reviews${query}`, { key: of.key })).body.items;
const reviewOf = async (message: string, of = home): Promise<Review> => {
  const found = (await reviews(of)).find(({ message_id }) => message_id === message);
  assert.ok(found, `There is no review of ${message}`);
  return found;
};
const approve = (review: Review, key: string, hash = review.hash) =>
  api<Review>('POST', `/mail/reviews/${review.id}/approve`, { key, body: { hash } });
const reject = (review: Review, key: string, body: object = {}) =>
  api<Review>('POST', `/mail/reviews/${review.id}/reject`, { key, body });

test('the answer of a behavior waits, its sender is told at once, and leaves once it is approved', async () => {
  const hello = await newMailbox(home, {
    behavior: { name: 'hello', settings: { introduction: 'I am Ada, an engineer.' } },
    outgoing: { review: 'always' },
  });
  const sent = await send(other.key, { to: hello.address, body: 'Who are you?', sync: true });
  assert.equal(sent.status, 202, sent.text);
  assert.deepEqual([sent.body.status, sent.body.waiting_for, sent.body.reply], ['working', 'review', null]);
  assert.ok(!sent.text.includes('engineer'));
  const review = await reviewOf(sent.body.id);
  assert.deepEqual(
    [review.status, review.mailbox, review.message.in_reply_to],
    ['pending', hello.address, sent.body.id],
  );
  assert.match(review.message.body, /I am Ada/);
  assert.equal(
    review.hash,
    createHash('sha256')
      .update(canonicalJson(review.message as never))
      .digest('hex'),
  );
  const approved = await approve(review, home.key);
  assert.equal(approved.status, 200, approved.text);
  assert.deepEqual([approved.body.status, typeof approved.body.receipt], ['approved', 'string']);
  const done = await read(other.key, sent.body.id);
  assert.equal(done.body.status, 'completed');
  assert.match(done.body.reply?.body ?? '', /I am Ada/);
  isProblem(await approve(review, home.key), 'not_waiting');
});

test('a rejected answer settles its message without a word of the text', async () => {
  const hello = await newMailbox(home, {
    behavior: { name: 'hello', settings: { introduction: 'I am Ada, an engineer.' } },
    outgoing: { review: 'always' },
  });
  const sent = await send(other.key, { to: hello.address, body: 'Who are you?' });
  await until(
    5_000,
    () => read(other.key, sent.body.id),
    ({ body }) => body.waiting_for === 'review',
  );
  const review = await reviewOf(sent.body.id);
  assert.equal((await reject(review, home.key, { reason: 'not now' })).status, 200);
  const done = await read(other.key, sent.body.id);
  assert.deepEqual([done.body.status, done.body.error?.code, done.body.reply], ['rejected', 'review_rejected', null]);
  assert.ok(!JSON.stringify(done.body).includes('engineer') && !JSON.stringify(done.body).includes('not now'));
});

test('a message that a key sends waits on its sender’s message, and reaches its recipient once approved', async () => {
  const desk = await newMailbox(home, { outgoing: { review: 'always' } });
  const key = await newKey(home, { scopes: ['mail:send', 'messages:read'] });
  const hello = await newMailbox(other, { behavior: { name: 'hello', settings: {} } });
  const body = unique('hello there');
  const sent = await send(key.secret, { from: desk.address, to: hello.address, body, sync: true });
  assert.equal(sent.status, 202, sent.text);
  assert.deepEqual([sent.body.status, sent.body.waiting_for], ['working', 'review']);
  const inbox = await api<Page<Envelope>>('GET', `/mailboxes/${hello.address}/messages`, { key: other.key });
  assert.deepEqual(inbox.body.items, []);
  const review = await reviewOf(sent.body.id);
  assert.deepEqual(review.recipients, [hello.address]);
  const approved = await approve(review, home.key);
  assert.equal(approved.status, 200, approved.text);
  const done = await api<Envelope>('GET', `/mail/messages/${sent.body.id}?wait=5`, { key: key.secret });
  assert.equal(done.body.status, 'completed', done.text);
  assert.ok(done.body.reply !== null);
  const arrived = await api<Page<Envelope>>('GET', `/mailboxes/${hello.address}/messages`, { key: other.key });
  assert.deepEqual(
    arrived.body.items.map((one) => one.body),
    [body],
  );
});

test('who wrote it, or changed it last, does not approve it', async () => {
  const desk = await newMailbox(home, { outgoing: { review: 'always' } });
  const key = await newKey(home, { scopes: ['mail:send', 'messages:read', 'mail:review'] });
  const hello = await newMailbox(other, { behavior: { name: 'hello', settings: {} } });
  const sent = await send(key.secret, { from: desk.address, to: hello.address, body: unique() });
  const review = await reviewOf(sent.body.id);
  isProblem(await approve(review, key.secret), 'access_denied');
  const edited = await api<Review>('PATCH', `/mail/reviews/${review.id}`, {
    key: home.key,
    body: { body: 'Other words.' },
  });
  assert.equal(edited.status, 200, edited.text);
  assert.notEqual(edited.body.hash, review.hash);
  isProblem(await approve(edited.body, home.key), 'access_denied');
  const second = await newKey(home, { scopes: ['mail:review'] });
  isProblem(await approve(review, second.secret), 'review_changed');
  assert.equal((await approve(edited.body, second.secret)).status, 200);
  const done = await api<Envelope>('GET', `/mail/messages/${sent.body.id}?wait=5`, { key: home.key });
  assert.equal(done.body.body, 'Other words.');
});

test('an answer that a program gives is held, and the program learns that it waits', async () => {
  const agent = await newMailbox(home, { behavior: { name: 'agent' }, outgoing: { review: 'always' } });
  const sent = await send(other.key, { to: agent.address, body: unique() });
  const claimed = await api<{ items: { claim: string }[] }>('POST', `/mailboxes/${agent.address}/claim`, {
    key: home.key,
    body: {},
  });
  const claim = claimed.body.items[0]?.claim;
  const path = `/mail/messages/${sent.body.id}`;
  await api('POST', `${path}/progress`, {
    key: home.key,
    body: { claim, text: 'secret thoughts', draft: 'secret draft' },
  });
  assert.ok(!(await read(other.key, sent.body.id)).text.includes('secret'));
  const answered = await api<Envelope>('POST', `${path}/answer`, {
    key: home.key,
    body: { claim, body: 'Forty-two.' },
  });
  assert.deepEqual([answered.status, answered.body.waiting_for], [202, 'review'], answered.text);
  isProblem(
    await api('POST', `${path}/answer`, { key: home.key, body: { claim, body: 'Forty-three.' } }),
    'not_waiting',
  );
  const review = await reviewOf(sent.body.id);
  const second = await newKey(home, { scopes: ['mail:review'] });
  assert.equal((await approve(review, second.secret)).status, 200);
  assert.equal((await read(other.key, sent.body.id)).body.reply?.body, 'Forty-two.');
  const further = await api<Envelope>('POST', `${path}/answer`, { key: home.key, body: { body: 'And more.' } });
  assert.equal(further.status, 200, further.text);
  assert.equal((await read(other.key, sent.body.id)).body.replies_count, 1);
  const [more] = (await reviews(home, '?status=pending')).filter(({ message_id }) => message_id === sent.body.id);
  assert.ok(more);
  assert.equal((await approve(more, second.secret)).status, 200);
  assert.equal((await read(other.key, sent.body.id)).body.replies_count, 2);
});

test('two who decide at once decide once', async () => {
  const hello = await newMailbox(home, { behavior: { name: 'hello', settings: {} }, outgoing: { review: 'always' } });
  const second = await newKey(home, { scopes: ['mail:review'] });
  for (let round = 0; round < 10; round++) {
    const sent = await send(other.key, { to: hello.address, body: unique(), sync: true });
    const review = await reviewOf(sent.body.id);
    const results = await Promise.all([approve(review, home.key), reject(review, second.secret)]);
    assert.deepEqual(
      results.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    );
    const { status } = (await read(other.key, sent.body.id)).body;
    assert.equal(status, results[0]?.status === 200 ? 'completed' : 'rejected');
  }
});

test('allow and block refuse a send with a pointer, and file what may not be answered', async () => {
  const desk = await newMailbox(home, { outgoing: { block: [`${other.name}`] } });
  const theirs = await newMailbox(other);
  const refused = await send(home.key, { from: desk.address, to: theirs.address, body: 'hi' });
  isProblem(refused, 'recipient_not_allowed');
  assert.equal((refused.body as unknown as { errors: { pointer: string }[] }).errors[0]?.pointer, '/to/0');
  const filed = await send(other.key, { to: desk.address, body: 'hi', sync: true });
  assert.deepEqual([filed.body.status, filed.body.not_answered, filed.body.reply], ['completed', 'blocked', null]);
  const mine = await newMailbox(home);
  const allowed = await send(home.key, { from: desk.address, to: mine.address, body: 'hi', sync: true });
  assert.equal(allowed.status, 200, allowed.text);
});

test('a policy that contradicts itself is refused, and so is a key without the right', async () => {
  const desk = await newMailbox(home);
  for (const review of ['findings', 'always'])
    isProblem(
      await api('PATCH', `/mailboxes/${desk.address}`, {
        key: home.key,
        body: { outgoing: { review, on_expiry: 'send' } },
      }),
      'validation_error',
    );
  const key = await newKey(home, { scopes: ['mailboxes:write'] });
  isProblem(
    await api('PATCH', `/mailboxes/${desk.address}`, { key: key.secret, body: { outgoing: { review: 'never' } } }),
    'insufficient_scope',
  );
  const reviewer = await newKey(home, { scopes: ['mail:review'] });
  const body = { outgoing: { max_per_day: 1 } };
  assert.equal((await api('PATCH', `/mailboxes/${desk.address}`, { key: reviewer.secret, body })).status, 200);
  const to = (await newMailbox(home)).address;
  assert.equal((await send(home.key, { from: desk.address, to, body: 'one' })).status, 202);
  isProblem(await send(home.key, { from: desk.address, to, body: 'two' }), 'rate_limited');
});

test('a message that is canceled while it waits never leaves', async () => {
  const desk = await newMailbox(home, { outgoing: { review: 'always' } });
  const hello = await newMailbox(other, { behavior: { name: 'hello', settings: {} } });
  const sent = await send(home.key, { from: desk.address, to: hello.address, body: unique() });
  const review = await reviewOf(sent.body.id);
  const canceled = await api<Envelope>('POST', `/mail/messages/${sent.body.id}/cancel`, { key: home.key });
  assert.equal(canceled.body.status, 'canceled', canceled.text);
  const second = await newKey(home, { scopes: ['mail:review'] });
  isProblem(await approve(review, second.secret), 'not_waiting');
  const inbox = await api<Page<Envelope>>('GET', `/mailboxes/${hello.address}/messages`, { key: other.key });
  assert.deepEqual(inbox.body.items, []);
});

test('a policy of findings holds what has a secret, marked where it is, and lets the rest leave', async () => {
  const agent = await newMailbox(home, { behavior: { name: 'agent' }, outgoing: { review: 'findings' } });
  const answerWith = async (body: string): Promise<Envelope> => {
    const theirs = await newMailbox(other);
    const sent = await send(other.key, { from: theirs.address, to: agent.address, body: unique() });
    const answered = await api<Envelope>('POST', `/mail/messages/${sent.body.id}/answer`, {
      key: home.key,
      body: { body },
    });
    return answered.body;
  };
  assert.equal((await answerWith('The parcel arrives on Monday.')).status, 'completed');
  const held = await answerWith('Use ghp_16C7e42F292c6912E7710c838347Ae178B4a then.');
  assert.deepEqual([held.status, held.waiting_for], ['working', 'review']);
  const { findings } = await reviewOf(held.id);
  assert.deepEqual(
    findings.map(({ kind }) => kind),
    ['secret'],
  );
  assert.equal((findings[0] as unknown as { where: string }).where, 'body:4+40');
});
