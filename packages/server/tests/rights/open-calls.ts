import assert from 'node:assert/strict';
import { type Client, connect, unique } from '../../../../tests/harness/client.ts';
import { inboxListener } from '../../../../tests/harness/mcp.ts';
import { openStream } from '../../../../tests/harness/stream.ts';
import type { Scope } from '../../core/entities/key.ts';

/** Where calls that stay open are made. */
export interface Place {
  readonly url: string;
  readonly namespace: string;
  /** An address where a message waits for an answer by hand, and one where none does. */
  readonly desk: string;
  readonly idle: string;
  /** That message, which the key did not send. */
  readonly message: string;
  /** As which of several addresses a member writes. */
  readonly from?: string | undefined;
  /** The call is to be refused, so that its answer is waited for. */
  readonly refuses?: true;
}

/** What became of a call: it is open, or was refused with this code. */
export type Opened =
  | { readonly refused: string }
  | {
      readonly refused: undefined;
      /** What was answered, once it has ended. */
      readonly ended: Promise<string>;
      close(): void;
    };

/** A stream or a wait. */
export interface OpenCall {
  /** The operation of the API, tool, or method that it is a row for. */
  readonly of: string;
  readonly scope: Scope;
  /** About one of these addresses, so that a key for another one is refused. */
  readonly ofDesk?: true;
  readonly open: (place: Place, key: string) => Promise<Opened>;
}

const OPEN = 'open';
/** A call that is not answered in this time is open. */
const OPEN_MS = 700;

type Asked = Pick<RequestInit, 'method' | 'body'> & {
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A request that stays open, or is answered at once. */
async function waiting(at: string, init: Asked, refuses = false): Promise<Opened> {
  const gone = new AbortController();
  const { key, headers, ...rest } = init;
  const ended = fetch(at, {
    ...rest,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    signal: gone.signal,
  })
    .then(async (response) => `${response.status} ${await response.text()}`)
    .catch((error: unknown) => String(error));
  const late = new Promise<typeof OPEN>((done) => setTimeout(done, OPEN_MS, OPEN).unref());
  const first = await (refuses ? ended : Promise.race([ended, late]));
  return first === OPEN ? { refused: undefined, ended, close: () => gone.abort() } : { refused: codeIn(first) };
}

const codeIn = (text: string): string => /"code":"?\\?"?(\w+)/.exec(text)?.[1] ?? text.slice(0, 200);

const post = (place: Place, path: string, key: string, body: object, headers: Record<string, string> = {}) =>
  waiting(place.url + path, { key, method: 'POST', body: JSON.stringify(body), headers }, place.refuses);

async function streaming(at: string, key: string, headers: Record<string, string> = {}): Promise<Opened> {
  const stream = await openStream(at, { authorization: `Bearer ${key}`, ...headers });
  if (stream.status !== 200) {
    await stream.ended;
    return { refused: codeIn(stream.text()) };
  }
  return { refused: undefined, ended: stream.ended.then(() => stream.text()), close: stream.close };
}

const tool =
  (name: string, args: (place: Place) => object): OpenCall['open'] =>
  (place, key) =>
    post(
      place,
      `/mcp/${place.namespace}`,
      key,
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args(place) } },
      { accept: 'application/json, text/event-stream' },
    );

const a2a =
  (method: string, params: (place: Place) => object): OpenCall['open'] =>
  (place, key) =>
    post(
      place,
      `/a2a/${place.desk}`,
      key,
      { jsonrpc: '2.0', id: 1, method, params: params(place) },
      { 'a2a-version': '1.0' },
    );
const says = ({ from }: Place) => ({
  message: {
    messageId: unique('m'),
    role: 'ROLE_USER',
    parts: [{ text: 'Wait' }],
    ...(from && { metadata: { from } }),
  },
});
const mail = ({ desk, from }: Place) => ({ to: desk, from, body: 'Wait', sync: true });
const PREFER = { prefer: 'wait=60' };

