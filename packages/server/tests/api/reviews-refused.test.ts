import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Mailbox, Page } from '../../../../tests/harness/wire.ts';

interface Review {
  readonly id: string;
  readonly status: string;
  readonly hash: string;
  readonly message_id: string;
  readonly message: { readonly from: string; readonly body: string };
}

const sink = await startSmtp();
after(() => sink[Symbol.asyncDispose]());
const inside = await startInside({ env: { SMTP_URL: sink.url } });
const { client, store } = inside;
const { api, all, change, newMailbox, newNamespace, newKey, send, read } = client;
const home = await newNamespace();
const other = await newNamespace();
await store.namespaces.claim(home.id, inside.now());
const reviewer = await newKey(home, { scopes: ['mail:review'] });
const theirs = await newMailbox(other, { behavior: { name: 'agent' } });
const HELLO = { name: 'hello', settings: { introduction: 'I am Ada, an engineer.' } };

const held = (behavior: object = HELLO, outgoing: object = { review: 'always' }): Promise<Mailbox> =>
  newMailbox(home, { behavior, outgoing });
const reviewOf = async (message: string, key = reviewer.secret): Promise<Review> => {
  const look = async () => (await all<Review>('/mail/reviews', key)).find(({ message_id }) => message_id === message);
  return (await until(10_000, look, (found) => found !== undefined)).seen as Review;
};
const approve = ({ id }: Pick<Review, 'id'>, hash: unknown, key = reviewer.secret) =>
  api<Review>('POST', `/mail/reviews/${id}/approve`, { key, body: { hash } });
const edit = ({ id }: Review, body: object, key = reviewer.secret) =>
  api<Review>('PATCH', `/mail/reviews/${id}`, { key, body });
const requestReview = async (of: Mailbox): Promise<Review> =>
  reviewOf((await send(other.key, { to: of.address, body: unique('Who?'), sync: true })).body.id);
const received = async ({ address }: Mailbox, { key }: Home): Promise<readonly Envelope[]> =>
  (await api<Page<Envelope>>('GET', `/mailboxes/${address}/messages`, { key })).body.items;

test('a policy that contradicts itself or names what is no address is refused, each with its field', async () => {
  const { address } = await newMailbox(home);
  for (const [outgoing, pointer] of [
    [{ review: 'always', on_expiry: 'send' }, '/outgoing/on_expiry'],
    [{ review: 'findings', on_expiry: 'send' }, '/outgoing/on_expiry'],
    [{ review: 'sometimes' }, '/outgoing/review'],
    [{ max_per_day: -1 }, '/outgoing/max_per_day'],
    [{ expires_seconds: 0 }, '/outgoing/expires_seconds'],
    [{ allow: ['no address'] }, '/outgoing/allow/0'],
    [{ block: ['*@*'] }, '/outgoing/block/0'],
    [{ other: 1 }, '/outgoing'],
  ] as const) {
    const refused = await api('PATCH', `/mailboxes/${address}`, { key: home.key, body: { outgoing } });
    isProblem(refused, 'validation_error');
    const { errors } = refused.body as { errors: { pointer: string; message: string }[] };
    assert.ok(errors[0]?.pointer.startsWith(pointer), `${JSON.stringify(outgoing)} ${refused.text}`);
  }
});

test('a decision names the hash of that review: that of another, or none, decides nothing', async () => {
  const box = await held();
  const [first, second] = [await requestReview(box), await requestReview(box)];
  isProblem(await approve(first, second.hash), 'review_changed');
  for (const hash of ['', 'x'.repeat(64), 1, null, first.hash.toUpperCase()])
    isProblem(await approve(first, hash), 'validation_error');
  const other = await approve(first, 'x');
  assert.match((other.body as unknown as { detail: string }).detail, /such as [0-9a-f]{64}\.$/);
  for (const id of ['rev_', 'rev_00000000000000000000', first.message_id])
    isProblem(await approve({ id }, first.hash), 'review_not_found');
  assert.equal((await reviewOf(first.message_id)).status, 'pending');
  assert.equal((await approve(first, first.hash)).status, 200);
});

test('only keys with the right decide: not of another namespace or mailbox, not without it, not once it is revoked', async () => {
  const [box, elsewhere] = [await held(), await newMailbox(home)];
  const review = await requestReview(box);
  const theirKey = await newKey(other, { scopes: ['mail:review'] });
  isProblem(await approve(review, review.hash, theirKey.secret), 'review_not_found');
  const bound = await newKey(home, { scopes: ['mail:review'], mailbox: elsewhere.address });
  isProblem(await approve(review, review.hash, bound.secret), 'review_not_found');
  const reads = await newKey(home, { scopes: ['messages:read', 'mailboxes:write', 'mail:answer', 'mail:send'] });
  isProblem(await approve(review, review.hash, reads.secret), 'insufficient_scope');
  const gone = await newKey(home, { scopes: ['mail:review'] });
  assert.equal((await api('DELETE', `/keys/${gone.id}`, { key: home.key })).status, 204);
  isProblem(await approve(review, review.hash, gone.secret), 'invalid_key');
  assert.equal((await read(other.key, review.message_id)).body.reply, null);
});

test('an edit over the limits, or of a field that an answer has not, changes nothing', async () => {
  const review = await requestReview(await held());
  isProblem(await edit(review, { body: 'x'.repeat(3 * 1024 * 1024) }), 'body_too_large');
  for (const body of [{}, { body: '' }, { body: null }, { subject: 'x' }, { html: '<p>x</p>' }, { data: {} }])
    isProblem(await edit(review, body), 'validation_error');
  assert.equal((await reviewOf(review.message_id)).hash, review.hash);
});

