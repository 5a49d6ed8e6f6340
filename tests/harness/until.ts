import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { slowness } from './soon.ts';

export interface Outcome<T> {
  readonly seen: T;
  /** How long it took. */
  readonly ms: number;
}

/** The pauses between looks grow with the time waited, because each look may be a request to a busy service. */
const LOOK_MS = 20;
const MAX_LOOK_MS = 100;
const LOOK_SHARE = 0.1;

/** Polls until the result matches, within this many milliseconds, adjusted for the machine's speed and load. */
export async function until<T>(
  max_ms: number,
  look: () => Promise<T>,
  fits: (seen: T) => boolean,
): Promise<Outcome<T>> {
  const from = performance.now();
  let allowed: number | undefined;
  for (;;) {
    const seen = await look();
    const ms = performance.now() - from;
    if (ms > max_ms) allowed ??= max_ms * (await slowness());
    if (fits(seen)) {
      assert.ok(ms <= (allowed ?? max_ms), `it came after ${Math.round(ms)} ms, not within ${allowed}`);
      return { seen, ms };
    }
    assert.ok(ms <= (allowed ?? max_ms), `not within ${allowed} ms; seen last: ${JSON.stringify(seen)?.slice(0, 600)}`);
    await pause(Math.min(MAX_LOOK_MS, Math.max(LOOK_MS, ms * LOOK_SHARE)));
  }
}
