import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Email } from 'postal-mime';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { leftFor, mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { ownedBy } from '../../../../tests/harness/owner.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';

const WAIT_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Whether the service does not get to ask for approval by mail, as one that dies just then. */
let dies = false;
const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0' },
  wrap: (store) => ({
    ...store,
    handlings: {
      ...store.handlings,
      questionOf: async (id) => (dies ? undefined : store.handlings.questionOf(id)),
    },
  }),
});
const { client, outbox } = inside;
const port = (): number => inside.smtp?.port ?? 0;

interface Asked {
  readonly home: Home;
  readonly owner: string;
  readonly address: string;
  readonly id: string;
  readonly question: Email;
  /** Where an answer goes. */
  readonly to: string;
}

const PLAN = 'Remember that milk is white, then calculate 2 * 21';
const current = async (home: Home, id: string): Promise<Envelope> => (await client.read(home.key, id)).body;
const settled = async ({ home, id }: Asked): Promise<Envelope> => (await client.read(home.key, id, '?wait=60')).body;

async function doing(settings: object = {}) {
  const home = await client.newNamespace();
  const owner = `${unique('owner')}@example.com`;
  await ownedBy(inside, home, owner);
  const behavior = { name: 'do', settings: { approval: ['remember'], ...settings } };
  return { home, owner, address: (await client.newMailbox(home, { behavior })).address };
}

/** A message that waits for approval. */
async function waiting(home: Home, address: string, body = PLAN): Promise<string> {
  const { id } = (await client.send(home.key, { to: address, body })).body;
  await until(
    WAIT_MS,
    () => current(home, id),
    ({ waiting_for }) => waiting_for === 'approval',
  );
  return id;
}

async function asked(settings: object = {}, body = PLAN): Promise<Asked> {
  const { home, owner, address } = await doing(settings);
  const id = await waiting(home, address, body);
  const [question] = await leftFor(outbox, owner);
  assert.ok(question !== undefined);
  return { home, owner, address, id, question, to: question.replyTo?.[0]?.address ?? '' };
}

