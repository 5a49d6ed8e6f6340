import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './child.ts';
import { type Job, type Measured, startGenerator } from './load.ts';
import { median } from './numbers.ts';
import type { Options } from './report.ts';

export interface Contender {
  readonly name: string;
  readonly server: Server;
  readonly letter: Letter;
  /** Until nothing that the load caused is left to do, so that the next one has the machine for itself. */
  settle?(): Promise<void>;
}
export type Letter = Pick<Job, 'path' | 'headers' | 'bodies' | 'status' | 'expect'>;

export interface Round extends Measured {
  /** CPU time of the server, all its threads, microseconds a request; what it does after the load is in it. */
  readonly cpu_us: number;
  /** To the first contender in the same round. */
  readonly ratio: number;
  readonly p99_ratio: number;
  /** Seconds from the start of the load until `settle` was done. */
  readonly settled_s: number;
}

export interface Compared {
  readonly name: string;
  readonly rounds: readonly Round[];
  /** Median over the rounds. */
  of(figure: 'rate' | 'ratio' | 'p50' | 'p99' | 'p99_ratio' | 'cpu_us' | 'answer_bytes'): number;
}

export interface Plan {
  readonly connections: number;
  /** Short and many: a ratio then compares neighbors in time, since these machines are fast one second and slow the next. */
  readonly rounds: number;
  /** Before the first round, when code is not yet compiled and caches are empty. */
  readonly cold_ms: number;
  readonly warm_ms: number;
  readonly measure_ms: number;
}

/** A B C, A B C, … */
export async function compare(
  contenders: readonly Contender[],
  { connections, rounds, cold_ms, warm_ms, measure_ms }: Plan,
  say: Options['say'],
): Promise<Compared[]> {
  await using generator = startGenerator();
  const all = contenders.map(({ name }) => ({ name, rounds: [] as Round[] }));
  for (let round = 1; round <= rounds; round++) {
    for (const [index, { name, server, letter, settle }] of contenders.entries()) {
      say(`round ${round} of ${rounds}: ${name}`);
      const timed = { warm_ms: round === 1 ? cold_ms : warm_ms, measure_ms };
      const [cpu, from] = [server.cpu(), performance.now()];
      const measured = await generator.load({ port: server.port, connections, timed, ...letter });
      await settle?.();
      const settled_s = (performance.now() - from) / 1000;
      const cpu_us = ((server.cpu() - cpu) / measured.sent) * 1e6;
      const first = all[0]?.rounds[round - 1] ?? measured;
      all[index]?.rounds.push({
        ...measured,
        cpu_us,
        settled_s,
        ratio: measured.rate / first.rate,
        p99_ratio: measured.p99 / first.p99,
      });
      await sleep(100);
    }
  }
  return all.map((one) => ({ ...one, of: (figure) => median(one.rounds.map((round) => round[figure])) }));
}
