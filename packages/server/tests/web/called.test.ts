import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { openConsole, type Visitor } from '../../../../tests/harness/console.ts';
import { openStream, type Stream } from '../../../../tests/harness/stream.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Mailbox, Page } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { ROLES, type Role } from '../../core/entities/member.ts';

const MINUTE = 60_000;
const WAIT_MS = 20_000;

const { client, visitor, now, pass, store, url } = await openConsole();
const { newNamespace, newMailbox, newKey, api, send } = client;
/** Where those who are called have their mailboxes. */
const elsewhere = await newNamespace();

const idOf = async ({ address }: Pick<Mailbox, 'address'>): Promise<string> => {
  const [local = '', host = ''] = address.split('@');
  const found = await store.mailboxes.byAddress(local, host.split('.')[0] ?? '');
  return found?.id ?? assert.fail(address);
};
const isCall = ({ subject }: Envelope): boolean => /\bwaits? for you in\b/.test(subject ?? '');

/** A member of a namespace, whose account is a mailbox elsewhere. */
async function memberOf(
  home: Home,
  { role = 'owner', mailboxes }: { readonly role?: Role; readonly mailboxes?: readonly Mailbox[] } = {},
) {
  const inbox = await newMailbox(elsewhere, { behavior: { name: 'agent' } });
  const account_id = await idOf(inbox);
  const namespace = (await store.namespaces.byName(home.name)) ?? assert.fail();
  const key = await newKey(home, { scopes: ROLES[role] });
  const mailbox_ids = mailboxes === undefined ? null : await Promise.all(mailboxes.map(idOf));
  const name = unique();
  const joined = await store.accounts.join({
    ...{ namespace_id: namespace.id, account_id, key_id: key.id, role, mailbox_ids },
    ...{ name, created_at: Date.now() },
  });
  assert.equal(joined, 'joined');
  const set = (mail_minutes: number | null) =>
    store.notices.set(namespace.id, account_id, { browser: true, mail_minutes });
  const setBrowser = (browser: boolean) => store.notices.set(namespace.id, account_id, { browser, mail_minutes: null });
  const calls = async (): Promise<readonly Envelope[]> => {
    const { body } = await api<Page<Envelope>>('GET', `/mailboxes/${inbox.address}/messages`, { key: elsewhere.key });
    return body.items.filter(isCall);
  };
  /** Once that many mails came. */
  const called = async (count: number) => (await until(WAIT_MS, calls, ({ length }) => length === count)).seen;
  return { id: account_id, name, key: key.secret ?? '', calls, called, set, setBrowser };
}

/** Signs in with the key, and looks at the inbox. */
async function looks(key: string, path = '/console'): Promise<Visitor> {
  const person = visitor();
  assert.equal((await person.signIn(key)).status, 303);
  assert.equal((await person.get(path)).status, 200);
  return person;
}
const newDesk = (home: Home): Promise<Mailbox> => newMailbox(home, { behavior: { name: 'agent' } });
const write = (desk: Mailbox) => send(elsewhere.key, { to: desk.address, body: 'Is anyone there?' });

test('a member gets one mail when something waits for a quarter of an hour with no console open, until they look', async () => {
  const home = await newNamespace();
  const { called, calls, key } = await memberOf(home);
  const desk = await newDesk(home);
  await write(desk);
  await write(desk);
  pass(16 * MINUTE);
  assert.equal((await called(1))[0]?.subject, `2 conversations wait for you in ${home.name}`);
  await write(desk);
  pass(20 * MINUTE);
  await write(desk);
  pass(20 * MINUTE);
  await write(desk);
  assert.equal((await calls()).length, 1, 'one mail until someone looks');
  await looks(key);
  pass(5 * MINUTE);
  await write(desk);
  pass(20 * MINUTE);
  assert.equal((await called(2))[0]?.subject, `1 conversation waits for you in ${home.name}`);
});

test('a member is called for what waits for a review too, from when it is held', async () => {
  const home = await newNamespace();
  const { called, key } = await memberOf(home);
  const desk = await newMailbox(home, { behavior: { name: 'agent' }, outgoing: { review: 'always' } });
  const { body } = await write(desk);
  pass(60 * MINUTE);
  await called(1);
  await looks(key);
  pass(5 * MINUTE);
  const answer = { key: home.key, body: { body: 'It costs 400 euros.' } };
  const answered = await api<Envelope>('POST', `/mail/messages/${body.id}/answer`, answer);
  assert.equal(answered.body.waiting_for, 'review', answered.text);
  pass(20 * MINUTE);
  await called(2);
});

