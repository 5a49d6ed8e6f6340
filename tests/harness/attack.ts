import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Service, StartOptions } from './service.ts';
import { startService } from './service.ts';

/** What an outsider saw of the service while something was done to it. */
export interface Sight {
  /** The most processor time that the main thread took between a request of `/livez` and its answer, in ms. */
  readonly stall_ms: number;
  /** The longest that an answer of `/livez` took by the clock, in ms: longer on a busy machine. */
  readonly longest_ms: number;
  /** How often `/livez` was asked. */
  readonly asked: number;
  /** How often it was not answered with 200. */
  readonly unanswered: number;
  readonly bystander: {
    readonly sent: number;
    /** What was answered otherwise than with 200 `completed`. */
    readonly refused: readonly string[];
    /** 99 of 100 answers came within so many ms. */
    readonly p99_ms: number;
  };
}

export interface AttackReport extends Sight {
  /** The same for a second before the attack. */
  readonly usual: Sight;
  readonly alive: boolean;
  /** The most memory that the process ever had, in MiB. */
  readonly peak_mib: number;
  readonly logs: string;
}

export interface AttackOptions extends StartOptions {
  /** MiB of the heap of JavaScript; 512 when not given. */
  readonly heap_mib?: number;
}

/** The main loop may not be held up for longer. */
export const MAX_STALL_MS = 200;
/** Of heap, threads, WASM and buffers together. */
const MAX_PEAK_MIB = 2048;

/**
 * Starts the service with a small heap and its limits on, watches it from other networks (127.0.0.8, 127.0.0.9) than the
 * attacker's (127.0.0.1), and tells what was seen while `attacker` was at it. The service is ended afterwards.
 */
export async function attack(
  { heap_mib = 512, ...options }: AttackOptions,
  attacker: (service: Service) => Promise<void>,
): Promise<AttackReport> {
  await using service = await startService({
    ...options,
    env: {
      RATE_LIMITS: 'on',
      ...options.env,
      // What a test preloads takes the place of the packed modules that `npm test` preloads, which it could not reach into.
      NODE_OPTIONS: `${options.env?.NODE_OPTIONS ?? process.env.NODE_OPTIONS ?? ''} --max-old-space-size=${heap_mib}`,
    },
  });
  let alive = true;
  void service.exited.then(() => {
    alive = false;
  });
  const watch = new Watch(service);
  try {
    const usual = await watch.during(() => new Promise((resolve) => setTimeout(resolve, 1_000)));
    const seen = await watch.during(() => attacker(service));
    const peak = alive ? peakMib(service.pid) : 0;
    return { ...seen, usual, alive, peak_mib: peak, logs: service.logs() };
  } finally {
    await watch.end();
  }
}

/** The service lived, its main loop was never held up, its memory was bounded, and others were answered meanwhile. */
export function assertHeld(report: AttackReport): void {
  const { alive, stall_ms, unanswered, peak_mib, bystander, logs } = report;
  const details = JSON.stringify({ ...report, logs: logs.slice(-2000) }, null, 1);
  assert.ok(alive, `The service ended.\n${details}`);
  assert.equal(unanswered, 0, `/livez was not answered.\n${details}`);
  assert.ok(stall_ms <= MAX_STALL_MS, `The main loop was held up for ${stall_ms} ms of processor time.\n${details}`);
  assert.ok(peak_mib <= MAX_PEAK_MIB, `It took ${peak_mib} MiB.\n${details}`);
  assert.deepEqual(bystander.refused, [], `Others were not answered.\n${details}`);
}

class Watch {
  readonly #worker: Worker;

  constructor({ port, pid, ownerKey }: Service) {
    this.#worker = new Worker(new URL('./attack-watch.ts', import.meta.url), { workerData: { port, pid, ownerKey } });
  }

  async during(work: () => Promise<void>): Promise<Sight> {
    await this.#say('begin');
    await work();
    return this.#say('end');
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #say(word: 'begin' | 'end'): Promise<Sight> {
    return new Promise((resolve, reject) => {
      this.#worker.once('error', reject);
      this.#worker.once('message', (sight: Sight) => {
        this.#worker.off('error', reject);
        resolve(sight);
      });
      this.#worker.postMessage(word);
    });
  }
}

/** The high-water mark of resident memory (proc(5), VmHWM); 0 where there is no /proc. */
function peakMib(pid: number): number {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
