import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { callTool, MODES, type Mode, mcpClient } from '../../../../tests/harness/mcp.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import type { Envelope, Mailbox, Page } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newKey, newMailbox, send } = connect(service.url);

for (const mode of Object.keys(MODES) as Mode[]) {
  test(`MCP ${MODES[mode]}: a namespace is run with its tools alone, from an address to an answered message`, async () => {
    const home = await newNamespace();
    await using client = await mcpClient(service.url, { key: home.key, mode });
    const local_part = unique('helper-').toLowerCase();
    const made = await callTool(client, 'make_address', { local_part, behavior: { name: 'agent' } });
    const { address } = made.structuredContent as unknown as Mailbox;
    const listed = (await callTool(client, 'list_addresses')).structuredContent as unknown as Page<Mailbox>;
    assert.deepEqual(
      listed.items.map((one) => one.address),
      [address],
    );
    const sent = await callTool(client, 'send', { to: address, body: 'Are you there?', subject: 'Roll call', wait: 0 });
    const id = String(sent.structuredContent.id);
    interface Claimed {
      items: { message: Envelope; claim: string }[];
    }
    const claimed = (await callTool(client, 'claim', { address })).structuredContent as unknown as Claimed;
    assert.deepEqual(
      claimed.items.map(({ message }) => message.id),
      [id],
    );
    const { claim } = claimed.items[0] as Claimed['items'][number];
    const answered = await callTool(client, 'answer', { id, claim, body: 'Yes, I am.' });
    assert.equal(answered.structuredContent.status, 'completed');
    assert.equal((await callTool(client, 'read', { id })).structuredContent.reply, 'Yes, I am.');
    for (const [tool, args] of [
      ['list_messages', { address }],
      ['list_messages', {}],
      ['list_threads', { address }],
      ['search', { query: 'there?', address }],
      ['search', { query: 'roll call' }],
    ] as const) {
      const { items } = (await callTool(client, tool, args)).structuredContent as unknown as Page<Envelope>;
      assert.ok(
        items.some((one) => one.id === id),
        `${tool} ${JSON.stringify(args)}`,
      );
    }
    const none = (await callTool(client, 'search', { query: 'nowhere' }))
      .structuredContent as unknown as Page<Envelope>;
    assert.deepEqual(none.items, []);
  });
}

test('an address is made with its budget, its rules and its policy for what leaves, and read back', async () => {
  const home = await newNamespace();
  await using client = await mcpClient(service.url, { key: home.key });
  const rules = [{ id: 'bills', if: { subject: ['invoice'] }, then: { label: ['bills'], review: true } }];
  const outgoing = { review: 'outside', block: ['*@evil.example'], max_per_day: 20, on_expiry: 'send' };
  const budget = { tokens_per_day: 10_000, tokens_per_sender_per_day: null };
  const fields = { local_part: unique('checked-').toLowerCase(), behavior: { name: 'do' }, rules, outgoing, budget };
  const made = (await callTool(client, 'make_address', fields)).structuredContent as unknown as Mailbox;
  const read = await api<Mailbox>('GET', `/mailboxes/${made.address}`, { key: home.key });
  assert.partialDeepStrictEqual(made, { rules, outgoing, budget });
  assert.partialDeepStrictEqual(read.body, { rules, outgoing, budget });
  for (const [wrong, pointer] of [
    [{ outgoing: { review: 'always', on_expiry: 'send' } }, '/outgoing/on_expiry'],
    [{ rules: [{ id: 'a', if: {}, then: { label: ['spam'] } }] }, '/rules/0/then/label/0'],
    [{ budget: { tokens_per_day: 0 } }, '/budget/tokens_per_day'],
  ] as const) {
    const refused = await callTool(client, 'make_address', { ...fields, local_part: unique('x-'), ...wrong });
    assert.equal(refused.isError, true);
    assert.match(JSON.stringify(refused), new RegExp(pointer));
  }
});

test('without an address the mail that any address received is found too, and none of others', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
  const theirs = await newMailbox(other, { behavior: { name: 'agent' } });
  const send = (from: typeof home, to: string, body: string) =>
    api<Envelope>('POST', '/mail/send', { key: from.key, body: { to, body } });
  const received = (await send(other, address, 'A parcel arrived')).body.id;
  const sent = (await send(home, theirs.address, 'A parcel left')).body.id;
  await send(other, theirs.address, 'A parcel of theirs');
  const messageId = (await send(home, address, 'A parcel at home')).body.id;
  await using client = await mcpClient(service.url, { key: home.key });
  for (const [tool, args] of [
    ['list_messages', {}],
    ['search', { query: 'parcel' }],
  ] as const) {
    const { items } = (await callTool(client, tool, args)).structuredContent as unknown as Page<Envelope>;
    assert.deepEqual(
      items.map(({ id }) => id),
      [messageId, sent, received],
      tool,
    );
  }
  const { secret } = await newKey(home, { scopes: ['messages:read'], mailbox: address });
  const { body } = await api<Page<Envelope>>('GET', '/mail/messages?direction=all', { key: secret });
  assert.deepEqual(
    body.items.map(({ id }) => id),
    [messageId, received],
    'a key of one address sees no more than that address',
  );
});

