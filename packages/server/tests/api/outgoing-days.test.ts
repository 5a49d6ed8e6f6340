import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '@mailroom/behavior/values/clock';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import type { Mailbox, Page } from '../../../../tests/harness/wire.ts';

interface Review {
  readonly id: string;
  readonly hash: string;
  readonly message_id: string;
}

// The recipients of a day are exact: what was kept back is given back, and neither a restart nor another node forgets any.

const inside = await startInside();
const { client } = inside;
const [home, other] = [await client.newNamespace(), await client.newNamespace()];
const reviewer = await client.newKey(home, { scopes: ['mail:review'] });
const theirs = await client.newMailbox(other, { behavior: { name: 'agent' } });
const boxOf = (max_per_day: number, review = 'always', fields: object = {}): Promise<Mailbox> =>
  client.newMailbox(home, { behavior: { name: 'agent' }, outgoing: { review, max_per_day, ...fields } });
const write = ({ address }: Mailbox, fields: object = {}) =>
  client.send(home.key, { from: address, to: theirs.address, body: unique('body '), ...fields });
const pending = async ({ address }: Mailbox): Promise<readonly Review[]> =>
  (await client.api<Page<Review>>('GET', `/mail/reviews?status=pending&mailbox=${address}`, { key: reviewer.secret }))
    .body.items;
const decide = (review: Review, decision: 'approve' | 'reject') =>
  client.api('POST', `/mail/reviews/${review.id}/${decision}`, {
    key: reviewer.secret,
    body: decision === 'approve' ? { hash: review.hash } : {},
  });

/** How many more it may write to now. */
async function left(box: Mailbox): Promise<number> {
  for (let count = 0; ; count++) {
    const sent = await write(box);
    if (sent.status === 429) return count;
    assert.equal(sent.status, 202, sent.text);
  }
}

test('what is rejected is given back, once, and what is approved is not', async () => {
  const box = await boxOf(3);
  for (const _ of [1, 2, 3]) await write(box);
  assert.equal((await write(box)).status, 429);
  const [first, second] = await pending(box);
  assert.ok(first && second);
  await Promise.all([decide(first, 'reject'), decide(first, 'reject'), decide(second, 'approve')]);
  assert.equal(await left(box), 1);
});

test('of a message to several all are given back, and one that is refused counts none', async () => {
  const box = await boxOf(4);
  const to = [theirs.address, (await client.newMailbox(other, { behavior: { name: 'agent' } })).address];
  await write(box, { to });
  const refused = await write(box, { to: [theirs.address, `nobody@${other.name}.mailroom.localhost`] });
  assert.ok(refused.status >= 400, refused.text);
  const [review] = await pending(box);
  assert.ok(review);
  await decide(review, 'reject');
  assert.equal(await left(box), 4);
});

test('what expires, or is canceled by its sender, is given back to the day on which it was counted', async () => {
  const box = await boxOf(2, 'always', { expires_seconds: 60 });
  const sent = await write(box);
  await client.api('POST', `/mail/messages/${sent.body.id}/cancel`, { key: home.key });
  await write(box);
  inside.pass(61_000);
  for (let tries = 0; (await pending(box)).length > 0 && tries < 100; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(await left(box), 2);
});

test('a repeated request, an answer that came too late and a message that its recipient refuses count nothing', async () => {
  const box = await boxOf(3, 'never');
  const once = { key: home.key, headers: { 'idempotency-key': unique() } };
  const body = { from: box.address, to: theirs.address, body: 'Hello.' };
  const twice = [
    await client.api('POST', '/mail/send', { ...once, body }),
    await client.api('POST', '/mail/send', { ...once, body }),
  ];
  assert.deepEqual(
    twice.map(({ status }) => status),
    [202, 202],
  );
  const closed = await client.newMailbox(other, { behavior: { name: 'agent' }, senders: { block: [home.name] } });
  assert.equal((await write(box, { to: closed.address })).status, 403);
  const asked = (await client.send(other.key, { from: theirs.address, to: box.address, body: 'Hm?' })).body.id;
  await client.api('POST', `/mail/messages/${asked}/cancel`, { key: other.key });
  const late = await client.api('POST', `/mail/messages/${asked}/answer`, { key: home.key, body: { body: 'Late.' } });
  assert.ok(late.status >= 400, late.text);
  assert.equal(await left(box), 2);
});

test('of many at once, on whatever node, exactly the maximum leaves', async () => {
  const box = await boxOf(7, 'never');
  const sent = await Promise.all(Array.from({ length: 20 }, () => write(box)));
  assert.equal(sent.filter(({ status }) => status === 202).length, 7);
  inside.pass(DAY);
  assert.equal(await left(box), 7);
});

test('after a restart the count is what it was, in recipients and not in messages', async () => {
  const to: string[] = [];
  for (const _ of [1, 2, 3]) to.push((await client.newMailbox(other, { behavior: { name: 'agent' } })).address);
  const [box, held] = [await boxOf(5, 'never'), await boxOf(3)];
  assert.equal((await write(box, { to })).status, 202);
  await write(held, { to });
  const [review] = await pending(held);
  await inside.restart();
  assert.ok(review);
  await decide(review, 'reject');
  assert.deepEqual([await left(box), await left(held)], [2, 3]);
});
