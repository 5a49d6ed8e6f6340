import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** The niceness of a thread that yields to the others. */
const NICE = 10;

// On Linux a thread has a priority of its own. Without /proc only that is lost.
try {
  setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICE);
} catch {}