/** Each stream and wait there is. */
export const OPEN_CALLS: Readonly<Record<string, OpenCall>> = {
  'the stream of events': {
    of: 'GET /api/v1/events',
    scope: 'messages:read',
    open: ({ url }, key) => streaming(`${url}/api/v1/events`, key),
  },
  'the stream of a message': {
    of: 'GET /api/v1/mail/messages/{id}',
    scope: 'messages:read',
    ofDesk: true,
    open: ({ url, message }, key) => streaming(`${url}/api/v1/mail/messages/${message}`, key),
  },
  'a wait for an answer': {
    of: 'GET /api/v1/mail/messages/{id}',
    scope: 'messages:read',
    ofDesk: true,
    open: ({ url, message, refuses }, key) =>
      waiting(`${url}/api/v1/mail/messages/${message}?wait=60`, { key }, refuses),
  },
  'a wait for mail': {
    of: 'POST /api/v1/mailboxes/{address}/wait',
    scope: 'messages:read',
    ofDesk: true,
    open: (place, key) => post(place, `/api/v1/mailboxes/${place.idle}/wait`, key, { wait: 60 }),
  },
  'a claim': {
    of: 'POST /api/v1/mailboxes/{address}/claim',
    scope: 'mail:answer',
    ofDesk: true,
    open: (place, key) => post(place, `/api/v1/mailboxes/${place.idle}/claim`, key, { wait: 60 }),
  },
  'a send that waits': {
    of: 'POST /api/v1/mail/send',
    scope: 'mail:send',
    open: (place, key) => post(place, '/api/v1/mail/send', key, mail(place), PREFER),
  },
  'a draft that is sent': {
    of: 'POST /api/v1/mail/drafts/{id}/send',
    scope: 'mail:send',
    async open(place, key) {
      const { api } = connect(place.url) as Pick<Client, 'api'>;
      const body = mail(place);
      const { status, body: draft } = await api<{ id: string; code?: string }>('POST', '/mail/drafts', { key, body });
      if (status !== 201) return { refused: draft.code ?? `${status}` };
      return post(place, `/api/v1/mail/drafts/${draft.id}/send`, key, {}, PREFER);
    },
  },
  'a task that is sent': { of: 'SendMessage', scope: 'mail:send', open: a2a('SendMessage', says) },
  'a task that is sent and followed': {
    of: 'SendStreamingMessage',
    scope: 'mail:send',
    open: a2a('SendStreamingMessage', says),
  },
  'a task that is followed': {
    of: 'SubscribeToTask',
    scope: 'messages:read',
    ofDesk: true,
    open: a2a('SubscribeToTask', ({ message }) => ({ id: message })),
  },
  'a subscription to an inbox': {
    of: 'subscriptions/listen',
    scope: 'messages:read',
    async open({ url, namespace }, key) {
      const listener = await inboxListener(url, ['mailroom://inbox'], { key, path: `/${namespace}` });
      const close = (): void => void listener.client.close();
      const heard = listener.subscription.honoredFilter?.resourceSubscriptions ?? [];
      if (heard.length === 0) {
        close();
        return { refused: 'insufficient_scope' };
      }
      return {
        refused: undefined,
        ended: listener.subscription.closed.then(() => JSON.stringify(listener.told)),
        close,
      };
    },
  },
  'a tool that waits for mail': {
    of: 'tool wait_for_message',
    scope: 'messages:read',
    ofDesk: true,
    open: tool('wait_for_message', ({ idle }) => ({ address: idle, wait: 60 })),
  },
  'a tool that claims': {
    of: 'tool claim',
    scope: 'mail:answer',
    ofDesk: true,
    open: tool('claim', ({ idle }) => ({ address: idle, wait: 60 })),
  },
  'a tool that reads': {
    of: 'tool read',
    scope: 'messages:read',
    ofDesk: true,
    open: tool('read', ({ message }) => ({ id: message, wait: 60 })),
  },
  'a tool that sends': {
    of: 'tool send',
    scope: 'mail:send',
    open: tool('send', ({ desk, from }) => ({ to: desk, from, body: 'Wait', wait: 60 })),
  },
};

/** What the document says of an operation that streams or waits. */
const WAITS = /"text\/event-stream"|"name":"(wait|Prefer)"|\/(WaitRequest|ClaimRequest)"/;
/** By guests, without a key that could end. */
const GUESTS = new Set(['POST /api/v1/mail/try']);

/** Fails for a stream or a wait that has no row: of the API, and of the tools of a namespace. */
export async function assertComplete({ api }: Pick<Client, 'api'>, tools: readonly Tool[]): Promise<void> {
  const { paths } = (await api<{ paths: Record<string, Record<string, Operation>> }>('GET', '/openapi.json')).body;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  const open = operations.filter(({ name, operation }) => WAITS.test(JSON.stringify(operation)) && !GUESTS.has(name));
  const waits = tools.filter(({ inputSchema }) => inputSchema.properties?.wait !== undefined);
  const found = [...open.map(({ name }) => name), ...waits.map(({ name }) => `tool ${name}`)];
  const rows = new Set(Object.values(OPEN_CALLS).map(({ of }) => of));
  assert.deepEqual(
    found.filter((name) => !rows.has(name)),
    [],
  );
  for (const name of rows) if (/^(GET|POST) |^tool /.test(name)) assert.ok(found.includes(name), name);
}
interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> | undefined };
}
type Operation = object;
