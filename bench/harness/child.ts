import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const PATIENCE_MS = 20_000;
const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code));

/** Sends SIGTERM, then SIGKILL when the process does not exit. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const impatient = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await gone;
  clearTimeout(impatient);
  alive.delete(child);
}

export interface Server extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  /** From before the spawn to the line that says that it listens. */
  readonly listening_ms: number;
  /** CPU seconds used and resident bytes; NaN where there is no /proc. */
  cpu(): number;
  rss(): number;
  /** The end of its log, for error messages. */
  lastWords(): string;
  /** Calls back with each line of standard output from now on. */
  onLine(listener: (line: string) => void): void;
}

/**
 * A Node process of this repository that prints `http://…:PORT` once it listens. Its standard error goes to the file.
 */
export async function startServer(
  script: string,
  {
    args = [],
    env,
    log,
  }: {
    args?: readonly string[];
    env: Readonly<Record<string, string>>;
    log: string;
  },
): Promise<Server> {
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env;
  const stderr = openSync(log, 'a');
  const from = performance.now();
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH, HOME, TMPDIR, ...env },
    stdio: ['ignore', 'pipe', stderr],
  });
  closeSync(stderr);
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  const { pid, stdout } = child;
  if (pid === undefined || !stdout) throw new Error(`${script} did not start`);

  const lastWords = (): string => readFileSync(log, 'utf8').slice(-2000);

  const lines = createInterface(stdout);
  const port = await new Promise<number>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${script} ${why}\n${lastWords()}`));
    const timer = setTimeout(() => fail('does not listen'), PATIENCE_MS);
    child.once('exit', (code, signal) => fail(`ended with ${code ?? signal}`));
    lines.on('line', (line) => {
      const found = /https?:\/\/[^\s/:]+:(\d+)/.exec(line)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(Number(found));
    });
  }).catch(async (error) => {
    await stop(child);
    throw error;
  });
  const listening_ms = performance.now() - from;

  return {
    port,
    pid,
    listening_ms,
    cpu: () => {
      // proc(5): fields 14 and 15 are user and system time in hundredths of a second. The second field ends with `)`
      // and may hold spaces.
      const fields = proc(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    rss: () => Number(/VmRSS:\s+(\d+) kB/.exec(proc(pid, 'status'))?.[1]) * 1024,
    lastWords,
    onLine: (listener) => void lines.on('line', listener),
    [Symbol.asyncDispose]: () => stop(child),
  };
}

function proc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
