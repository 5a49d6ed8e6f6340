import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Home } from '../../../../tests/harness/client.ts';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

interface Item {
  message: Envelope;
  thread: { id: string; kind: string; body: string }[];
  claim: string;
  lease_expires_at: string;
}
type Answered = Envelope & { answer: { id: string | null; settles: boolean } };

const service = await serveInside({ env: { RATE_LIMITS: 'off' } });
const { api, newNamespace, newMailbox, newKey, send, read, change } = connect(service.url);
const home = await newNamespace();
const other = await newNamespace();

const newAgent = async (settings: object = {}, of: Home = home): Promise<string> =>
  (await newMailbox(of, { behavior: { name: 'agent', settings } })).address;
const claim = (address: string, body: object = {}, key = home.key) =>
  api<{ items: Item[] }>('POST', `/mailboxes/${address}/claim`, { key, body });
const claimOne = async (address: string, body: object = {}): Promise<Item> => {
  const { status, body: claimed, text } = await claim(address, body);
  assert.equal(status, 200, text);
  assert.equal(claimed.items.length, 1, text);
  return claimed.items[0] as Item;
};
const answer = (id: string, body: object, key = home.key, headers: Record<string, string> = {}) =>
  api<Answered>('POST', `/mail/messages/${id}/answer`, { key, body, headers });
const post = async (to: string, body = unique('a question')): Promise<Envelope> => {
  const sent = await send(other.key, { to, body });
  assert.equal(sent.status, 202, sent.text);
  return sent.body;
};

test('a claim that waits gets a message as it arrives, and its answer is the reply of the sync send', async () => {
  const address = await newAgent();
  const waiting = claimOne(address);
  await pause(100);
  const sending = send(other.key, { to: address, body: 'What is up? 🙂\n\nAda', sync: true });
  const { message, claim: held, thread, lease_expires_at } = await waiting;
  assert.deepEqual([message.body, message.status, thread], ['What is up? 🙂\n\nAda', 'working', []]);
  assert.ok(Date.parse(lease_expires_at) > Date.now() + 50_000);
  const answered = await answer(message.id, { claim: held, body: 'The **sky**.', data: { n: 1 } });
  assert.equal(answered.status, 200, answered.text);
  assert.deepEqual(answered.body.answer, { id: answered.body.reply?.id, settles: true });
  const { status, body } = await sending;
  assert.deepEqual(
    [status, body.status, body.reply?.body, body.reply?.data],
    [200, 'completed', 'The **sky**.', { n: 1 }],
  );
  assert.equal((await api<Envelope>('GET', `/mail/messages/${message.id}`, { key: other.key })).body.replies_count, 1);
});

test('without a message a claim answers with an empty list when its wait is over', async () => {
  const address = await newAgent();
  const began = Date.now();
  const { status, body } = await claim(address, { wait: 1 });
  assert.deepEqual([status, body], [200, { items: [] }]);
  assert.ok(Date.now() - began >= 950);
  assert.deepEqual((await claim(address, { wait: 0 })).body, { items: [] });
});

test('of ten claims for twenty messages no two get the same one', async () => {
  const address = await newAgent();
  await Promise.all(Array.from({ length: 20 }, () => post(address)));
  const claims = await Promise.all(Array.from({ length: 10 }, () => claim(address, { max: 3, wait: 1 })));
  const ids = claims.flatMap(({ body }) => body.items.map(({ message }) => message.id));
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(ids.length, 20);
});

test('a thread comes with its earlier messages and replies in order', async () => {
  const address = await newAgent();
  const first = await post(address, 'first');
  const one = await claimOne(address);
  await answer(one.message.id, { claim: one.claim, body: 'Which day?', status: 'input_required' });
  assert.equal((await read(other.key, first.id)).body.status, 'input_required');
  const sent = await send(other.key, { to: address, body: 'Friday', thread_id: first.thread_id });
  assert.equal(sent.status, 202, sent.text);
  const two = await claimOne(address);
  assert.deepEqual(
    two.thread.map(({ kind, body }) => [kind, body]),
    [
      ['message', 'first'],
      ['reply', 'Which day?'],
    ],
  );
});

