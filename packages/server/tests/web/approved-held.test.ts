import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Home } from '../../../../tests/harness/client.ts';
import { openConsole, type Visitor } from '../../../../tests/harness/console.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';
import { HELD_SEND } from '../../core/values/states.ts';

// An approval in the console leaves once it can no longer be taken back.

const UNDO_MS = 60_000;
const WAIT_MS = 60_000;
const service = await openConsole({ UNDO_SECONDS: String(UNDO_MS / 1000) });
const { newNamespace, newMailbox, newKey, api, send, read } = service.client;
const other = await newNamespace();

interface Review {
  readonly id: string;
  readonly status: string;
  readonly hash: string;
  readonly decided_by: string | null;
}

async function signedIn(home: Home): Promise<Visitor> {
  const who = service.visitor();
  assert.equal((await who.signIn(home.key)).status, 303);
  return who;
}

/** An address of which these messages wait to leave. */
async function held(outgoing: object, ...texts: readonly string[]) {
  const home = await newNamespace();
  const desk = await newMailbox(home, { local_part: 'desk', outgoing: { review: 'always', ...outgoing } });
  const key = await newKey(home, { scopes: ['mail:send', 'messages:read'] });
  const target = await newMailbox(other, { behavior: { name: 'hello', settings: {} } });
  for (const body of texts) {
    const sent = await send(key.secret, { from: desk.address, to: target.address, body, subject: 'Offer' });
    assert.ok(sent.status < 300, sent.text);
  }
  const reviews = async (): Promise<readonly Review[]> =>
    (await api<Page<Review>>('GET', '/mail/reviews', { key: home.key })).body.items.toReversed();
  const arrived = async (): Promise<readonly string[]> =>
    (await api<Page<Envelope>>('GET', `/mailboxes/${target.address}/messages`, { key: other.key })).body.items
      .map((one) => one.body)
      .toReversed();
  /** Waits for these to arrive, and for no others. */
  const arrive = async (...bodies: readonly string[]): Promise<void> => {
    await until(WAIT_MS, arrived, ({ length }) => length >= bodies.length);
    assert.deepEqual((await arrived()).toSorted(), bodies);
  };
  return { home, desk, reviews, arrived, arrive, who: await signedIn(home) };
}

interface Entry {
  readonly action: string;
  readonly actor: { readonly kind: string };
  readonly origin: { readonly channel: string };
  readonly target: { readonly id: string };
}
const logOf = async ({ name, key }: Home): Promise<readonly Entry[]> =>
  (await api<Page<Entry>>('GET', `/namespaces/${name}/audit`, { key })).body.items;

const pathOf = ({ id }: Review): string => `/console/reviews?open=${id}`;
const first = async (reviews: () => Promise<readonly Review[]>): Promise<Review> =>
  (await reviews())[0] ?? assert.fail('none waits');
const statuses = async (reviews: () => Promise<readonly Review[]>) => (await reviews()).map(({ status }) => status);
const leaves = (reviews: () => Promise<readonly Review[]>, status = 'approved') =>
  until(
    WAIT_MS,
    () => statuses(reviews),
    (all) => all.includes(status),
  );

test('an approved message leaves after its time, and not before; another browser of the same owner sees that it was approved', async () => {
  const { home, who, reviews, arrived, arrive } = await held({}, 'The first.');
  const review = await first(reviews);
  const done = await who.send(pathOf(review), {}, ['do', 'approve'], pathOf(review));
  assert.equal(done.status, 303, done.html);
  const { html } = await who.get(done.to);
  assert.match(html, /<b>Approved\.<\/b> Leaves in <span data-left>\d+<\/span> s\./);
  assert.match(html, new RegExp(`name="undo" value="approved:${review.id}"`));
  const again = await signedIn(home);
  const open = await again.get(pathOf(review));
  assert.match(open.html, /Approved[\s\S]*Leaves in <span data-left>/);
  assert.doesNotMatch(open.html, /value="approve"/);
  service.pass(UNDO_MS - 5_000);
  assert.deepEqual(await statuses(reviews), ['pending']);
  assert.deepEqual(await arrived(), []);
  service.pass(6_000);
  await leaves(reviews);
  await arrive('The first.');
  const [decided] = await reviews();
  assert.equal(typeof decided?.decided_by, 'string');
});

