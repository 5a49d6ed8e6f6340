import assert from 'node:assert/strict';
import { type Binding, rpc } from './a2a.ts';
import { connect, unique } from './client.ts';
import { mailText, sendMail } from './mail.ts';
import { callTool, mcpClient, type ToolAnswer } from './mcp.ts';
import type { Envelope, Status, TryEnvelope } from './wire.ts';

/** A message as a transport shows it to its sender, in the words of the API. */
export interface Shown {
  /** Of HTTP, or of SMTP. */
  readonly code: string | null;
  /** Why it was refused or failed, as that transport says it. */
  readonly message: string;
  readonly id: string;
  readonly thread_id: string;
  readonly status: Status | null;
  readonly reply: string | null;
  /** Of a guest's thread. */
  readonly token?: string | undefined;
  readonly retry_after?: string | null;
}

export interface Wanted {
  /** An API key, or the token of a guest's thread. */
  readonly key?: string | undefined;
  readonly subject?: string;
  readonly data?: unknown;
  readonly thread?: string;
  /** The id of the message that asked. */
  readonly answers?: string;
  /** Makes the message repeatable. */
  readonly idempotencyKey?: string;
  /** Returns at once, whatever the status. */
  readonly async?: boolean;
}

/** A transport by which the same message can be sent, read, waited for and canceled. */
export interface Door {
  readonly name: string;
  readonly channel: 'api' | 'web' | 'a2a' | 'mcp';
  send(address: string, text: string, wanted: Wanted): Promise<Shown>;
  /** As it stands, or once it is settled. */
  read(address: string, id: string, key: string, wait?: boolean): Promise<Shown>;
  /** Absent where the transport has no cancel of its own. */
  cancel?(address: string, id: string, key: string): Promise<Shown>;
}

const REFUSED: Shown = { code: null, message: '', id: '', thread_id: '', status: null, reply: null };

interface ProblemBody {
  readonly code: string;
  readonly detail: string;
}

function ofEnvelope({ status, body, headers }: { status: number; body: unknown; headers: Headers }): Shown {
  if (status >= 400) {
    const { code, detail } = body as ProblemBody;
    return { ...REFUSED, code, message: detail, retry_after: headers.get('retry-after') };
  }
  const envelope = body as Envelope & Partial<TryEnvelope>;
  return {
    code: envelope.error?.code ?? null,
    message: envelope.error?.message ?? '',
    id: envelope.id,
    thread_id: envelope.thread_id,
    status: envelope.status,
    reply: envelope.reply?.body ?? null,
    token: envelope.thread_token,
  };
}

/** The API, for programs with a key; for guests it is the try-out. */
const api = (url: string): Door => {
  const client = connect(url);
  return {
    name: 'API',
    channel: 'api',
    async send(to, body, { key, subject, data, thread, answers, idempotencyKey, async: soon }) {
      const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      if (key === undefined || !key.startsWith('mr_live_')) {
        const token = key === undefined ? {} : { thread_token: key };
        return ofEnvelope(await client.tryOut({ to, body, ...token }, headers));
      }
      const fields = { subject, data, thread_id: thread, in_reply_to: answers, sync: soon !== true };
      return ofEnvelope(await client.send(key, { to, body, ...fields }, headers));
    },
    read: async (_address, id, key, wait) => ofEnvelope(await client.read(key, id, wait === true ? '?wait=30' : '')),
    cancel: async (_address, id, key) => ofEnvelope(await client.api('POST', `/mail/messages/${id}/cancel`, { key })),
  };
};

const STATES: Readonly<Record<string, Status>> = {
  TASK_STATE_SUBMITTED: 'submitted',
  TASK_STATE_WORKING: 'working',
  TASK_STATE_AUTH_REQUIRED: 'working',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_INPUT_REQUIRED: 'input_required',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_REJECTED: 'rejected',
  TASK_STATE_CANCELED: 'canceled',
};

interface TaskJson {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string; readonly message?: { readonly parts: readonly { text?: string }[] } };
  readonly artifacts?: readonly { readonly parts: readonly { text?: string }[] }[];
}

function ofTask({ id, contextId, status, artifacts }: TaskJson): Shown {
  const text = status.message?.parts[0]?.text ?? '';
  const asks = status.state === 'TASK_STATE_INPUT_REQUIRED';
  return {
    code: null,
    message: asks ? '' : text,
    id,
    thread_id: contextId,
    status: STATES[status.state] ?? null,
    reply: asks ? text : (artifacts?.[0]?.parts[0]?.text ?? null),
    ...(contextId.startsWith('mt_') && { token: contextId }),
  };
}

