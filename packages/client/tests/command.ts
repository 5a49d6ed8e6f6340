import { join } from 'node:path';
import { Readable } from 'node:stream';
import { LONG } from '../../../tests/soak/length.ts';
import { runProgram } from '../src/cli/program.ts';
import { type Finished, finished, NODE } from './old-node.ts';

/** The command line's program. */
export const MAIN = join(import.meta.dirname, '../dist/cli/main.js');

/** Runs the command line in a process of its own, with nothing of the tests' environment, as `finished` does. */
export const mailroomProcess = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<Finished> => finished(NODE, [MAIN, ...args], env, { input });

/**
 * Runs a command of the command line: in this process, because most of what a process costs is its start, and in one of
 * its own in `npm run soak`.
 */
export async function mailroomCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<Finished> {
  if (LONG) return mailroomProcess(args, env, input);
  const { PATH = '', HOME = '' } = process.env;
  const output = { stdout: '', stderr: '' };
  const status = await runProgram(args, {
    stdin: Readable.from([Buffer.from(input)]),
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
    env: { PATH, HOME, ...env },
    signal: new AbortController().signal,
  });
  return { status, ...output };
}