test('after its time a review is decided no more, and what it holds never leaves', async () => {
  const box = await held(HELLO, { review: 'always', expires_seconds: 60 });
  const review = await requestReview(box);
  inside.pass(61_000);
  isProblem(await approve(review, review.hash), 'not_waiting');
  const look = async () => (await read(other.key, review.message_id)).body;
  const { seen } = await until(20_000, look, ({ settled_at }) => settled_at !== null);
  assert.deepEqual([seen.status, seen.error?.code, seen.reply], ['rejected', 'review_expired', null]);
  isProblem(await approve(review, review.hash), 'not_waiting');
});

test('the error of a program has no word of its own where its owner looks at what leaves, whatever its code is', async () => {
  for (const code of ['refused', 'rate_limited', 'budget_exceeded', 'storage_full', 'out_of_stock'])
    for (const status of ['failed', 'rejected']) {
      const box = await held({ name: 'agent' });
      const { body } = await send(other.key, { to: box.address, body: 'x' });
      const error = { code, message: 'the secret word' };
      const given = await api('POST', `/mail/messages/${body.id}/answer`, { key: home.key, body: { status, error } });
      assert.equal(given.status, 200, given.text);
      const settled = await read(other.key, body.id);
      assert.equal(settled.body.status, status);
      assert.ok(!settled.text.includes('secret word'), settled.text);
    }
});

test('the reason of a key that refuses a plan does not leave where its owner looks at what leaves', async () => {
  const settings = { approval: ['send'], rights: { others: ['send'] } };
  const box = await held({ name: 'do', settings });
  const steps = [{ task: 'send', input: { to: theirs.address, body: 'Hello' } }];
  const sent = await send(other.key, { to: box.address, body: 'x', data: { steps }, sync: true });
  await until(
    10_000,
    async () => (await read(other.key, sent.body.id)).body,
    ({ waiting_for }) => waiting_for === 'approval',
  );
  const refused = await api('POST', `/mail/messages/${sent.body.id}/refuse`, {
    key: home.key,
    body: { reason: 'the secret word' },
  });
  assert.equal(refused.status, 200, refused.text);
  const { text, body } = await read(other.key, sent.body.id);
  assert.deepEqual([body.status, body.reply], ['rejected', null]);
  assert.ok(!text.includes('secret word'), text);
});

test('what would leave as another mailbox name is shown again before it may', async () => {
  const box = await held();
  const review = await requestReview(box);
  await change(home.key, box.address, { display_name: 'Eve, of "Accounts"' });
  isProblem(await approve(review, review.hash), 'review_changed');
  const again = await reviewOf(review.message_id);
  assert.equal(again.message.from, `"Eve, of \\"Accounts\\"" <${box.address}>`);
  assert.equal((await approve(again, again.hash)).status, 200);
  assert.match((await read(other.key, review.message_id)).body.reply?.body ?? '', /I am Ada/);
});

test('an answer that waits when its mailbox is deleted never leaves, and its message ends as any of that mailbox', async () => {
  const box = await held();
  const free = await newMailbox(home, { behavior: { name: 'agent' } });
  const ask = { from: theirs.address, body: unique('Who?') };
  const waiting = await send(other.key, { ...ask, to: box.address, sync: true });
  const open = await send(other.key, { ...ask, to: free.address });
  const review = await reviewOf(waiting.body.id);
  for (const { address } of [box, free])
    assert.equal((await api('DELETE', `/mailboxes/${address}`, { key: home.key })).status, 204);
  isProblem(await approve(review, review.hash), 'review_not_found');
  const ends = await Promise.all(
    [waiting, open].map(async ({ body }) => {
      const look = () => read(other.key, body.id);
      const ended = await until(20_000, look, (one) => one.status !== 200 || one.body.settled_at !== null);
      return [ended.seen.status, ended.seen.text.includes('engineer')];
    }),
  );
  assert.deepEqual(ends, [ends[1], [ends[1]?.[0], false]]);
});

test('a message of a mailbox that is deleted while it waits never leaves', async () => {
  const box = await held({ name: 'agent' });
  const to = `${unique('ann')}@far.example`;
  const sent = await send(home.key, { from: box.address, to: [to, theirs.address], body: unique('gone') });
  const review = await reviewOf(sent.body.id);
  assert.equal((await api('DELETE', `/mailboxes/${box.address}`, { key: home.key })).status, 204);
  isProblem(await approve(review, review.hash), 'review_not_found');
  inside.pass(2 * 24 * 3_600_000);
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.ok(!sink.arrived.some((mail) => mail.to.includes(to)));
  assert.ok(!(await received(theirs, other)).some(({ body }) => body.startsWith('gone')));
});

test('what was approved reaches all its recipients, also when the key that wrote it was revoked meanwhile', async () => {
  const box = await held({ name: 'agent' });
  const key = await newKey(home, { scopes: ['mail:send'] });
  const to = `${unique('ann')}@far.example`;
  const body = unique('lasting');
  const sent = await send(key.secret, { from: box.address, to: [to, theirs.address], body });
  const review = await reviewOf(sent.body.id);
  assert.equal((await api('DELETE', `/keys/${key.id}`, { key: home.key })).status, 204);
  assert.equal((await approve(review, review.hash)).status, 200);
  const arrived = async () => ({
    mails: sink.arrived.filter((mail) => mail.to.includes(to)).length,
    rows: (await received(theirs, other)).filter((one) => one.body === body).length,
  });
  const both = await until(10_000, arrived, ({ mails, rows }) => mails + rows === 2).catch(arrived);
  assert.deepEqual('seen' in both ? both.seen : both, { mails: 1, rows: 1 });
});
