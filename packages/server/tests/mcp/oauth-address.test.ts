import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startHttps } from '../../../../tests/harness/https.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { callTool, mcpClient } from '../../../../tests/harness/mcp.ts';
import { CALLBACK, connectSignedIn, SignedInClient, signInAt } from '../../../../tests/harness/mcp-oauth.ts';
import { Outbox } from '../../../../tests/harness/outbox.ts';
import { joinAs, ownedBy } from '../../../../tests/harness/owner.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';
import type { Role } from '../../core/entities/member.ts';
import { lookUp } from '../../net/guarded-connect.ts';

const web = await startHttps(['assistant.test'], (_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      client_id: DOCUMENT,
      client_name: 'Assistant',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    }),
  );
});
after(() => web[Symbol.asyncDispose]());
const DOCUMENT = `https://assistant.test:${web.port}/client.json`;
const inside = await startInside({
  resolve: async (name) =>
    name === 'assistant.test' ? [{ address: '127.0.0.1', family: 4, trusted: true }] : lookUp(name),
});
const { url, client } = inside;
const outbox = new Outbox(inside.outbox);
const { api, newNamespace, newMailbox } = client;

const home = await newNamespace();
const { key } = home;
await newMailbox(home, { local_part: 'auth', behavior: { name: 'auth' } });
const byHand = { behavior: { name: 'agent', settings: { by_hand: true } }, try_out: false };
const front = (await newMailbox(home, { local_part: 'front', ...byHand })).address;
const other = (await newMailbox(home, { local_part: 'other', ...byHand })).address;
const closed = (await newMailbox(home, { local_part: 'closed', ...byHand, access: 'key' })).address;
const doer = (await newMailbox(home, { local_part: 'doer', behavior: { name: 'do' }, try_out: false })).address;
const owner = `${unique('owner')}@example.com`;
const person = `${unique('person')}@example.com`;
/** The account's own key, which no program has. */
const created = await api<{ id: string; secret: string }>('POST', '/keys', { key, body: { scopes: ['owner'] } });
await ownedBy(inside, { ...home, keyId: created.body.id }, owner);

/** Stands in everything that a token for the front may not show. */
const CANARY = unique('canary');
const file = { filename: 'secret.txt', content_type: 'text/plain', content: Buffer.from(CANARY).toString('base64') };

interface Written {
  readonly message: Envelope;
  readonly files: readonly string[];
}

async function write(by: string, to: string, text: string, from?: string): Promise<Written> {
  const attachments = [{ ...file, content: Buffer.from(text).toString('base64') }];
  const sent = await api<Envelope>('POST', '/mail/send', {
    key: by,
    body: { to, body: text, subject: text, attachments, ...(from !== undefined && { from }) },
  });
  assert.equal(sent.status, 202, sent.text);
  const answer = await api<Envelope>('POST', `/mail/messages/${sent.body.id}/answer`, {
    key,
    body: { body: text, attachments },
  });
  assert.equal(answer.status, 200, answer.text);
  const message = (await api<Envelope>('GET', `/mail/messages/${sent.body.id}`, { key })).body as Envelope & {
    attachments: { id: string }[];
  };
  const ofReply = (message.reply as { attachments?: { id: string }[] } | null)?.attachments ?? [];
  return { message, files: [...message.attachments, ...ofReply].map(({ id }) => id) };
}

const stranger = await newNamespace();
const foreign = [
  await write(key, other, CANARY),
  await write(key, closed, CANARY),
  // By the account itself, elsewhere.
  await write(created.body.secret, other, CANARY),
  await write(created.body.secret, closed, CANARY, front),
  // To the same address, by others.
  await write(key, front, CANARY),
  await write(key, front, CANARY, other),
  await write(stranger.key, front, CANARY),
];
/** What the owner wrote there. */
const mine = await write(created.body.secret, front, 'Of the owner.');

/** Signs an account in for one address. */
async function signedIn(account: string, address: string) {
  const provider = new SignedInClient({ document: DOCUMENT });
  const connected = await connectSignedIn(`${url}/mcp/${address}`, provider, (authorization) =>
    signInAt(authorization, account, outbox),
  );
  return { connected, token: provider.accessToken };
}

/** Arguments that name what the token is not for, for every property that a tool may have. */
const argumentsFor = (schema: unknown, { message: { id, thread_id } }: Written): readonly Record<string, unknown>[] => {
  const { properties = {} } = schema as { properties?: Record<string, unknown> };
  const of = { id, thread_id, address: other, to: other, from: front, in_reply_to: id, caused_by: id, reply_to: other };
  const fill = { query: CANARY, body: 'x', message: 'x', claim: `clm_${id}`, wait: 0, max: 64, local_part: 'made' };
  const all = { ...of, ...fill, name: 'x', behavior: { name: 'hello' }, direction: 'all', limit: 100 };
  const named = Object.fromEntries(Object.entries(all).filter(([name]) => name in properties));
  return [named, { ...named, thread_id: undefined }, { ...named, address: undefined, thread_id: undefined }];
};

const receivedBy = async (address: string): Promise<number> =>
  (await api<Page<object>>('GET', `/mailboxes/${address}/messages?limit=200`, { key })).body.items.length;

