import assert from 'node:assert/strict';
import { formData } from './form.ts';
import { type Inside, startInside } from './inside.ts';
import { moody } from './moody.ts';

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

export interface ConsoleService extends Inside {
  visitor(): Visitor;
}

/** The service in this process, with the behavior `moody`; its URL has an address as its host. */
export async function openConsole(env: Record<string, string> = {}): Promise<ConsoleService> {
  const inside = await startInside({ env, behaviors: [moody] });
  const url = inside.url.replace('localhost', '127.0.0.1');
  return { ...inside, url, visitor: () => visitorOf(url) };
}

/** A browser without scripts on the service at `url`. */
export function visitorOf(url: string): Visitor {
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
    const target = location === null ? undefined : new URL(location, url + path);
    return {
      status: response.status,
      headers: response.headers,
      html: await response.text(),
      to: target === undefined ? '' : target.pathname + target.search,
    };
  }
  return visitor;
}
