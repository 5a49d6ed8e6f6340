import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Home } from '../../../../tests/harness/client.ts';
import { openConsole, type Visitor } from '../../../../tests/harness/console.ts';
import { formData } from '../../../../tests/harness/form.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const threads = await openConsole();
const { client, visitor } = threads;
const { change, newNamespace, newMailbox, newKey, api, send, read, tryOut } = client;

interface Waiting {
  readonly home: Home;
  readonly who: Visitor;
  readonly id: string;
  readonly path: string;
}

async function signedIn(home: Home): Promise<Visitor> {
  const who = visitor();
  assert.equal((await who.signIn(home.key)).status, 303);
  return who;
}

/** A message that waits for approval, and a session of its owner. */
async function waiting(body = 'Remember that milk is white, then calculate 2 * 21'): Promise<Waiting> {
  const home = await newNamespace();
  const settings = { approval: ['remember', 'calculate'] };
  const { address } = await newMailbox(home, { local_part: 'do', behavior: { name: 'do', settings } });
  const { id } = (await send(home.key, { to: address, body })).body;
  await until(
    5_000,
    () => read(home.key, id),
    ({ body: { waiting_for } }) => waiting_for === 'approval',
  );
  return { home, who: await signedIn(home), id, path: `/console/messages/${id}` };
}

const settled = async ({ home, id }: Waiting): Promise<Envelope> => (await read(home.key, id, '?wait=60')).body;

test('a plan is shown to the letter, and runs after its owner’s yes', async () => {
  const it = await waiting();
  const { html } = await it.who.get(it.path);
  for (const text of [
    'Waiting for your approval',
    '&quot;milk&quot;',
    '&quot;2 * 21&quot;',
    'Makes changes',
    'No effects',
  ])
    assert.ok(html.includes(text), text);
  const { approval } = (await read(it.home.key, it.id)).body as unknown as { approval: { plan_sha256: string } };
  assert.ok(html.includes(`name="plan_sha256" value="${approval.plan_sha256}"`));
  const answer = await it.who.send(it.path, {}, ['do', 'approve']);
  assert.deepEqual([answer.status, answer.to], [303, `/console?message=${it.id}`]);
  assert.equal((await settled(it)).status, 'completed');
  assert.match((await it.who.get(it.path)).html, /Receipt: 2 steps/);
});

test('a plan says in words what it would do, with its JSON folded', async () => {
  const it = await waiting('Remember that milk is white');
  const { html } = await it.who.get(it.path);
  const card = /<section class="approval".*?<\/section>/s.exec(html)?.[0] ?? '';
  const [words = '', folded = ''] = card.split('<details class="all"><summary>The plan as JSON</summary>');
  assert.match(words, /Remember as “milk”:[\s\S]*milk is white|Remember as “milk”:[\s\S]*white/);
  assert.ok(!words.includes('&quot;'), 'no JSON stands open');
  assert.ok(folded.includes('&quot;remember&quot;'));
});

const ROW = /<li[^>]* data-row="([^"]+)"(?:(?!<\/li>)[\s\S])*Reminder: buy bulbs[\s\S]*?<\/li>/;
test('a reminder reads as a reminder in the inbox and in its conversation', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'do', behavior: { name: 'do', settings: {} } });
  await send(home.key, { to: address, body: 'remind me in 0 minutes to buy bulbs', sync: true });
  const who = await signedIn(home);
  const { seen } = await until(
    10_000,
    () => who.get('/console?status=all'),
    ({ html }) => ROW.test(html),
  );
  const inbox = seen.html;
  const row = ROW.exec(inbox) as RegExpExecArray;
  assert.ok(!inbox.includes('say: Reminder'));
  const page = (await who.get(`/console?message=${row[1]}`)).html;
  const shown = page.slice(0, page.indexOf('<details class="details">'));
  // Its sign fills the column of faces, which is too narrow for words.
  assert.match(shown, /<span class="prog" aria-hidden="true"><svg[\s\S]{0,600}<b>Reminder<\/b> set by/);
  assert.ok(!shown.includes('say: Reminder'));
});

test('a reminder reads as one while it waits as well', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'do', behavior: { name: 'do', settings: {} } });
  await send(home.key, { to: address, body: 'remind me in 2 seconds to buy bulbs', sync: true });
  await change(home.key, address, { status: 'paused' });
  const who = await signedIn(home);
  const { seen } = await until(
    20_000,
    () => who.get('/console?status=all'),
    ({ html }) => html.includes('Reminder: buy bulbs'),
  );
  assert.ok(!seen.html.includes('say: Reminder'));
});

