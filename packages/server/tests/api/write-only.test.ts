import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { openConsole } from '../../../../tests/harness/console.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import type { Envelope, KeyWithSecret, Page } from '../../../../tests/harness/wire.ts';

const { client } = await openConsole();
const { api, newNamespace, newMailbox, newKey, send, read } = client;

const MOODY = { name: 'moody' };
/** Contained in every field of a message. */
const CANARY = unique('canary');
const CONTENT = { subject: `${CANARY} subject`, data: { [CANARY]: 1 } };
const act = <T = Envelope>(key: string, id: string, what: string, body?: object, headers = {}) =>
  api<T>('POST', `/mail/messages/${id}/${what}`, { key, headers, ...(body === undefined ? {} : { body }) });
const writer = (home: Home): Promise<KeyWithSecret> => newKey(home, { scopes: ['mailboxes:write'] });

/** A settled message from a mailbox of another namespace to a tagged address; its first word decides how it settles. */
async function settledSend(body: string) {
  const [home, sender] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home, { behavior: MOODY });
  const { address: from } = await newMailbox(sender, { local_part: CANARY });
  const to = address.replace('@', `+${CANARY}@`);
  const key = await newKey(sender, { scopes: ['mail:send'] });
  const sent = await send(key.secret, { to, from, body, sync: true, ...CONTENT });
  return { home, sender, address, key, sent: sent.body };
}

test('who may cancel, retry or decide and not read is told which message it is and how it stands, nothing that was written', async () => {
  const { home, sent, key } = await settledSend(`Hello ${CANARY}`);
  assert.match(sent.reply?.body ?? '', new RegExp(CANARY));
  const { secret } = await writer(home);
  isProblem(await read(secret, sent.id), 'message_not_found');
  const settled = await act(secret, sent.id, 'cancel', undefined, { 'idempotency-key': unique() });
  assert.equal(settled.status, 200, settled.text);
  assert.ok(!settled.text.includes(CANARY), settled.text);
  const { id, status, body, reply, subject, data, from, error } = settled.body;
  assert.deepEqual(
    { id, status, body, reply, subject, data, from, error },
    { id: sent.id, status: 'completed', body: '', reply: null, subject: null, data: null, from: null, error: null },
  );
  assert.deepEqual((await read(key.secret, sent.id)).body, sent, 'nothing changed for its sender');
  for (const what of ['retry', 'approve', 'refuse']) {
    const refused = await act(secret, sent.id, what, what === 'retry' ? undefined : {});
    assert.ok(refused.status >= 400 && !refused.text.includes(CANARY), refused.text);
  }
});

test('a repeated cancel and a retry tell no more than the first', async () => {
  const { home, sent } = await settledSend(`fail ${CANARY}`);
  assert.equal(sent.status, 'failed');
  const { secret } = await writer(home);
  for (const what of ['cancel', 'retry']) {
    const headers = { 'idempotency-key': unique() };
    const [first, again] = [
      await act(secret, sent.id, what, undefined, headers),
      await act(secret, sent.id, what, undefined, headers),
    ];
    for (const { status, text } of [first, again]) {
      assert.ok(status < 300, text);
      assert.ok(!text.includes(CANARY), text);
    }
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(again.body.id, first.body.id);
  }
  const reads = await newKey(home, { scopes: ['mailboxes:write', 'messages:read'] });
  assert.equal((await act(reads.secret, sent.id, 'cancel')).body.body, `fail ${CANARY}`);
});

test('who may approve and not read decides, and is told nothing of the plan', async () => {
  const home = await newNamespace();
  const settings = { approval: ['remember'] };
  const { address: to } = await newMailbox(home, { behavior: { name: 'do', settings } });
  const waits = await send(home.key, { to, body: `remember that tea is ${CANARY}`, sync: true });
  assert.equal(waits.body.waiting_for, 'approval', waits.text);
  const { secret } = await writer(home);
  for (const [what, body] of [
    ['approve', { plan_sha256: '0'.repeat(64) }],
    ['approve', {}],
    ['approve', {}],
    ['refuse', { reason: 'Late' }],
  ] as const) {
    const answer = await act(secret, waits.body.id, what, body);
    assert.ok(!answer.text.includes(CANARY), `${what} ${answer.text}`);
  }
  assert.equal((await read(home.key, waits.body.id, '?wait=20')).body.status, 'completed');
  assert.ok(!(await act(secret, waits.body.id, 'cancel')).text.includes(CANARY));
});

