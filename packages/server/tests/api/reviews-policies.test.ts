import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Mailbox, Page } from '../../../../tests/harness/wire.ts';

interface Review {
  readonly id: string;
  readonly status: string;
  readonly hash: string;
  readonly message_id: string;
}

const sink = await startSmtp();
after(() => sink[Symbol.asyncDispose]());
const inside = await startInside({ env: { SMTP_URL: sink.url, SMTP_LISTEN: '127.0.0.1:0' } });
const { client, store } = inside;
const { api, all, change, newMailbox, newNamespace, newKey, send } = client;
const home = await newNamespace();
const other = await newNamespace();
await store.namespaces.claim(home.id, inside.now());
const reviewer = await newKey(home, { scopes: ['mail:review'] });
const theirs = await newMailbox(other, { behavior: { name: 'agent' } });

const held = (outgoing: object, behavior: object = { name: 'agent' }): Promise<Mailbox> =>
  newMailbox(home, { behavior, outgoing });
const reviewsOf = async (message_id: string): Promise<readonly Review[]> =>
  (await all<Review>('/mail/reviews', reviewer.secret)).filter((one) => one.message_id === message_id);
const approve = ({ id, hash }: Review) =>
  api<Review>('POST', `/mail/reviews/${id}/approve`, { key: reviewer.secret, body: { hash } });
const write = async ({ address }: Mailbox, to: string, body = unique('text')): Promise<Envelope> => {
  const sent = await send(home.key, { from: address, to, body });
  assert.equal(sent.status, 202, sent.text);
  return sent.body;
};
const mailsTo = (to: string) => sink.arrived.filter((mail) => mail.to.includes(to));
const has = (to: string, count = 1) =>
  until(
    15_000,
    async () => mailsTo(to).length,
    (now) => now === count,
  );
const person = () => `${unique('ann')}@far.example`;
const received = async (body: string): Promise<number> =>
  (await api<Page<Envelope>>('GET', `/mailboxes/${theirs.address}/messages`, { key: other.key })).body.items.filter(
    (one) => one.body === body,
  ).length;

test('what has no decision in time leaves once where the policy says so, without proof that one approved it', async () => {
  const box = await held({ review: 'outside', expires_seconds: 60, on_expiry: 'send' });
  const plain = person();
  const sent = await write(box, plain);
  inside.pass(61_000);
  await has(plain);
  assert.equal(
    mailsTo(plain)[0]?.mail.headers.find(({ key }) => key === 'x-mailroom-review'),
    undefined,
  );
  const [review] = await reviewsOf(sent.id);
  assert.deepEqual([review?.status], ['expired']);
});

test('what waits keeps the policy under which it was held', async () => {
  const box = await held({ review: 'always' });
  const to = person();
  const sent = await write(box, to);
  await change(home.key, box.address, { outgoing: { review: 'never', block: [to] } });
  const [review] = await reviewsOf(sent.id);
  assert.equal(review?.status, 'pending');
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(mailsTo(to).length, 0);
  assert.equal((await approve(review as Review)).status, 200);
  await has(to);
});

test('with first_contact only those wait whom no one approved, and who wrote nothing proven', async () => {
  const box = await held({ review: 'first_contact' });
  const [stranger, writer] = [person(), person()];
  const first = await write(box, stranger);
  assert.equal(first.waiting_for, 'review');
  const [review] = await reviewsOf(first.id);
  assert.equal((await approve(review as Review)).status, 200);
  assert.equal((await write(box, stranger)).waiting_for, null);
  await has(stranger, 2);
  const text = mailText(
    { From: writer, To: box.address, Subject: 'Hi', 'Message-ID': `<${unique()}@far.example>` },
    'Hi',
  );
  assert.match(await sendMail(inside.smtp?.port ?? 0, { from: writer, to: [box.address], text }), /^250 /);
  assert.equal((await write(box, writer)).waiting_for, null);
  await has(writer);
  assert.equal((await write(box, `${unique('x')}+tag@far.example`)).waiting_for, 'review');
});

