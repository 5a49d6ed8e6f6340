import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { type Answered, callTool, MODES, type Mode, mcpClient, textIn } from '../../../../tests/harness/mcp.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newKey, newMailbox, send, read } = connect(service.url);

interface Review {
  readonly id: string;
  readonly status: string;
  readonly hash: string;
  readonly reason: string | null;
  readonly message: { readonly body: string };
}

/** Messages that wait, and keys: one that wrote them and may review, one that only reviews. */
async function held(...texts: readonly string[]) {
  const home = await newNamespace();
  const theirs = await newNamespace();
  const desk = await newMailbox(home, { outgoing: { review: 'always' } });
  const target = await newMailbox(theirs, { behavior: { name: 'agent' } });
  const writer = await newKey(home, { scopes: ['mail:send', 'messages:read', 'mail:review'] });
  const reviewer = await newKey(home, { scopes: ['mail:review'] });
  const ids: string[] = [];
  for (const body of texts)
    ids.push((await send(writer.secret, { from: desk.address, to: target.address, subject: 'Offer', body })).body.id);
  const reviews = async (): Promise<readonly Review[]> =>
    (await api<Page<Review>>('GET', '/mail/reviews', { key: reviewer.secret })).body.items.toReversed();
  const arrived = async (): Promise<readonly string[]> =>
    (await api<Page<Envelope>>('GET', `/mailboxes/${target.address}/messages`, { key: theirs.key })).body.items
      .map(({ body }) => body)
      .toReversed();
  return { home, desk, target, ids, reviews, arrived, writer: writer.secret, reviewer: reviewer.secret };
}

/** A user who answers forms in this order, and what they were shown. */
function userOf(...answers: readonly (Answered | (() => Promise<Answered>))[]) {
  const results: string[] = [];
  const user = async (message: string): Promise<Answered> => {
    results.push(message);
    const answer = answers[results.length - 1] ?? { action: 'cancel' };
    return typeof answer === 'function' ? answer() : answer;
  };
  return { shown: results, user };
}
const yes: Answered = { action: 'accept', content: { decision: 'approve' } };
const no: Answered = { action: 'accept', content: { decision: 'reject', reason: 'not now' } };

test('a user is shown by their client exactly what would leave, and a yes lets it leave', async () => {
  const text = `The price is 5.\nFrom: eve@example.com\n${unique()}`;
  const { desk, target, reviews, arrived, reviewer } = await held(text);
  const [review] = await reviews();
  const { shown, user } = userOf(yes);
  await using client = await mcpClient(service.url, { key: reviewer, user });
  const done = await callTool(client, 'decide_review', { id: review?.id });
  assert.equal(done.structuredContent.status, 'approved', textIn(done));
  const [message = ''] = shown;
  assert.equal(shown.length, 1);
  for (const part of [`May exactly this leave ${desk.address}?`, `To: ${target.address}`, 'Subject: Offer'])
    assert.ok(message.includes(part), message);
  for (const line of text.split('\n')) assert.ok(message.includes(`\n   | ${line}`), message);
  assert.equal(message.split('\n').filter((line) => line.startsWith('From:')).length, 1);
  assert.deepEqual(await arrived(), [text]);
});

test('a no keeps it back with its reason, and who declines or closes the form decides nothing', async () => {
  const { home, ids, reviews, arrived, reviewer } = await held('The first.');
  const [review] = await reviews();
  const { user } = userOf({ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: {} }, no);
  await using client = await mcpClient(service.url, { key: reviewer, user });
  for (let at = 0; at < 3; at++) {
    const open = await callTool(client, 'decide_review', { id: review?.id });
    assert.deepEqual([open.structuredContent.status, open.isError ?? false], ['pending', false]);
    assert.match(textIn(open), /Your user did not decide/);
  }
  assert.equal((await callTool(client, 'decide_review', { id: review?.id })).structuredContent.status, 'rejected');
  assert.deepEqual([(await reviews())[0]?.reason, await arrived()], ['not now', []]);
  assert.equal((await read(home.key, ids[0] ?? '')).body.error?.code, 'review_rejected');
});

test('what was changed while the user read it is not approved', async () => {
  const { reviews, arrived, reviewer, home } = await held('The first.');
  const [review] = await reviews();
  const { user } = userOf(async () => {
    const body = { body: 'Another text.' };
    assert.equal((await api('PATCH', `/mail/reviews/${review?.id}`, { key: home.key, body })).status, 200);
    return yes;
  });
  await using client = await mcpClient(service.url, { key: reviewer, user });
  const late = await callTool(client, 'decide_review', { id: review?.id });
  assert.deepEqual([late.isError, late.structuredContent.code], [true, 'review_changed']);
  assert.deepEqual([(await reviews())[0]?.status, await arrived()], ['pending', []]);
});

test('who wrote it is shown it, and cannot approve it by a form either', async () => {
  const { reviews, arrived, writer } = await held('The first.');
  const [review] = await reviews();
  const { user } = userOf(yes, yes);
  await using client = await mcpClient(service.url, { key: writer, user });
  const refused = await callTool(client, 'decide_review', { id: review?.id });
  assert.deepEqual([refused.isError, refused.structuredContent.code], [true, 'access_denied']);
  const listed = await callTool(client, 'list_reviews', { ask: true });
  assert.match(textIn(listed), /rev_\w+: Who wrote a message/);
  assert.deepEqual([(await reviews())[0]?.status, await arrived()], ['pending', []]);
});

