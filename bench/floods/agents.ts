import { setTimeout as sleep } from 'node:timers/promises';
import { type Attacker, BY_HAND, type Flood } from '../harness/flood-client.ts';
import { HELLO, QUESTION } from '../harness/service.ts';

const MCP = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
const mcpBody = (method: string, params: object = {}): object => ({ jsonrpc: '2.0', id: 1, method, params });
const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: { sampling: {}, elicitation: {}, roots: { listChanged: true } },
  clientInfo: { name: 'x'.repeat(1_000), version: '1' },
};

/** What each tool is called with; a field that it does not have is refused, which is work too. */
const ARGUMENTS = {
  to: HELLO,
  message: QUESTION,
  body: QUESTION,
  query: `${'a'.repeat(100)}b`,
  id: 'msg_0d8m3xk2q5v7w9y1a3c0',
  wait: 0,
};

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: object };
}

/** All tools of a server. */
async function toolsOf(attacker: Attacker, network: string, path: string, key: string): Promise<readonly Tool[]> {
  const { text } = await attacker.call(network, path, { key, headers: MCP, body: mcpBody('tools/list') });
  return JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? '{}').result?.tools ?? [];
}

const mcp: Flood = {
  name: 'MCP: initialize, lists, every tool, progress',
  async begin(attacker) {
    const home = await attacker.homes(BY_HAND);
    const [network = ''] = attacker.networks;
    const { key, address } = home(network);
    const calls: (readonly [string, object])[] = [];
    for (const path of ['/mcp', `/mcp/${HELLO}`, `/mcp/${address}`, '/mcp/do@agents.mailroom.localhost']) {
      for (const method of ['tools/list', 'prompts/list', 'resources/list', 'server/discover', 'ping'])
        calls.push([path, mcpBody(method)]);
      calls.push([path, mcpBody('initialize', INITIALIZE)]);
      for (const { name, inputSchema } of await toolsOf(attacker, network, path, key)) {
        const args = Object.entries(ARGUMENTS).filter(([field]) => field in (inputSchema.properties ?? {}));
        const params = { name, arguments: { ...Object.fromEntries(args), ...(name === 'claim' && { address }) } };
        calls.push([path, mcpBody('tools/call', params)]);
        calls.push([path, mcpBody('tools/call', { ...params, _meta: { progressToken: 1 } })]);
      }
    }
    return () =>
      attacker.loop(16, (from, at) => {
        const [path, body] = calls[at % calls.length] as (typeof calls)[number];
        return attacker.call(from, path, { key: at % 3 === 2 ? undefined : home(from).key, headers: MCP, body });
      });
  },
};

const says = (attacker: Attacker): object => ({
  messageId: attacker.unique('m'),
  role: 'ROLE_USER',
  parts: [{ text: QUESTION }],
});

const a2a: Flood = {
  name: 'A2A: cards, sends, streams, lists',
  async begin(attacker) {
    const home = await attacker.homes(BY_HAND);
    const headers = { 'a2a-version': '1.0' };
    return () =>
      attacker.loop(16, (network, at) => {
        const { key, address } = home(network);
        const to = at % 2 === 0 ? HELLO : address;
        const send = { message: says(attacker), configuration: { returnImmediately: at % 4 === 1 } };
        const ways: readonly (readonly [string, object?])[] = [
          [`/a2a/${to}`, mcpBody('SendMessage', send)],
          [`/a2a/${to}/.well-known/agent-card.json`],
          [`/a2a/${to}`, mcpBody('ListTasks', { pageSize: 100 })],
          [`/a2a/${to}/v1/message:stream`, send],
          [`/a2a/${to}`, mcpBody('GetExtendedAgentCard')],
          [`/a2a/${to}`, mcpBody('message/send', { message: { kind: 'message', parts: 'x'.repeat(10_000) } })],
        ];
        const [path, body] = ways[at % ways.length] as (typeof ways)[number];
        return attacker.call(network, path, { key: at % 5 === 4 ? undefined : key, headers, body });
      });
  },
};