test('until a program connects a mailbox is offline: a sync send is answered 202 at once, and waits', async () => {
  const created = await newMailbox(home, { behavior: { name: 'agent' } });
  const { address } = created;
  assert.equal(created.status, 'offline');
  assert.equal((await api<{ status: string }>('GET', `/mailboxes/${address}`)).body.status, 'offline');
  const began = Date.now();
  const sent = await send(other.key, { to: address, body: 'hello?', sync: true });
  assert.deepEqual([sent.status, sent.body.status, sent.body.waiting_for], [202, 'submitted', 'answer']);
  assert.ok(Date.now() - began < 5_000);
  const { message } = await claimOne(address);
  assert.equal(message.id, sent.body.id);
  assert.equal((await api<{ status: string }>('GET', `/mailboxes/${address}`)).body.status, 'online');
});

test('a mailbox that is answered by hand is online, and an answer without a claim settles', async () => {
  const address = await newAgent({ by_hand: true });
  assert.equal((await api<{ status: string }>('GET', `/mailboxes/${address}`)).body.status, 'online');
  const sending = send(other.key, { to: address, body: 'by hand', sync: true });
  await pause(200);
  const list = await api<Page<Envelope>>('GET', `/mailboxes/${address}/messages`, { key: home.key });
  const [waiting] = list.body.items;
  assert.equal(waiting?.waiting_for, 'answer');
  assert.equal((await answer(waiting?.id as string, { body: 'I am here.' })).status, 200);
  assert.equal((await sending).body.reply?.body, 'I am here.');
});

test('a claim whose lease ended answers nothing once another program has the message', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const first = await claimOne(address, { lease_seconds: 10 });
  await api('POST', `/mail/messages/${id}/release`, { key: home.key, body: { claim: first.claim } });
  const second = await claimOne(address);
  isProblem(await answer(id, { claim: first.claim, body: 'late' }), 'claim_lost');
  isProblem(
    await api('POST', `/mail/messages/${id}/progress`, { key: home.key, body: { claim: first.claim } }),
    'claim_lost',
  );
  isProblem(
    await api('POST', `/mail/messages/${id}/release`, { key: home.key, body: { claim: first.claim } }),
    'claim_lost',
  );
  assert.equal((await answer(id, { claim: second.claim, body: 'mine' })).status, 200);
  assert.equal((await read(other.key, id)).body.reply?.body, 'mine');
});

test('progress is shown to who waits and extends the lease', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const { claim: held } = await claimOne(address, { lease_seconds: 10 });
  const shown = await api<{ lease_expires_at: string }>('POST', `/mail/messages/${id}/progress`, {
    key: home.key,
    body: { claim: held, text: 'Looking at the calendar', lease_seconds: 600 },
  });
  assert.ok(Date.parse(shown.body.lease_expires_at) > Date.now() + 500_000, shown.text);
  const { progress, status } = (await read(other.key, id)).body;
  assert.deepEqual(
    [status, progress.map(({ text }: { text: string }) => text)],
    ['working', ['Looking at the calendar']],
  );
});

test('an answer that is repeated, with its key or under its claim, adds nothing', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const { claim: held } = await claimOne(address);
  const key = { 'idempotency-key': unique('answer-') };
  const first = await answer(id, { claim: held, body: 'once' }, home.key, key);
  const again = await answer(id, { claim: held, body: 'once' }, home.key, key);
  assert.deepEqual(
    [again.status, again.headers.get('idempotency-replayed'), again.body.answer],
    [200, 'true', first.body.answer],
  );
  const third = await answer(id, { claim: held, body: 'once' });
  assert.deepEqual([third.body.answer, third.body.replies_count], [first.body.answer, 1]);
  isProblem(await answer(id, { claim: held, body: 'twice' }, home.key, key), 'idempotency_mismatch');
});