interface A2aError {
  readonly message: string;
  readonly details: readonly { readonly reason?: string }[];
}

const ofA2aError = ({ message, details }: A2aError, headers: Headers): Shown => ({
  ...REFUSED,
  code: details.map(({ reason }) => reason?.toLowerCase()).find((reason) => reason !== undefined) ?? '',
  message,
  retry_after: headers.get('retry-after'),
});

/** One of the two bindings of A2A; both without a client, so that only the service decides. */
const a2a = (url: string, binding: Binding): Door => {
  const ask = async (
    address: string,
    key: string | undefined,
    [method, params]: readonly [string, object],
    [verb, path, body]: readonly [string, string, object?],
  ): Promise<{ readonly task?: TaskJson; readonly refused?: Shown }> => {
    const bearer = key === undefined ? {} : { key };
    if (binding === 'JSONRPC') {
      const answer = await rpc({ url }, address, { jsonrpc: '2.0', id: 1, method, params }, bearer);
      const { result, error } = answer.body;
      if (error !== undefined) return { refused: ofA2aError({ ...error, details: error.data ?? [] }, answer.headers) };
      return { task: result.task ?? result };
    }
    const headers = { 'a2a-version': '1.0', ...(key !== undefined && { authorization: `Bearer ${key}` }) };
    const json = body && { 'content-type': 'application/a2a+json' };
    const response = await fetch(`${url}/a2a/${address}/v1${path}`, {
      method: verb,
      headers: { ...headers, ...json },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    const parsed = JSON.parse(text);
    if (response.status >= 400) return { refused: ofA2aError(parsed.error, response.headers) };
    return { task: parsed.task ?? parsed };
  };
  const view = async (asked: ReturnType<typeof ask>): Promise<Shown> => {
    const { task, refused } = await asked;
    return refused ?? ofTask(task as TaskJson);
  };
  const get = (address: string, id: string, key: string) =>
    view(ask(address, key, ['GetTask', { id }], ['GET', `/tasks/${id}`]));
  return {
    name: `A2A ${binding}`,
    channel: 'a2a',
    send(address, text, { key, subject, data, thread, answers, idempotencyKey, async: soon }) {
      const parts = [{ text }, ...(data === undefined ? [] : [{ data }])];
      const message = {
        messageId: idempotencyKey ?? unique('m'),
        role: 'ROLE_USER',
        parts,
        ...(subject !== undefined && { metadata: { subject } }),
        ...(thread !== undefined && { contextId: thread }),
        ...(answers !== undefined && { taskId: answers }),
      };
      const params = { message, configuration: { returnImmediately: soon === true } };
      return view(ask(address, key, ['SendMessage', params], ['POST', '/message:send', params]));
    },
    async read(address, id, key, wait) {
      if (wait !== true) return get(address, id, key);
      // The protocol waits by its stream, which ends with the task.
      const headers = { 'a2a-version': '1.0', authorization: `Bearer ${key}` };
      const endpoint = `${url}/a2a/${address}`;
      const rpcBody = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } });
      const stream =
        binding === 'JSONRPC'
          ? await fetch(endpoint, {
              method: 'POST',
              headers: { ...headers, 'content-type': 'application/json' },
              body: rpcBody,
            })
          : await fetch(`${endpoint}/v1/tasks/${id}:subscribe`, { method: 'POST', headers });
      await stream.text();
      return get(address, id, key);
    },
    cancel: (address, id, key) => view(ask(address, key, ['CancelTask', { id }], ['POST', `/tasks/${id}:cancel`, {}])),
  };
};

interface AskResult {
  readonly id: string;
  readonly thread_id: string;
  readonly status: Status;
  readonly reply: string | null;
  readonly error: string | null;
  readonly thread_token?: string;
  readonly code?: string;
  readonly detail?: string;
  readonly retry_after_ms?: number;
}

function ofTool({ structuredContent }: ToolAnswer): Shown {
  const { id, thread_id, status, reply, error, thread_token, code, detail, retry_after_ms } =
    structuredContent as unknown as AskResult;
  if (id === undefined) {
    const retry_after = retry_after_ms === undefined ? null : String(Math.ceil(retry_after_ms / 1000));
    return { ...REFUSED, code: code ?? '', message: detail ?? '', retry_after };
  }
  return { code: null, message: error ?? '', id, thread_id, status, reply, token: thread_token };
}

