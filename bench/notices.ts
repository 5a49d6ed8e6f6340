import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { median, ms, ratio, spread, whole } from './harness/numbers.ts';
import { startSyncedPostgres } from './harness/postgres.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';

const NODES = 16;
const RATE = 2_000;
const ROUNDS = 3;
const WRITERS = 16;
const MEASURE_MS = 4_000;
const LOOK_MS = 20;
/** What was lost for this long is lost. */
const REST_MS = 10_000;
const SERVER = fileURLToPath(new URL('servers/notified.ts', import.meta.url));
const ROW = 'x'.repeat(1_400);
/** Which backends wait for the lock that a transaction with a notification holds while it commits (PostgreSQL, async.c). */
const QUEUED = `
  select pid from pg_locks where not granted and locktype = 'object' and classid = 'pg_database'::regclass`;

interface Measured {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Looks at which a commit of a row waited for the lock of notifications, and those at which another notice did. */
  readonly rows_queued: number;
  readonly notices_queued: number;
  readonly looks: number;
}

const quantile = (took: readonly number[], part: number): number =>
  took.toSorted((a, b) => a - b)[Math.floor((took.length - 1) * part)] ?? Number.NaN;

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

/** Durable commits of rows as large as an exchange, each of a connection of its own. */
async function commits(url: string): Promise<Measured> {
  const writers = await Promise.all(Array.from({ length: WRITERS }, () => connected(url)));
  const pids = new Set(writers.map((client) => (client as unknown as { processID: number }).processID));
  const watching = await connected(url);
  const took: number[] = [];
  const from = performance.now();
  const over = (): boolean => performance.now() - from > MEASURE_MS;
  const counts = { rows_queued: 0, notices_queued: 0, looks: 0 };
  const look = async (): Promise<void> => {
    while (!over()) {
      const queued = (await watching.query(QUEUED)).rows.map(({ pid }) => pid as number);
      counts.looks++;
      if (queued.some((pid) => pids.has(pid))) counts.rows_queued++;
      if (queued.some((pid) => !pids.has(pid))) counts.notices_queued++;
      await sleep(LOOK_MS);
    }
  };
  const write = async (client: pg.Client): Promise<void> => {
    while (!over()) {
      const begun = performance.now();
      await client.query('insert into written (body) values ($1)', [ROW]);
      took.push(performance.now() - begun);
    }
  };
  await Promise.all([look(), ...writers.map(write)]);
  const seconds = (performance.now() - from) / 1000;
  await Promise.all([watching, ...writers].map((client) => client.end()));
  return { rate: took.length / seconds, p50: quantile(took, 0.5), p99: quantile(took, 0.99), ...counts };
}

/** The nodes in a process of their own, of which `rate` notices a second leave. */
async function startNodes(url: string, rate: number) {
  const nodes = fork(SERVER, [url, String(NODES), String(rate)]);
  await once(nodes, 'message');
  const count = async (): Promise<{ published: number; received: number }> => {
    const answer = once(nodes, 'message');
    nodes.send('count');
    const [counted] = await answer;
    return counted;
  };
  /** Publishes no more, and counts when all has come, or after a while. */
  const rest = async () => {
    nodes.send('stop');
    for (let tries = 0; ; tries++) {
      const counted = await count();
      if (counted.received >= counted.published * (NODES - 1) || tries * LOOK_MS > REST_MS) return counted;
      await sleep(LOOK_MS);
    }
  };
  return {
    count,
    rest,
    async [Symbol.asyncDispose]() {
      const ended = once(nodes, 'exit');
      nodes.send('end');
      await ended;
    },
  };
}

async function run(options: Options): Promise<Report> {
  await using postgres = await startSyncedPostgres();
  const url = await postgres.newDatabase();
  const first = await connected(url);
  await first.query('create table written (id bigint generated always as identity primary key, body text)');
  await first.end();
  const rounds = options.rounds ?? ROUNDS;
  const quiet: Measured[] = [];
  const busy: Measured[] = [];
  let published = 0;
  let received = 0;
  let seconds = 0;
  for (let round = 1; round <= rounds; round++) {
    for (const [into, rate] of [
      [quiet, 0],
      [busy, RATE],
    ] as const) {
      options.say(`round ${round} of ${rounds}, ${whole(rate)} notices a second`);
      await using nodes = await startNodes(url, rate);
      const [from, before] = [performance.now(), await nodes.count()];
      into.push(await commits(url));
      const took = (performance.now() - from) / 1000;
      if (rate === 0) continue;
      const after = await nodes.rest();
      seconds += took;
      published += after.published - before.published;
      received += after.received - before.received;
    }
  }
  const shares = busy.map(({ rate }, at) => rate / (quiet[at]?.rate ?? Number.NaN));
  const tails = busy.map(({ p99 }, at) => p99 / (quiet[at]?.p99 ?? Number.NaN));
  const sum = (of: 'rows_queued' | 'notices_queued' | 'looks'): number =>
    busy.reduce((total, one) => total + one[of], 0);
  const reached = received / (published * (NODES - 1));
  const row = (name: string, measured: readonly Measured[], compared: readonly string[]): string[] => [
    name,
    whole(median(measured.map(({ rate }) => rate))),
    ms(median(measured.map(({ p50 }) => p50))),
    ms(median(measured.map(({ p99 }) => p99))),
    ...compared,
  ];
  return {
    table: [
      [`durable commits of ${WRITERS} connections`, 'a second', 'p50', 'p99', 'rate to quiet', 'p99 to quiet'],
      row(`${NODES} nodes that say nothing`, quiet, ['', '']),
      row(`${NODES} nodes, ${whole(published / seconds)} notices a second`, busy, [
        `${ratio(median(shares))} (${spread(shares, ratio)})`,
        `${ratio(median(tails))} (${spread(tails, ratio)})`,
      ]),
    ],
    wanted: [
      {
        met: sum('rows_queued') === 0,
        text: `no commit of a row waits for a notice: ${sum('rows_queued')} of ${sum('looks')} looks`,
      },
      { met: reached > 0.99, text: `each of the other nodes receives each notice: ${ratio(reached)} of them` },
    ],
    notes: [
      `At ${sum('notices_queued')} of ${sum('looks')} looks a notice waited for another one.`,
      `Notices are gathered: at a higher rate each transaction has more of them. All nodes are in one process, which takes processor time from the commits.`,
    ],
  };
}

export const notices: Benchmark = {
  name: 'notices',
  about: 'commits beside the notices of 16 nodes on PostgreSQL',
  run,
};