test('of two equal answers by hand at once with one key one is added', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  await answer(id, { body: 'settled' });
  const key = { 'idempotency-key': unique('answer-') };
  const both = await Promise.all([1, 2].map(() => answer(id, { body: 'more' }, home.key, key)));
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  );
  assert.deepEqual(both[0]?.body.answer, both[1]?.body.answer);
  assert.equal((await read(other.key, id)).body.replies_count, 2);
});

test('an answer after the settlement is a further reply in the thread, which its sender reads', async () => {
  const address = await newAgent();
  const { id, thread_id } = await post(address);
  const { claim: held } = await claimOne(address);
  await answer(id, { claim: held, body: 'first' });
  const more = await answer(id, { body: 'and one more thing' });
  assert.deepEqual([more.status, more.body.answer.settles, more.body.replies_count], [200, false, 2]);
  assert.equal(more.body.reply?.body, 'first');
  const thread = await api<Page<{ id: string; kind: string; body: string; in_reply_to: string | null }>>(
    'GET',
    `/mail/threads/${thread_id}`,
    { key: other.key },
  );
  assert.deepEqual(thread.body.items.map(({ kind, body }) => [kind, body]).slice(1), [
    ['reply', 'first'],
    ['reply', 'and one more thing'],
  ]);
  assert.equal(thread.body.items[2]?.id, more.body.answer.id);
});

test('a further answer that is repeated under its claim adds nothing', async () => {
  const address = await newAgent();
  const sent = await post(address);
  const { message, claim: held } = await claimOne(address);
  await answer(message.id, { claim: held, body: 'first' });
  const late = await answer(message.id, { claim: held, body: 'late' });
  const again = await answer(message.id, { claim: held, body: 'late' });
  assert.deepEqual([late.body.answer.settles, again.body.answer], [false, late.body.answer]);
  assert.equal((await read(other.key, sent.id)).body.replies_count, 2);
});

test('a program fails or rejects a message with a reason that its sender reads', async () => {
  const address = await newAgent();
  for (const [status, code] of [
    ['rejected', 'rejected'],
    ['failed', 'behavior_failed'],
  ] as const) {
    const { id } = await post(address);
    const { claim: held } = await claimOne(address);
    assert.equal((await answer(id, { claim: held, status, error: 'No rooms on Sunday.' })).status, 200);
    const settled = (await read(other.key, id)).body;
    assert.deepEqual([settled.status, settled.error], [status, { code, message: 'No rooms on Sunday.' }]);
    isProblem(await answer(id, { status: 'failed', error: 'again' }), 'not_waiting');
  }
});

test('the reason has the form of an envelope’s error, too, with a code of the program’s own', async () => {
  const address = await newAgent();
  const message = 'No rooms on Sunday.';
  for (const [error, code] of [
    [{ code: 'sold_out', message }, 'sold_out'],
    [{ message }, 'behavior_failed'],
  ] as const) {
    const { id } = await post(address);
    const failed = await answer(id, { status: 'failed', error });
    assert.deepEqual(failed.body.error, { code, message }, failed.text);
  }
  const { id } = await post(address);
  for (const error of [{}, { code: 'x' }, { code: 'Sold out', message }, { message: '' }, { message, more: 1 }, 1]) {
    assert.equal((await answer(id, { status: 'failed', error })).status, 422, JSON.stringify(error));
  }
});

test('an answer under the same claim with other files is a further reply, and with the same none', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const { claim: held } = await claimOne(address);
  const fileOf = (text: string) => [
    { filename: 'table.csv', content_type: 'text/csv', content: Buffer.from(text).toString('base64') },
  ];
  const given = async (text: string): Promise<boolean> => {
    const answered = await answer(id, { claim: held, body: 'See the table.', attachments: fileOf(text) });
    assert.equal(answered.status, 200, answered.text);
    return answered.body.answer.settles;
  };
  assert.deepEqual([await given('a'), await given('a'), await given('b')], [true, true, false]);
  assert.equal((await read(other.key, id)).body.replies_count, 2);
});

