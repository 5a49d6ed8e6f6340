import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../harness/client.ts';
import { callTool, mcpClient } from '../harness/mcp.ts';
import { sharedService } from '../harness/service.ts';

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
  const { resources } = await client.listResources();
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

test('a list with many entries has pages, and a cursor that was not given is refused', async () => {
  const { address } = await newMailbox(home, { behavior: { name: 'do' } });
  await using client = await mcpClient(service.url, { path: `/${address}`, key });
  const first = await client.listTools();
  const names = new Set(first.tools.map(({ name }) => name));
  assert.equal(names.size, first.tools.length);
  for (const cursor of ['999', '-1', 'x']) await assert.rejects(client.listTools({ cursor }), /cursor/i, cursor);
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
