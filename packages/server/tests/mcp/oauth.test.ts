import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, test } from 'node:test';
import { runSuite, VERSIONS } from '../../../../tests/conformance/mcp-suite.ts';
import { unique } from '../../../../tests/harness/client.ts';
import { startHttps } from '../../../../tests/harness/https.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { callTool, MODES, type Mode, textIn } from '../../../../tests/harness/mcp.ts';
import { CALLBACK, connectSignedIn, SignedInClient, signInAt } from '../../../../tests/harness/mcp-oauth.ts';
import { Outbox } from '../../../../tests/harness/outbox.ts';
import { ownedBy } from '../../../../tests/harness/owner.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';
import { everyNth } from '../../../../tests/soak/length.ts';
import { lookUp } from '../../net/guarded-connect.ts';
import { replaced } from '../process/proof/wrap.ts';

/** The document of a client, as an assistant publishes its own. */
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
/** Set by a test that wants an access token to be stored only when this is resolved. */
let heldBack: Promise<void> | undefined;
const inside = await startInside({
  wrap: (store) => ({
    ...store,
    states: replaced(store.states, {
      set: async (state) => {
        if (state.kind === 'oidc:AccessToken') await heldBack;
        return store.states.set(state);
      },
    }),
  }),
  resolve: async (name) =>
    name === 'assistant.test' ? [{ address: '127.0.0.1', family: 4, trusted: true }] : lookUp(name),
});
const { url, client } = inside;
const outbox = new Outbox(inside.outbox);
const { api, newNamespace, newMailbox } = client;

const home = await newNamespace();
const auth = (await newMailbox(home, { local_part: 'auth', behavior: { name: 'auth' } })).address;
const owner = `${unique('owner')}@example.com`;
await ownedBy(inside, home, owner);
const greeter = (await newMailbox(home, { behavior: { name: 'hello' }, try_out: false })).address;
const agent = (await newMailbox(home, { behavior: { name: 'agent' }, try_out: false })).address;

/** A client whose user signs in as this address. */
const as =
  (address: string) =>
  (authorization: URL): Promise<URL> =>
    signInAt(authorization, address, outbox);
const newPerson = (): string => `${unique('p')}@example.com`;
const namespaceServer = `${url}/mcp/${home.name}`;

async function post(path: string, token: string | undefined, body: object): Promise<Response> {
  return fetch(`${url}/mcp${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
  });
}
/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
const LIST = { method: 'tools/list' };

for (const mode of Object.keys(MODES) as Mode[]) {
  test(`MCP ${MODES[mode]}: a client without a key signs its user in, by discovery alone`, async () => {
    await using connected = await connectSignedIn(
      namespaceServer,
      new SignedInClient({ document: DOCUMENT }),
      as(owner),
      mode,
    );
    const { structuredContent } = await callTool(connected, 'list_addresses');
    const { items } = structuredContent as unknown as Page<{ address: string }>;
    assert.ok(items.some(({ address }) => address === greeter));
    const sent = await callTool(connected, 'send', { to: greeter, body: 'Hello' });
    assert.equal(sent.structuredContent.status, 'completed');
    const read = await api<Envelope>('GET', `/mail/messages/${String(sent.structuredContent.id)}`, { key: home.key });
    assert.equal(read.body.status, 'completed');
  });
}

test('an access token has no messages leave for longer than itself', async () => {
  await using connected = await connectSignedIn(namespaceServer, new SignedInClient({ document: DOCUMENT }), as(owner));
  const make = (behavior: object) =>
    callTool(connected, 'make_address', { local_part: unique('made').toLowerCase(), behavior });
  const settings = { webhook_url: 'https://hooks.invalid/in' };
  const refused = await make({ name: 'agent', settings });
  assert.deepEqual([refused.isError, refused.structuredContent.code], [true, 'access_denied']);
  assert.match(textIn(refused), /An access token expires, and webhook_url would outlive it/);
  assert.notEqual((await make({ name: 'agent' })).isError, true);
});

test('an access token that is stored after its consent has ended does not work', async () => {
  const provider = new SignedInClient({ document: DOCUMENT });
  await using _ = await connectSignedIn(namespaceServer, provider, as(owner));
  const { refresh_token = '' } = provider.tokens() ?? {};
  const refresh = () =>
    fetch(`${url}/oidc/${home.name}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: DOCUMENT,
        refresh_token,
        resource: namespaceServer,
      }),
    });
  const { promise, resolve } = Promise.withResolvers<void>();
  heldBack = promise;
  const both = [refresh(), refresh()] as const;
  // The second use of the refresh token, which ends the consent.
  assert.equal((await Promise.race(both)).status, 400);
  heldBack = undefined;
  resolve();
  const won = (await Promise.all(both)).find(({ ok }) => ok);
  assert.ok(won !== undefined);
  const { access_token } = (await won.json()) as { access_token: string };
  assert.equal((await post(`/${home.name}`, access_token, LIST)).status, 401);
});

