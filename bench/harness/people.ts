import { createHash, randomBytes } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Service } from './service.ts';

const ISSUER = '/oidc/agents';
const CALLBACK = 'https://service.example/callback';
const MAILBOX = 'auth@agents.mailroom.localhost';
/** The maximum time until a mail with a code arrives. */
const MAIL_MS = 20_000;

interface Answer {
  readonly status: number;
  readonly location: string;
  readonly refresh: string;
  readonly text: string;
}

/** People who sign in to a service, each with a browser without scripts, over one pool of connections. */
export class People implements Disposable {
  readonly #agent: Agent;
  readonly #url: string;
  readonly #codes: Codes;
  readonly #client: string;

  private constructor(port: number, codes: Codes, client: string, max: number) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: max });
    this.#url = `http://localhost:${port}`;
    this.#codes = codes;
    this.#client = client;
  }

  /** Registers a service. Mail to its people goes to standard output and the outbox, as without a mail server. */
  static async open(service: Service, max: number): Promise<People> {
    const client = (await service.call(`/mailboxes/${MAILBOX}/clients`, {
      name: 'A benchmark',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'none',
    })) as { readonly id: string };
    return new People(service.port, new Codes(service), client.id, max);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /**
   * Signs in, from the service's link to its tokens, in seven requests. Returns milliseconds without the time the mail
   * took.
   */
  async signIn(address: string): Promise<number> {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const browser = new Map<string, string>();
    const query = new URLSearchParams({
      client_id: this.#client,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid email',
      state: randomBytes(16).toString('base64url'),
      nonce: randomBytes(16).toString('base64url'),
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    const from = performance.now();
    const begun = await this.#ask(browser, `${ISSUER}/auth?${query}`);
    const page = await this.#ask(browser, begun.location);
    const coming = this.#codes.of(address);
    const sent = await this.#ask(browser, begun.location, { csrf: csrfOf(page), do: 'code', address });
    const asked = performance.now();
    const code = await coming;
    const waited = performance.now() - asked;
    const form = await this.#ask(browser, sent.location);
    const attempt = new URL(sent.location, this.#url).searchParams.get('attempt') ?? '';
    const done = await this.#ask(browser, `${begun.location}/code`, {
      csrf: csrfOf(form),
      attempt,
      code,
      do: 'verify',
    });
    const back = await this.#ask(browser, done.refresh);
    const callback = new URL(back.location);
    if (callback.origin !== new URL(CALLBACK).origin) throw wrong(back);
    const tokens = await this.#ask(new Map(), `${ISSUER}/token`, {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: CALLBACK,
      client_id: this.#client,
      code_verifier: verifier,
    });
    if (!tokens.text.includes('"id_token":"ey')) throw wrong(tokens);
    return performance.now() - from - waited;
  }

  /** Milliseconds until the service answers that a code was sent to an address. */
  async askForCode(address: string): Promise<number> {
    const browser = new Map<string, string>();
    const page = await this.#ask(browser, '/account/sign-in');
    const from = performance.now();
    const sent = await this.#ask(browser, '/account/sign-in', { csrf: csrfOf(page), do: 'code', address });
    const ms = performance.now() - from;
    if (sent.status !== 303) throw wrong(sent);
    return ms;
  }

  #ask(browser: Map<string, string>, to: string, form?: Record<string, string>): Promise<Answer> {
    const url = new URL(to, this.#url);
    const body = form === undefined ? undefined : new URLSearchParams(form).toString();
    const headers = {
      accept: 'text/html',
      cookie: [...browser].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(body === undefined
        ? {}
        : {
            'content-type': 'application/x-www-form-urlencoded',
            'content-length': Buffer.byteLength(body),
            // Requests of a service have no Origin header, since they come from no page.
            ...(browser.size > 0 ? { origin: this.#url } : {}),
          }),
    };
    return new Promise((resolve, reject) => {
      const read = async (message: IncomingMessage): Promise<Answer> => {
        const text = Buffer.concat(await message.toArray()).toString();
        for (const line of message.headers['set-cookie'] ?? []) keep(browser, line);
        const { location, refresh } = message.headers;
        const answer: Answer = {
          status: message.statusCode ?? 0,
          location: location === undefined ? '' : new URL(location, url).href,
          refresh: refresh === undefined ? '' : new URL(String(refresh).replace(/^0;url=/, ''), url).href,
          text,
        };
        if (answer.status >= 400) throw wrong(answer);
        return answer;
      };
      const options = { method: body === undefined ? 'GET' : 'POST', headers, agent: this.#agent, family: 4 };
      request(url, options, (message) => void read(message).then(resolve, reject))
        .on('error', reject)
        .end(body);
    });
  }
}

/** Reads codes as they are printed on standard output. */
class Codes {
  readonly #waiting = new Map<string, (code: string) => void>();
  #to = '';

  constructor(service: Service) {
    service.onLine((line) => {
      const to = /^ {2}Mail to (\S+)/.exec(line)?.[1];
      if (to !== undefined) this.#to = to;
      const code = /^ {2}([A-Z\d]{4}-[A-Z\d]{4})$/.exec(line)?.[1];
      if (code !== undefined) this.#waiting.get(this.#to)?.(code);
    });
  }

  of(address: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`No code came for ${address}.`)), MAIL_MS);
      this.#waiting.set(address, (code) => {
        clearTimeout(late);
        this.#waiting.delete(address);
        resolve(code);
      });
    });
  }
}

function keep(browser: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) browser.delete(name);
  else browser.set(name, value);
}

const csrfOf = ({ text }: Answer): string => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';

const wrong = ({ status, location, text }: Answer): Error =>
  new Error(`Not as it goes: ${status} ${location} ${text.slice(-600)}`);
