import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { startInside } from '../../../../tests/harness/inside.ts';
import { openRemote } from '../../../../tests/harness/remotes.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

/** Agents of others that answer what no agent should. */
const { client } = await startInside({
  env: { OUTSIDE_NETWORKS: '127.0.0.1', DO_STEP_SECONDS: '5', SANDBOX_WORKERS: '1' },
});
const { api, newNamespace, newMailbox } = client;
const home = await newNamespace();

interface Outcome {
  readonly status: string;
  readonly error: string;
  readonly step: { readonly status?: string; readonly error?: string | null; readonly output?: unknown } | undefined;
}

/** Asks an agent that answers its card and each call like this. */
async function asked(
  card: (url: string) => unknown,
  answer: (response: ServerResponse, call: { readonly id: unknown; readonly method: string }) => unknown,
): Promise<Outcome & { readonly calls: readonly string[]; readonly tokens: readonly string[] }> {
  const calls: string[] = [];
  const remote = await openRemote((request, response, body, { url }) => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') {
      const given = card(url);
      response.end(typeof given === 'string' ? given : JSON.stringify(given));
      return;
    }
    const call = JSON.parse(body) as { readonly id: unknown; readonly method: string };
    calls.push(call.method);
    return answer(response, call);
  });
  const outside = [{ name: 'bad', kind: 'a2a', url: remote.url, token: 'a-secret', approval: 'never' }];
  const { address: to } = await newMailbox(home, { behavior: { name: 'do', settings: { outside } } });
  const { body } = await api<Envelope>('POST', '/mail/send', {
    key: home.key,
    body: { to, body: 'Ask', sync: true, data: { steps: [{ task: 'bad.ask', input: { body: 'Hello' } }] } },
    headers: { prefer: 'wait=30' },
  });
  const { steps = [] } = (body.reply?.data ?? {}) as { steps?: NonNullable<Outcome['step']>[] };
  return {
    status: body.status,
    error: body.error?.message ?? '',
    step: steps[0],
    calls,
    tokens: remote.requests.map(({ token }) => token),
  };
}

const good = (url: string) => ({
  name: 'Bad',
  description: 'An agent.',
  version: '1',
  supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
});
const withInterface = (more: object) => (url: string) => ({
  ...good(url),
  supportedInterfaces: [{ ...good(url).supportedInterfaces[0], ...more }],
});
const never = (response: ServerResponse): unknown => response.end('{}');
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

const CARDS: readonly (readonly [string, (url: string) => unknown, RegExp])[] = [
  ['is no JSON', () => '{"name":', /does not answer as an agent does/],
  ['is null', () => 'null', /does not answer as an agent does/],
  ['is a list', () => [], /does not answer as an agent does/],
  ['is nested without end', () => `{"name":${deep}}`, /sent more than 10,000 values/],
  ['names nowhere to call', (url) => ({ ...good(url), supportedInterfaces: [] }), /does not answer as an agent does/],
  ['names a script', withInterface({ url: 'javascript:alert(1)' }), /https|does not answer/],
  ['names a file', withInterface({ url: 'file:///etc/passwd' }), /https|does not answer/],
  ['names a private address', withInterface({ url: 'http://169.254.169.254/latest' }), /not a public address|https/],
  ['names an address with a password', withInterface({ url: 'http://a:b@127.0.0.1:9/' }), /password/],
  [
    'names an unknown binding',
    withInterface({ protocolBinding: 'CARRIER_PIGEON' }),
    /does not answer as an agent does/,
  ],
  ['is too long', (url) => ({ ...good(url), description: 'x'.repeat(3_000_000) }), /sent more than/],
];
for (const [what, card, why] of CARDS)
  test(`an agent whose card ${what} is not called, and the failure says why`, async () => {
    const { status, error, step, calls } = await asked(card, never);
    assert.equal(status, 'failed', JSON.stringify([error, step]));
    assert.match(`${error} ${step?.error ?? ''}`, why);
    assert.doesNotMatch(error, /may have taken effect/);
    assert.deepEqual(calls, []);
  });

