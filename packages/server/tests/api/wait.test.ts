import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const inside = await startInside({ env: { LIMIT_STREAMS: '50' } });
const { api, newNamespace, newMailbox, newKey, send } = inside.client;

interface Awaited {
  readonly message: Envelope | null;
  readonly code?: string;
  readonly link?: string;
}

const wait = (key: string, address: string, body: object) =>
  api<Awaited>('POST', `/mailboxes/${address}/wait`, { key, body });
/** Long enough for a wait to have begun. */
const begun = () => pause(150);

async function house() {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const BY_HAND = { behavior: { name: 'agent', settings: { by_hand: true } } };
  const [mailbox, sender] = [await newMailbox(home, BY_HAND), await newMailbox(other, BY_HAND)];
  const write = async (body: string, fields: object = {}) =>
    (await send(other.key, { from: sender.address, to: mailbox.address, body, ...fields })).body;
  return { home, other, mailbox, sender, write, key: home.key, address: mailbox.address };
}

test('a wait gives the first message received after it that matches, and none before', async () => {
  const { key, address, sender, write } = await house();
  await write('Your code is 111111', { subject: 'Code' });
  await pause(5);
  const waiting = wait(key, address, {
    subject: 'code',
    from: sender.address,
    query: 'your',
    extract: 'code',
    wait: 20,
  });
  await begun();
  await write('Your code is 222222', { subject: 'Something else' });
  const first = await write('Your code is 333333', { subject: 'A CODE for you' });
  await write('Your code is 444444', { subject: 'Another code' });
  const { status, body, text } = await waiting;
  assert.equal(status, 200, text);
  assert.deepEqual([body.message?.id, body.code, body.link], [first.id, '333333', undefined]);
  assert.ok(body.message?.labels?.includes('unread'));
});

test('with a time or an id in the past a wait gives the oldest one after it at once, also without waiting', async () => {
  const { key, address, write } = await house();
  const startedAt = inside.now();
  await pause(5);
  const first = await write('One');
  await pause(5);
  const two = await write('Two https://example.com/verify?token=abcdef1234567890 confirms it');
  for (const seconds of [0, 5]) {
    const given = await wait(key, address, { after: new Date(startedAt).toISOString(), wait: seconds });
    assert.equal(given.body.message?.id, first.id, given.text);
    const next = await wait(key, address, { after: first.id, wait: seconds, extract: 'link' });
    assert.equal(next.body.message?.id, two.id);
    assert.equal(next.body.link, 'https://example.com/verify?token=abcdef1234567890');
    assert.equal((await wait(key, address, { after: two.created_at, wait: 0 })).body.message, null);
    assert.equal((await wait(key, address, { after: two.id, wait: 0 })).body.message, null);
  }
  assert.deepEqual((await wait(key, address, { wait: 0 })).body, { message: null });
});

test('a reply that a mailbox gets is a message it received, whenever it asked', async () => {
  const { home, other, key, address } = await house();
  const writer = await newMailbox(other, { behavior: { name: 'agent', settings: { by_hand: true } } });
  const question = (await send(key, { from: address, to: writer.address, body: 'How?' })).body;
  const waiting = wait(key, address, { wait: 20 });
  await begun();
  await api('POST', `/mail/messages/${question.id}/answer`, { key: other.key, body: { body: 'Like so.' } });
  const { body } = await waiting;
  assert.deepEqual([body.message?.body, body.message?.in_reply_to], ['Like so.', question.id]);
  assert.equal((await wait(home.key, writer.address, { wait: 0 })).status, 403);
});

test('what a mailbox writes itself, and what is in its trash, is not received', async () => {
  const { home, other, sender, key, address, write } = await house();
  const since = new Date(inside.now() - 5).toISOString();
  await send(key, { from: address, to: sender.address, body: 'Mine' });
  const thrown = await write('Away');
  await api('POST', `/mail/messages/${thrown.id}/trash`, { key: home.key });
  assert.equal((await wait(key, address, { after: since, wait: 0 })).body.message, null);
  assert.equal((await wait(other.key, sender.address, { after: since, wait: 0 })).body.message?.body, 'Mine');
});

test('a copy for which the mailbox only listens, and a message that is answered at once, are received', async () => {
  const { home, other, address, sender, key } = await house();
  const quick = await newMailbox(home, { behavior: { name: 'hello' } });
  const [copied, answered] = [wait(key, address, { wait: 20 }), wait(key, quick.address, { wait: 20 })];
  await begun();
  const text = unique();
  await send(other.key, { from: sender.address, to: quick.address, cc: [address], body: text });
  assert.deepEqual([(await copied).body.message?.body, (await answered).body.message?.body], [text, text]);
});

test('a key without the right, and bad fields, are refused; a wait ends with its mailbox and its key', async () => {
  const { home, key, address } = await house();
  const { secret } = await newKey(home, { scopes: ['mail:send'] });
  isProblem(await wait(secret, address, {}), 'insufficient_scope');
  for (const bad of [
    { after: 'yesterday' },
    { after: 'evt_0' },
    { from: 'nobody at all' },
    { wait: 61 },
    { wait: -1 },
    { extract: 'both' },
    { query: '' },
    { more: 1 },
  ])
    isProblem(await wait(key, address, bad), 'validation_error');
  const reader = await newKey(home, { scopes: ['messages:read'] });
  const [revoked, gone] = [wait(reader.secret, address, { wait: 2 }), wait(key, address, { wait: 20 })];
  await begun();
  await api('DELETE', `/keys/${reader.id}`, { key });
  isProblem(await revoked, 'invalid_key');
  await api('DELETE', `/mailboxes/${address}`, { key });
  isProblem(await gone, 'mailbox_gone');
});

test('a thousand waits of one key at once each get the message, and the next one is refused', async () => {
  const { key, address, write } = await house();
  const waits = Array.from({ length: 1_000 }, () => wait(key, address, { wait: 30 }));
  await pause(5_000);
  isProblem(await wait(key, address, { wait: 1 }), 'rate_limited');
  const { id } = await write('For all of you');
  const got = await Promise.all(waits);
  assert.equal(got.filter(({ body }) => body.message?.id === id).length, 1_000);
});
