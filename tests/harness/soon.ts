import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** What a process that does nothing takes on the machine where the bounds were found, when it is calm. */
const CALM_MS = 80;
const ROUNDS = 3;

/** How many times as long this machine takes at the moment, as slow as it is and as busy with else; at least 1. */
export async function slowness(): Promise<number> {
  let longest = CALM_MS;
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now();
    await once(spawn(process.execPath, ['--eval', '0'], { env: {}, stdio: 'ignore' }), 'exit');
    longest = Math.max(longest, performance.now() - from);
  }
  return longest / CALM_MS;
}

/** AssertionError when something took longer than so many milliseconds of a calm machine. */
export async function assertSoon(ms: number, max_ms: number, what: string): Promise<void> {
  if (ms <= max_ms) return;
  const allowed = max_ms * (await slowness());
  assert.ok(ms <= allowed, `${what} took ${Math.round(ms)} ms; ${Math.round(allowed)} are allowed at the moment`);
}
