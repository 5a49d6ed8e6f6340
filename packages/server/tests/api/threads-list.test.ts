import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

const inside = await startInside({ env: { SEARCH_INDEX: 'on' } });
const { api, newNamespace, newMailbox, newPaused, newKey, send, all } = inside.client;

interface Summary {
  readonly id: string;
  readonly subject: string | null;
  readonly participants: readonly string[];
  readonly mailboxes: readonly string[];
  readonly messages_count: number;
  readonly unread_count: number;
  readonly labels: readonly string[];
  readonly last: { readonly id: string; readonly from: string | null; readonly snippet: string };
}

const threads = async (key: string, query = ''): Promise<Summary[]> => {
  const { status, body, text } = await api<Page<Summary>>('GET', `/mail/threads${query}`, { key });
  assert.equal(status, 200, text);
  return [...body.items];
};
const subjects = async (key: string, query = '') => (await threads(key, query)).map(({ subject }) => subject);

test('a conversation is listed at once with its participants, counts, labels and last message', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const [from, to, cc, bcc] = [
    await newMailbox(home),
    await newMailbox(other),
    await newMailbox(other),
    await newMailbox(other),
  ];
  const fields = { from: from.address, to: [to.address], cc: [cc.address], bcc: [bcc.address] };
  const first = (await send(home.key, { ...fields, subject: 'Plans', body: 'One', sync: true })).body;
  const [mine] = await threads(home.key);
  assert.equal(mine?.id, first.thread_id);
  assert.equal(mine?.subject, 'Plans');
  assert.deepEqual(mine?.participants, [from.address, to.address, cc.address]);
  assert.deepEqual(mine?.mailboxes, [from.address]);
  const [theirs] = await threads(other.key, `?mailbox=${to.address}`);
  assert.equal(theirs?.messages_count, 2);
  assert.equal(theirs?.unread_count, 1);
  assert.deepEqual(theirs?.labels, ['unread']);
  assert.equal(theirs?.last.from, to.address);
  assert.match(theirs?.last.snippet ?? '', /programs/);
  for (const key of [home.key, other.key])
    for (const one of await threads(key)) assert.ok(!one.participants.includes(bcc.address));
  const [listener] = await threads(other.key, `?mailbox=${cc.address}`);
  assert.deepEqual(listener?.labels, ['cc', 'unread']);
  assert.equal(listener?.messages_count, 1);
});

test('conversations stand by newest activity: a later message, and a late answer, move them up', async () => {
  const home = await newNamespace();
  const [quick, slow] = [await newMailbox(home), await newMailbox(home, { behavior: { name: 'agent' } })];
  const a = (await send(home.key, { to: slow.address, subject: 'A', body: 'a' })).body;
  const b = (await send(home.key, { to: quick.address, subject: 'B', body: 'b', sync: true })).body;
  inside.pass(1000);
  await send(home.key, { to: quick.address, subject: 'C', body: 'c', sync: true });
  assert.deepEqual(await subjects(home.key), ['C', 'B', 'A']);
  inside.pass(1000);
  await send(home.key, { to: quick.address, body: 'again', in_reply_to: b.id, sync: true });
  assert.deepEqual(await subjects(home.key), ['B', 'C', 'A']);
  inside.pass(60_000);
  const answered = await api('POST', `/mail/messages/${a.id}/answer`, { key: home.key, body: { body: 'At last' } });
  assert.equal(answered.status, 200, answered.text);
  assert.deepEqual(await subjects(home.key), ['A', 'B', 'C']);
  assert.deepEqual(await subjects(home.key, `?mailbox=${slow.address}`), ['A']);
  const [top] = await threads(home.key);
  assert.equal(top?.last.snippet, 'At last');
  inside.pass(1000);
  await api('POST', `/mail/messages/${b.id}/answer`, { key: home.key, body: { body: 'And more' } });
  assert.deepEqual(await subjects(home.key), ['B', 'A', 'C']);
});

