import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from './harness/child.ts';
import { startGenerator } from './harness/load.ts';
import { mebibytes, median, ratio, spread, whole } from './harness/numbers.ts';
import { startSyncedPostgres } from './harness/postgres.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, QUESTION, type Service, startService } from './harness/service.ts';
import { measureBatches } from './webhook-batches.ts';

const ROUNDS = 3;
const NETWORKS = { WEBHOOK_NETWORKS: '127.0.0.1' };
const EVENTS = 10_000;
/** Events that are written at a time. */
const PART = 5_000;
const CONNECTIONS = 32;
const LOOK_MS = 100;
const MAX_MS = 300_000;

const SCRIPT = join(import.meta.dirname, './servers/endpoints.ts');

/** How many endpoints there are, and how many of them never answer. */
interface Case {
  readonly name: string;
  readonly endpoints: number;
  readonly hanging: number;
  /** How many each gets, and how many in a request. */
  readonly events?: number;
  readonly batch?: number;
}
const CASES = [
  { name: 'ten endpoints that answer', endpoints: 10, hanging: 0 },
  { name: 'ten endpoints, three of them hang', endpoints: 10, hanging: 3 },
  { name: 'seven endpoints, without the three', endpoints: 7, hanging: 0 },
] as const satisfies readonly Case[];

interface Round {
  /** Until the last of the endpoints that answer had every event. */
  readonly seconds: number;
  /** Until the first of them had every event. */
  readonly first_s: number;
  /** CPU time of the service, over all its threads, in microseconds a delivery. */
  readonly cpu_us: number;
  readonly rss: number;
}

interface Seen {
  readonly port: number;
  readonly got: number;
  readonly at: number;
}

/** From the moment every webhook was asked to send what is in the log, until all that answer have it. */
async function deliver(
  service: Service,
  since: string,
  { endpoints, hanging, events = EVENTS, batch = 1 }: Case,
  options: Options,
): Promise<Round> {
  await using server = await startServer(SCRIPT, {
    args: [String(endpoints), String(hanging)],
    env: {},
    log: join(options.folder, 'endpoints.log'),
  });
  const look = async (): Promise<readonly Seen[]> =>
    (await (await fetch(`http://127.0.0.1:${server.port}`)).json()) as readonly Seen[];
  const ids: string[] = [];
  for (const { port } of await look()) {
    const webhook = await service.call('/webhooks', {
      url: `http://127.0.0.1:${port}/`,
      types: ['message.completed'],
      batch,
    });
    ids.push((webhook as { id: string }).id);
  }
  const cpu = service.cpu();
  const from = performance.timeOrigin + performance.now();
  await Promise.all(ids.map((id) => service.call(`/webhooks/${id}/replay`, { since })));
  const answering = endpoints - hanging;
  for (;;) {
    await sleep(LOOK_MS);
    const seen = (await look()).slice(0, answering);
    const done = seen.map(({ at }) => (at - from) / 1000);
    if (seen.every(({ got }) => got >= events)) {
      const cpu_us = ((service.cpu() - cpu) / (events * answering)) * 1e6;
      const round = { seconds: Math.max(...done), first_s: Math.min(...done), cpu_us, rss: service.rss() };
      for (const id of ids) await service.call(`/webhooks/${id}`, {}, 'DELETE').catch(() => undefined);
      return round;
    }
    if (performance.timeOrigin + performance.now() - from > MAX_MS)
      throw new Error(`after ${MAX_MS} ms they have ${seen.map(({ got }) => got).join(', ')}\n${service.lastWords()}`);
  }
}

/** Writes events of answered messages to the log, in parts that the generator has the patience for. */
async function write(service: Service, count: number): Promise<void> {
  await using generator = startGenerator();
  const submission = service.submission(HELLO, [QUESTION], true);
  for (let rest = count; rest > 0; rest -= PART) {
    const bodies = Array.from({ length: Math.min(PART, rest) }, () => submission.bodies[0] as string);
    await generator.load({ ...submission, bodies, port: service.port, connections: CONNECTIONS });
  }
}

async function run(options: Options): Promise<Report> {
  const rounds = options.rounds ?? ROUNDS;
  await using service = await startService(options, 'webhooks', NETWORKS);
  const cases = options.only === 'batches' ? undefined : await measureCases(service, rounds, options);
  const head = [
    `${whole(EVENTS)} events to each`,
    ...['all have them after', 'in rounds', 'the first after', 'deliveries/s', 'CPU a delivery', 'memory'],
  ];
  const batchesOn = (database: string, measured: Service): Promise<Report> =>
    measureBatches(measured, options, {
      database,
      rounds,
      write,
      deliver: (_, since, events, batch) =>
        deliver(measured, since, { name: '', endpoints: 1, hanging: 0, events, batch }, options),
    });
  await using server = await startSyncedPostgres();
  await using other = await startService(options, 'postgres', {
    ...NETWORKS,
    DATABASE_URL: await server.newDatabase(),
  });
  const batches = [await batchesOn('SQLite', service), await batchesOn('PostgreSQL', other)];
  const all = [...(cases === undefined ? [] : [cases]), ...batches];
  return {
    table: [head, ...all.flatMap(({ table }) => table)],
    wanted: all.flatMap(({ wanted }) => wanted),
    notes: all.flatMap(({ notes }) => notes),
  };
}

async function measureCases(service: Service, rounds: number, options: Options): Promise<Report> {
  const since = new Date(Date.now() - 1000).toISOString();
  options.say(`${whole(EVENTS)} events`);
  await write(service, EVENTS);
  const taken = CASES.map((): Round[] => []);
  for (let round = 1; round <= rounds; round++) {
    for (const [at, one] of CASES.entries()) {
      options.say(`round ${round} of ${rounds}: ${one.name}`);
      taken[at]?.push(await deliver(service, since, one, options));
    }
  }
  const of = (at: number, figure: keyof Round): number[] => (taken[at] ?? []).map((round) => round[figure]);
  const times = (a: number, b: number): number[] => of(a, 'seconds').map((s, at) => s / (of(b, 'seconds')[at] ?? 0));
  const [hang, alone] = [times(1, 0), times(1, 2)];
  return {
    table: [
      ...CASES.map(({ name, endpoints, hanging }, at) => [
        name,
        `${median(of(at, 'seconds')).toFixed(1)} s`,
        spread(of(at, 'seconds'), (value) => value.toFixed(1)),
        `${median(of(at, 'first_s')).toFixed(1)} s`,
        whole((EVENTS * (endpoints - hanging)) / median(of(at, 'seconds'))),
        `${whole(median(of(at, 'cpu_us')))} µs`,
        mebibytes(median(of(at, 'rss'))),
      ]),
    ],
    wanted: [
      {
        met: median(hang) <= 1,
        text: `with three that hang the other seven are done no later than with ten that answer: ${ratio(median(hang))} of that time`,
      },
      {
        met: median(alone) <= 1.25,
        text: `and in the time that they take alone: ${ratio(median(alone))} of it`,
      },
    ],
    notes: [
      `Median of ${rounds} rounds, by turns, with the ratios of each round: ${spread(hang, ratio)} and ${spread(alone, ratio)}.`,
      'From the moment each webhook is asked to replay the log. The endpoints are one more process on this machine.',
    ],
  };
}

export const webhooks: Benchmark = {
  name: 'webhooks',
  about: `${whole(EVENTS)} events to ten endpoints, none of which hangs, and three of which hang`,
  run,
};
