import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';

const service = await serveInside();
const { newNamespace, newMailbox, newPaused, change, send } = connect(service.url);

/** The wait is longer than what comes before its answer, on a slow machine too. */
const SECONDS = 30;

/** Sends and waits, and asserts that the answer did not use up the wait. */
async function answeredAtOnce(key: string, fields: object, headers: Record<string, string> = {}) {
  const begun = performance.now();
  const sent = await send(
    key,
    { body: 'Who are you?', sync: true, ...fields },
    { prefer: `wait=${SECONDS}`, ...headers },
  );
  assert.equal(sent.status, 202, sent.text);
  assert.equal(sent.body.status, 'working');
  assert.ok(performance.now() - begun < (SECONDS * 1000) / 2, 'the sender waited for what is held');
  return sent.body;
}

test('a paused recipient in To makes a sync send 202 at once, also when it is repeated', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const [online, paused] = [await newMailbox(other), await newPaused(other)];
  const key = { 'idempotency-key': 'paused-in-to' };
  const to = [online.address, paused.address];
  const { id } = await answeredAtOnce(home.key, { to }, key);
  assert.equal((await answeredAtOnce(home.key, { to }, key)).id, id);
});

test('an agent in To that is not connected makes it 202 at once, though another in To still works', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const byHand = await newMailbox(other, { behavior: { name: 'agent', settings: { by_hand: true } } });
  const offline = await newMailbox(other, { behavior: { name: 'agent', settings: {} } });
  await answeredAtOnce(home.key, { to: [byHand.address, offline.address] });
});

test('an answer in To that waits for its review makes it 202 at once', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const [reviewed, copied] = [await newMailbox(other), await newMailbox(other)];
  await change(other.key, reviewed.address, { outgoing: { review: 'always' } });
  await answeredAtOnce(home.key, { to: [reviewed.address], cc: [copied.address] });
});

test('a paused recipient in Cc delays nothing', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const [online, paused] = [await newMailbox(other), await newPaused(other)];
  const sent = await send(home.key, { to: [online.address], cc: [paused.address], body: 'Hi', sync: true });
  assert.equal(sent.status, 200, sent.text);
  assert.equal(sent.body.status, 'completed');
});
