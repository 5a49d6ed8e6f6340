import { isDeepStrictEqual } from 'node:util';
import { PlannerThreads } from '../../src/behaviors/do/threads/planner-threads.ts';
import type { check as checkHere } from '../../src/behaviors/proofread/check.ts';
import { makeProofreadPool } from '../../src/behaviors/proofread/index.ts';
import type { Config } from '../../src/config.ts';
import { readConfig } from '../../src/config.ts';
import type { SharedThreads } from '../../src/service/behaviors.ts';
import { doLimitsOf } from '../../src/service/behaviors.ts';
import { makeTasks } from '../../src/tasks/index.ts';

/**
 * One thread that proofreads for all tests of this process, because a thread takes two seconds of processor time to load.
 * An idle thread lets the process end. A text may take longer than a service allows, since the machine is busy.
 */
export const PROOFREAD_POOL = makeProofreadPool({ workers: 1, run_ms: 60_000 });

/** `check` on that thread, since Harper takes as long to load on the thread of the tests too. */
export const check: typeof checkHere = (text, dialect, circumstances) =>
  PROOFREAD_POOL.run({ text, dialect, ...circumstances });

/** Stays when a service ends. */
class SharedPlannerThreads extends PlannerThreads {
  override async close(): Promise<void> {}
}

const DEFAULTS = readConfig({});
const settingsOf = (config: Config) => [doLimitsOf(config), config.SANDBOX_WORKERS, config.SANDBOX_QUEUE];

const SHARED: SharedThreads = {
  proofread: PROOFREAD_POOL,
  planner: new SharedPlannerThreads({ limits: doLimitsOf(DEFAULTS) }),
  tasks: makeTasks({ sandbox_workers: DEFAULTS.SANDBOX_WORKERS, sandbox_queue: DEFAULTS.SANDBOX_QUEUE }).map(
    (task) => ({ ...task, close: async () => {} }),
  ),
};

/** Threads that services of this process share, since each takes up to half a second of processor time to load. */
export function threadsFor(config: Config): Partial<SharedThreads> {
  const { proofread } = SHARED;
  return isDeepStrictEqual(settingsOf(config), settingsOf(DEFAULTS)) ? SHARED : { proofread };
}
