import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { openConsole } from '../../../../tests/harness/console.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const service = await openConsole();
const { newNamespace, newMailbox, newKey, send, api } = service.client;

interface Agent {
  readonly home: Home;
  readonly address: string;
  readonly local: string;
  /** May send, claim and answer as this address alone. */
  readonly key: string;
}

async function newAgent(): Promise<Agent> {
  const home = await newNamespace();
  const { address, local_part } = await newMailbox(home, { behavior: { name: 'agent' } });
  const scopes = ['mail:send', 'mail:answer', 'messages:read'];
  const { secret } = await newKey(home, { scopes, mailbox: address });
  return { home, address, local: local_part, key: secret };
}

let ada: Agent;
let bob: Agent;
before(async () => {
  [ada, bob] = await Promise.all([newAgent(), newAgent()]);
});

interface Event {
  readonly type: string;
  readonly mailbox: string;
  readonly data: { readonly address: string };
}
const loopsOf = async ({ home }: Agent): Promise<readonly Event[]> => {
  const { body } = await api<{ items: Event[] }>('GET', '/events?limit=200', { key: home.key });
  return body.items.filter(({ type }) => type === 'mailbox.loop_detected');
};

/** Two programs that answer each message with a message of their own, until one is refused. */
async function pingPong(): Promise<{ readonly sent: number; readonly refused: Awaited<ReturnType<typeof send>> }> {
  let from = ada;
  let to = bob;
  let caused_by: string | undefined;
  for (let sent = 0; ; sent++) {
    assert.ok(sent < 20, 'the loop never ended');
    const answer = await send(from.key, {
      to: to.address,
      body: 'Ping',
      ...(caused_by !== undefined && { caused_by }),
    });
    if (answer.status !== 202) return { sent, refused: answer };
    caused_by = answer.body.id;
    [from, to] = [to, from];
  }
}

test('two agents that write to each other end at 8 hops, and both owners are notified', async () => {
  const { sent, refused } = await pingPong();
  assert.equal(sent, 8);
  isProblem(refused, 'loop_detected');
  for (const agent of [ada, bob]) {
    const [event, ...more] = await loopsOf(agent);
    assert.deepEqual([event?.mailbox, event?.data.address, more], [agent.address, agent.address, []]);
    const owner = service.visitor();
    await owner.signIn(agent.home.key);
    const { html } = await owner.get('/console/activity');
    assert.match(html, /A loop was stopped in the last 24 hours/);
    assert.ok(html.includes(`>${agent.local}</a> caused one another 8 times`), html);
  }
});

test('a loop that begins again is in the log once a minute', async () => {
  const countBefore = (await loopsOf(ada)).length;
  isProblem((await pingPong()).refused, 'loop_detected');
  assert.equal((await loopsOf(ada)).length, countBefore);
  service.pass(61_000);
  isProblem((await pingPong()).refused, 'loop_detected');
  assert.equal((await loopsOf(ada)).length, countBefore + 1);
});

test('a cause is a message that the key may read or answer', async () => {
  const { body: received } = await send(ada.key, { to: bob.address, body: 'Hello' });
  const stranger = await newAgent();
  const refused = await send(stranger.key, { to: bob.address, body: 'Hello', caused_by: received.id });
  isProblem(refused, 'validation_error', '/caused_by');
  for (const caused_by of ['msg_0d8m3xk2q5v7w9y1a3c0', 'thr_1', 'x'.repeat(65), 7, ''])
    isProblem(await send(bob.key, { to: ada.address, body: 'Hello', caused_by }), 'validation_error', '/caused_by');
  const elsewhere = await newMailbox(bob.home, { behavior: { name: 'agent' } });
  const bound = await newKey(bob.home, { scopes: ['mail:send', 'mail:answer'], mailbox: elsewhere.address });
  const other = await send(bound.secret, { to: ada.address, body: 'Hello', caused_by: received.id });
  isProblem(other, 'validation_error', '/caused_by');
  const answers = await newKey(bob.home, { scopes: ['mail:send', 'mail:answer'], mailbox: bob.address });
  const may = await send(answers.secret, { to: ada.address, body: 'Hello', caused_by: received.id });
  assert.equal(may.status, 202, may.text);
  assert.equal((await send(bob.key, { to: ada.address, body: 'Hello', caused_by: null })).status, 202);
});

test('a draft keeps its cause, and is refused in a loop too', async () => {
  let caused_by: string | undefined;
  for (let hops = 0; hops < 8; hops++) {
    const [from, to] = hops % 2 === 0 ? [ada, bob] : [bob, ada];
    const { body } = await send(from.key, {
      to: to.address,
      body: 'Ping',
      ...(caused_by !== undefined && { caused_by }),
    });
    caused_by = body.id;
  }
  const body = { to: bob.address, body: 'Ping', caused_by };
  const draft = await api<{ id: string; caused_by: string }>('POST', '/mail/drafts', { key: ada.key, body });
  assert.deepEqual([draft.status, draft.body.caused_by], [201, caused_by], draft.text);
  isProblem(await api('POST', `/mail/drafts/${draft.body.id}/send`, { key: ada.key }), 'loop_detected');
  const send_at = new Date(service.now() + 60_000).toISOString();
  isProblem(await api('POST', '/mail/drafts', { key: ada.key, body: { ...body, send_at } }), 'loop_detected');
  const foreign = { to: bob.address, caused_by: 'msg_0d8m3xk2q5v7w9y1a3c0' };
  isProblem(await api('POST', '/mail/drafts', { key: ada.key, body: foreign }), 'validation_error', '/caused_by');
});

test('an answer of a program to a question of do is read as the answer, though a message caused it', async () => {
  const { address } = await newMailbox(ada.home, { local_part: unique('do'), behavior: { name: 'do' } });
  const { body: cause } = await send(bob.key, { to: ada.address, body: 'What day is it?' });
  const reminder = await send(ada.key, { to: address, body: 'remind me to call Bob', sync: true, caused_by: cause.id });
  assert.equal(reminder.body.status, 'input_required', reminder.text);
  const answer = {
    to: address,
    body: 'tomorrow at 9:00',
    thread_id: reminder.body.thread_id,
    sync: true,
    caused_by: cause.id,
  };
  const answered = await send(ada.key, answer);
  assert.equal(answered.body.status, 'completed', answered.text);
  assert.match((answered.body as Envelope).reply?.body ?? '', /call Bob/);
});
