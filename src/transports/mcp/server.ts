import type { Server } from '@modelcontextprotocol/server';
import { AppError, problems } from '../../core/values/error.ts';
import type { Answer } from '../../http/route.ts';
import type { Prompt } from './address-tools.ts';
import type { JsonObject, Tool, ToolCall, ToolResult } from './tool.ts';
import { ATTACHMENT } from './tool.ts';

/** Bytes of an attachment that is read as a resource, because it is one JSON text. */
const MAX_RESOURCE = 10 * 1024 * 1024;

/** What one server offers: that of an address, or of a namespace. */
export interface Offer {
  readonly title: string;
  /** For models: what the server is for. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
}

/** What a server uses of one request. */
export interface Serving {
  readonly version: string;
  /** The means of a tool, for a call that has `progress` and ends with `signal`. */
  toolCall(of: Pick<ToolCall, 'progress' | 'signal'>): ToolCall;
  /** An attachment of a message that the caller may read. Throws AppError. */
  attachment(id: string, signal: AbortSignal): Promise<Answer>;
}

type Sdk = typeof import('@modelcontextprotocol/server');

/** The server of one request; the library makes one for each. */
export function makeServer(sdk: Sdk, offer: Offer, serving: Serving): Server {
  const { ProtocolError, ProtocolErrorCode, Server } = sdk;
  const invalidParams = (text: string): Error => new ProtocolError(ProtocolErrorCode.InvalidParams, text);
  const server = new Server(
    { name: 'mailroom', title: offer.title, version: serving.version },
    { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions: offer.instructions },
  );

  server.setRequestHandler('tools/list', () => ({ tools: offer.tools.map(toolView) as never }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = offer.tools.find(({ name }) => name === params.name);
    if (tool === undefined)
      throw invalidParams(
        `There is no tool ${params.name}. There are: ${offer.tools.map(({ name }) => name).join(', ')}.`,
      );
    const progressToken = mcpReq._meta?.progressToken;
    let said = 0;
    const progress =
      progressToken === undefined
        ? undefined
        : async (message: string): Promise<void> => {
            said += 1;
            await mcpReq.notify({
              method: 'notifications/progress',
              params: { progressToken, progress: said, message },
            });
          };
    const call = serving.toolCall({ progress, signal: mcpReq.signal });
    return (await resultOf(() => tool.run(params.arguments ?? {}, call))) as never;
  });

  server.setRequestHandler('prompts/list', () => ({
    prompts: offer.prompts.map(({ name, title, description, arguments: args = [] }) => ({
      name,
      title,
      description,
      arguments: args,
    })) as never,
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = offer.prompts.find(({ name }) => name === params.name);
    if (prompt === undefined) throw invalidParams(`There is no prompt ${params.name}.`);
    const args = params.arguments ?? {};
    for (const { name, required } of prompt.arguments ?? [])
      if (required === true && args[String(name)] === undefined)
        throw invalidParams(`The prompt needs ${String(name)}.`);
    const content = { type: 'text' as const, text: prompt.text(args) };
    return { description: prompt.description, messages: [{ role: 'user' as const, content }] };
  });

  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: `${ATTACHMENT}{id}`,
        name: 'attachment',
        title: 'Attachment',
        description: 'The bytes of an attachment of a message that you may read, by its id: att_….',
      },
    ],
  }));
  server.setRequestHandler('resources/read', async ({ params }, { mcpReq }) => {
    const { uri } = params;
    const missing = (): Error => new sdk.ResourceNotFoundError(uri);
    if (!uri.startsWith(ATTACHMENT)) throw missing();
    const answer = await serving.attachment(uri.slice(ATTACHMENT.length), mcpReq.signal).catch((error: unknown) => {
      throw error instanceof AppError && problems[error.code].status === 404 ? missing() : error;
    });
    const { 'content-type': mimeType = 'application/octet-stream', 'content-length': size } = answer.headers ?? {};
    if (Number(size) > MAX_RESOURCE)
      throw invalidParams(
        `The attachment has ${String(size)} bytes; ${MAX_RESOURCE} can be read here. Get it by HTTP.`,
      );
    const pieces = [];
    for await (const piece of answer.body as AsyncIterable<Uint8Array>) pieces.push(piece);
    return { contents: [{ uri, mimeType: String(mimeType), blob: Buffer.concat(pieces).toString('base64') }] };
  });
  return server;
}

const toolView = ({ name, title, description, input, annotations }: Tool): JsonObject => ({
  name,
  title,
  description,
  inputSchema: withoutIds(input),
  annotations: { title, ...annotations },
});

/** A schema as JSON, without the names of its parts: within another schema they would move its references. */
const withoutIds = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema, (name, value: unknown) => (name === '$id' ? undefined : value)));

/** The result of a tool; what the service refuses is a result too, so that a model can correct its call. */
async function resultOf(run: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError) || problems[error.code].status >= 500) throw error;
    const { code, message, errors, retry_after_ms } = error;
    const structuredContent = {
      code,
      detail: message,
      errors,
      ...(retry_after_ms !== undefined && { retry_after_ms }),
    };
    const places = errors.map(({ pointer, message: wrong }) => `\n${pointer}: ${wrong}`).join('');
    return { content: [{ type: 'text', text: `${code}: ${message}${places}` }], structuredContent, isError: true };
  }
}
