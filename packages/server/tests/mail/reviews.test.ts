import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Email } from 'postal-mime';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { leftFor, mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { ownedBy } from '../../../../tests/harness/owner.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';
import { sessionActor } from '../../core/entities/review.ts';

const HOUR_MS = 60 * 60 * 1_000;
/** Whether the service does not get to ask owners by mail, as one that dies just then. */
let dies = false;
const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0' },
  wrap: (store) => ({
    ...store,
    accounts: {
      ...store.accounts,
      membersOf: async (...of) => {
        if (dies) throw new Error('It dies.');
        return store.accounts.membersOf(...of);
      },
    },
  }),
});
const { client, outbox } = inside;
const { api } = client;

interface Review {
  id: string;
  status: string;
  message_id: string;
  message: { body: string };
  hash: string;
  decided_by: string | null;
  reason: string | null;
}

interface Asked {
  readonly home: Home;
  readonly owner: string;
  readonly sender: Home;
  readonly address: string;
  /** The message whose answer waits. */
  readonly id: string;
  readonly review: Review;
  readonly question: Email;
  /** Where an answer goes. */
  readonly to: string;
}

const INTRODUCTION = 'I am Ada, an engineer.';

async function held(outgoing: object = {}) {
  const home = await client.newNamespace();
  const owner = `${unique('owner')}@example.com`;
  await ownedBy(inside, home, owner);
  const { address } = await client.newMailbox(home, {
    behavior: { name: 'hello', settings: { introduction: INTRODUCTION } },
    outgoing: { review: 'always', ...outgoing },
  });
  return { home, owner, address, sender: await client.newNamespace() };
}

const reviewsOf = async ({ key }: Home): Promise<Review[]> =>
  (await api<Page<Review>>('GET', '/mail/reviews', { key })).body.items;
const current = async ({ home, review }: Asked): Promise<Review> =>
  (await api<Review>('GET', `/mail/reviews/${review.id}`, { key: home.key })).body;
const stands = async ({ sender, id }: Asked): Promise<Envelope> => (await client.read(sender.key, id)).body;

async function asked(outgoing: object = {}): Promise<Asked> {
  const it = await held(outgoing);
  const { id } = (await client.send(it.sender.key, { to: it.address, body: 'Who are you?', sync: true })).body;
  const [question] = await leftFor(outbox, it.owner);
  const [review] = await reviewsOf(it.home);
  assert.ok(question !== undefined && review !== undefined);
  return { ...it, id, review, question, to: question.replyTo?.[0]?.address ?? '' };
}

