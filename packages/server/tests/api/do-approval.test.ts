// What an owner's decision about a plan permits.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../../../../tests/harness/client.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { type Approvable, brief, openSteps, soon, steps } from './do-steps.ts';

const { api, newKey, send, read, change, home, stranger, target, doing, sendTo, arrived } = await openSteps();

const decide = (id: string, what: 'approve' | 'refuse', key = home.key, body?: unknown): Promise<Answer<Approvable>> =>
  api<Approvable>('POST', `/mail/messages/${id}/${what}`, { key, ...(body === undefined ? {} : { body }) });
/** Does not wait for the end, since the message is meant to wait. */
async function waiting(address: string, body: string, fields: Record<string, unknown> = {}, key = home.key) {
  const sent = await send(key, { to: address, body, ...fields });
  assert.ok(sent.status < 300, sent.text);
  const { seen } = await until(
    5_000,
    async () => (await read(key, sent.body.id)).body as Approvable,
    ({ status, waiting_for }) => waiting_for === 'approval' || !['submitted', 'working'].includes(status),
  );
  assert.equal(seen.status, 'working', brief(seen));
  assert.equal(seen.waiting_for, 'approval', brief(seen));
  return seen;
}
const settled = async (id: string, key = home.key): Promise<Approvable> =>
  (await read(key, id, '?wait=60')).body as Approvable;
function isNotWaiting({ status, body }: Answer<unknown>): void {
  assert.deepEqual(
    { status, code: (body as { code?: string }).code },
    { status: 409, code: 'not_waiting' },
    brief(body),
  );
}

test('a plan with a task that needs approval waits with the exact plan in view, and only that plan runs, once', async () => {
  const careful = await doing({ approval: ['send'] });
  const seen = await waiting(careful, `calculate 2+3 then send ${target}: approved once`);
  assert.ok(seen.approval, brief(seen));
  assert.match(seen.approval.plan_sha256, /^[0-9a-f]{64}$/);
  assert.match(JSON.stringify(seen.approval.plan), /approved once/);
  assert.equal(await arrived('approved once'), 0);
  const wrong = createHash('sha256').update('another plan').digest('hex');
  const with_wrong = await decide(seen.id, 'approve', home.key, { plan_sha256: wrong });
  isProblem(with_wrong, 'validation_error', '/plan_sha256');
  assert.equal(await arrived('approved once'), 0);
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => decide(seen.id, 'approve', home.key, { plan_sha256: seen.approval?.plan_sha256 })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(({ text }) => text).join('\n'));
  for (const answer of answers) if (answer.status !== 200) isNotWaiting(answer);
  await until(
    8_000,
    () => arrived('approved once'),
    (n) => n === 1,
  );
  isNotWaiting(await decide(seen.id, 'approve'));
  isNotWaiting(await decide(seen.id, 'refuse'));
  await pause(300);
  assert.equal(await arrived('approved once'), 1);
  await api('POST', `/mail/messages/${seen.id}/cancel`, { key: home.key });
});

test('the sha256 in view is that of the plan in view', async () => {
  const careful = await doing({ approval: ['remember'] });
  const seen = await waiting(careful, 'remember that a is b');
  const plan = seen.approval?.plan;
  assert.equal(
    createHash('sha256').update(JSON.stringify(plan)).digest('hex'),
    seen.approval?.plan_sha256,
    brief(seen),
  );
  assert.equal((await decide(seen.id, 'approve', home.key, { plan_sha256: seen.approval?.plan_sha256 })).status, 200);
  const done = await settled(seen.id);
  assert.equal(done.status, 'completed', brief(done));
  assert.equal(done.waiting_for, null);
  const receipt = done.reply?.data as { plan: unknown };
  assert.deepEqual(receipt.plan, (plan as { steps: unknown }).steps);
});

