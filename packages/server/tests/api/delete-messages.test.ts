import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newKey, send, read, all } = connect(service.url);

const remove = (key: string, id: string) => api('DELETE', `/mail/messages/${id}`, { key });

/** A message that one namespace sent to another. */
async function sent(fields: object = {}, mailbox: Record<string, unknown> = {}) {
  const [author, home] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home, mailbox);
  const { id, thread_id } = (await send(author.key, { to: address, body: 'Hi', sync: true, ...fields })).body;
  return { author, home, address, id, thread_id };
}
const received = (key: string, address: string) => all<Envelope>(`/mailboxes/${address}/messages`, key);

test('an owner deletes a message that a mailbox received, and it is gone everywhere', async () => {
  const { author, home, address, id, thread_id } = await sent();
  assert.equal((await remove(home.key, id)).status, 204);
  isProblem(await read(home.key, id), 'message_not_found');
  isProblem(await read(author.key, id), 'message_not_found');
  isProblem(await api('GET', `/mail/threads/${thread_id}`, { key: home.key }), 'message_not_found');
  assert.deepEqual(await received(home.key, address), []);
  assert.deepEqual((await api<{ items: [] }>('GET', '/mail/messages', { key: author.key })).body.items, []);
  isProblem(await remove(home.key, id), 'message_not_found');
});

test('files of a deleted message and of its reply cannot be read any more', async () => {
  const attachments = [{ filename: 'a.txt', content_type: 'text/plain', content: 'aGk=' }];
  const { home, id } = await sent({ attachments });
  const [file] = (await read(home.key, id)).body.attachments;
  assert.ok(file);
  assert.equal((await api('GET', `/mail/attachments/${file.id}`, { key: home.key })).status, 200);
  assert.equal((await remove(home.key, id)).status, 204);
  isProblem(await api('GET', `/mail/attachments/${file.id}`, { key: home.key }), 'not_found');
});

test('the sender deletes nothing that another received, and learns why', async () => {
  const { author, home, id } = await sent();
  const refused = await remove(author.key, id);
  isProblem(refused, 'access_denied');
  assert.match(refused.text, /owner of the mailbox that received it/);
  assert.equal((await read(home.key, id)).status, 200);
  isProblem(await remove((await newNamespace()).key, id), 'message_not_found');
});

test('only keys with mailboxes:write of its mailbox delete a message', async () => {
  const { home, address, id } = await sent();
  const other = await newMailbox(home);
  for (const scopes of [['mail:answer', 'messages:read'], ['mail:send']])
    isProblem(await remove((await newKey(home, { scopes })).secret, id), 'insufficient_scope');
  const elsewhere = await newKey(home, { scopes: ['mailboxes:write'], mailbox: other.address });
  isProblem(await remove(elsewhere.secret, id), 'message_not_found');
  const bound = await newKey(home, { scopes: ['mailboxes:write'], mailbox: address });
  assert.equal((await remove(bound.secret, id)).status, 204);
});

test('the reply that a mailbox received stays with it, and is deleted from it alone', async () => {
  const [author, home] = [await newNamespace(), await newNamespace()];
  const [from, to] = [await newMailbox(author), await newMailbox(home)];
  const asked = (await send(author.key, { to: to.address, from: from.address, body: 'Hi', sync: true })).body;
  const second = (await send(author.key, { to: to.address, from: from.address, body: 'Hi', sync: true })).body;
  const [reply, kept] = [asked.reply?.id ?? '', second.reply?.id ?? ''];
  assert.equal((await remove(home.key, asked.id)).status, 204);
  assert.equal((await read(author.key, reply)).status, 200);
  isProblem(await remove(home.key, kept), 'access_denied');
  assert.equal((await remove(author.key, kept)).status, 204);
  assert.ok((await read(home.key, second.id)).body.reply);
  assert.deepEqual(
    (await received(author.key, from.address)).map(({ id }) => id),
    [reply],
  );
});

test('a message that waits for an answer is canceled and deleted, and cannot be answered any more', async () => {
  const agent = { behavior: { name: 'agent', settings: {} } };
  const { author, home, id } = await sent({ sync: false }, agent);
  assert.equal((await remove(home.key, id)).status, 204);
  isProblem(await read(author.key, id), 'message_not_found');
  isProblem(
    await api('POST', `/mail/messages/${id}/answer`, { key: home.key, body: { body: 'Late' } }),
    'message_not_found',
  );
});
