// Runs every hostile program in one process and prints, as JSON, how far its resident memory rose above that of a warm
// sandbox, in MB. The kernel's high-water mark is reset before each.
// sandbox: megabytes. The kernel's high-water mark is put back before each.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sandbox } from '../../src/tasks/sandbox/index.ts';
import { HOSTILE, LIMITS } from './hostile-programs.ts';

const MEBIBYTE = 1024;
const mebibytes = (field: 'VmHWM' | 'VmRSS'): number =>
  Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / MEBIBYTE);

const never = new AbortController().signal;
const sandbox = new Sandbox({ workers: 1, max_queue: 1 });
await sandbox.warm();
await sleep(200);
const base = mebibytes('VmRSS');
const peaks: { name: string; over: number }[] = [];
for (const { name, code } of HOSTILE) {
  writeFileSync('/proc/self/clear_refs', '5');
  await sandbox.run({ code, input: { x: 21 } }, LIMITS, never).catch(() => undefined);
  peaks.push({ name, over: mebibytes('VmHWM') - base });
}
await sandbox.close();
console.log(JSON.stringify({ base, peaks }));