test('only the owner decides: not the sender, not another key of its namespace, not a key of fewer scopes', async () => {
  const careful = await doing({ approval: ['remember'], rights: { others: ['remember'] } });
  const seen = await waiting(careful, 'remember that a is b', {}, stranger.key);
  const colleague = await newKey(stranger, { name: 'c', scopes: ['mail:send', 'messages:read', 'mailboxes:write'] });
  const narrow = await newKey(home, { name: 'n', scopes: ['mail:send', 'messages:read'] });
  for (const what of ['approve', 'refuse'] as const) {
    for (const key of [stranger.key, colleague.secret, narrow.secret, undefined, 'mk_nonsense']) {
      const answer = await api('POST', `/mail/messages/${seen.id}/${what}`, { key });
      isOneOf(answer, 'insufficient_scope', 'message_not_found', 'missing_key', 'invalid_key');
    }
  }
  assert.equal((await read(home.key, seen.id)).body.status, 'working');
  assert.equal((await decide(seen.id, 'refuse', home.key, { reason: 'Not today.' })).status, 200);
  const over = (await read(stranger.key, seen.id)).body;
  assert.equal(over.status, 'rejected', brief(over));
  assert.match(over.error?.message ?? '', /Not today/);
  isNotWaiting(await decide(seen.id, 'approve'));
});

test('the answer to a question, a schedule and a procedure do not get round approval', async () => {
  const careful = await doing({
    approval: ['remember', 'run'],
    procedures: [
      { name: 'keep', description: 'k', steps: [{ task: 'remember', input: { name: 'p', text: 'q' } }] },
      { name: 'compute', description: 'c', script: '1+1' },
    ],
  });
  const asked = await sendTo(careful, 'frobnicate the wibble');
  assert.equal(asked.status, 'input_required');
  await waiting(careful, 'remember that a is b', { thread_id: asked.thread_id });
  await waiting(careful, 'keep');
  await waiting(careful, 'compute');
  await waiting(careful, 'x', steps(['keep', {}]));
  await waiting(careful, '```js\n1\n```');
  const at = await soon();
  await sendTo(careful, 'x', steps(['schedule', { op: 'add', instructions: 'remember that later is now', at }]));
  const { seen } = await until(
    30_000,
    async () =>
      (await api<{ items: Envelope[] }>('GET', `/mailboxes/${careful}/messages?limit=20`, { key: home.key })).body
        .items,
    (items) => items.some(({ body, waiting_for }) => body.includes('later is now') && waiting_for === 'approval'),
  );
  assert.ok(seen.length > 0);
});

test('canceling what waits for approval ends it: it cannot be approved any more', async () => {
  const careful = await doing({ approval: ['send'] });
  const seen = await waiting(careful, `send ${target}: canceled while waiting`);
  const canceled = await api<Envelope>('POST', `/mail/messages/${seen.id}/cancel`, { key: home.key });
  assert.ok(canceled.status < 300, canceled.text);
  assert.equal((await read(home.key, seen.id)).body.status, 'canceled');
  isNotWaiting(await decide(seen.id, 'approve'));
  await pause(300);
  assert.equal(await arrived('canceled while waiting'), 0);
});

test('what was approved does not run when the owner has since forbidden the task', async () => {
  const careful = await doing({ approval: ['send'] });
  const seen = await waiting(careful, `send ${target}: forbidden since`);
  await change(home.key, careful, {
    behavior: { name: 'do', settings: { approval: ['send'], rights: { own: ['calculate'] } } },
  });
  await decide(seen.id, 'approve');
  const done = await settled(seen.id);
  assert.ok(['rejected', 'failed'].includes(done.status), brief(done));
  assert.equal(await arrived('forbidden since'), 0);
});

test('a dry run of what needs approval asks nobody', async () => {
  const careful = await doing({ approval: ['send'] });
  const done = await sendTo(careful, `plan: send ${target}: never`);
  assert.equal(done.status, 'completed', brief(done));
});

test('a plan that waits for approval does not hold up the messages after it', async () => {
  const careful = await doing({ approval: ['send'] });
  await waiting(careful, `send ${target}: one`);
  const done = await sendTo(careful, 'calculate 2+3');
  assert.equal(done.status, 'completed', brief(done));
});
