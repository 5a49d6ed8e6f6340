import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Answer, unique } from '../../../../tests/harness/client.ts';
import { type Node, startNodes } from '../../../../tests/harness/nodes.ts';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import { type Envelope, MAIL_DOMAIN } from '../../../../tests/harness/wire.ts';
import { amount, LONG } from '../../../../tests/soak/length.ts';

/**
 * Obviously English, so that no thread has to detect its language: a message that waits for that thread would count as
 * waiting.
 */
const BODY = 'Who are you, and what is this?';
const TRIES_A_MINUTE = 10;
const NAMESPACES_AN_HOUR = 5;
const SENDS_A_MINUTE = 60;
const SENDS_BURST = 20;
const WAITING = 8;

const postgres = await sharedPostgres();
after(() => postgres[Symbol.asyncDispose]());
const NODES = amount(2, 3);
const nodes = await startNodes({
  postgres,
  count: NODES,
  env: {
    RATE_LIMITS: 'on',
    TRUST_PROXY: '127.0.0.1',
    LIMIT_TRIES_PER_MINUTE: String(TRIES_A_MINUTE),
    LIMIT_NAMESPACES_PER_HOUR: String(NAMESPACES_AN_HOUR),
    LIMIT_SENDS_PER_MINUTE: String(SENDS_A_MINUTE),
    LIMIT_SENDS_BURST: String(SENDS_BURST),
    LIMIT_WAITING: String(WAITING),
  },
});
after(() => nodes[Symbol.asyncDispose]());
const [a, b] = nodes.all as [Node, Node];
const turn = (i: number): Node => nodes.all[i % nodes.all.length] as Node;
const hello = `hello@agents.${MAIL_DOMAIN}`;
const { house } = nodes;
const newKey = async (): Promise<string> => (await a.client.newKey(house, { scopes: ['mail:send'] })).secret;

let hosts = 0;
/** A different network for each caller, since the proxy at 127.0.0.1 is trusted. */
const from = () => ({ 'x-forwarded-for': `203.0.113.${++hosts}` });

interface Counted {
  readonly allowed: number;
  readonly seconds: number;
}

/** Sends to the nodes in turn, in parallel or one after the other; every answer is `ok` or 429. */
async function spread(
  count: number,
  ok: number,
  ask: (node: Node) => Promise<Answer<unknown>>,
  parallel: boolean,
): Promise<Counted> {
  const began = performance.now();
  const answers: Answer<unknown>[] = [];
  if (parallel) answers.push(...(await Promise.all(Array.from({ length: count }, (_, i) => ask(turn(i))))));
  else for (let i = 0; i < count; i++) answers.push(await ask(turn(i)));
  for (const answer of answers) if (answer.status !== ok) isProblem(answer, 'rate_limited');
  return {
    allowed: answers.filter((answer) => answer.status === ok).length,
    seconds: (performance.now() - began) / 1_000,
  };
}

/**
 * At most the limit plus what was refilled meanwhile, and at least 80 % of the limit, since a node may hold back some
 * tokens.
 */
function holds({ allowed, seconds }: Counted, burst: number, aSecond: number): void {
  const max = burst + Math.ceil(seconds * aSecond);
  const detail = `${allowed} were allowed in ${seconds.toFixed(2)} s, of ${max}`;
  assert.ok(allowed <= max, detail);
  assert.ok(allowed >= Math.floor(burst * 0.8), detail);
}

for (const parallel of LONG ? [true, false] : [true]) {
  const how = parallel ? 'at once' : 'one after the other';

  test(`a guest who tries over ${NODES} nodes ${how} is one guest`, async () => {
    const headers = from();
    const counted = await spread(30, 200, (node) => node.client.tryOut({ to: hello, body: BODY }, headers), parallel);
    holds(counted, TRIES_A_MINUTE, TRIES_A_MINUTE / 60);
  });

  test(`who makes namespaces over ${NODES} nodes ${how} makes no more of them`, async () => {
    const headers = from();
    const make = (node: Node) => node.client.api('POST', '/namespaces', { body: { name: unique() }, headers });
    holds(await spread(20, 201, make, parallel), NAMESPACES_AN_HOUR, NAMESPACES_AN_HOUR / 3_600);
  });

  test(`a key that sends over ${NODES} nodes ${how} sends no more`, async () => {
    const key = await newKey();
    const sends = (node: Node) => node.client.send(key, { to: hello, body: BODY, sync: true });
    holds(await spread(80, 200, sends, parallel), SENDS_BURST, SENDS_A_MINUTE / 60);
  });
}

