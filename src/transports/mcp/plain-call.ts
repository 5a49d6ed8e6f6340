import { AppError } from '../../core/values/error.ts';
import type { Answer, Call } from '../../http/route.ts';
import type { Offer } from './offer.ts';
import type { JsonObject, Tool } from './tool.ts';
import { resultOf } from './tool-result.ts';

/** A call of a tool that asks for its result and nothing else, as nearly all calls do. */
export interface PlainCall {
  readonly id: string | number;
  readonly tool: Tool;
  readonly args: JsonObject;
  readonly version: '2026-07-28' | '2025-11-25';
}

const META = 'io.modelcontextprotocol/';
/** Names of the parts that a plain call has; with any other the library reads the request. */
const PARTS: Readonly<Record<'body' | 'params' | 'meta', ReadonlySet<string>>> = {
  body: new Set(['jsonrpc', 'id', 'method', 'params']),
  params: new Set(['name', 'arguments', '_meta']),
  meta: new Set([`${META}protocolVersion`, `${META}clientCapabilities`, `${META}clientInfo`]),
};

/**
 * The plain call that a request is. Undefined for every other request, also for one with anything wrong in it: the
 * library answers those. A plain call needs none of what it makes for each request: a server, schemas, a `Request`.
 */
export function plainCall(body: unknown, headers: Call['headers'], tools: readonly Tool[]): PlainCall | undefined {
  if (!has(body, PARTS.body) || body.jsonrpc !== '2.0' || body.method !== 'tools/call') return undefined;
  const { id, params } = body;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
  if (!has(params, PARTS.params)) return undefined;
  const { name, arguments: args = {}, _meta: meta } = params;
  if (!isObject(args)) return undefined;
  const accepted = String(headers.accept);
  if (!accepted.includes('application/json') || !accepted.includes('text/event-stream')) return undefined;
  const version = headers['mcp-protocol-version'];
  if (version === '2026-07-28') {
    if (headers['mcp-method'] !== 'tools/call' || headers['mcp-name'] !== name || !isEnvelope(meta, version))
      return undefined;
  } else if (version !== '2025-11-25' || meta !== undefined) return undefined;
  const tool = tools.find((one) => one.name === name);
  return tool && { id: id as string | number, tool, args, version };
}

/** Calls the tool, and answers as the library does. */
export async function answerPlain(
  { id, tool, args, version }: PlainCall,
  offer: Offer,
  { gone }: Pick<Call, 'gone'>,
  of: { readonly version: string; readonly onError: (error: Error) => void },
): Promise<Answer> {
  const call = offer.toolCall({
    // Made for a call that waits alone.
    get signal() {
      return gone();
    },
  });
  try {
    const result = await resultOf(tool, args, call);
    const more =
      version === '2025-11-25'
        ? undefined
        : {
            resultType: 'complete',
            _meta: { [`${META}serverInfo`]: { name: 'mailroom', title: offer.title, version: of.version } },
          };
    return { status: 200, body: { result: { ...result, ...more }, jsonrpc: '2.0', id } };
  } catch (error) {
    of.onError(error as Error);
    const message = error instanceof AppError ? error.message : 'Internal error';
    return { status: 200, body: { jsonrpc: '2.0', id, error: { code: -32_603, message } } };
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object with no other names than these. */
const has = (value: unknown, names: ReadonlySet<string>): value is JsonObject =>
  isObject(value) && Object.keys(value).every((name) => names.has(name));

/** What every request of 2026-07-28 says of its client. */
function isEnvelope(meta: unknown, version: string): boolean {
  if (!has(meta, PARTS.meta) || meta[`${META}protocolVersion`] !== version) return false;
  const info = meta[`${META}clientInfo`];
  const named = isObject(info) && typeof info.name === 'string' && typeof info.version === 'string';
  return named && isObject(meta[`${META}clientCapabilities`]);
}
