import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import type { Home } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Page } from '../../../../tests/harness/wire.ts';
import { ROLES, type Role } from '../../core/entities/member.ts';

const inside = await startInside({ env: { SEARCH_INDEX: 'on' } });
const { client, pass, now } = inside;

const { api, newNamespace, newMailbox, newKey, send, read } = client;

interface Standing {
  readonly id: string;
  readonly mailbox: string;
  readonly state: string;
  readonly until: string | null;
  readonly assignee: string | null;
}
interface Note {
  readonly id: string;
  readonly body: string;
  readonly author: { readonly kind: string; readonly id: string; readonly name: string };
  readonly mentions: readonly string[];
}
interface Event {
  readonly type: string;
  readonly data: { readonly id: string; readonly state?: string; readonly note?: Omit<Note, 'body'> };
}

/** A member of the namespace, with a key that acts as theirs. */
async function member(home: Home, name: string, role: Role = 'answerer', mailbox_ids: readonly string[] | null = null) {
  const time = now();
  const address = `${name.toLowerCase().replace(/\W/g, '')}${newId('acc', time)}@outside.example`;
  const { id: account_id } = await inside.store.accounts.getOrPut({
    id: newId('acc', time),
    address,
    created_at: time,
  });
  const { id: key_id, secret } = await newKey(home, { scopes: [...ROLES[role]], name });
  const of = { namespace_id: home.id, account_id, key_id, role, mailbox_ids, name, created_at: time };
  assert.equal(await inside.store.accounts.join(of), 'joined');
  return { id: account_id, key: secret, key_id };
}

const other = await newNamespace();

/** A support desk: an address answered by hand, two members, and a conversation that another namespace began. */
async function support(fields: object = {}) {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { behavior: { name: 'agent' }, ...fields });
  const [mara, noor] = [await member(home, 'Mara Lind'), await member(home, 'Noor')];
  const first = (await send(other.key, { to: mailbox.address, subject: 'Rooms', body: 'Which rooms are free?' })).body;
  const path = `/mail/threads/${first.thread_id}`;
  const change = (body: object, key = mara.key) => api<Standing>('PATCH', path, { key, body });
  const note = (body: string, key = mara.key) => api<Note>('POST', `${path}/notes`, { key, body: { body } });
  const thread = async (key = mara.key) =>
    (await api<Page<{ id: string; answered_by?: object }> & Standing & { notes?: Note[] }>('GET', path, { key })).body;
  const list = async (query: string, key = mara.key) =>
    (await api<Page<Standing>>('GET', `/mail/threads?${query}`, { key })).body.items.map(({ id }) => id);
  const answer = (body: string, key = mara.key, id = first.id) =>
    api('POST', `/mail/messages/${id}/answer`, { key, body: { body } });
  const again = async (body = 'And?') =>
    (await send(other.key, { to: mailbox.address, thread_id: first.thread_id, body })).body;
  return { home, mailbox, mara, noor, first, path, change, note, thread, list, answer, again };
}
const standing = ({ state, until: time, assignee }: Standing) => ({ state, until: time, assignee });

test('a conversation has the state and the assignee that a member gave it, for readers of its mailbox alone', async () => {
  const desk = await support();
  const untouched = { state: 'open', until: null, assignee: null };
  assert.deepEqual(standing(await desk.thread()), untouched);
  const { status, body } = await desk.change({ state: 'waiting', assignee: desk.noor.id });
  assert.equal(status, 200);
  assert.deepEqual(standing(body), { state: 'waiting', until: null, assignee: desk.noor.id });
  assert.equal(body.mailbox, desk.mailbox.address);
  assert.deepEqual(standing(await desk.thread(desk.home.key)), standing(body));
  const theirs = await desk.thread(other.key);
  for (const name of ['state', 'until', 'assignee', 'notes']) assert.ok(!(name in theirs), name);
  const inList = (await api<Page<Standing>>('GET', '/mail/threads', { key: desk.mara.key })).body.items[0];
  assert.deepEqual(inList && standing(inList), standing(body));
  const [outside] = (await api<Page<Standing>>('GET', '/mail/threads', { key: other.key })).body.items;
  assert.ok(outside !== undefined && !('state' in outside));
  assert.equal((await desk.change({ assignee: 'me' }, desk.noor.key)).body.assignee, desk.noor.id);
  assert.equal((await desk.change({ assignee: null })).body.assignee, null);
});

