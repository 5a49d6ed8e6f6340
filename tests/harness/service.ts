import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Postgres, sharedPostgres } from './postgres.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'packages/server/main.js');
/** The service with the behaviors `gated` and `stumbling`, to start in place of `packages/server/main.js`. */
export const PROOF_MAIN = join(ROOT, 'packages/server/tests/process/proof-main.ts');
const START_MS = 150_000;
/** Longer than a stop takes on a busy machine, so that a slow stop is not taken for one that hangs. */
const STOP_MS = 120_000;
/** Longer than services take to stop after a file's last test. */
const LEFT_MS = 90_000;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of the service, with its output kept. */
export interface Running {
  readonly child: ChildProcess;
  readonly exited: Promise<Exit>;
  stdout(): string;
  stderr(): string;
  /**
   * Resolves with the first match on standard output; rejects when the process ends, or a minute passes, without a
   * match.
   */
  says(pattern: RegExp): Promise<RegExpMatchArray>;
}

export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The owner key of the house namespace. */
  readonly ownerKey: string;
  readonly folder: string;
  /** The SQLite file. */
  readonly database: string;
  /** The folder with its mail when it has no mail server. */
  readonly outbox: string;
  /** Its `DATABASE_URL`. */
  readonly databaseUrl: string;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  stdout(): string;
  /** Its standard error. */
  logs(): string;
  /** Sends SIGTERM, and waits for the end. */
  stop(): Promise<Exit>;
  /** Sends SIGKILL, and waits for the end. */
  kill(): Promise<Exit>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** An existing data folder, which the caller removes. Without it, a new one is made and removed with the service. */
  readonly folder?: string;
  /** A program to run instead of `packages/server/main.js`, such as a service with a defect. */
  readonly main?: string;
}

const children = new Set<ChildProcess>();
/** Kills what a file's tests left running, as one that timed out does. */
export const endLeft = (): void => {
  for (const child of children) child.kill('SIGKILL');
};
process.on('exit', endLeft);
// A test that timed out does not stop its services, and its process would not end while they run.
if (process.env.NODE_TEST_CONTEXT !== undefined) after(() => void setTimeout(endLeft, LEFT_MS).unref());

/** The variables of a plain shell, without settings of the service or the test runner; services that run together do not all listen for mail. */
const plainEnv = (): Record<string, string> => {
  const env: Record<string, string> = { SMTP_LISTEN: 'off' };
  for (const name of ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS', 'NODE_V8_COVERAGE']) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
};

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'mailroom-test-'));
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** The settings by which a service keeps its database and first owner key in this folder. */
export const folderEnv = (folder: string): Record<string, string> => ({
  PORT: '0',
  SMTP_LISTEN: 'off',
  // What searches asks for it: a thread for each service of the tests would take a processor of theirs.
  SEARCH_INDEX: 'off',
  UNDO_SECONDS: '0',
  DATABASE_URL: `sqlite:${join(folder, 'm.db')}`,
});

/** Runs any program in the repository with a minimal environment. */
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
    // `close`, not `exit`: only then all output has been read.
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

/**
 * `node packages/server/main.js` with these arguments and this environment, and one thread that proofreads, begun
 * by the first text, because each takes 1.5 s of processor time to start.
 */
export const runMain = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  main: string = MAIN,
): Running =>
  run(process.execPath, [main, ...args], { env: { PROOFREAD_WORKERS: '1', PREPARE_BEHAVIORS: 'off', ...env } });

let server: Promise<Postgres> | undefined;
/** With `TEST_STORE=postgres` tests run on PostgreSQL unless they need a file. */
export async function storeEnv({ folder, env }: StartOptions, outbox: string): Promise<Record<string, string>> {
  if (process.env.TEST_STORE !== 'postgres' || folder !== undefined || env?.DATABASE_URL !== undefined) return {};
  server ??= sharedPostgres();
  return { DATABASE_URL: await (await server).newDatabase(), OUTBOX: outbox };
}

/** The service as its own process, on a free port, without rate limits unless `env` says otherwise. */
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
    // Without this the process would keep the test file alive.
    await end('SIGKILL');
    throw error;
  }
  return {
    // Not `localhost`: a test must not depend on the order of its addresses.
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

/** Names the service that many test files of a run share, as JSON. */
export const SHARED_SERVICE = 'TEST_SHARED_SERVICE';

/** What a test may use of a service that others use too. */
export type SharedService = Pick<Service, 'url' | 'port' | 'ownerKey'>;

/**
 * A service for tests that look only at what they made: the one of the run, or one of its own where a file runs alone.
 */
export async function sharedService(): Promise<SharedService> {
  const shared = process.env[SHARED_SERVICE];
  return shared === undefined ? serve({ env: { SEARCH_INDEX: 'on' } }) : (JSON.parse(shared) as SharedService);
}

/** One service for a test file, stopped after its last test. */
export async function serve(options: StartOptions = {}): Promise<Service> {
  const service = await startService(options);
  after(async () => {
    await service.stop();
  });
  return service;
}
