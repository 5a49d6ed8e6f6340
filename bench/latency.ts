import { a2aSubmission, rawSubmission, startA2a, startRaw } from './harness/baselines.ts';
import { compare, disturbance } from './harness/compare.ts';
import { ms, ratio, whole } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, QUESTION, startService } from './harness/service.ts';

const ROUNDS = 8;

async function run(options: Options): Promise<Report> {
  await using raw = await startRaw(options);
  await using sync = await startService(options, 'lone');
  await using agent = await startA2a(options, 'task');
  const rounds = options.rounds ?? ROUNDS;
  const compared = await compare(
    [
      { name: 'raw node:http, JSON in and out', server: raw, submission: rawSubmission },
      { name: 'Mailroom, sync hello, durable', server: sync, submission: sync.submission(HELLO, [QUESTION], true) },
      { name: 'A2A agent, echo task in memory', server: agent, submission: a2aSubmission('task') },
    ],
    { connections: 1, rounds, cold_ms: 2000, warm_ms: 400, measure_ms: 2000 },
    options.say,
  );
  const first = compared[0]?.of('p50') ?? Number.NaN;
  return {
    table: [
      ['one connection', 'p50', 'ratio', 'p99', 'requests/s'],
      ...compared.map((one) => [
        one.name,
        ms(one.of('p50')),
        ratio(one.of('p50') / first),
        ms(one.of('p99')),
        whole(one.of('rate')),
      ]),
    ],
    wanted: [],
    notes: [disturbance(compared), `Median of ${rounds} rounds. The difference holds one fdatasync, see above.`],
  };
}

export const latency: Benchmark = { name: 'latency', about: 'how long a lone caller waits for an answer', run };
