import { parseSetCookie } from 'cookie';

interface Kept {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

export interface Got {
  readonly status: number;
  readonly url: string;
  /** Absolute; '' without a redirect. */
  readonly location: string;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser's cookies for one host (RFC 6265), and no other part of a browser. */
export class Browser {
  #cookies: Kept[] = [];
  /** Maps a URL to the node that answers it, where several stand behind one name. */
  to: (url: URL) => string;

  constructor(to: (url: URL) => string = ({ href }) => href) {
    this.to = to;
  }

  cookiesFor(url: string | URL): string {
    const { pathname } = new URL(url);
    return this.#cookies
      .filter(({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  /** The names of the stored cookies. */
  get names(): readonly string[] {
    return this.#cookies.map(({ name }) => name);
  }

  take(lines: readonly string[], url: string | URL): void {
    for (const line of lines) {
      const {
        name,
        value = '',
        path = new URL(url).pathname,
        expires,
      } = parseSetCookie(line) as {
        name: string;
        value?: string;
        path?: string;
        expires?: Date;
      };
      this.#cookies = this.#cookies.filter((one) => one.name !== name || one.path !== path);
      if (expires === undefined || expires.getTime() > Date.now()) this.#cookies.push({ name, value, path });
    }
  }

  async get(url: string | URL, init: RequestInit = {}): Promise<Got> {
    const target = new URL(url);
    const cookie = this.cookiesFor(target);
    const headers = new Headers(init.headers);
    if (cookie !== '') headers.set('cookie', cookie);
    if (!headers.has('accept')) headers.set('accept', 'text/html');
    const answer = await fetch(this.to(target), { ...init, headers, redirect: 'manual' });
    this.take(answer.headers.getSetCookie(), target);
    const location = answer.headers.get('location');
    return {
      status: answer.status,
      url: target.href,
      location: location === null ? '' : new URL(location, target).href,
      headers: answer.headers,
      text: await answer.text(),
    };
  }

  /** Follows redirects until one leads to `stop`, which is returned, or an answer is not a redirect. */
  async follow(url: string | URL, stop: string): Promise<Got> {
    let got = await this.get(url);
    for (let hop = 0; hop < 10 && got.location !== '' && !got.location.startsWith(stop); hop++) {
      got = await this.get(got.location);
    }
    return got;
  }
}
