import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startInside } from '../../../tests/harness/inside.ts';
import { mailroomCommand } from './command.ts';
import type { Finished } from './old-node.ts';

const { client, folder } = await startInside();
const home = await client.newNamespace();
const sender = await client.newNamespace();
const reviewer = await client.newKey(home, { scopes: ['mail:review'] });
const { address } = await client.newMailbox(home, {
  behavior: { name: 'hello', settings: { introduction: 'I am Ada.' } },
  outgoing: { review: 'always' },
});

const mailroom = (args: readonly string[]): Promise<Finished> =>
  mailroomCommand(['reviews', ...args], {
    XDG_CONFIG_HOME: folder,
    MAILROOM_URL: client.url,
    MAILROOM_KEY: reviewer.secret,
  });
interface Review {
  id: string;
  hash: string;
  message_id: string;
  reason: string | null;
}

/** A message whose answer waits, and its review. */
async function held(): Promise<{ id: string; review: Review }> {
  const { id } = (await client.send(sender.key, { to: address, body: 'Who are you?', sync: true })).body;
  const all = JSON.parse((await mailroom(['--json'])).stdout) as Review[];
  const review = all.find(({ message_id }) => message_id === id);
  assert.ok(review);
  return { id, review };
}
const stands = async (id: string) => (await client.read(sender.key, id)).body;

test('what waits to leave is listed and shown whole', async () => {
  const { review } = await held();
  assert.match((await mailroom([])).stdout, new RegExp(`${review.id}\\s.*${address}\\s.*I am Ada`));
  assert.match((await mailroom([address])).stdout, new RegExp(review.id));
  const { stdout } = await mailroom(['show', review.id]);
  for (const part of [`From: ${address}`, 'I am Ada.', review.hash, 'pending']) assert.ok(stdout.includes(part), part);
  assert.equal((await mailroom(['--status', 'approved'])).stdout, '');
  const wrong = await mailroom(['--status', 'late']);
  assert.deepEqual([wrong.status, /pending, approved/.test(wrong.stderr)], [2, true]);
  assert.notEqual((await mailroom(['show', 'rev_none'])).status, 0);
});

test('a text that was changed is shown beside that as it was first written', async () => {
  const { review } = await held();
  const other = await client.newKey(home, { scopes: ['mail:review'] });
  const body = { body: 'I am Grace.' };
  const edited = await client.api('PATCH', `/mail/reviews/${review.id}`, { key: other.secret, body });
  assert.equal(edited.status, 200, edited.text);
  const { stdout } = await mailroom(['show', review.id]);
  assert.match(stdout, /The text was changed since it was written:\n- [\s\S]*I am Ada\.[\s\S]*\n\+ I am Grace\.\n/);
  assert.ok(!(await mailroom(['show', (await held()).review.id])).stdout.includes('was changed'));
});

test('a message is approved as it was shown, and not without a yes', async () => {
  const { id, review } = await held();
  const asked = await mailroom(['approve', review.id]);
  assert.equal(asked.status, 2);
  assert.match(asked.stderr, /Let exactly this leave .*--yes/);
  assert.equal((await stands(id)).status, 'working');
  const done = await mailroom(['approve', review.id, '--yes']);
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stdout, /I am Ada\./);
  assert.match((await stands(id)).reply?.body ?? '', /I am Ada/);
  const again = await mailroom(['approve', review.id, '--yes']);
  assert.notEqual(again.status, 0);
  assert.match(again.stderr, /waits no more: it is approved/);
});

test('a message is rejected with a reason for owners', async () => {
  const { id, review } = await held();
  assert.equal((await mailroom(['reject', review.id, '--reason', 'Not for them'])).status, 0);
  const shown = JSON.parse((await mailroom(['show', review.id, '--json'])).stdout) as Review;
  assert.equal(shown.reason, 'Not for them');
  const { status, error } = await stands(id);
  assert.deepEqual([status, error?.code], ['rejected', 'review_rejected']);
});
