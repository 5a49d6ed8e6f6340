import { type Message, Role, type StreamResponse, type Task } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { unique } from './client.ts';
import type { SharedService } from './service.ts';

export type Binding = 'JSONRPC' | 'HTTP+JSON';

/** The SDK's own client of an address; with a key, or with the token of a guest's thread. */
export async function a2aClient(
  { url }: Pick<SharedService, 'url'>,
  address: string,
  { key, binding = 'JSONRPC' }: { readonly key?: string | undefined; readonly binding?: Binding } = {},
): Promise<Client> {
  // Cards name `localhost`, and a test must not depend on the order of its addresses.
  const urlOf = (given: string | URL | Request): string => {
    const to = new URL(given instanceof Request ? given.url : given);
    return new URL(to.pathname + to.search, url).href;
  };
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
    return fetch(urlOf(input), { ...init, headers });
  };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })],
    preferredTransports: [binding],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return factory.createFromUrl(`${url}/a2a/${address}/`);
}

/** What a client sends. */
export const says = (text: string, more: Partial<Message> = {}): Message => ({
  messageId: unique('m'),
  role: Role.ROLE_USER,
  parts: [part({ $case: 'text', value: text })],
  contextId: '',
  taskId: '',
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
  ...more,
});

export const part = (content: Message['parts'][number]['content'], filename = '', mediaType = '') => ({
  content,
  filename,
  mediaType,
  metadata: undefined,
});

export const request = (message: Message, configuration: Readonly<Record<string, unknown>> = {}) => ({
  tenant: '',
  message,
  metadata: undefined,
  configuration: {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately: false,
    ...configuration,
  },
});

/** Sends, and expects a task. */
export async function sendTask(
  client: Client,
  message: Message,
  configuration: Readonly<Record<string, unknown>> = {},
): Promise<Task> {
  const result = await client.sendMessage(request(message, configuration));
  if ('messageId' in result) throw new Error(`a message, not a task: ${JSON.stringify(result)}`);
  return result;
}

/** The texts of a task's artifacts. */
export const textsOf = ({ artifacts }: Pick<Task, 'artifacts'>): string[] =>
  artifacts.flatMap(({ parts }) => parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])));

/** The events of a stream, until it ends. */
export const eventsOf = (stream: AsyncIterable<StreamResponse>): Promise<NonNullable<StreamResponse['payload']>[]> =>
  Array.fromAsync(stream, (event) => event.payload as NonNullable<StreamResponse['payload']>);

/** A JSON-RPC request as bytes, without the client. */
export async function rpc(
  { url }: Pick<SharedService, 'url'>,
  address: string,
  body: unknown,
  { key, version = '1.0', headers }: { key?: string; version?: string | null; headers?: Record<string, string> } = {},
) {
  const response = await fetch(`${url}/a2a/${address}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(version !== null && { 'a2a-version': version }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}
