import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Behavior } from '@mailroom/behavior';
import type { Answer, Client } from './client.ts';
import { type Inside, startInside } from './inside.ts';
import { type Asked, type ModelServer, openModelServer, type Said } from './model-server.ts';
import type { Envelope } from './wire.ts';

/** A message with the approval that it waits for. */
export interface Waiting extends Envelope {
  readonly approval?: { readonly plan: Plan; readonly plan_sha256: string };
}
export interface Plan {
  readonly planner: string;
  readonly steps: readonly { readonly task: string; readonly input: Record<string, unknown> }[];
  readonly reason?: string;
}

/** The fields of a receipt that tests read. */
export interface Receipt {
  readonly kind: string;
  readonly planner: string;
  readonly plan: Plan['steps'];
  readonly steps: readonly {
    readonly task: string;
    readonly status: string;
    readonly input: Record<string, unknown>;
    readonly output: { readonly result?: unknown } | null;
    readonly error: string | null;
  }[];
  readonly status: string;
  readonly jws: string;
  readonly model?: {
    readonly name: string;
    readonly turns: number;
    readonly tokens: number;
    readonly tainted: boolean;
  };
}

/** Pages on loopback that the service fetches as `http://pages.test:port` and `http://evil.test:port`. */
export interface Pages {
  readonly at: (path: string, host?: string) => string;
  /** The requested URLs, with their host. */
  readonly asked: string[];
  put(path: string, text: string, type?: string): void;
}

export interface ModelService {
  readonly inside: Inside;
  readonly url: string;
  readonly client: Client;
  readonly model: ModelServer;
  readonly pages: Pages;
  send(key: string, fields: Readonly<Record<string, unknown>>): Promise<Answer<Waiting>>;
  decide(key: string, id: string, decision: 'approve' | 'refuse', plan_sha256?: string): Promise<Answer<Waiting>>;
  /** The message once it is settled or waits for a decision. */
  outcomeOf(key: string, id: string): Promise<Waiting>;
}

/** The service in this process, with a scripted model server and pages that it may fetch. */
export async function openModelService(
  env: Record<string, string> = {},
  behaviors: readonly Behavior[] = [],
): Promise<ModelService> {
  const model = await openModelServer();
  const { pages, close } = await openPages();
  const inside = await startInside({
    env: { SANDBOX_WORKERS: '1', MODEL_BASE_URL: model.url, MODEL_NAME: 'tiny', ...env },
    behaviors,
    resolve: async (hostname) => {
      assert.match(hostname, /^(?:pages|evil)\.test$/);
      return [{ address: '127.0.0.1', family: 4, trusted: true }];
    },
  });
  after(async () => {
    await inside.stop();
    await model[Symbol.asyncDispose]();
    await close();
  });
  const { client } = inside;
  const url = inside.url.replace('localhost', '127.0.0.1');
  const outcomeOf = async (key: string, id: string): Promise<Waiting> => {
    for (const until = performance.now() + 20_000; performance.now() < until; ) {
      const { body } = await client.api<Waiting>('GET', `/mail/messages/${id}?wait=1`, { key });
      if (body.settled_at !== null || body.waiting_for !== null) return body;
    }
    return assert.fail(`${id} came to nothing`);
  };
  return {
    inside,
    url,
    client,
    model,
    pages,
    outcomeOf,
    send: (key, fields) =>
      client.api<Waiting>('POST', '/mail/send', {
        key,
        body: { sync: true, ...fields },
        headers: { prefer: 'wait=30' },
      }),
    decide: (key, id, decision, plan_sha256) =>
      client.api<Waiting>('POST', `/mail/messages/${id}/${decision}`, {
        key,
        body: plan_sha256 === undefined ? {} : { plan_sha256 },
      }),
  };
}

async function openPages(): Promise<{ pages: Pages; close: () => Promise<void> }> {
  const files = new Map<string, { readonly text: string; readonly type: string }>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.headers.host?.split(':')[0]}${request.url}`);
    const found = files.get(request.url ?? '');
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': found?.type ?? 'text/plain' });
    response.end(found?.text ?? 'Not here.');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    pages: {
      asked: requests,
      at: (path, host = 'pages.test') => `http://${host}:${port}${path}`,
      put: (path, text, type = 'text/plain; charset=utf-8') => void files.set(path, { text, type }),
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The number of turns that the model has taken since the last message of the user. */
export function turnOf({ body }: Asked): number {
  const roles = body.messages.map(({ role }) => role);
  return roles.slice(roles.lastIndexOf('user')).filter((role) => role === 'assistant').length;
}

/** Says these turns in order and repeats the last one, counted separately for each conversation. */
export const byTurn =
  (...said: readonly Said[]) =>
  (asked: Asked): Said =>
    said[turnOf(asked)] ?? said.at(-1) ?? {};

/** A turn that only calls tools. */
export const calls = (
  ...list: readonly (readonly [string, NonNullable<NonNullable<Said['calls']>[number]['input']>])[]
): Said => ({
  calls: list.map(([name, input], at) => ({ name, input, id: `call_${at}` })),
});

/** The receipt in the reply. */
export function receiptOf({ reply, ...rest }: Envelope): Receipt {
  assert.equal(
    (reply?.data as { readonly kind?: string } | undefined)?.kind,
    'receipt',
    JSON.stringify({ ...rest, reply }),
  );
  return reply?.data as Receipt;
}
