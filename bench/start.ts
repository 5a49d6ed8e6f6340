import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRaw } from './harness/baselines.ts';
import type { Server } from './harness/child.ts';
import { mebibytes, median, ms, ratio, spread } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { type Service, startService } from './harness/service.ts';

const ROUNDS = 7;
const PROOFREAD = 'proofread@agents.mailroom.localhost';

interface Start {
  readonly listening_ms: number;
  readonly rss: number;
}

/** Resident memory after the start has settled. */
async function measured<S extends Server>(starting: Promise<S>, then?: (server: S) => Promise<void>): Promise<Start> {
  await using server = await starting;
  await sleep(500);
  const start = { listening_ms: server.listening_ms, rss: server.rss() };
  await then?.(server);
  return start;
}

async function run(options: Options): Promise<Report> {
  const raw: Start[] = [];
  const cold: Start[] = [];
  const installed: Start[] = [];
  const proofread: { first_ms: number; rss: number }[] = [];
  const rounds = options.rounds ?? ROUNDS;
  const compiled = { NODE_COMPILE_CACHE: join(options.folder, 'compiled') };
  // As `npm ci` does it.
  await measured(startService(options, 'install', compiled));

  for (let round = 1; round <= rounds; round++) {
    options.say(`round ${round} of ${rounds}`);
    raw.push(await measured(startRaw(options)));
    installed.push(
      await measured(startService(options, `start-${round}`, compiled), async (service: Service) => {
        const from = performance.now();
        await service.call('/mail/send', { to: PROOFREAD, body: 'She dont like there house.', sync: true });
        proofread.push({ first_ms: performance.now() - from, rss: service.rss() });
      }),
    );
    const nothing = { NODE_COMPILE_CACHE: join(options.folder, `compiled-${round}`) };
    cold.push(await measured(startService(options, `cold-${round}`, nothing)));
  }

  const base = median(raw.map((start) => start.listening_ms));
  const row = (name: string, starts: readonly Start[]): string[] => {
    const times = starts.map((start) => start.listening_ms);
    const rss = median(starts.map((start) => start.rss));
    return [name, ms(median(times)), spread(times, ms), ratio(median(times) / base), mebibytes(rss)];
  };
  const slowest = Math.max(...installed.map((start) => start.listening_ms));
  const rss = Math.max(...installed.map((start) => start.rss));
  return {
    table: [
      ['from spawn to listening', 'median', 'in rounds', 'ratio', 'resident'],
      row('raw node:http server', raw),
      row('Mailroom, empty folder, as npm ci leaves it', installed),
      row('Mailroom, empty folder, nothing compiled', cold),
      [
        'its first proofread',
        ms(median(proofread.map((one) => one.first_ms))),
        spread(
          proofread.map((one) => one.first_ms),
          ms,
        ),
        '',
        mebibytes(median(proofread.map((one) => one.rss))),
      ],
    ],
    wanted: [
      { met: slowest <= 1000, text: `listens within 1 s as installed: ${ms(slowest)} at most` },
      { met: rss <= 150e6, text: `at most 150 MB (143 MiB) before the first proofread: ${mebibytes(rss)} at most` },
    ],
    notes: [`${rounds} rounds, starts one after the other. "Listening" is the line with the URL on standard output.`],
  };
}

export const start: Benchmark = { name: 'start', about: 'time to listen, and memory', run };
