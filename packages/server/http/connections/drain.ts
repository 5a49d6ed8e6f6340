import type { Server } from 'node:http';
import type { Millis } from '@mailroom/behavior/values/clock';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';

/** The two moments of a stop. */
export interface StopSignals {
  /** Aborts when the service begins to stop; waiting callers are answered with the current state. */
  readonly begun: AbortSignal;
  /** Aborts when the grace time is over and running requests are cut off. */
  readonly over: AbortSignal;
}

/** Turns of the event loop: one to accept a connection, one to read it, one in reserve. */
const TURNS = 3;

/**
 * Resolves when no connection waits to be accepted or read, after `max_ms` at the latest. Closing earlier would cut off
 * requests sent while the server was open, because a connection counts as idle until its bytes are read.
 */
export async function drained(server: Server, max_ms: Millis): Promise<void> {
  let quiet = 0;
  const onConnection = (): void => {
    quiet = 0;
  };
  server.on('connection', onConnection);
  for (const until = performance.now() + max_ms; quiet < TURNS && performance.now() < until; quiet++) {
    await yieldToEventLoop();
  }
  server.off('connection', onConnection);
}
