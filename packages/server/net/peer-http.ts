import type { Dispatcher } from 'undici';
import { traceHeader } from '../core/ports/tracing.ts';
import { readBody } from './body.ts';
import { guardedAgent, NeedsTls } from './guarded-agent.ts';
import { BAD_PORTS, type Guard, NoSuchName, NotPublic, single } from './guarded-connect.ts';

/** Connections to one peer. */
const CONNECTIONS = 64;

export interface PeerRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** Maximum bytes of the text of the response; of a longer one there is none. */
  readonly bytes: number;
  readonly signal: AbortSignal;
}

export interface PeerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A request that got no whole response; `written`: the peer may have got it. The message has codes alone. */
export class PeerFailed extends Error {
  override readonly name = 'PeerFailed';
  readonly written: boolean;

  constructor(reason: string, written: boolean) {
    super(reason);
    this.written = written;
  }
}

/**
 * Requests to other servers of mail and agents: by https:// to public addresses, or to those that are trusted. Follows no
 * redirect. Dispose of it to close its connections.
 */
export class PeerHttp implements AsyncDisposable {
  readonly #options: Guard & { readonly user_agent: string };
  #agent: Promise<Dispatcher> | undefined;

  constructor(options: Guard & { readonly user_agent: string }) {
    this.#options = options;
  }

  /** Rejects with PeerFailed. */
  async request(url: URL, { method, headers, body, bytes, signal }: PeerRequest): Promise<PeerResponse> {
    const refused = urlError(url);
    if (refused !== undefined) throw new PeerFailed(refused, false);
    try {
      this.#agent ??= guardedAgent(this.#options, CONNECTIONS);
      const agent = await this.#agent;
      const answer = await agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { 'user-agent': this.#options.user_agent, ...traceHeader(), ...headers },
        signal,
        ...(body !== undefined && { body }),
      });
      return await responseOf(answer, bytes);
    } catch (error) {
      if (error instanceof PeerFailed) throw error;
      throw new PeerFailed(codeOf(error, signal), !isUnconnected(error));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#agent)?.destroy();
  }
}

async function responseOf({ statusCode, headers, body }: Dispatcher.ResponseData, max: number): Promise<PeerResponse> {
  const names = ['content-type', 'retry-after'];
  const { bytes, cut } = await readBody(body, single(headers['content-encoding']), max);
  return {
    status: statusCode,
    headers: Object.fromEntries(names.map((name) => [name, single(headers[name])])),
    // Its status says what became of the request, and a part of a text says nothing.
    text: cut ? '' : bytes.toString('utf8'),
  };
}

function urlError({ protocol, username, password, port }: URL): string | undefined {
  if (protocol !== 'https:' && protocol !== 'http:') return 'EPROTOCOL';
  if (username !== '' || password !== '') return 'ECREDENTIALS';
  return port !== '' && BAD_PORTS.has(Number(port)) ? 'EBADPORT' : undefined;
}

/** Errors of names, connections and TLS, with which nothing was written. */
const UNCONNECTED =
  /^(?:ENOTFOUND|EAI_|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH)/;

const isUnconnected = (error: unknown): boolean =>
  error instanceof NotPublic ||
  error instanceof NoSuchName ||
  error instanceof NeedsTls ||
  UNCONNECTED.test((error as { readonly code?: string }).code ?? '');

function codeOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'ETIMEDOUT';
  const { code, name } = error as { readonly code?: string; readonly name?: string };
  return code ?? name ?? 'unknown';
}