test('who owns nothing asks as the address that signed in, and reads only that', async () => {
  const address = newPerson();
  const provider = new SignedInClient({ document: DOCUMENT });
  await using connected = await connectSignedIn(`${url}/mcp/${agent}`, provider, as(address));
  const { tools } = await connected.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['ask', 'read'],
  );
  const asked = await callTool(connected, 'ask', { message: 'May I?', wait: 0 });
  const id = String(asked.structuredContent.id);
  const received = await api<Envelope & { sender: object }>('GET', `/mail/messages/${id}`, { key: home.key });
  assert.deepEqual([received.body.sender, received.body.channel], [{ kind: 'email', id: address }, 'mcp']);
  await api('POST', `/mail/messages/${id}/answer`, {
    key: home.key,
    body: { body: 'You may. When?', status: 'input_required' },
  });
  const answer = await callTool(connected, 'read', { id });
  assert.equal(answer.structuredContent.reply, 'You may. When?');
  const next = await callTool(connected, 'ask', {
    message: 'Now.',
    thread_id: answer.structuredContent.thread_id,
    wait: 0,
  });
  assert.equal(next.structuredContent.thread_id, answer.structuredContent.thread_id);

  const other = new SignedInClient({ document: DOCUMENT });
  await using stranger = await connectSignedIn(`${url}/mcp/${agent}`, other, as(newPerson()));
  assert.equal((await callTool(stranger, 'read', { id })).isError, true);
  const hijacked = await callTool(stranger, 'ask', {
    message: 'Mine!',
    thread_id: answer.structuredContent.thread_id,
    wait: 0,
  });
  assert.equal(hijacked.isError, true, textIn(hijacked));
  // Nor is it a key of the API, or a way to the namespace.
  const { status } = await api('GET', '/mail/messages', { key: provider.accessToken });
  assert.equal(status, 401);
  await assert.rejects(
    connectSignedIn(namespaceServer, new SignedInClient({ document: DOCUMENT }), as(address)),
    /owns no namespace|403/,
  );
});

test('a request without a token is shown where to get one, and metadata name the issuer of the namespace', async () => {
  for (const path of [`/${agent}`, `/${home.name}`]) {
    const refused = await post(path, undefined, LIST);
    const [, metadata = ''] =
      /^Bearer resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    assert.deepEqual([refused.status, metadata], [401, `${url}/.well-known/oauth-protected-resource/mcp${path}`]);
    const shown = (await (await fetch(metadata)).json()) as { resource: string; authorization_servers: string[] };
    assert.deepEqual(
      [shown.resource, shown.authorization_servers],
      [`${url}/mcp${path}`, [`${url}/oidc/${home.name}`]],
    );
  }
  const house = (await (await fetch(`${url}/.well-known/oauth-protected-resource/mcp`)).json()) as {
    authorization_servers: string[];
  };
  assert.deepEqual(house.authorization_servers, [`${url}/oidc/agents`]);
  const without = await newNamespace();
  const { address } = await newMailbox(without, { try_out: false });
  const plain = await post(`/${address}`, undefined, LIST);
  assert.deepEqual([plain.status, plain.headers.get('www-authenticate')], [401, 'Bearer']);
  for (const path of [`/${without.name}`, `/${address}`, '/nobody@nowhere.example', '/-'])
    assert.equal((await fetch(`${url}/.well-known/oauth-protected-resource/mcp${path}`)).status, 404, path);
});

