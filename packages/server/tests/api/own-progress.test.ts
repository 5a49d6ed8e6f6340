import assert from 'node:assert/strict';
import { test } from 'node:test';
import { a2aClient } from '../../../../tests/harness/a2a.ts';
import { unique } from '../../../../tests/harness/client.ts';
import { visitorOf } from '../../../../tests/harness/console.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { callTool, mcpClient } from '../../../../tests/harness/mcp.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

const inside = await startInside();
const { client, url } = inside;
const { api, newMailbox, newNamespace, newKey, send, read } = client;
const home = await newNamespace();
const other = await newNamespace();
const reader = (await newKey(home, { scopes: ['messages:read'] })).secret;
const sees = (await newKey(home, { scopes: ['mail:send', 'mail:review'] })).secret;

/** What a stream of events has shown so far. */
async function following(key: string, id: string, headers: Record<string, string> = {}) {
  const over = new AbortController();
  const response = await fetch(`${url}/api/v1/mail/messages/${id}`, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
    signal: over.signal,
  });
  let text = '';
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes as Uint8Array, { stream: true });
  })().catch(() => {});
  return {
    status: response.status,
    text: () => text,
    async [Symbol.asyncDispose]() {
      over.abort();
      await ended;
    },
  };
}

/** A message that a program has claimed, of an address with this policy. */
async function claimed(outgoing: object | undefined, sender = other, options: object = {}) {
  const agent = await newMailbox(home, { behavior: { name: 'agent' }, ...(outgoing && { outgoing }), ...options });
  const { id } = (await send(sender.key, { to: agent.address, body: unique() })).body;
  const { body } = await api<{ items: { claim: string }[] }>('POST', `/mailboxes/${agent.address}/claim`, {
    key: home.key,
    body: {},
  });
  const claim = body.items[0]?.claim;
  const report = (fields: object) =>
    api('POST', `/mail/messages/${id}/progress`, { key: home.key, body: { claim, ...fields } });
  const answer = (fields: object) =>
    api<Envelope>('POST', `/mail/messages/${id}/answer`, { key: home.key, body: { claim, ...fields } });
  return { id, agent, report, answer };
}

const textsOf = ({ progress }: Envelope): readonly string[] =>
  ((progress ?? []) as readonly { text: string }[]).map(({ text }) => text);

test('progress and drafts of a reviewed address are for its readers alone, as they come and as they are read', async () => {
  const { id, agent, report, answer } = await claimed({ review: 'always' });
  await using owner = await following(reader, id);
  await using sender = await following(other.key, id);
  await until(
    5_000,
    async () => owner.text() !== '' && sender.text() !== '',
    (both) => both,
  );
  const begun = sender.text();
  assert.equal((await report({ text: 'secret step one' })).status, 200);
  assert.equal((await report({ text: 'secret step two' })).status, 200);
  await until(
    5_000,
    async () => owner.text(),
    (text) => text.includes('step two'),
  );
  assert.equal((await report({ draft: 'secret draft' })).status, 200);
  assert.equal((await report({ draft: 'secret draft goes on' })).status, 200);
  await until(
    5_000,
    async () => owner.text(),
    (text) => text.includes(' goes on'),
  );
  assert.match(owner.text(), /event: delta\ndata: [^\n]*secret draft/);
  assert.match(owner.text(), /secret step one[\s\S]*secret step two/);
  assert.equal(sender.text(), begun, 'not even that there was something is shown');
  assert.deepEqual(textsOf((await read(reader, id)).body), ['secret step one', 'secret step two']);
  const listed = await api<Page<Envelope>>('GET', `/mailboxes/${agent.address}/messages`, { key: reader });
  assert.deepEqual(textsOf(listed.body.items[0] as Envelope), ['secret step one', 'secret step two']);
  for (const path of [`/mail/messages/${id}`, '/mail/messages?direction=all', '/events'])
    assert.ok(!(await api('GET', path, { key: other.key })).text.includes('secret'), path);
  const unseen = await api('GET', `/mail/messages/${id}`, { key: sees });
  assert.ok(!unseen.text.includes('secret'), unseen.text);
  const answered = await answer({ body: 'Forty-two.' });
  assert.equal(answered.body.waiting_for, 'review', answered.text);
  assert.deepEqual(textsOf((await read(reader, id)).body), []);
  assert.ok(!sender.text().includes('secret') && !sender.text().includes('Forty-two'));
});

