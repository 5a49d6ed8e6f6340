import { rawSubmission, startRaw } from './harness/baselines.ts';
import { type Compared, compare, disturbance, figures } from './harness/compare.ts';
import { ratio, spread, whole } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, QUESTION, startService } from './harness/service.ts';

const ROUNDS = 8;
const CONNECTIONS = 64;

async function run(options: Options): Promise<Report> {
  await using raw = await startRaw(options);
  await using service = await startService(options, 'hello');
  const rounds = options.rounds ?? ROUNDS;
  const compared = await compare(
    [
      { name: 'raw node:http, as many bytes', server: raw, submission: rawSubmission },
      {
        name: 'Mailroom, sync hello, durable',
        server: service,
        submission: service.submission(HELLO, [QUESTION], true),
      },
    ],
    { connections: CONNECTIONS, rounds, cold_ms: 2500, warm_ms: 400, measure_ms: 3000 },
    options.say,
  );
  const [, hello] = compared as [Compared, Compared];
  const share = hello.of('ratio');
  const tail = hello.of('p99_ratio');
  const generator = hello.of('cores');
  const tails = hello.rounds.map((round) => round.p99_ratio);
  return {
    table: figures(compared),
    wanted: [
      { met: share >= 0.4, text: `at least 0.40 of raw: ${ratio(share)}` },
      { met: tail <= 3, text: `p99 at most 3 times raw's: ${ratio(tail)}, in rounds ${spread(tails, ratio)}` },
      { met: generator <= 0.2, text: `the generator takes at most a fifth of a core beside it: ${ratio(generator)}` },
    ],
    notes: [
      disturbance(compared),
      `Median of ${rounds} pairs, one after the other; ratios are within a pair. CPU is the server's, all threads.`,
      `Bytes an answer, with head: ${compared.map((one) => whole(one.of('answer_bytes'))).join(', ')}.`,
    ],
  };
}

export const hello: Benchmark = {
  name: 'hello',
  about: 'a sync hello at 64 connections, in pairs with raw node:http',
  run,
};
