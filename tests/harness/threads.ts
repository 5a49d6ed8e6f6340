import { isDeepStrictEqual } from 'node:util';
import { PlannerThreads } from '@mailroom/do/threads/planner-threads';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import type { check as checkHere } from '@mailroom/english-proofreader/check';
import { makeProofreadPool } from '@mailroom/proofread';
import { type Config, readConfig } from '@mailroom/server/config';
import { limitsOf, SharedTasks } from '@mailroom/steps/host';

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
const limits = limitsOf({ settings: DEFAULTS as never });
const settingsOf = (config: Config) => [
  limitsOf({ settings: config as never }),
  config.SANDBOX_WORKERS,
  config.SANDBOX_QUEUE,
];

const TASKS = makeTasks({ sandbox_workers: DEFAULTS.SANDBOX_WORKERS, sandbox_queue: DEFAULTS.SANDBOX_QUEUE }).map(
  (task) => ({ ...task, close: async () => {} }),
);
const PROOFREAD: readonly [string, object] = ['threads that proofread', PROOFREAD_POOL];
const SHARED = new Map<string, object>([
  PROOFREAD,
  ['tasks', new SharedTasks(TASKS)],
  ['threads that plan', new SharedPlannerThreads({ limits })],
]);

/** Threads that services of this process share, since each takes up to half a second of processor time to load. */
export const sharedFor = (config: Config): ReadonlyMap<string, object> =>
  isDeepStrictEqual(settingsOf(config), settingsOf(DEFAULTS)) ? SHARED : new Map([PROOFREAD]);
