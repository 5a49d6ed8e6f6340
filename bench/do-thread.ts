// What the planner thread of `do` is worth (docs/decisions/0018): node bench/do-thread.ts
// The same messages with the thread and without it, in this process: the processor time a message, on the thread that
// answers HTTP and in all, and how long that thread is held up by messages of others. Then the processor time to plan the
// examples of every task, and hostile texts of 8 KB.
import { generateKeyPairSync } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Behavior } from '@mailroom/behavior';
import { compactJws, signerOf } from '@mailroom/behavior/jws';
import { makeDo } from '@mailroom/do';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import { TaskError } from '@mailroom/english-instructions/tasks/task';
import { contextOf, messageOf } from '../packages/behaviors/do/tests/context.ts';

const MESSAGES = 4_000;
const IN_FLIGHT = 64;
const ROUNDS = 5;

const signer = signerOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, 'bench', 'bench+json');
const shared = {
  limits: { steps: 50, ms: 10_000, output_bytes: 65_536, total_bytes: 262_144, memory_bytes: 32 << 20 },
  mailDomain: 'agents.example.com',
  get: () => Promise.reject(new TaskError('There is no network here.')),
  sign: (payload: string) => compactJws(signer, payload),
};
const makeAll = () => makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });
const contenders = [
  { name: 'on the main thread', behavior: makeDo({ ...shared, tasks: makeAll() }) },
  { name: 'on the planner thread', behavior: makeDo({ ...shared, tasks: makeAll(), signer: () => signer }) },
];

const SUMS = (n: number): string => `calculate ${n + 12}*(${n % 97}+4)`;
const MIXED = (n: number): string =>
  [
    SUMS(n),
    `sort: ${n}, pear, fig`,
    `what is ${n} km in miles`,
    `base64 of word${n}`,
    `sum the column a: a,b\n${n},1\n2,3`,
  ][n % 5] as string;
/** Work of a message near the limits: text of 64 KB, and a calculation of about 100 ms. */
const SLOW: Readonly<Record<string, string>> = {
  'a word list of 64 KB': `sort these words:\n${'pear apple fig '.repeat(4_400)}`,
  '4,096 lines': `what is ${Array.from({ length: 4_096 }, (_, n) => `a${n}`).join('\n')}`,
  'a long calculation': `calculate ${Array.from({ length: 60 }, (_, n) => `factorial(${160 + (n % 10)})`).join('+')}`,
};

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1);
const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] as number;
const cpuOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

async function handle(behavior: Behavior<never>, body: string): Promise<void> {
  await behavior.handle(messageOf(body) as never, contextOf() as never);
}

async function load(behavior: Behavior<never>, bodyOf: (n: number) => string, count: number): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await handle(behavior, bodyOf(next++));
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}

for (const [kind, bodyOf] of [
  ['calculate', SUMS],
  ['mixed', MIXED],
] as const) {
  const found = contenders.map(() => ({ main: [] as number[], all: [] as number[], rate: [] as number[] }));
  for (let round = 0; round <= ROUNDS; round++)
    for (const [at, { behavior }] of contenders.entries()) {
      const [main, all, from] = [process.threadCpuUsage(), process.cpuUsage(), performance.now()];
      await load(behavior as never, bodyOf, MESSAGES);
      if (round === 0) continue;
      found[at]?.main.push(cpuOf(process.threadCpuUsage(main)) / MESSAGES);
      found[at]?.all.push(cpuOf(process.cpuUsage(all)) / MESSAGES);
      found[at]?.rate.push((MESSAGES / (performance.now() - from)) * 1_000);
    }
  for (const [at, { name }] of contenders.entries()) {
    const { main, all, rate } = found[at] as (typeof found)[number];
    console.log(
      `${kind}, ${name}: ${(median(main) * 1_000).toFixed(0)} µs on the main thread, ${(median(all) * 1_000).toFixed(0)} µs in all, ${median(rate).toFixed(0)}/s`,
    );
  }
}

for (const [kind, body] of Object.entries(SLOW))
  for (const { name, behavior } of contenders) {
    await handle(behavior as never, body);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await Promise.all(Array.from({ length: 4 }, () => handle(behavior as never, body)));
    await new Promise((resolve) => setTimeout(resolve, 20));
    delay.disable();
    console.log(`4 × ${kind}, ${name}: the main thread is held up ${ms(delay.max / 1e6)} ms at most`);
  }

const tasks = makeAll();
const parts = { tasks, now: Date.now(), time_zone: 'UTC', max_steps: 50, before: true };
const planned = (body: string): number => {
  const before = process.threadCpuUsage();
  planOf(body, parts);
  return cpuOf(process.threadCpuUsage(before));
};
const examples = tasks.flatMap((task) => task.examples);
const took = Array.from({ length: 40 }, (_, round) => examples.map(planned).filter(() => round > 4)).flat();
took.sort((a, b) => a - b);
console.log(
  `planning ${examples.length} examples: median ${ms(median(took))} ms, p99 ${ms(took[Math.floor(took.length * 0.99)] as number)} ms of processor time`,
);

/** What is repeated up to 8 KB and to half of that: planning is linear when the second takes half as long. */
const REPEATED = [
  'a ',
  '1, ',
  'a, ',
  'and ',
  'then ',
  'the sum of ',
  '"',
  '(',
  '{',
  '[',
  '.',
  ' ',
  'what is 5 ',
  'remind me ',
]
  .concat([
    'every ',
    'at 5 ',
    'in 2 days ',
    'send a@b.c ',
    'sort ',
    'a\n',
    '1\n',
    '- a\n',
    'a: ',
    'if ',
    'x. X',
    '5 km ',
  ])
  .concat(['{"a":1} ', '2+', 'price and ']);
const hostile = REPEATED.flatMap((unit) =>
  ['', 'what is ', 'sort: '].map((lead) => {
    const ofLength = (length: number): number => {
      const body = `${(lead + unit.repeat(length)).slice(0, length - 2)} x`;
      return Math.min(planned(body), planned(body), planned(body));
    };
    return { text: lead + unit, whole: ofLength(8_192), half: ofLength(4_096) };
  }),
).sort((a, b) => b.whole - a.whole);
for (const { text, whole, half } of hostile.slice(0, 5))
  console.log(`8 KB of ${JSON.stringify(text)}: ${ms(whole)} ms; 4 KB: ${ms(half)} ms`);
for (const task of tasks) await task.close?.();
for (const { behavior } of contenders) await behavior.close?.();
