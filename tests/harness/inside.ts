import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { readConfig } from '@mailroom/server/config';
import type { Store } from '@mailroom/server/core/ports/store';
import { makeLog } from '@mailroom/server/log';
import { type Service, startService } from '@mailroom/server/service/index';
import type { ServiceOptions } from '@mailroom/server/service/options';
import { openStore } from '@mailroom/server/store/open';
import { pino } from 'pino';
import { type Client, connect } from './client.ts';
import {
  folderEnv,
  newFolder,
  type Service as Process,
  removeFolder,
  type SharedService,
  type StartOptions,
  storeEnv,
} from './service.ts';
import { sharedFor } from './threads.ts';

/** The service in the test's own process, with a clock that the test advances. */
export interface Inside {
  /** With a host name, as passkeys need one; it stays the same after a restart. */
  readonly url: string;
  readonly client: Client;
  /** The store of the running service. */
  readonly store: Store;
  /** The folder with its data. */
  readonly folder: string;
  /** The folder with its mail when it has no mail server. */
  readonly outbox: string;
  /** Where it receives mail, if it does. */
  readonly smtp: Service['smtp'];
  /** Where mail programs send. */
  readonly submission: Service['submission'];
  /** Lines of both logs. */
  readonly lines: readonly string[];
  /** The time of its clock. */
  now(): number;
  /** Advances the clock. */
  pass(ms: number): void;
  stop(): Promise<void>;
  /** Stops it, lets this time pass, and starts it on the same data. */
  restart(ms?: number): Promise<void>;
}

export interface InsideOptions extends Pick<ServiceOptions, 'behaviors' | 'resolve'> {
  readonly env?: Readonly<Record<string, string>>;
  /** Wraps its store. */
  readonly wrap?: (store: Store) => Store;
}

/** Soon enough after the clock is advanced, and rarely enough to take little of a machine. */
const POLL_MS = 200;

/** Starts the service in this process, without rate limits unless `env` says otherwise; it ends after the last test. */
export async function startInside({ env = {}, wrap, ...options }: InsideOptions = {}): Promise<Inside> {
  const folder = newFolder();
  const outbox = join(folder, 'outbox');
  const settings = {
    ...folderEnv(folder),
    ...(await storeEnv({ env }, outbox)),
    RATE_LIMITS: 'off',
    PROOFREAD_WORKERS: '1',
    ...env,
  };
  const lines: string[] = [];
  let passed = 0;
  let store: Store | undefined;
  const now = (): number => Date.now() + passed;
  const start = (port: string): Promise<Service> => {
    const config = readConfig({ ...settings, PORT: port });
    return startService({
      ...options,
      config,
      log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
      access: (...line) => void lines.push(line.join(' ')),
      clock: now,
      poll_ms: POLL_MS,
      shared: sharedFor(config),
      openStore: async (...of) => {
        const opened = await openStore(...of);
        store = wrap?.(opened) ?? opened;
        return store;
      },
      onFailure: (error) => assert.fail(error),
      keepOwnerKey: async () => {},
    });
  };
  let service: Service | undefined = await start('0');
  const { url } = service;
  const stop = async (): Promise<void> => {
    const running = service;
    service = undefined;
    await running?.[Symbol.asyncDispose]();
  };
  after(async () => {
    await stop();
    removeFolder(folder);
  });
  return {
    url,
    client: connect(url.replace('localhost', '127.0.0.1')),
    get store() {
      assert.ok(store !== undefined);
      return store;
    },
    folder,
    outbox,
    get smtp() {
      return service?.smtp;
    },
    get submission() {
      return service?.submission ?? [];
    },
    lines,
    now,
    pass: (ms) => {
      passed += ms;
    },
    stop,
    async restart(ms = 0) {
      await stop();
      passed += ms;
      service = await start(new URL(url).port);
    },
  };
}

/** What tests use of a service, be it a process or not. */
export interface Served
  extends SharedService,
    Pick<Process, 'folder' | 'database' | 'databaseUrl' | 'outbox' | 'logs' | 'stdout'>,
    AsyncDisposable {}

/**
 * What `serve` gives, but in the test's own process: for tests of what a service answers, which need no process. Its start
 * takes a fifth of the processor time, its code is warm, and it proofreads on the threads of the lane.
 */
export async function serveInside({
  env = {},
  folder: given,
  behaviors,
}: Pick<StartOptions, 'env' | 'folder'> & Pick<ServiceOptions, 'behaviors'> = {}): Promise<Served> {
  const folder = given ?? newFolder();
  const keyFile = join(folder, 'owner.key');
  const outbox = join(folder, 'outbox');
  const settings: Record<string, string> = {
    ...folderEnv(folder),
    ...(await storeEnv({ env, ...(given !== undefined && { folder: given }) }, outbox)),
    RATE_LIMITS: 'off',
    PROOFREAD_WORKERS: '1',
    LOG_LEVEL: 'warn',
    ...env,
  };
  const config = readConfig(settings);
  const printed = { out: '', log: '' };
  const { log, access, flush } = await makeLog(config.LOG_LEVEL, {
    write(text: string) {
      printed.log += text;
    },
  });
  const service = await startService({
    ...(behaviors !== undefined && { behaviors }),
    config,
    log,
    access,
    print(text) {
      printed.out += text;
    },
    shared: sharedFor(config),
    onFailure: (error) => assert.fail(error),
    keepOwnerKey: async (secret) => writeFileSync(keyFile, secret, { mode: 0o600 }),
  });
  const { port } = new URL(service.url);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= (async () => {
      await service[Symbol.asyncDispose]();
      if (given === undefined) removeFolder(folder);
    })();
    return stopped;
  };
  after(stop);
  return {
    url: `http://127.0.0.1:${port}`,
    port: Number(port),
    ownerKey: existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : '',
    folder,
    database: join(folder, 'm.db'),
    databaseUrl: settings.DATABASE_URL as string,
    outbox,
    stdout: () => printed.out,
    logs() {
      flush();
      return printed.log;
    },
    [Symbol.asyncDispose]: stop,
  };
}
