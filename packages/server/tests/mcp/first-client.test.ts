import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { connect } from '../../../../tests/harness/client.ts';
import { firstClient, type ToolAnswer, textIn } from '../../../../tests/harness/mcp.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

/** The first library of MCP, which most clients still use. */
const service = await sharedService();
const { api, newNamespace, newMailbox } = connect(service.url);
const home = await newNamespace();
const { key } = home;

const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<ToolAnswer> =>
  (await client.callTool({ name, arguments: args })) as unknown as ToolAnswer;

test('the v1 client runs a namespace: makes an address, sends, claims, answers, reads and searches', async () => {
  await using client = await firstClient(service.url, { key });
  const { tools } = await client.listTools();
  assert.equal(tools.length, 13);
  const made = await call(client, 'make_address', { local_part: 'first-client', behavior: { name: 'agent' } });
  const address = String(made.structuredContent.address);
  const sent = await call(client, 'send', { to: address, body: 'A question of the first library.', wait: 0 });
  const id = String(sent.structuredContent.id);
  const claimed = (await call(client, 'claim', { address })).structuredContent as { items: { claim: string }[] };
  const attachments = [{ filename: 'a.txt', content: 'YQ==' }];
  await call(client, 'answer', { id, claim: claimed.items[0]?.claim, body: 'Its answer.', attachments });
  const read = await call(client, 'read', { id });
  assert.equal(read.structuredContent.reply, 'Its answer.');
  const uri = read.content.find(({ type }) => type === 'resource_link')?.uri ?? '';
  const { contents } = await client.readResource({ uri });
  assert.equal((contents[0] as { blob?: string }).blob, 'YQ==');
  assert.deepEqual(
    (await client.listResources()).resources.map((one) => one.uri),
    ['mailroom://inbox', uri],
  );
  const found = (await call(client, 'search', { query: 'first library' })).structuredContent as { items: Envelope[] };
  assert.deepEqual(
    found.items.map((one) => one.id),
    [id],
  );
});

test('the v1 client asks an address as a guest, chooses a prompt, and is told what is wrong', async () => {
  const { address } = await newMailbox(home, { behavior: { name: 'hello' } });
  await using client = await firstClient(service.url, { path: `/${address}` });
  const answer = await call(client, 'ask', { message: 'Hello' });
  assert.ok(textIn(answer).length > 0);
  assert.equal(answer.structuredContent.status, 'completed');
  const { prompts } = await client.listPrompts();
  assert.equal(prompts[0]?.name, 'ask');
  const wrong = await call(client, 'ask', { message: '' });
  assert.equal(wrong.isError, true);
  await assert.rejects(client.callTool({ name: 'nope', arguments: {} }), /no tool nope/);
});

test('the v1 client is shown progress, and a call that it cancels ends', async () => {
  const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
  await using client = await firstClient(service.url, { path: `/${address}`, key });
  const cancel = new AbortController();
  const page = Promise.withResolvers<void>();
  const asking = client.callTool({ name: 'ask', arguments: { message: 'Slowly, please.' } }, undefined, {
    onprogress: () => page.resolve(),
    signal: cancel.signal,
  });
  const claimed = await api<{ items: { message: { id: string }; claim: string }[] }>(
    'POST',
    `/mailboxes/${address}/claim`,
    { key, body: {} },
  );
  await page.promise;
  cancel.abort();
  await assert.rejects(asking);
  const [{ message, claim } = { message: { id: '' }, claim: '' }] = claimed.body.items;
  const done = await api('POST', `/mail/messages/${message.id}/answer`, { key, body: { claim, body: 'Done.' } });
  assert.equal(done.status, 200);
});
