import { type ResourceLimits, Worker } from 'node:worker_threads';

/** Threads load packages faster with it. */
const RESOLVE = new URL('./modules/resolve.ts', import.meta.url).href;

/** Starts a thread that runs the script, without the options of this process (--eval, --input-type). */
export const startThread = (script: URL, data: unknown, limits?: ResourceLimits): Worker =>
  new Worker(script, {
    workerData: data,
    execArgv: ['--import', RESOLVE],
    ...(limits && { resourceLimits: limits }),
  });