test('those alone are called whose role and mailboxes let them act, after the minutes that each chose', async () => {
  const home = await newNamespace();
  const [sales, support] = [await newDesk(home), await newDesk(home)];
  const owner = await memberOf(home);
  const seller = await memberOf(home, { role: 'answerer', mailboxes: [sales] });
  const helper = await memberOf(home, { role: 'answerer', mailboxes: [support] });
  const reader = await memberOf(home, { role: 'reader' });
  const silent = await memberOf(home);
  await seller.set(2);
  await silent.set(null);
  await write(sales);
  pass(3 * MINUTE);
  await seller.called(1);
  assert.equal((await owner.calls()).length, 0);
  pass(13 * MINUTE);
  await owner.called(1);
  pass(2 * MINUTE);
  for (const { calls } of [helper, reader, silent]) assert.deepEqual(await calls(), []);
  assert.equal((await seller.calls()).length, 1);
});

/** More than the hundred of a page. */
const OTHERS = amount(120, 300);

test(`behind ${OTHERS} others that wait, the oldest one calls the member whose it is`, async () => {
  const home = await newNamespace();
  const [sales, support] = [await newDesk(home), await newDesk(home)];
  const helper = await memberOf(home, { role: 'answerer', mailboxes: [support] });
  const seller = await memberOf(home, { role: 'answerer', mailboxes: [sales] });
  await write(support);
  for (let sent = 0; sent < OTHERS; sent += 20)
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { status, text } = await write(sales);
        assert.equal(status, 202, text);
      }),
    );
  pass(16 * MINUTE);
  const [[theirs], [others]] = await Promise.all([helper.called(1), seller.called(1)]);
  assert.equal(theirs?.subject, `1 conversation waits for you in ${home.name}`);
  assert.equal(others?.subject, `${OTHERS} conversations wait for you in ${home.name}`);
});

test('what is done for its sender waits for its recipient all the same', async () => {
  const home = await newNamespace();
  const desk = await newDesk(home);
  const { called } = await memberOf(home);
  const writer = await newDesk(elsewhere);
  const { body } = await send(elsewhere.key, { from: writer.address, to: desk.address, body: 'Is anyone there?' });
  const done = await api('PATCH', `/mail/threads/${body.thread_id}`, {
    key: elsewhere.key,
    body: { mailbox: writer.address, state: 'done' },
  });
  assert.equal(done.status, 200, done.text);
  pass(16 * MINUTE);
  await called(1);
});

test('an open console of who may act on it keeps others from being called, one of who may not does not', async () => {
  const home = await newNamespace();
  const [sales, support] = [await newDesk(home), await newDesk(home)];
  const seller = await memberOf(home, { role: 'answerer', mailboxes: [sales] });
  const helper = await memberOf(home, { role: 'answerer', mailboxes: [support] });
  await write(sales);
  await write(support);
  const namespace = (await store.namespaces.byName(home.name)) ?? assert.fail();
  // As the console of one who answers for `support` alone writes it.
  const reach = { account_id: null, scopes: ROLES.answerer, mailbox_ids: [await idOf(support)] };
  const expires_at = Date.now() + 60 * 60 * MINUTE;
  const seen = { kind: 'console-open', subject: namespace.id, value: JSON.stringify(reach), expires_at };
  await store.states.set({ ...seen, id: `${namespace.id} key_x` });
  pass(16 * MINUTE);
  await seller.called(1);
  assert.deepEqual(await helper.calls(), []);
  await store.states.remove('console-open', `${namespace.id} key_x`);
  pass(16 * MINUTE);
  await helper.called(1);
});

test('who looks ends it for those who share an address, and what they saw calls no one', async () => {
  const home = await newNamespace();
  const desk = await newDesk(home);
  const [ada, bob] = [await memberOf(home), await memberOf(home, { role: 'answerer', mailboxes: [desk] })];
  await write(desk);
  pass(16 * MINUTE);
  await Promise.all([ada.called(1), bob.called(1)]);
  await looks(ada.key);
  pass(30 * MINUTE);
  await write(desk);
  await looks(ada.key);
  pass(30 * MINUTE);
  await write(desk);
  pass(20 * MINUTE);
  const [mails] = await Promise.all([bob.called(2), ada.called(2)]);
  assert.equal(mails[0]?.subject, `1 conversation waits for you in ${home.name}`);
});