test('a message that arrives opens a conversation, and an answer by hand makes it wait for the other side', async () => {
  const desk = await support();
  await desk.change({ state: 'done', assignee: 'me' });
  const next = await desk.again();
  assert.deepEqual(standing(await desk.thread()), { state: 'open', until: null, assignee: desk.mara.id });
  assert.equal((await desk.answer('All of them.', desk.noor.key, next.id)).status, 200);
  assert.equal((await desk.thread()).state, 'waiting');
  await desk.again('Thanks.');
  assert.equal((await desk.thread()).state, 'open');
});

test('lists take a state and an assignee, page by page: me, a member, and none', async () => {
  const desk = await support();
  const threads = [desk.first.thread_id];
  for (let nth = 0; nth < 4; nth++)
    threads.push((await send(other.key, { to: desk.mailbox.address, body: `Number ${nth}` })).body.thread_id);
  const [a, b, c, d, e] = threads as [string, string, string, string, string];
  const set = (id: string, body: object) => api('PATCH', `/mail/threads/${id}`, { key: desk.mara.key, body });
  await set(a, { state: 'waiting', assignee: desk.mara.id });
  await set(b, { state: 'waiting' });
  await set(c, { state: 'done', assignee: desk.noor.id });
  await set(d, { assignee: 'me' });
  assert.deepEqual(await desk.list('state=waiting'), [b, a]);
  assert.deepEqual(await desk.list('state=done'), [c]);
  assert.deepEqual(await desk.list('state=open'), [e, d]);
  assert.deepEqual(await desk.list('assignee=me'), [d, a]);
  assert.deepEqual(await desk.list(`assignee=${desk.noor.id}`), [c]);
  assert.deepEqual(await desk.list('assignee=none'), [e, b]);
  assert.deepEqual(await desk.list('assignee=none&state=open'), [e]);
  assert.deepEqual(await desk.list('assignee=me&state=open'), [d]);
  assert.deepEqual(await desk.list(`state=waiting&mailbox=${desk.mailbox.address}`), [b, a]);
  const page = await api<Page<Standing>>('GET', '/mail/threads?state=waiting&limit=1', { key: desk.mara.key });
  const more = `/mail/threads?state=waiting&limit=1&cursor=${page.body.next_cursor}`;
  const next = await api<Page<Standing>>('GET', more, { key: desk.mara.key });
  assert.deepEqual(
    [...page.body.items, ...next.body.items].map(({ id }) => id),
    [b, a],
  );
  await until(
    5_000,
    () => desk.list('query=number&state=waiting'),
    (found) => found.join() === b,
  );
  isProblem(
    await api('GET', '/mail/threads?assignee=acc_0000000000000000000', { key: desk.mara.key }),
    'validation_error',
  );
  isProblem(await api('GET', '/mail/threads?assignee=me', { key: desk.home.key }), 'validation_error');
});

test('one for later opens at its time by itself, with one event', async () => {
  const desk = await support();
  const { body } = await desk.change({ until: new Date(now() + 60_000).toISOString() });
  assert.equal(body.state, 'later');
  assert.deepEqual(await desk.list('state=later'), [desk.first.thread_id]);
  pass(60_000);
  await until(
    2_000,
    () => desk.thread(),
    ({ state }) => state === 'open',
  );
  const { items } = (await api<Page<Event>>('GET', '/events', { key: desk.home.key })).body;
  const states = items.filter(({ type }) => type === 'thread.updated').map(({ data }) => data.id);
  assert.deepEqual(states, [desk.first.thread_id, desk.first.thread_id]);
});