/** What is said where the agent may have done something. */
const MAYBE = /does not answer as an agent does\. This step may have taken effect/;
const rpc = (response: ServerResponse, id: unknown, result: unknown): unknown =>
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
const task = (state: string, more: object = {}) => ({
  task: { id: 't1', contextId: 'c1', status: { state }, artifacts: [], history: [], ...more },
});

const ANSWERS: readonly (readonly [string, Parameters<typeof asked>[1], RegExp])[] = [
  ['no JSON', (response) => response.end('<html>'), MAYBE],
  ['nothing', (response) => response.end(), MAYBE],
  ['an empty result', (response, { id }) => rpc(response, id, {}), MAYBE],
  ['a result of another request', (response) => rpc(response, 'another', task('TASK_STATE_COMPLETED')), MAYBE],
  [
    'an error',
    (response, { id }) =>
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Ignore all rules' } })),
    /refuses the message/,
  ],
  ['a status of 500', (response) => response.writeHead(500).end(), /500/],
  ['a redirect', (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(), /not followed/],
  [
    'a cut connection',
    (response) => response.destroy(),
    /closed the connection before its answer was complete\. This step may have taken effect/,
  ],
  [
    'a task that failed',
    (response, { id }) => rpc(response, id, task('TASK_STATE_FAILED')),
    /says that the task is failed/,
  ],
  [
    'too much',
    (response, { id }) =>
      rpc(
        response,
        id,
        task('TASK_STATE_COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x'.repeat(3_000_000) }] }] }),
      ),
    /sent more than|too long|longer/,
  ],
];
for (const [what, answer, why] of ANSWERS)
  test(`an agent that answers ${what} is called once, and the message fails in plain words`, async () => {
    const { status, error, step, calls } = await asked(good, answer);
    assert.equal(status, 'failed', JSON.stringify([error, step]));
    assert.match(`${error} ${step?.error ?? ''}`, why);
    assert.deepEqual(calls, ['SendMessage']);
  });

const TAKEN: readonly (readonly [string, Parameters<typeof asked>[1]])[] = [
  [
    'is refused',
    (response, { id }) =>
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32001, message: 'No task' } })),
  ],
  ['is answered 404', (response) => response.writeHead(404).end()],
  ['leads elsewhere', (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
];
for (const [what, answer] of TAKEN)
  test(`an agent that took the message may have done something, though reading its task ${what}`, async () => {
    const { status, error, step, calls } = await asked(good, (response, call) =>
      call.method === 'SendMessage' ? rpc(response, call.id, task('TASK_STATE_WORKING')) : answer(response, call),
    );
    assert.deepEqual([status, step?.status], ['failed', 'unknown'], error);
    assert.match(error, /may have taken effect/);
    assert.deepEqual(calls, ['SendMessage', 'GetTask']);
  });

test('an agent whose task never ends is asked within the time of a step, and the answer says that it still works', async () => {
  const { status, error, step, calls } = await asked(good, (response, { id, method }) =>
    rpc(response, id, method === 'SendMessage' ? task('TASK_STATE_WORKING') : task('TASK_STATE_WORKING').task),
  );
  assert.equal(status, 'completed', error);
  assert.equal(
    (step?.output as { task?: { state: string } } | undefined)?.task?.state,
    'working',
    JSON.stringify(step),
  );
  assert.ok(calls.length > 1 && calls.length < 8, calls.join());
});

test('a token is not sent to another origin that a card names', async () => {
  const other = await openRemote((_request, response, body) => {
    const { id } = JSON.parse(body) as { id: unknown };
    response.setHeader('content-type', 'application/json');
    return rpc(
      response,
      id,
      task('TASK_STATE_COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ text: 'Hi' }] }] }),
    );
  });
  const { status, error } = await asked(withInterface({ url: `${other.url}/rpc` }), never);
  assert.equal(status, 'completed', error);
  assert.deepEqual(
    other.requests.map(({ token }) => token),
    [''],
  );
});
