import { spawn, spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { LONG } from '../../../tests/soak/length.ts';

/** A program on the PATH whose version begins so; empty where there is none. */
export const onPath = (program: string, version = ''): string =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout?.startsWith(version)) ?? '';

/** The oldest version of Node that the client supports, where the machine has it. */
export const OLD_NODE: string = onPath('node', 'v20.');

/**
 * Runs the command line in its tests: this Node, and in `npm run soak` the oldest. `package.test.ts` and `emitted.test.ts`
 * always run the oldest, which takes twice the processor time for each process.
 */
export const NODE: string = LONG && OLD_NODE !== '' ? OLD_NODE : process.execPath;

/** Where this Node keeps what it compiled; the oldest has no such place. */
const { NODE_COMPILE_CACHE } = process.env;
const CACHED: Readonly<Record<string, string>> = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

/** The reason to skip a test that runs it; false where it is there. */
export const lacksOldNode: string | false = OLD_NODE === '' && 'no Node 20 is on the PATH';

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, with nothing of the tests' environment but PATH, HOME, the cache of compiled code and `env`. */
export function finished(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { input = '', cwd = undefined as string | undefined } = {},
): Promise<Finished> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(program, args, { env: { PATH, HOME, ...CACHED, ...env }, cwd });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  // A program that ends early does not read it.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, ...output }));
  });
}
