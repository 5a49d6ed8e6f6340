import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** To preload into a service with `--import`, with the name of a file in `ATTACK_TURNS`. */
export const TURNS = new URL('./attack-turns.ts', import.meta.url);

/** The longest turn of the main loop since then, in ms of CPU time; 0 where none took 50 ms. */
export function longestTurn(file: string, began: number): number {
  if (!existsSync(file)) return 0;
  const turns = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  return Math.round(Math.max(0, ...turns.filter(([at = 0]) => at >= began).map(([, ms = 0]) => ms)));
}

/** Sets the high-water mark to what is resident (proc(5), clear_refs), where that is allowed. */
export function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {}
}

/** The high-water mark of resident memory (proc(5), VmHWM); 0 where there is no /proc. */
export function peakMib(pid: number): number {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

/** Clock ticks of processor time that a process used (proc(5), utime and stime). */
function ticks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Waits until a process does next to nothing for a second, such as when all is loaded that it prepares. */
export async function settled(pid: number): Promise<void> {
  for (let used = ticks(pid); ; ) {
    await sleep(1_000);
    const now = ticks(pid);
    if (now - used <= 3) return;
    used = now;
  }
}
