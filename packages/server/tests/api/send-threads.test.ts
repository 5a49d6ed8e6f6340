import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { gated } from '../../../../tests/harness/gated.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { type Envelope, MAIL_DOMAIN, type ThreadItem } from '../../../../tests/harness/wire.ts';

const folder = newFolder();
after(() => removeFolder(folder));
const service = await serveInside({ behaviors: [gated(folder, 'node')] });
const { newNamespace, newMailbox, newPaused, newKey, send, read, change, all } = connect(service.url);

test('a thread goes on with its id, its messages and replies in order', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const first = await send(home.key, { to, body: 'One', sync: true });
  const two = await send(home.key, { to, body: 'Two', thread_id: first.body.thread_id, sync: true });
  const three = await send(home.key, { to, body: 'Three', in_reply_to: first.body.reply?.id, sync: true });
  const four = await send(home.key, {
    to,
    body: 'Four',
    thread_id: first.body.thread_id,
    in_reply_to: two.body.id,
    sync: true,
  });
  const sent = [first, two, three, four].map((answer) => {
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.thread_id, first.body.thread_id);
    return answer.body;
  });
  assert.equal(three.body.in_reply_to, first.body.reply?.id);
  assert.equal(four.body.in_reply_to, two.body.id);
  const items = await all<ThreadItem>(`/mail/threads/${first.body.thread_id}`, home.key);
  assert.deepEqual(
    items.map((item) => [item.kind, item.id]),
    sent.flatMap((message) => [
      ['message', message.id],
      ['reply', message.reply?.id],
    ]),
  );
  for (const [index, message] of sent.entries()) {
    const item = items[index * 2];
    assert.deepEqual(Object.keys(item ?? {}).sort(), [
      'attachments',
      'body',
      'created_at',
      'data',
      'error',
      'from',
      'id',
      'in_reply_to',
      'kind',
      'status',
      'subject',
      'thread_id',
      'to',
    ]);
    assert.equal(item?.in_reply_to, message.in_reply_to);
    assert.equal(items[index * 2 + 1]?.in_reply_to, message.id);
    assert.equal(items[index * 2 + 1]?.from, to);
  }
});

test('without a thread each message starts its own', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const one = await send(home.key, { to, body: 'One' });
  const two = await send(home.key, { to, body: 'Two' });
  assert.notEqual(one.body.thread_id, two.body.thread_id);
});

test("a thread has one sender and one mailbox: another's is refused", async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const a = await newMailbox(home);
  const b = await newMailbox(home);
  const second = await newKey(home, { scopes: ['mail:send'] });
  const { thread_id, id } = (await send(home.key, { to: a.address, body: 'One', sync: true })).body;
  const wrong: [string, string, object][] = [
    [stranger.key, '/thread_id', { to: a.address, thread_id }],
    [second.secret, '/thread_id', { to: a.address, thread_id }],
    [home.key, '/thread_id', { to: b.address, thread_id }],
    [home.key, '/thread_id', { to: a.address, thread_id, from: b.address }],
    [home.key, '/thread_id', { to: a.address, thread_id: 'thr_00000000000000000000' }],
    [home.key, '/thread_id', { to: a.address, thread_id: 'nonsense' }],
    [home.key, '/thread_id', { to: a.address, thread_id: id }],
    [home.key, '/in_reply_to', { to: a.address, in_reply_to: 'msg_00000000000000000000' }],
    [home.key, '/in_reply_to', { to: a.address, in_reply_to: 'nonsense' }],
    [home.key, '/in_reply_to', { to: b.address, in_reply_to: id }],
    [stranger.key, '/in_reply_to', { to: a.address, in_reply_to: id }],
  ];
  for (const [key, pointer, fields] of wrong) {
    isProblem(await send(key, { body: 'Two', ...fields }), 'validation_error', pointer);
    isProblem(await send(key, { body: 'Two', sync: true, ...fields }), 'validation_error', pointer);
  }
  assert.equal((await all('/mail/messages', home.key)).length, 1);
});

