import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suiteOffer } from '../../../../tests/conformance/mcp-offer.ts';
import { connect } from '../../../../tests/harness/client.ts';
import { callTool, mcpClient } from '../../../../tests/harness/mcp.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { READ } from '../../transports/mcp/ask.ts';
import { makeEndpoint } from '../../transports/mcp/endpoint.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox } = connect(service.url);
const home = await newNamespace();
const { key } = home;

test('files that a namespace sent or was answered with are listed as resources, for its keys alone', async () => {
  const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
  await using client = await mcpClient(service.url, { key });
  const content = Buffer.from('a;b\n').toString('base64');
  const sent = await callTool(client, 'send', {
    to: address,
    body: 'Read this.',
    subject: 'Prices',
    attachments: [{ filename: 'prices.csv', content_type: 'text/csv', content }],
    wait: 0,
  });
  await callTool(client, 'answer', {
    id: sent.structuredContent.id,
    body: 'Here.',
    attachments: [{ filename: 'sum.txt', content }],
  });
  const [inbox, ...resources] = (await client.listResources()).resources;
  assert.equal(inbox?.uri, 'mailroom://inbox');
  assert.deepEqual(
    resources.map(({ name, mimeType, size }) => [name, mimeType, size]),
    [
      ['prices.csv', 'text/csv', 4],
      ['sum.txt', 'application/octet-stream', 4],
    ],
  );
  assert.match(resources[0]?.description ?? '', /Prices/);
  const { contents } = await client.readResource({ uri: resources[1]?.uri ?? '' });
  assert.equal((contents[0] as { blob: string }).blob, content);
  await using guest = await mcpClient(service.url, { path: `/${address}` });
  assert.deepEqual((await guest.listResources()).resources, []);
  await assert.rejects(guest.readResource({ uri: resources[0]?.uri ?? '' }), /not found|key/i);
  const reader = await api<{ secret: string }>('POST', '/keys', { key, body: { scopes: ['mail:send'] } });
  await using sender = await mcpClient(service.url, { key: reader.body.secret });
  assert.deepEqual((await sender.listResources()).resources, []);
});

test('a long list has pages that hold each entry once, and a cursor that was not given is refused', async () => {
  const endpoint = makeEndpoint({
    stop: { begun: new AbortController().signal },
    baseUrl: () => 'http://localhost',
    version: '1',
    log: { warn: () => assert.fail() },
  });
  const tools = Array.from({ length: 120 }, (_, at) => ({ ...READ, name: `read_${at}` }));
  const list = async (cursor?: string) => {
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: { ...(cursor !== undefined && { cursor }) },
    };
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const call = { headers, bytes: Buffer.from(JSON.stringify(request)), gone: () => new AbortController().signal };
    const { body } = await endpoint(call, { ...suiteOffer, tools });
    let text = '';
    if (typeof body === 'string') text = body;
    else for await (const part of body as AsyncIterable<Uint8Array>) text += Buffer.from(part).toString();
    return JSON.parse(text.slice(text.indexOf('{'))) as {
      result?: { tools: { name: string }[]; nextCursor?: string };
      error?: { code: number };
    };
  };
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const { result } = await list(cursor);
    names.push(...(result?.tools ?? []).map(({ name }) => name));
    cursor = result?.nextCursor;
  } while (cursor !== undefined);
  assert.deepEqual(
    names,
    tools.map(({ name }) => name),
  );
  for (const wrong of ['999', '-1', 'x', '1e1']) assert.equal((await list(wrong)).error?.code, -32_602, wrong);
});

test('what a person types is completed with the examples of the address', async () => {
  const { address } = await newMailbox(home, { behavior: { name: 'proofread' } });
  await using client = await mcpClient(service.url, { path: `/${address}`, key });
  const { prompts } = await client.listPrompts();
  const { messages } = await client.getPrompt({ name: prompts[1]?.name ?? '' });
  const [{ content }] = messages as unknown as [{ content: { text: string } }];
  const example = content.text.split('\n\n').slice(1).join('\n\n');
  const ref = { type: 'ref/prompt', name: 'ask' } as const;
  const complete = async (value: string) =>
    (await client.complete({ ref, argument: { name: 'message', value } })).completion.values;
  assert.ok((await complete(example.slice(0, 5).toUpperCase())).includes(example));
  assert.deepEqual(await complete('Nothing begins like this'), []);
});