test('a key that can only answer reads the files of a message that waits for it, and of no other', async () => {
  const address = await newAgent();
  const { secret: key } = await newKey(home, { scopes: ['mail:answer'] });
  const content = Buffer.from('a;b\n').toString('base64');
  const attachments = [{ filename: 'table.csv', content_type: 'text/csv', content }];
  const sent = await send(other.key, { to: address, body: 'Sum it up.', attachments });
  const { message, claim: held } = await claimOne(address);
  const [file] = message.attachments ?? [];
  const status = async (secret: string): Promise<number> => {
    const url = `${service.url}/api/v1/mail/attachments/${file?.id}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${secret}` } });
    await response.arrayBuffer();
    return response.status;
  };
  const { secret: stranger } = await newKey(await newNamespace(), { scopes: ['mail:answer'] });
  assert.deepEqual([await status(key), await status(stranger)], [200, 404]);
  assert.equal((await answer(sent.body.id, { claim: held, body: 'One row.' }, key)).status, 200);
  assert.equal(await status(key), 404);
});

test('files of an answer are files of the reply', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const { claim: held } = await claimOne(address);
  const content = Buffer.from('a,b\n1,2\n').toString('base64');
  const attachments = [{ filename: 'table.csv', content_type: 'text/csv', content }];
  const answered = await answer(id, { claim: held, body: 'See the table.', attachments });
  const [file] = answered.body.reply?.attachments ?? [];
  assert.equal(file?.filename, 'table.csv', answered.text);
  const bytes = await fetch(`${service.url}/api/v1/mail/attachments/${file?.id}`, {
    headers: { authorization: `Bearer ${other.key}` },
  });
  assert.equal(await bytes.text(), 'a,b\n1,2\n');
});

test('a key that is revoked while its claim waits gets no message, however short the wait was', async () => {
  const address = await newAgent();
  const { id: key, secret } = await newKey(home, { scopes: ['mail:answer', 'messages:read'], mailbox: address });
  const waiting = claim(address, {}, secret);
  const status = async () => (await api<{ status: string }>('GET', `/mailboxes/${address}`)).body.status;
  await until(60_000, status, (seen) => seen === 'online');
  assert.equal((await api('DELETE', `/keys/${key}`, { key: home.key })).status, 204);
  const { id } = await post(address, 'not for the revoked key');
  const refused = await waiting;
  isProblem(refused, 'invalid_key');
  assert.ok(!refused.text.includes('not for'));
  const { message } = await claimOne(address);
  assert.equal(message.id, id);
});

test('who waits for a mailbox that is deleted is told at once: a claim, a sync send, and who waits for a message', async () => {
  const its = await newNamespace();
  const [alone, ofNamespace] = [await newAgent({ by_hand: true }, its), await newAgent({ by_hand: true }, its)];
  for (const [address, gone] of [
    [alone, `/mailboxes/${alone}`],
    [ofNamespace, `/namespaces/${its.name}`],
  ] as const) {
    const { id } = await post(address);
    const reading = read(other.key, id, '?wait=60');
    const sending = send(other.key, { to: address, body: 'Now', sync: true }, { prefer: 'wait=60' });
    const list = async () => (await api('GET', `/mailboxes/${address}/messages`, { key: its.key })).text;
    await until(60_000, list, (seen) => seen.includes('Now'));
    // It takes what there is, so that the next one waits.
    assert.equal((await claim(address, { max: 2 }, its.key)).body.items.length, 2);
    const claiming = claim(address, { wait: 60 }, its.key);
    await pause(100);
    assert.equal((await api('DELETE', gone, { key: its.key })).status, 204);
    isProblem(await sending, 'mailbox_gone');
    isProblem(await reading, 'message_not_found');
    isOneOf(await claiming, 'mailbox_gone', 'namespace_gone', 'invalid_key');
  }
});

