import { errorOf, MailroomError } from './error.ts';
import { type Answered, exchange } from './exchange.ts';
import { chunksOf, type Encoded, type FileInput, multipart } from './multipart.ts';
import { sleep } from './sleep.ts';

/** What every call takes besides its own arguments. */
export interface RequestOptions {
  /** Ends the call; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, on top of what the service is asked to wait. */
  readonly timeoutMs?: number | undefined;
  /**
   * Makes the request safe to repeat. One is made for you; give your own to repeat it after a restart, or null where
   * repeating it is safe without one.
   */
  readonly idempotencyKey?: string | null | undefined;
  /** Further request headers, such as `If-Match`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The same for calls that take files. */
export interface UploadOptions extends RequestOptions {
  /** Up to 20 files, 10 MiB each and 25 MiB together unless the operator sets other limits. */
  readonly files?: readonly FileInput[] | undefined;
}

export interface ClientOptions {
  /** Where the service is, such as `https://mail.example.com`; else the environment's `MAILROOM_URL`. */
  readonly url?: string | undefined;
  /** The API key, `mr_live_…`; else the environment's `MAILROOM_KEY`. Public endpoints need none. */
  readonly key?: string | undefined;
  /** Milliseconds for one attempt, 60,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is repeated after 429, 502, 503, 504 or a failure of the network; 3 by default. */
  readonly maxRetries?: number | undefined;
  /**
   * The message that is being handled: messages sent meanwhile are caused by it, so that agents which write to each other
   * end at 8 hops. Else the environment's `MAILROOM_MESSAGE_ID`, which `mailroom serve` sets.
   */
  readonly causedBy?: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Named in the `User-Agent`, where the platform allows it. */
  readonly agent?: string | undefined;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type Query = { readonly [name: string]: string | number | boolean | undefined };

/** A body that is no JSON. */
export type Bytes = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** What a request holds. */
export interface Sent {
  readonly query?: Query | undefined;
  readonly body?: unknown;
  /** A body that is no JSON; repeating it does nothing twice. */
  readonly bytes?: { readonly type: string; readonly content: Bytes };
  /** Whether the endpoint takes an `Idempotency-Key`. */
  readonly idempotent?: boolean;
}

const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** A longer pause is for the caller to decide about, in seconds. */
const MAX_RETRY_AFTER_S = 60;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8_000;

/** What stands before a path without a slash at its beginning. */
const API = '/api/v1/';

/** Where a request sends a message, or will. */
const SENDS: ReadonlySet<string> = new Set(['mail/send', 'mail/drafts']);

const environment = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name];

/** A path with its parameters encoded; an address keeps its `@`. */
export const path = (texts: TemplateStringsArray, ...values: readonly string[]): string =>
  String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value).replaceAll('%40', '@')));

/** Sends requests: with the key, retries, time-outs, and errors as `MailroomError`. */
export class Http {
  readonly url: string;
  readonly #options: ClientOptions;
  readonly #key: string | undefined;
  readonly #causedBy: string | undefined;

  constructor(options: ClientOptions) {
    const url = options.url ?? environment('MAILROOM_URL');
    if (url === undefined || !URL.canParse(url) || !/^https?:/.test(url))
      throw new MailroomError(
        url === undefined
          ? 'The URL of the service is missing: new Mailroom({url}), or MAILROOM_URL in the environment.'
          : `"${url}" is not the URL of a service. Give one such as https://mail.example.com.`,
        { code: 'configuration' },
      );
    this.url = url.replace(/\/$/, '');
    this.#options = options;
    // A file with a key often ends in a line break, which no header may have.
    this.#key = (options.key ?? environment('MAILROOM_KEY'))?.trim();
    this.#causedBy = options.causedBy ?? environment('MAILROOM_MESSAGE_ID');
  }

  /** The JSON of an answer; undefined for 204. */
  async json<T>(method: Method, to: string, sent: Sent = {}, options: UploadOptions = {}): Promise<T> {
    const read = async (response: Answered): Promise<T> =>
      response.status === 204 ? (undefined as T) : ((await response.json()) as T);
    return this.#send(method, to, sent, options, read, read);
  }

  /** The answer itself, whose body the caller reads; the time-out ends with its headers. */
  raw(method: Method, to: string, sent: Sent = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(method, to, sent, options, (response) => response);
  }

  /** A list, page by page as it is read. */
  list<T>(to: string, query: Query = {}, options: RequestOptions = {}): List<T> {
    return new List((cursor) =>
      this.json<Page<T>>('GET', to, { query: cursor === undefined ? query : { ...query, cursor } }, options),
    );
  }

