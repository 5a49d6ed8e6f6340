import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { ENVELOPE_FIELDS, type Envelope, idOf, MAIL_DOMAIN, type ThreadItem } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newPaused, send, tryOut, read, change, all } = connect(service.url);

test('anyone tries a mailbox and gets its reply', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const tried = await tryOut({ to, body: 'Who are you?' });
  assert.equal(tried.status, 200, tried.text);
  assert.deepEqual(Object.keys(tried.body).sort(), [...ENVELOPE_FIELDS, 'thread_token'].sort());
  assert.match(tried.body.id, idOf('msg'));
  assert.equal(tried.body.status, 'completed');
  assert.equal(tried.body.sender.kind, 'guest');
  assert.equal(tried.body.from, null);
  assert.match(tried.body.reply?.body ?? '', /I write programs/);
  assert.equal(tried.body.reply?.from, to);
});

test('a try-out waits as long as Prefer says, as a sync send does', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } });
  const tried = await api<Envelope>('POST', '/mail/try', { body: { to, body: 'Hi' }, headers: { prefer: 'wait=1' } });
  assert.equal(tried.status, 202, tried.text);
  assert.equal(tried.headers.get('preference-applied'), 'wait=1');
});

test('a thread token is opaque, not a JWT, and each thread has its own', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const firstToken = (await tryOut({ to, body: 'One' })).body.thread_token;
  const two = (await tryOut({ to, body: 'Two' })).body.thread_token;
  for (const token of [firstToken, two]) {
    assert.ok(token.length >= 22, token);
    assert.doesNotMatch(token, /^eyJ/);
    assert.notEqual(token.split('.').length, 3);
  }
  assert.notEqual(firstToken, two);
});

test('the thread token continues the thread', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const one = await tryOut({ to, body: 'One' });
  const { thread_id, thread_token } = one.body;
  const two = await tryOut({ to, body: 'Two', thread_id, thread_token });
  assert.equal(two.status, 200, two.text);
  assert.equal(two.body.thread_id, thread_id);
  const three = await tryOut({ to, body: 'Three', thread_id, thread_token: two.body.thread_token });
  assert.equal(three.body.thread_id, thread_id, three.text);
  const items = await all<ThreadItem>(`/mail/threads/${thread_id}`, thread_token);
  assert.deepEqual(
    items.filter((item) => item.kind === 'message').map((item) => item.body),
    ['One', 'Two', 'Three'],
  );
});

test('nobody continues a thread without its token', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const first = (await tryOut({ to, body: 'One' })).body;
  const other = (await tryOut({ to, body: 'Other' })).body;
  const { thread_id } = first;
  const elsewhere = await newMailbox(home);
  for (const fields of [
    { thread_id },
    { thread_id, thread_token: 'nonsense' },
    { thread_id, thread_token: other.thread_token },
    { thread_id, thread_token: '' },
    { thread_id: other.thread_id, thread_token: first.thread_token },
    { to: elsewhere.address, thread_id, thread_token: first.thread_token },
  ]) {
    const answer = await tryOut({ to, body: 'Two', ...fields });
    assert.ok(
      answer.status >= 400 && answer.status < 500,
      `${JSON.stringify(fields)}: ${answer.status} ${answer.text}`,
    );
  }
  assert.equal((await all<ThreadItem>(`/mail/threads/${thread_id}`, first.thread_token)).length, 2);
});

test('the thread token reads the messages of its thread and nothing else', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const first = (await tryOut({ to, body: 'One' })).body;
  const other = (await tryOut({ to, body: 'Other' })).body;
  const sent = (await send(home.key, { to, body: 'With a key', sync: true })).body;
  const token = first.thread_token;
  const got = await read(token, first.id);
  assert.equal(got.status, 200, got.text);
  assert.equal(got.body.id, first.id);
  assert.equal((await api('GET', `/mail/threads/${first.thread_id}`, { key: token })).status, 200);
  isProblem(await read(token, other.id), 'message_not_found');
  isProblem(await read(token, sent.id), 'message_not_found');
  for (const [method, path, body] of [
    ['GET', '/me', undefined],
    ['GET', '/mail/messages', undefined],
    ['GET', `/mailboxes/${to}/messages`, undefined],
    ['GET', '/keys', undefined],
    ['POST', '/mail/send', { to, body: 'Hi' }],
    ['POST', '/keys', { scopes: ['mail:send'] }],
    ['DELETE', `/mailboxes/${to}`, undefined],
    ['GET', `/mail/threads/${other.thread_id}`, undefined],
  ] as const) {
    const answer = await api(method, path, { key: token, body });
    assert.ok([401, 403, 404].includes(answer.status), `${method} ${path}: ${answer.status} ${answer.text}`);
  }
});

test('the thread token waits for a held answer', async () => {
  const home = await newNamespace();
  const { address: to } = await newPaused(home);
  const tried = await tryOut({ to, body: 'Held' });
  assert.equal(tried.status, 202, tried.text);
  assert.equal(tried.headers.get('location'), `/api/v1/mail/messages/${tried.body.id}`);
  const waiting = read(tried.body.thread_token, tried.body.id, '?wait=30');
  await change(home.key, to, { status: 'online' });
  const settled = await waiting;
  assert.equal(settled.body.status, 'completed', settled.text);
});

