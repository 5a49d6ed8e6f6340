import { AppError, problems } from '@mailroom/behavior/values/error';
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { ListPage, Offer } from './offer.ts';
import type { JsonObject, Questions, Tool, User } from './tool.ts';
import { resultOf } from './tool-result.ts';

/** Entries of a page of a list. */
const PAGE = 50;
/** MCP, "Completion": at most 100 values. */
const MAX_COMPLETIONS = 100;

/** The entry of the log about a request that is refused. */
export const REFUSED = 'an MCP request was refused';

type Sdk = typeof import('@modelcontextprotocol/server');

export interface ServerParts {
  readonly version: string;
  /** Whether the client subscribes by streams of their own, as those of MCP 2026-07-28 do. */
  readonly listens?: boolean;
  readonly log: { warn(fields: object, text: string): void };
}

/** The server of one request; the library makes one for each. */
export function makeServer(sdk: Sdk, offer: Offer, { version, log, listens = false }: ServerParts): Server {
  const { ProtocolError, ProtocolErrorCode, Server } = sdk;
  const invalidParams = (text: string): Error => new ProtocolError(ProtocolErrorCode.InvalidParams, text);
  const resources = listens && offer.inboxes !== undefined ? { subscribe: true } : {};
  const server = new Server(
    { name: 'mailroom', title: offer.title, version },
    { capabilities: { tools: {}, prompts: {}, resources, completions: {} }, instructions: offer.instructions },
  );
  const page = (items: readonly JsonObject[], cursor: string | undefined): ListPage => {
    const at = cursor === undefined ? 0 : /^\d{1,6}$/.test(cursor) ? Number(cursor) : -1;
    if (at < 0 || (at > 0 && at >= items.length)) throw invalidParams('Unknown cursor. Begin without one.');
    return { items: items.slice(at, at + PAGE), next: at + PAGE < items.length ? String(at + PAGE) : undefined };
  };
  const listed = (name: string, { items, next }: ListPage) =>
    ({ [name]: items, ...(next !== undefined && { nextCursor: next }) }) as never;

  server.setRequestHandler('tools/list', ({ params }) =>
    listed('tools', page(offer.tools.map(toolView), params?.cursor)),
  );
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = offer.tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw invalidParams(noTool(params.name, offer));
    const progressToken = mcpReq._meta?.progressToken;
    let count = 0;
    const progress =
      progressToken === undefined
        ? undefined
        : async (message: string): Promise<void> => {
            count += 1;
            await mcpReq.notify({
              method: 'notifications/progress',
              params: { progressToken, progress: count, message },
            });
          };
    const call = offer.toolCall({ progress, user: userOf(sdk, mcpReq), signal: mcpReq.signal });
    try {
      const result = await resultOf(tool, params.arguments ?? {}, call);
      return ('questions' in result ? asked(sdk, result) : result) as never;
    } catch (error) {
      log.warn({ err: error }, REFUSED);
      // The library would show the message of any error to the client.
      const message = error instanceof AppError ? error.message : 'Internal error';
      throw new ProtocolError(ProtocolErrorCode.InternalError, message);
    }
  });

  server.setRequestHandler('prompts/list', ({ params }) => {
    const views = offer.prompts.map(({ name, title, description, arguments: args = [] }) => ({
      name,
      title,
      description,
      arguments: args.map(({ name: of, description: about, required }) => ({ name: of, description: about, required })),
    }));
    return listed('prompts', page(views, params?.cursor));
  });
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = offer.prompts.find(({ name }) => name === params.name);
    if (prompt === undefined) throw invalidParams(`There is no prompt ${params.name}.`);
    const args = params.arguments ?? {};
    for (const { name, required } of prompt.arguments ?? [])
      if (required === true && args[name] === undefined) throw invalidParams(`The prompt needs ${name}.`);
    const messages = prompt.content(args).map((content) => ({ role: 'user', content }));
    return { description: prompt.description, messages } as never;
  });

  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) => {
    const of = ref.type === 'ref/prompt' ? offer.prompts.find(({ name }) => name === ref.name) : undefined;
    const values = of?.arguments?.find(({ name }) => name === argument.name)?.complete?.(argument.value) ?? [];
    return { completion: { values: values.slice(0, MAX_COMPLETIONS), total: values.length } } as never;
  });

  /** What the service refuses, as an error of the protocol. */
  const asParams = (error: unknown): never => {
    if (error instanceof AppError && problems[error.code].status < 500) throw invalidParams(error.message);
    throw error;
  };
  server.setRequestHandler('resources/list', async ({ params }, { mcpReq }) =>
    listed('resources', await offer.resources.list(params?.cursor, mcpReq.signal).catch(asParams)),
  );
  server.setRequestHandler('resources/templates/list', ({ params }) =>
    listed('resourceTemplates', page(offer.resources.templates, params?.cursor)),
  );
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
    const contents = await offer.resources.read(uri, mcpReq.signal).catch(asParams);
    if (contents === undefined) throw new sdk.ResourceNotFoundError(uri);
    return { contents } as never;
  });
  return server;
}

type Requested = Pick<ServerContext['mcpReq'], 'envelope' | 'inputResponses' | 'requestState'>;

/** The user of a client that declares to show forms; of a client of 2025-11-25 nothing is known in a request. */
function userOf(sdk: Sdk, { envelope, inputResponses, requestState }: Requested): User | undefined {
  const declared = (envelope as JsonObject | undefined)?.[sdk.CLIENT_CAPABILITIES_META_KEY] as Capabilities | undefined;
  const elicitation = declared?.elicitation;
  if (elicitation === undefined) return undefined;
  // Without a mode it means forms.
  if (Object.keys(elicitation).length > 0 && elicitation.form === undefined) return undefined;
  return {
    state: requestState<string>(),
    answer(name) {
      const answer = sdk.inputResponse(inputResponses, name);
      if (answer.kind !== 'elicit') return undefined;
      return answer.action === 'accept' ? (answer.content ?? {}) : null;
    },
  };
}

interface Capabilities {
  readonly elicitation?: { readonly form?: unknown; readonly url?: unknown };
}

/** What a client asks its user, before it calls the tool again. */
const asked = ({ inputRequired }: Sdk, { questions, state }: Questions) =>
  inputRequired({
    requestState: state,
    inputRequests: Object.fromEntries(
      Object.entries(questions).map(([name, { message, schema }]) => [
        name,
        inputRequired.elicit({ mode: 'form', message, requestedSchema: schema as never }),
      ]),
    ),
  });

/** Why a call of this tool is refused, with what there is. */
const noTool = (named: string, { tools }: Pick<Offer, 'tools'>): string =>
  `There is no tool ${named}. There are: ${tools.map(({ name }) => name).join(', ')}.`;

/** Tools as they are listed, which never change. */
const views = new WeakMap<Tool, JsonObject>();

function toolView(tool: Tool): JsonObject {
  const known = views.get(tool);
  if (known !== undefined) return known;
  const { name, title, description, input, output, annotations } = tool;
  const view = {
    name,
    title,
    description,
    inputSchema: withoutIds(input),
    ...(output !== undefined && { outputSchema: withoutIds(output) }),
    annotations: { title, ...annotations },
  };
  views.set(tool, view);
  return view;
}

/** A schema as JSON, without the names of its parts: within another schema they would move its references. */
const withoutIds = (schema: unknown): unknown =>
  JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => (name === '$id' && typeof value === 'string' ? undefined : value)),
  );
