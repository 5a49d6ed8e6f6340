import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Answer, unique } from '../../../../../tests/harness/client.ts';
import type { Noted } from '../../../../../tests/harness/gated.ts';
import { inboxListener } from '../../../../../tests/harness/mcp.ts';
import { type Node, type Nodes, startNodes } from '../../../../../tests/harness/nodes.ts';
import { assertSoon } from '../../../../../tests/harness/soon.ts';
import { until } from '../../../../../tests/harness/until.ts';
import type { Envelope, ThreadItem } from '../../../../../tests/harness/wire.ts';
import { a, b, c, gatedBox, hello, home, LEASE_S, nodes, postgres, rowsOf } from './shared.ts';

// What happens to work when its node is full, dies or hangs.
const TAKEN_OVER_MS = (LEASE_S + 5) * 1_000;
const { gates } = nodes;
const to = gatedBox;

const runsOf = (body: string): Noted[] =>
  gates.noted().filter((noted) => noted.body === body && noted.step === 'began');

/** The only reply to a message, in its thread and in the database. */
async function onlyReply(node: Node, message: Envelope): Promise<string | undefined> {
  const items = await node.client.all<ThreadItem>(`/mail/threads/${message.thread_id}`, home.key);
  const replies = items.filter((item) => item.kind === 'reply');
  assert.equal(replies.length, 1, JSON.stringify(items));
  const rows = await nodes.sql(
    `select status, body from messages where thread_id = '${message.thread_id}' and kind = 'reply'`,
  );
  assert.deepEqual(rows, [{ status: 'completed', body: replies[0]?.body }]);
  return replies[0]?.body;
}

test('a run that is longer than its lease stays where it is while its node lives', async () => {
  const body = unique();
  const sent = await a.client.send(home.key, { to, body });
  const { at } = await gates.began(body);
  const { ms } = await until(
    20_000,
    async () => Date.now() - at,
    (age) => age > 3 * LEASE_S * 1_000,
  );
  gates.open(body);
  const settled = await a.client.read(home.key, sent.body.id, '?wait=20');
  assert.equal(settled.body.status, 'completed', `after ${ms} ms: ${settled.text}`);
  assert.equal(runsOf(body).length, 1);
});

test('an MCP client is told of mail that any node takes, and goes on at another when its node dies', async () => {
  const its = await a.client.newNamespace();
  const { address } = await a.client.newMailbox(its);
  const send = async (node: Node): Promise<string> =>
    (await node.client.send(its.key, { to: address, body: unique(), sync: true })).body.id;
  const uri = `mailroom://inbox/${address}`;
  const first = await inboxListener(c.client.url, [uri], its);
  const sent: string[] = [];
  for (const node of [a, b, c, a]) sent.push(await send(node));
  await until(
    5_000,
    async () => first.told.length,
    (count) => count >= sent.length,
  );
  sent.push(await send(b));
  await c.kill();
  await first.subscription.closed;
  for (const node of [a, b]) sent.push(await send(node));
  const after = first.told.at(-1)?.cursor;
  await using second = await inboxListener(b.client.url, [`${uri}?after=${after}`], its);
  for (const node of [b, a]) sent.push(await send(node));
  await until(
    5_000,
    async () => second.told.at(-1)?.message,
    (id) => id === sent.at(-1),
  );
  const told = [...first.told, ...second.told].filter(({ event }) => event === 'message.completed');
  assert.deepEqual(
    told.map(({ message }) => message),
    sent,
  );
  await c.start();
});

