import { A2AError, restStatusFor, toJsonRpcError, toRestErrorBody, VersionNotSupportedError } from '@a2a-js/sdk/errors';
import { JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import type { JsonObject } from '@mailroom/behavior/values/json';
import { problemHeaders } from '../../http/problems.ts';
import type { Answer } from '../../http/route.ts';
import { SSE_HEADERS, SSE_HEARTBEAT, sseEvent } from '../../http/sse.ts';
import { orEvery } from '../../http/ticks.ts';
import type { AddressAgent } from './agent.ts';
import { httpError, INVALID_REQUEST, type ProtocolError, problemError, rpcError } from './errors.ts';
import { formError, idOf, isNotification } from './json-rpc.ts';
import { checkLegacy } from './legacy.ts';
import { checkParams } from './params.ts';

/** A request in the words of JSON-RPC, by whichever binding it came. */
export interface Asked {
  readonly method: string;
  readonly params: unknown;
}

/** How a request is answered. */
interface Answering {
  /** The A2A-Version that the caller named; empty for none. */
  readonly version: string;
  /** The longest silence of a stream. */
  readonly heartbeat_ms: number;
  /** Signs a card in the words of A2A 0.3. */
  readonly signed: (card: JsonObject) => Promise<JsonObject>;
}

type JSONRPCResponse = Exclude<Awaited<ReturnType<JsonRpcTransportHandler['handle']>>, AsyncGenerator>;

const INTERNAL = -32603;
const LEGACY_CARD = 'agent/getAuthenticatedExtendedCard';
const METHODS = /^(?:Send|Get|List|Cancel|Subscribe|Create|Delete)[A-Z]\w*$/;

/** Answers a JSON-RPC request of A2A 1.0, or of 0.3 when no version is named. */
export async function answerRpc(agent: AddressAgent, body: unknown, of: Answering): Promise<Answer> {
  if (!isNotification(body)) return answered(agent, body, of);
  const { status, headers, body: answerBody } = await answered(agent, body, of);
  // A stream does its work with its first event, which was awaited.
  if (isStream(answerBody)) {
    const events = answerBody[Symbol.asyncIterator]();
    await events.next();
    await events.return?.();
  }
  return status < 400 ? { status: 204 } : { status, ...(headers && { headers }) };
}

async function answered(agent: AddressAgent, body: unknown, options: Answering): Promise<Answer> {
  const wrong = formError(body);
  if (wrong !== undefined) {
    const id = idOf((body ?? {}) as Record<string, unknown>);
    return { status: 200, body: { jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message: wrong } } };
  }
  // Parameters may be left out (JSON-RPC 2.0, section 4), which the SDK says are wrong before it looks at the method.
  const request: Record<string, unknown> = { params: {}, ...(body as object) };
  const id = idOf(request);
  try {
    const legacy = versionOf(options.version) === '0.3';
    if (legacy && METHODS.test(String(request.method))) throw tooNew(`The method ${String(request.method)}`);
    if (legacy) checkLegacy(request.method, request.params ?? {});
    else checkParams(request.method, request.params);
    const handler = legacy
      ? new (await import('@a2a-js/sdk/compat/v0_3/server')).LegacyJsonRpcTransportHandler(agent)
      : new JsonRpcTransportHandler(agent);
    const context = new ServerCallContext({ requestedVersion: legacy ? '0.3' : '1.0' });
    const result = await handler.handle(request, context);
    if (Symbol.asyncIterator in result) return await streamed(result as AsyncGenerator<JSONRPCResponse>, options);
    const { error } = result as { error?: { code: number } };
    if (error === undefined && request.method === LEGACY_CARD) {
      const card = (result as unknown as { readonly result: JsonObject }).result;
      return { status: 200, body: { ...result, result: await options.signed(card) } };
    }
    if (error === undefined) return { status: 200, body: result };
    if (agent.failed !== undefined) throw agent.failed;
    if (error.code === INTERNAL && !agent.asked) throw unreadable();
    return { status: 200, body: result };
  } catch (error) {
    return rpcFailure(error, id);
  }
}