  /** The values of JSON Lines, as they arrive. */
  async *lines<T>(to: string, options: RequestOptions = {}): AsyncGenerator<T, void> {
    const { body } = await this.raw('GET', to, {}, options);
    let rest = '';
    if (body === null) return;
    for await (const text of chunksOf(body.pipeThrough(new TextDecoderStream()))) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield JSON.parse(line) as T;
    }
    if (rest !== '') yield JSON.parse(rest) as T;
  }

  async #send<T>(
    method: Method,
    to: string,
    { query = {}, body, bytes, idempotent = false }: Sent,
    options: UploadOptions,
    read: (response: Response) => T | Promise<T>,
    readText?: (response: Answered) => Promise<T>,
  ): Promise<T> {
    const url = new URL(this.url + (to.startsWith('/') ? '' : API) + to);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const { files = [] } = options;
    const caused = this.#causedBy !== undefined && method === 'POST' && SENDS.has(to);
    const content = caused ? { caused_by: this.#causedBy, ...(body as object) } : body;
    const encoded =
      bytes !== undefined ? asBytes(bytes) : files.length > 0 ? multipart(content, files) : asJson(content);
    const headers: Record<string, string> = {
      ...(encoded !== undefined && { 'content-type': encoded.type }),
      ...(this.#key !== undefined && this.#key !== '' && { authorization: `Bearer ${this.#key}` }),
      ...(this.#options.agent !== undefined && { 'user-agent': this.#options.agent }),
      ...(idempotent &&
        options.idempotencyKey !== null && { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() }),
      ...options.headers,
    };
    const waits = Number(query.wait ?? /\bwait=(\d+)/.exec(headers.prefer ?? '')?.[1] ?? 0) * 1000;
    const timeoutMs = (options.timeoutMs ?? this.#options.timeoutMs ?? 60_000) + waits;
    // Without the key a repeated POST could do its work twice, unless the service refused it.
    const safe = method !== 'POST' || idempotent || bytes !== undefined;
    const retries = encoded?.repeatable === false ? 0 : (this.#options.maxRetries ?? 3);
    const request: RequestInit = { method, headers, redirect: 'manual' };
    if (encoded !== undefined) Object.assign(request, { body: encoded.body, duplex: 'half' });
    for (let attempt = 0; ; attempt++) {
      const error = await this.#attempt(url, request, timeoutMs, options.signal, read, readText);
      if (!(error instanceof Failure)) return error;
      // The network is not to blame for what a file's stream throws.
      if (encoded?.failures !== undefined && encoded.failures.length > 0) throw encoded.failures[0];
      const { problem } = error;
      const again = problem.status === undefined ? safe : RETRIED.has(problem.status);
      const pause_s = problem.retry_after;
      if (!again || attempt >= retries || (pause_s ?? 0) > MAX_RETRY_AFTER_S) throw problem;
      await sleep(pause_s === undefined ? pauseMs(attempt) : pause_s * 1000, options.signal);
    }
  }

  /** One exchange; a failure is returned, because it may be tried again. */
  async #attempt<T>(
    url: URL,
    request: RequestInit,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    read: (response: Response) => T | Promise<T>,
    readText?: (response: Answered) => Promise<T>,
  ): Promise<T | Failure> {
    signal?.throwIfAborted();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const { method = 'GET', body } = request;
    const headers = request.headers as Record<string, string>;
    const plain = headers['accept-encoding'] === 'identity' && typeof body === 'string';
    let status: number | undefined;
    try {
      if (plain && exchange !== undefined && readText !== undefined && this.#options.fetch === undefined) {
        const signals = signal === undefined ? [late.signal] : [signal, late.signal];
        const answered = await exchange(url, { method, headers, body }, signals);
        ({ status } = answered);
        return answered.ok ? await readText(answered) : new Failure(await errorOf(answered, url.href));
      }
      const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
      const response = await (this.#options.fetch ?? fetch)(url, { ...request, signal: either });
      ({ status } = response);
      if (!response.ok) return new Failure(await errorOf(response, url.href));
      return await read(response);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof SyntaxError)
        return new Failure(
          new MailroomError(`${url.href} answered ${status} without JSON; is it a Mailroom service?`, {
            code: 'unexpected_answer',
            status,
            cause,
          }),
        );
      return new Failure(
        late.signal.aborted
          ? new MailroomError(`${url.host} did not answer within ${timeoutMs / 1000} s.`, { code: 'timeout', cause })
          : new MailroomError(`${url.host} cannot be reached: ${reasonOf(cause)}.`, { code: 'network_error', cause }),
      );
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A failed attempt. */
class Failure {
  readonly problem: MailroomError;

  constructor(problem: MailroomError) {
    this.problem = problem;
  }
}

const asBytes = ({ type, content }: NonNullable<Sent['bytes']>): Encoded => ({
  body: new Blob([content]),
  type,
  repeatable: true,
});

const asJson = (body: unknown): Encoded | undefined =>
  body === undefined ? undefined : { body: JSON.stringify(body), type: 'application/json', repeatable: true };

/** Doubles with each attempt; half of it is random, so that many clients do not return together. */
export const pauseMs = (attempt: number): number =>
  Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2);

/** Node says "fetch failed", and why in the cause. */
function reasonOf(error: unknown): string {
  interface Reason {
    readonly message?: string;
    readonly code?: string;
  }
  const { cause, message, code } = error as Reason & { readonly cause?: Reason };
  if (cause?.code === 'ERR_SSL_WRONG_VERSION_NUMBER' || cause?.code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return 'it does not speak TLS; its URL may begin with http://';
  return cause?.message || cause?.code || message || code || String(error);
}

/** A page as the service sends it. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

/** A list: `for await` reads all of it, page by page; `page` reads one. */
export class List<T> implements AsyncIterable<T> {
  readonly #read: (cursor?: string) => Promise<Page<T>>;

  constructor(read: (cursor?: string) => Promise<Page<T>>) {
    this.#read = read;
  }

  /** The first page, or the one at `cursor`. */
  page(cursor?: string): Promise<Page<T>> {
    return this.#read(cursor);
  }

  /** All items, or the first `max`. */
  async all(max = Number.POSITIVE_INFINITY): Promise<T[]> {
    const items: T[] = [];
    if (max <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (let cursor: string | undefined; ; ) {
      const { items, next_cursor } = await this.#read(cursor);
      yield* items;
      // The list of events always has a cursor, which stays the same while nothing happens.
      if (next_cursor === null || (items.length === 0 && next_cursor === cursor)) return;
      cursor = next_cursor;
    }
  }
}
