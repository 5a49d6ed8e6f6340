import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, HELLO, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { newFolder, removeFolder, startService } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import { type Draft, draftCalls, inMs, PATH } from './draft-calls.ts';

const service = await serveInside({ env: { LIMIT_DRAFTS: '6', RATE_LIMITS: 'off' } });
const client = connect(service.url);
const { api, newNamespace, newMailbox, newPaused, newKey, read, all } = client;
const { create, get, patch, remove, sendIt, made, becomes, received, fresh } = draftCalls(client);

test('of 20 who send one draft at once each gets the same message', async () => {
  const { of, address } = await fresh();
  const { id } = made(await create(of.key, { to: address, body: 'Hi', send_at: inMs(500) }));
  const answers = await Promise.all(Array.from({ length: 20 }, () => sendIt(of.key, id)));
  for (const answer of answers) assert.equal(answer.status, 202, answer.text);
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  await pause(1000);
  assert.equal((await received(of, address)).length, 1);
});

test('send with send_at is answered with a draft, which becomes a message at its time, once', async () => {
  const { of, address } = await fresh();
  const sendAt = inMs(1200);
  const answer = await api<Draft>('POST', '/mail/send', {
    key: of.key,
    body: { to: address, body: 'Later', send_at: sendAt },
  });
  assert.equal(answer.status, 202, answer.text);
  const { draft_id, ...draft } = answer.body;
  assert.equal(draft_id, draft.id);
  assert.deepEqual([draft.status, draft.send_at], ['scheduled', sendAt]);
  assert.equal(answer.headers.get('location'), `/api/v1/mail/drafts/${draft_id}`);
  assert.deepEqual(await received(of, address), []);
  const sent = await becomes(of.key, draft.id, 'sent');
  const [message, ...more] = await received(of, address);
  assert.deepEqual([message?.id, message?.body, more], [sent.message_id, 'Later', []]);
  assert.ok(Date.parse(message?.created_at ?? '') >= Date.parse(sendAt), 'not before its time');
  assert.equal((await read(of.key, sent.message_id ?? '', '?wait=60')).body.status, 'completed');
});

test('a send with send_at is repeated safely by its idempotency key, and is another request than one without', async () => {
  const { of, address } = await fresh();
  const headers = { 'idempotency-key': unique() };
  const body = { to: address, body: 'Later', send_at: inMs(60_000) };
  const ask = (fields: object) => api<Draft>('POST', '/mail/send', { key: of.key, body: fields, headers });
  const answers = await Promise.all([ask(body), ask(body), ask(body)]);
  assert.equal(new Set(answers.map((one) => one.body.draft_id)).size, 1, answers[0]?.text);
  assert.equal(answers.filter((one) => one.headers.get('idempotency-replayed') === null).length, 1);
  isProblem(await ask({ to: address, body: 'Later' }), 'idempotency_mismatch');
  assert.equal((await all(PATH, of.key)).length, 1);
});

test('a time that is changed or removed holds, and a deleted draft is not sent', async () => {
  const { of, address } = await fresh();
  const scheduled = async () => made(await create(of.key, { to: address, body: 'Hi', send_at: inMs(1500) })).id;
  const [moved, unscheduled, deleted] = [await scheduled(), await scheduled(), await scheduled()];
  assert.equal((await patch(of.key, moved, { send_at: inMs(3_600_000) })).body.status, 'scheduled');
  assert.equal((await patch(of.key, unscheduled, { send_at: null })).body.status, 'draft');
  assert.equal((await remove(of.key, deleted)).status, 204);
  isProblem(await get(of.key, deleted), 'not_found');
  isProblem(await remove(of.key, deleted), 'not_found');
  await pause(2500);
  assert.deepEqual(await received(of, address), []);
  assert.equal((await patch(of.key, moved, { send_at: inMs(200) })).status, 200);
  await becomes(of.key, moved, 'sent');
});

