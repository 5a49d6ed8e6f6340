import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

export interface Came<T> {
  readonly seen: T;
  /** How long it took. */
  readonly ms: number;
}

const LOOK_MS = 20;

/** Looks again and again until what it sees fits, which has to be within so many milliseconds. */
export async function until<T>(most_ms: number, look: () => Promise<T>, fits: (seen: T) => boolean): Promise<Came<T>> {
  const from = performance.now();
  for (;;) {
    const seen = await look();
    const ms = performance.now() - from;
    if (fits(seen)) {
      assert.ok(ms <= most_ms, `it came after ${Math.round(ms)} ms, not within ${most_ms}`);
      return { seen, ms };
    }
    assert.ok(ms <= most_ms, `not within ${most_ms} ms; seen last: ${JSON.stringify(seen)?.slice(0, 600)}`);
    await pause(LOOK_MS);
  }
}