test('pages have every conversation once, whatever happens in between', async () => {
  const home = await newNamespace();
  const boxes = [await newMailbox(home), await newMailbox(home), await newPaused(home)];
  const ids: string[] = [];
  for (let at = 0; at < 17; at++) {
    const before = at % 3 === 2 ? ids[at - 2] : undefined;
    const to = boxes[at % 3 === 2 ? (at - 2) % 2 : at % 2]?.address;
    const sent = await send(home.key, { to, body: `nr ${at}`, ...(before && { in_reply_to: before }), sync: true });
    assert.equal(sent.status, 200, sent.text);
    ids.push(sent.body.id);
  }
  const whole = await threads(home.key);
  assert.equal(new Set(whole.map(({ id }) => id)).size, whole.length);
  for (const limit of [1, 2, 5])
    assert.deepEqual(
      (await all<Summary>(`/mail/threads?limit=${limit}`, home.key)).map(({ id }) => id),
      whole.map(({ id }) => id),
      `${limit} a page`,
    );
  const listed = await all<Envelope>('/mail/messages?direction=all', home.key);
  assert.deepEqual(
    whole.map(({ id }) => id).toSorted(),
    [...new Set(listed.map(({ thread_id }) => thread_id))].toSorted(),
  );
  const first = await api<Page<Summary>>('GET', '/mail/threads?limit=1', { key: home.key });
  const other = await api('GET', `/mail/threads?label=unread&cursor=${first.body.next_cursor}`, { key: home.key });
  isProblem(other, 'validation_error', '/cursor');
});

test('filters by mailbox, label, participant and words find the conversations of which a message fits', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const [desk, lab, guest] = [await newMailbox(home), await newMailbox(home), await newMailbox(other)];
  const word = `w${unique().replaceAll('-', '')}`;
  const first = (
    await send(other.key, { from: guest.address, to: desk.address, subject: 'One', body: word, sync: true })
  ).body;
  await send(other.key, { from: guest.address, to: desk.address, body: 'more', in_reply_to: first.id, sync: true });
  await send(home.key, { to: lab.address, subject: 'Two', body: `${word} here`, sync: true });
  await send(home.key, { to: lab.address, subject: 'Three', body: 'nothing', sync: true });
  assert.deepEqual(await subjects(home.key, `?mailbox=${lab.address}`), ['Three', 'Two']);
  assert.deepEqual(await subjects(home.key, `?query=${word}`), ['Two', 'One']);
  assert.deepEqual(await subjects(home.key, `?query=${word}&mailbox=${desk.address}`), ['One']);
  assert.deepEqual(await subjects(home.key, `?participant=${guest.address}`), ['One']);
  assert.deepEqual(
    (await all<Summary>(`/mail/threads?query=${word}&limit=1`, home.key)).map(({ subject }) => subject),
    ['Two', 'One'],
  );
  await api('PATCH', `/mail/messages/${first.id}`, { key: home.key, body: { labels: { add: ['vip'] } } });
  assert.deepEqual(await subjects(home.key, '?label=vip'), ['One']);
  assert.deepEqual(await subjects(other.key, '?label=vip'), []);
  assert.deepEqual(await subjects(home.key, '?label=unread&participant=none@nowhere.example'), []);
  isProblem(
    await api('GET', `/mail/threads?mailbox=${guest.address}`, { key: home.key }),
    'validation_error',
    '/mailbox',
  );
  isProblem(await api('GET', '/mail/threads?query=form:x', { key: home.key }), 'validation_error', '/query');
});

test('what is in the trash, deleted or of another mailbox is in no conversation of a key', async () => {
  const home = await newNamespace();
  const [one, two] = [await newMailbox(home), await newMailbox(home)];
  const first = (await send(home.key, { to: one.address, subject: 'First', body: 'a', sync: true })).body;
  const second = (await send(home.key, { to: two.address, subject: 'Second', body: 'b', sync: true })).body;
  const { secret } = await newKey(home, { scopes: ['messages:read'], mailbox: one.address });
  assert.deepEqual(await subjects(secret), ['First']);
  await api('POST', `/mail/messages/${first.id}/trash`, { key: home.key });
  assert.deepEqual(await subjects(home.key), ['Second']);
  assert.deepEqual(await subjects(secret), []);
  await api('POST', `/mail/messages/${first.id}/restore`, { key: home.key });
  await api('DELETE', `/mail/messages/${second.id}`, { key: home.key });
  assert.deepEqual(await subjects(home.key), ['First']);
});