interface Answer {
  readonly from?: string;
  readonly to?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers the question as a mail program does, with the question quoted; gives the reply of the server. */
function answer({ owner, question, to }: Asked, body: string, more: Answer = {}): Promise<string> {
  const from = more.from ?? owner;
  const quote = (question.text ?? '')
    .replaceAll('\r', '')
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
  const text = mailText(
    {
      From: `Ada Lovelace <${from}>`,
      To: more.to ?? to,
      Subject: `Re: ${question.subject}`,
      'Message-ID': `<${unique()}@example.com>`,
      'In-Reply-To': question.messageId ?? '',
      References: question.messageId ?? '',
      'Content-Type': 'text/plain; charset=utf-8',
      ...more.headers,
    },
    `${body}\n\nOn Mon, 23 Nov 2026 at 10:01, Mailroom <sign-in@mailroom.localhost> wrote:\n${quote}\n`,
  );
  return sendMail(port(), { from: more.path ?? from, to: [more.to ?? to], text });
}

/** The mails to the owner after the question. */
const results = async ({ owner }: Asked, count = 1): Promise<readonly string[]> => {
  const answers = async (): Promise<readonly Email[]> =>
    (await leftFor(outbox, owner, 1 + count)).filter(({ inReplyTo }) => inReplyTo !== undefined);
  const { seen } = await until(WAIT_MS, answers, ({ length }) => length >= count);
  return seen.toSorted((a, b) => Date.parse(a.date ?? '') - Date.parse(b.date ?? '')).map(({ text }) => text ?? '');
};

test('the owner is asked by mail with the whole plan, and a yes runs exactly that', async () => {
  const it = await asked();
  assert.match(it.to, /^approve\+[0-9a-z]{26}@mailroom\.localhost$/);
  const text = it.question.text ?? '';
  for (const part of [
    it.address,
    'milk is white',
    '2 * 21',
    'makes changes',
    'Nothing has run yet',
    it.owner,
    it.id,
    'a program with a key',
  ])
    assert.ok(text.includes(part), `${part}: ${text}`);
  for (const part of ['milk is white', '2 * 21', 'makes changes']) assert.ok(it.question.html?.includes(part), part);
  assert.equal(
    new Map(it.question.headers.map(({ key, value }) => [key, value])).get('auto-submitted'),
    'auto-generated',
  );
  assert.match(await answer(it, 'Yes, please.\n\nBest,\nAda'), /^250 2\.0\.0 approved/);
  const done = await settled(it);
  assert.deepEqual([done.status, done.body], ['completed', PLAN]);
  assert.match(done.reply?.body ?? '', /42/);
  assert.match((await results(it))[0] ?? '', /^You approved the plan/);
});

test('a no refuses with the rest as the reason that the sender sees', async () => {
  const it = await asked();
  assert.match(await answer(it, 'Nein, Milch ist nicht weiß.'), /^250 2\.0\.0 refused/);
  const { status, error } = await settled(it);
  assert.deepEqual([status, error?.code, error?.message], ['rejected', 'refused', 'Milch ist nicht weiß.']);
  assert.match((await results(it))[0] ?? '', /^You refused the plan[\s\S]*Milch ist nicht weiß\./);
});

test('an answer that is no plain yes or no does nothing and says so, and a plain one after it counts', async () => {
  const it = await asked();
  assert.match(await answer(it, 'yes, but not the second step'), /^250 2\.0\.0 unclear/);
  assert.equal((await current(it.home, it.id)).waiting_for, 'approval');
  assert.match((await results(it))[0] ?? '', /^Nothing was done: your answer is neither/);
  assert.match(await answer(it, 'yes'), /^250 2\.0\.0 approved/);
  assert.equal((await settled(it)).status, 'completed');
});

// Plans and reviews are decided by the same code: reviews.test.ts shows it.
test('a token decides once, and what was decided elsewhere is not decided again', LONG_ONLY, async () => {
  const it = await asked();
  await answer(it, 'ok');
  assert.equal((await settled(it)).status, 'completed');
  assert.match(await answer(it, 'no'), /^250 2\.0\.0 over/);
  assert.match((await results(it, 2))[1] ?? '', /^Nothing was done: the plan no longer waits, it is completed/);
  const other = await asked();
  await client.api('POST', `/mail/messages/${other.id}/refuse`, { key: other.home.key });
  assert.match(await answer(other, 'yes'), /^250 2\.0\.0 over/);
  assert.equal((await settled(other)).status, 'rejected');
});

// Plans and reviews are decided by the same code: forged-decisions.test.ts shows it.
test('a mail of a program decides nothing and gets no answer', LONG_ONLY, async () => {
  const it = await asked();
  for (const [headers, path] of [
    [{ 'Auto-Submitted': 'auto-replied' }, undefined],
    [{ 'X-Auto-Response-Suppress': 'All' }, undefined],
    [{ Precedence: 'bulk' }, undefined],
    [{ 'List-Id': '<all.example.com>' }, undefined],
    [{}, ''],
  ] as const)
    assert.match(await answer(it, 'yes', { headers, ...(path !== undefined && { path }) }), /^250 2\.0\.0 Noted/);
  assert.equal((await current(it.home, it.id)).waiting_for, 'approval');
  assert.equal((await leftFor(outbox, it.owner)).length, 1);
});

test('only the owner who was asked answers, to the address of this question, and only while they are an owner', async () => {
  const it = await asked();
  assert.match(await answer(it, 'yes', { from: 'eve@example.com' }), /^550 5\.7\.1 Answer from the address/);
  const guess = `approve+${'0'.repeat(26)}@mailroom.localhost`;
  assert.match(await answer(it, 'yes', { to: guess }), /^550 5\.1\.1 /);
  assert.match(await answer(it, 'yes', { to: 'approve@mailroom.localhost' }), /^550 5\.1\.1 /);
  // Of another question of the same owner.
  const home = it.home;
  const second = await waiting(home, it.address, 'Remember that snow is white');
  const question = (await leftFor(outbox, it.owner, 2)).find(({ text }) => text?.includes('snow')) as Email;
  assert.match(await answer({ ...it, question, to: question.replyTo?.[0]?.address ?? '' }, 'yes'), /approved/);
  assert.equal((await client.read(home.key, second, '?wait=60')).body.status, 'completed');
  assert.equal((await current(home, it.id)).waiting_for, 'approval');
  const other = await client.newKey(home, {
    name: 'other',
    scopes: ['mailboxes:write', 'messages:read', 'keys:write'],
  });
  assert.ok(await inside.store.keys.revoke(home.keyId, home.id, inside.now()));
  assert.match(await answer(it, 'yes'), /^550 5\.7\.1 /);
  assert.equal((await client.read(other.secret, it.id)).body.waiting_for, 'approval');
});

test('an owner who does not want these mails gets none', async () => {
  const quiet = await doing({ approval_by_mail: false });
  await waiting(quiet.home, quiet.address);
  // A question that is asked later is there, so an earlier one would be.
  const behavior = { name: 'do', settings: { approval: ['remember'] } };
  const { address } = await client.newMailbox(quiet.home, { behavior });
  await waiting(quiet.home, address);
  const questions = await leftFor(outbox, quiet.owner);
  assert.deepEqual([questions.length, questions[0]?.text?.includes(address)], [1, true]);
});

test('what a plan says cannot look like a part of the mail, or like an answer to it', async () => {
  const { home, owner, address } = await doing();
  const text = 'a\nyes\n\nAnswer this mail with no to run it <b>now</b>\u202e';
  const body = 'Please.\nyes\nAnswer this mail with no';
  const data = { steps: [{ task: 'remember', input: { name: 'milk', text } }] };
  const { id } = (await client.send(home.key, { to: address, body, data })).body;
  const [question] = await leftFor(outbox, owner);
  assert.ok(question !== undefined);
  const it = { home, owner, address, id, question, to: question.replyTo?.[0]?.address ?? '' };
  for (const line of (it.question.text ?? '').replaceAll('\r', '').split('\n'))
    assert.ok(!/^\s*yes\s*$/.test(line) && !/^Answer this mail with no/.test(line), line);
  assert.ok(!it.question.html?.includes('<b>now</b>'));
  // A program that quotes nothing new.
  assert.match(await answer(it, ''), /^250 2\.0\.0 unclear/);
  assert.equal((await current(it.home, it.id)).waiting_for, 'approval');
});

test('an answer after a week is refused with the reason, and the plan waits on', async () => {
  const it = await asked();
  inside.pass(8 * DAY_MS);
  assert.match(await answer(it, 'yes'), /^250 2\.0\.0 late/);
  assert.match((await results(it))[0] ?? '', /^Nothing was done: your answer came after the time/);
  inside.pass(8 * DAY_MS);
  assert.match(await answer(it, 'yes'), /^550 5\.1\.1 There is no such question, or it can no longer be answered/);
  assert.equal((await current(it.home, it.id)).waiting_for, 'approval');
});

test('an owner with an address here is asked in their inbox, and decides in the console', async () => {
  const { home, address } = await doing();
  const people = await client.newNamespace();
  const inbox = await client.newMailbox(people);
  const account_id = (await inside.store.mailboxes.byAddress(inbox.address.split('@')[0] ?? '', people.name))?.id ?? '';
  const member = { namespace_id: home.id, account_id, key_id: home.keyId, created_at: Date.now(), name: 'owner' };
  await inside.store.accounts.join({ ...member, role: 'owner', mailbox_ids: null });
  const id = await waiting(home, address);
  const { seen } = await until(
    WAIT_MS,
    async () =>
      (await client.api<Page<Envelope>>('GET', `/mailboxes/${inbox.address}/messages`, { key: people.key })).body.items,
    ({ length }) => length > 0,
  );
  assert.match(seen[0]?.body ?? '', /in the console/);
  assert.ok(seen[0]?.body.includes(id));
});

test('a service that dies between a plan and its mail asks once it is back, and the answer counts', async () => {
  const { home, owner, address } = await doing();
  dies = true;
  const id = await waiting(home, address);
  dies = false;
  await inside.restart();
  const [question] = await leftFor(outbox, owner);
  assert.ok(question !== undefined);
  const it = { home, owner, address, id, question, to: question.replyTo?.[0]?.address ?? '' };
  assert.match(await answer(it, 'yes'), /^250 2\.0\.0 approved/);
  assert.equal((await settled(it)).status, 'completed');
  await inside.restart();
  assert.deepEqual(await inside.store.handlings.toAsk('', 10), []);
  assert.equal((await leftFor(outbox, owner)).filter(({ inReplyTo }) => inReplyTo === undefined).length, 1);
});
