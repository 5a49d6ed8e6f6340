import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startInside } from '../../../../tests/harness/inside.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';

// A thread with more than one exchange: schedules come due in it, and messages fail and are retried.
const HOUR = 3_600_000;
const { client, pass } = await startInside({ env: { DO_STEP_SECONDS: '2' } });
const home = await client.newNamespace();
const brief = (value: unknown): string => JSON.stringify(value).slice(0, 1_500);
const doing = async (settings = {}): Promise<string> =>
  (await client.newMailbox(home, { behavior: { name: 'do', settings } })).address;
async function sendTo(to: string, body: string, fields: Record<string, unknown> = {}): Promise<Envelope> {
  const sent = await client.send(home.key, { to, body, sync: true, ...fields }, { prefer: 'wait=20' });
  assert.ok(sent.status < 300, sent.text);
  return sent.body;
}
const received = async (address: string): Promise<Envelope[]> =>
  (await client.api<{ items: Envelope[] }>('GET', `/mailboxes/${address}/messages?limit=100`, { key: home.key })).body
    .items;
const step = (task: string, input: unknown) => ({ task, input });

test('what a schedule sends into a thread is no answer to a question that is open there', async () => {
  const to = await doing();
  const { address: target } = await client.newMailbox(home);
  const { thread_id } = await sendTo(to, 'every day at 9 in Berlin: calculate 40+2');
  const asked = await sendTo(to, `send "hello" to ${target}\nfrobnicate the gadget`, { thread_id });
  assert.equal(asked.status, 'input_required', brief(asked));
  pass(25 * HOUR);
  const { seen } = await until(
    30_000,
    () => received(to),
    (all) => all.some(({ subject, settled_at }) => subject !== null && settled_at !== null),
  );
  const due = seen.find(({ subject }) => subject !== null);
  assert.equal(due?.status, 'completed', brief(due));
  assert.match(due?.reply?.body ?? '', /42/, brief(due));
  assert.deepEqual(await received(target), []);
  const done = await sendTo(to, 'calculate 1+1', { thread_id });
  assert.equal(done.status, 'completed', brief(done));
  assert.equal((await received(target)).length, 1, 'the answer still is one, though the schedule came between');
});

test('a follow-up goes on with the table before a question that was left open', async () => {
  const to = await doing();
  const { thread_id } = await sendTo(to, 'csv to json\nname,age\nAnn,31\nBob,27');
  assert.equal((await sendTo(to, 'frobnicate the gadget', { thread_id })).status, 'input_required');
  const done = await sendTo(to, 'only those over 30', { thread_id });
  assert.match(done.reply?.body ?? '', /1 (?:of 2 rows|row)[\s\S]*Ann/, brief(done));
});

test('an answer that failed is one again when it is retried, whatever was said in the thread since', async () => {
  const to = await doing();
  const { address: target } = await client.newMailbox(home);
  const asked = await sendTo(to, `send "hello" to ${target}\nfrobnicate the gadget`);
  const { thread_id } = asked;
  const failed = await sendTo(to, 'calculate 1001!', { thread_id });
  assert.equal(failed.status, 'failed', brief(failed));
  assert.equal((await received(target)).length, 1);
  await sendTo(to, 'calculate 1+1', { thread_id });
  const retried = await client.api<Envelope>('POST', `/mail/messages/${failed.id}/retry`, { key: home.key });
  assert.ok(retried.status < 300, retried.text);
  const { seen } = await until(
    30_000,
    async () => (await client.read(home.key, retried.body.id, '?wait=5')).body,
    ({ settled_at }) => settled_at !== null,
  );
  assert.equal(seen.error?.message, failed.error?.message, brief(seen));
  assert.equal((await received(target)).length, 2);
});

// What is said of an answer that has not come is shown by english-instructions/tests/tasks/send.test.ts.
test(
  'a message to a mailbox that takes longer than a step may is sent, and its answer not waited for',
  LONG_ONLY,
  async () => {
    const to = await doing();
    const script = 'const from = Date.now(); while (Date.now() - from < 1500); return 1';
    const other = await doing({ procedures: [{ name: 'snooze', description: 'Takes its time.', script }] });
    const snooze = 'snooze\nsnooze\nsnooze';
    const steps = [step('send', { to: other, body: snooze }), step('calculate', { expression: '6*7' })];
    const done = await sendTo(to, 'x', { data: { steps } });
    assert.equal(done.status, 'completed', brief(done));
    assert.match(done.reply?.body ?? '', /no answer has come yet/);
    const [arrived] = await received(other);
    assert.equal(arrived?.body, snooze);
  },
);
