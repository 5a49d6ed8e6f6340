import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { untilDayHas } from '../../../../tests/harness/day.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { openModelServer } from '../../../../tests/harness/model-server.ts';
import { startNodes } from '../../../../tests/harness/nodes.ts';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { newFolder, removeFolder, startService } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const postgres = await sharedPostgres();
after(() => postgres[Symbol.asyncDispose]());

interface Usage {
  readonly items: readonly {
    readonly runs: number;
    readonly tokens: number;
    readonly reserved: number;
  }[];
}

const RESERVED = 1_000;
const settings = (url: string): Record<string, string> => ({
  MODEL_BASE_URL: url,
  MODEL_NAME: 'tiny',
  MODEL_TOKENS: String(RESERVED),
});

const held = Promise.withResolvers<void>();
const model = await openModelServer(async () => {
  await held.promise;
  return { text: 'Hello.', usage: { input: 40, output: 2 } };
});
after(() => model[Symbol.asyncDispose]());
const nodes = await startNodes({ postgres, count: 2, env: settings(model.url) });
after(() => nodes[Symbol.asyncDispose]());
const clients = [nodes.named('a').client, nodes.named('b').client] as const;
/** What a test takes of a day on a slow machine. */
const MAX_TEST_MS = 120_000;
beforeEach(() => untilDayHas(MAX_TEST_MS), { timeout: 2 * MAX_TEST_MS });

test('of 20 messages at two nodes at once exactly those are answered for which some is left', async () => {
  const home = await clients[0].newNamespace();
  const { address } = await clients[0].newMailbox(home, {
    behavior: { name: 'assistant' },
    budget: { tokens_per_day: 4 * RESERVED + 1 },
  });
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      (clients[n % 2] as (typeof clients)[0]).send(home.key, { to: address, body: 'Hi' }),
    ),
  );
  const states = () => Promise.all(sent.map(async ({ body }) => (await clients[0].read(home.key, body.id)).body));
  const count = (all: readonly Envelope[], ...wanted: readonly (string | undefined)[]) =>
    all.filter(({ status, error }) => status === wanted[0] && error?.code === wanted[1]).length;
  await until(20_000, states, (all) => count(all, 'rejected', 'budget_exceeded') === 15);
  assert.equal(model.requests.length, 5);
  held.resolve();
  await until(20_000, states, (all) => count(all, 'completed', undefined) === 5);
  const usage = await clients[1].api<Usage>('GET', `/mailboxes/${address}/usage`, { key: home.key });
  assert.deepEqual(
    usage.body.items.map(({ runs, tokens, reserved }) => [runs, tokens, reserved]),
    [[5, 210, 0]],
  );
  const types = (
    await clients[1].api<{ items: { type: string }[] }>('GET', '/events?limit=200', { key: home.key })
  ).body.items.map(({ type }) => type);
  assert.deepEqual(
    types.filter((type) => type.startsWith('mailbox.budget')),
    ['mailbox.budget_spent'],
  );
});

/** A service that ends as asked; only one that is killed has a process of its own. */
async function started(
  end: 'kill' | 'stop',
  options: { readonly folder: string; readonly env: Record<string, string> },
) {
  if (end === 'stop') {
    const service = await serveInside(options);
    return { url: service.url, end: () => service[Symbol.asyncDispose]() };
  }
  const service = await startService(options);
  return { url: service.url, end: () => service.kill() };
}

/**
 * The usage after a service ended while its model was asked, and another one answered the message. Both databases are
 * closed in another way.
 */
async function usageAfter(end: 'kill' | 'stop', database: Record<string, string>) {
  let requestCount = 0;
  await using model = await openModelServer(async () => {
    if (++requestCount === 1) await new Promise(() => {});
    return { text: 'Hello.', usage: { input: 40, output: 2 } };
  });
  const folder = newFolder();
  try {
    const env = { ...settings(model.url), ...database, LEASE_SECONDS: '1', STOP_SECONDS: '1' };
    const first = await started(end, { folder, env });
    const home = await connect(first.url).newNamespace();
    const { address } = await connect(first.url).newMailbox(home, {
      behavior: { name: 'assistant' },
      budget: { tokens_per_day: RESERVED + 500 },
    });
    const { body } = await connect(first.url).send(home.key, { to: address, body: 'Hi' });
    await until(
      10_000,
      async () => requestCount,
      (count) => count === 1,
    );
    await first.end();
    await using second = await serveInside({ folder, env });
    const client = connect(second.url);
    const answered = await until(
      20_000,
      async () => (await client.read(home.key, body.id)).body,
      ({ settled_at }) => settled_at !== null,
    );
    assert.equal(answered.seen.status, 'completed');
    const usage = await client.api<Usage>('GET', `/mailboxes/${address}/usage`, { key: home.key });
    assert.equal(usage.body.items.length, 1);
    return usage.body.items[0];
  } finally {
    removeFolder(folder);
  }
}

for (const [name, database] of [
  ['SQLite', async () => ({})],
  ['PostgreSQL', async () => ({ DATABASE_URL: await postgres.newDatabase() })],
] as const) {
  test(`what a crash left reserved stays counted, and the message is answered by what is left: ${name}`, async () => {
    const { runs, tokens, reserved } = (await usageAfter('kill', await database())) ?? {};
    assert.deepEqual([runs, tokens, reserved], [2, 42, RESERVED]);
  });

  test(`a service that stops gives back what its runs reserved, but what the model was sent: ${name}`, async () => {
    const { runs, tokens = 0, reserved } = (await usageAfter('stop', await database())) ?? {};
    assert.deepEqual([runs, reserved], [2, 0]);
    assert.ok(tokens > 42 && tokens < RESERVED, String(tokens));
  });
}

test('of 20 sends at two nodes at once exactly as many leave as the day has recipients, and a rejection gives one back', async () => {
  const [one, two] = clients;
  const home = await one.newNamespace();
  const reviewer = await one.newKey(home, { scopes: ['mail:review'] });
  const to = (await one.newMailbox(home, { behavior: { name: 'agent' } })).address;
  const outgoing = { review: 'always', max_per_day: 6 };
  const { address: from } = await one.newMailbox(home, { behavior: { name: 'agent' }, outgoing });
  const write = (n: number) => (n % 2 === 0 ? one : two).send(home.key, { from, to, body: `Hi ${n}` });
  const statuses = (await Promise.all(Array.from({ length: 20 }, (_, n) => write(n)))).map(({ status }) => status);
  assert.deepEqual(
    [statuses.filter((one) => one === 202).length, statuses.filter((one) => one === 429).length],
    [6, 14],
  );
  const { body } = await two.api<{ items: { id: string }[] }>('GET', `/mail/reviews?status=pending`, {
    key: reviewer.secret,
  });
  const reject = (at: typeof one) =>
    at.api('POST', `/mail/reviews/${body.items[0]?.id}/reject`, { key: reviewer.secret, body: {} });
  await Promise.all([reject(one), reject(two)]);
  assert.deepEqual([(await write(0)).status, (await write(1)).status], [202, 429]);
});