const push: Flood = {
  name: 'A2A: push configurations and subscriptions',
  settings: { WEBHOOK_NETWORKS: '127.0.0.1' },
  async begin(attacker) {
    const home = await attacker.homes(BY_HAND);
    const headers = { 'a2a-version': '1.0' };
    const tasks = new Map<string, string>();
    for (const network of attacker.networks) {
      const { key, address } = home(network);
      const send = { message: says(attacker), configuration: { returnImmediately: true } };
      const sent = await attacker.call(network, `/a2a/${address}`, {
        key,
        headers,
        body: mcpBody('SendMessage', send),
      });
      tasks.set(network, sent.json().result.task.id);
    }
    return () =>
      attacker.loop(16, async (network, at) => {
        const { key, address } = home(network);
        const taskId = tasks.get(network);
        const path = `/a2a/${address}`;
        if (at % 4 === 0) {
          const socket = await attacker.dial(network);
          const body = JSON.stringify(mcpBody('SubscribeToTask', { id: taskId }));
          socket?.once('data', (got) => attacker.count(String(got).slice(9, 12)));
          socket?.write(
            `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nA2A-Version: 1.0\r\n` +
              `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          );
          await sleep(100);
          return;
        }
        const { endpoints } = attacker.target;
        const url = `http://127.0.0.1:${endpoints[at % endpoints.length]}/`;
        const id = `c${at % 20}`;
        const requestBodies = {
          taskId,
          id,
          url,
          token: 'x'.repeat(500),
          authentication: { scheme: 'Bearer', credentials: 'y' },
        };
        await attacker.call(network, path, {
          key,
          headers,
          body: mcpBody('CreateTaskPushNotificationConfig', requestBodies),
        });
        if (at % 4 === 1)
          return attacker.call(network, path, {
            key,
            headers,
            body: mcpBody('SendMessage', {
              message: { ...says(attacker), taskId },
              configuration: { returnImmediately: true, taskPushNotificationConfig: { url, token: 'z' } },
            }),
          });
        if (at % 4 === 2)
          return attacker.call(network, path, {
            key,
            headers,
            body: mcpBody('ListTaskPushNotificationConfigs', { taskId }),
          });
        return attacker.call(network, path, {
          key,
          headers,
          body: mcpBody('DeleteTaskPushNotificationConfig', { taskId, id }),
        });
      });
  },
};

const webhooks: Flood = {
  name: 'webhooks: new, tested, replayed, pushed',
  settings: { WEBHOOK_NETWORKS: '127.0.0.1' },
  async begin(attacker) {
    const { endpoints } = attacker.target;
    const url = (at: number): string => `http://127.0.0.1:${endpoints[at % endpoints.length]}/`;
    const home = await attacker.homes({ name: 'agent', settings: { webhook_url: url(0) } });
    const since = new Date(Date.now() - 60_000).toISOString();
    return () =>
      attacker.loop(16, async (network, at) => {
        const { key, address: to } = home(network);
        if (at % 3 === 0) return attacker.api(network, '/mail/send', { key, body: { to, body: QUESTION } });
        if (at % 3 === 1)
          return attacker.api(network, '/mail/send', { key, body: { to: HELLO, body: QUESTION, sync: true } });
        const made = await attacker.api(network, '/webhooks', { key, body: { url: url(at), types: ['*'] } });
        const listed = made.status === 201 ? made : await attacker.api(network, '/webhooks?limit=1', { key });
        if (listed.status !== 200 && listed.status !== 201) return listed;
        const { id } = listed.json().items?.[0] ?? listed.json();
        await attacker.api(network, `/webhooks/${id}/test`, { key, body: {} });
        await attacker.api(network, `/webhooks/${id}/replay`, { key, body: { since } });
        await attacker.api(network, `/webhooks/${id}/rotate`, { key, body: {} });
        return attacker.api(network, `/webhooks/${id}/deliveries?limit=200`, { key });
      });
  },
};

export const AGENTS: readonly Flood[] = [mcp, a2a, push, webhooks];
