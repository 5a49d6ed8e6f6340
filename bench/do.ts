import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import type { Example } from '../packages/english-instructions/tests/tasks/harness.ts';
import { rawSubmission, startRaw } from './harness/baselines.ts';
import { type Compared, compare, disturbance, figures } from './harness/compare.ts';
import { median, ms, ratio, whole } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, QUESTION, startService } from './harness/service.ts';

const ROUNDS = 6;
const CONNECTIONS = 64;
const DO = 'do@agents.mailroom.localhost';
/** Every message of a round differs, so that a cache gains nothing. */
const SUMS = Array.from({ length: 1000 }, (_, n) => [
  `calculate ${n + 12}*(${n % 97}+4)`,
  `what is ${(n % 99) + 1}% of ${80 + n}`,
  `${(n % 89) + 7} * ${191 + n} + 3`,
]).flat();
const SCRIPT = '```js\nconst xs = [3, 1, 2]; xs.sort(); return xs.map((x) => x * 2)\n```';
const TIMES = 20;

/** The examples of every task, as messages. */
async function written(): Promise<string[]> {
  const folder = fileURLToPath(new URL('../packages/english-instructions/tests/tasks/examples/', import.meta.url));
  const found: string[] = [];
  for (const file of readdirSync(folder)) {
    const made = (await import(`${folder}${file}`)) as Record<string, readonly Example[]>;
    for (const { says, data, language } of Object.values(made).flat()) {
      if (says !== undefined)
        found.push(data === undefined ? says : `${says}\n\`\`\`${language ?? ''}\n${data}\n\`\`\``);
    }
  }
  return found;
}

/** Milliseconds to plan each message, after a warm-up. */
async function planning(): Promise<number[]> {
  const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 1 });
  const messages = await written();
  const parts = { tasks, now: Date.now(), time_zone: 'UTC', max_steps: 50, before: true };
  const took: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    for (const message of messages) {
      const from = performance.now();
      planOf(message, parts);
      if (time > 0) took.push(performance.now() - from);
    }
  }
  for (const task of tasks) await task.close?.();
  return took.sort((a, b) => a - b);
}

async function run(options: Options): Promise<Report> {
  const plans = await planning();
  await using raw = await startRaw(options);
  await using service = await startService(options, 'do');
  for (const body of [...SUMS.slice(0, 3), SCRIPT]) await service.call('/mail/send', { to: DO, body, sync: true });

  const contenders = [
    { name: 'raw node:http, JSON in and out', server: raw, submission: rawSubmission },
    { name: 'Mailroom, sync hello', server: service, submission: service.submission(HELLO, [QUESTION], true) },
    { name: 'Mailroom, sync do: calculate', server: service, submission: service.submission(DO, SUMS, true) },
    { name: 'Mailroom, sync do: a small script', server: service, submission: service.submission(DO, [SCRIPT], true) },
  ];
  const rounds = options.rounds ?? ROUNDS;
  const plan = { connections: CONNECTIONS, rounds, cold_ms: 2500, warm_ms: 400, measure_ms: 2000 };
  const compared = await compare(contenders, plan, options.say);
  const [, hello, sums, scripts] = compared as [Compared, Compared, Compared, Compared];
  const share = sums.of('ratio');
  const rate = median(scripts.rounds.map((round) => round.rate));
  const middle = median(plans);
  const ofHello = median(sums.rounds.map((round, at) => round.rate / (hello.rounds[at]?.rate ?? Number.NaN)));
  return {
    table: figures(compared),
    wanted: [
      { met: share >= 0.35, text: `sync calculate at least 0.35 of raw: ${ratio(share)}` },
      { met: rate >= 500, text: `a small script at least 500 times a second: ${whole(rate)}` },
      { met: middle < 1, text: `planning an example under 1 ms at the median: ${ms(middle)}` },
    ],
    notes: [
      disturbance(compared),
      `A sync calculate is ${ratio(ofHello)} of a sync hello: planned, run, signed (ES256) and written.`,
      `Planning of ${whole(plans.length / (TIMES - 1))} examples: p99 ${ms(plans[Math.floor(plans.length * 0.99)] ?? 0)}.`,
    ],
  };
}

export const doing: Benchmark = { name: 'do', about: 'tasks from instructions: sums, scripts, planning', run };
