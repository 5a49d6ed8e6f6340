import { type Clock, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { TimeLimit } from '@mailroom/behavior/values/time-limit';
import type { Dispatcher } from 'undici';
import { traceHeader } from '../core/ports/tracing.ts';
import type { WebhookClient, WebhookRequest, WebhookResponse } from '../core/ports/webhook-client.ts';
import { hiddenDotsError } from '../core/values/url-path.ts';
import { signatureHeaders } from '../core/values/webhook-signature.ts';
import { ACCEPT_ENCODING, decode, mediaType, readBody } from './body.ts';
import { addressesBy, guardedAgent, NeedsTls } from './guarded-agent.ts';
import { BAD_PORTS, explained, type Guard, NotPublic, single } from './guarded-connect.ts';

export interface WebhookClientOptions extends Guard {
  readonly clock: Clock;
  /** The `User-Agent` with a contact: "Mailroom (+https://mail.example)". */
  readonly user_agent: string;
  /** Time limit of one attempt; 15 s by default. */
  readonly ms?: Millis;
}

const MAX_URL = 2_048;
const ATTEMPT_MS: Millis = 15 * SECOND;
/** Connections to one origin. The deliveries in progress to a target have a smaller limit of their own. */
const CONNECTIONS = 64;
const BODY_BYTES = 16_384;

/** What is wrong with the text of a URL, before its name is looked up. */
function textError(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || text.length > MAX_URL || /[\s\p{C}]|^https?:\/{3}/iu.test(text))
    return `A webhook is a complete URL of at most ${MAX_URL} characters, such as https://example.com/hook.`;
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return `A webhook begins with https://; ${url.protocol} is not possible.`;
  if (url.username !== '' || url.password !== '')
    return 'A webhook has no user name and no password in it. Leave them out; each request is signed instead.';
  if (text.includes('#')) return 'A webhook has no fragment. Leave out "#" and what follows.';
  if (url.port !== '' && BAD_PORTS.has(Number(url.port)))
    return `Port ${url.port} belongs to another protocol than HTTP. Use another port.`;
  return hiddenDotsError(url);
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/**
 * Sends webhooks over pooled connections, each to an address that was checked when it was opened. Requests carry no
 * cookies and no credentials, and follow no redirects. Dispose of it to close its connections.
 */
export class HttpWebhookClient implements WebhookClient, AsyncDisposable {
  readonly #options: WebhookClientOptions;
  #agent: Promise<Dispatcher> | undefined;

  constructor(options: WebhookClientOptions) {
    this.#options = options;
  }

  async urlError(text: string): Promise<string | undefined> {
    const wrong = textError(text);
    if (wrong !== undefined) return wrong;
    const url = new URL(text);
    try {
      await addressesBy(hostOf(url), url.protocol, this.#options);
    } catch (error) {
      if (error instanceof NotPublic || error instanceof NeedsTls) return refusal(error, url);
      if (url.protocol === 'http:') return refusal(new NeedsTls(), url);
      if (!/[.:]/u.test(hostOf(url)))
        return `"${url.hostname}" is not the complete name of a host. Use one such as https://hooks.example.com/in.`;
    }
    return undefined;
  }

  async post(request: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse> {
    const { ms = ATTEMPT_MS } = this.#options;
    const wrong = textError(request.url);
    if (wrong !== undefined) return { kind: 'failed', reason: wrong };
    const url = new URL(request.url);
    using deadline = new TimeLimit(ms, signal);
    try {
      return await this.#post(url, request, deadline.signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (deadline.signal.aborted)
        return { kind: 'failed', reason: `${url.host} did not answer within ${Math.ceil(ms / SECOND)} s.` };
      const refused = error instanceof NotPublic || error instanceof NeedsTls;
      return { kind: 'failed', reason: refused ? refusal(error, url) : explained(error, url.host) };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#agent)?.destroy();
  }

  async #post(url: URL, request: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse> {
    const { clock, user_agent } = this.#options;
    this.#agent ??= guardedAgent(this.#options, CONNECTIONS);
    const agent = await this.#agent;
    const now = clock();
    const response = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/plain, text/markdown',
        'accept-encoding': ACCEPT_ENCODING,
        'user-agent': user_agent,
        ...(request.secrets.length > 0 &&
          signatureHeaders({ id: request.id, body: request.body, at: now }, request.secrets)),
        ...traceHeader(),
        ...request.headers,
      },
      body: request.body,
      signal,
    });
    const header = (name: string): string => single(response.headers[name]);
    const max = request.max_bytes ?? BODY_BYTES;
    const body = await readBody(response.body, header('content-encoding'), max);
    const type = mediaType(header('content-type'));
    const retry_after_ms = pauseOf(header('retry-after'), now);
    return {
      kind: 'response',
      status: response.statusCode,
      media_type: type.type,
      text: decode(body, type),
      cut: body.cut,
      ...(retry_after_ms !== undefined && { retry_after_ms }),
    };
  }
}

/** What an owner reads whose webhook is not sent to. */
const refusal = (error: Error, url: URL): string =>
  error instanceof NotPublic
    ? `${url.host} is not a public address, and webhooks are sent to no other. The operator of this service can allow a network with WEBHOOK_NETWORKS.`
    : `Use https:// for ${url.host}; without TLS anyone on the way could read the messages.`;

/** How long `Retry-After` asks to wait: seconds, or a date (RFC 9110, section 10.2.3). */
function pauseOf(header: string, now: Millis): Millis | undefined {
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  const at = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