test('a refusal tells its reason, and one without a reason is one too', async () => {
  for (const [reason, shown] of [
    ['Not <b>today</b>.', 'Not <b>today</b>.'],
    ['', 'The owner of this mailbox refused the plan.'],
  ]) {
    const it = await waiting();
    assert.equal((await it.who.send(it.path, { reason: reason as string }, ['do', 'refuse'])).status, 303);
    const { status, error } = await settled(it);
    assert.deepEqual([status, error?.code, error?.message], ['rejected', 'refused', shown]);
    const { html } = await it.who.get(it.path);
    assert.ok(!html.includes('<b>today'));
    assert.ok(!html.includes('name="plan_sha256"'));
  }
});

test('another plan than the one that waits is not decided on, nor is none', async () => {
  const it = await waiting();
  for (const plan_sha256 of ['0'.repeat(64), '']) {
    const wrong = await it.who.send(it.path, { plan_sha256 }, ['do', 'approve']);
    assert.equal(wrong.status, 422);
    assert.match(wrong.html, /The plan has changed/);
    assert.match(wrong.html, /<title>Error: /);
    assert.match(wrong.html, /Waiting for your approval/);
  }
  assert.equal((await read(it.home.key, it.id)).body.waiting_for, 'approval');
});

test('of two decisions the first counts, and the second is told so', async () => {
  const it = await waiting();
  const { html } = await it.who.get(it.path);
  const yes = formData(html, { button: ['do', 'approve'] });
  assert.equal((await it.who.send(it.path, {}, ['do', 'refuse'])).status, 303);
  await settled(it);
  const late = await it.who.post(it.path, yes);
  assert.equal(late.status, 409);
  assert.match(late.html, /Someone has already decided on this/);
  assert.equal((await settled(it)).status, 'rejected');
});

test('only its owner decides, from a page of this session and of this service', async () => {
  const it = await waiting();
  const { html } = await it.who.get(it.path);
  const yes = formData(html, { button: ['do', 'approve'] });
  const forged = new URLSearchParams(yes);
  forged.set('csrf', 'x');
  assert.equal((await it.who.post(it.path, forged)).status, 403);
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  assert.equal((await it.who.post(it.path, yes, foreign)).status, 403);
  assert.equal((await visitor().post(it.path, yes)).status, 403);
  const stranger = await signedIn(await newNamespace());
  const own = new URLSearchParams(yes);
  own.set('csrf', await stranger.token());
  assert.equal((await stranger.post(it.path, own)).status, 404);
  // The scope to read messages does not open the console.
  const { secret } = await newKey(it.home, { scopes: ['messages:read', 'mail:send'] });
  assert.notEqual((await visitor().signIn(secret)).status, 303);
  const asked = await api('POST', `/mail/messages/${it.id}/approve`, { key: secret });
  assert.equal(asked.status, 403);
  assert.equal((await read(it.home.key, it.id)).body.waiting_for, 'approval');
});

test('what waits has a filter and is counted wherever one is in the console', async () => {
  const it = await waiting();
  const rows = async (query: string) =>
    [...(await it.who.get(`/console${query}`)).html.matchAll(/data-row="([^"]+)"/g)].map(([, id]) => id);
  assert.deepEqual(await rows('?status=approve'), [it.id]);
  assert.deepEqual(await rows('?status=working'), []);
  for (const path of ['', '/keys', '/settings', '/activity'])
    assert.match((await it.who.get(`/console${path}`)).html, /data-waiting="approve">1</, path);
  await it.who.send(it.path, {}, ['do', 'refuse']);
  assert.deepEqual(await rows('?status=approve'), []);
  assert.match((await it.who.get('/console?status=approve')).html, /Nothing to approve/);
  assert.ok((await it.who.get('/console/keys')).html.includes('data-waiting="approve"></'));
});

test('a long input is there whole, and nothing in it is markup or hides', async () => {
  const long = `<script>alert(1)</script>\u202e${'word '.repeat(1000)}the end`;
  const it = await waiting(`Remember this as x:\n${long}`);
  const { html } = await it.who.get(it.path);
  const card = /<section class="approval".*?<\/section>/s.exec(html)?.[0] ?? '';
  assert.match(card, /Show all|show all [\d,]+ characters/);
  assert.ok(card.includes('the end'));
  assert.ok(card.includes('&lt;script&gt;alert(1)'));
  assert.ok(card.includes('\\u202e') && !card.includes('\u202e</code>'));
  assert.ok(!card.includes('<script'));
});

test('a guest sees that it waits, and for what', async () => {
  const it = await waiting();
  const { to } = (await read(it.home.key, it.id)).body;
  const { status, body } = await tryOut({ to, body: 'Calculate 6 * 7' });
  assert.equal(status, 202);
  const guest = visitor();
  const shown = await guest.post(`/${to}`, { thread_token: body.thread_token, look: '1' });
  assert.match(shown.html, /Waiting for the owner’s approval/);
  assert.match(shown.html, /&quot;6 \* 7&quot;/);
});
