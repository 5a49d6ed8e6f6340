import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Behavior } from '@mailroom/behavior';
import { json, openAgentServer } from '../../../../tests/harness/agent-server.ts';
import type { Client } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { openModelServer } from '../../../../tests/harness/model-server.ts';
import { moody } from '../../../../tests/harness/moody.ts';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

// A person takes a conversation over while its answer is being made.

/** Where each kind of behavior begins, waits until it is let go, and ends. */
let steps = newSteps();
function newSteps() {
  const [began, go, ended] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  return { began, go, ended } as Record<'began' | 'go' | 'ended', PromiseWithResolvers<void>>;
}
async function work<T>(answer: T): Promise<T> {
  const { began, go, ended } = steps;
  began.resolve();
  await go.promise;
  ended.resolve();
  return answer;
}
/** One that does not look at its signal. */
const deaf: Behavior = { ...moody, handle: () => work({ kind: 'reply', body: 'From the behavior.' }) };

const model = await openModelServer();
model.say(() => work({ text: 'From the behavior.' }));
const program = await openAgentServer();
program.answer(() => work(json({ body: 'From the behavior.' })));
const env = { MODEL_BASE_URL: model.url, MODEL_NAME: 'tiny', WEBHOOK_NETWORKS: '127.0.0.1', SANDBOX_WORKERS: '1' };
const start = async (more = {}) => (await startInside({ env: { ...env, ...more }, behaviors: [deaf] })).client;
const postgres = await sharedPostgres();
const DATABASE_URL = await postgres.newDatabase();
after(async () => {
  for (const one of [model, program, postgres]) await one[Symbol.asyncDispose]();
});
const alone = await start();
const NODES: Readonly<Record<string, readonly [Client, Client]>> = {
  'on one node': [alone, alone],
  'on another node': [await start({ DATABASE_URL }), await start({ DATABASE_URL })],
};
const KINDS = {
  'of a behavior that ignores its signal': { behavior: { name: 'moody' } },
  'that waits for a review': { behavior: { name: 'moody' }, outgoing: { review: 'always' } },
  'of a model': { behavior: { name: 'assistant' } },
  'of a program with a webhook': { behavior: { name: 'agent', settings: { webhook_url: program.url } } },
} as const;

for (const [where, [here, there]] of Object.entries(NODES)) {
  for (const [kind, fields] of Object.entries(KINDS))
    test(`an answer ${kind}, still being made, never leaves after a person took over ${where}`, async () => {
      steps = newSteps();
      const [home, other] = [await here.newNamespace(), await here.newNamespace()];
      const { address } = await here.newMailbox(home, fields);
      const { id, thread_id } = (await here.send(other.key, { to: address, body: 'When do you open?' })).body;
      await steps.began.promise;
      const taken = await there.api('POST', `/mail/threads/${thread_id}/take-over`, { key: home.key });
      assert.equal(taken.status, 200, taken.text);
      const { waiting_for } = (await there.read(home.key, id)).body;
      assert.equal(waiting_for, 'answer');
      steps.go.resolve();
      await steps.ended.promise;
      const answer = { key: home.key, body: { body: 'At nine.' } };
      const byHand = await there.api<Envelope>('POST', `/mail/messages/${id}/answer`, answer);
      assert.equal(byHand.status, 'outgoing' in fields ? 202 : 200, byHand.text);
      if ('outgoing' in fields) {
        const { items } = (await there.api<Page<{ message: Envelope }>>('GET', '/mail/reviews', { key: home.key }))
          .body;
        assert.deepEqual(
          items.map(({ message }) => message.body),
          ['At nine.'],
        );
        return;
      }
      const { body } = await here.read(other.key, id, '?wait=20');
      assert.deepEqual([body.reply?.body, body.replies_count], ['At nine.', 1]);
    });

  test(`a program that works under a claim is told that a person took over ${where}`, async () => {
    const [home, other] = [await here.newNamespace(), await here.newNamespace()];
    const { address } = await here.newMailbox(home, { behavior: { name: 'agent' } });
    const { id, thread_id } = (await here.send(other.key, { to: address, body: 'When do you open?' })).body;
    const { body } = await here.api<Page<{ claim: string }>>('POST', `/mailboxes/${address}/claim`, { key: home.key });
    const claim = body.items[0]?.claim;
    await there.api('POST', `/mail/threads/${thread_id}/take-over`, { key: home.key });
    for (const [act, more] of [
      ['progress', { text: 'Nearly there.' }],
      ['answer', { body: 'From the program.' }],
      ['release', {}],
    ] as const) {
      const late = await here.api('POST', `/mail/messages/${id}/${act}`, { key: home.key, body: { claim, ...more } });
      assert.match(isProblem(late, 'claim_lost').detail, /A person took the conversation over/);
    }
    assert.equal((await here.read(other.key, id)).body.reply, null);
  });
}

test('a short answer that was being made before its message was written waits for the person too', async () => {
  const [home, other] = [await alone.newNamespace(), await alone.newNamespace()];
  const { address } = await alone.newMailbox(home, { behavior: { name: 'moody' } });
  steps = newSteps();
  steps.go.resolve();
  const { thread_id } = (await alone.send(other.key, { to: address, body: 'When do you open?', sync: true })).body;
  steps = newSteps();
  const { began, go } = steps;
  const sending = alone.send(
    other.key,
    { to: address, thread_id, body: 'And on Sunday?', sync: true },
    { prefer: 'wait=1' },
  );
  await began.promise;
  await alone.api('POST', `/mail/threads/${thread_id}/take-over`, { key: home.key });
  go.resolve();
  const { body } = await sending;
  assert.deepEqual([body.status, body.waiting_for, body.reply], ['submitted', 'answer', null]);
});