/** Answers a request of HTTP+JSON, which differs from JSON-RPC in its envelope alone. `done` is the status of success. */
export async function answerHttp(agent: AddressAgent, call: Asked, options: Answering, done = 200): Promise<Answer> {
  try {
    if (versionOf(options.version) === '0.3') throw tooNew('HTTP+JSON here');
    checkParams(call.method, call.params);
    const handler = new JsonRpcTransportHandler(agent);
    const request = { jsonrpc: '2.0', id: null, ...call };
    const result = await handler.handle(request, new ServerCallContext({ requestedVersion: '1.0' }));
    if (Symbol.asyncIterator in result) return await streamed(result as AsyncGenerator<JSONRPCResponse>, options, true);
    const { error, result: body } = result as JSONRPCResponse;
    if (error !== undefined) throw agent.failed ?? unreadable();
    return body === null ? { status: 204 } : { status: done, body };
  } catch (error) {
    return httpFailure(error);
  }
}

const isStream = (body: unknown): body is AsyncIterable<unknown> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

const unreadable = (): AppError =>
  invalid('', 'The parameters do not have the form that the protocol gives them. Compare them with its specification.');

/** The version in use: patch versions do not count, and none at all is 0.3 (A2A 1.0.1, section 3.6). */
function versionOf(version: string): '0.3' | '1.0' {
  // As nearly every request has it, before the expression for any other.
  if (version === '1.0') return version;
  const [, major] = /^(1\.0|0\.3)(?:\.\d+)?$/.exec(version.trim()) ?? [];
  if (version.trim() === '' || major === '0.3') return '0.3';
  if (major === '1.0') return '1.0';
  throw new VersionNotSupportedError(
    `A2A ${version.slice(0, 20)} is not spoken here. Send A2A-Version: 1.0; JSON-RPC also takes 0.3.`,
  );
}

const tooNew = (what: string): Error =>
  new VersionNotSupportedError(
    `${what} is of A2A 1.0, and without a version a request is of 0.3. Send A2A-Version: 1.0.`,
  );

/** A stream whose first event is awaited, so that an error before it is answered as any other. */
async function streamed(
  events: AsyncGenerator<JSONRPCResponse>,
  { heartbeat_ms }: Answering,
  bare = false,
): Promise<Answer> {
  const first = await events.next();
  const text = (event: JSONRPCResponse): string => sseEvent({ data: JSON.stringify(bare ? event.result : event) });
  async function* body(): AsyncGenerator<string> {
    try {
      if (first.done !== true) yield text(first.value);
      for await (const event of orEvery(events, heartbeat_ms)) yield event === undefined ? SSE_HEARTBEAT : text(event);
    } finally {
      void events.return(undefined);
    }
  }
  return { status: 200, headers: SSE_HEADERS, body: body() };
}

/** The answer to a JSON-RPC request that failed. */
function rpcFailure(error: unknown, id: unknown): Answer {
  const known = problemOf(error);
  if (known === undefined) return { status: 200, body: { jsonrpc: '2.0', id, error: toJsonRpcError(error) } };
  return { status: known.rpc_status, headers: headersOf(error), body: rpcError(known, id) };
}

/** The answer to an HTTP+JSON request that failed. */
function httpFailure(error: unknown): Answer {
  const problem = problemOf(error);
  if (problem === undefined) {
    const status = restStatusFor(error);
    return { status, body: toRestErrorBody(error, status) };
  }
  return { status: problem.status, headers: headersOf(error), body: httpError(problem) };
}

/** A problem of this service; undefined for an error of the protocol. What is neither is a failure of ours. */
function problemOf(error: unknown): ProtocolError | undefined {
  if (error instanceof A2AError) return undefined;
  if (!(error instanceof AppError) || error.code === 'internal') throw error;
  return problemError(error);
}

const headersOf = (error: unknown): Record<string, string> => (error instanceof AppError ? problemHeaders(error) : {});