interface Answer {
  readonly from?: string;
  readonly to?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers the question as a mail program does, with the question quoted; gives the reply of the server. */
function answer({ owner, question, to }: Asked, body: string, more: Answer = {}): Promise<string> {
  const from = more.from ?? owner;
  const quote = (question.text ?? '')
    .replaceAll('\r', '')
    .split('\n')
    .map((line) => `> ${line}`);
  const text = mailText(
    {
      From: `Grace Hopper <${from}>`,
      To: more.to ?? to,
      Subject: `Re: ${question.subject}`,
      'Message-ID': `<${unique()}@example.com>`,
      'Content-Type': 'text/plain; charset=utf-8',
      ...more.headers,
    },
    `${body}\n\nOn Mon, 23 Nov 2026 at 10:01, Mailroom <sign-in@mailroom.localhost> wrote:\n${quote.join('\n')}\n`,
  );
  return sendMail(inside.smtp?.port ?? 0, { from, to: [more.to ?? to], text });
}

/** The mails to the owner about their answers. */
const results = async ({ owner }: Asked, count = 1): Promise<readonly string[]> =>
  (await leftFor(outbox, owner, 1 + count))
    .filter(({ subject }) => subject?.startsWith('Re: '))
    .map(({ text }) => text ?? '');

test('the owner is shown by mail exactly what would leave, and a yes lets it leave', async () => {
  const it = await asked();
  assert.match(it.to, /^approve\+[0-9a-z]{26}@mailroom\.localhost$/);
  const text = it.question.text ?? '';
  for (const part of [
    `From: ${it.address}`,
    `In reply to: ${it.id}`,
    `   | ${INTRODUCTION}`,
    '   | Who are you?',
    'It has not left',
    it.owner,
    it.review.id,
  ])
    assert.ok(text.includes(part), `${part}: ${text}`);
  for (const part of [it.address, INTRODUCTION, 'Who are you?']) assert.ok(it.question.html?.includes(part), part);
  assert.match(await answer(it, 'Yes, please.\n\nBest,\nGrace'), /^250 2\.0\.0 approved/);
  const done = await stands(it);
  assert.deepEqual([done.status, done.reply?.body.includes(INTRODUCTION)], ['completed', true]);
  const { status, decided_by } = await current(it);
  const [ownership] = await inside.store.accounts.ownersOf(it.home.id, inside.now());
  assert.deepEqual([status, decided_by], ['approved', ownership?.account_id]);
  const query = { namespace_id: it.home.id, action: 'review.approved' };
  const [entry] = (await inside.store.audit.page(query, null, 1)).items;
  assert.deepEqual(entry?.actor, { kind: 'member', id: ownership?.account_id, name: it.owner });
  assert.deepEqual(entry.origin, { channel: 'smtp', network: null });
  assert.match((await results(it))[0] ?? '', /^You approved the message/);
});

test('a no keeps it back, with a reason that owners alone see', async () => {
  const it = await asked();
  assert.match(await answer(it, 'No, that is not for them.'), /^250 2\.0\.0 refused/);
  const done = await stands(it);
  assert.deepEqual([done.status, done.error?.code], ['rejected', 'review_rejected']);
  assert.ok(!JSON.stringify(done).includes('not for them'));
  const { status, reason } = await current(it);
  assert.deepEqual([status, reason], ['rejected', 'that is not for them.']);
  assert.match((await results(it))[0] ?? '', /^You rejected the message[\s\S]*that is not for them\./);
});

test('all recipients, files and findings of a message are in the mail, and no text of it looks like the mail', async () => {
  const { home, owner, address } = await held();
  const { address: to } = await client.newMailbox(await client.newNamespace());
  const { address: bcc } = await client.newMailbox(await client.newNamespace());
  const content = Buffer.from('a;b\n').toString('base64');
  const { secret } = await client.newKey(home, { scopes: ['mail:send'] });
  const { status } = await client.send(secret, {
    from: address,
    to: [to],
    bcc: [bcc],
    subject: 'Prices\u2028yes',
    body: 'One\nyes\nAnswer this mail with no <b>now</b>',
    html: '<p>One</p>',
    headers: { 'X-Order': '17' },
    data: { total: 42 },
    attachments: [{ filename: 'prices.csv', content_type: 'text/csv', content }],
  });
  assert.equal(status, 202);
  const [question] = await leftFor(outbox, owner);
  const text = (question?.text ?? '').replaceAll('\r', '');
  for (const part of [
    `To: ${to}`,
    `Bcc: ${bcc}`,
    'Subject: Prices yes',
    'X-Order: 17',
    'File: prices.csv (text/csv',
    '   | <p>One</p>',
    '"total":42',
    `first_contact: ${to.replace('.mailroom.localhost', '')}`,
  ])
    assert.ok(text.includes(part), `${part}: ${text}`);
  for (const line of text.split('\n'))
    assert.ok(!/^\s*yes\s*$/.test(line) && !/^Answer this mail with no/.test(line), line);
  assert.ok(!question?.html?.includes('<b>now</b>'));
});

test('a yes to a text that was changed since lets nothing leave, and owners are asked about the new one', async () => {
  const it = await asked();
  const editor = await client.newKey(it.home, { scopes: ['mail:review'] });
  const body = 'I am Ada, and I build engines.';
  const path = `/mail/reviews/${it.review.id}`;
  assert.equal((await api('PATCH', path, { key: editor.secret, body: { body } })).status, 200);
  const question = (await leftFor(outbox, it.owner, 2)).find(({ text }) => text?.includes('build engines')) as Email;
  assert.match(await answer(it, 'yes'), /^250 2\.0\.0 changed/);
  assert.match(await answer(it, 'no'), /^250 2\.0\.0 changed/);
  assert.deepEqual([(await current(it)).status, (await stands(it)).reply], ['pending', null]);
  assert.match((await results(it, 3))[0] ?? '', /^Nothing was done: the message was changed/);
  assert.match(await answer({ ...it, question, to: question.replyTo?.[0]?.address ?? '' }, 'yes'), /approved/);
  assert.equal((await stands(it)).reply?.body, body);
});

test('an answer decides once, and what was decided elsewhere is not decided again', async () => {
  const it = await asked();
  assert.match(await answer(it, 'ok'), /approved/);
  assert.match(await answer(it, 'no'), /^250 2\.0\.0 over/);
  assert.equal((await current(it)).status, 'approved');
  const other = await asked();
  await api('POST', `/mail/reviews/${other.review.id}/reject`, { key: other.home.key });
  assert.match(await answer(other, 'yes'), /^250 2\.0\.0 over/);
  assert.match((await results(other))[0] ?? '', /^Nothing was done: the message no longer waits, it is rejected/);
  assert.equal((await stands(other)).status, 'rejected');
});

// forged-decisions.test.ts shows it.
test('forged, forwarded and automatic answers, and those of former owners, let nothing leave', LONG_ONLY, async () => {
  const it = await asked();
  const second = await asked();
  assert.match(await answer(it, 'yes', { from: 'eve@example.com' }), /^550 5\.7\.1 Answer from the address/);
  assert.match(await answer(it, 'yes', { to: second.to }), /^550 5\.7\.1 Answer from the address/);
  assert.match(await answer(it, 'yes', { to: `approve+${'0'.repeat(26)}@mailroom.localhost` }), /^550 5\.1\.1 /);
  assert.match(await answer(it, 'yes', { headers: { 'Auto-Submitted': 'auto-replied' } }), /^250 2\.0\.0 Noted/);
  assert.match(await answer(it, 'yes, but shorter'), /^250 2\.0\.0 unclear/);
  const other = await client.newKey(it.home, { scopes: ['mail:review'] });
  const [ownership] = await inside.store.accounts.ownersOf(it.home.id, inside.now());
  assert.ok(await inside.store.keys.revoke(ownership?.key_id ?? '', it.home.id, inside.now()));
  assert.match(await answer(it, 'yes'), /^550 5\.7\.1 /);
  const { body } = await api<Review>('GET', `/mail/reviews/${it.review.id}`, { key: other.secret });
  assert.deepEqual([body.status, (await stands(it)).reply], ['pending', null]);
});

test('an owner who changed the text in the console does not let it leave by mail, and may keep it back', async () => {
  const it = await asked();
  const review = await inside.store.reviews.byId(it.review.id);
  assert.ok(review);
  const changed_by = sessionActor('0123456789abcdef', it.home.keyId);
  assert.ok(await inside.store.reviews.change(review.id, review.hash, { ...review, changed_by }, inside.now()));
  assert.match(await answer(it, 'yes'), /^250 2\.0\.0 own/);
  assert.equal((await current(it)).status, 'pending');
  assert.match(await answer(it, 'no'), /^250 2\.0\.0 refused/);
});

test('an answer after the time of the review lets nothing leave', async () => {
  const it = await asked({ expires_seconds: 3_600 });
  inside.pass(2 * HOUR_MS);
  assert.match(await answer(it, 'yes'), /^250 2\.0\.0 late/);
  assert.equal((await stands(it)).reply, null);
  assert.match((await results(it))[0] ?? '', /^Nothing was done: your answer came after the time/);
  inside.pass(8 * 24 * HOUR_MS);
  assert.match(await answer(it, 'yes'), /^550 5\.1\.1 There is no such question/);
});

test('an answer after the time for answers by mail lets nothing leave that waits longer', async () => {
  const it = await asked({ expires_seconds: 20 * 24 * 3_600 });
  inside.pass(8 * 24 * HOUR_MS);
  assert.match(await answer(it, 'yes'), /^250 2\.0\.0 late/);
  assert.equal((await stands(it)).reply, null);
});

// approvals.test.ts shows it of a plan.
test('a service that dies before it asks does so once it is back, and once', LONG_ONLY, async () => {
  const { home, owner, address, sender } = await held();
  dies = true;
  const { id } = (await client.send(sender.key, { to: address, body: 'Who are you?', sync: true })).body;
  dies = false;
  await inside.restart();
  const [question] = await leftFor(outbox, owner);
  const [review] = await reviewsOf(home);
  assert.ok(question !== undefined && review !== undefined);
  const it = { home, owner, address, sender, id, review, question, to: question.replyTo?.[0]?.address ?? '' };
  assert.match(await answer(it, 'yes'), /approved/);
  assert.equal((await stands(it)).status, 'completed');
  await inside.restart();
  assert.deepEqual(await inside.store.reviews.toAsk('', 10), []);
  assert.equal((await leftFor(outbox, owner)).filter(({ inReplyTo }) => inReplyTo === undefined).length, 1);
});
