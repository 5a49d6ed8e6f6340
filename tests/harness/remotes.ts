import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { after } from 'node:test';
import { type AgentCard, AgentCard as AgentCardJson, type Message, type Part, Role } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from '@a2a-js/sdk/server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';

/** A server of others on loopback. */
export interface Remote {
  readonly url: string;
  /** The requests so far, with their headers and bodies. */
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly token: string;
    readonly body: string;
  }[];
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** A server that answers as `listener` says; it ends after the last test. */
export async function openRemote(
  listener: (request: IncomingMessage, response: ServerResponse, body: string, remote: Remote) => unknown,
): Promise<Remote> {
  const requests: Remote['requests'] = [];
  let remote: Remote;
  const handle: RequestListener = (request, response) => {
    void readText(request).then(async (body) => {
      const { method = '', url: path = '', headers } = request;
      requests.push({ method, path, token: headers.authorization ?? '', body });
      await listener(request, response, body, remote);
    });
  };
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  remote = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
  return remote;
}

/** Hands a request to a handler of the Fetch API. */
async function byFetch(
  handler: (request: Request) => Promise<Response>,
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  const incoming = new Request(`http://${headers.host}${url}`, {
    method,
    headers: headers as Record<string, string>,
    ...(method === 'POST' && { body }),
  });
  const answer = await handler(incoming);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) response.end();
  else Readable.fromWeb(answer.body as never).pipe(response);
}

/** An MCP server with the library's own server. `register` adds its tools, for each request. */
export async function openMcpRemote(register: (server: McpServer) => void): Promise<Remote> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'weather-server', version: '1', title: 'Weather' });
    register(server);
    return server;
  });
  return openRemote((request, response, body) => byFetch((asked) => handler.fetch(asked), request, response, body));
}

export const textPart = (value: string): Part => ({
  content: { $case: 'text', value },
  filename: '',
  mediaType: '',
  metadata: undefined,
});

export const agentSays = (parts: Part[], contextId = ''): Message => ({
  messageId: crypto.randomUUID(),
  role: Role.ROLE_AGENT,
  parts,
  contextId,
  taskId: '',
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

/** An A2A agent with the SDK's own server, whose card is at the well-known place. */
export async function openA2aRemote(
  execute: AgentExecutor['execute'],
  change: (card: AgentCard, url: string) => AgentCard = (card) => card,
): Promise<Remote> {
  let handler: JsonRpcTransportHandler | undefined;
  return openRemote(async (request, response, body, { url }) => {
    const given = AgentCardJson.fromJSON({
      name: 'Helper',
      description: 'Helps with words.',
      version: '1',
      supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: {},
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 'shout', name: 'Shout', description: 'Writes in capitals.', tags: ['words'] }],
    });
    const card = change(given, url);
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(AgentCardJson.toJSON(card)));
      return;
    }
    handler ??= new JsonRpcTransportHandler(
      new DefaultRequestHandler(card, new InMemoryTaskStore(), { execute, cancelTask: async () => undefined }),
    );
    const answer = await handler.handle(body, new ServerCallContext({ requestedVersion: '1.0' } as never));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
}

export { AgentEvent };
