import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import type { Home } from '../../../../tests/harness/client.ts';
import { openConsole } from '../../../../tests/harness/console.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { ROLES } from '../../core/entities/member.ts';

const { client, visitor, store, now } = await openConsole();
const { newNamespace, newMailbox, newKey, send, read, api } = client;

async function owner(home: Home) {
  const own = visitor();
  await own.signIn(home.key);
  return own;
}
const rowsOf = (page: string) => [...page.matchAll(/<li[^>]* data-row="([^"]+)"/g)].map(([, id]) => id as string);

/** A namespace with an address, and a message to it. */
async function received(fields: object = {}) {
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  const { id, thread_id } = (await send(home.key, { to: address, body: 'Hello.', sync: true, ...fields })).body;
  const visitor = await owner(home);
  const act = (what: string, of: string = id, path = 'labels') =>
    visitor.send(`/console/messages/${of}`, {}, ['do', what], `/console/${path}/${of}`);
  const rows = async (query = '?status=all') => rowsOf((await visitor.get(`/console${query}`)).html);
  return { home, address, id, thread_id, own: visitor, act, rows };
}

test('what is done leaves the inbox, read, and stays under Done, All and its address’s search', async () => {
  const { home, address, id, act, rows } = await received();
  assert.deepEqual(await rows(), [id]);
  assert.equal((await act('done')).to, `/console?undo=done%3A${id}`);
  assert.deepEqual(await rows(), []);
  assert.deepEqual(await rows(`?mailbox=${address.split('@')[0]}`), []);
  for (const query of ['?state=done', '?direction=all', '?query=Hello'])
    assert.deepEqual(await rows(query), [id], query);
  assert.deepEqual((await read(home.key, id)).body.labels, []);
  await act('inbox');
  assert.deepEqual([await rows(), await rows('?state=done')], [[id], []]);
});

test('a conversation that is done returns to the inbox with the next message of it', async () => {
  const { home, address, id, thread_id, act, rows } = await received();
  await act('done');
  const next = (await send(home.key, { to: address, body: 'Again', thread_id, sync: true })).body.id as string;
  assert.deepEqual([await rows(), await rows('?state=done')], [[next], []]);
  // From an earlier message of it the whole conversation is done.
  await act('done', id);
  assert.deepEqual([await rows(), await rows('?state=done')], [[], [next]]);
  await act('unread', next);
  assert.deepEqual(await rows(), [next], 'what is to be read again is in the inbox');
});

test('a conversation is deleted with all its messages, after it was said that this cannot be undone', async () => {
  const { home, address, id, thread_id, own, act, rows } = await received();
  const next = (await send(home.key, { to: address, body: 'Again', thread_id, sync: true })).body.id as string;
  const other = (await send(home.key, { to: address, body: 'Other', sync: true })).body.id as string;
  assert.match((await own.get(`/console/messages/${id}`)).html, /This cannot be undone\./);
  assert.equal((await act('delete', id, 'messages')).to, '/console');
  assert.deepEqual(await rows(), [other]);
  for (const one of [id, next]) isProblem(await read(home.key, one), 'message_not_found');
  assert.equal((await own.get(`/console/messages/${id}`)).status, 404);
});

test('a conversation between two addresses of one owner is deleted in both', async () => {
  const home = await newNamespace();
  const [from, to] = [await newMailbox(home), await newMailbox(home)];
  const { body } = await send(home.key, { to: to.address, from: from.address, body: 'Hi', sync: true });
  const own = await owner(home);
  await own.send(`/console/messages/${body.id}`, {}, ['do', 'delete']);
  for (const one of [body.id, body.reply?.id ?? '']) isProblem(await read(home.key, one), 'message_not_found');
  assert.deepEqual(rowsOf((await own.get('/console?direction=all')).html), []);
});

test('what another namespace received cannot be deleted by its sender', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(other);
  const { body } = await send(home.key, { to: address, body: 'Hi', sync: true });
  const own = await owner(home);
  assert.doesNotMatch((await own.get(`/console/messages/${body.id}`)).html, /Delete this conversation/);
  const fields = { csrf: await own.token(), do: 'delete' };
  assert.equal((await own.post(`/console/messages/${body.id}`, fields)).status, 403);
  assert.equal((await read(other.key, body.id)).status, 200);
});

test('several conversations are put off and assigned at once, by the forms of the list, and taken back', async () => {
  const { home, address, id, thread_id, own, rows } = await received();
  const other = (await send(home.key, { to: address, body: 'Other', sync: true })).body;
  const standing = async (thread: string) =>
    (
      await api<{ state: string; until: string | null; assignee: string | null }>(
        'GET',
        `/mail/threads/${thread}`,
        home,
      )
    ).body;
  const many = async (fields: Record<string, string>) => {
    const form = new URLSearchParams({ csrf: await own.token(), ...fields });
    for (const one of [id, other.id]) form.append('id', one);
    return own.post('/console/batch?status=all', form);
  };
  const { html } = await own.get('/console?status=all');
  const [, until = ''] = /name="until" value="([^"]+)" data-until="hours 3"/.exec(html) ?? [];
  const put = await many({ until });
  assert.match(put.to, /undo=later/);
  assert.deepEqual(await rows(), []);
  for (const thread of [thread_id, other.thread_id]) assert.deepEqual((await standing(thread)).state, 'later');
  assert.match((await own.get(put.to)).html, /come back later\./);
  const time = now();
  const address_ = `mara@${home.name}.example`;
  const account = await store.accounts.getOrPut({ id: newId('acc', time), address: address_, created_at: time });
  const { id: key_id } = await newKey(home, { scopes: [...ROLES.owner] });
  const member = { namespace_id: home.id, account_id: account.id, key_id, role: 'owner', mailbox_ids: null } as const;
  assert.equal(await store.accounts.join({ ...member, name: 'Mara', created_at: time }), 'joined');
  assert.match((await own.get('/console?status=all')).html, new RegExp(`name="assignee" value="${account.id}"`));
  assert.equal((await many({ assignee: account.id })).to, '/console?status=all');
  for (const thread of [thread_id, other.thread_id])
    assert.deepEqual([(await standing(thread)).assignee, (await standing(thread)).state], [account.id, 'later']);
  assert.equal((await many({ until: new Date(now() - 60_000).toISOString() })).status, 422);
  await own.post('/console/undo', { csrf: await own.token(), undo: `later:${id},${other.id}` });
  assert.deepEqual((await rows()).toSorted(), [id, other.id].toSorted());
});
