import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { workerData } from 'node:worker_threads';
import { serve } from '@mailroom/workers/serve';
import { type Job, type Outcome, type Prelude, runJob } from './job.ts';
import { Machine, SCRIPT } from './machine.ts';
import { PRELUDE } from './prelude.ts';

/** The data that a thread starts with. */
export interface ThreadData {
  readonly module: WebAssembly.Module;
  /** Where the thread stores the start time of each slot's job, in ms since the epoch. */
  readonly began: SharedArrayBuffer;
}

export interface ThreadTask {
  readonly slot: number;
  readonly job: Job;
}

const { module, began } = workerData as ThreadData;
const times = new Float64Array(began);

let prelude: Prelude | undefined;
const machine = new Machine(module, (realm) => {
  const given = realm.evaluate(PRELUDE, SCRIPT);
  if (realm.isException(given)) throw new Error('The prelude does not run.');
  prelude = {
    begin: realm.property(given, 'begin'),
    finish: realm.property(given, 'finish'),
    describe: realm.property(given, 'describe'),
    logs: realm.property(given, 'logs'),
  };
});

/** A script that compiles what every job uses. */
const WARM_UP: Job = {
  code: 'const { a = 1 } = input; console.log(a); a',
  input: '{}',
  args: '[]',
  limits: { ms: 1000, memory_bytes: 1 << 24, output_bytes: 100, log_bytes: 100 },
};

// Otherwise a few machines of 64 MiB would wait for V8's garbage collector, because the thread's own heap is small.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let used = false;

function clear(): void {
  if (used && machine.reset()) collectGarbage();
  used = false;
}

/** Resets the machine after the answer is sent, so that the caller does not wait for it. */
function run(job: Job): Outcome {
  clear();
  used = true;
  setImmediate(clear);
  return runJob(machine, prelude as Prelude, job);
}

for (let round = 0; round < 3; round += 1) run(WARM_UP);
clear();

serve<ThreadTask, Outcome>(({ slot, job }) => {
  times[slot] = Date.now();
  return run(job);
});