test('an error of a send is answered, kept and shown, and cleared by the next change', async () => {
  const { of } = await fresh();
  const gone = (await newMailbox(of)).address;
  const byHand = made(await create(of.key, { to: gone, body: 'Hi' })).id;
  const byTime = made(await create(of.key, { to: gone, body: 'Hi', send_at: inMs(700) })).id;
  await api('DELETE', `/mailboxes/${gone}`, { key: of.key });
  isProblem(await sendIt(of.key, byHand), 'mailbox_gone');
  for (const id of [byHand, byTime]) {
    const failed = await becomes(of.key, id, 'failed');
    assert.equal(failed.error?.code, 'mailbox_gone');
    assert.deepEqual([failed.send_at, failed.message_id, failed.body], [null, null, 'Hi']);
  }
  const fixed = await patch(of.key, byTime, { to: (await newMailbox(of)).address });
  assert.deepEqual([fixed.body.status, fixed.body.error], ['draft', null]);
  assert.equal((await sendIt(of.key, byTime)).status, 202);
});

test('a draft whose key is revoked fails at its time, and another key can send it', async () => {
  const { of, address } = await fresh();
  const key = await newKey(of, { scopes: ['mail:send'] });
  const { id } = made(await create(key.secret, { to: address, body: 'Hi', send_at: inMs(700) }));
  await api('DELETE', `/keys/${key.id}`, { key: of.key });
  assert.equal((await becomes(of.key, id, 'failed')).error?.code, 'invalid_key');
  const sent = await sendIt(of.key, id);
  assert.equal(sent.status, 202, sent.text);
  assert.deepEqual(sent.body.sender, { kind: 'key', id: of.keyId });
});

test('a scheduled draft that was changed is sent by the key that changed it', async () => {
  const { of, address } = await fresh();
  const key = await newKey(of, { scopes: ['mail:send'] });
  const { id } = made(await create(key.secret, { to: address, body: 'Hi', send_at: inMs(900) }));
  await patch(of.key, id, { body: 'Ho' });
  const { message_id } = await becomes(of.key, id, 'sent');
  assert.deepEqual((await read(of.key, message_id ?? '')).body.sender, { kind: 'key', id: of.keyId });
});

test('a draft to a mailbox that does not accept its sender fails with the reason', async () => {
  const { of } = await fresh();
  const other = await newNamespace();
  const closed = await newMailbox(other, { senders: { block: [of.name] } });
  isProblem(await create(of.key, { to: closed.address, body: 'Hi', send_at: inMs(9000) }), 'sender_not_allowed');
  const { id } = made(await create(of.key, { to: closed.address, body: 'Hi' }));
  isProblem(await sendIt(of.key, id), 'sender_not_allowed');
  assert.equal((await get(of.key, id)).body.error?.code, 'sender_not_allowed');
});

test('a draft to a paused mailbox becomes a message that is held', async () => {
  const { of } = await fresh();
  const paused = await newPaused(of);
  const { id } = made(await create(of.key, { to: paused.address, body: 'Hi', sync: true }));
  const sent = await sendIt(of.key, id);
  assert.deepEqual([sent.status, sent.body.status], [202, 'submitted'], sent.text);
});

test('a draft that is due while the service is down is sent once after it is back', async () => {
  const folder = newFolder();
  after(() => removeFolder(folder));
  const first = await startService({ folder, env: { RATE_LIMITS: 'off' } });
  const firstClient = connect(first.url);
  const draftHome = await firstClient.newNamespace();
  const address = (await firstClient.newMailbox(draftHome, { behavior: HELLO })).address;
  const body = { to: address, body: 'Hi', send_at: inMs(1500) };
  const ids: string[] = [];
  for (let at = 0; at < 5; at++) {
    const answer = await firstClient.api<Draft>('POST', '/mail/send', { key: draftHome.key, body });
    ids.push(answer.body.draft_id ?? '');
  }
  await first.kill();
  await pause(1600);
  await using second = await serveInside({ folder, env: { RATE_LIMITS: 'off' } });
  const again = connect(second.url);
  for (const id of ids) {
    await until(
      8000,
      async () => (await again.api<Draft>('GET', `${PATH}/${id}`, { key: draftHome.key })).body,
      (draft) => draft.status === 'sent',
    );
  }
  assert.equal((await again.all(`/mailboxes/${address}/messages`, draftHome.key)).length, 5);
});
