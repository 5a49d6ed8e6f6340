import { OutsideError, type OutsideResult, type OutsideTool, type OutsideTools } from '@mailroom/behavior/outside';
import { SECOND } from '@mailroom/behavior/values/clock';
import type { Json, JsonObject } from '@mailroom/behavior/values/json';
import type { Client, ClientOptions, Tool } from '@modelcontextprotocol/client';
import type { Exchange } from './exchange.ts';
import { keptLine, keptObject, keptText, quoted } from './texts.ts';

const WHAT = 'MCP server';
/** Tools of one server; more are left out. */
const MAX_TOOLS = 100;
const MAX_PAGES = 10;
/** Of a tool's input schema, in bytes of JSON. */
const MAX_SCHEMA = 32_768;
/** A name that can be written in a plan (MCP 2025-11-25, Tool Names). */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}$/;
/** Longer than the exchange lasts, which says more about what failed. */
const timeoutOf = ({ ms }: Exchange): number => ms + SECOND;

/** Schemas of others are not compiled into code; what they describe is checked in another way. */
const UNCHECKED = {
  getValidator: <T>() => {
    return (input: unknown) => ({ valid: true as const, data: input as T, errorMessage: undefined });
  },
} as NonNullable<ClientOptions['jsonSchemaValidator']>;

/** A connected client of the library for one operation. It offers the server nothing, and opens no stream of its own. */
async function connected<T>(exchange: Exchange, url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client(
    { name: 'mailroom', version: '1' },
    {
      versionNegotiation: { mode: 'auto' },
      jsonSchemaValidator: UNCHECKED,
      inputRequired: { autoFulfill: false },
      listMaxPages: MAX_PAGES,
    },
  );
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    // The stream for what a server sends unasked is of no use to one call.
    fetch: (input, init) =>
      init?.method === 'GET' ? Promise.resolve(new Response(null, { status: 405 })) : exchange.fetch(input, init),
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: SECOND,
      maxReconnectionDelay: SECOND,
      reconnectionDelayGrowFactor: 1,
    },
  });
  try {
    await client.connect(transport, { signal: exchange.signal, timeout: timeoutOf(exchange) });
    return await use(client);
  } finally {
    if (transport.sessionId !== undefined && !exchange.signal.aborted)
      await transport.terminateSession().catch(() => undefined);
    await client.close().catch(() => undefined);
  }
}

/** The tools of an MCP server. Throws OutsideError. */
export async function listMcpTools(exchange: Exchange, url: string): Promise<OutsideTools> {
  try {
    return await connected(exchange, url, async (client) => {
      const { tools } = await client.listTools(undefined, { signal: exchange.signal, timeout: timeoutOf(exchange) });
      const kept = tools.slice(0, MAX_TOOLS).map(toolOf);
      const usable = kept.filter((tool) => tool !== undefined);
      const { title, name } = client.getServerVersion() ?? {};
      const unique = [...new Map(usable.map((tool) => [tool.name, tool])).values()];
      return { title: keptLine(title ?? name), url, tools: unique, left_out: tools.length - unique.length };
    });
  } catch (error) {
    throw new OutsideError(exchange.reason(error, WHAT));
  }
}

function toolOf({ name, title, description, inputSchema, annotations = {} }: Tool): OutsideTool | undefined {
  const input = keptObject(inputSchema, MAX_SCHEMA);
  if (!NAME.test(name) || input === undefined) return undefined;
  const called = keptLine(title ?? annotations.title);
  const about = keptText(description);
  return {
    name,
    description: called === '' || about.startsWith(called) ? about : `${called}: ${about}`,
    input,
    read_only: annotations.readOnlyHint === true,
    idempotent: annotations.idempotentHint === true,
  };
}

/** Calls a tool of an MCP server. Throws OutsideError. */
export async function callMcpTool(
  exchange: Exchange,
  url: string,
  { name, input: inputSchema }: OutsideTool,
  input: JsonObject,
): Promise<OutsideResult> {
  let calling = false;
  try {
    return await connected(exchange, url, async (client) => {
      const toolDefinition = { name, inputSchema } as unknown as Tool;
      calling = true;
      const result = await client.callTool(
        { name, arguments: input },
        { signal: exchange.signal, timeout: timeoutOf(exchange), toolDefinition },
      );
      return resultOf(result as Called, exchange.host);
    });
  } catch (error) {
    throw await failureOf(error, exchange, calling);
  }
}

async function failureOf(error: unknown, exchange: Exchange, calling: boolean): Promise<OutsideError> {
  if (error instanceof OutsideError) return error;
  const { ProtocolError, SdkError, SdkErrorCode } = await import('@modelcontextprotocol/client');
  if (calling && error instanceof ProtocolError)
    return new OutsideError(`${exchange.host} refuses the call: ${quoted(error.message)}`);
  if (calling && error instanceof SdkError && error.code === SdkErrorCode.UnsupportedResultType)
    return new OutsideError(`${exchange.host} asks for more input first, which is not possible here.`);
  return new OutsideError(exchange.reason(error, WHAT), calling && !exchange.without_effect);
}

interface Called {
  readonly content?: readonly {
    readonly type: string;
    readonly text?: string;
    readonly mimeType?: string;
    readonly uri?: string;
    readonly name?: string;
    readonly resource?: { readonly uri?: string; readonly text?: string };
  }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

function resultOf({ content = [], structuredContent, isError = false }: Called, host: string): OutsideResult {
  const text = content.map(partText).join('\n');
  if (isError) throw new OutsideError(`${host} reports a failure: ${quoted(text)}`);
  return { text, data: (structuredContent ?? null) as Json };
}

/** A part of a result as text; of what is no text, its kind alone. */
function partText({ type, text, mimeType, uri, name, resource }: NonNullable<Called['content']>[number]): string {
  if (type === 'text') return text ?? '';
  if (type === 'resource' && resource?.text !== undefined) return resource.text;
  const address = uri ?? resource?.uri;
  if (address !== undefined) return [name, address].filter(Boolean).join(': ');
  return `(${type}${mimeType === undefined ? '' : `, ${mimeType}`}; not kept)`;
}