test('an approval that is taken back is none: the message waits again, and is approved later', async () => {
  const { who, reviews, arrived, arrive } = await held({}, 'The first.');
  const review = await first(reviews);
  const done = await who.send(pathOf(review), {}, ['do', 'approve'], pathOf(review));
  const undone = await who.send(done.to, {}, ['undo', `approved:${review.id}`], '/console/undo');
  assert.deepEqual([undone.status, undone.to], [303, pathOf(review)]);
  assert.match((await who.get(undone.to)).html, /value="approve"/);
  service.pass(UNDO_MS + 5_000);
  await who.get('/console/reviews');
  assert.deepEqual(await statuses(reviews), ['pending']);
  assert.deepEqual(await arrived(), []);
  assert.equal((await who.send(pathOf(review), {}, ['do', 'approve'], pathOf(review))).status, 303);
  service.pass(UNDO_MS + 1_000);
  await leaves(reviews);
  await arrive('The first.');
});

test('what another owner rejects or changes while an approval is held does not leave, and who approved is told', async () => {
  const { home, who, reviews, arrived } = await held({}, 'The first.', 'The second.');
  const second = await signedIn({ ...home, key: (await newKey(home, { scopes: ['owner'] })).secret });
  const [rejected, changed] = await reviews();
  assert.ok(rejected !== undefined && changed !== undefined);
  for (const one of [rejected, changed])
    assert.equal((await who.send(pathOf(one), {}, ['do', 'approve'], pathOf(one))).status, 303);
  assert.equal((await second.send(pathOf(rejected), {}, ['do', 'reject'], pathOf(rejected))).status, 303);
  const body = { body: 'The second, changed.', hash: changed.hash };
  assert.equal((await api('PATCH', `/mail/reviews/${changed.id}`, { key: home.key, body })).status, 200);
  service.pass(UNDO_MS + 1_000);
  const told = await until(
    WAIT_MS,
    async () => (await who.get(pathOf(changed))).html,
    (html) => html.includes('Your approval did not count'),
  );
  assert.match(told.seen, /value="approve"/, 'they may approve what it is now');
  assert.deepEqual(await statuses(reviews), ['rejected', 'pending']);
  assert.deepEqual(await arrived(), []);
});

// A service that is stopped for less than an hour does not lose an approval.
for (const expires_seconds of [60, 61, 3_600])
  test(`what ends ${expires_seconds} s after it was asked for may expire before its approval leaves, and is approved at once`, async () => {
    const { who, reviews, arrive } = await held({ expires_seconds }, 'The first.');
    const review = await first(reviews);
    service.pass(30_000);
    assert.equal((await who.send(pathOf(review), {}, ['do', 'approve'], pathOf(review))).status, 303);
    assert.deepEqual(await statuses(reviews), ['approved']);
    await arrive('The first.');
  });

test('a page that was open before an approval rejects all the same, and nothing says that it leaves', async () => {
  const { who, reviews, arrived } = await held({}, 'The first.');
  const review = await first(reviews);
  const approved = await who.send(pathOf(review), {}, ['do', 'approve'], pathOf(review));
  const typed = { csrf: await who.token(), hash: review.hash, do: 'reject' };
  const rejected = await who.post(pathOf(review), typed);
  assert.equal(rejected.status, 303);
  for (const { to } of [approved, rejected])
    assert.doesNotMatch((await who.get(to)).html, /Approved\.|Leaves in|value="approved:/);
  service.pass(UNDO_MS + 1_000);
  await who.get('/console/reviews');
  assert.deepEqual(await statuses(reviews), ['rejected']);
  assert.deepEqual(await arrived(), []);
});

test('all of an address that are approved together are held together, and taken back together', async () => {
  const { who, reviews, arrive } = await held({}, 'The first.', 'The second.');
  const together = '/console/reviews?all=desk';
  const done = await who.send(together, {}, ['do', 'approve-all'], together);
  assert.equal(done.status, 200);
  assert.match(done.html, /<b>2 messages<\/b> approved\. Leave in <span data-left>/);
  const [, value = ''] = /name="undo" value="(approved:[^"]+)"/.exec(done.html) ?? [];
  const csrf = await who.token();
  assert.equal((await who.post('/console/undo', { csrf, undo: value })).status, 303);
  service.pass(UNDO_MS + 5_000);
  await who.get('/console/reviews');
  assert.deepEqual(await statuses(reviews), ['pending', 'pending']);
  assert.equal((await who.send(together, {}, ['do', 'approve-all'], together)).status, 200);
  service.pass(UNDO_MS + 1_000);
  await until(
    WAIT_MS,
    () => statuses(reviews),
    (all) => all.every((status) => status === 'approved'),
  );
  await arrive('The first.', 'The second.');
});

