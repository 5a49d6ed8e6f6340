import { AppError } from '@mailroom/behavior/values/error';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { StopSignals } from '../../http/connections/drain.ts';
import { readJson } from '../../http/json.ts';
import { accepts, acceptsJson } from '../../http/media.ts';
import type { Answer, Call } from '../../http/route.ts';
import { listen } from './listen.ts';
import type { Offer } from './offer.ts';
import { makeServer, REFUSED, type ServerParts } from './server.ts';
import type { Tool } from './tool.ts';

export interface EndpointParts extends ServerParts {
  /** The URL of the service, by which the library reads requests. */
  readonly baseUrl: () => string;
  readonly stop: Pick<StopSignals, 'begun'>;
}

/** What the endpoint reads of a request. */
export type Received = Pick<Call<unknown, unknown, unknown>, 'headers' | 'bytes' | 'gone'>;

/** Answers a request of the protocol with what is offered to its caller. */
export type Endpoint = (call: Received, offer: Offer) => Promise<Answer>;

/** Values of a request. */
const MAX_VALUES = 100_000;
const KEEP_ALIVE_MS = 15_000;

const EVENT_STREAM = 'text/event-stream';
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** Streamable HTTP without sessions (MCP 2026-07-28 and 2025-11-25), whatever is offered. */
export function makeEndpoint({ baseUrl, version, log, stop }: EndpointParts): Endpoint {
  let loaded: Promise<(call: Received, offer: Offer, parsedBody: unknown) => Promise<Answer>> | undefined;

  /** The library is loaded with the first request, because a start need not wait for it. */
  async function load() {
    const sdk = await import('@modelcontextprotocol/server');
    const onerror = (err: Error): void => log.warn({ err }, REFUSED);
    const factory: McpServerFactory = ({ authInfo, era }) => {
      const offer = authInfo?.extra?.offer as Offer | undefined;
      if (offer === undefined) throw new Error('A request came without what is offered to its caller.');
      return makeServer(sdk, offer, { version, log, listens: era === 'modern' });
    };
    const handler = sdk.createMcpHandler(factory, { onerror, keepAliveMs: KEEP_ALIVE_MS });
    const listening = { sdk, factory, keepAliveMs: KEEP_ALIVE_MS, stop: stop.begun, onerror };
    return async (call: Received, offer: Offer, parsedBody: unknown): Promise<Answer> => {
      const authInfo = { token: '', clientId: '', scopes: [], extra: { offer } };
      const accept = call.headers.accept?.toString();
      const streams = accepts(accept, EVENT_STREAM);
      const listens = (parsedBody as { readonly method?: unknown } | null)?.method === 'subscriptions/listen';
      // A stream is for a client that names it: one that takes anything reads a whole answer.
      const whole = !listens && !(streams && accept?.toLowerCase().includes(EVENT_STREAM) === true);
      const request = requestOf(call, baseUrl(), streams || (acceptsJson(accept) && whole));
      const response = listens
        ? await listen({ request, body: parsedBody, offer }, listening)
        : await handler.fetch(request, { authInfo, parsedBody });
      if (!acceptsJson(accept)) return streamOf(await answerOf(response, false));
      return answerOf(response, whole || isPlainCall(parsedBody));
    };
  }

  return async (call, offer) => {
    let body: unknown;
    // A body of another type is left to the library, which refuses it.
    if (JSON_TYPE.test(String(call.headers['content-type']))) {
      try {
        body = readJson(call.bytes, MAX_VALUES);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return refused(error.code === 'malformed_json' ? -32_700 : -32_600, error.message);
      }
      if (Array.isArray(body)) return refused(-32_600, 'Send one message a request, not a batch.');
      const called = offer.checkScope && calledTool(body, offer);
      if (called !== undefined) await offer.checkScope?.(called);
    }
    loaded ??= load();
    try {
      return await (await loaded)(call, offer, body);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'validation_error') throw error;
      return refused(-32_602, error.message, (body as { readonly id?: unknown } | undefined)?.id);
    }
  };
}

/** Before the library reads a request. Batches are in the protocol no more, and would run under one count of the limits. */
const refused = (code: number, message: string, id: unknown = null): Answer => ({
  status: 400,
  body: { jsonrpc: '2.0', id, error: { code, message } },
});

/** The tool that a request calls, if it is there. */
function calledTool(body: unknown, { tools }: Offer): Tool | undefined {
  const { method, params } = (body ?? {}) as {
    readonly method?: unknown;
    readonly params?: { readonly name?: unknown };
  };
  return method === 'tools/call' ? tools.find(({ name }) => name === params?.name) : undefined;
}

/** The request as the library reads it, whose body is handed over beside it; `acceptable`: an answer of either type is. */
function requestOf({ headers, gone }: Received, base: string, acceptable: boolean): Request {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') given.set(name, value);
  given.delete('authorization');
  // The library refuses a client that does not name both types.
  if (acceptable) given.set('accept', `application/json, ${EVENT_STREAM}`);
  return new Request(`${base}/mcp`, { method: 'POST', headers: given, signal: gone() });
}

/** Whether a request calls a tool and asks for nothing but its result. */
function isPlainCall(body: unknown): boolean {
  const { method, params } = (body ?? {}) as { readonly method?: unknown; readonly params?: Record<string, unknown> };
  return method === 'tools/call' && (params?._meta as Record<string, unknown> | undefined)?.progressToken === undefined;
}

/** A result as a stream of one event, for a client that reads nothing else; errors stay JSON. */
const streamOf = (answer: Answer): Answer =>
  answer.status === 200 && typeof answer.body === 'string'
    ? { status: 200, headers: { 'content-type': EVENT_STREAM }, body: `event: message\ndata: ${answer.body}\n\n` }
    : answer;

/** The answer of the library: a text, or a stream of events as they come; `plain` is the answer of a plain call. */
async function answerOf(response: Response, plain: boolean): Promise<Answer> {
  const { status, body } = response;
  const type = response.headers.get('content-type');
  const headers: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    if (name !== 'content-length' && name !== 'connection' && name !== 'transfer-encoding') headers[name] = value;
  });
  const streams = body !== null && type?.startsWith(EVENT_STREAM) === true;
  if (streams && !plain) return { status, headers, body: body as unknown as AsyncIterable<Uint8Array> };
  const text = await response.text();
  // To clients of 2025-11-25 the library streams an answer alone too.
  if (streams)
    return {
      status,
      headers: { 'content-type': 'application/json' },
      // What comes before it are notifications, which need a stream.
      body: text
        .slice(text.lastIndexOf('\ndata: ') + 1)
        .replace(/^data: /, '')
        .trim(),
    };
  return { status, headers, ...(text !== '' && { body: text }) };
}