test('a rule that wants an answer reviewed keeps its progress for the owner too', async () => {
  const rules = [{ id: 'one', if: {}, then: { review: true } }];
  const { id, report } = await claimed(undefined, other, { rules });
  await using sender = await following(other.key, id);
  await until(
    5_000,
    async () => sender.text() !== '',
    (begun) => begun,
  );
  await report({ text: 'secret step', draft: 'secret draft' });
  assert.deepEqual(textsOf((await read(reader, id)).body), ['secret step']);
  assert.ok(!(await read(other.key, id)).text.includes('secret'));
  assert.ok(!sender.text().includes('secret'));
});

test('progress of an address of which nothing waits is shown to its sender', async () => {
  const { id, report } = await claimed(undefined);
  await report({ text: 'step one' });
  assert.deepEqual(textsOf((await read(other.key, id)).body), ['step one']);
  assert.deepEqual(textsOf((await read(reader, id)).body), ['step one']);
});

test('what was reported under a policy stays for its readers when the policy is lifted meanwhile', async () => {
  const { id, agent, report } = await claimed({ review: 'always' });
  await report({ text: 'secret step' });
  await client.change(home.key, agent.address, { outgoing: { review: 'never' } });
  assert.ok(!(await read(other.key, id)).text.includes('secret'));
  await report({ text: 'open step' });
  assert.deepEqual(textsOf((await read(other.key, id)).body), ['open step']);
});

/** What a caller sees of a task by A2A: as it is read, and as it streams while `meanwhile` happens. */
async function taskSeen(address: string, key: string, id: string, meanwhile: () => Promise<unknown>): Promise<string> {
  const a2a = await a2aClient(inside as never, address, { key });
  const seen = [JSON.stringify(await a2a.getTask({ tenant: '', id, historyLength: undefined }))];
  const stream = a2a.resubscribeTask({ tenant: '', id });
  const ended = (async () => {
    for await (const event of stream) seen.push(JSON.stringify(event));
  })();
  await until(
    5_000,
    async () => seen.length,
    (count) => count > 1,
  );
  await meanwhile();
  await ended;
  return seen.join('\n');
}

test('A2A shows it to who reads the mailbox, and to no other, as it is read and as it streams', async () => {
  for (const sender of [home, other]) {
    const { id, agent, report } = await claimed({ review: 'always' }, sender);
    await report({ text: 'secret step' });
    const seen = await taskSeen(agent.address, sender.key, id, async () => {
      await report({ text: 'secret step two' });
      await report({ draft: 'secret draft' });
      await new Promise((resolve) => setTimeout(resolve, 300));
      await api('POST', `/mail/messages/${id}/cancel`, { key: sender.key });
    });
    for (const text of ['secret step', 'secret step two', 'secret draft'])
      assert.equal(seen.includes(text), sender === home, `${text} ${seen}`);
  }
});

test('the console shows it to the owner of the mailbox, and not to its sender', async () => {
  for (const [sender, owner] of [
    [other, home],
    [other, other],
  ] as const) {
    const { id, report } = await claimed({ review: 'always' }, sender);
    await report({ text: 'secret step' });
    const visitor = visitorOf(url.replace('localhost', '127.0.0.1'));
    assert.equal((await visitor.signIn(owner.key)).status, 303);
    const page = await visitor.get(`/console?message=${id}`);
    assert.equal(page.status, 200);
    assert.equal(page.html.includes('secret step'), owner === home);
  }
});

test('MCP shows progress of a reviewed address to its reader, and to no sender', async () => {
  const shownProgress = async (key: string, id: string) => {
    await using connected = await mcpClient(url, { key });
    const seen: string[] = [];
    await connected.callTool(
      { name: 'read', arguments: { id, wait: 2 } },
      { onprogress: ({ message }) => void seen.push(message ?? '') },
    );
    return seen.join('\n');
  };
  const { id, report } = await claimed({ review: 'always' });
  await report({ text: 'secret step' });
  assert.match(await shownProgress(home.key, id), /secret step/);
  assert.doesNotMatch(await shownProgress(other.key, id), /secret/);
  await using connected = await mcpClient(url, { key: other.key });
  assert.ok(!JSON.stringify(await callTool(connected, 'list_messages')).includes('secret'));
});