test('an approval of a key is not held, and one of a session is in the log with its member', async () => {
  const { home, who, reviews, arrive } = await held({}, 'The first.', 'The second.');
  const [byKey, bySession] = await reviews();
  assert.ok(byKey !== undefined && bySession !== undefined);
  const approved = await api('POST', `/mail/reviews/${byKey.id}/approve`, {
    key: home.key,
    body: { hash: byKey.hash },
  });
  assert.equal(approved.status, 200, approved.text);
  await arrive('The first.');
  await who.send(pathOf(bySession), {}, ['do', 'approve'], pathOf(bySession));
  service.pass(UNDO_MS + 1_000);
  await until(
    WAIT_MS,
    () => statuses(reviews),
    (all) => all.every((status) => status === 'approved'),
  );
  const entries = (await logOf(home)).filter(({ action }) => action === 'review.approved');
  const entry = entries.find(({ target }) => target.id === bySession.id);
  assert.deepEqual([entry?.actor.kind, entry?.origin.channel], ['key', 'web']);
});

test('a conversation that is done once its answer has left is so in the log by who answered', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
  const { id } = (await send(other.key, { to: address, body: 'Which day?' })).body;
  const who = await signedIn(home);
  const path = `/console/messages/${id}`;
  const answered = await who.send(path, { body: 'Monday.' }, ['do', 'done'], `/console/answers/${id}`);
  assert.equal(answered.status, 303, answered.html);
  service.pass(UNDO_MS + 1_000);
  const updated = async () => (await logOf(home)).find(({ action }) => action === 'thread.updated');
  const { seen } = await until(WAIT_MS, updated, (entry) => entry !== undefined);
  assert.deepEqual([seen?.actor.kind, seen?.origin.channel], ['key', 'web']);
});

test('whose session ended or who may no longer decide while their approval is held does not approve', async () => {
  const { home, reviews, arrived } = await held({}, 'The first.');
  const review = await first(reviews);
  const key = await newKey(home, { scopes: ['owner'] });
  const who = service.visitor();
  assert.equal((await who.signIn(key.secret)).status, 303);
  assert.equal((await who.send(pathOf(review), {}, ['do', 'approve'], pathOf(review))).status, 303);
  assert.equal((await api('DELETE', `/keys/${key.id}`, { key: home.key })).status, 204);
  service.pass(UNDO_MS + 1_000);
  await until(
    WAIT_MS,
    () => service.store.states.of(HELD_SEND, key.id, service.now()),
    ([state]) => state?.value.includes('signed out') === true,
  );
  assert.deepEqual(await statuses(reviews), ['pending']);
  assert.deepEqual(await arrived(), []);
});

test('a plan runs after its time, and not where its approval is taken back', async () => {
  const home = await newNamespace();
  const settings = { approval: ['remember'] };
  const { address } = await newMailbox(home, { local_part: 'do', behavior: { name: 'do', settings } });
  const { id } = (await send(home.key, { to: address, body: 'Remember that milk is white' })).body;
  const now = async () => (await read(home.key, id)).body;
  await until(WAIT_MS, now, ({ waiting_for }) => waiting_for === 'approval');
  const who = await signedIn(home);
  const path = `/console/messages/${id}`;
  const approve = async () => {
    const answer = await who.send(path, {}, ['do', 'approve'], path);
    assert.equal(answer.status, 303, answer.html);
    return (await who.get(path)).html;
  };
  const html = await approve();
  assert.match(html, /Approved\.[\s\S]*in <span data-left>/);
  assert.doesNotMatch(html, /value="approve"/);
  const csrf = await who.token();
  const undone = await who.post('/console/undo', { csrf, undo: `approved:${id}` });
  assert.deepEqual([undone.status, undone.to], [303, `/console?message=${id}`]);
  service.pass(UNDO_MS + 5_000);
  assert.match((await who.get(path)).html, /value="approve"/);
  assert.equal((await now()).waiting_for, 'approval');
  await approve();
  service.pass(UNDO_MS + 1_000);
  await until(WAIT_MS, now, ({ status }) => status === 'completed');
});

test('an approval that is held outlasts a restart: it is taken back after it, or leaves', async () => {
  const { who, reviews, arrive } = await held({}, 'The first.', 'The second.');
  const [undone, left] = await reviews();
  assert.ok(undone !== undefined && left !== undefined);
  for (const one of [undone, left])
    assert.equal((await who.send(pathOf(one), {}, ['do', 'approve'], pathOf(one))).status, 303);
  await service.restart(1_000);
  const csrf = await who.token();
  assert.equal((await who.post('/console/undo', { csrf, undo: `approved:${undone.id}` })).to, pathOf(undone));
  await service.restart(UNDO_MS);
  await leaves(reviews);
  assert.deepEqual(await statuses(reviews), ['pending', 'approved']);
  await arrive('The second.');
});
