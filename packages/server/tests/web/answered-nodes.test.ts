import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { visitorOf } from '../../../../tests/harness/console.ts';
import { formData } from '../../../../tests/harness/form.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

const ROUNDS = 20;
const postgres = await sharedPostgres();
after(() => postgres[Symbol.asyncDispose]());
const DATABASE_URL = await postgres.newDatabase();
const first = await startInside({ env: { DATABASE_URL } });
const second = await startInside({ env: { DATABASE_URL, BASE_URL: first.url } });
const { api, newNamespace, newMailbox, newKey, send, read } = first.client;

type Answered = Envelope & { readonly code?: string; readonly answer?: { readonly settles: boolean } };

test('of a person at one node and a program at another who answer at once, one answers, and the other is told', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
  const program = (await newKey(home, { scopes: ['mail:answer', 'messages:read'] })).secret;
  const person = visitorOf(second.client.url);
  assert.equal((await person.signIn(home.key)).status, 303);
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = (await send(other.key, { to: address, body: 'When do you open?' })).body;
    const { body } = await api<Page<{ claim: string }>>('POST', `/mailboxes/${address}/claim`, { key: program });
    const form = formData((await person.get(`/console/messages/${id}`)).html, { button: ['do', 'completed'] });
    form.set('body', 'At nine.');
    const answer = { claim: body.items[0]?.claim, body: 'At ten.' };
    const [byHand, late] = await Promise.all([
      person.post(`/console/answers/${id}`, form),
      api<Answered>('POST', `/mail/messages/${id}/answer`, { key: program, body: answer }),
    ]);
    const { reply, replies_count: count } = (await read(other.key, id)).body;
    assert.equal(count, 1, `${byHand.status} ${late.text}`);
    const outcome = [reply?.body, byHand.status, late.body.answer?.settles ?? late.body.code].join(' ');
    assert.ok(['At nine. 303 claim_lost', 'At ten. 409 true'].includes(outcome), outcome);
  }
});