test('the thread token cancels what has not settled', async () => {
  const home = await newNamespace();
  const { address: to } = await newPaused(home);
  const tried = (await tryOut({ to, body: 'Held' })).body;
  const other = (await tryOut({ to, body: 'Other' })).body;
  isProblem(await api('POST', `/mail/messages/${tried.id}/cancel`, { key: other.thread_token }), 'message_not_found');
  const canceled = await api<Envelope>('POST', `/mail/messages/${tried.id}/cancel`, { key: tried.thread_token });
  assert.equal(canceled.status, 200, canceled.text);
  assert.equal(canceled.body.status, 'canceled');
  assert.equal((await read(other.thread_token, other.id)).body.status, 'submitted');
});

test('without the token a tried message is read by its recipient alone', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const { address: to } = await newMailbox(home);
  const tried = (await tryOut({ to, body: 'Hi' })).body;
  isProblem(await api('GET', `/mail/messages/${tried.id}`), 'missing_key');
  isProblem(await read(stranger.key, tried.id), 'message_not_found');
  const seen = await read(home.key, tried.id);
  assert.equal(seen.status, 200, seen.text);
  assert.ok(!seen.text.includes(tried.thread_token), 'the recipient does not see the token');
  assert.ok(!(await api('GET', `/mailboxes/${to}/messages`, { key: home.key })).text.includes(tried.thread_token));
});

test('a mailbox without a try-out is not tried', async () => {
  const home = await newNamespace();
  const closed = await newMailbox(home, { try_out: false });
  const keyed = await newMailbox(home, { access: 'key' });
  isProblem(await tryOut({ to: closed.address, body: 'Hi' }), 'access_denied');
  isProblem(await tryOut({ to: keyed.address, body: 'Hi' }), 'mailbox_not_found');
  isProblem(await tryOut({ to: `nobody@${home.name}.${MAIL_DOMAIN}`, body: 'Hi' }), 'mailbox_not_found');
  assert.deepEqual(await all(`/mailboxes/${closed.address}/messages`, home.key), []);
});

test('a thread that was begun stays closed when the try-out was closed since', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const { thread_id, thread_token } = (await tryOut({ to, body: 'One' })).body;
  await change(home.key, to, { try_out: false });
  isProblem(await tryOut({ to, body: 'Two', thread_id, thread_token }), 'access_denied');
});

test('a guest writes 8 KiB', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  assert.equal((await tryOut({ to, body: 'x'.repeat(8_192) })).status, 200);
  isProblem(await tryOut({ to, body: 'x'.repeat(8_193) }), 'body_too_large');
  isProblem(await tryOut({ to, body: 'é'.repeat(4_097) }), 'body_too_large');
});

test('a try-out is checked field by field', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const wrong: [string, unknown][] = [
    ['/to', { body: 'Hi' }],
    ['/to', { to: 'nonsense', body: 'Hi' }],
    ['/body', { to }],
    ['/body', { to, body: '' }],
    ['/body', { to, body: 5 }],
    ['/sync', { to, body: 'Hi', sync: true }],
    ['/from', { to, body: 'Hi', from: to }],
    ['/subject', { to, body: 'Hi', subject: 'Hi' }],
    ['/data', { to, body: 'Hi', data: {} }],
    ['/thread_id', { to, body: 'Hi', thread_id: 5 }],
    ['/thread_token', { to, body: 'Hi', thread_token: 5 }],
  ];
  for (const [pointer, body] of wrong) {
    isProblem(await api('POST', '/mail/try', { body }), 'validation_error', pointer);
  }
  assert.deepEqual(await all(`/mailboxes/${to}/messages`, home.key), []);
});

test('a repeated try-out is one message', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const headers = { 'idempotency-key': unique() };
  const first = await tryOut({ to, body: 'Hi' }, headers);
  const two = await tryOut({ to, body: 'Hi' }, headers);
  assert.equal(two.status, 200, two.text);
  assert.equal(two.headers.get('idempotency-replayed'), 'true');
  assert.equal(two.body.id, first.body.id);
  assert.equal((await read(two.body.thread_token, two.body.id)).status, 200);
  isProblem(await tryOut({ to, body: 'Other' }, headers), 'idempotency_mismatch');
  assert.equal((await all(`/mailboxes/${to}/messages`, home.key)).length, 1);
});

test('the four mailboxes of the house are open to try', async () => {
  for (const local of ['hello', 'proofread', 'do', 'auth']) {
    const tried = await tryOut({ to: `${local}@agents.${MAIL_DOMAIN}`, body: 'She go home.' });
    assert.equal(tried.status, 200, `${local}: ${tried.text}`);
    // The text is not an instruction.
    const wanted = local === 'do' ? 'input_required' : 'completed';
    assert.equal(tried.body.status, wanted);
  }
});
