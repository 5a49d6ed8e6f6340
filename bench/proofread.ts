import { availableParallelism } from 'node:os';
import { startGenerator } from './harness/load.ts';
import { median, ms, ratio, spread, whole } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { startService } from './harness/service.ts';
import { startHelper } from './harness/talk.ts';
import { texts } from './harness/texts.ts';

const ROUNDS = 4;
const TEXTS = 1000;
const WARM_UP = 200;
/** Enough texts that no thread of the pool waits for one. */
const CONNECTIONS = 16;
const PROOFREAD = 'proofread@agents.mailroom.localhost';

async function run(options: Options): Promise<Report> {
  const workers = Math.max(1, Math.min(4, availableParallelism() - 1));
  await using generator = startGenerator();
  await using service = await startService(options, 'proofread', { PROOFREAD_WORKERS: String(workers) });
  await using harper = startHelper<{ texts: readonly string[] }, { seconds: number; found: number }>(
    new URL('./servers/harper.ts', import.meta.url),
    [String(workers)],
  );
  const send = (bodies: readonly string[]) =>
    generator.load({
      port: service.port,
      connections: CONNECTIONS,
      ...service.submission(PROOFREAD, bodies, true),
      expect: '"corrected_text":',
    });

  options.say('warming up');
  await harper.ask({ texts: texts(WARM_UP, 1) });
  await send(texts(WARM_UP, 1));

  const rounds = options.rounds ?? ROUNDS;
  const alone: number[] = [];
  const served: { rate: number; p50: number; p99: number }[] = [];
  for (let round = 1; round <= rounds; round++) {
    options.say(`round ${round} of ${rounds}`);
    // Both get the same texts, which neither has seen before.
    const bodies = texts(TEXTS, 1 + round);
    alone.push(TEXTS / (await harper.ask({ texts: bodies })).seconds);
    served.push(await send(bodies));
  }
  const ratios = served.map(({ rate }, index) => rate / (alone[index] ?? Number.NaN));
  const share = median(ratios);
  return {
    table: [
      [`1,000 texts of 150 characters, ${workers} worker(s)`, 'texts/s', 'ratio', 'ratio in rounds', 'p50', 'p99'],
      ['Harper alone, no service', whole(median(alone)), '1.00', '', '', ''],
      [
        `Mailroom, sync proofread, ${CONNECTIONS} connections`,
        whole(median(served.map(({ rate }) => rate))),
        ratio(share),
        spread(ratios, ratio),
        ms(median(served.map(({ p50 }) => p50))),
        ms(median(served.map(({ p99 }) => p99))),
      ],
    ],
    wanted: [{ met: share >= 0.8, text: `at least 0.80 of what Harper alone does: ${ratio(share)}` }],
    notes: [
      `Median of ${rounds} rounds, each with texts that neither has seen. Harper alone lints with its default rules and`,
      'hands over place, reason and suggestions. The service runs those that it uses, those about phrases only where their',
      'words stand, and adds its own rules, the reply, the store and HTTP.',
    ],
  };
}

export const proofread: Benchmark = { name: 'proofread', about: 'proofreads beside Harper alone', run };