describe('of two nodes, of which one has a single place for a run,', () => {
  let two: Nodes;
  before(async () => {
    const env = (index: number) => ({ RUN_MAX: index === 0 ? '1' : '64', STOP_SECONDS: '3' });
    two = await startNodes({ postgres, count: 2, env });
  });
  after(() => two[Symbol.asyncDispose]());

  test('what a node took that has no free place another runs, and who waits where it was sent gets the answer', async () => {
    const [full, free] = two.all as [Node, Node];
    const its = await free.client.newNamespace();
    const { address } = await free.client.newMailbox(its, { behavior: { name: 'gated' } });
    // Sends until the only slot is taken, because any node may claim a message.
    let taken = '';
    for (let i = 0; taken === '' && i < 20; i++) {
      const body = unique();
      await full.client.send(its.key, { to: address, body });
      if ((await two.gates.began(body)).node === full.name) taken = body;
    }
    assert.notEqual(taken, '', 'it runs none of what it is sent');
    const bodies = Array.from({ length: 8 }, () => unique());
    const sent = await Promise.all(bodies.map((body) => full.client.send(its.key, { to: address, body })));
    const waiting = sent.map((answer) => full.client.read(its.key, answer.body.id, '?wait=20'));
    for (const body of bodies) assert.equal((await two.gates.began(body)).node, free.name);
    for (const body of bodies) two.gates.open(body);
    for (const answer of await Promise.all(waiting)) {
      assert.equal(answer.body.status, 'completed', answer.text);
      assert.equal(answer.body.reply?.body, free.name);
    }
    two.gates.open(taken);
  });

  test('a node that is told to stop ends what it runs, and the others take the rest', async () => {
    const [stays, leaves] = two.all as [Node, Node];
    const its = await stays.client.newNamespace();
    const { address } = await stays.client.newMailbox(its, { behavior: { name: 'gated' } });
    const { address: quick } = await stays.client.newMailbox(its);
    const answers: Answer<Envelope>[] = [];
    const bodies: string[] = [];
    for (let i = 0; i < 10; i++) {
      const body = unique();
      bodies.push(body);
      answers.push(await leaves.client.send(its.key, { to: address, body }));
      answers.push(await leaves.client.send(its.key, { to: quick, body: unique() }));
    }
    const stopped = leaves.stop();
    for (const body of bodies) two.gates.open(body);
    assert.deepEqual(await stopped, { code: 0, signal: null });
    for (const answer of answers) {
      const settled = await stays.client.read(its.key, answer.body.id, '?wait=30');
      assert.equal(settled.body.status, 'completed', settled.text);
    }
  });
});

test('what a killed node was running another finishes after the lease, and who waits elsewhere gets the one reply', async () => {
  const bodies = Array.from({ length: 5 }, () => unique());
  const keys = new Map(bodies.map((body) => [body, unique('once-')]));
  const sendTo = (node: Node, body: string) =>
    node.client.send(
      home.key,
      { to, body, sync: true },
      { 'idempotency-key': keys.get(body) as string, prefer: 'wait=60' },
    );
  // Connections to the killed node break.
  const victim = nodes.all[1] as Node;
  const first = bodies.map((body) => sendTo(victim, body).catch(() => undefined));
  const ran = await Promise.all(bodies.map((body) => gates.began(body)));
  const lost = new Set(ran.filter((noted) => noted.node === victim.name).map((noted) => noted.body));
  assert.ok(lost.size > 0, 'the killed node runs none of them');
  const [other, third] = nodes.but(victim.name) as [Node, Node];
  for (const body of bodies)
    await until(
      5_000,
      () => rowsOf(body),
      (rows) => rows === 1,
    );
  // Attached before the kill, to a node that survives.
  const attached = bodies.map((body) => sendTo(other, body));
  await other.client.all('/mail/messages', home.key);
  await victim.kill();
  const killed = Date.now();
  await Promise.all(first);
  const retried = bodies.map((body) => sendTo(third, body));
  for (const body of bodies) if (!lost.has(body)) gates.open(body);
  // What ran on a node that died runs one at a time.
  const begun = [...lost].map(async (body) => {
    const again = await gates.began(body, victim.name);
    gates.open(body);
    return again.at;
  });
  await assertSoon((await Promise.race(begun)) - killed, TAKEN_OVER_MS, 'taking over');
  await Promise.all(begun);
  const answers = await Promise.all([...attached, ...retried]);
  for (const [i, answer] of answers.entries()) {
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, answers[i % bodies.length]?.body);
    if (lost.has(answer.body.body)) assert.notEqual(answer.body.reply?.body, victim.name);
    assert.equal(await onlyReply(third, answer.body), answer.body.reply?.body);
  }
  await victim.start();
  for (const answer of answers.slice(0, bodies.length)) {
    assert.deepEqual((await victim.client.read(home.key, answer.body.id)).body, answer.body);
  }
  for (const body of lost) assert.equal(runsOf(body).length, 2);
});