test('a reply is not answered: the message that it replies to is named', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const { body } = await answer(id, { body: 'mine' });
  const refused = await answer(body.reply?.id ?? '', { body: 'x' });
  isProblem(refused, 'insufficient_scope');
  assert.match(refused.text, new RegExp(`is a reply to ${id}`));
});

test('a draft longer than a reply may be is refused, and the claim holds', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const { claim: held } = await claimOne(address);
  const draft = 'x'.repeat(1024 * 1024 + 1);
  const { status, text } = await api('POST', `/mail/messages/${id}/progress`, {
    key: home.key,
    body: { claim: held, draft },
  });
  assert.equal(status, 413, text);
  assert.match(text, /1048576 bytes/);
  assert.equal((await answer(id, { claim: held, body: 'short' })).status, 200);
  const huge = await answer(id, { body: 'x'.repeat(3_000_000) });
  isProblem(huge, 'body_too_large');
  assert.match(huge.text, /2097152 bytes/);
});

test('what a claim or an answer lacks is said, and nothing is lost', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const { claim: held } = await claimOne(address);
  for (const body of [
    { claim: held },
    { claim: held, body: '' },
    { claim: held, body: 'x', error: 'why?' },
    { claim: held, status: 'failed' },
    { claim: held, body: 'x', status: 'canceled' },
    { claim: 'clm_1', body: 'x' },
    { claim: held, body: 'x', more: 1 },
    { claim: held, status: 'failed', error: 'x', data: {} },
    { claim: held, body: 'x\0' },
  ])
    isProblem(await answer(id, body), 'validation_error');
  isProblem(await answer(id, { claim: held, body: 'x'.repeat(1_100_000) }), 'body_too_large');
  for (const body of [
    { max: 0 },
    { max: 65 },
    { wait: 61 },
    { wait: -1 },
    { lease_seconds: 9 },
    { lease_seconds: 3601 },
    { x: 1 },
  ])
    isProblem(await claim(address, body), 'validation_error');
  assert.equal((await answer(id, { claim: held, body: 'fine' })).status, 200);
});

test('others claim and answer nothing: another namespace, a key without the scope, one bound elsewhere', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  isProblem(await claim(address, { wait: 0 }, other.key), 'access_denied');
  const own = await answer(id, { body: 'x' }, other.key);
  isProblem(own, 'insufficient_scope');
  // Its scopes are all there are, so another key of this namespace would not help.
  assert.match(own.text, new RegExp(`a key of ${home.name}`));
  isProblem(await answer(id, { body: 'x' }, (await newNamespace()).key), 'message_not_found');
  const reader = (await newKey(home, { scopes: ['messages:read'] })).secret;
  isProblem(await claim(address, { wait: 0 }, reader), 'insufficient_scope');
  const elsewhere = await newKey(home, { scopes: ['mail:answer'], mailbox: await newAgent() });
  isProblem(await claim(address, { wait: 0 }, elsewhere.secret), 'access_denied');
  isProblem(await answer(id, { body: 'x' }, elsewhere.secret), 'message_not_found');
  const bound = await newKey(home, { scopes: ['mail:answer'], mailbox: address });
  const { items } = (await claim(address, {}, bound.secret)).body;
  assert.equal(items[0]?.message.id, id);
  assert.equal((await answer(id, { claim: items[0]?.claim, body: 'mine' }, bound.secret)).status, 200);
});

interface Operation {
  readonly security: readonly object[];
}

