import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';

const service = await serveInside({ env: { RATE_LIMITS: 'off' } });
const { api, newNamespace, newMailbox, send } = connect(service.url);

const PREFER = { prefer: 'return=minimal' };
const FIELDS = ['error', 'id', 'reply', 'status', 'thread_id', 'waiting_for'];
const QUESTION = 'Who are you, and what have I sent?';

/** A mailbox that says who it is. */
async function home() {
  const namespace = await newNamespace();
  const { address: to } = await newMailbox(namespace);
  return { key: namespace.key, to };
}

test('with return=minimal a send is answered without what was sent, and with the whole reply', async () => {
  const { key, to } = await home();
  const fields = { to, body: QUESTION, subject: 'A subject', data: { n: 1 }, sync: true };
  const sent = await send(key, fields, PREFER);
  assert.deepEqual([sent.status, sent.headers.get('preference-applied')], [200, 'return=minimal']);
  assert.deepEqual(Object.keys(sent.body).toSorted(), FIELDS);
  const whole = await api('GET', `/mail/messages/${sent.body.id}`, { key });
  const { id, body, attachments, data } = (whole.body as typeof sent.body).reply ?? assert.fail();
  assert.deepEqual(sent.body.reply, { id, body, attachments, data });
  for (const text of [to, QUESTION, 'A subject']) assert.ok(!sent.text.includes(text), text);
  assert.ok(sent.text.length < whole.text.length - QUESTION.length);
});

test('it holds for what is accepted and for a repeated request too, beside other preferences', async () => {
  const { key, to } = await home();
  const headers = { ...PREFER, 'idempotency-key': 'one' };
  const first = await send(key, { to, body: QUESTION }, headers);
  assert.equal(first.status, 202);
  assert.deepEqual([Object.keys(first.body).toSorted(), first.body.reply], [FIELDS, null]);
  assert.equal(first.headers.get('location'), `/api/v1/mail/messages/${first.body.id}`);
  const again = await send(key, { to, body: QUESTION }, headers);
  assert.deepEqual([again.body.id, again.headers.get('idempotency-replayed')], [first.body.id, 'true']);
  assert.deepEqual(Object.keys(again.body).toSorted(), FIELDS);
  for (const prefer of ['Return="Minimal", wait=9', 'wait=9, respond-async, return=minimal; x=1']) {
    const sent = await send(key, { to, body: QUESTION, sync: true }, { prefer });
    assert.equal(sent.headers.get('preference-applied'), 'wait=9, return=minimal', prefer);
    assert.deepEqual(Object.keys(sent.body).toSorted(), FIELDS);
  }
});

test('of a message to several it has the first reply', async () => {
  const { key, to } = await home();
  const other = await home();
  const many = await send(key, { to: [to, other.to], body: QUESTION, sync: true }, PREFER);
  assert.equal(many.status, 200, many.text);
  assert.deepEqual(Object.keys(many.body).toSorted(), FIELDS);
  assert.ok((many.body.reply?.body ?? '') !== '');
});

test('any other preference about the answer leaves it whole, and a try-out is whole always', async () => {
  const { key, to } = await home();
  for (const prefer of [
    'return=representation, return=minimal',
    'return=representation',
    'return',
    'return=',
    'return=minimal2',
    'xreturn=minimal',
  ]) {
    const sent = await send(key, { to, body: QUESTION, sync: true }, { prefer });
    assert.deepEqual([sent.body.body, sent.headers.get('preference-applied')], [QUESTION, null], prefer);
  }
  const tried = await api<{ body: string }>('POST', '/mail/try', { body: { to, body: QUESTION }, headers: PREFER });
  assert.deepEqual([tried.status, tried.body.body, tried.headers.get('preference-applied')], [200, QUESTION, null]);
});
