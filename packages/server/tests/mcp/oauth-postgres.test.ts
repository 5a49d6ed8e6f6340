import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { callTool } from '../../../../tests/harness/mcp.ts';
import { CALLBACK, connectSignedIn, SignedInClient, signInAt } from '../../../../tests/harness/mcp-oauth.ts';
import { Outbox } from '../../../../tests/harness/outbox.ts';
import { ownedBy } from '../../../../tests/harness/owner.ts';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';

const postgres = await sharedPostgres();
after(() => postgres[Symbol.asyncDispose]());
const mails = newFolder();
after(() => removeFolder(mails));
const database = await postgres.newDatabase();
const inside = await startInside({ env: { DATABASE_URL: database, OUTBOX: mails } });
const { url, client } = inside;
/** A second node behind the same URL. */
const other = await startInside({ env: { DATABASE_URL: database, OUTBOX: mails, BASE_URL: url } });
const { api, newNamespace, newMailbox } = client;
const outbox = new Outbox(mails);

const home = await newNamespace();
const auth = (await newMailbox(home, { local_part: 'auth', behavior: { name: 'auth' } })).address;
const greeter = (await newMailbox(home, { behavior: { name: 'hello' } })).address;
const owner = `${unique('owner')}@example.com`;
await ownedBy(inside, home, owner);
const { status, body: registered } = await api<{ id: string }>('POST', `/mailboxes/${auth}/clients`, {
  key: home.key,
  body: {
    name: 'Assistant',
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: 'none',
  },
});
assert.equal(status, 201, JSON.stringify(registered));
const server = `${url}/mcp/${home.name}`;

const list = async (token: string, at = url): Promise<number> => {
  const { status } = await fetch(`${at}/mcp/${home.name}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  return status;
};
const atIssuer = (path: string, form: Readonly<Record<string, string>>, at = url): Promise<Response> =>
  fetch(`${at}/oidc/${home.name}/${path}`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: registered.id, ...form }),
  });

test('on PostgreSQL a client signs its user in to an MCP server, and acts as the owner', async () => {
  const provider = new SignedInClient({ client_id: registered.id });
  await using connected = await connectSignedIn(server, provider, (at) => signInAt(at, owner, outbox));
  const sent = await callTool(connected, 'send', { to: greeter, body: 'Hello' });
  assert.equal(sent.structuredContent.status, 'completed');
});

test('on PostgreSQL a refresh token is used once, by one of two requests, and its second use ends the consent', async () => {
  const provider = new SignedInClient({ client_id: registered.id });
  await using _ = await connectSignedIn(server, provider, (at) => signInAt(at, owner, outbox));
  const { refresh_token = '' } = provider.tokens() ?? {};
  const refresh = () => atIssuer('token', { grant_type: 'refresh_token', refresh_token, resource: server });
  const both = await Promise.all([refresh(), refresh()]);
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 400],
  );
  const [won] = both.filter(({ ok }) => ok);
  assert.ok(won !== undefined);
  const { access_token } = (await won.json()) as { access_token: string };
  assert.equal(await list(access_token), 401);
  assert.equal(await list(provider.accessToken), 401);
});

test('a token of one node works on the other, is refreshed there, and ends on both when either revokes it', async () => {
  const provider = new SignedInClient({ client_id: registered.id });
  await using _ = await connectSignedIn(server, provider, (at) => signInAt(at, owner, outbox));
  const nodes = [inside.client.url, other.client.url];
  assert.notEqual(nodes[0], nodes[1]);
  const works = (token: string) => Promise.all(nodes.map((at) => list(token, at)));
  assert.deepEqual(await works(provider.accessToken), [200, 200]);
  const { refresh_token = '' } = provider.tokens() ?? {};
  const form = { grant_type: 'refresh_token', refresh_token, resource: server };
  const refreshed = await atIssuer('token', form, other.client.url);
  assert.equal(refreshed.status, 200, await refreshed.clone().text());
  const { access_token } = (await refreshed.json()) as { access_token: string };
  assert.deepEqual(await works(access_token), [200, 200]);
  const asked = await fetch(`${other.client.url}/mcp/${home.name}`, { method: 'POST', body: '{}' });
  assert.match(asked.headers.get('www-authenticate') ?? '', new RegExp(`resource_metadata="${url}/`));
  assert.equal((await atIssuer('token/revocation', { token: access_token }, other.client.url)).status, 200);
  assert.deepEqual(await works(access_token), [401, 401]);
});

test('on PostgreSQL a token ends when it is revoked, and when its hour is over', async () => {
  const tokenOf = async (): Promise<string> => {
    const provider = new SignedInClient({ client_id: registered.id });
    await using _ = await connectSignedIn(server, provider, (at) => signInAt(at, owner, outbox));
    return provider.accessToken;
  };
  const token = await tokenOf();
  assert.equal((await atIssuer('token/revocation', { token })).status, 200);
  assert.equal(await list(token), 401);
  const later = await tokenOf();
  assert.equal(await list(later), 200);
  inside.pass(61 * 60_000);
  assert.equal(await list(later), 401);
});
