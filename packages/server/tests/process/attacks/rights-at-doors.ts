import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../../tests/harness/client.ts';
import { visitorOf } from '../../../../../tests/harness/console.ts';
import type { SharedService } from '../../../../../tests/harness/service.ts';
import { LONG } from '../../../../../tests/soak/length.ts';
import { type Asked, answerTo, assertHidden } from './rights-hidden.ts';
import { type Caller, type Kind, newWorld, type Target } from './rights-world.ts';

/** Tries every other door with what is another's, one of so many targets. Registers its tests. */
export async function tryDoors(service: SharedService, every: number): Promise<void> {
  const client = connect(service.url);
  const world = await newWorld(client, every);
  const { home, other, front, back, theirs, targets } = world;
  const seenBefore = await world.seen();
  /** Callers who may do all that a key may, but not here; the doors check scopes as the API does. */
  const callers = world.callers.filter(({ own, bound, name }) =>
    own === true ? bound === true : LONG || /^(?:a guest|the token|another owner)/.test(name),
  );
  const hiddenFrom = ({ own, bound, guest }: Caller, kind: Kind): readonly Target[] =>
    targets.filter(
      (one) =>
        one.kind === kind &&
        !(own === true && (kind === 'address' || (bound && one.at !== undefined))) &&
        !(guest === true && one.at === 'guest'),
    );
  let requestCount = 0;

  async function assertAllHidden(what: string, kind: Kind, ask: (id: string) => Asked, by = callers): Promise<void> {
    for (const caller of by) {
      const hidden = hiddenFrom(caller, kind);
      requestCount += 2 * hidden.length;
      await assertHidden(world, what, caller, hidden, ask);
    }
  }

  const MCP = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
  const mcp = (server: string, method: string, params: object): Asked => ({
    method: 'POST',
    path: `/mcp${server}`,
    headers: MCP,
    body: { jsonrpc: '2.0', id: 1, method, params },
  });
  /** Arguments with which each tool does something, but for the ids. */
  const ARGUMENTS: Readonly<Record<string, object>> = {
    send: { to: theirs.address, body: 'Hi', wait: 0 },
    ask: { message: 'Hi' },
    read: { id: 'msg_0', wait: 0 },
    claim: { address: theirs.address, wait: 0 },
    answer: { id: 'msg_0', body: 'Hi' },
    search: { query: world.canary },
    list_threads: { address: theirs.address },
  };
  const NAMED: Readonly<Record<string, Kind>> = {
    id: 'msg',
    in_reply_to: 'msg',
    caused_by: 'msg',
    thread_id: 'thr',
    claim: 'clm',
    address: 'address',
    to: 'address',
    from: 'address',
  };

  for (const server of ['', `/${front.address}`]) {
    test(`a tool of ${server === '' ? 'a namespace' : 'an address'} takes what is another's as what is not there`, async () => {
      const owner = { name: 'the owner', authorization: `Bearer ${home.key}`, scopes: [] };
      const listed = await answerTo(service.url, mcp(server, 'tools/list', {}), owner);
      const { result } = JSON.parse(/\{.*\}/.exec(listed)?.[0] ?? '') as {
        result: { tools: { name: string; inputSchema: { properties: object } }[] };
      };
      assert.ok(result.tools.length >= 2);
      for (const { name, inputSchema } of result.tools)
        for (const [field, kind] of Object.entries(NAMED)) {
          if (!(field in inputSchema.properties)) continue;
          await assertAllHidden(`${field} of ${name}`, kind, (id) =>
            mcp(server, 'tools/call', { name, arguments: { ...ARGUMENTS[name], [field]: id } }),
          );
        }
      await assertAllHidden('a resource', 'att', (id) =>
        mcp(server, 'resources/read', { uri: `mailroom://attachments/${id}` }),
      );
    });
  }

  test('every method of A2A answers about a task of another as about one that is not there', async () => {
    const push = { url: 'https://hooks.invalid/' };
    const message = { messageId: 'again', role: 'ROLE_USER', parts: [{ text: 'Hi' }] };
    const configuration = { returnImmediately: true };
    const methods: readonly (readonly [string, Kind, (id: string) => object])[] = [
      ['GetTask', 'msg', (id) => ({ id })],
      ['CancelTask', 'msg', (id) => ({ id })],
      ['SubscribeToTask', 'msg', (id) => ({ id })],
      ['CreateTaskPushNotificationConfig', 'msg', (taskId) => ({ taskId, ...push })],
      ['GetTaskPushNotificationConfig', 'msg', (taskId) => ({ taskId, id: 'x' })],
      ['ListTaskPushNotificationConfigs', 'msg', (taskId) => ({ taskId })],
      ['DeleteTaskPushNotificationConfig', 'msg', (taskId) => ({ taskId, id: 'x' })],
      ['SendMessage', 'msg', (taskId) => ({ message: { ...message, taskId }, configuration })],
      ['SendStreamingMessage', 'msg', (taskId) => ({ message: { ...message, taskId }, configuration })],
      ['SendMessage', 'thr', (contextId) => ({ message: { ...message, contextId }, configuration })],
      ['SendMessage', 'address', (from) => ({ message: { ...message, metadata: { from } }, configuration })],
      ['ListTasks', 'thr', (contextId) => ({ contextId })],
    ];
    for (const { address } of [front, back])
      for (const [method, kind, paramsOf] of methods) {
        // A guest has no address, so that `from` says nothing of it.
        const by = kind === 'address' ? callers.filter(({ scopes }) => scopes.length > 0) : callers;
        const ask = (id: string): Asked => ({
          method: 'POST',
          path: `/a2a/${address}`,
          headers: { 'a2a-version': '1.0' },
          body: { jsonrpc: '2.0', id: 1, method, params: paramsOf(id) },
        });
        await assertAllHidden(`${method} at ${address}`, kind, ask, by);
      }
  });

  test('every path of A2A over HTTP answers about a task of another as about one that is not there', async () => {
    const message = { messageId: 'again', role: 'ROLE_USER', parts: [{ text: 'Hi' }] };
    const configuration = { returnImmediately: true };
    const paths: readonly (readonly [string, Kind, string, ((id: string) => object)?])[] = [
      ['GET', 'msg', '/tasks/ID'],
      ['GET', 'msg', '/tasks/ID?historyLength=100'],
      ['GET', 'msg', '/tasks/ID:subscribe'],
      ['POST', 'msg', '/tasks/ID:subscribe', () => ({})],
      ['POST', 'msg', '/tasks/ID:cancel', () => ({})],
      ['POST', 'msg', '/tasks/ID/pushNotificationConfigs', () => ({ url: 'https://hooks.invalid/' })],
      ['GET', 'msg', '/tasks/ID/pushNotificationConfigs'],
      ['GET', 'msg', '/tasks/ID/pushNotificationConfigs/x'],
      ['DELETE', 'msg', '/tasks/ID/pushNotificationConfigs/x'],
      ['GET', 'thr', '/tasks?contextId=ID'],
      ['POST', 'msg', '/message:send', (taskId) => ({ message: { ...message, taskId }, configuration })],
      ['POST', 'msg', '/message:stream', (taskId) => ({ message: { ...message, taskId }, configuration })],
      ['POST', 'thr', '/message:send', (contextId) => ({ message: { ...message, contextId }, configuration })],
    ];
    for (const { address } of [front, back])
      for (const [method, kind, path, bodyOf] of paths)
        await assertAllHidden(`${method} ${path} at ${address}`, kind, (id) => ({
          method,
          path: `/a2a/${address}/v1${path.replace('ID', encodeURIComponent(id))}`,
          headers: { 'a2a-version': '1.0', ...(bodyOf && { 'content-type': 'application/a2a+json' }) },
          body: bodyOf?.(id),
        }));
  });

  test('a session of the console gives no rights at the API, MCP and A2A, not to its own owner either', async () => {
    const visitor = visitorOf(service.url);
    await visitor.signIn(home.key);
    const session: Caller = { name: 'a session of its owner', scopes: [] };
    const headers = { cookie: visitor.cookie, origin: service.url, 'sec-fetch-site': 'same-origin' };
    for (const { id, kind } of targets) {
      const requests: readonly Asked[] =
        kind === 'msg'
          ? [
              { method: 'GET', path: `/api/v1/mail/messages/${id}` },
              mcp(`/${front.address}`, 'tools/call', { name: 'read', arguments: { id, wait: 0 } }),
              { method: 'GET', path: `/a2a/${front.address}/v1/tasks/${id}` },
            ]
          : kind === 'att'
            ? [{ method: 'GET', path: `/api/v1/mail/attachments/${id}` }]
            : kind === 'drf'
              ? [{ method: 'GET', path: `/api/v1/mail/drafts/${id}` }]
              : [];
      for (const request of requests) {
        const found = await answerTo(service.url, { ...request, headers: { ...request.headers, ...headers } }, session);
        assert.ok(!found.includes(world.canary), found.slice(0, 500));
        const alone = await answerTo(service.url, request, session);
        assert.equal(found.slice(0, 3), alone.slice(0, 3), request.path);
      }
    }
  });

  test('every other door answers about a closed address as about one that is not there', async () => {
    for (const path of [
      '/ID',
      '/mcp/ID/server-card',
      '/a2a/ID/.well-known/agent-card.json',
      '/a2a/ID/.well-known/agent.json',
      '/a2a/ID/.well-known/jwks.json',
    ])
      await assertAllHidden(path, 'address', (id) => ({ method: 'GET', path: path.replace('ID', id) }));
    for (const path of ['/mcp/ID', '/a2a/ID'])
      await assertAllHidden(path, 'address', (id) => ({
        method: 'POST',
        path: path.replace('ID', id),
        headers: { ...MCP, 'a2a-version': '1.0' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      }));
  });

  test('the console of another namespace answers about what is not its own as about what is not there', async () => {
    const visitor = visitorOf(service.url);
    await visitor.signIn(other.key);
    const { cookie } = visitor;
    const csrf = await visitor.token();
    const session: Caller = { name: 'a session of another owner', scopes: [] };
    const pages: readonly (readonly [string, Kind])[] = [
      ['messages/ID', 'msg'],
      ['attachments/ID', 'att'],
      ['texts/ID', 'msg'],
      ['webhooks/ID', 'whk'],
      ['write?draft=ID', 'drf'],
      ['write?reply=ID', 'msg'],
      ['write?from=ID', 'address'],
    ];
    const headers = { cookie, accept: 'text/html' };
    for (const [page, kind] of pages)
      await assertAllHidden(
        page,
        kind,
        (id) => ({ method: 'GET', path: `/console/${page.replace('ID', id)}`, headers }),
        [session],
      );
    const forms: readonly (readonly [string, Kind, Record<string, string>])[] = [
      ['messages/ID', 'msg', { do: 'cancel' }],
      ['messages/ID', 'msg', { do: 'retry' }],
      ['messages/ID', 'msg', { do: 'approve' }],
      ['messages/ID', 'msg', { do: 'delete' }],
      ['answers/ID', 'msg', { do: 'answer', body: 'Hi' }],
      ['labels/ID', 'msg', { add: 'x' }],
      ['senders/ID', 'msg', { do: 'block' }],
      ['threads/ID', 'thr', { do: 'take-over' }],
      ['drafts', 'drf', { do: 'send', id: 'ID' }],
      ['drafts', 'drf', { do: 'delete', id: 'ID' }],
      ['keys', 'key', { do: 'revoke', id: 'ID' }],
      ['webhooks/ID', 'whk', { do: 'rotate' }],
      ['webhooks/ID', 'whk', { do: 'remove' }],
    ];
    for (const [form, kind, fields] of forms)
      await assertAllHidden(
        form,
        kind,
        (id) => ({
          method: 'POST',
          path: `/console/${form.replace('ID', id)}`,
          headers: { ...headers, origin: service.url, 'sec-fetch-site': 'same-origin' },
          form: Object.fromEntries(
            Object.entries({ csrf, ...fields }).map(([name, value]) => [name, value.replace('ID', id)]),
          ),
        }),
        [session],
      );
  });

  test('none of all that changed anything', async (t) => {
    assert.equal(await world.seen(), seenBefore);
    t.diagnostic(`${requestCount} requests`);
  });
}
