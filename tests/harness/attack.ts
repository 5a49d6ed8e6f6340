import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { longestTurn, peakMib, resetPeak, TURNS } from './process-figures.ts';
import { newFolder, removeFolder, type Service, type StartOptions, startService } from './service.ts';

/** What an outsider measured while the service was attacked. */
export interface Sight {
  /** The longest answer of `/livez` in wall-clock ms, which grows on a busy machine. */
  readonly longest_ms: number;
  /** How often `/livez` was requested. */
  readonly asked: number;
  /** How often the answer was not 200. */
  readonly unanswered: number;
  readonly bystander: {
    readonly sent: number;
    /** The outcomes other than 200 `completed`. */
    readonly refused: readonly string[];
    /** 99 of 100 answers arrived within this many ms. */
    readonly p99_ms: number;
  };
}

export interface AttackReport extends Sight {
  readonly alive: boolean;
  /** The most CPU time that the main thread took for one turn of its event loop, in ms; 0 below 50 ms. */
  readonly stall_ms: number;
  /** Peak memory of the process, in MiB. */
  readonly peak_mib: number;
  readonly logs: string;
}

export interface AttackOptions extends StartOptions {
  /** Maximum JavaScript heap in MiB; default 512. */
  readonly heap_mib?: number;
}

/**
 * The main loop may not be blocked for longer. One turn takes all requests that arrived while a busy machine let the
 * service wait, so that this is twice what an idle machine needs.
 */
const MAX_STALL_MS = 400;
/** For heap, threads, WASM and buffers together. */
const MAX_PEAK_MIB = 2048;

export type Attacker = (service: Service) => Promise<void>;

/** A service to attack, which starts with the first attack, and again when one ended it. */
export interface Target extends AsyncDisposable {
  attack(attacker: Attacker): Promise<AttackReport>;
}

/**
 * Starts the service with a small heap and its limits on, watches it from other networks (127.0.0.8, 127.0.0.9) than
 * the attacker's (127.0.0.1), and reports what happened while `attacker` ran. The service is stopped afterwards.
 */
export async function attack(options: AttackOptions, attacker: Attacker): Promise<AttackReport> {
  await using target = attackTarget(options);
  return await target.attack(attacker);
}

/** The same for several attacks, one after the other, on one service; each has a report of its own. */
export function attackTarget({ heap_mib = 512, ...options }: AttackOptions): Target {
  const notes = newFolder();
  const turns = join(notes, 'turns');
  const env = {
    RATE_LIMITS: 'on',
    ATTACK_TURNS: turns,
    ...options.env,
    NODE_OPTIONS: `${options.env?.NODE_OPTIONS ?? process.env.NODE_OPTIONS ?? ''} --import=${TURNS} --max-old-space-size=${heap_mib}`,
  };
  let started: { readonly service: Service; readonly watch: Watch; alive: boolean } | undefined;
  const start = async () => {
    const service = await startService({ ...options, env });
    const target = { service, watch: new Watch(service), alive: true };
    void service.exited.then(() => {
      target.alive = false;
    });
    started = target;
    return target;
  };
  const end = async (): Promise<void> => {
    await started?.watch.end();
    await started?.service.stop();
  };
  return {
    async attack(attacker) {
      if (started?.alive === false) await end();
      const target = started?.alive === true ? started : await start();
      const { service, watch } = target;
      resetPeak(service.pid);
      // Its answer comes after the turns in which the service started.
      await fetch(`${service.url}/livez`);
      const began = Date.now();
      const seen = await watch.during(() => attacker(service));
      const peak = target.alive ? peakMib(service.pid) : 0;
      return {
        ...seen,
        alive: target.alive,
        stall_ms: longestTurn(turns, began),
        peak_mib: peak,
        logs: service.logs(),
      };
    },
    async [Symbol.asyncDispose]() {
      await end();
      removeFolder(notes);
    },
  };
}

/**
 * The service survived, its main loop was never blocked, its memory stayed bounded, and other clients were answered.
 */
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

  constructor({ port, ownerKey }: Service) {
    this.#worker = new Worker(new URL('./attack-watch.ts', import.meta.url), { workerData: { port, ownerKey } });
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