test('a key that sends and does not read cannot go on with, or learn of, what other keys wrote', async () => {
  const { sender, address, sent } = await settledSend(`Hello ${CANARY}`);
  const { secret } = await newKey(sender, { scopes: ['mail:send', 'mailboxes:write', 'keys:write'] });
  const never = `${sent.id.slice(0, -4)}0000`;
  const refused = async (fields: object) => {
    const answer = await send(secret, { to: address, body: 'Go on', ...fields });
    return { status: answer.status, errors: (answer.body as unknown as { errors: unknown }).errors };
  };
  assert.deepEqual(await refused({ in_reply_to: sent.id }), await refused({ in_reply_to: never }));
  assert.deepEqual(
    await refused({ thread_id: sent.thread_id }),
    await refused({ thread_id: `${sent.thread_id.slice(0, -4)}0000` }),
  );
  for (const path of [`/mail/messages/${sent.id}`, `/mail/threads/${sent.thread_id}`]) {
    isProblem(await api('GET', path, { key: secret }), 'message_not_found');
  }
  for (const path of ['/mail/messages', '/events', `/mailboxes/${CANARY}@${sender.name}.mailroom.localhost/messages`]) {
    isProblem(await api('GET', path, { key: secret }), 'insufficient_scope');
  }
});

test('a recipient has a failed message sent again, and not with its sender’s key', async () => {
  const { home, key, sent } = await settledSend('fail once');
  const { secret } = await writer(home);
  const again = await act(secret, sent.id, 'retry');
  assert.equal(again.status, 202, again.text);
  const whole = await read(home.key, again.body.id, '?wait=20');
  assert.deepEqual([whole.body.retry_of, whole.body.from, whole.body.body], [sent.id, sent.from, sent.body]);
  isProblem(await read(key.secret, again.body.id), 'message_not_found');
});

test('what a key sent stays its own when its recipient has it sent again', async () => {
  const [home, sender] = [await newNamespace(), await newNamespace()];
  const { address: to } = await newMailbox(home, { behavior: MOODY });
  const key = await newKey(sender, { scopes: ['mail:send'] });
  const sent = await send(key.secret, { to, body: 'fail once', sync: true });
  const again = await act((await writer(home)).secret, sent.body.id, 'retry');
  const { body } = await read(key.secret, again.body.id, '?wait=20');
  assert.deepEqual([body.sender, body.retry_of, body.status], [sent.body.sender, sent.body.id, 'failed']);
});

test('nothing is sent again in the name of a key that was revoked, or of a sender that is gone', async () => {
  for (const how of ['key', 'mailbox', 'namespace'] as const) {
    const { home, sender, key, sent } = await settledSend('fail once');
    const { secret } = await writer(home);
    const gone = {
      key: `/keys/${key.id}`,
      mailbox: `/mailboxes/${sent.from}`,
      namespace: `/namespaces/${sender.name}`,
    };
    assert.equal((await api('DELETE', gone[how], { key: sender.key })).status, 204, how);
    isProblem(await act(secret, sent.id, 'retry'), 'sender_not_allowed');
    const received = await api<Page<Envelope>>('GET', `/mailboxes/${sent.to.replace(/\+.*@/, '@')}/messages`, {
      key: home.key,
    });
    assert.equal(received.body.items.length, 1, how);
  }
});

test('a sign-in that its recipient has sent again is refused: it takes the key of the agent', async () => {
  const [home, sender] = [await newNamespace(), await newNamespace()];
  const { address: to } = await newMailbox(home, { behavior: MOODY });
  const { address: from } = await newMailbox(sender);
  const agent = await newKey(sender, { scopes: ['mail:send', 'auth:assert'], mailbox: from });
  const data = { op: 'token', audience: 'https://shop.example' };
  const sent = await send(agent.secret, { to, body: 'fail first', data, sync: true });
  assert.equal(sent.body.status, 'failed');
  // The recipient may change its mailbox's behavior, which then reads what the sender wrote.
  await api('PATCH', `/mailboxes/${to}`, { key: home.key, body: { behavior: { name: 'auth' } } });
  const again = await act(home.key, sent.body.id, 'retry');
  const { body } = await read(home.key, again.body.id, '?wait=20');
  assert.equal(body.status, 'rejected', JSON.stringify(body));
  assert.match(body.error?.message ?? '', /with the agent’s key/);
});