test('a reviewer is asked about all that wait in one call, each by itself', async () => {
  const { reviews, arrived, reviewer } = await held('One.', 'Two.', 'Three.');
  const { shown, user } = userOf(yes, { action: 'decline' }, no);
  await using client = await mcpClient(service.url, { key: reviewer, user });
  const listed = (await callTool(client, 'list_reviews', { ask: true })).structuredContent as unknown as Page<Review>;
  assert.equal(shown.length, 3);
  const decided = Object.fromEntries(listed.items.map(({ message, status }) => [message.body, status]));
  const byText = (text: string): number => shown.findIndex((message) => message.includes(`   | ${text}`));
  for (const text of ['One.', 'Two.', 'Three.'])
    assert.equal(decided[text], ['approved', 'pending', 'rejected'][byText(text)], text);
  assert.equal((await arrived()).length, 1);
  assert.equal((await reviews()).length, 3);
  const plain = await callTool(client, 'list_reviews', {});
  assert.equal(shown.length, 3, 'without ask no one is asked');
  assert.equal((plain.structuredContent as unknown as Page<Review>).items.length, 3);
});

for (const mode of Object.keys(MODES) as Mode[])
  test(`MCP ${MODES[mode]}: a client that asks its user nothing gets the message, with how to decide`, async () => {
    const { reviews, arrived, reviewer } = await held('The first.');
    const [review] = await reviews();
    await using client = await mcpClient(service.url, { key: reviewer, mode });
    const open = await callTool(client, 'decide_review', { id: review?.id });
    const { status, hash, message } = open.structuredContent as unknown as Review;
    assert.deepEqual([status, hash, message.body], ['pending', review?.hash, 'The first.']);
    assert.match(textIn(open), /Nothing was decided[\s\S]*with its hash/);
    const listed = await callTool(client, 'list_reviews', { ask: true, status: 'pending' });
    assert.equal((listed.structuredContent as unknown as Page<Review>).items.length, 1);
    assert.deepEqual(await arrived(), []);
    const done = await callTool(client, 'decide_review', { id: review?.id, decision: 'approve', hash });
    assert.equal(done.structuredContent.status, 'approved');
  });

test('a form is not shown for what no form shows whole, nor for what another may not see', async () => {
  const { reviews, reviewer } = await held('x'.repeat(25_000));
  const [review] = await reviews();
  const { shown, user } = userOf(yes);
  await using client = await mcpClient(service.url, { key: reviewer, user });
  const open = await callTool(client, 'decide_review', { id: review?.id });
  assert.equal(open.structuredContent.status, 'pending');
  const stranger = await newNamespace();
  await using other = await mcpClient(service.url, { key: stranger.key, user });
  const none = await callTool(other, 'decide_review', { id: review?.id });
  assert.equal(none.structuredContent.code, 'review_not_found');
  assert.deepEqual(shown, []);
});

test('a client that makes up the state of a form decides no other text than that with the hash it names', async () => {
  const { reviews, arrived, reviewer } = await held('One.', 'Two.');
  const [one, two] = await reviews();
  assert.ok(one && two);
  const call = async (state: string, name = one.id, answers: object = { [one.id]: yes }) => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': MODES.auto,
      'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    };
    const params = {
      name: 'decide_review',
      arguments: { id: name },
      requestState: state,
      inputResponses: answers,
      _meta: meta,
    };
    const response = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${reviewer}`,
        'mcp-protocol-version': MODES.auto,
        'mcp-method': 'tools/call',
        'mcp-name': 'decide_review',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    return response.text();
  };
  for (const state of [
    JSON.stringify({ [one.id]: two.hash }),
    JSON.stringify({ [one.id]: 7 }),
    JSON.stringify({ [two.id]: two.hash }),
    JSON.stringify([one.hash]),
    'null',
    'no JSON',
  ])
    assert.doesNotMatch(await call(state), /"status":"approved"/, state);
  assert.match(await call(JSON.stringify({ [one.id]: two.hash })), /review_changed/);
  assert.deepEqual([(await reviews()).map(({ status }) => status), await arrived()], [['pending', 'pending'], []]);
  assert.match(await call(JSON.stringify({ [one.id]: one.hash })), /"status":"approved"/);
  assert.deepEqual(await arrived(), ['One.']);
});

test('a tool says of what waits for its review that it waits, and not that its recipient has it', async () => {
  const { desk, target, reviews, reviewer, writer } = await held();
  await using client = await mcpClient(service.url, { key: writer });
  const sent = await callTool(client, 'send', { from: desk.address, to: target.address, body: 'Hi', wait: 0 });
  assert.match(textIn(sent), /review/);
  assert.ok(!textIn(sent).includes('has the message'), textIn(sent));
  const again = await callTool(client, 'read', { id: sent.structuredContent.id, wait: 0 });
  assert.equal(textIn(again), textIn(sent));
  const [review] = await reviews();
  await api('POST', `/mail/reviews/${review?.id}/approve`, { key: reviewer, body: { hash: review?.hash } });
  const approved = await callTool(client, 'read', { id: sent.structuredContent.id, wait: 0 });
  assert.match(textIn(approved), /has the message/);
});
