import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** The versions of MCP, by how the library's client chooses them: by `initialize`, or by `server/discover`. */
export const MODES = { legacy: '2025-11-25', auto: '2026-07-28' } as const;
export type Mode = keyof typeof MODES;

/** What the user of a client answers to a form. */
export interface Answered {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, string>;
}

/** A client of the library, connected. `path` stands below `/mcp`; with `user` it shows forms to a user. */
export async function mcpClient(
  url: string,
  {
    path = '',
    key,
    mode = 'auto',
    user,
  }: {
    path?: string;
    key?: string;
    mode?: Mode;
    user?: (message: string) => Answered | Promise<Answered>;
  } = {},
): Promise<Client & AsyncDisposable> {
  const capabilities = user === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode }, capabilities });
  if (user !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => ({ ...(await user(params.message)) }));
  const headers: Record<string, string> = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp${path}`), { requestInit: { headers } }));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

/** A client of the first library of MCP, which most clients still use, connected. */
export async function firstClient(
  url: string,
  { path = '', key }: { path?: string; key?: string } = {},
): Promise<FirstClient & AsyncDisposable> {
  const client = new FirstClient({ name: 'tests', version: '1' });
  const headers: Record<string, string> = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  const transport = new FirstTransport(new URL(`${url}/mcp${path}`), { requestInit: { headers } });
  await client.connect(transport as Transport);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

export interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly uri?: string }[];
  readonly structuredContent: { readonly [name: string]: unknown };
  readonly isError?: boolean;
}

/** Calls a tool, and returns what it answered. */
export async function callTool(client: Client, name: string, args: object = {}): Promise<ToolAnswer> {
  return (await client.callTool({ name, arguments: args as Record<string, unknown> })) as unknown as ToolAnswer;
}

export const textIn = ({ content }: ToolAnswer): string => content.map(({ text = '' }) => text).join('');

/** A change in an inbox that a client was told of. */
export interface Told {
  readonly uri: string;
  readonly cursor: string;
  readonly message: string;
  readonly event: string;
}

/** An inbox as it is read. */
export interface Inbox {
  readonly messages: readonly { readonly id: string; readonly status: string; readonly body: string }[];
  readonly cursor: string;
  readonly more: boolean;
}

/** A client that listens to these inboxes, with what it was told so far. */
export async function inboxListener(
  url: string,
  uris: readonly string[],
  of: { readonly key: string; readonly path?: string },
) {
  const client = await mcpClient(url, of);
  const told: Told[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    const meta = params._meta as Record<string, string>;
    const [cursor = '', message = '', event = ''] = ['cursor', 'message', 'event'].map(
      (name) => meta[`mailroom/${name}`],
    );
    told.push({ uri: params.uri, cursor, message, event });
  });
  const subscription = await client.listen({ resourceSubscriptions: [...uris] });
  const read = async (uri: string): Promise<Inbox> => {
    const { contents } = await client.readResource({ uri });
    return JSON.parse((contents[0] as { text: string }).text) as Inbox;
  };
  return { client, told, subscription, read, [Symbol.asyncDispose]: () => client.close() };
}
