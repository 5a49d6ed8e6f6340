import {
  type OutsideClient,
  OutsideError,
  type OutsideLimits,
  type OutsideRemote,
  type OutsideResult,
  type OutsideTool,
  type OutsideTools,
} from '@mailroom/behavior/outside';
import type { JsonObject } from '@mailroom/behavior/values/json';
import type { Dispatcher } from 'undici';
import { hiddenDotsError } from '../../core/values/url-path.ts';
import { addressesBy, guardedAgent, NeedsTls } from '../guarded-agent.ts';
import { BAD_PORTS, type Guard, NotPublic } from '../guarded-connect.ts';
import type { Asking } from './a2a.ts';
import { Exchange, type SignedRemote, type SignRequest } from './exchange.ts';

/** Maximum connections to one origin. */
const CONNECTIONS = 32;
const MAX_URL = 2_048;

/** A tool, what it is given, and the id by which a repeated call is known. */
interface OutsideCall extends Pick<Asking, 'files' | 'by_task' | 'task'> {
  readonly tool: OutsideTool;
  readonly input: JsonObject;
  readonly id: string;
}

export interface OutsideHttpOptions extends Guard {
  /** The `User-Agent` with a contact: "Mailroom (+https://mail.example)". */
  readonly user_agent: string;
}

/** Servers of tools and agents of others, by HTTP. Dispose of it to close its connections. */
export class OutsideHttp implements OutsideClient, AsyncDisposable {
  readonly #options: OutsideHttpOptions;
  #agent: Promise<Dispatcher> | undefined;

  constructor(options: OutsideHttpOptions) {
    this.#options = options;
  }

  async urlError(text: string): Promise<string | undefined> {
    const wrong = outsideUrlError(text);
    if (wrong !== undefined) return wrong;
    const { hostname, host, protocol } = new URL(text);
    try {
      await addressesBy(hostname.replace(/^\[|\]$/g, ''), protocol, this.#options);
    } catch (error) {
      if (error instanceof NotPublic)
        return `${host} is not a public address, and no other is called. The operator of this service can allow a network with OUTSIDE_NETWORKS.`;
      // A name that is not found may be set up later.
      if (error instanceof NeedsTls || protocol === 'http:') return `Use https:// for ${host}.`;
    }
    return undefined;
  }

  list(remote: OutsideRemote, limits: OutsideLimits): Promise<OutsideTools> {
    return this.#with(remote, limits, async (exchange) => {
      if (remote.kind === 'a2a') return (await import('./a2a.ts')).listA2aAgent(exchange, remote.url);
      return (await import('./mcp.ts')).listMcpTools(exchange, remote.url);
    });
  }

  call(
    remote: OutsideRemote,
    { tool, sign, ...call }: OutsideCall & { readonly sign?: SignRequest | undefined },
    limits: OutsideLimits,
  ): Promise<OutsideResult> {
    const until = performance.now() + limits.ms;
    return this.#with({ ...remote, sign }, limits, async (exchange) => {
      if (remote.kind === 'a2a')
        return (await import('./a2a.ts')).askA2aAgent(exchange, remote.url, call.input, { ...call, until });
      return (await import('./mcp.ts')).callMcpTool(exchange, remote.url, tool, call.input);
    });
  }

  async #with<T>(remote: SignedRemote, limits: OutsideLimits, use: (exchange: Exchange) => Promise<T>): Promise<T> {
    limits.signal.throwIfAborted();
    this.#agent ??= guardedAgent(this.#options, CONNECTIONS);
    using exchange = new Exchange(remote, limits, await this.#agent, this.#options.user_agent);
    try {
      // Libraries may ignore their signal.
      return await Promise.race([use(exchange), ended(exchange.signal)]);
    } catch (error) {
      limits.signal.throwIfAborted();
      if (error instanceof OutsideError) throw error;
      throw new OutsideError(exchange.reason(error, remote.kind === 'a2a' ? 'agent card' : 'MCP server'), true);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#agent)?.destroy();
  }
}

const ended = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

/** What is wrong with the text of a URL, before its name is looked up. */
function outsideUrlError(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || text.length > MAX_URL || /[\s\p{C}]|^https?:\/{3}/iu.test(text))
    return `This must be a complete URL of at most ${MAX_URL} characters, such as https://mcp.example.com/mcp.`;
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return `It begins with https://; ${url.protocol} is not possible.`;
  if (url.username !== '' || url.password !== '')
    return 'A URL has no user name and no password in it. Set a token instead.';
  if (text.includes('#')) return 'Leave out "#" and what follows.';
  if (url.port !== '' && BAD_PORTS.has(Number(url.port)))
    return `Port ${url.port} belongs to another protocol than HTTP. Use another port.`;
  return hiddenDotsError(url);
}
