import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The duration of an empty process on the idle machine on which the limits were chosen. */
const CALM_MS = 80;
const ROUNDS = 3;

/** How much slower this machine is now than that one, because of its speed and its load; at least 1. */
export async function slowness(): Promise<number> {
  let longest = CALM_MS;
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now();
    await once(spawn(process.execPath, ['--eval', '0'], { env: {}, stdio: 'ignore' }), 'exit');
    longest = Math.max(longest, performance.now() - from);
  }
  return longest / CALM_MS;
}

/** AssertionError when something took longer than this many milliseconds, adjusted for the machine's speed and load. */
export async function assertSoon(ms: number, max_ms: number, what: string): Promise<void> {
  if (ms <= max_ms) return;
  const allowed = max_ms * (await slowness());
  assert.ok(ms <= allowed, `${what} took ${Math.round(ms)} ms; ${Math.round(allowed)} are allowed at the moment`);
}
