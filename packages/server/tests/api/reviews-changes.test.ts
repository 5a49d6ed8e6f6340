import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import type { Page } from '../../../../tests/harness/wire.ts';

interface Review {
  readonly id: string;
  readonly status: string;
  readonly hash: string;
  readonly message_id: string;
  readonly message: { readonly subject: string | null; readonly body: string };
  readonly original?: { readonly subject: string | null; readonly body: string; readonly html: string | null };
}

const { client } = await startInside();
const { api, newMailbox, newNamespace, newKey, send, read } = client;
const home = await newNamespace();
const other = await newNamespace();
const first = await newKey(home, { scopes: ['mail:review'] });
const second = await newKey(home, { scopes: ['mail:review'] });
const theirs = await newMailbox(other, { behavior: { name: 'agent' } });
const desk = await newMailbox(home, { outgoing: { review: 'always' } });

const get = async ({ id }: Pick<Review, 'id'>, key = second.secret): Promise<Review> =>
  (await api<Review>('GET', `/mail/reviews/${id}`, { key })).body;
const edit = ({ id }: Review, body: object, key = first.secret) =>
  api<Review>('PATCH', `/mail/reviews/${id}`, { key, body });
const decide = (what: string, { id }: Review, body: object, key = second.secret) =>
  api<Review>('POST', `/mail/reviews/${id}/${what}`, { key, body });

/** A message of its own that waits, with its review. */
async function held(body = unique('The first text')): Promise<Review> {
  const sent = await send(home.key, { from: desk.address, to: theirs.address, subject: 'Offer', body });
  assert.equal(sent.body.waiting_for, 'review', sent.text);
  const { items } = (await api<Page<Review>>('GET', '/mail/reviews?status=pending', { key: second.secret })).body;
  const found = items.find(({ message_id }) => message_id === sent.body.id);
  assert.ok(found);
  return found;
}

test('a second approver sees the texts as they were first written, whoever changed them how often', async () => {
  const review = await held('The first text.');
  assert.equal('original' in (await get(review)), false);
  const changed = await edit(review, { subject: 'Bid', body: 'The second text.' });
  assert.equal(changed.status, 200, changed.text);
  const original = { subject: 'Offer', body: 'The first text.', html: null };
  assert.deepEqual((await get(review)).original, original);
  assert.equal((await edit(review, { body: 'The third text.' })).status, 200);
  assert.deepEqual((await get(review)).original, original);
  const { items } = (await api<Page<Review>>('GET', '/mail/reviews', { key: second.secret })).body;
  assert.deepEqual(items.find(({ id }) => id === review.id)?.original, original);
  const back = await edit(review, { subject: 'Offer', body: 'The first text.' });
  assert.equal('original' in back.body, false, 'it is as it was first written');
  assert.equal((await edit(review, { body: 'The last text.' })).status, 200);
  const now = await get(review);
  assert.equal((await decide('approve', review, { hash: now.hash })).status, 200);
  assert.deepEqual((await get(review)).original, original);
});

test('of two who edit the same text the second overwrites no change that it has not seen', async () => {
  const review = await held();
  const { hash } = review;
  const mine = await edit(review, { body: 'Mine.', hash });
  assert.equal(mine.status, 200, mine.text);
  isProblem(await edit(review, { body: 'Yours.', hash }, second.secret), 'review_changed');
  assert.equal((await get(review)).message.body, 'Mine.');
  assert.equal((await edit(review, { body: 'Yours.', hash: mine.body.hash }, second.secret)).status, 200);
  const { hash: latest } = await get(review);
  const both = await Promise.all(['One.', 'Two.'].map((body) => edit(review, { body, hash: latest })));
  assert.deepEqual(
    both.map(({ status }) => status).sort((a, b) => a - b),
    [200, 409],
  );
  for (const body of [{ hash: latest }, { body: 'x', hash: 'x' }, { body: 'x', hash: null }])
    isProblem(await edit(review, body), 'validation_error');
});

test('a refusal that names another hash than that of the text refuses nothing', async () => {
  const review = await held();
  assert.equal((await edit(review, { body: 'Other words.' })).status, 200);
  isProblem(await decide('reject', review, { hash: review.hash }), 'review_changed');
  isProblem(await decide('reject', review, { hash: 'none' }), 'validation_error');
  const now = await get(review);
  assert.equal(now.status, 'pending');
  assert.equal((await decide('reject', review, { hash: now.hash, reason: 'no' })).status, 200);
  const { body } = await read(home.key, review.message_id);
  assert.equal(body.error?.code, 'review_rejected');
  isProblem(await decide('reject', review, { hash: now.hash }), 'not_waiting');
  isProblem(await edit(review, { body: 'x', hash: now.hash }), 'not_waiting');
});

test('one who edited alone is told what to do', async () => {
  const review = await held();
  const { body } = await edit(review, { body: 'Other words.' });
  const refused = await decide('approve', review, { hash: body.hash }, first.secret);
  isProblem(refused, 'access_denied');
  assert.match(refused.text, /Another owner does[\s\S]*reject it and write it yourself in the console/);
});

test('no key sends its own words in the place of what waits', async () => {
  const review = await held();
  const body = { hash: review.hash, body: 'My own words.' };
  for (const key of [home.key, second.secret]) {
    const { status } = await api('POST', `/mail/reviews/${review.id}/own`, { key, body });
    assert.equal(status, 404);
  }
  assert.equal((await get(review)).status, 'pending');
});