test('what is answered must be of the thread that is named', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const one = await send(home.key, { to, body: 'One', sync: true });
  const two = await send(home.key, { to, body: 'Two', sync: true });
  isProblem(
    await send(home.key, { to, body: 'Three', thread_id: one.body.thread_id, in_reply_to: two.body.id }),
    'validation_error',
    '/in_reply_to',
  );
});

test('a thread of a mailbox is the same sender with any key of its namespace', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const from = (await newMailbox(home)).address;
  const second = await newKey(home, { scopes: ['mail:send'] });
  const one = await send(home.key, { to, body: 'One', from, sync: true });
  const two = await send(second.secret, { to, body: 'Two', from, thread_id: one.body.thread_id, sync: true });
  assert.equal(two.status, 200, two.text);
  assert.equal(two.body.thread_id, one.body.thread_id);
});

test('a key writes as a mailbox of its namespace, which is then handed the reply', async () => {
  const home = await newNamespace();
  const receiver = await newNamespace();
  const { address: to } = await newMailbox(receiver);
  const from = await newMailbox(home);
  const sent = await send(home.key, { to, body: 'Who are you?', from: from.address.toUpperCase(), sync: true });
  assert.equal(sent.status, 200, sent.text);
  assert.equal(sent.body.from, from.address);
  assert.deepEqual(sent.body.sender, { kind: 'mailbox', id: from.id });
  const filed = await all<Envelope>(`/mailboxes/${from.address}/messages`, home.key);
  assert.equal(filed.length, 1);
  assert.equal(filed[0]?.status, 'completed');
  assert.equal(filed[0]?.body, sent.body.reply?.body);
  assert.equal(filed[0]?.thread_id, sent.body.thread_id);
});

test('two mailboxes that answer do not answer each other', async () => {
  const home = await newNamespace();
  const a = await newMailbox(home);
  const b = await newMailbox(home);
  for (const sync of [true, false]) {
    const sent = await send(home.key, { to: a.address, from: b.address, body: 'Hi', sync });
    assert.equal((await read(home.key, sent.body.id, '?wait=20')).body.status, 'completed');
  }
  // A message sent afterwards to each mailbox settles last, so anything triggered before would be there by now.
  for (const to of [a.address, b.address]) {
    const last = await send(home.key, { to, body: 'Last' });
    await read(home.key, last.body.id, '?wait=20');
  }
  assert.equal((await all(`/mailboxes/${a.address}/messages`, home.key)).length, 3);
  assert.equal((await all(`/mailboxes/${b.address}/messages`, home.key)).length, 3);
  assert.equal((await all('/mail/messages', home.key)).length, 4);
});

test('the reply to a held message is filed with its sender too', async () => {
  const home = await newNamespace();
  const held = await newPaused(home);
  const from = await newMailbox(home);
  const sent = await send(home.key, { to: held.address, from: from.address, body: 'Hi' });
  assert.deepEqual(await all(`/mailboxes/${from.address}/messages`, home.key), []);
  await change(home.key, held.address, { status: 'online' });
  const settled = await read(home.key, sent.body.id, '?wait=20');
  const filed = await all<Envelope>(`/mailboxes/${from.address}/messages`, home.key);
  assert.deepEqual(
    filed.map((item) => [item.status, item.body]),
    [['completed', settled.body.reply?.body]],
  );
});

test('no key writes as a mailbox of another namespace', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const { address: to } = await newMailbox(home);
  const foreign = await newMailbox(stranger);
  isProblem(await send(home.key, { to, body: 'Hi', from: foreign.address }), 'sender_not_allowed');
  isProblem(await send(home.key, { to, body: 'Hi', from: `hello@agents.${MAIL_DOMAIN}` }), 'sender_not_allowed');
  isOneOf(
    await send(home.key, { to, body: 'Hi', from: `nobody@${home.name}.${MAIL_DOMAIN}` }),
    'sender_not_allowed',
    'validation_error',
  );
  assert.deepEqual(await all(`/mailboxes/${to}/messages`, home.key), []);
});
