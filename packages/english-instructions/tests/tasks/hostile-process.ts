// Runs every hostile program in one process, each with a good one after it, and prints as JSON how each ended and how
// far resident memory rose above that of a warm sandbox. The kernel's high-water mark is reset before each.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '@mailroom/behavior/values/json';
import { type Problem, Sandbox, SandboxError } from '../../tasks/sandbox/index.ts';
import { HOSTILE, LIMITS, PATIENT } from './hostile-programs.ts';

/** How a program ended. */
export interface Ended {
  readonly name: string;
  /** The value of a program that ended well. */
  readonly value?: Json;
  readonly problem?: {
    readonly kind: Problem | 'unknown';
    readonly message: string;
    readonly stack: string;
  };
  readonly logs: readonly string[];
  readonly ms: number;
  /** MiB above the base; 0 where there is no /proc. */
  readonly over: number;
  /** The value of the good program after it. */
  readonly next: Json;
}

const IS_LINUX = process.platform === 'linux';
const KIBIBYTES = 1024;
const mebibytes = (field: 'VmHWM' | 'VmRSS'): number =>
  IS_LINUX
    ? Math.round(
        Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / KIBIBYTES,
      )
    : 0;

const never = new AbortController().signal;
const input = { x: 21 };
const sandbox = new Sandbox({ workers: 1, max_queue: 1 });
await sandbox.warm();
await sleep(200);
const base = mebibytes('VmRSS');
const ended: Ended[] = [];
for (const { name, code, ends = [] } of HOSTILE) {
  if (IS_LINUX) writeFileSync('/proc/self/clear_refs', '5');
  const from = performance.now();
  const result = await sandbox.run({ code, input }, ends.length > 0 ? LIMITS : PATIENT, never).then(
    ({ value, logs }) => ({ value, logs }),
    (error: unknown) => {
      if (!(error instanceof SandboxError)) {
        return { problem: { kind: 'unknown', message: String(error), stack: '' } as const, logs: [] };
      }
      const { kind, message, guest_stack: stack = '', logs } = error;
      return { problem: { kind, message, stack }, logs };
    },
  );
  const ms = performance.now() - from;
  const over = mebibytes('VmHWM') - base;
  const good = await sandbox.run(
    { code: 'const all = [1, 2, 3]; all.reduce((a, b) => a + b) * input.x', input },
    PATIENT,
    never,
  );
  ended.push({ name, ...result, ms, over, next: good.value });
}
await sandbox.close();
console.log(JSON.stringify(ended));
