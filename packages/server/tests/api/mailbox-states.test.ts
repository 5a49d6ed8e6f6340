import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import type { Envelope, Mailbox, Page } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newPaused, newKey, send, tryOut, read, change, all } = connect(service.url);

const _make = (home: { name: string; key: string }, body: unknown) =>
  api<Mailbox>('POST', `/namespaces/${home.name}/mailboxes`, { key: home.key, body });

test('a paused mailbox holds what it gets and answers when it is resumed', async () => {
  const home = await newNamespace();
  const mailbox = await newPaused(home);
  assert.equal(mailbox.status, 'paused');
  const sent = await Promise.all([1, 2, 3].map((n) => send(home.key, { to: mailbox.address, body: `Held ${n}` })));
  for (const answer of sent) {
    assert.equal(answer.status, 202, answer.text);
    const now = await read(home.key, answer.body.id);
    assert.equal(now.body.status, 'submitted');
    assert.equal(now.body.reply, null);
    assert.equal(now.body.settled_at, null);
  }
  assert.equal((await change(home.key, mailbox.address, { status: 'online' })).status, 'online');
  for (const answer of sent) {
    const settled = await read(home.key, answer.body.id, '?wait=20');
    assert.equal(settled.body.status, 'completed', settled.text);
    assert.match(settled.body.reply?.body ?? '', /I write programs/);
  }
});

test('a paused mailbox answers sync sends and try-outs at once with 202, held', async () => {
  const home = await newNamespace();
  const mailbox = await newPaused(home);
  const began = performance.now();
  const sent = await send(home.key, { to: mailbox.address, body: 'Hi', sync: true }, { prefer: 'wait=20' });
  const tried = await tryOut({ to: mailbox.address, body: 'Hi' });
  await assertSoon(performance.now() - began, 5_000, 'what does not wait');
  for (const answer of [sent, tried]) {
    assert.equal(answer.status, 202, answer.text);
    assert.equal(answer.body.status, 'submitted');
    assert.equal(answer.body.reply, null);
    assert.equal(answer.headers.get('location'), `/api/v1/mail/messages/${answer.body.id}`);
  }
  await change(home.key, mailbox.address, { status: 'online' });
  assert.equal((await read(home.key, sent.body.id, '?wait=20')).body.status, 'completed');
  assert.equal((await read(home.key, tried.body.id, '?wait=20')).body.status, 'completed');
});

test('a deleted mailbox is gone for everyone', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const sent = await send(home.key, { to: mailbox.address, body: 'Hi', sync: true });
  const deleted = await api('DELETE', `/mailboxes/${mailbox.address}`, { key: home.key });
  assert.equal(deleted.status, 204, deleted.text);
  isProblem(await api('GET', `/mailboxes/${mailbox.address}`), 'mailbox_gone');
  isProblem(await api('GET', `/mailboxes/${mailbox.address}`, { key: home.key }), 'mailbox_gone');
  isProblem(await send(home.key, { to: mailbox.address, body: 'Hi' }), 'mailbox_gone');
  isProblem(await send(home.key, { to: mailbox.address, body: 'Hi', sync: true }), 'mailbox_gone');
  isProblem(await tryOut({ to: mailbox.address, body: 'Hi' }), 'mailbox_gone');
  isProblem(await api('GET', `/mailboxes/${mailbox.address}/messages`, { key: home.key }), 'mailbox_gone');
  isProblem(
    await api('PATCH', `/mailboxes/${mailbox.address}`, { key: home.key, body: { status: 'paused' } }),
    'mailbox_gone',
  );
  isProblem(await api('DELETE', `/mailboxes/${mailbox.address}`, { key: home.key }), 'mailbox_gone');
  isProblem(await read(home.key, sent.body.id), 'message_not_found');
  assert.deepEqual(await all(`/namespaces/${home.name}/mailboxes`, home.key), []);
  assert.deepEqual(await all(`/mailboxes?namespace=${home.name}`), []);
});

test('a deleted mailbox with access "key" stays unknown to strangers', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { access: 'key' });
  assert.equal((await api('DELETE', `/mailboxes/${mailbox.address}`, { key: home.key })).status, 204);
  isProblem(await api('GET', `/mailboxes/${mailbox.address}`), 'mailbox_not_found');
  isProblem(await api('GET', `/mailboxes/${mailbox.address}`, { key: home.key }), 'mailbox_gone');
});

test('its owner makes a deleted mailbox anew, empty', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const first = await newMailbox(home, { local_part: 'ada', description: 'The first.' });
  const bound = await newKey(home, { scopes: ['mail:send', 'messages:read'], mailbox: first.address });
  await send(stranger.key, { to: first.address, body: 'For the first', sync: true });
  const old = await send(home.key, { to: first.address, body: 'Also the first', sync: true });
  assert.equal((await api('DELETE', `/mailboxes/${first.address}`, { key: home.key })).status, 204);
  const second = await newMailbox(home, { local_part: 'ada' });
  assert.equal(second.address, first.address);
  assert.notEqual(second.id, first.id);
  assert.equal(second.description === 'The first.', false);
  assert.equal((await api('GET', `/mailboxes/${second.address}`)).status, 200);
  assert.deepEqual(await all(`/mailboxes/${second.address}/messages`, home.key), []);
  isProblem(await read(home.key, old.body.id), 'message_not_found');
  const byBound = await send(bound.secret, { to: second.address, body: 'With the key of the first' });
  assert.ok([401, 403, 404, 410].includes(byBound.status), `a key of the first opens the second: ${byBound.text}`);
  const seen = await api<Page<Envelope>>('GET', `/mailboxes/${second.address}/messages`, { key: bound.secret });
  assert.ok([401, 403, 404, 410].includes(seen.status), `a key of the first reads the second: ${seen.text}`);
  assert.equal((await send(home.key, { to: second.address, body: 'Hi', sync: true })).status, 200);
});

test('what a deleted mailbox held is never answered', async () => {
  const home = await newNamespace();
  const mailbox = await newPaused(home, { local_part: 'ada' });
  const held = await send(home.key, { to: mailbox.address, body: 'Held' });
  assert.equal((await api('DELETE', `/mailboxes/${mailbox.address}`, { key: home.key })).status, 204);
  await newMailbox(home, { local_part: 'ada' });
  isProblem(await read(home.key, held.body.id), 'message_not_found');
});