for (const account of [owner, person]) {
  const who = account === owner ? 'the owner' : 'another account';
  test(`a token of ${who} for one address shows and does nothing else, by any tool, resource or route`, async () => {
    const { connected, token } = await signedIn(account, front);
    await using _ = connected;
    const { tools } = await connected.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['ask', 'read'],
    );
    const receivedBefore = await receivedBy(other);
    const seen: string[] = [];
    const see = (what: string, value: unknown): void => {
      const text = JSON.stringify(value);
      for (const secret of [CANARY, Buffer.from(CANARY).toString('base64').slice(0, 12)])
        if (text.includes(secret)) seen.push(`${what}: ${text.slice(0, 300)}`);
    };
    // Every tool there is, offered or not, and every argument that names something else.
    await using whole = await mcpClient(url, { key });
    for (const { name, inputSchema } of [...tools, ...(await whole.listTools()).tools])
      for (const written of foreign.slice(-2))
        for (const args of argumentsFor(inputSchema, written))
          see(`tool ${name}`, await callTool(connected, name, args).catch((error: Error) => error.message));
    for (const { files, message } of foreign) {
      for (const id of files)
        see('resource', await connected.readResource({ uri: `mailroom://attachments/${id}` }).catch(() => 'refused'));
      const read = await callTool(connected, 'read', { id: message.id, wait: 0 });
      assert.match(JSON.stringify(read.content), /message_not_found/);
      const follow = await connected
        .callTool(
          { name: 'read', arguments: { id: message.id, wait: 1 } },
          { onprogress: (shown) => see('progress', shown) },
        )
        .catch((error: Error) => error.message);
      see('read with progress', follow);
    }
    const listed: string[] = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page = await connected.listResources(cursor === undefined ? {} : { cursor });
      see('resources', page);
      listed.push(...page.resources.map(({ uri }) => uri.split('/').at(-1) ?? ''));
      cursor = page.nextCursor;
    }
    assert.deepEqual(listed.sort(), account === owner ? [...mine.files].sort() : []);
    see('prompts', await connected.listPrompts());
    // Every route and every other server.
    const { paths } = (await api<{ paths: Record<string, Record<string, unknown>> }>('GET', '/openapi.json')).body;
    const values: Record<string, string> = { address: other, name: home.name, id: foreign[0]?.message.id ?? '' };
    for (const [path, methods] of Object.entries(paths))
      for (const method of Object.keys(methods)) {
        const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? 'x');
        const response = await fetch(url + filled, {
          method: method.toUpperCase(),
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(method !== 'get' && { body: '{}' }),
        });
        assert.ok(response.status >= 400 || method === 'get', `${method} ${path}: ${response.status}`);
        see(`${method} ${path}`, await response.text());
      }
    for (const server of ['', `/${home.name}`, `/${other}`, `/${closed}`, `/${doer}`, `/${stranger.name}`]) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const authorization = `Bearer ${token}`;
      const { status } = await fetch(`${url}/mcp${server}`, {
        method: 'POST',
        headers: { ...headers, authorization },
        body,
      });
      assert.equal(status, 401, server);
    }
    assert.deepEqual(seen, []);
    assert.equal(await receivedBy(other), receivedBefore);
  });

  test(`a token of ${who} for one address writes there, and reads what the account wrote there`, async () => {
    const { connected } = await signedIn(account, front);
    await using _ = connected;
    const question = await callTool(connected, 'ask', { message: 'A question', wait: 0 });
    const id = String(question.structuredContent.id);
    await api('POST', `/mail/messages/${id}/answer`, { key, body: { body: 'An answer', attachments: [file] } });
    const read = await callTool(connected, 'read', { id });
    assert.equal(read.structuredContent.reply, 'An answer');
    const { resources } = await connected.listResources();
    const link = read.content.find(({ type }) => type === 'resource_link')?.uri ?? '';
    assert.ok(resources.some(({ uri }) => uri === link));
    const { contents } = await connected.readResource({ uri: link });
    assert.equal((contents[0] as { text?: string }).text, CANARY);
    const again = await callTool(connected, 'read', { id: mine.message.id, wait: 0 });
    assert.equal(again.isError === true, account !== owner);
    const { thread_id } = question.structuredContent;
    const next = await callTool(connected, 'ask', { message: 'Another', thread_id, wait: 0 });
    assert.equal(next.structuredContent.thread_id, thread_id);
  });
}

test('an owner who signed in for an address with tasks runs them with the rights of an owner', async () => {
  const { connected } = await signedIn(owner, doer);
  await using _ = connected;
  const answer = await callTool(connected, 'calculate', { expression: '6 * 7' });
  assert.match(JSON.stringify(answer.content), /42/);
  const kept = await callTool(connected, 'ask', { message: 'remember the motto: safety first' });
  assert.equal(kept.structuredContent.status, 'completed', JSON.stringify(kept));
});

test('a member who signed in for an address writes there as the namespace only where the role may write for all of it', async () => {
  const roles: readonly (readonly [Role, string | undefined, string])[] = [
    ['answerer', undefined, 'key'],
    ['answerer', doer, 'email'],
    ['editor', undefined, 'email'],
    ['reader', undefined, 'email'],
    ['reader', doer, 'email'],
  ];
  for (const [role, mailbox, kind] of roles) {
    const address = `${unique(role)}@example.com`;
    await joinAs(inside.store, home, { address, role, ...(mailbox !== undefined && { mailboxes: [mailbox] }) });
    const { connected } = await signedIn(address, doer);
    await using _ = connected;
    const asked = await callTool(connected, 'ask', { message: 'remember the motto: safety first' });
    const { body } = await api<Envelope>('GET', `/mail/messages/${String(asked.structuredContent.id)}`, { key });
    assert.equal(body.sender.kind, kind, `${role} ${mailbox}: ${JSON.stringify(asked)}`);
  }
});
