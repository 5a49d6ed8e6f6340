import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { decodeProtectedHeader } from 'jose';
import type { Node } from '../../../../../tests/harness/nodes.ts';
import { slowness } from '../../../../../tests/harness/soon.ts';
import { until } from '../../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../../tests/harness/wire.ts';
import { a, b, c, home } from './shared.ts';

// Three nodes on one database: a scheduled run happens once for each time it is due, whichever nodes are running.
let to = '';
let target = '';
before(async () => {
  to = (await a.client.newMailbox(home, { behavior: { name: 'do' } })).address;
  target = (await a.client.newMailbox(home)).address;
});

const step = (task: string, input: unknown) => ({ task, input });
const brief = (value: unknown): string => JSON.stringify(value).slice(0, 1500);
const inbox = async (node: Node, address: string): Promise<Envelope[]> =>
  node.client.all<Envelope>(`/mailboxes/${address}/messages?limit=100`, home.key);

test('thirty reminders that are due at the same second come once each on three nodes', async () => {
  // The time must still be in the future when everything is planned, also on a busy machine.
  const at = new Date(Date.now() + 4_000 * (await slowness())).toISOString();
  for (const [turn, node] of [a, b, c].entries()) {
    const steps = Array.from({ length: 10 }, (_, n) => step('remind', { text: `<${turn}-${n}>`, at }));
    const sent = await node.client.send(home.key, { to, body: 'x', data: { steps }, sync: true });
    assert.equal(sent.body.status, 'completed', sent.text);
  }
  const reminded = async (): Promise<string[]> =>
    (await inbox(b, to))
      .map(({ reply }) => /^Reminder: (<\d-\d>)$/.exec(reply?.body ?? '')?.[1])
      .filter((one) => one !== undefined);
  await until(60_000, reminded, (found) => found.length >= 30);
  await pause(2_500);
  const all = await reminded();
  assert.equal(all.length, 30);
  assert.equal(new Set(all).size, 30);
});

test('one approval on every node at once counts once', async () => {
  const { address: careful } = await b.client.newMailbox(home, {
    behavior: { name: 'do', settings: { approval: ['send'] } },
  });
  const sent = await b.client.send(home.key, { to: careful, body: `send ${target}: agreed` });
  await until(
    10_000,
    async () => (await b.client.read(home.key, sent.body.id)).body,
    ({ waiting_for }) => waiting_for === 'approval',
  );
  const answers = await Promise.all(
    [a, b, c].map((node) => node.client.api('POST', `/mail/messages/${sent.body.id}/approve`, { key: home.key })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [200, 409, 409],
    answers.map(({ text }) => text).join(),
  );
  await until(
    10_000,
    async () => (await c.client.read(home.key, sent.body.id)).body,
    ({ status }) => status === 'completed',
  );
  assert.equal((await inbox(b, target)).filter(({ body }) => body === 'agreed').length, 1);
});

test('a receipt of any node is verified by the keys that any node publishes', async () => {
  const kids = new Set<string>();
  for (const node of [a, b, c]) {
    const done = await node.client.send(home.key, { to, body: 'calculate 1+1', sync: true });
    const { jws } = (done.body.reply?.data ?? { jws: '' }) as { jws: string };
    kids.add(decodeProtectedHeader(jws).kid as string);
  }
  for (const node of [a, b, c]) {
    const { body } = await node.client.api<{ keys: { kid: string }[] }>('GET', '//.well-known/jwks.json');
    for (const kid of kids)
      assert.ok(
        body.keys.some((key) => key.kid === kid),
        kid,
      );
  }
});

// The last two end nodes, after which each thread of do would be loaded again.
test('a due time while one node is killed and another hangs is one run', async () => {
  const dueAt = new Date(Date.now() + 2_000 * (await slowness())).toISOString();
  const planned = await a.client.send(home.key, {
    to,
    body: 'x',
    data: {
      steps: [step('schedule', { op: 'add', instructions: `send ${target}: once at most and least`, at: dueAt })],
    },
    sync: true,
  });
  assert.equal(planned.body.status, 'completed', planned.text);
  await pause(Date.parse(dueAt) - 100 - Date.now());
  b.freeze();
  await c.kill();
  const countSent = async (): Promise<number> =>
    (await inbox(a, target)).filter(({ body }) => body === 'once at most and least').length;
  await until(30_000, countSent, (n) => n === 1);
  b.thaw();
  await c.start();
  await pause(4_000);
  assert.equal(await countSent(), 1);
});

test('a message whose node is killed is finished by another, and what it sent is sent once', async () => {
  const slow = step('run', { code: 'const t = Date.now(); while (Date.now() - t < 600); 1' });
  const sent = await a.client.send(home.key, {
    to,
    body: 'x',
    data: { steps: [step('send', { to: target, body: 'from a lost node' }), slow, slow] },
  });
  await until(
    10_000,
    async () => (await b.client.read(home.key, sent.body.id)).body,
    ({ progress }) => JSON.stringify(progress).includes('2 of 3'),
  );
  await a.kill();
  const { seen } = await until(
    30_000,
    async () => (await b.client.read(home.key, sent.body.id, '?wait=5')).body,
    ({ settled_at }) => settled_at !== null,
  );
  assert.equal(seen.status, 'completed', brief(seen));
  assert.equal((await inbox(b, target)).filter(({ body }) => body === 'from a lost node').length, 1);
});