for (const [policy, waits] of [
  ['first_contact', false],
  ['always', true],
] as const)
  test(`what an owner approved within a plan ${waits ? 'waits again' : 'leaves'} where the policy is ${policy}`, async () => {
    const settings = { approval: ['send'] };
    const box = await held({ review: policy }, { name: 'do', settings });
    const body = unique('planned');
    const steps = [{ task: 'send', input: { to: theirs.address, body } }];
    const sent = await send(home.key, { to: box.address, body: 'x', data: { steps } });
    const path = `/mail/messages/${sent.body.id}`;
    const look = async () => (await api<Envelope>('GET', path, { key: home.key })).body;
    await until(15_000, look, ({ waiting_for }) => waiting_for === 'approval');
    assert.equal(await received(body), 0);
    assert.equal((await api('POST', `${path}/approve`, { key: home.key, body: {} })).status, 200);
    const pending = async () =>
      (
        await all<Review & { mailbox: string; message: { body: string } }>(
          '/mail/reviews?status=pending',
          reviewer.secret,
        )
      ).filter((one) => one.mailbox === box.address && one.message.body === body);
    if (waits) {
      const { seen } = await until(15_000, pending, ({ length }) => length === 1);
      assert.equal(await received(body), 0);
      assert.equal((await approve(seen[0] as Review)).status, 200);
    }
    await until(
      15_000,
      () => received(body),
      (count) => count === 1,
    );
    assert.equal((await pending()).length, 0);
  });

test('a file of an answer waits with it for however long, and is gone with what held it', async () => {
  const content = Buffer.from('A file.').toString('base64');
  const attachments = [{ filename: 'a.txt', content_type: 'text/plain', content }];
  const waiting = async () => {
    const box = await held({ review: 'always' });
    const sent = await send(other.key, { from: theirs.address, to: box.address, body: 'x' });
    const path = `/mail/messages/${sent.body.id}`;
    const body = { body: unique('answer'), attachments };
    assert.equal((await api('POST', `${path}/answer`, { key: home.key, body })).status, 202);
    const found = (await reviewsOf(sent.body.id))[0] as Review;
    return { box, path, reply: `${(await store.reviews.byId(found.id))?.reply_id}`, review: found };
  };
  const sweep = async (): Promise<void> => {
    inside.pass(2 * 3_600_000);
    for (let more = true; more; ) more = await store.blobs.sweep(inside.now());
  };
  const [kept, deleted, gone] = [await waiting(), await waiting(), await waiting()];
  await sweep();
  for (const { reply } of [kept, deleted, gone]) assert.equal((await store.attachments.of(reply)).length, 1);
  assert.equal((await approve(kept.review)).status, 200);
  const answered = await api<Envelope>('GET', kept.path, { key: other.key });
  assert.equal(answered.body.reply?.attachments.length, 1, answered.text);
  assert.equal((await api('DELETE', deleted.path, { key: home.key })).status, 204);
  assert.equal((await api('DELETE', `/mailboxes/${gone.box.address}`, { key: home.key })).status, 204);
  await until(
    15_000,
    () => store.reviews.byId(gone.review.id),
    (one) => one === undefined,
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  await sweep();
  await sweep();
  const left = await Promise.all(
    [kept, deleted, gone].map(async ({ reply }) => (await store.attachments.of(reply)).length),
  );
  assert.deepEqual(left, [1, 0, 0]);
});

test('what a message causes waits too, where a rule has its answer seen', async () => {
  const settings = { rights: { others: ['send', 'fetch'] } };
  const box = await newMailbox(home, { behavior: { name: 'do', settings } });
  const rules = [{ id: 'seen', if: { channel: 'api' }, then: { review: true } }];
  assert.equal((await api('PATCH', `/mailboxes/${box.address}`, { key: home.key, body: { rules } })).status, 200);
  const body = unique('caused');
  const ask = (...steps: object[]) => send(other.key, { to: box.address, body: 'x', data: { steps } });
  await ask({ task: 'send', input: { to: theirs.address, body } });
  const pending = async () =>
    (await all<Review & { mailbox: string }>('/mail/reviews?status=pending', reviewer.secret)).filter(
      ({ mailbox }) => mailbox === box.address,
    );
  const { seen } = await until(15_000, pending, ({ length }) => length > 0);
  assert.equal(await received(body), 0);
  for (const review of seen) assert.equal((await approve(review)).status, 200);
  await until(
    15_000,
    () => received(body),
    (count) => count === 1,
  );
  const fetching = await ask({ task: 'fetch', input: { url: `https://example.com/${body}` } });
  const look = async () => (await api<Envelope>('GET', `/mail/messages/${fetching.body.id}`, { key: home.key })).body;
  await until(15_000, look, ({ waiting_for }) => waiting_for === 'approval');
});