test('a key bound to an address with the scope to answer can do nothing else, on any endpoint', async () => {
  const address = await newAgent();
  const elsewhere = await newAgent();
  const { id, thread_id } = await post(address);
  const theirs = await post(elsewhere);
  const { secret } = await newKey(home, { scopes: ['mail:answer'], mailbox: address });
  const { paths } = (await api<{ paths: Record<string, Record<string, Operation>> }>('GET', '/openapi.json')).body;
  const may: string[] = [];
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations)) {
      if (operation.security.some((way) => Object.keys(way).length === 0)) continue;
      const to = path
        .replace('{address}', address)
        .replace('{name}', home.name)
        .replace('{id}', path.includes('threads') ? thread_id : path.includes('/messages/') ? id : 'key_1');
      // A claim would wait for a message.
      const sent = path.endsWith('/claim') ? { wait: 0 } : {};
      const body = method === 'get' || method === 'delete' ? {} : { body: sent };
      const { status, text } = await api(method.toUpperCase(), to.replace('/api/v1', ''), { key: secret, ...body });
      // The right is checked before the form of what is sent, so 415 and 422 mean that it may.
      if (status < 400 || status === 415 || status === 422)
        may.push(`${method.toUpperCase()} ${path.replace('/api/v1', '')}`);
      else assert.ok([401, 403, 404].includes(status), `${method} ${path}: ${text}`);
    }
  assert.deepEqual(may.sort(), [
    'GET /me',
    'PATCH /mail/messages/{id}',
    'PATCH /mail/threads/{id}',
    'POST /mail/messages/batch',
    'POST /mail/messages/{id}/answer',
    'POST /mail/messages/{id}/progress',
    'POST /mail/messages/{id}/release',
    'POST /mail/messages/{id}/restore',
    'POST /mail/messages/{id}/trash',
    'POST /mail/threads/{id}/notes',
    'POST /mailboxes/{address}/answers',
    'POST /mailboxes/{address}/claim',
    'POST /mailboxes/{address}/import',
  ]);
  // The first one was claimed above.
  const next = await post(address);
  const { items } = (await claim(address, { max: 64, wait: 0 }, secret)).body;
  assert.deepEqual([items.length, items[0]?.message.id], [1, next.id]);
  for (const key of ['answer', 'progress', 'release']) {
    const body = key === 'answer' ? { body: 'x' } : { claim: items[0]?.claim };
    isProblem(await api('POST', `/mail/messages/${theirs.id}/${key}`, { key: secret, body }), 'message_not_found');
  }
  // The claim of another message answers nothing.
  const wrong = await answer(next.id, { claim: 'clm_00000000000000000000', body: 'x' }, secret);
  isProblem(wrong, 'claim_lost');
  isProblem(
    await api('PATCH', `/mail/messages/${theirs.id}`, { key: secret, body: { labels: { add: ['x'] } } }),
    'message_not_found',
  );
  const done = await answer(next.id, { claim: items[0]?.claim, body: 'Mine' }, secret);
  // What it answers with, it is not shown without the right to read.
  assert.deepEqual([done.status, done.body.body, done.body.reply?.body ?? null], [200, '', null]);
});

test('messages of another behavior are not claimed, and answered by hand only once they are settled', async () => {
  const { address } = await newMailbox(home);
  isProblem(await claim(address, { wait: 0 }), 'not_waiting');
  const sent = await send(other.key, { to: address, body: 'hello', sync: true });
  const more = await answer(sent.body.id, { body: 'And in person: welcome.' });
  assert.deepEqual([more.status, more.body.answer.settles], [200, false], more.text);
});

test('a canceled message gets no answer, and a deleted one is not found', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const { claim: held } = await claimOne(address);
  await api('POST', `/mail/messages/${id}/cancel`, { key: other.key });
  isProblem(await answer(id, { claim: held, body: 'late' }), 'not_waiting');
  const next = await post(address);
  await api('DELETE', `/mailboxes/${address}`, { key: home.key });
  isProblem(await answer(next.id, { body: 'x' }), 'message_not_found');
});

test('a paused mailbox gives its messages to none until it is resumed', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  await change(home.key, address, { status: 'paused' });
  assert.deepEqual((await claim(address, { wait: 0 })).body, { items: [] });
  await change(home.key, address, { status: 'online' });
  assert.equal((await claimOne(address)).message.id, id);
});

