import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import type { Home } from '../../../../tests/harness/client.ts';
import { openConsole, type Visitor } from '../../../../tests/harness/console.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Page } from '../../../../tests/harness/wire.ts';

const { client, visitor, store, now, url } = await openConsole();
const { newNamespace, newMailbox, newKey, send, api } = client;
const other = await newNamespace();

/** An owner who is a member and signed in. */
async function owner(home: Home, name: string) {
  const created_at = now();
  const address = `${newId('acc', created_at)}@outside.example`;
  const { id: account_id } = await store.accounts.getOrPut({ id: newId('acc', created_at), address, created_at });
  const key = await newKey(home, { scopes: ['owner'], name });
  const of = { namespace_id: home.id, account_id, key_id: key.id, role: 'owner', mailbox_ids: null, name, created_at };
  assert.equal(await store.accounts.join(of as Parameters<typeof store.accounts.join>[0]), 'joined');
  const own = visitor();
  assert.equal((await own.signIn(key.secret)).status, 303);
  return { id: account_id, own, key: key.secret };
}

async function desk() {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'desk', behavior: { name: 'agent' } });
  const { id, thread_id } = (await send(other.key, { to: address, subject: 'Rooms', body: 'Which are free?' })).body;
  const [mara, noor] = [await owner(home, 'Mara Lind'), await owner(home, 'Noor')];
  const path = `/console/messages/${id}`;
  const act = (own: Visitor, button: [string, string], changed: Record<string, string> = {}) =>
    own.send(path, changed, button, `/console/conversations/${id}`);
  const rows = async (own: Visitor, query: string) =>
    [...(await own.get(`/console?${query}`)).html.matchAll(/<li[^>]* data-row="([^"]+)"/g)].map(([, one]) => one);
  const standing = async () =>
    (await api<{ state: string; assignee: string | null }>('GET', `/mail/threads/${thread_id}`, { key: home.key }))
      .body;
  return { home, address, id, thread_id, mara, noor, path, act, rows, standing };
}

test('without a script a conversation is assigned, put off and done, and each list has what stands so', async () => {
  const it = await desk();
  const { mara, noor } = it;
  await it.act(mara.own, ['assignee', noor.id]);
  assert.ok((await noor.own.get(it.path)).html.includes('Assigned to </span><bdi>Noor</bdi>'));
  assert.deepEqual(await it.rows(noor.own, 'assignee=me'), [it.id]);
  assert.deepEqual(await it.rows(mara.own, 'assignee=me'), []);
  assert.deepEqual(await it.rows(mara.own, 'state=open&assignee=none'), []);
  assert.match((await noor.own.get('/console')).html, /data-waiting="mine">1</);
  const later = await it.act(noor.own, ['state', 'later'], { at: '2099-01-05T09:00', zone: 'Europe/Berlin' });
  assert.equal(later.status, 422, 'more than five years ahead');
  assert.match(later.html, /until is at most five years ahead/);
  const soon = new Date(now() + 3 * 3_600_000).toISOString();
  await it.act(noor.own, ['state', 'later'], { at: soon.slice(0, 16), zone: 'UTC' });
  assert.equal((await it.standing()).state, 'later');
  assert.deepEqual([await it.rows(mara.own, ''), await it.rows(mara.own, 'state=later')], [[], [it.id]]);
  await it.act(noor.own, ['state', 'done']);
  assert.deepEqual([await it.rows(mara.own, 'state=later'), await it.rows(mara.own, 'state=done')], [[], [it.id]]);
  await it.act(noor.own, ['assignee', '']);
  assert.equal((await it.standing()).assignee, null);
});

test('a note stands among the turns for members, and one that cannot be is refused with its text kept', async () => {
  const it = await desk();
  const note = (own: Visitor, text: string) => it.act(own, ['do', 'note'], { note: text });
  assert.equal((await note(it.mara.own, '@Noor promise Wednesday, <b>not</b> Tuesday')).status, 303);
  const { html } = await it.noor.own.get(it.path);
  assert.match(html, /note, members only/);
  assert.ok(html.includes('promise Wednesday, &lt;b') && !html.includes('<b>not</b>'));
  const long = await note(it.noor.own, 'long '.repeat(2_001));
  assert.equal(long.status, 413);
  assert.match(long.html, /A note has at most 10000 characters; this one has 10004\./);
  assert.match(long.html, /<textarea id="note"[^>]*>\s*long long/);
  const empty = await note(it.noor.own, '');
  assert.equal(empty.status, 422);
  assert.match(empty.html, /A note has a text\. Write one\./);
});

test('an answer that is sent as done makes its conversation done, any other makes it wait for the other side', async () => {
  for (const [button, state] of [
    ['completed', 'waiting'],
    ['done', 'done'],
  ] as const) {
    const it = await desk();
    const body = { body: 'All of them.' };
    const sent = await it.mara.own.send(it.path, body, ['do', button], `/console/answers/${it.id}`);
    assert.equal(sent.status, 303);
    await until(
      15_000,
      () => it.standing(),
      (now) => now.state === state,
    );
  }
});

test('each sees within a second what another did: a state, an assignee, a note, an answer', async () => {
  const it = await desk();
  const aborted = new AbortController();
  const live = await fetch(`${url}/console/live?direction=all`, {
    headers: { cookie: it.noor.own.cookie },
    signal: aborted.signal,
  });
  const reader = live.body?.pipeThrough(new TextDecoderStream()).getReader();
  assert.ok(reader !== undefined);
  let text = '';
  const sees = async (what: RegExp): Promise<void> => {
    const from = performance.now();
    while (!what.test(text)) {
      const { value, done } = await reader.read();
      assert.ok(!done && performance.now() - from < 30_000, `${what} in ${text.slice(-600)}`);
      text += value;
    }
    text = '';
  };
  await sees(/^id: evt_/);
  const change = (body: object) => api('PATCH', `/mail/threads/${it.thread_id}`, { key: it.mara.key, body });
  await change({ assignee: it.mara.id });
  await sees(new RegExp(`event: row\\ndata: .*${it.thread_id}.*Assigned to Mara Lind`));
  await change({ state: 'waiting' });
  await sees(/event: row\ndata: .*stand-waiting/);
  await api('POST', `/mail/threads/${it.thread_id}/notes`, { key: it.mara.key, body: { body: 'Hm.' } });
  await sees(new RegExp(`event: row\\ndata: .*${it.thread_id}`));
  await api('POST', `/mail/messages/${it.id}/answer`, { key: it.mara.key, body: { body: 'All.' } });
  await sees(/event: row\ndata: .*All\./);
  aborted.abort();
  const { items } = (await api<Page<{ type: string }>>('GET', '/events', { key: it.home.key })).body;
  assert.equal(items.filter(({ type }) => type === 'thread.note').length, 1);
});
