import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { unique } from '../../../../tests/harness/client.ts';
import { startHttps } from '../../../../tests/harness/https.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { callTool, mcpClient } from '../../../../tests/harness/mcp.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { lookUp } from '../../net/guarded-connect.ts';

const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
const idp = await startHttps(['idp.test'], ({ url: path }, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(path === '/jwks' ? { keys: [jwk] } : { issuer: ISS, jwks_uri: `${ISS}/jwks` }));
});
after(() => idp[Symbol.asyncDispose]());
const ISS = `https://idp.test:${idp.port}`;
const inside = await startInside({
  resolve: async (name) => (name === 'idp.test' ? [{ address: '127.0.0.1', family: 4, trusted: true }] : lookUp(name)),
});
const { url, client } = inside;
const { api, newNamespace, newMailbox } = client;

const home = await newNamespace();
const ada = (await newMailbox(home, { behavior: { name: 'hello' } })).address;
const agent = (await newMailbox(home, { behavior: { name: 'agent' }, try_out: false })).address;
const settings = {
  trusted_issuers: [{ issuer: ISS }],
  subjects: [{ issuer: ISS, subject: 'U1', mailbox: ada }],
};
const auth = (await newMailbox(home, { local_part: 'auth', behavior: { name: 'auth', settings } })).address;
const created = await api<{ id: string; client_secret: string }>('POST', `/mailboxes/${auth}/clients`, {
  key: home.key,
  body: { name: 'Assistant', redirect_uris: ['https://assistant.example/back'] },
});
assert.equal(created.status, 201, created.text);
const { id: client_id, client_secret: secret } = created.body;
const issuer = `${url}/oidc/${home.name}`;
const server = `${url}/mcp/${agent}`;

/** Presents an assertion with these claims at the token endpoint. */
async function redeem(claims: Readonly<Record<string, unknown>>, more: Readonly<Record<string, string>> = {}) {
  const assertion = await new SignJWT({ client_id, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'oauth-id-jag+jwt' })
    .setIssuer(ISS)
    .setSubject('U1')
    .setAudience(issuer)
    .setJti(unique('j'))
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey);
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion, ...more }),
  });
  const body = (await response.json()) as Readonly<Record<string, string>>;
  return { status: response.status, body };
}

/** The status with which a server answers a list of its tools. */
async function listed(path: string, token = ''): Promise<number> {
  const { status } = await fetch(`${url}/mcp/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  return status;
}

test('an assertion that names an MCP server is a token for it alone, of the address that the owner named', async () => {
  const { status, body } = await redeem({ resource: server });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.resource, body.scope, body.expires_in], [server, 'mail:send messages:read', 300]);
  await using connected = await mcpClient(url, { path: `/${agent}`, key: String(body.access_token) });
  const { structuredContent } = await callTool(connected, 'ask', { message: 'May I?', wait: 0 });
  const id = String(structuredContent.id);
  const stored = await api<Envelope & { sender: object }>('GET', `/mail/messages/${id}`, { key: home.key });
  assert.deepEqual([stored.body.sender, stored.body.channel], [{ kind: 'email', id: ada }, 'mcp']);
  for (const path of [ada, home.name]) assert.equal(await listed(path, body.access_token), 401, path);
  const me = await fetch(`${issuer}/me`, { headers: { authorization: `Bearer ${body.access_token}` } });
  assert.equal(me.status, 403, 'it says nothing of who signed in');
  inside.pass(301_000);
  assert.equal(await listed(agent, body.access_token), 401, 'it ends after five minutes');
});

test('scopes are those that the assertion, the request and the server allow', async () => {
  const narrow = await redeem({ resource: server, scope: 'openid messages:read mailboxes:write' });
  assert.equal(narrow.body.scope, 'messages:read');
  const asked = await redeem({ resource: server }, { scope: 'mail:send' });
  assert.equal(asked.body.scope, 'mail:send');
  const none = await redeem({ resource: server, scope: 'openid' });
  assert.deepEqual([none.status, none.body.error], [400, 'invalid_scope']);
});

test('a request chooses a server among those that its assertion names, and no other', async () => {
  const other = `${url}/mcp/${ada}`;
  const chosen = await redeem({ resource: [server, other] }, { resource: other });
  assert.equal(chosen.body.resource, other);
  assert.equal((await redeem({}, { resource: server })).body.resource, server, 'an assertion that names none');
  const foreign = await newNamespace();
  const { address } = await newMailbox(foreign, { try_out: false });
  const wrong: readonly (readonly [object, Record<string, string>])[] = [
    [{ resource: [server, other] }, {}],
    [{ resource: server }, { resource: other }],
    [{ resource: issuer }, { resource: server }],
    [{ resource: `${url}/mcp/${address}` }, {}],
    [{}, { resource: `${url}/mcp/${address}` }],
    [{}, { resource: 'nonsense' }],
    [{ resource: Array.from({ length: 21 }, () => server) }, {}],
    [{ resource: [7, null, {}] }, {}],
  ];
  for (const [claims, more] of wrong) {
    const { status, body } = await redeem({ ...claims }, more);
    assert.deepEqual([status, body.error], [400, 'invalid_target'], JSON.stringify([claims, more, body]));
  }
  const own = await redeem({ resource: [issuer, server] });
  assert.match(String(own.body.scope), /^openid/);
});