test('a key that never rests gets its rate over the nodes, not one each', async () => {
  const key = await newKey();
  const began = performance.now();
  let allowed = 0;
  const press = async (node: Node): Promise<void> => {
    while (performance.now() - began < amount(3_000, 6_000)) {
      const answer = await node.client.send(key, { to: hello, body: BODY, sync: true });
      if (answer.status === 200) allowed++;
      else isProblem(answer, 'rate_limited');
      await new Promise((resolve) => setTimeout(resolve, amount(60, 20)));
    }
  };
  await Promise.all(nodes.all.map(press));
  const seconds = (performance.now() - began) / 1_000;
  const due = SENDS_BURST + (seconds * SENDS_A_MINUTE) / 60;
  const detail = `${allowed} were allowed in ${seconds.toFixed(2)} s, of ${due.toFixed(1)}`;
  assert.ok(allowed <= Math.ceil(due), detail);
  assert.ok(allowed >= due * 0.8, detail);
});

test('who was refused by one node may go on at another after its Retry-After', async () => {
  const key = await newKey();
  await spread(60, 200, (node) => node.client.send(key, { to: hello, body: BODY, sync: true }), true);
  const refused = await until(
    5_000,
    () => a.client.send(key, { to: hello, body: BODY, sync: true }),
    (answer) => answer.status === 429,
  );
  const after_s = Number(refused.seen.headers.get('retry-after'));
  assert.ok(after_s >= 1 && after_s <= 4, `Retry-After ${after_s} at one a second`);
  await new Promise((resolve) => setTimeout(resolve, after_s * 1_000));
  const answer = await b.client.send(key, { to: hello, body: BODY, sync: true });
  assert.equal(answer.status, 200, answer.text);
});

test('a mailbox takes no more waiting messages over all nodes than it may hold', async () => {
  for (const parallel of LONG ? [false, true] : [false]) {
    const { address: to } = await a.client.newPaused(house);
    // A key for each node, so that the rate limit does not refuse.
    const keys = await Promise.all(nodes.all.map(newKey));
    const ask = (i: number) => turn(i).client.send(keys[i % NODES] as string, { to, body: unique() });
    const answers: Answer<Envelope>[] = [];
    if (parallel) answers.push(...(await Promise.all(Array.from({ length: 40 }, (_, i) => ask(i)))));
    else for (let i = 0; i < 40; i++) answers.push(await ask(i));
    const taken = answers.filter((answer) => answer.status === 202);
    for (const answer of answers) if (answer.status !== 202) isProblem(answer, 'mailbox_full');
    // Messages that are written at the same moment do not see each other.
    if (parallel) assert.ok(taken.length >= WAITING, `${taken.length}`);
    else assert.equal(taken.length, WAITING);

    // Cancels as many as exceed the limit, and one more.
    for (const answer of taken.slice(WAITING - 1)) {
      const key = await newKey();
      for (const node of nodes.all) isProblem(await node.client.send(key, { to, body: BODY }), 'mailbox_full');
      const canceled = await b.client.api('POST', `/mail/messages/${answer.body.id}/cancel`, { key: house.key });
      assert.equal(canceled.status, 200, canceled.text);
    }
    const key = await newKey();
    const next: number[] = [];
    for (const node of nodes.all) next.push((await node.client.send(key, { to, body: BODY })).status);
    assert.deepEqual(
      next.toSorted((a, b) => a - b),
      [202, ...Array(NODES - 1).fill(429)],
      'one place is free again',
    );
  }
});
