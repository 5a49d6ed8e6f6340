// `npm test` and `npm run test:programs` load this once, before all test files (--test-global-setup): it starts what most of them need.
import { rmSync } from 'node:fs';
import type { BrowserServer } from 'playwright-core';
import { PROGRAMS } from '../lanes/lanes.ts';
import { SHARED_BROWSER, startBrowser } from './browser.ts';
import { newPostgresData, POSTGRES_DATA, type Postgres, SHARED_POSTGRES, startPostgres } from './postgres.ts';
import { type Service, SHARED_SERVICE, type SharedService, startService } from './service.ts';

let data: ReturnType<typeof newPostgresData> | undefined;
let postgres: Postgres | undefined;
let service: Service | undefined;
let browser: BrowserServer | undefined;

/** Limits of one network, in which all tests are. */
const LIMITS = { LIMIT_STORAGE_NETWORK: '10000000000', LIMIT_GUEST_STORAGE: '10000000000', SEARCH_INDEX: 'on' };

/** Starts a PostgreSQL, a service and a browser for many files, and names them in the environment of their processes. */
export async function globalSetup(): Promise<void> {
  if (!process.env.TEST_DATABASE_URL) {
    data = newPostgresData();
    process.env[POSTGRES_DATA] = data.data;
    // Several files have nodes on it at once; it has a hundred databases with few rows, each of which would be vacuumed.
    postgres = await startPostgres('newest', ['max_connections=600', 'autovacuum=off']);
    const url = new URL(await postgres.newDatabase());
    url.pathname = '/postgres';
    process.env[SHARED_POSTGRES] = url.href;
  }
  service = await startService({ env: LIMITS });
  const { url, port, ownerKey } = service;
  process.env[SHARED_SERVICE] = JSON.stringify({ url, port, ownerKey } satisfies SharedService);
  if (process.env[PROGRAMS] === undefined) return;
  // Without a browser only the files that need one fail, each with the reason.
  browser = await startBrowser().catch(() => undefined);
  if (browser !== undefined) process.env[SHARED_BROWSER] = browser.wsEndpoint();
}

/** Stops them. */
export async function globalTeardown(): Promise<void> {
  await browser?.close();
  const exit = await service?.stop();
  await postgres?.[Symbol.asyncDispose]();
  if (data !== undefined) rmSync(data.folder, { recursive: true, force: true });
  if (exit !== undefined && exit.code !== 0) throw new Error(`The shared service ended with ${JSON.stringify(exit)}`);
}