test('a member chooses how they are called, and no mail is kept; a wrong number says what is right', async () => {
  const home = await newNamespace();
  const { key, calls } = await memberOf(home);
  const person = await looks(key, '/console/notices');
  const saved = await person.send('/console/notices', { mail_minutes: 'never' }, ['do', 'save']);
  assert.deepEqual([saved.status, saved.to], [303, '/console/notices?done=saved']);
  assert.match((await person.get('/console/notices')).html, /<option value="never" selected>No mail/);
  for (const minutes of ['0', '1441', '1.5', 'soon', '']) {
    const wrong = await person.send('/console/notices', { mail_minutes: minutes }, ['do', 'save']);
    assert.equal(wrong.status, 422, minutes);
    assert.match(wrong.html, /aria-invalid="true"/);
  }
  await write(await newDesk(home));
  pass(24 * 60 * MINUTE);
  await write(await newDesk(home));
  pass(24 * 60 * MINUTE);
  assert.deepEqual(await calls(), []);
});

test('who signed in with a key of no member is told where to get called', async () => {
  const home = await newNamespace();
  const person = await looks(home.key, '/console/notices');
  const { html } = await person.get('/console/notices');
  assert.match(html, /You are signed in with a key\./);
  assert.doesNotMatch(html, /name="mail_minutes"/);
  const refused = await person.post('/console/notices', { csrf: await person.token(), mail_minutes: '5' });
  assert.equal(refused.status, 422);
});

test('a note that names a member calls that member alone, and so does a conversation that is assigned to them', async () => {
  const home = await newNamespace();
  const desk = await newDesk(home);
  const [ada, bob] = [await memberOf(home), await memberOf(home)];
  const { body } = await write(desk);
  await looks(ada.key);
  await looks(bob.key);
  pass(30 * MINUTE);
  const noted = await api('POST', `/mail/threads/${body.thread_id}/notes`, {
    key: ada.key,
    body: { body: `Please look, @${bob.name}.` },
  });
  assert.equal(noted.status, 201, noted.text);
  pass(16 * MINUTE);
  await bob.called(1);
  await looks(bob.key);
  pass(30 * MINUTE);
  const assigned = await api('PATCH', `/mail/threads/${body.thread_id}`, {
    key: ada.key,
    body: { assignee: bob.id },
  });
  assert.equal(assigned.status, 200, assigned.text);
  pass(16 * MINUTE);
  await bob.called(2);
  assert.deepEqual(await ada.calls(), []);
});

test('a stream of a hidden tab calls once a conversation for what its member may act on; one in view, or of who chose none, does not', async () => {
  const home = await newNamespace();
  const [sales, support] = [await newDesk(home), await newDesk(home)];
  const [ada, silent] = [await memberOf(home), await memberOf(home)];
  await silent.setBrowser(false);
  const [theirs, none] = [await looks(ada.key), await looks(silent.key)];
  const early = await write(sales);
  const open = (person: Visitor, query: string) => openStream(`${url}/console/live${query}`, { cookie: person.cookie });
  const hidden = await open(theirs, `?hidden=${now()}`);
  const late = await open(theirs, `?hidden=${now() - MINUTE}`);
  const [inView, without] = [await open(theirs, ''), await open(none, `?hidden=${now()}`)];
  const callsOf = ({ events }: Stream) =>
    events.filter(({ event }) => event === 'call').map(({ data }) => (JSON.parse(data) as { message: string }).message);
  const first = await write(support);
  await until(
    WAIT_MS,
    async () => callsOf(hidden),
    ({ length }) => length === 1,
  );
  await until(
    WAIT_MS,
    async () => callsOf(late),
    ({ length }) => length === 2,
  );
  const again = { to: support.address, body: 'And what does it cost?', thread_id: first.body.thread_id };
  const next = await send(elsewhere.key, again);
  assert.equal(next.status, 202, next.text);
  const second = await write(sales);
  await until(
    WAIT_MS,
    async () => callsOf(hidden),
    ({ length }) => length === 2,
  );
  assert.deepEqual(callsOf(hidden), [first.body.id, second.body.id]);
  assert.ok(callsOf(late).includes(early.body.id));
  for (const stream of [inView, without]) assert.deepEqual(callsOf(stream), []);
  for (const stream of [hidden, late, inView, without]) stream.close();
});
