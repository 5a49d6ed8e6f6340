import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { callTool, MODES, type Mode, mcpClient, textIn } from '../../../../tests/harness/mcp.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, send, read } = connect(service.url);
const home = await newNamespace();
const { key } = home;
const proofread = (await newMailbox(home, { behavior: { name: 'proofread' } })).address;
const doer = (await newMailbox(home, { behavior: { name: 'do' } })).address;

for (const mode of Object.keys(MODES) as Mode[]) {
  test(`MCP ${MODES[mode]}: an address is asked, and the message is one of the API`, async () => {
    await using client = await mcpClient(service.url, { path: `/${proofread}`, key, mode });
    assert.equal(client.getNegotiatedProtocolVersion(), MODES[mode]);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['ask', 'read'],
    );
    const answer = await callTool(client, 'ask', { message: 'She have two cat. 🙂' });
    assert.match(textIn(answer), /^She has two cats\. 🙂\n/);
    assert.equal(answer.isError, undefined);
    const { id, thread_id, status } = answer.structuredContent;
    const { body } = await read(key, String(id));
    assert.deepEqual(
      [body.body, body.status, body.thread_id, body.channel],
      ['She have two cat. 🙂', status, thread_id, 'mcp'],
    );
    assert.equal(body.reply?.body, answer.structuredContent.reply);
    const again = await callTool(client, 'read', { id });
    assert.deepEqual(again.structuredContent, answer.structuredContent);
  });

  test(`MCP ${MODES[mode]}: each task of do is a tool with its schema, and runs without reading a sentence`, async () => {
    await using client = await mcpClient(service.url, { path: `/${doer}`, key, mode });
    const { tools } = await client.listTools();
    const calculate = tools.find(({ name }) => name === 'calculate');
    assert.equal(calculate?.annotations?.readOnlyHint, true);
    assert.equal(tools.find(({ name }) => name === 'remember')?.annotations?.destructiveHint, true);
    const answer = await callTool(client, 'calculate', { expression: '6 * 7' });
    assert.match(textIn(answer), /42/);
    const wrong = await callTool(client, 'calculate', { nonsense: true });
    assert.equal(wrong.isError, true);
    assert.match(textIn(wrong), /nonsense/);
  });

  test(`MCP ${MODES[mode]}: a caller who wants progress is shown it until the answer comes`, async () => {
    const agent = (await newMailbox(home, { behavior: { name: 'agent' } })).address;
    await using client = await mcpClient(service.url, { path: `/${agent}`, key, mode });
    const results: string[] = [];
    const asking = client.callTool(
      { name: 'ask', arguments: { message: 'Anyone there?' } },
      { onprogress: ({ message = '' }) => void results.push(message) },
    );
    const claimed = await api<{ items: { message: { id: string }; claim: string }[] }>(
      'POST',
      `/mailboxes/${agent}/claim`,
      { key, body: {} },
    );
    const [{ message, claim } = { message: { id: '' }, claim: '' }] = claimed.body.items;
    // The caller follows the message once it waited in vain.
    await until(
      30_000,
      async () => results.length,
      (count) => count > 0,
    );
    await api('POST', `/mail/messages/${message.id}/progress`, { key, body: { claim, text: 'Looking it up' } });
    await until(30_000, async () => results.includes('Looking it up'), Boolean);
    await api('POST', `/mail/messages/${message.id}/answer`, { key, body: { claim, body: 'Here I am.' } });
    assert.equal(((await asking) as { content: { text: string }[] }).content[0]?.text, 'Here I am.');
  });
}

test('an answer that takes longer is read later, and a question goes on in its thread', async () => {
  const agent = (await newMailbox(home, { behavior: { name: 'agent' } })).address;
  await using client = await mcpClient(service.url, { path: `/${agent}`, key });
  const first = await callTool(client, 'ask', { message: 'Which?', wait: 0 });
  assert.equal(first.structuredContent.reply, null);
  assert.match(textIn(first), /There is no answer yet.*read msg_/s);
  const id = String(first.structuredContent.id);
  await api('POST', `/mail/messages/${id}/answer`, { key, body: { body: 'Red or blue?', status: 'input_required' } });
  const asked = await callTool(client, 'read', { id });
  assert.equal(asked.structuredContent.status, 'input_required');
  const { thread_id } = asked.structuredContent;
  const next = await callTool(client, 'ask', { message: 'Blue', thread_id, wait: 0 });
  assert.equal(next.structuredContent.thread_id, thread_id);
  await api('POST', `/mail/messages/${String(next.structuredContent.id)}/answer`, {
    key,
    body: { status: 'rejected', error: 'No blue left.' },
  });
  const refused = await callTool(client, 'read', { id: next.structuredContent.id });
  assert.deepEqual([refused.isError, textIn(refused)], [true, 'No blue left.']);
});

