import type { OutsideLimits, OutsideRemote } from '@mailroom/behavior/outside';
import { SECOND } from '@mailroom/behavior/values/clock';
import { TimeLimit } from '@mailroom/behavior/values/time-limit';
import type { Dispatcher } from 'undici';
import { traceHeader } from '../../core/ports/tracing.ts';
import { inTurns, TooMany } from '../../core/values/in-turns.ts';
import { NeedsTls } from '../guarded-agent.ts';
import { BAD_PORTS, explained, NoSuchName, NotPublic, single } from '../guarded-connect.ts';

/** Requests of one operation: a connection, some pages of tools, or a task that is asked for again and again. */
const MAX_REQUESTS = 80;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Events of one stream; the library takes most of a millisecond for one that it cannot read. */
const MAX_EVENTS = 2_000;
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
/** Headers that libraries may set; all others are ours. */
const HEADERS = ['accept', 'content-type', 'last-event-id', 'a2a-version', 'a2a-extensions'];

/** The headers that sign a request. */
export type SignRequest = (method: string, url: URL, body: string) => Readonly<Record<string, string>>;
/** A remote whose requests may be signed. */
export type SignedRemote = OutsideRemote & { readonly sign?: SignRequest | undefined };

/**
 * The requests of one operation with a remote, as a `fetch` for libraries that speak the protocols. It follows no redirects,
 * sends no cookies, and ends at the limits. Dispose of it to end what is still open.
 */
export class Exchange implements Disposable {
  readonly #remote: SignedRemote;
  readonly #limits: OutsideLimits;
  readonly #agent: Dispatcher;
  readonly #user_agent: string;
  readonly #deadline: TimeLimit;
  readonly #end = new AbortController();
  #left: number;
  #requests = 0;
  #failure: string | undefined;
  #status: number | undefined;
  #host: string;
  #unsent = false;

  constructor(remote: SignedRemote, limits: OutsideLimits, agent: Dispatcher, user_agent: string) {
    this.#remote = remote;
    this.#limits = limits;
    this.#agent = agent;
    this.#user_agent = user_agent;
    this.#deadline = new TimeLimit(limits.ms, AbortSignal.any([limits.signal, this.#end.signal]));
    this.#left = limits.bytes;
    this.#host = new URL(remote.url).host;
  }