test('one for later whose time came while the service was down opens at its start, once, and none is opened early', async () => {
  const [due, later] = [await support(), await support()];
  await due.change({ until: new Date(now() + 60_000).toISOString() });
  await later.change({ until: new Date(now() + 600_000).toISOString() });
  const changesOf = async ({ home }: typeof due) => {
    const { items } = (await api<Page<Event>>('GET', '/events', { key: home.key })).body;
    return items.filter(({ type }) => type === 'thread.updated').length;
  };
  for (const ms of [0, 61_000, 0]) await inside.restart(ms);
  await until(
    5_000,
    () => due.thread(),
    ({ state }) => state === 'open',
  );
  assert.deepEqual([await changesOf(due), await changesOf(later)], [2, 1]);
  assert.deepEqual(await later.list('state=later'), [later.first.thread_id]);
  assert.equal((await due.change({ state: 'done' })).status, 200);
  await inside.restart(120_000);
  assert.deepEqual([(await due.thread()).state, await changesOf(due)], ['done', 3]);
});

test('a change that cannot be is refused whole, and says why', async () => {
  const desk = await support();
  const elsewhere = await newMailbox(desk.home, { behavior: { name: 'agent' } });
  const bound = await member(desk.home, 'Olu', 'reader', [elsewhere.id]);
  const stranger = await member(other, 'Stranger');
  const past = new Date(now() - 60_000).toISOString();
  for (const [wanted, why] of [
    [{ state: 'later' }, /time in the future/],
    [{ state: 'later', until: past, assignee: 'me' }, /until is past/],
    [{ state: 'done', until: new Date(now() + 60_000).toISOString() }, /until is for the state/],
    [{ state: 'asleep' }, /state/],
    [{ state: 'done', assignee: stranger.id }, /no member/],
    [{ state: 'done', assignee: bound.id }, /This member does not read/],
    [{ mailbox: elsewhere.address, state: 'done' }, /It is in /],
    [{}, /./],
  ] as const)
    assert.match(isProblem(await desk.change(wanted), 'validation_error').detail, why);
  assert.deepEqual(standing(await desk.thread()), { state: 'open', until: null, assignee: null });
  const reader = await member(desk.home, 'Ruth', 'reader');
  isProblem(await desk.change({ state: 'done' }, reader.key), 'insufficient_scope');
  isProblem(await desk.note('Hm.', reader.key), 'insufficient_scope');
  isProblem(await desk.change({ state: 'done' }, other.key), 'message_not_found');
  isProblem(
    await api('PATCH', '/mail/threads/thr_00000000000000000000', { key: desk.mara.key, body: { state: 'done' } }),
    'message_not_found',
  );
});

test('who takes part by several mailboxes of a thread names one, and each has a state of its own', async () => {
  const home = await newNamespace();
  const [one, two] = [await newMailbox(home), await newMailbox(home)];
  const { thread_id } = (await send(home.key, { from: one.address, to: two.address, body: 'Hi', sync: true })).body;
  const change = (body: object) => api<Standing>('PATCH', `/mail/threads/${thread_id}`, { key: home.key, body });
  assert.match(isProblem(await change({ state: 'done' }), 'validation_error').detail, /several/);
  assert.equal((await change({ state: 'done', mailbox: two.address })).status, 200);
  const seen = async (query = '') =>
    (await api<Standing>('GET', `/mail/threads/${thread_id}${query}`, { key: home.key })).body.state;
  assert.deepEqual(
    [await seen(), await seen(`?mailbox=${two.address}`), await seen(`?mailbox=${one.address}`)],
    ['open', 'done', 'open'],
  );
});

