import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { Compile } from 'typebox/schema';
import { connect } from '../../../../tests/harness/client.ts';
import { mcpClient, type ToolAnswer, textIn } from '../../../../tests/harness/mcp.ts';
import { sharedService } from '../../../../tests/harness/service.ts';

const service = await sharedService();
const { newNamespace, newMailbox } = connect(service.url);
const home = await newNamespace();
const { key } = home;

/** Calls tools of a server, and validates each answer against the schema that the server lists. */
async function checked(path: string, secret?: string) {
  const client = await mcpClient(service.url, { path, ...(secret !== undefined && { key: secret }) });
  const { tools } = await client.listTools();
  const remaining = new Set(tools.map(({ name }) => name));
  return {
    /** Tools that were not called. */
    left: remaining,
    async call(name: string, args: Record<string, unknown>, refused?: string): Promise<Record<string, unknown>> {
      const schema = tools.find((tool) => tool.name === name)?.outputSchema;
      assert.equal(schema?.type, 'object', name);
      const answer = (await client.callTool({ name, arguments: args })) as unknown as ToolAnswer;
      const [valid, errors] = Compile(schema as object).Errors(answer.structuredContent);
      assert.ok(valid, `${name}: ${JSON.stringify(errors)}`);
      assert.equal(answer.isError, refused === undefined ? undefined : true, textIn(answer));
      if (refused !== undefined) assert.equal(answer.structuredContent.code, refused);
      remaining.delete(name);
      return answer.structuredContent;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

test('what each tool of a namespace answers, also a refusal, is of the schema that it lists', async () => {
  await using at = await checked('', key);
  const { address } = await at.call('make_address', { local_part: 'schemas', behavior: { name: 'agent' } });
  await at.call('make_address', { local_part: 'schemas', behavior: { name: 'agent' } }, 'mailbox_taken');
  const { id } = await at.call('send', { to: address, body: 'Which?', wait: 0 });
  await at.call('send', { to: address }, 'validation_error');
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const later = await at.call('send', { to: address, body: 'Later.', send_at });
  assert.deepEqual([later.status, later.to, later.send_at], ['scheduled', address, send_at]);
  const { items } = await at.call('claim', { address });
  const [{ claim }] = items as [{ claim: string }];
  await at.call('answer', {
    id,
    claim,
    body: 'This.',
    data: { at: [1, null] },
    attachments: [{ filename: 'a', content: 'YQ==' }],
  });
  await at.call('read', { id });
  await at.call('read', { id: 'msg_none' }, 'message_not_found');
  for (const tool of ['list_messages', 'list_threads']) await at.call(tool, { address });
  await at.call('search', { query: 'which' });
  await at.call('wait_for_message', { address, wait: 0 });
  await at.call('forward', { id, to: address, body: 'For you', as: 'attachment' });
  await at.call('forward', { id: 'msg_none', to: address }, 'message_not_found');
  await at.call('list_reviews', {});
  await at.call('decide_review', { id: 'rev_none', decision: 'reject' }, 'review_not_found');
  await at.call('list_addresses', {});
  assert.deepEqual([...at.left], []);
});

test('what the tools of an address answer, tasks and guests too, is of the schema that they list', async () => {
  const { address } = await newMailbox(home, { behavior: { name: 'do' }, try_out: true });
  await using at = await checked(`/${address}`, key);
  await at.call('ask', { message: '2 + 2' });
  await at.call('calculate', { expression: '6 * 7' });
  await using guest = await checked(`/${address}`);
  const { id, thread_token } = await guest.call('ask', { message: '2 + 3' });
  await guest.call('read', { id, thread_token });
  await guest.call('read', { id }, 'missing_key');
});

test('no schema makes the v1 client refuse a refusal, or show the names of parts', async () => {
  const client = new Client({ name: 'tests', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport as Transport);
  const { tools } = await client.listTools();
  assert.ok(!JSON.stringify(tools).includes('"$id"'));
  const refused = (await client.callTool({ name: 'read', arguments: { id: 'msg_none' } })) as unknown as ToolAnswer;
  assert.equal(refused.structuredContent.code, 'message_not_found');
  await client.close();
});

test('a list of tools has what a client needs, and little more, since each conversation pays for it', async () => {
  const { address } = await newMailbox(home, { behavior: { name: 'do' } });
  for (const [path, max] of [
    ['', 56_000],
    [`/${address}`, 56_000],
  ] as const) {
    await using client = await closing(path);
    const { tools } = await client.at.listTools();
    const size = JSON.stringify(tools).length;
    assert.ok(size <= max, `${path} has ${size} characters`);
    for (const { outputSchema, name } of tools) {
      const text = JSON.stringify(outputSchema);
      assert.doesNotMatch(text, /"(?:examples|pattern|maxLength)":/, name);
      assert.match(text, /"required":\["code","detail","errors"\]/, name);
    }
  }
});

async function closing(path: string) {
  const at = await mcpClient(service.url, { path, key });
  return { at, [Symbol.asyncDispose]: () => at.close() };
}
