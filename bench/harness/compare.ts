import { availableParallelism, cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './child.ts';
import type { Job, Measured } from './job.ts';
import { startGenerator } from './load.ts';
import { median, ms, percent, ratio, spread, whole } from './numbers.ts';
import type { Options, Report } from './report.ts';
import { hasWrk, INSTALL } from './wrk.ts';

export interface Contender {
  readonly name: string;
  readonly server: Server;
  readonly submission: Submission;
  /** Resolves when all work that the load caused is done, so that the next contender has the machine for itself. */
  settle?(): Promise<void>;
}
export type Submission = Pick<Job, 'path' | 'headers' | 'bodies' | 'serial' | 'status' | 'expect'>;

export interface Round extends Measured {
  /** CPU time of the server in microseconds a request, over all its threads, with the work it does after the load. */
  readonly cpu_us: number;
  /** Relative to the first contender in the same round. */
  readonly ratio: number;
  readonly p99_ratio: number;
  /** The share of all cores that other processes used meanwhile: 0 on an idle machine. */
  readonly others: number;
  /** Seconds from the start of the load until `settle` was done. */
  readonly settled_s: number;
}

export interface Compared {
  readonly name: string;
  readonly rounds: readonly Round[];
  /** Median over the rounds. */
  of(figure: 'rate' | 'ratio' | 'p50' | 'p99' | 'max' | 'p99_ratio' | 'cpu_us' | 'answer_bytes' | 'cores'): number;
}

export interface Plan {
  readonly connections: number;
  /**
   * Many short rounds compare contenders that are close in time, because the speed of these machines varies from second
   * to second.
   */
  readonly rounds: number;
  /** A warm-up before the first round, while code is not yet compiled and caches are empty. */
  readonly cold_ms: number;
  readonly warm_ms: number;
  readonly measure_ms: number;
}

/** Each round runs the contenders in order: A B C, A B C, … */
export async function compare(
  contenders: readonly Contender[],
  { connections, rounds, cold_ms, warm_ms, measure_ms }: Plan,
  say: Options['say'],
): Promise<Compared[]> {
  await using generator = startGenerator();
  const results = contenders.map(({ name }) => ({ name, rounds: [] as Round[] }));
  for (let round = 1; round <= rounds; round++) {
    for (const [index, { name, server, submission, settle }] of contenders.entries()) {
      say(`round ${round} of ${rounds}: ${name}`);
      const timed = { warm_ms: round === 1 ? cold_ms : warm_ms, measure_ms };
      const [cpu, all_cpu, from] = [server.cpu(), busy(), performance.now()];
      const measured = await generator.load({ port: server.port, connections, timed, ...submission }).catch((error) => {
        throw new Error(`${name}, round ${round}: ${error.message}\n${server.lastWords()}`);
      });
      await settle?.();
      const settled_s = (performance.now() - from) / 1000;
      const own_s = server.cpu() - cpu;
      const others = Math.max(0, (busy() - all_cpu - own_s - measured.cpu_s) / (settled_s * availableParallelism()));
      const first = results[0]?.rounds[round - 1] ?? measured;
      results[index]?.rounds.push({
        ...measured,
        cpu_us: (own_s / measured.sent) * 1e6,
        others,
        settled_s,
        ratio: measured.rate / first.rate,
        p99_ratio: measured.p99 / first.p99,
      });
      await sleep(100);
    }
  }
  return results.map((one) => ({ ...one, of: (figure) => median(one.rounds.map((round) => round[figure])) }));
}

/** Seconds that all cores together have worked since the machine started. */
const busy = (): number => cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys, 0) / 1000;

/**
 * Marks figures that were taken while other processes ran, because they are less reliable, and names the generator with
 * what it took of the machine.
 */
export function disturbance(compared: readonly Compared[]): string {
  const others = compared.flatMap(({ rounds }) => rounds.map((round) => round.others));
  const took = compared.map((one) => percent(one.of('cores'))).join(', ');
  return [
    `Other processes took ${percent(median(others))} of the cores meanwhile, ${percent(Math.max(...others))} at worst.`,
    hasWrk()
      ? `Measured by wrk -t1 --latency after a warm-up in which every answer was checked; wrk took ${took} of a core.`
      : `${INSTALL}. Ours took ${took} of a core and checked every answer.`,
  ].join('\n');
}

/** The figures of each contender, compared with those of the first. */
export const figures = (compared: readonly Compared[]): Report['table'] => [
  ['at 64 connections', 'requests/s', 'ratio', 'in rounds', 'p50', 'p99', 'max', 'p99 to raw', 'CPU a request'],
  ...compared.map((one) => [
    one.name,
    whole(one.of('rate')),
    ratio(one.of('ratio')),
    spread(
      one.rounds.map((round) => round.ratio),
      ratio,
    ),
    ms(one.of('p50')),
    ms(one.of('p99')),
    ms(one.of('max')),
    ratio(one.of('p99_ratio')),
    `${one.of('cpu_us').toFixed(0)} µs`,
  ]),
];
