import { spawn } from 'node:child_process';

/** How a program of others ended, and what it said. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** In case it waits for a person, or for a server that never answers. */
const MAX_MS = 120_000;

/** Runs a program of others to its end, with this standard input, without settings of the person who runs the tests. */
export function runProgram(
  program: string,
  args: readonly string[],
  { input = '', home = '/nonexistent' }: { readonly input?: string; readonly home?: string } = {},
): Promise<ProgramEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<ProgramEnd>();
  const env = {
    PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
    HOME: home,
    TERM: 'xterm',
    LANG: 'C.UTF-8',
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const child = spawn(program, args, { env, timeout: MAX_MS, stdio: 'pipe' });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.on('error', reject);
  child.on('close', (code) => resolve({ code, stdout, stderr }));
  // A program that ends before it read everything shows that by its exit code.
  child.stdin.on('error', () => {}).end(input);
  return promise;
}