const mcp = (url: string): Door => {
  const call = async (address: string, key: string | undefined, name: string, args: object): Promise<Shown> => {
    try {
      await using client = await mcpClient(url, { path: `/${address}`, ...(key !== undefined && { key }) });
      return ofTool(await callTool(client, name, args));
    } catch (error) {
      // An address that the caller may not use has no server: that is an answer of HTTP.
      const response = await fetch(`${url}/mcp/${address}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      });
      if (response.ok) throw error;
      return ofEnvelope({ status: response.status, body: await response.json(), headers: response.headers });
    }
  };
  const isKey = (key: string | undefined): boolean => key?.startsWith('mr_live_') === true;
  return {
    name: 'MCP',
    channel: 'mcp',
    async send(address, message, { key, subject, data, thread, idempotencyKey, async: soon }) {
      if (!isKey(key)) return call(address, undefined, 'ask', { message, thread_token: key });
      const wait = soon === true ? { wait: 0 } : {};
      const args = { message, subject, data, thread_id: thread, idempotency_key: idempotencyKey, ...wait };
      return call(address, key, 'ask', args);
    },
    read: (address, id, key, wait) =>
      isKey(key)
        ? call(address, key, 'read', { id, wait: wait === true ? 30 : 0 })
        : call(address, undefined, 'read', { id, thread_token: key, wait: wait === true ? 30 : 0 }),
  };
};

/** The form of an address's page, as its script sends it. */
export const page = (url: string): Pick<Door, 'name' | 'channel' | 'send' | 'cancel'> => {
  const client = connect(url);
  const post = async (address: string, form: Readonly<Record<string, string>>): Promise<Shown> => {
    const response = await fetch(`${url}/${address}`, {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form),
    });
    const text = await response.text();
    if (response.status >= 400) return { ...REFUSED, code: String(response.status), message: text };
    const events = new Map<string, Record<string, string>>();
    for (const event of text.split('\n\n')) {
      const [, name, data] = /^event: (\S+)\ndata: (.*)$/s.exec(event) ?? [];
      if (name !== undefined && name !== 'delta') events.set(name, JSON.parse(data as string));
    }
    const thread = events.get('thread');
    if (thread === undefined) {
      const kind = events.has('limit') ? 'limit' : 'problem';
      return { ...REFUSED, code: kind, message: events.get('problem')?.message ?? '' };
    }
    const token = thread.thread_token as string;
    return { ...ofEnvelope(await client.read(token, thread.id as string)), token };
  };
  return {
    name: 'page',
    channel: 'web',
    send: (address, body, { key, idempotencyKey }) =>
      post(address, {
        body,
        ...(key !== undefined && { thread_token: key }),
        ...(idempotencyKey !== undefined && { once: idempotencyKey }),
      }),
    cancel: (address, id, key) => post(address, { thread_token: key, cancel: id }),
  };
};

/** The transports that programs use with a key. */
export const keyDoors = (url: string): readonly Door[] => [
  api(url),
  a2a(url, 'JSONRPC'),
  a2a(url, 'HTTP+JSON'),
  mcp(url),
];

/** Sends a mail; gives the id of its message, or the reply that refused it. */
export async function mail(
  port: number,
  address: string,
  text: string,
  more: { readonly from?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<{ readonly id?: string; readonly said: string }> {
  const from = more.from ?? 'mara@example.org';
  const headers = {
    From: from,
    To: address,
    Date: new Date().toUTCString(),
    'Message-ID': `<${unique()}@example.org>`,
    Subject: 'Hello',
    ...more.headers,
  };
  const said = await sendMail(port, { from, to: [address], text: mailText(headers, text) });
  const [id] = /msg_\w+/.exec(said) ?? [];
  return { said, ...(id !== undefined && { id }) };
}

/** What each way shows of a message that was sent by it, with its name. */
export type Sent = readonly (readonly [string, Shown])[];

/** Sends by each of the ways in turn. */
export async function sentBy(doors: readonly Door[], send: (door: Door) => Promise<Shown>): Promise<Sent> {
  const shown: [string, Shown][] = [];
  for (const door of doors) shown.push([door.name, await send(door)]);
  return shown;
}

/** Asserts that all shown the same of the parts that `pick` chooses, and returns that. */
export function allSame<T>(shown: readonly (readonly [string, Shown])[], pick: (one: Shown) => T): T {
  const [first] = shown;
  assert.ok(first !== undefined);
  for (const [name, one] of shown) assert.deepEqual(pick(one), pick(first[1]), `${name}: ${JSON.stringify(one)}`);
  return pick(first[1]);
}
