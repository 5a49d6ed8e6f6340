import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Postgres } from './postgres.ts';
import { startPostgres } from './postgres.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN = join(ROOT, 'src', 'main.ts');
const START_MS = 60_000;
/** Longer than a stop takes on a busy machine: it is not to be held for one that does not end. */
const STOP_MS = 60_000;
/** More than what is ended after a file's last test takes to end. */
const LEFT_MS = 90_000;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of the service, its streams kept. */
export interface Running {
  readonly child: ChildProcess;
  readonly exited: Promise<Exit>;
  stdout(): string;
  stderr(): string;
  /** Resolves with the first match on standard output; rejects when the process ends, or after a minute, without one. */
  says(pattern: RegExp): Promise<RegExpMatchArray>;
}

export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Of the house namespace. */
  readonly ownerKey: string;
  readonly folder: string;
  /** The SQLite file. */
  readonly database: string;
  /** Where its mail is, if it has no server for it. */
  readonly outbox: string;
  /** Its `DATABASE_URL`. */
  readonly databaseUrl: string;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  stdout(): string;
  /** What it wrote to standard error. */
  logs(): string;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<Exit>;
  /** SIGKILL, and waits for the end. */
  kill(): Promise<Exit>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A data folder to go on with; the caller removes it. Without it, a new one that goes with the service. */
  readonly folder?: string;
  /** Another program than `src/main.ts`, for a service with a defect put in. */
  readonly main?: string;
}

const children = new Set<ChildProcess>();
const killAll = (): void => {
  for (const child of children) child.kill('SIGKILL');
};
process.on('exit', killAll);
// A test that ran out of time never comes to end what it started, and its file would not end either.
if (process.env.NODE_TEST_CONTEXT !== undefined) after(() => void setTimeout(killAll, LEFT_MS).unref());

/** What a shell would hand on, and nothing that sets the service or the test runner. */
const plainEnv = (): Record<string, string> => {
  const env: Record<string, string> = {};
  for (const name of ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS', 'NODE_V8_COVERAGE']) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
};

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'mailroom-test-'));
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Where a service that was given this folder keeps its database and puts its first owner key. */
export const folderEnv = (folder: string): Record<string, string> => ({
  PORT: '0',
  DATABASE_URL: `sqlite:${join(folder, 'm.db')}`,
});

/** Any program in the repository, with a bare environment. */
export function run(
  command: string,
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Running {
  const child = spawn(command, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...plainEnv(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const out: string[] = [];
  const err: string[] = [];
  const listeners = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out.push(text);
    for (const listener of listeners) listener();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
  const exited = new Promise<Exit>((resolve) => {
    child.on('error', (error) => {
      err.push(String(error));
      children.delete(child);
      resolve({ code: null, signal: null });
    });
    // `close`, not `exit`: the streams have been read to their ends.
    child.on('close', (code, signal) => {
      children.delete(child);
      resolve({ code, signal });
    });
  });
  return {
    child,
    exited,
    stdout: () => out.join(''),
    stderr: () => err.join(''),
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const printed = () => `\n--- stdout\n${out.join('')}\n--- stderr\n${err.join('').slice(-4000)}`;
        const deadline = setTimeout(() => {
          done();
          reject(new Error(`It did not print ${pattern} within ${START_MS} ms.${printed()}`));
        }, START_MS);
        const look = () => {
          const found = out.join('').match(pattern);
          if (found === null) return;
          done();
          resolve(found);
        };
        const done = () => {
          clearTimeout(deadline);
          listeners.delete(look);
        };
        listeners.add(look);
        void exited.then((exit) => {
          look();
          listeners.delete(look);
          clearTimeout(deadline);
          reject(new Error(`It ended (${JSON.stringify(exit)}) without printing ${pattern}.${printed()}`));
        });
        look();
      }),
  };
}

/** `node src/main.ts` with these arguments and this environment. */
export const runMain = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  main: string = MAIN,
): Running => run(process.execPath, [main, ...args], { env });

let server: Promise<Postgres> | undefined;
/** With `TEST_STORE=postgres` what a test asks of the service it asks on PostgreSQL, where it does not need a file. */
export async function storeEnv({ folder, env }: StartOptions, outbox: string): Promise<Record<string, string>> {
  if (process.env.TEST_STORE !== 'postgres' || folder !== undefined || env?.DATABASE_URL !== undefined) return {};
  server ??= startPostgres();
  return { DATABASE_URL: await (await server).newDatabase(), OUTBOX: outbox };
}

/** The service as a process of its own, listening on a free port, with its counters off unless told otherwise. */
export async function startService(options: StartOptions = {}): Promise<Service> {
  const folder = options.folder ?? newFolder();
  const keyFile = join(folder, 'owner.key');
  const env: Record<string, string> = {
    ...folderEnv(folder),
    ...(await storeEnv(options, join(folder, 'outbox'))),
    OWNER_KEY_FILE: keyFile,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    ...options.env,
  };
  const running = runMain([], env, options.main);
  const end = async (signal: NodeJS.Signals): Promise<Exit> => {
    running.child.kill(signal);
    const late = setTimeout(() => running.child.kill('SIGKILL'), STOP_MS);
    const exit = await running.exited;
    clearTimeout(late);
    if (options.folder === undefined) removeFolder(folder);
    return exit;
  };
  let port: number;
  let ownerKey: string;
  try {
    port = Number((await running.says(/http:\/\/localhost:(\d+)/))[1]);
    ownerKey = readFileSync(keyFile, 'utf8').trim();
  } catch (error) {
    // Nobody else would, and a test file does not end before what it started.
    await end('SIGKILL');
    throw error;
  }
  return {
    // Not `localhost`: a test is not to depend on which of its addresses comes first.
    url: `http://127.0.0.1:${port}`,
    port,
    ownerKey,
    folder,
    database: join(folder, 'm.db'),
    outbox: join(folder, 'outbox'),
    databaseUrl: env.DATABASE_URL as string,
    pid: running.child.pid ?? 0,
    exited: running.exited,
    stdout: running.stdout,
    logs: running.stderr,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: async () => {
      await end('SIGTERM');
    },
  };
}

/** One service for a test file, ended after its last test. */
export async function serve(options: StartOptions = {}): Promise<Service> {
  const service = await startService(options);
  after(async () => {
    await service.stop();
  });
  return service;
}
