import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { chance } from '../../../../tests/harness/chance.ts';
import { type Client, connect, type Home, PROOFREAD, unique } from '../../../../tests/harness/client.ts';
import { startPostgres } from '../../../../tests/harness/postgres.ts';
import { newFolder, PROOF_MAIN, removeFolder, startService } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import { amount, LONG } from '../../../../tests/soak/length.ts';

const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const KILLS = amount(1, 10);
const WORKERS = 12;

/** Resolves once none of these messages is open, with their statuses. */
async function statusesOf(client: Client, home: Home, ids: readonly string[]): Promise<string[]> {
  const statuses: string[] = [];
  for (const id of ids) {
    const settled = async () => (await client.read(home.key, id)).body;
    const { seen } = await until(120_000, settled, ({ settled_at }) => settled_at !== null);
    statuses.push(seen.status);
  }
  return statuses;
}

/** The start of a node; all nodes of a test serve the same store. */
type Start = () => ReturnType<typeof startService>;

/** What takes a while to handle: a text to proofread, or in short what takes as long without dictionaries. */
const SLOW = LONG ? { behavior: PROOFREAD } : { behavior: { name: 'gated' } };
const FOR_SLOW = LONG ? {} : { data: { ms: 50 } };

/** Under mixed load on all nodes one is killed soon after its start, again and again; then all messages are read. */
async function killedUnderLoad(t: TestContext, start: Start, nodes: number): Promise<void> {
  const random = chance(SEED);
  const acknowledged: string[] = [];
  const services = [await start()];
  while (services.length < nodes) services.push(await start());
  const clientOf = (at: number): Client => connect((services[at] as (typeof services)[number]).url);
  const client = clientOf(0);
  const home = await client.newNamespace();
  const { address: hello } = await client.newMailbox(home);
  const { address: slow } = await client.newMailbox(home, SLOW);
  let over = false;
  const load = async (client: Client): Promise<void> => {
    while (!over) {
      const to = random() < 0.3 ? { to: slow, ...FOR_SLOW } : { to: hello };
      const fields = { ...to, body: `She go to school. ${unique()}`, sync: random() < 0.5 };
      const answer = await client.send(home.key, fields).catch(() => undefined);
      if (answer === undefined) return;
      if (answer.status < 300) acknowledged.push(answer.body.id);
    }
  };
  for (let kill = 0; kill < KILLS; kill++) {
    const killed = Math.floor(random() * nodes);
    over = false;
    const loading = Promise.all(Array.from({ length: WORKERS }, (_, at) => load(clientOf(at % nodes))));
    await pause(300 + random() * (LONG ? 1_200 : 400));
    await services[killed]?.kill();
    over = true;
    await loading;
    services[killed] = await start();
  }
  const statuses = await statusesOf(clientOf(0), home, acknowledged);
  t.diagnostic(`${acknowledged.length} messages acknowledged (CRASH_SEED=${SEED})`);
  assert.ok(acknowledged.length > KILLS);
  assert.deepEqual(
    statuses.filter((status) => status !== 'completed'),
    [],
  );
  await Promise.all(services.map((service) => service.stop()));
}

test(`after ${KILLS} kills soon after the start, under mixed load, every acknowledged message is completed`, async (t) => {
  const folder = newFolder();
  t.after(() => removeFolder(folder));
  await killedUnderLoad(t, () => startService({ folder, main: PROOF_MAIN, env: { GATES: folder } }), 1);
});

// Their work is due once the lease of the killed node is over.
test(`of three nodes on PostgreSQL, of which one is killed ${KILLS} times, every acknowledged message is completed`, {
  skip: !LONG,
}, async (t) => {
  await using postgres = await startPostgres();
  const folder = newFolder();
  t.after(() => removeFolder(folder));
  const env = { DATABASE_URL: await postgres.newDatabase(), LEASE_SECONDS: '5', GATES: folder };
  await killedUnderLoad(t, () => startService({ folder, env, main: PROOF_MAIN }), 3);
});

// Each of its deaths takes a start and two seconds.
test('a message that ends the process fails after its fifth time alone, and the others are completed', {
  skip: !LONG,
}, async (t) => {
  const folder = newFolder();
  t.after(() => removeFolder(folder));
  const start = () => startService({ folder, main: PROOF_MAIN, env: { GATES: folder } });
  let service = await start();
  let client = connect(service.url);
  const home = await client.newNamespace();
  const { address: hello } = await client.newMailbox(home);
  const { address: held } = await client.newPaused(home, { behavior: { name: 'fatal' } });
  const { body: killer } = await client.send(home.key, { to: held, body: 'end' });
  await client.change(home.key, held, { status: 'online' }).catch(() => undefined);
  const others: string[] = [];
  for (let deaths = 1; ; deaths++) {
    const ended = await Promise.race([service.exited.then(() => true), pause(15_000, false)]);
    if (!ended) break;
    assert.ok(deaths < 8, 'it ended too often');
    service = await start();
    client = connect(service.url);
    const sent = await client.send(home.key, { to: hello, body: unique() });
    others.push(sent.body.id);
  }
  assert.deepEqual(await statusesOf(client, home, [killer.id]), ['failed']);
  assert.equal(readFileSync(`${folder}/fatal.log`, 'utf8'), '+++++');
  assert.ok((await statusesOf(client, home, others)).every((status) => status === 'completed'));
  await service.stop();
});
