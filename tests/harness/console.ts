import assert from 'node:assert/strict';
import { after } from 'node:test';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import type { Store } from '../../src/core/ports/store.ts';
import { startService } from '../../src/service/index.ts';
import { openStore } from '../../src/store/open.ts';
import type { Client } from './client.ts';
import { connect } from './client.ts';
import { formData } from './form.ts';
import { moody } from './moody.ts';
import { startPostgres } from './postgres.ts';
import { newFolder, removeFolder } from './service.ts';

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** The target of a redirect, as a path of this service. */
  readonly to: string;
}

/** A browser without scripts: it keeps its cookie, and sends forms as they are on the page. */
export interface Visitor {
  cookie: string;
  get(path: string, headers?: Record<string, string>): Promise<Page>;
  post(path: string, fields: Record<string, string> | URLSearchParams, headers?: Record<string, string>): Promise<Page>;
  /** Sends the fields of the page's forms, some of them changed, by the button with this name and value. */
  send(path: string, changed: Record<string, string>, button: [string, string], action?: string): Promise<Page>;
  signIn(key: string): Promise<Page>;
  /** The CSRF token of this session's forms. */
  token(): Promise<string>;
}

export interface ConsoleService {
  readonly url: string;
  readonly client: Client;
  /** Advances the clock. */
  pass(ms: number): void;
  visitor(): Visitor;
  /** The store of the service. */
  readonly store: Store;
  /** The folder with its data. */
  readonly folder: string;
  /** Lines of both logs. */
  readonly lines: readonly string[];
}

/** The service in this process, with a clock that the test controls and the behavior `moody`. */
export async function openConsole(env: Record<string, string> = {}): Promise<ConsoleService> {
  const folder = newFolder();
  const database =
    process.env.TEST_STORE === 'postgres' ? await (await startPostgres()).newDatabase() : `sqlite:${folder}/m.db`;
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: database,
    RATE_LIMITS: 'off',
    PROOFREAD_WORKERS: '1',
    ...env,
  });
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  let store: Store | undefined;
  let passed = 0;
  const service = await startService({
    config,
    log,
    access: (...line) => void lines.push(line.join(' ')),
    openStore: async (...of) => {
      store = await openStore(...of);
      return store;
    },
    behaviors: [moody],
    clock: () => Date.now() + passed,
    onFailure: (error) => assert.fail(error),
    keepOwnerKey: async () => {},
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    removeFolder(folder);
  });
  const url = service.url.replace('localhost', '127.0.0.1');
  return {
    url,
    client: connect(url),
    pass: (ms) => {
      passed += ms;
    },
    visitor: () => visitorOf(url),
    store: store as unknown as Store,
    folder,
    lines,
  };
}

function visitorOf(url: string): Visitor {
  const visitor: Visitor = {
    cookie: '',
    get: (path, headers = {}) => ask('GET', path, headers),
    post: (path, fields, headers = {}) =>
      ask('POST', path, { origin: url, 'sec-fetch-site': 'same-origin', ...headers }, new URLSearchParams(fields)),
    async send(path, changed, button, action = path) {
      const { html } = await visitor.get(path);
      const fields = formData(html, { button });
      for (const [name, value] of Object.entries(changed)) fields.set(name, value);
      return visitor.post(action, fields);
    },
    signIn: (key) => visitor.post('/console', { key }),
    async token() {
      const { html } = await visitor.get('/console/activity');
      const [, token = ''] = /name="csrf" value="([^"]+)"/.exec(html) ?? [];
      assert.notEqual(token, '');
      return token;
    },
  };
  async function ask(
    method: string,
    path: string,
    more: Record<string, string>,
    body?: URLSearchParams,
  ): Promise<Page> {
    const headers = { accept: 'text/html', ...(visitor.cookie === '' ? {} : { cookie: visitor.cookie }), ...more };
    const response = await fetch(url + path, { method, headers, redirect: 'manual', ...(body && { body }) });
    const set = response.headers.get('set-cookie');
    if (set !== null) visitor.cookie = /Max-Age=0/.test(set) ? '' : (set.split(';', 1)[0] as string);
    const location = response.headers.get('location');
    const at = location === null ? undefined : new URL(location, url + path);
    return {
      status: response.status,
      headers: response.headers,
      html: await response.text(),
      to: at === undefined ? '' : at.pathname + at.search,
    };
  }
  return visitor;
}