test('a tool waits for a message that an address receives, and returns the code in it', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
  await using client = await mcpClient(service.url, { key: home.key });
  const none = await callTool(client, 'wait_for_message', { address, wait: 0 });
  assert.deepEqual([none.structuredContent, none.isError], [{ message: null }, undefined]);
  const after = new Date().toISOString();
  const waiting = callTool(client, 'wait_for_message', { address, after, extract: 'code', wait: 20 });
  const { body } = await send(other.key, { to: address, body: 'Your code is 482 913.' });
  const { message, code } = (await waiting).structuredContent as unknown as { message: Envelope; code: string };
  assert.deepEqual([message.id, code], [body.id, '482913']);
});

test('what waits to leave is listed, and leaves by its hash alone or is kept back', async () => {
  const [home, sender] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home, { outgoing: { review: 'always' } });
  const ids: string[] = [];
  for (const body of ['Who?', 'And who?'])
    ids.push((await send(sender.key, { to: address, body, sync: true })).body.id);
  const { secret } = await newKey(home, { scopes: ['mail:review'] });
  await using client = await mcpClient(service.url, { key: secret });
  type Review = { id: string; hash: string; message_id: string; message: { body: string } };
  const listed = (await callTool(client, 'list_reviews', { status: 'pending' }))
    .structuredContent as unknown as Page<Review>;
  assert.deepEqual(
    listed.items.map(({ message_id }) => message_id),
    ids.toReversed(),
  );
  const [second, first] = listed.items as [Review, Review];
  const wrong = await callTool(client, 'decide_review', { id: first.id, decision: 'approve', hash: second.hash });
  assert.deepEqual([wrong.isError, wrong.structuredContent.code], [true, 'review_changed']);
  const none = await callTool(client, 'decide_review', { id: first.id, decision: 'approve' });
  assert.deepEqual([none.isError, none.structuredContent.code], [true, 'validation_error']);
  const approved = await callTool(client, 'decide_review', { id: first.id, decision: 'approve', hash: first.hash });
  assert.equal(approved.structuredContent.status, 'approved');
  const rejected = await callTool(client, 'decide_review', { id: second.id, decision: 'reject', reason: 'Too much' });
  assert.deepEqual([rejected.structuredContent.status, rejected.structuredContent.reason], ['rejected', 'Too much']);
  const stand = await Promise.all(ids.map((id) => api<Envelope>('GET', `/mail/messages/${id}`, { key: sender.key })));
  assert.deepEqual(
    stand.map(({ body }) => [body.status, body.reply?.body]),
    [
      ['completed', first.message.body],
      ['rejected', undefined],
    ],
  );
});

test('a list comes page by page', async () => {
  const home = await newNamespace();
  await using client = await mcpClient(service.url, { key: home.key });
  for (const local_part of ['one', 'two', 'three'])
    await callTool(client, 'make_address', { local_part, behavior: { name: 'hello' } });
  const first = (await callTool(client, 'list_addresses', { limit: 2 })).structuredContent as unknown as Page<Mailbox>;
  const cursor = first.next_cursor;
  const last = (await callTool(client, 'list_addresses', { limit: 2, cursor }))
    .structuredContent as unknown as Page<Mailbox>;
  assert.deepEqual([first.items.length, last.items.length, last.next_cursor], [2, 1, null]);
});

test('a key without the scope of a tool is told so, whatever arguments it sent', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: { name: 'do' } });
  const { secret } = await newKey(home, { scopes: ['webhooks:write'] });
  await using client = await mcpClient(service.url, { key: secret });
  await using own = await mcpClient(service.url, { key: secret, path: `/${address}` });
  const tools = [
    'send',
    'list_messages',
    'list_threads',
    'search',
    'wait_for_message',
    'claim',
    'answer',
    'forward',
    'list_reviews',
    'decide_review',
    'make_address',
  ];
  for (const [who, name] of [...tools.map((one) => [client, one] as const), [own, 'ask'], [own, 'calculate']] as const)
    for (const args of [{}, { nope: 1 }]) {
      const { isError, structuredContent } = await callTool(who, name, args);
      assert.deepEqual([name, isError, structuredContent.code], [name, true, 'insufficient_scope']);
    }
});

test('a key does by MCP what it may do by the API, and nothing more', async () => {
  const home = await newNamespace();
  const { secret } = await newKey(home, { scopes: ['messages:read'] });
  await using client = await mcpClient(service.url, { key: secret });
  const refused = await callTool(client, 'make_address', { local_part: 'x', behavior: { name: 'hello' } });
  assert.deepEqual([refused.isError, refused.structuredContent.code], [true, 'insufficient_scope']);
  const stranger = await newNamespace();
  await using other = await mcpClient(service.url, { key: stranger.key });
  const created = await callTool(await mcpClient(service.url, { key: home.key }), 'make_address', {
    local_part: 'mine',
    behavior: { name: 'agent' },
  });
  const { address } = created.structuredContent;
  const claim = await callTool(other, 'claim', { address });
  assert.deepEqual([claim.isError, claim.structuredContent.code], [true, 'access_denied']);
  assert.equal((await callTool(other, 'list_messages', { address })).isError, true);
});

test('wrong arguments are a result that says each place, so that a model can correct them', async () => {
  const { key } = await newNamespace();
  await using client = await mcpClient(service.url, { key });
  const { isError, structuredContent, content } = await callTool(client, 'send', { to: 'x', bodi: 1 });
  assert.deepEqual([isError, structuredContent.code], [true, 'validation_error']);
  assert.match(content[0]?.text ?? '', /\/body: .*\n\/bodi: /);
  await assert.rejects(client.callTool({ name: 'nope', arguments: {} }), /There is no tool nope/);
});