test('a note is read by members of its mailbox and keys of an owner, tells whom it names, and is in no other way out', async () => {
  const desk = await support();
  const secret = 'canarynote';
  const added = await desk.note(`@mara, @Noor: ${secret}. Write to x@noor.example`, desk.noor.key);
  assert.equal(added.status, 201);
  assert.deepEqual(added.body.author, { kind: 'member', id: desk.noor.id, name: 'Noor' });
  assert.deepEqual(added.body.mentions.toSorted(), [desk.mara.id, desk.noor.id].toSorted());
  assert.deepEqual((await desk.note('No one.')).body.mentions, []);
  const { notes = [] } = await desk.thread(desk.home.key);
  assert.deepEqual(
    notes.map(({ author }) => author.name),
    ['Noor', 'Mara Lind'],
  );
  const events = (await api<Page<Event>>('GET', '/events', { key: desk.home.key })).body.items;
  const noted = events.filter(({ type }) => type === 'thread.note');
  assert.deepEqual(
    noted.map(({ data }) => data.note?.id),
    notes.map(({ id }) => id),
  );
  await desk.answer('All of them.');
  const ways = [
    desk.path,
    '/mail/threads',
    '/events',
    `/mail/messages/${desk.first.id}`,
    `/mail/search?query=${secret}`,
    `/namespaces/${other.name}/export`,
  ];
  for (const way of ways) {
    const { text } = await api('GET', way, { key: other.key });
    if (!way.includes('search')) assert.ok(!text.includes(secret), way);
    else assert.ok(!/"items":\[\{/.test(text), way);
  }
  const own = await api('GET', `/namespaces/${desk.home.name}/export`, { key: desk.home.key });
  assert.ok(own.text.includes(secret), 'the export of its owner has it');
  const forwarded = await api('POST', `/mail/messages/${desk.first.id}/forward`, {
    key: desk.home.key,
    body: { to: (await newMailbox(other)).address },
  });
  assert.ok(forwarded.status < 300 && !forwarded.text.includes(secret));
  const claimed = await api('POST', `/mailboxes/${desk.mailbox.address}/claim`, {
    key: desk.home.key,
    body: { wait: 0 },
  });
  assert.ok(!claimed.text.includes(secret));
  await desk.again();
  const program = await api('POST', `/mailboxes/${desk.mailbox.address}/claim`, {
    key: desk.home.key,
    body: { wait: 1 },
  });
  assert.ok(program.text.includes(desk.first.thread_id) && !program.text.includes(secret), 'the claim of a program');
});

test('a key of a program has no notes, even one that a member made, and may add one', async () => {
  const desk = await support();
  const olga = await member(desk.home, 'Olga', 'owner');
  assert.equal((await desk.note('For us alone.')).status, 201);
  const scopes = ['messages:read', 'mail:answer'];
  for (const maker of [desk.home.key, olga.key])
    for (const mailbox of [undefined, desk.mailbox.address]) {
      const { secret } = await newKey({ ...desk.home, key: maker }, { scopes, mailbox });
      const thread = await desk.thread(secret);
      assert.deepEqual([thread.state, thread.notes], ['open', undefined]);
      assert.equal((await desk.note('It is urgent.', secret)).status, 201);
    }
  for (const key of [desk.home.key, olga.key, desk.noor.key]) assert.equal((await desk.thread(key)).notes?.length, 5);
});

test('a note has a text of up to 10,000 characters, counts as storage, and goes with its conversation', async () => {
  const desk = await support();
  assert.match(
    isProblem(await desk.note('x'.repeat(10_001)), 'body_too_large').detail,
    /10000 characters; this one has 10001/,
  );
  isProblem(await desk.note('x'.repeat(1024 * 1024)), 'body_too_large');
  isProblem(await desk.note('  '), 'validation_error');
  assert.equal((await desk.note('x'.repeat(10_000))).status, 201);
  const bytes = async () => (await inside.store.storage.totals([desk.home.id]))[0]?.bytes ?? 0;
  await until(5_000, bytes, (stored) => stored > 10_000);
  await desk.answer('Yes.');
  assert.equal((await api('DELETE', `/mail/messages/${desk.first.id}`, { key: desk.home.key })).status, 204);
  assert.deepEqual(await inside.store.conversations.notes(desk.first.thread_id, [desk.mailbox.id], 9), []);
  await until(5_000, bytes, (stored) => stored < 6_000);
});

test('an answer by hand says who gave it to readers of its mailbox, and to its sender only where it is signed', async () => {
  for (const sign_answers of [false, true]) {
    const desk = await support({ sign_answers });
    await desk.answer('All of them.');
    const actor = { kind: 'member', id: desk.mara.id, name: 'Mara Lind' };
    const reply = async (key: string) => (await read(key, desk.first.id)).body.reply as { answered_by?: object } | null;
    assert.deepEqual((await reply(desk.noor.key))?.answered_by, actor);
    assert.deepEqual((await reply(other.key))?.answered_by, sign_answers ? { name: 'Mara Lind' } : undefined);
    const inThread = async (key: string) => (await desk.thread(key)).items.map(({ answered_by }) => answered_by);
    assert.deepEqual(await inThread(desk.noor.key), [undefined, actor]);
    assert.deepEqual(await inThread(other.key), [undefined, sign_answers ? { name: 'Mara Lind' } : undefined]);
    await api('POST', `/mail/messages/${desk.first.id}/answer`, { key: desk.home.key, body: { body: 'And more.' } });
    const further = (await desk.thread(desk.noor.key)).items.at(-1);
    assert.deepEqual(further?.answered_by, { kind: 'key', id: desk.home.keyId, name: 'Owner key' });
  }
});

test('what was assigned to a member who left is assigned to no one from then on', async () => {
  const desk = await support();
  await desk.change({ assignee: desk.noor.id });
  await inside.store.accounts.removeMember({ namespace_id: desk.home.id, account_id: desk.noor.id }, undefined, now());
  assert.equal((await desk.thread()).assignee, null);
  assert.deepEqual(await desk.list('assignee=none'), [desk.first.thread_id]);
  isProblem(await desk.change({ assignee: desk.noor.id }), 'validation_error');
});

test('of two answers at once, by two members, one settles it, and both see who gave each', async () => {
  const desk = await support();
  const both = await Promise.all([
    desk.answer('The blue one.', desk.mara.key),
    desk.answer('The green one.', desk.noor.key),
  ]);
  const settled = both.filter(({ body }) => (body as { answer: { settles: boolean } }).answer.settles);
  assert.equal(settled.length, 1);
  const named = (await desk.thread()).items.flatMap(({ answered_by }) => answered_by ?? []);
  assert.equal(named.length, 2);
});

test('a rule assigns a conversation to a member, unless another takes care of it', async () => {
  const desk = await support();
  const rule = (assign: string) => [{ id: 'all', if: {}, then: { assign } }];
  const set = (assign: string) =>
    api('PATCH', `/mailboxes/${desk.mailbox.address}`, { key: desk.home.key, body: { rules: rule(assign) } });
  assert.equal((await set(desk.noor.id)).status, 200);
  const next = await send(other.key, { to: desk.mailbox.address, body: 'New' });
  const assigneeOf = async (id: string) =>
    (await api<Standing>('GET', `/mail/threads/${id}`, { key: desk.home.key })).body.assignee;
  assert.equal(await assigneeOf(next.body.thread_id), desk.noor.id);
  await desk.change({ assignee: 'me' });
  await desk.again();
  assert.equal((await desk.thread()).assignee, desk.mara.id);
  const stranger = await member(other, 'Stranger');
  assert.match(isProblem(await set(stranger.id), 'validation_error').detail, /no member who reads/);
  await inside.store.accounts.removeMember({ namespace_id: desk.home.id, account_id: desk.mara.id }, undefined, now());
  await desk.again();
  assert.equal(await assigneeOf(desk.first.thread_id), desk.noor.id);
});
