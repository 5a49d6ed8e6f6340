import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Server, startServer } from './harness/child.ts';
import { type Compared, compare, disturbance } from './harness/compare.ts';
import { ms, ratio, whole } from './harness/numbers.ts';
import { startSyncedPostgres } from './harness/postgres.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, ownerKey, QUESTION, type Service, startService } from './harness/service.ts';

const ROUNDS = 6;
const CONNECTIONS = [1, 64];
/** How many times as long as a sync hello a sync send may take, on one node and across two. */
const MAX_HERE = 2.2;
const MAX_ACROSS = 4;
const IDLE = 200;
/** How long the idle agents are watched; it holds a renewal of each claim call. */
const IDLE_MS = 40_000;

const SCRIPT = join(import.meta.dirname, './servers/agents.ts');
const NAMESPACE = '/namespaces/agents/mailboxes';

/** Addresses of the behavior `agent`. */
async function makeAgents(service: Service, count: number, prefix: string): Promise<string[]> {
  const names = Array.from({ length: count }, (_, at) => `${prefix}${at}`);
  for (const local_part of names) await service.call(NAMESPACE, { local_part, behavior: { name: 'agent' } });
  return names.map((name) => `${name}@agents.mailroom.localhost`);
}

/** Programs that answer these addresses by this service, once all of them are connected. */
async function connect(service: Service, addresses: readonly string[], options: Options): Promise<Server> {
  const env = { MAILROOM_URL: `http://127.0.0.1:${service.port}`, MAILROOM_KEY: ownerKey(service.folder) };
  const log = join(options.folder, `agents-${addresses.length}.log`);
  const server = await startServer(SCRIPT, { args: addresses, env, log });
  const online = async (address: string): Promise<void> => {
    for (;;) {
      const mailbox = (await service.call(`/mailboxes/${address}`)) as { status: string };
      if (mailbox.status === 'online') return;
      await sleep(50);
    }
  };
  for (const address of addresses) await online(address);
  return server;
}

const us = (value: number): string => `${whole(value)} µs`;

interface Pair {
  readonly name: string;
  /** How many times as long as a hello it may take. */
  readonly max: number;
  readonly hello: Compared;
  readonly agent: Compared;
  /** CPU time of the program in microseconds a message. */
  readonly program_us: number;
}

/** A sync hello and a sync send to a connected agent by turns; the agent claims at `at`. */
async function measure(
  where: string,
  max: number,
  [service, at]: readonly [Service, Service],
  options: Options,
): Promise<Pair[]> {
  const [address = ''] = await makeAgents(service, 1, 'answers');
  await using program = await connect(at, [address], options);
  const pairs: Pair[] = [];
  for (const connections of CONNECTIONS) {
    const name = `${where}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`;
    const cpuBefore = program.cpu();
    const [hello, agent] = (await compare(
      [
        { name: `${name}: sync hello`, server: service, submission: service.submission(HELLO, [QUESTION], true) },
        { name: `${name}: agent`, server: service, submission: service.submission(address, [QUESTION], true) },
      ],
      { connections, rounds: options.rounds ?? ROUNDS, cold_ms: 1500, warm_ms: 300, measure_ms: 1500 },
      options.say,
    )) as [Compared, Compared];
    const sent = agent.rounds.reduce((sum, round) => sum + round.sent, 0);
    pairs.push({ name, max, hello, agent, program_us: ((program.cpu() - cpuBefore) / sent) * 1e6 });
  }
  return pairs;
}

/** Cores that the service uses while agents are connected and nothing comes. */
async function idle(options: Options): Promise<number> {
  await using service = await startService(options, 'idle');
  const addresses = await makeAgents(service, IDLE, 'idle');
  await using _agents = await connect(service, addresses, options);
  await sleep(2_000);
  const [before, from] = [service.cpu(), performance.now()];
  await sleep(IDLE_MS);
  return ((service.cpu() - before) * 1000) / (performance.now() - from);
}

async function twoNodes(options: Options): Promise<Pair[]> {
  await using postgres = await startSyncedPostgres();
  const settings = { DATABASE_URL: await postgres.newDatabase() };
  await using one = await startService(options, 'one', settings);
  mkdirSync(join(options.folder, 'two'));
  copyFileSync(join(one.folder, 'key'), join(options.folder, 'two', 'key'));
  await using two = await startService(options, 'two', settings);
  return await measure('two nodes, PostgreSQL', MAX_ACROSS, [one, two], options);
}

async function run(options: Options): Promise<Report> {
  const pairs: Pair[] = [];
  {
    await using sqlite = await startService(options, 'sqlite');
    pairs.push(...(await measure('SQLite', MAX_HERE, [sqlite, sqlite], options)));
  }
  pairs.push(...(await twoNodes(options)));
  const cores = await idle(options);
  const slower = ({ hello, agent }: Pair): number => agent.of('p50') / hello.of('p50');
  return {
    table: [
      [
        'sync send to an agent beside sync hello',
        'hello p50',
        'agent p50',
        'times',
        'hello/s',
        'agent/s',
        'hello CPU',
        'agent CPU',
        'times',
        'program CPU',
      ],
      ...pairs.map(({ name, hello, agent, program_us }) => [
        name,
        ms(hello.of('p50')),
        ms(agent.of('p50')),
        ratio(agent.of('p50') / hello.of('p50')),
        whole(hello.of('rate')),
        whole(agent.of('rate')),
        us(hello.of('cpu_us')),
        us(agent.of('cpu_us')),
        ratio(agent.of('cpu_us') / hello.of('cpu_us')),
        us(program_us),
      ]),
    ],
    wanted: [
      ...pairs.map((pair) => ({
        met: slower(pair) <= pair.max,
        text: `at most ${pair.max} times a sync hello, ${pair.name}: ${ratio(slower(pair))}`,
      })),
      { met: cores < 0.02, text: `${IDLE} idle agents cost under 2 % of a core: ${(cores * 100).toFixed(1)} %` },
    ],
    notes: [
      disturbance(pairs.flatMap(({ hello, agent }) => [hello, agent])),
      'Median of rounds of both by turns. The agent is another process on this machine, by the client of client/.',
      'CPU is that of the node that takes the sends, and of the program, a message; other work on the machine changes it little.',
      'Across two nodes, the sends go to one and the agent claims at the other.',
    ],
  };
}

export const agent: Benchmark = {
  name: 'agent',
  about: 'a sync send to a connected agent, beside a sync hello; what idle agents cost',
  run,
};
