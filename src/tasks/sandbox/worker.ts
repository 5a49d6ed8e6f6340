import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Of Linux, where a thread has a niceness of its own: scripts yield to everybody else's requests. */
const NICE = 10;

try {
  setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICE);
} catch {
  // No /proc: nothing is lost but that.
}

// Only now, so that starting a thread in place of one that was killed yields too.
await import('./thread.ts');