  /** How long the operation may take, in milliseconds. */
  get ms(): number {
    return this.#limits.ms;
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init?.headers ?? request?.headers);
    const body = init?.body ?? (request === undefined ? undefined : await request.text());
    if (body !== undefined && body !== null && typeof body !== 'string') throw this.#fail('A body must be text.');
    const given = init?.signal ?? request?.signal;
    return this.#request(url, init?.method ?? request?.method ?? 'GET', headers, body ?? null, given ?? undefined);
  };

  async #request(url: URL, method: string, headers: Headers, body: string | null, given: AbortSignal | undefined) {
    this.#requests += 1;
    if (this.#requests > MAX_REQUESTS) throw this.#fail(`${this.#host} needs more than ${MAX_REQUESTS} requests.`);
    const wrong = wrongWith(url);
    if (wrong !== undefined) {
      this.#unsent = true;
      throw this.#fail(`${this.#host} names an address ${wrong}.`);
    }
    this.#host = url.host;
    try {
      const response = await this.#agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: method as Dispatcher.HttpMethod,
        headers: {
          ...this.#headersFor(url, headers),
          ...traceHeader(),
          ...this.#remote.sign?.(method, url, body ?? ''),
        },
        body,
        signal: given === undefined ? this.signal : AbortSignal.any([this.signal, given]),
      });
      return this.#response(response);
    } catch (error) {
      this.#unsent ||= isUnsent(error);
      throw this.#fail(this.#said(error));
    }
  }

  #headersFor(url: URL, given: Headers): Record<string, string> {
    const headers: Record<string, string> = { 'user-agent': this.#user_agent, 'accept-encoding': 'identity' };
    for (const [name, value] of given) if (HEADERS.includes(name) || name.startsWith('mcp-')) headers[name] = value;
    const { token } = this.#remote;
    // A card may name another origin, which must not learn the token.
    if (token !== undefined && url.origin === new URL(this.#remote.url).origin)
      headers.authorization = `Bearer ${token}`;
    return headers;
  }

  #response({ statusCode, headers, body }: Dispatcher.ResponseData): Response {
    this.#status = statusCode;
    const refused = (why: string): Error => {
      body.on('error', () => undefined);
      body.destroy();
      return this.#fail(why);
    };
    if (REDIRECTS.has(statusCode)) {
      throw refused(`${this.#host} leads to another address, which is not followed. List that address instead.`);
    }
    const coding = single(headers['content-encoding']).trim().toLowerCase();
    if (coding !== '' && coding !== 'identity') {
      throw refused(`${this.#host} answered in a coding that was not asked for.`);
    }
    const kept = new Headers();
    for (const name of ['content-type', 'mcp-session-id', 'mcp-protocol-version', 'a2a-version', 'www-authenticate']) {
      const value = single(headers[name]);
      if (value !== '') kept.set(name, value);
    }
    if (WITHOUT_BODY.has(statusCode)) {
      body.on('error', () => undefined);
      body.resume();
      return new Response(null, { status: statusCode, headers: kept });
    }
    return new Response(ReadableStream.from(this.#counted(body)), { status: statusCode, headers: kept });
  }

  async *#counted(body: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
    try {
      yield* inTurns(this.#measured(body), { max_events: MAX_EVENTS });
    } catch (error) {
      const failure = this.#fail(this.#said(error));
      // A library may wait for the rest of a stream that broke off.
      this.#end.abort();
      throw failure;
    }
  }

  async *#measured(body: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      this.#left -= chunk.length;
      if (this.#left < 0) throw new TooMany(`${this.#limits.bytes.toLocaleString('en-US')} bytes`);
      yield new Uint8Array(chunk);
    }
  }

  /** Keeps the first reason, because libraries replace it by their own. */
  #fail(why: string): Error {
    this.#failure ??= why;
    return new Error(why);
  }

  #said(error: unknown): string {
    const host = this.#host;
    if (this.#failure !== undefined) return this.#failure;
    if (error instanceof TooMany) return `${host} sent more than ${error.message}.`;
    if (this.signal.aborted) return `${host} did not answer within ${Math.ceil(this.#limits.ms / SECOND)} s.`;
    if (error instanceof NotPublic) return `${host} is not a public address, and no other is called.`;
    if (error instanceof NeedsTls) return `${host} is called by https:// only.`;
    return explained(error, host);
  }

  /** The reason of a failed operation, from what happened on the network, or else from the library's error. */
  reason(error: unknown, what: string): string {
    const host = this.#host;
    if (this.#failure !== undefined) return this.#failure;
    if (this.#deadline.signal.aborted) return this.#said(error);
    const status = this.#status ?? 200;
    if (status === 401 || status === 403)
      return this.#remote.token === undefined
        ? `${host} wants a token (${status}). Set one for it.`
        : `${host} refuses the token (${status}). Set a new one.`;
    if (status === 404 || status === 405 || status === 410) return `There is no ${what} at that address (${status}).`;
    if (status === 429) return `${host} gets too many requests (429). Try again later.`;
    if (status >= 400) return `${host} answered with an error (${status}).`;
    return `${host} does not answer as ${what === 'agent card' ? 'an agent' : `an ${what}`} does.`;
  }

  /** Whether the last request cannot have had an effect: it did not leave, or was refused. */
  get without_effect(): boolean {
    return this.#unsent || (this.#failure === undefined && (this.#status ?? 0) >= 400 && (this.#status ?? 0) < 500);
  }

  get host(): string {
    return this.#host;
  }

  [Symbol.dispose](): void {
    this.#end.abort();
    this.#deadline[Symbol.dispose]();
  }
}

/** Why no request is made to this URL; undefined for one that may be called. */
function wrongWith({ protocol, username, password, port }: URL): string | undefined {
  if (protocol !== 'https:' && protocol !== 'http:') return 'that does not begin with https://';
  if (username !== '' || password !== '') return 'with a password in it';
  return port !== '' && BAD_PORTS.has(Number(port)) ? `whose port ${port} belongs to another protocol` : undefined;
}

const UNSENT = /^(?:ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT)$|CERT|TLS|SSL/;

/** Whether no connection came about. */
function isUnsent(error: unknown): boolean {
  const { code = '' } = error as { readonly code?: string };
  return error instanceof NotPublic || error instanceof NeedsTls || error instanceof NoSuchName || UNSENT.test(code);
}
