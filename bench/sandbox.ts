import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Sandbox } from '@mailroom/english-instructions/tasks/sandbox/index';
import type { Measured } from './harness/job.ts';
import { startGenerator } from './harness/load.ts';
import { median, ms, ratio, spread, whole } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, QUESTION, startService } from './harness/service.ts';

const ROUNDS = 5;
const WORKERS = 2;
/** Enough that no thread waits for a script. */
const CONCURRENT = 8;
const MEASURE_MS = 2_000;
const LIMITS = { ms: 1_000, memory_bytes: 32 << 20, output_bytes: 65_536, log_bytes: 4_096 };
const SCRIPT = {
  code: `const total = input.items.reduce((sum, { price, count }) => sum + price * count, 0);
console.log('items', input.items.length);
return { total, mean: total / input.items.length };`,
  input: { items: Array.from({ length: 10 }, (_, n) => ({ price: n + 0.5, count: n })) },
};
const never = new AbortController().signal;

async function scriptsPerSecond(box: Sandbox, concurrent: number): Promise<{ rate: number; p50: number; p99: number }> {
  const took: number[] = [];
  const from = performance.now();
  const keepRunning = async (): Promise<void> => {
    while (performance.now() - from < MEASURE_MS) {
      const began = performance.now();
      const { value } = await box.run(SCRIPT, LIMITS, never);
      if ((value as { total: number }).total !== 307.5) throw new Error(`a wrong result: ${JSON.stringify(value)}`);
      took.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: concurrent }, keepRunning));
  const rate = took.length / ((performance.now() - from) / 1_000);
  took.sort((a, b) => a - b);
  const at = (share: number): number => took[Math.ceil(share * took.length) - 1] ?? Number.NaN;
  return { rate, p50: at(0.5), p99: at(0.99) };
}

async function run(options: Options): Promise<Report> {
  const box = new Sandbox({ workers: WORKERS, max_queue: 100 });
  const many: Awaited<ReturnType<typeof scriptsPerSecond>>[] = [];
  const lone: typeof many = [];
  try {
    await box.warm();
    await scriptsPerSecond(box, CONCURRENT);
    const rounds = options.rounds ?? ROUNDS;
    for (let round = 1; round <= rounds; round++) {
      options.say(`round ${round} of ${rounds}`);
      many.push(await scriptsPerSecond(box, CONCURRENT));
      lone.push(await scriptsPerSecond(box, 1));
    }
  } finally {
    await box.close();
  }
  const row = (name: string, figures: typeof many): string[] => [
    name,
    whole(median(figures.map(({ rate }) => rate))),
    spread(
      figures.map(({ rate }) => rate),
      whole,
    ),
    ms(median(figures.map(({ p50 }) => p50))),
    ms(median(figures.map(({ p99 }) => p99))),
  ];
  const rate = median(many.map((figures) => figures.rate));
  return {
    table: [
      [`a small script, ${WORKERS} threads`, 'scripts/s', 'in rounds', 'p50', 'p99'],
      row(`${CONCURRENT} at once`, many),
      row('one after the other', lone),
    ],
    wanted: [{ met: rate >= 500, text: `at least 500 scripts a second: ${whole(rate)}` }],
    notes: [`Median of ${lone.length} rounds, in this process, each script on a machine as new. Results were checked.`],
  };
}

/** How much hostile scripts slow down callers of another mailbox. */
async function runNeighbors(options: Options): Promise<Report> {
  const workers = Math.max(1, Math.min(4, availableParallelism() - 1));
  const main = fileURLToPath(new URL('./servers/hostile.ts', import.meta.url));
  await using generator = startGenerator();
  await using service = await startService(options, 'neighbors', { SANDBOX_WORKERS: String(workers) }, main);
  const to = 'hostile@agents.mailroom.localhost';
  await service.call('/namespaces/agents/mailboxes', {
    local_part: 'hostile',
    behavior: { name: 'hostile', settings: {} },
  });
  const ask = async (body: string): Promise<string> => {
    const sent = (await service.call('/mail/send', { to, body, sync: true })) as { reply: { body: string } | null };
    return sent.reply?.body ?? '';
  };
  const load = (connections: number, measure_ms: number): Promise<Measured> =>
    generator.load({
      port: service.port,
      connections,
      timed: { warm_ms: 400, measure_ms },
      ...service.submission(HELLO, [QUESTION], true),
    });

  options.say('warming up');
  await load(16, 2_500);
  const rounds = options.rounds ?? ROUNDS;
  const found = [1, 16].map((connections) => ({ connections, quiet: [] as Measured[], beside: [] as Measured[] }));
  let programs = 0;
  for (let round = 1; round <= rounds; round++) {
    options.say(`round ${round} of ${rounds}`);
    for (const { connections, quiet, beside } of found) {
      quiet.push(await load(connections, MEASURE_MS));
      await ask('start');
      beside.push(await load(connections, MEASURE_MS));
      programs += Number.parseInt(await ask('stop'), 10);
    }
  }
  const rows = found.flatMap(({ connections, quiet, beside }) =>
    [quiet, beside].map((measured, index) => [
      `${connections} connection(s), ${index === 0 ? 'nothing beside' : 'hostile programs beside'}`,
      whole(median(measured.map(({ rate }) => rate))),
      ms(median(measured.map(({ p50 }) => p50))),
      ms(median(measured.map(({ p99 }) => p99))),
      ratio(median(measured.map(({ p99 }, at) => p99 / (quiet[at]?.p99 ?? Number.NaN)))),
      spread(
        measured.map(({ p99 }, at) => p99 / (quiet[at]?.p99 ?? Number.NaN)),
        ratio,
      ),
    ]),
  );
  const wanted = found.map(({ connections, quiet, beside }) => {
    const share = median(beside.map(({ p99 }, at) => p99 / (quiet[at]?.p99 ?? Number.NaN)));
    return { met: share <= 2, text: `${connections} connection(s): p99 at most 2.0 times as long: ${ratio(share)}` };
  });
  return {
    table: [['sync hello, durable', 'requests/s', 'p50', 'p99', 'p99 ratio', 'in rounds'], ...rows],
    wanted,
    notes: [
      `Median of ${rounds} rounds, in turn. ${workers} sandbox thread(s) in the service, always at work: ${whole(programs)} hostile programs ended meanwhile.`,
      'On Linux these threads have a niceness of 10; elsewhere they take their full share of the cores.',
    ],
  };
}

export const sandbox: Benchmark = { name: 'sandbox', about: 'small scripts a second', run };

export const neighbors: Benchmark = {
  name: 'neighbors',
  about: 'response times of other callers while hostile programs run in the sandbox',
  run: runNeighbors,
};