test('a node that hung past its lease settles nothing: the one reply is that of who took over, for its own callers too', async () => {
  for (const thawed of ['after the other has answered', 'while the other runs']) {
    const body = unique();
    const headers = { 'idempotency-key': unique('once-'), prefer: 'wait=60' };
    const fields = { to, body, sync: true, data: { deaf: true } };
    const hung = nodes.all[2] as Node;
    const first = hung.client.send(home.key, fields, headers);
    assert.equal((await gates.began(body)).node, hung.name, 'a sync send runs where it came in');
    // Stored before the node hangs, so that another node knows it.
    const [other] = nodes.but(hung.name) as [Node, Node];
    await until(
      5_000,
      () => rowsOf(body),
      (rows) => rows === 1,
    );
    hung.freeze();
    const frozen = Date.now();
    const elsewhere = other.client.send(home.key, fields, headers);
    const again = await gates.began(body, hung.name);
    await assertSoon(again.at - frozen, TAKEN_OVER_MS, 'taking over');
    if (thawed === 'while the other runs') hung.thaw();
    gates.open(body);
    const answer = await elsewhere;
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.reply?.body, again.node, thawed);
    hung.thaw();
    await gates.sees((noted) => noted.body === body && noted.node === hung.name && noted.step === 'ended');
    assert.deepEqual((await first).body, answer.body, `the caller of the node that hung, thawed ${thawed}`);
    // What it writes later is processed after its attempt to settle.
    assert.equal((await hung.client.send(home.key, { to: hello, body: unique(), sync: true })).status, 200);
    for (const node of nodes.all) {
      assert.deepEqual((await node.client.read(home.key, answer.body.id)).body, answer.body);
      assert.equal(await onlyReply(node, answer.body), again.node);
    }
    assert.equal(runsOf(body).length, 2);
  }
});

test('who is sent to a node that hangs retries on another and gets an answer', async () => {
  const hung = nodes.all[0] as Node;
  const [other] = nodes.but(hung.name) as [Node, Node];
  hung.freeze();
  try {
    const fields = { to: hello, body: unique(), sync: true };
    const headers = { 'idempotency-key': unique('once-') };
    const first = hung.client.send(home.key, fields, headers);
    const second = await other.client.send(home.key, fields, headers);
    assert.equal(second.status, 200, second.text);
    hung.thaw();
    const late = await first;
    assert.equal(late.status, 200, late.text);
    assert.deepEqual(late.body, second.body);
    assert.equal(late.headers.get('idempotency-replayed'), 'true');
  } finally {
    hung.thaw();
  }
});

test('a held message whose mailbox is resumed while a node hangs is answered by another', async () => {
  const { address: paused } = await a.client.newPaused(home);
  const hung = nodes.all[1] as Node;
  const [by] = nodes.but(hung.name) as [Node, Node];
  const held = await hung.client.send(home.key, { to: paused, body: unique() });
  assert.equal(held.status, 202, held.text);
  hung.freeze();
  try {
    await by.client.change(home.key, paused, { status: 'online' });
    const settled = await by.client.read(home.key, held.body.id, '?wait=20');
    assert.equal(settled.body.status, 'completed', settled.text);
  } finally {
    hung.thaw();
  }
});
