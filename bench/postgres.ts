import { rawSubmission, startRaw } from './harness/baselines.ts';
import { type Compared, compare, disturbance, figures } from './harness/compare.ts';
import { ratio } from './harness/numbers.ts';
import { startSyncedPostgres } from './harness/postgres.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, QUESTION, type Service, startService } from './harness/service.ts';

const ROUNDS = 8;
const CONNECTIONS = 64;

async function run(options: Options): Promise<Report> {
  await using postgres = await startSyncedPostgres();
  await using raw = await startRaw(options);
  await using sqlite = await startService(options, 'sqlite');
  await using tcp = await startService(options, 'postgres-tcp', { DATABASE_URL: await postgres.newDatabase() });
  const DATABASE_URL = postgres.bySocket(await postgres.newDatabase());
  await using socket = await startService(options, 'postgres-socket', { DATABASE_URL });

  const submission = (service: Service) => service.submission(HELLO, [QUESTION], true);
  const rounds = options.rounds ?? ROUNDS;
  const compared = await compare(
    [
      { name: 'raw node:http, JSON in and out', server: raw, submission: rawSubmission },
      { name: 'Mailroom, sync hello, PostgreSQL by its socket', server: socket, submission: submission(socket) },
      { name: 'Mailroom, sync hello, PostgreSQL by TCP', server: tcp, submission: submission(tcp) },
      { name: 'Mailroom, sync hello, on SQLite', server: sqlite, submission: submission(sqlite) },
    ],
    { connections: CONNECTIONS, rounds, cold_ms: 3500, warm_ms: 400, measure_ms: 2000 },
    options.say,
  );
  const [, bySocket, byTcp] = compared as [Compared, Compared, Compared];
  const share = bySocket.of('ratio');
  return {
    table: figures(compared),
    wanted: [
      { met: share >= 0.4, text: `sync hello on PostgreSQL on this machine at least 0.40 of raw: ${ratio(share)}` },
      { met: share >= 0.35, text: `and never under 0.35; by TCP: ${ratio(byTcp.of('ratio'))}` },
    ],
    notes: [
      disturbance(compared),
      `Median of ${rounds} rounds, each one after the other; ratios are within a round. PostgreSQL ${postgres.major}, on this`,
      'machine, with its own settings: fsync and synchronous_commit are on. CPU is the node’s; the server’s counts as others’.',
    ],
  };
}

export const postgres: Benchmark = { name: 'postgres', about: 'a send on PostgreSQL, beside raw and SQLite', run };
