import assert from 'node:assert/strict';
import { formData } from './form.ts';

export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** The final location after redirects: path and query, or the whole URL of another site, which is not visited. */
  readonly at: string;
}

/** A browser without scripts: it keeps its cookies, follows redirects, and sends forms as they are on the page. */
export class Person {
  readonly #url: string;
  readonly cookies = new Map<string, string>();
  /** Each `Set-Cookie` header received. */
  readonly setCookies: string[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Shown> {
    return this.#ask('GET', path, headers);
  }

  head(path: string): Promise<Shown> {
    return this.#ask('HEAD', path, {});
  }

  /** Sends a form of this service's own page. */
  post(
    path: string,
    fields: Record<string, string> | URLSearchParams,
    headers: Record<string, string> = {},
  ): Promise<Shown> {
    const own = { origin: this.#url, 'sec-fetch-site': 'same-origin', ...headers };
    return this.#ask('POST', path, own, new URLSearchParams(fields));
  }

  /** Fills in and sends the first form of a page that has the button `[name, value]`. */
  async send(shown: Shown, button: [string, string], fields: Record<string, string> = {}): Promise<Shown> {
    const form = [...shown.html.matchAll(/<form\b[^>]*>.*?<\/form>/gs)]
      .map(([text]) => text)
      .find((text) => text.includes(`name="${button[0]}" value="${button[1]}"`));
    assert.ok(form !== undefined, `no form with ${button.join('=')} at ${shown.at}: ${shown.html.slice(-2500)}`);
    const [, action = ''] = /action="([^"]*)"/.exec(form) ?? [];
    const data = formData(form.replace('<form', '<form id="f"'), { id: 'f', button });
    for (const [name, value] of Object.entries(fields)) data.set(name, value);
    const to = new URL(action, this.#url + shown.at);
    return this.post(to.pathname + to.search, data);
  }

  async #ask(method: string, path: string, more: Record<string, string>, body?: URLSearchParams): Promise<Shown> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...more };
    const response = await fetch(this.#url + path, { method, headers, redirect: 'manual', ...(body && { body }) });
    for (const set of response.headers.getSetCookie()) {
      this.setCookies.push(set);
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/Max-Age=0/i.test(set) || value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const html = await response.text();
    if (location === null || response.status !== 303)
      return { status: response.status, headers: response.headers, html, at: path };
    const to = new URL(location, this.#url + path);
    if (to.origin !== new URL(this.#url).origin)
      return { status: response.status, headers: response.headers, html, at: to.href };
    return this.#ask('GET', to.pathname + to.search, {});
  }
}
