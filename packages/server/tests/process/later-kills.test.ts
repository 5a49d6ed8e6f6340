import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Node, startNodes } from '../../../../tests/harness/nodes.ts';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Page } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';

// Long form of: ../api/conversations.test.ts, nodes.test.ts.

// A conversation put off comes back once, on two nodes of which one is killed while they open it.

const KILLS = amount(1, 30);
const CONVERSATIONS = amount(12, 200);
const PATIENCE_MS = 120_000;

const postgres = await sharedPostgres();
after(() => postgres[Symbol.asyncDispose]());
const nodes = await startNodes({ postgres, count: 2, env: { LEASE_SECONDS: '2' } });
after(() => nodes[Symbol.asyncDispose]());
const client = () => (nodes.all.find(({ up }) => up) as Node).client;

interface Notice {
  readonly type: string;
  readonly data: { readonly id: string };
}

const eventsAfter = async (key: string, cursor: string | null = null): Promise<Page<Notice>> =>
  (await client().api<Page<Notice>>('GET', `/events?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`, { key }))
    .body;

test('of two nodes, one of them killed again and again, each conversation for later comes back once', async () => {
  const [home, other] = [await client().newNamespace(), await client().newNamespace()];
  const { address } = await client().newMailbox(home, { behavior: { name: 'agent' } });
  const threads: string[] = [];
  const body = { state: 'later', until: new Date(Date.now() + 3_600_000).toISOString() };
  for (let nth = 0; nth < CONVERSATIONS; nth++) {
    const { thread_id } = (await client().send(other.key, { to: address, body: `Number ${nth}` })).body;
    const { status, text } = await client().api('PATCH', `/mail/threads/${thread_id}`, { key: home.key, body });
    assert.equal(status, 200, text);
    threads.push(thread_id);
  }
  // All of them are due on both nodes at once.
  await nodes.sql(`update conversations set until = ${Date.now() - 1} where state = 'later'`);
  await nodes.sql(`update jobs set due_at = ${Date.now() - 1} where kind = 'later'`);
  for (let kill = 0; kill < KILLS; kill++) {
    const node = nodes.all[kill % 2] as Node;
    await node.kill();
    await node.start();
  }
  // Without its job nothing can open one again.
  const jobs = () => nodes.sql("select id from jobs where kind = 'later'");
  await until(PATIENCE_MS, jobs, ({ length }) => length === 0);
  assert.deepEqual(await nodes.sql("select thread_id from conversations where state = 'later'"), []);
  const events: Notice[] = [];
  for (
    let page = await eventsAfter(home.key);
    page.items.length > 0;
    page = await eventsAfter(home.key, page.next_cursor)
  )
    events.push(...page.items);
  const changes = (id: string) => events.filter(({ type, data }) => type === 'thread.updated' && data.id === id);
  assert.deepEqual(
    threads.map((thread) => changes(thread).length),
    Array(CONVERSATIONS).fill(2),
    'it was put off, and opened',
  );
  const { body: open } = await client().api<Page<unknown>>('GET', '/mail/threads?state=open&limit=200', {
    key: home.key,
  });
  assert.equal(open.items.length, CONVERSATIONS);
});
