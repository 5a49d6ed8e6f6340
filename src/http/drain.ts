import type { Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Millis } from '../core/values/clock.ts';

/** One turn of the event loop to accept a connection, one to read it, one for good measure. */
const TURNS = 3;

/**
 * Resolves when nobody waits at the door any more, at the latest after `most_ms`. A connection counts as idle until
 * what lies in it unread is found, and one that was not accepted does not count at all: a server that closes before cuts
 * off requests that were sent while it was open. The loop accepts one connection a turn.
 */
export async function drained(server: Server, max_ms: Millis): Promise<void> {
  let quiet = 0;
  const heard = (): void => {
    quiet = 0;
  };
  server.on('connection', heard);
  for (const until = performance.now() + max_ms; quiet < TURNS && performance.now() < until; quiet++) {
    await setImmediate();
  }
  server.off('connection', heard);
}