test('a guest asks where the try-out is open, and goes on with the token of the thread', async () => {
  await using client = await mcpClient(service.url, { path: `/${proofread}` });
  const answer = await callTool(client, 'ask', { message: 'She have a dog.' });
  const { id, thread_id, thread_token } = answer.structuredContent;
  const seen = await callTool(client, 'read', { id, thread_token });
  assert.equal(seen.structuredContent.reply, answer.structuredContent.reply);
  const next = await callTool(client, 'ask', { message: 'He have one.', thread_token });
  assert.equal(next.structuredContent.thread_id, thread_id);
  const stranger = await callTool(client, 'read', { id, thread_token: 'mt_nonsense' });
  assert.equal(stranger.isError, true);
  const { tools } = await (await mcpClient(service.url, { path: `/${doer}` })).listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['ask', 'read'],
  );
});

test('a repeated call with the same idempotency key sends nothing again', async () => {
  await using client = await mcpClient(service.url, { path: `/${proofread}`, key });
  const args = { message: 'She have one.', idempotency_key: unique('once-') };
  const [first, again] = [await callTool(client, 'ask', args), await callTool(client, 'ask', args)];
  assert.equal(again.structuredContent.id, first.structuredContent.id);
  const other = await callTool(client, 'ask', { ...args, message: 'Another.' });
  assert.deepEqual([other.isError, other.structuredContent.code], [true, 'idempotency_mismatch']);
});

test('files of an answer are resources that only who may read it can read', async () => {
  const agent = (await newMailbox(home, { behavior: { name: 'agent' } })).address;
  await using client = await mcpClient(service.url, { path: `/${agent}`, key });
  const { structuredContent } = await callTool(client, 'ask', { message: 'The table, please.', wait: 0 });
  const base64 = (text: string, charset?: 'latin1') => Buffer.from(text, charset).toString('base64');
  const attachments = [
    { filename: 'table.csv', content_type: 'text/csv', content: base64('a;ü 👋\r\n') },
    { filename: 'a.json', content_type: 'application/ld+json', content: base64('{}') },
    // Neither is text in UTF-8.
    { filename: 'old.txt', content_type: 'text/plain', content: base64('ü', 'latin1') },
    { filename: 'named.txt', content_type: 'text/plain; charset=iso-8859-1', content: base64('ü') },
    { filename: 'a.png', content_type: 'image/png', content: base64('png') },
  ];
  const id = String(structuredContent.id);
  await api('POST', `/mail/messages/${id}/answer`, { key, body: { body: 'Here it is.', attachments } });
  const { content: parts } = await callTool(client, 'read', { id });
  const links = parts.filter(({ type }) => type === 'resource_link').map(({ uri: at }) => at ?? '');
  const uri = links[0] ?? '';
  const contents = [];
  for (const one of links) contents.push(...(await client.readResource({ uri: one })).contents);
  const read = [
    { mimeType: 'text/csv', text: 'a;ü 👋\r\n' },
    { mimeType: 'application/ld+json', text: '{}' },
    ...attachments.slice(2).map(({ content_type, content }) => ({ mimeType: content_type, blob: content })),
  ];
  assert.deepEqual(
    contents,
    read.map((one, at) => ({ uri: links[at], ...one })),
  );
  await using stranger = await mcpClient(service.url, { path: `/${proofread}`, key: (await newNamespace()).key });
  await assert.rejects(stranger.readResource({ uri }), /not found/i);
  await assert.rejects(client.readResource({ uri: 'file:///etc/passwd' }), /not found/i);
});

test('examples of an address are prompts', async () => {
  await using client = await mcpClient(service.url, { path: `/${proofread}` });
  const { prompts } = await client.listPrompts();
  assert.ok(prompts.length > 1);
  const { messages } = await client.getPrompt({ name: 'ask', arguments: { message: 'Hello there' } });
  const [{ content }] = messages as unknown as [{ content: { text: string } }];
  assert.match(content.text, /Hello there$/);
  await assert.rejects(client.getPrompt({ name: 'ask' }), /message/);
});

test('a call that its client cancels leaves nothing open, and the message is still answered', async () => {
  const agent = (await newMailbox(home, { behavior: { name: 'agent' } })).address;
  await using client = await mcpClient(service.url, { path: `/${agent}`, key });
  const given = new AbortController();
  const claiming = api<{ items: { message: { id: string }; claim: string }[] }>('POST', `/mailboxes/${agent}/claim`, {
    key,
    body: {},
  });
  await until(
    30_000,
    () => api<{ status: string }>('GET', `/mailboxes/${agent}`),
    ({ body }) => body.status === 'online',
  );
  const asking = client.callTool({ name: 'ask', arguments: { message: 'Hello?' } }, { signal: given.signal });
  const claimed = await claiming;
  given.abort();
  await assert.rejects(asking);
  const [{ message, claim } = { message: { id: '' }, claim: '' }] = claimed.body.items;
  await api('POST', `/mail/messages/${message.id}/answer`, { key, body: { claim, body: 'Yes.' } });
  assert.equal((await callTool(client, 'read', { id: message.id })).structuredContent.reply, 'Yes.');
});

test('what came by the API is read by MCP', async () => {
  const sent = await send(key, { to: proofread, body: 'She have one.', sync: true });
  await using client = await mcpClient(service.url, { path: `/${proofread}`, key });
  const { structuredContent } = await callTool(client, 'read', { id: sent.body.id });
  assert.equal(structuredContent.reply, sent.body.reply?.body);
});
