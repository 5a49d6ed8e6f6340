import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { makeEndpoint } from '../../transports/mcp/endpoint.ts';
import type { Offer } from '../../transports/mcp/offer.ts';
import type { ToolCall, ToolResult } from '../../transports/mcp/tool.ts';

const TEXT = 'event: message\n\ndata: {"a":1}\u2028';

const tool = (name: string, run: (call: ToolCall) => Promise<ToolResult>) => ({
  name,
  title: name,
  description: name,
  input: Type.Object({}),
  annotations: {},
  run: (_args: unknown, call: ToolCall) => run(call),
});

const offer: Offer = {
  title: 'Tests',
  instructions: '',
  tools: [
    tool('text', async ({ progress }) => {
      await progress?.('half');
      return { content: [{ type: 'text', text: TEXT }] };
    }),
    tool('break', () => Promise.reject(new Error('SELECT secret FROM keys'))),
  ],
  prompts: [],
  resources: { templates: [], list: async () => ({ items: [] }), read: async () => undefined },
  toolCall: (of) => of as ToolCall,
};

const errors: Error[] = [];
const endpoint = makeEndpoint({
  stop: { begun: new AbortController().signal },
  baseUrl: () => 'http://localhost',
  version: '0',
  log: { warn: (fields) => void errors.push((fields as { err: Error }).err) },
});

/** Calls a tool as a client of 2025-11-25. */
const call = (name: string, meta?: Record<string, unknown>, accept = 'application/json, text/event-stream') =>
  endpoint(
    {
      headers: {
        'content-type': 'application/json',
        accept,
        'mcp-protocol-version': '2025-11-25',
      },
      bytes: Buffer.from(
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, _meta: meta } }),
      ),
      gone: () => new AbortController().signal,
    },
    offer,
  );

test('a call that asks for its result alone gets one JSON document, and one that asks for progress a stream', async () => {
  const { body, headers } = await call('text');
  assert.equal(headers?.['content-type'], 'application/json');
  assert.equal(JSON.parse(String(body)).result.content[0].text, TEXT);
  const streamed = await call('text', { progressToken: 1 });
  const events = Buffer.concat(await Array.fromAsync(streamed.body as AsyncIterable<Uint8Array>)).toString();
  assert.equal(events.match(/^data: /gm)?.length, 2, events);
});

test('a client that reads streams alone gets its result as one, and one that reads neither type is refused', async () => {
  const streamed = await call('text', undefined, 'text/event-stream');
  assert.equal(streamed.headers?.['content-type'], 'text/event-stream');
  const body = streamed.body as string | AsyncIterable<Uint8Array>;
  const events = typeof body === 'string' ? body : Buffer.concat(await Array.fromAsync(body)).toString();
  assert.equal(events.match(/^data: /gm)?.length, 1, events);
  assert.equal(JSON.parse(events.slice(events.lastIndexOf('\ndata: ') + 7)).result.content[0].text, TEXT);
  assert.equal((await call('text', undefined, 'text/html')).status, 406);
});

test('what goes wrong in a tool is logged, and its client learns only that something did', async () => {
  const { body } = await call('break');
  assert.deepEqual(JSON.parse(String(body)).error, { code: -32_603, message: 'Internal error' });
  assert.deepEqual(
    errors.map(({ message }) => message),
    ['SELECT secret FROM keys'],
  );
});
