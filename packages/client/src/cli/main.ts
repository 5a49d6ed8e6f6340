#!/usr/bin/env node
import { runProgram } from './program.ts';

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
process.once('SIGTERM', () => interrupted.abort());
// The reader of a pipe may end early, such as head.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const { stdout, stderr, env } = process;
process.exitCode = await runProgram(process.argv.slice(2), {
  // Opened only by a command that reads it.
  get stdin() {
    return process.stdin;
  },
  stdout,
  stderr,
  env,
  signal: interrupted.signal,
});
