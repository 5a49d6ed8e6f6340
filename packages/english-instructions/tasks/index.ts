import { calculate } from './calculate/index.ts';
import { convert } from './convert/index.ts';
import { encode } from './encode/index.ts';
import { makeFetch } from './fetch/index.ts';
import { makeJsonTask } from './json/index.ts';
import { forget } from './notes/forget.ts';
import { recall } from './notes/recall.ts';
import { remember } from './notes/remember.ts';
import { remind } from './plans/remind.ts';
import { schedule } from './plans/schedule.ts';
import { random } from './random/index.ts';
import { makeRun } from './run.ts';
import { Sandbox } from './sandbox/index.ts';
import { send } from './send.ts';
import { table } from './table/index.ts';
import type { Task } from './task.ts';
import { text } from './text/index.ts';
import { time } from './time/index.ts';

export interface TasksOptions {
  /** Threads that run scripts; one more is kept warm in case one has to be ended. */
  readonly sandbox_workers: number;
  /** Maximum scripts that wait for a thread. */
  readonly sandbox_queue: number;
}

/** Every task of this build, those of effects `none` first. To add one, copy `random/` and add it here. */
export function makeTasks({ sandbox_workers, sandbox_queue }: TasksOptions): readonly Task[] {
  const sandbox = new Sandbox({ workers: sandbox_workers, max_queue: sandbox_queue });
  const run: Task = { ...makeRun(sandbox), close: () => sandbox.close() };
  const pure = [calculate, convert, time, text, encode, makeJsonTask({ workers: 1 }), table, random, run];
  return [...pure, makeFetch({ workers: 1 }), recall, remember, forget, send, remind, schedule];
}