test('with another behavior, what waits is answered by that behavior', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  await change(home.key, address, { behavior: { name: 'hello' } });
  assert.equal((await read(other.key, id, '?wait=60')).body.status, 'completed');
});

test('a guest tries an agent from its page and gets the answer', async () => {
  const address = await newAgent({ by_hand: true });
  const trying = api<Envelope>('POST', '/mail/try', { body: { to: address, body: 'a guest asks' } });
  const { message, claim: held } = await claimOne(address);
  await answer(message.id, { claim: held, body: 'welcome' });
  assert.equal((await trying).body.reply?.body, 'welcome');
});

test('what a program was handed can be read at once: by its id, in its thread and in the inbox', async () => {
  const address = await newAgent();
  for (const look of [
    (id: string) => `/mail/messages/${id}`,
    (id: string) => `/mail/threads/thr_${id.slice(4)}`,
    () => `/mailboxes/${address}/messages`,
  ]) {
    const waiting = claimOne(address);
    await pause(100);
    const sending = send(other.key, { to: address, body: unique('look'), sync: true });
    const { message, claim: held } = await waiting;
    const seen = await api('GET', look(message.id), { key: home.key });
    assert.ok(seen.status === 200 && seen.text.includes(message.body), seen.text);
    assert.equal((await answer(message.id, { claim: held, body: 'seen' })).status, 200);
    assert.equal((await sending).body.reply?.body, 'seen');
  }
});

test('an exchange that a program answers at once has the events of the arrival and of the end', async () => {
  const own = await newNamespace();
  const address = await newAgent({}, own);
  const waiting = claim(address, {}, own.key);
  await pause(100);
  const sending = send(other.key, { to: address, body: unique('events'), sync: true });
  const [{ message, claim: held }] = (await waiting).body.items as [Item];
  await answer(message.id, { claim: held, body: 'done' }, own.key);
  await sending;
  const { items } = (await api<{ items: { type: string }[] }>('GET', '/events', { key: own.key })).body;
  assert.deepEqual(
    items.map(({ type }) => type).filter((type) => type.startsWith('message.')),
    ['message.received', 'message.completed'],
  );
});

test('several messages are answered in one request, and each that cannot be has its own problem', async () => {
  const address = await newAgent();
  const elsewhere = await newAgent();
  const sent = [await post(address), await post(address), await post(elsewhere)];
  const { items } = (await claim(address, { max: 5 })).body;
  const foreign = await claimOne(elsewhere);
  assert.equal(items.length, 2);
  const [one, two] = items as [Item, Item];
  const answers = [
    { message_id: one.message.id, claim: one.claim, body: 'first' },
    { message_id: two.message.id, claim: foreign.claim, body: 'under the claim of another' },
    { message_id: foreign.message.id, claim: foreign.claim, body: 'of another mailbox' },
    { message_id: two.message.id, claim: two.claim },
    { message_id: two.message.id, claim: two.claim, status: 'failed', error: 'No.' },
  ];
  const batch = () =>
    api<{ items: { message_id: string; answer?: { settles: boolean }; problem?: { code: string } }[] }>(
      'POST',
      `/mailboxes/${address}/answers`,
      { key: home.key, body: { answers } },
    );
  const results = (await batch()).body.items.map((item) => item.problem?.code ?? item.answer?.settles);
  assert.deepEqual(results, [true, 'claim_lost', 'message_not_found', 'validation_error', true]);
  assert.equal((await read(other.key, sent[0]?.id ?? '')).body.reply?.body, 'first');
  assert.equal((await read(other.key, two.message.id)).body.status, 'failed');
  const again = (await batch()).body.items;
  assert.equal(again[0]?.answer?.settles, true, 'repeated it adds nothing');
  assert.equal((await read(other.key, sent[0]?.id ?? '')).body.replies_count, 1);
  isProblem(
    await api('POST', `/mailboxes/${address}/answers`, { key: home.key, body: { answers: [] } }),
    'validation_error',
  );
});
