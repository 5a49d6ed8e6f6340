import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DAY } from '@mailroom/behavior/values/clock';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { systemClock } from '../../core/values/steady-clock.ts';
import { UsedServices } from '../../transports/oidc/used-services.ts';
import { Browser } from './browser.ts';
import { newHome, signIn, startNode } from './house.ts';

let passed = 0;
const clock = (): number => systemClock() + passed;
const node = await startNode({ clock });
after(() => node[Symbol.asyncDispose]());
const home = await newHome(node);

const REDIRECT = 'http://localhost/callback';
const METADATA = { client_name: 'Assistant', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' };

async function register(body: object, url = home.url) {
  const answer = await fetch(`${url}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, string> };
}

const authorization = (client_id = '', scope = 'openid'): URL => {
  const query = {
    client_id,
    redirect_uri: 'http://localhost:49567/callback',
    response_type: 'code',
    scope,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  return new URL(`${home.url}/auth?${new URLSearchParams(query)}`);
};
const begins = async (client_id = ''): Promise<number> =>
  (await fetch(authorization(client_id), { redirect: 'manual' })).status;

test('a public client registers itself without a token, and signs people in', async () => {
  const { status, body } = await register(METADATA);
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual(
    [body.client_secret, body.registration_access_token, body.token_endpoint_auth_method],
    [undefined, undefined, 'none'],
  );
  const back = await signIn(new Browser(), authorization(body.client_id), home.ada.id);
  assert.ok(back.searchParams.get('code'), back.href);
  const [used] = await new UsedServices({ store: node.store, clock }).of(home.ada.id);
  assert.deepEqual([used?.name, used?.origin], ['Assistant', 'http://localhost']);
  const { items } = await node.store.clients.page({ mailbox_id: home.auth.id }, null, 10);
  assert.deepEqual(items, [], 'it takes none of what the owner may register');
  assert.deepEqual(node.errors, []);
});

test('a program on a device that states no way to authenticate is a public client, and is told so', async () => {
  const { status, body } = await register({ ...METADATA, token_endpoint_auth_method: undefined });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual([body.client_secret, body.token_endpoint_auth_method], [undefined, 'none']);
  const web = { redirect_uris: ['https://self.example/callback'], token_endpoint_auth_method: undefined };
  const refused = await register({ ...METADATA, ...web });
  assert.equal(refused.status, 401);
  assert.match(refused.body.error_description ?? '', /add "token_endpoint_auth_method": "none"/);
});

test('one that no account consents to is gone after a day, and one in use stays', async () => {
  const [unused, used] = [(await register(METADATA)).body.client_id, (await register(METADATA)).body.client_id];
  assert.deepEqual([await begins(unused), await begins(used)], [303, 303]);
  await signIn(new Browser(), authorization(used), home.ada.id);
  passed += DAY + 1000;
  assert.deepEqual([await begins(unused), await begins(used)], [400, 303]);
  passed += 80 * DAY;
  assert.equal(await begins(used), 303);
});

test('a client with a secret or keys takes the owner’s token', async () => {
  for (const method of ['client_secret_basic', 'client_secret_post', 'private_key_jwt']) {
    const { status, headers, body } = await register({ ...METADATA, token_endpoint_auth_method: method });
    assert.equal(status, 401, String(method));
    assert.match(headers.get('www-authenticate') ?? '', /^Bearer/);
    assert.match(body.error_description ?? '', /public client/);
  }
});

test('it is held to the rules of all clients', async () => {
  for (const fields of [
    { redirect_uris: ['http://self.example/callback'] },
    { redirect_uris: ['javascript:alert(1)'] },
    { redirect_uris: ['data://text/html,x'] },
    { redirect_uris: ['cursor://host/callback'], application_type: 'web' },
    { redirect_uris: [] },
    { grant_types: ['client_credentials'] },
    { grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'] },
    { client_name: 'a\u0007b' },
    { scope: 'openid keys:write' },
    { jwks_uri: 'https://self.example/jwks' },
  ])
    assert.equal((await register({ ...METADATA, ...fields })).status, 400, JSON.stringify(fields));
});

test('a refused redirect address is named, with what to write instead', async () => {
  for (const [uri, fix] of [
    ['http://self.example/callback', 'Use https'],
    ['javascript:alert(1)', 'begin with https://'],
    ['chrome://settings', 'begin with https://'],
    ['edge://settings/x', 'begin with https://'],
    ['cursor://host/callback#x', 'Leave out #'],
  ] as const) {
    const { status, body } = await register({ ...METADATA, redirect_uris: ['https://self.example/callback', uri] });
    assert.equal(status, 400, uri);
    assert.match(body.error_description ?? '', /^redirect_uris\/1: /, uri);
    assert.ok(body.error_description?.includes(fix), body.error_description ?? '');
  }
});

test('the scopes that a protected resource names may be registered', async () => {
  const scope = 'mail:send messages:read mail:answer mailboxes:write';
  const { status, body } = await register({ ...METADATA, scope });
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(body.scope, `${scope} offline_access`);
  assert.equal((await register({ ...METADATA, scope: 'openid email' })).body.scope, 'openid email');
});

test('an empty scope, address or picture, and what is null, count as left out', async () => {
  const empty = { scope: '', client_uri: '', logo_uri: null, contacts: null, software_version: '' };
  const { status, body } = await register({ ...METADATA, ...empty });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual([body.scope, body.client_uri], [undefined, undefined]);
});

test('a client of a scheme of its own is native unless it says otherwise', async () => {
  const { status, body } = await register({
    ...METADATA,
    redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'],
  });
  assert.deepEqual([status, body.application_type], [201, 'native'], JSON.stringify(body));
});

test('a byte order mark before its JSON is passed over', async () => {
  const headers = { 'content-type': 'application/json' };
  const body = `\ufeff${JSON.stringify(METADATA)}`;
  assert.equal((await fetch(`${home.url}/reg`, { method: 'POST', headers, body })).status, 201);
});

test('one network registers as many an hour as it makes namespaces, and what is refused is not counted', async () => {
  const { url } = await serveInside({ env: { RATE_LIMITS: 'on', LIMIT_NAMESPACES_PER_HOUR: '2' } });
  const issuer = `${url}/oidc/agents`;
  assert.equal((await register({ ...METADATA, redirect_uris: [] }, issuer)).status, 400);
  const statuses = [];
  for (let at = 0; at < 3; at++) statuses.push(await register(METADATA, issuer));
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [201, 201, 429],
  );
  assert.ok(Number(statuses.at(-1)?.headers.get('retry-after')) > 0);
});
