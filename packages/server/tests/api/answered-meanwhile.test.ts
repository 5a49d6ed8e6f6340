import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

type Answered = Envelope & { answer: { id: string | null; settles: boolean } };

const service = await serveInside({ env: { RATE_LIMITS: 'off' } });
const { api, newNamespace, newMailbox, newKey, send, read } = connect(service.url);
const home = await newNamespace();
const person = await newKey(home, { scopes: ['messages:read', 'mail:answer'] });
const { address } = await newMailbox(home, { behavior: { name: 'agent' } });

/** A message that a program holds, and what anyone answers to it. */
async function claimed() {
  const sent = await send(home.key, { to: address, body: 'When do you open?' });
  const { body } = await api<{ items: { claim: string }[] }>('POST', `/mailboxes/${address}/claim`, { key: home.key });
  const id = sent.body.id;
  const answer = (key: string, fields: object) =>
    api<Answered>('POST', `/mail/messages/${id}/answer`, { key, body: fields });
  return { id, claim: body.items[0]?.claim, answer };
}

test('what a program writes under its claim adds nothing once another answered by hand', async () => {
  const { id, claim, answer } = await claimed();
  assert.equal((await answer(person.secret, { body: 'At nine.' })).body.answer.settles, true);
  const late = await answer(home.key, { claim, body: 'At ten.' });
  isProblem(late, 'claim_lost');
  assert.match(late.text, /answered by hand meanwhile/);
  isProblem(await answer(home.key, { claim, status: 'failed', error: 'No idea.' }), 'claim_lost');
  assert.equal((await read(home.key, id)).body.replies_count, 1);
  const batch = await api<{ items: { problem?: { code: string } }[] }>('POST', `/mailboxes/${address}/answers`, {
    key: home.key,
    body: { answers: [{ message_id: id, claim, body: 'At ten.' }] },
  });
  assert.equal(batch.body.items[0]?.problem?.code, 'claim_lost', batch.text);
});

test('a program may still add a reply to what another answered by hand, without its claim', async () => {
  const { id, answer } = await claimed();
  await answer(person.secret, { body: 'At nine.' });
  assert.equal((await answer(home.key, { body: 'At ten on Sundays.' })).body.answer.settles, false);
  assert.equal((await read(home.key, id)).body.replies_count, 2);
});

test('the program that answered first adds further replies under its claim', async () => {
  const { claim, answer } = await claimed();
  await answer(home.key, { claim, body: 'At nine.' });
  await answer(person.secret, { body: 'Or at ten on Sundays.' });
  assert.equal((await answer(home.key, { claim, body: 'And never on Mondays.' })).body.answer.settles, false);
});

test('of one who answers by hand with the key of their program, the answer by hand is the only one', async () => {
  const { id, claim, answer } = await claimed();
  await answer(home.key, { body: 'At nine.' });
  isProblem(await answer(home.key, { claim, body: 'At ten.' }), 'claim_lost');
  assert.equal((await read(home.key, id)).body.replies_count, 1);
});
