import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** The niceness of this thread on Linux, so that scripts yield to other requests. */
const NICE = 10;

try {
  setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICE);
} catch {
  // Without /proc only the priority is lost.
}

// Imported afterwards, so that starting a replacement thread also has a low priority.
await import('./thread.ts');