test('a token for another server, of an ended consent, or too old is refused, and nothing is stored', async () => {
  const provider = new SignedInClient({ document: DOCUMENT });
  await using _ = await connectSignedIn(`${url}/mcp/${agent}`, provider, as(owner));
  const token = provider.accessToken;
  assert.equal((await post(`/${agent}`, token, LIST)).status, 200);
  const other = await newNamespace();
  await newMailbox(other, { local_part: 'auth', behavior: { name: 'auth' } });
  const foreign = (await newMailbox(other)).address;
  const pageBefore = await api<Page<object>>('GET', `/mailboxes/${greeter}/messages`, { key: home.key });
  const ask = { method: 'tools/call', params: { name: 'ask', arguments: { message: 'Hello' } } };
  for (const path of [`/${greeter}`, `/${foreign}`, `/${home.name}`, `/${other.name}`, '']) {
    const refused = await post(path, token, ask);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    assert.equal(refused.status, 401, path);
    assert.match(challenge, /error="invalid_token"/, path);
    assert.match(challenge, /resource_metadata="/, path);
  }
  for (const wrong of [`${token}x`, 'nonsense', 'a'.repeat(5_000), `mr_live_${'0'.repeat(46)}`])
    assert.equal((await post(`/${agent}`, wrong, LIST)).status, 401, wrong.slice(0, 60));
  const after = await api<Page<object>>('GET', `/mailboxes/${greeter}/messages`, { key: home.key });
  assert.equal(after.body.items.length, pageBefore.body.items.length);
  inside.pass(61 * 60_000);
  assert.equal((await post(`/${agent}`, token, LIST)).status, 401);
});

test('a token with fewer scopes does what they allow, and is told what it lacks', async () => {
  const provider = new SignedInClient({ document: DOCUMENT });
  const narrow = (authorization: URL): Promise<URL> => {
    authorization.searchParams.set('scope', 'messages:read');
    return as(owner)(authorization);
  };
  await using connected = await connectSignedIn(namespaceServer, provider, narrow);
  assert.ok((await callTool(connected, 'list_messages')).structuredContent.items);
  const refused = await post(`/${home.name}`, provider.accessToken, {
    method: 'tools/call',
    params: { name: 'send', arguments: { to: greeter, body: 'x' } },
  });
  const challenge = refused.headers.get('www-authenticate') ?? '';
  assert.equal(refused.status, 403);
  assert.match(challenge, /error="insufficient_scope"/);
  assert.match(challenge, /scope="messages:read mail:send"/);
});

test('the right to decide what leaves is not offered, is asked for by name, and lets its owner decide', async () => {
  const path = `/${home.name}`;
  const metadata = await fetch(`${url}/.well-known/oauth-protected-resource/mcp${path}`);
  assert.ok(!(await metadata.text()).includes('mail:review'));
  const usual = new SignedInClient({ document: DOCUMENT });
  await using _ = await connectSignedIn(namespaceServer, usual, as(owner));
  const list = { method: 'tools/call', params: { name: 'list_reviews', arguments: {} } };
  const refused = await post(path, usual.accessToken, list);
  assert.equal(refused.status, 403);
  assert.match(refused.headers.get('www-authenticate') ?? '', /scope="[^"]*mail:review"/);
  const wide = (authorization: URL): Promise<URL> => {
    authorization.searchParams.set('scope', 'mail:send mail:review');
    return as(owner)(authorization);
  };
  const provider = new SignedInClient({ document: DOCUMENT });
  await using connected = await connectSignedIn(namespaceServer, provider, wide);
  const held = await newMailbox(home, {
    behavior: { name: 'hello', settings: { introduction: 'I am Ada.' } },
    outgoing: { review: 'always' },
  });
  const asker = await newNamespace();
  const question = await client.send(asker.key, { to: held.address, body: 'Who are you?', sync: true });
  const desk = await newMailbox(home, { outgoing: { review: 'always' } });
  const wrote = await callTool(connected, 'send', { from: desk.address, to: greeter, body: 'Hello', wait: 0 });
  interface Waiting {
    readonly id: string;
    readonly hash: string;
    readonly message_id: string;
  }
  const { items } = (await callTool(connected, 'list_reviews', { status: 'pending' }))
    .structuredContent as unknown as Page<Waiting>;
  const decide = (message: unknown) => {
    const review = items.find(({ message_id }) => message_id === message);
    assert.ok(review);
    return callTool(connected, 'decide_review', { id: review.id, decision: 'approve', hash: review.hash });
  };
  assert.equal((await decide(wrote.structuredContent.id)).structuredContent.code, 'access_denied');
  assert.equal((await decide(question.body.id)).structuredContent.status, 'approved');
  assert.match((await client.read(asker.key, question.body.id)).body.reply?.body ?? '', /I am Ada/);
});

test('a token for one address alone is never given the right to decide what leaves', async () => {
  const wide = (authorization: URL): Promise<URL> => {
    authorization.searchParams.set('scope', 'mail:send messages:read mail:review');
    return as(newPerson())(authorization);
  };
  const provider = new SignedInClient({ document: DOCUMENT });
  await using _ = await connectSignedIn(`${url}/mcp/${greeter}`, provider, wide);
  assert.equal(provider.tokens()?.scope, 'mail:send messages:read');
  const list = { method: 'tools/call', params: { name: 'list_reviews', arguments: {} } };
  assert.match(await (await post(`/${greeter}`, provider.accessToken, list)).text(), /There is no tool list_reviews/);
  assert.equal((await post(`/${home.name}`, provider.accessToken, list)).status, 401);
});

test('what a client may do ends with its consent, and with the ownership of its account', async () => {
  const lost = await newNamespace();
  await newMailbox(lost, { local_part: 'auth', behavior: { name: 'auth' } });
  const address = newPerson();
  await ownedBy(inside, lost, address);
  const connected = async (): Promise<string> => {
    const provider = new SignedInClient({ document: DOCUMENT });
    await using _ = await connectSignedIn(`${url}/mcp/${lost.name}`, provider, as(address));
    assert.equal((await post(`/${lost.name}`, provider.accessToken, LIST)).status, 200);
    return provider.accessToken;
  };
  const revoked = await connected();
  const { status } = await fetch(`${url}/oidc/${lost.name}/token/revocation`, {
    method: 'POST',
    body: new URLSearchParams({ token: revoked, client_id: DOCUMENT }),
  });
  assert.equal(status, 200);
  assert.equal((await post(`/${lost.name}`, revoked, LIST)).status, 401);
  const token = await connected();
  // The key of the ownership is what the account acts by.
  assert.equal((await api('DELETE', `/keys/${lost.keyId}`, { key: lost.key })).status, 403);
  await inside.store.keys.revoke(lost.keyId, lost.id, inside.now());
  await until(
    5_000,
    () => post(`/${lost.name}`, token, LIST),
    ({ status: now }) => now === 403,
  );
});

for (const version of everyNth(VERSIONS, 2)) {
  test(`MCP ${version}: the authorization scenarios of the conformance suite pass at the issuer`, async () => {
    const port = await freePort();
    const redirect_uris = [`http://127.0.0.1:${port}/callback`];
    const created = await api<{ id: string }>('POST', `/mailboxes/${auth}/clients`, {
      key: home.key,
      body: { name: 'Suite', redirect_uris, token_endpoint_auth_method: 'none' },
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    let page = '';
    let signing: Promise<unknown> | undefined;
    const run = await runSuite(
      [
        'authorization',
        ...['--url', `${url}/oidc/${home.name}`, '--client-id', created.body.id, '--port', String(port)],
        ...['--resource', namespaceServer, '--spec-version', version],
      ],
      (text) => {
        page += text;
        const [, authorization] = /^(http\S+\/auth\?\S+)\n/m.exec(page) ?? [];
        if (authorization !== undefined)
          signing ??= as(newPerson())(new URL(authorization)).then(async (back) => (await fetch(back)).arrayBuffer());
      },
    );
    await signing;
    assert.equal(run.code, 0, run.output);
    assert.match(run.output, /✓ authorization-server-metadata-endpoint: 2 passed, 0 failed/);
    assert.match(run.output, /✓ authorization-code-grant: [1-9]\d* passed, 0 failed/);
  });
}
